"""The record of a puzzle in the ledger."""

from __future__ import annotations

import msgspec

from exactile.answers import Sampled
from exactile.backends.base import Prefix
from exactile.counting.frontier import FrontRun
from exactile.files.puzzles.catalogue import Numbers as Numbers
from exactile.runs.store import Totals


class Guess(msgspec.Struct, frozen=True):
    """An estimate of the number of nodes of a search, from random dives into its tree.

    `nodes_error`: standard error of `nodes`; None if it is unknown. `dives`: number of dives.
    """

    nodes: int
    nodes_error: int | None
    dives: int


class OpenSearch(msgspec.Struct):
    """The state of an unfinished search that lists the solutions of a puzzle to count them."""

    left: list[Prefix]  # not searched yet
    totals: Totals = msgspec.field(default_factory=Totals)
    symmetric: bool = True  # whether only one branch of each orbit is searched

    @property
    def done(self) -> float:
        """Fraction of the search tree that has been searched, by the weights in `left`."""
        return 1 - sum(prefix.weight for prefix in self.left) if self.left else 1.0


class Record(msgspec.Struct):
    """All that the ledger knows about a puzzle."""

    id: str  # name of the puzzle when the record was written
    puzzle: str  # digest of the puzzle, which identifies it
    digest: str  # digest of the model
    items: int
    options: int
    symmetries: int  # order of the symmetry group
    proper: int  # number of proper symmetries
    status: str = "open"  # "exact", "unsolvable" or "open"
    method: str = ""  # "list", "memo", "frontier", "first look", "coloring", or a backend
    reason: str = ""  # why it is unsolvable, in words
    numbers: Numbers | None = None  # None unless all are known
    shares: dict[str, Numbers] = {}  # by the pieces left out, if pieces may be omitted
    at_least: int = 0  # number of solutions known to exist, not reduced by symmetry
    nodes: int = 0  # nodes of all searches
    seconds: float = 0.0  # processor time of everything
    checked: int = 0  # number of solutions that were checked one by one
    # A checked solution: pieces, and the numbers of their units in the region.
    example: list[tuple[str, list[int]]] | None = None
    found_by: str = ""  # the backend that found the example
    found_seconds: float = 0.0  # processor time of its search
    # Attempts: "coloring", "first", "race", memos and frontiers by size, estimates by time.
    tried: list[str] = []
    fronts: list[FrontRun] = []  # the two frontiers that have counted it, in different orders
    bound: float | None = None  # upper bound on the number of entries of a frontier's lists
    guess: Guess | None = None  # estimated size of the search, while it is open
    sampled: Sampled | None = None  # estimated raw number of solutions, while it is open
    sampled_seconds: float = 0.0  # processor time of that estimate
    search: OpenSearch | None = None  # state of its search, while it is open; stored as a run

    @property
    def settled(self) -> bool:
        """Whether all numbers of solutions are known, so that nothing is left to be searched."""
        return self.status != "open"
