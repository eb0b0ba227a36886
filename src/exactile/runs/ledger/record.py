"""What the ledger knows of a puzzle."""

from __future__ import annotations

import msgspec

from exactile.answers import Sampled
from exactile.backends.base import Prefix
from exactile.counting.confirmed import FrontRun
from exactile.runs.store import Totals


class Numbers(msgspec.Struct, frozen=True):
    """Numbers of solutions: all, up to proper symmetries, up to all symmetries."""

    raw: int
    rotation: int
    symmetry: int


class Guess(msgspec.Struct, frozen=True):
    """An estimate of the nodes of a search by random dives, with its standard error."""

    nodes: int
    nodes_error: int | None
    dives: int


class OpenSearch(msgspec.Struct):
    """Where the run of an open puzzle stands: a count of its solutions, one by one.

    Attributes
    ----------
    left
        What is not searched yet.
    totals
        What was found.
    symmetric
        Whether only one branch of each orbit is searched.
    """

    left: list[Prefix]
    totals: Totals = msgspec.field(default_factory=Totals)
    symmetric: bool = True

    @property
    def done(self) -> float:
        """The part of the tree that is searched, 1 if all is."""
        return 1 - sum(prefix.weight for prefix in self.left) if self.left else 1.0


class Record(msgspec.Struct):
    """What the ledger knows of a puzzle.

    Attributes
    ----------
    id, puzzle
        The puzzle: its name when this was written, and its digest, which is what identifies it.
    digest
        Digest of the model.
    items, options, symmetries, proper
        Sizes of the model and of the symmetry group.
    status
        ``"exact"``, ``"unsolvable"`` or ``"open"``.
    method
        What settled it: ``"list"``, ``"memo"``, ``"frontier"``, ``"first look"``, ``"coloring"``,
        or a backend.
    reason
        Why it is unsolvable, in words.
    numbers
        The counts; None while they are not all known.
    shares
        The counts by the pieces left out, where pieces are left out by choice.
    at_least
        Number of solutions known to exist, not reduced by symmetry.
    nodes, seconds
        Nodes of the searches, and processor time of everything.
    checked
        Number of solutions that were checked one by one.
    example
        A solution, checked: pieces, and the numbers of their units in the region.
    found_by, found_seconds
        The search that found it, and its seconds of processor time; empty if not recorded.
    tried
        The attempts: ``"coloring"``, ``"first"``, ``"race"``, memos by their
        states, fronts by their nodes.
    fronts
        The two fronts that have counted it, in different orders, if fronts have.
    bound
        An upper bound of the entries of a front's lists, where its automaton was small enough.
    guess
        An estimate of how large a search is, while it is open.
    sampled
        An estimate of the raw number of solutions, while it is open.
    search
        Where its run stands, while it is open and has one. The store keeps that as a run.
    """

    id: str
    puzzle: str
    digest: str
    items: int
    options: int
    symmetries: int
    proper: int
    status: str = "open"
    method: str = ""
    reason: str = ""
    numbers: Numbers | None = None
    shares: dict[str, Numbers] = {}
    at_least: int = 0
    nodes: int = 0
    seconds: float = 0.0
    checked: int = 0
    example: list[tuple[str, list[int]]] | None = None
    found_by: str = ""
    found_seconds: float = 0.0
    tried: list[str] = []
    fronts: list[FrontRun] = []
    bound: float | None = None
    guess: Guess | None = None
    sampled: Sampled | None = None
    search: OpenSearch | None = None

    @property
    def settled(self) -> bool:
        """Whether all counts are known."""
        return self.status != "open"
