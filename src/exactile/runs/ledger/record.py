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
    """Where the run of an open puzzle stands: a count of its solutions, one by one."""

    left: list[Prefix]  # what is not searched yet
    totals: Totals = msgspec.field(default_factory=Totals)  # what was found
    symmetric: bool = True  # whether only one branch of each orbit is searched

    @property
    def done(self) -> float:
        """The part of the tree that is searched, 1 if all is."""
        return 1 - sum(prefix.weight for prefix in self.left) if self.left else 1.0


class Record(msgspec.Struct):
    """What the ledger knows of a puzzle."""

    # id, puzzle: the puzzle: its name when this was written, and its digest, which is what
    # identifies it
    id: str
    puzzle: str
    digest: str  # digest of the model
    # items, options, symmetries, proper: sizes of the model and of the symmetry group
    items: int
    options: int
    symmetries: int
    proper: int
    status: str = "open"  # "exact", "unsolvable" or "open"
    # What settled it: "list", "memo", "frontier", "first look", "coloring", or a backend
    method: str = ""
    reason: str = ""  # why it is unsolvable, in words
    numbers: Numbers | None = None  # the counts; None while they are not all known
    # The counts by the pieces left out, where pieces are left out by choice
    shares: dict[str, Numbers] = {}
    at_least: int = 0  # number of solutions known to exist, not reduced by symmetry
    # nodes, seconds: nodes of the searches, and processor time of everything
    nodes: int = 0
    seconds: float = 0.0
    checked: int = 0  # number of solutions that were checked one by one
    # A solution, checked: pieces, and the numbers of their units in the region
    example: list[tuple[str, list[int]]] | None = None
    found_by: str = ""  # the search that found it, and its seconds of processor time
    found_seconds: float = 0.0  # empty if not recorded
    # The attempts: "coloring", "first", "race", memos by their states, fronts by their nodes
    tried: list[str] = []
    # The two fronts that have counted it, in different orders, if fronts have
    fronts: list[FrontRun] = []
    # An upper bound of the entries of a front's lists, where its automaton was small enough
    bound: float | None = None
    guess: Guess | None = None  # an estimate of how large a search is, while it is open
    sampled: Sampled | None = None  # an estimate of the raw number of solutions, while it is open
    # Where its run stands, while it is open and has one. The store keeps that as a run.
    search: OpenSearch | None = None

    @property
    def settled(self) -> bool:
        """Whether all counts are known."""
        return self.status != "open"
