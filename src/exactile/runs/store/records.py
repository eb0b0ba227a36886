"""The records of a store: runs, their parts, and their results so far."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec import field

from exactile.counting.shares import Share, add


class Totals(msgspec.Struct):
    """The sum of the results of some parts of a run."""

    shares: dict[str, Share] = field(default_factory=dict)  # by the pieces left out, or by level
    found: int = 0  # solutions that were found and checked; images are not counted
    nodes: int = 0
    seconds: float = 0.0  # processor time

    def add(self, other: Totals) -> None:
        """Add the results of other parts."""
        add(self.shares, other.shares)
        self.found += other.found
        self.nodes += other.nodes
        self.seconds += other.seconds

    @property
    def raw(self) -> int:
        """Number of solutions, images under symmetries included."""
        return sum(share.raw for share in self.shares.values())


class StoredPart(NamedTuple):
    """A part that waits to be searched."""

    number: int  # unique in the run; never used again
    weight: float  # its fraction of the search, from 0 to 1, as if all branches had the same size
    lost: int = 0  # number of processes that died while they searched it
    cause: str = ""  # why the last of these died


class RunRecord(msgspec.Struct):
    """A run: the puzzle that it searches, its settings, and its state."""

    puzzle: str  # name of the puzzle
    digest: str  # digest of its statement
    model: str  # digest of its model
    settings: dict[str, Any]
    version: str  # version of exactile that began it
    begun: float  # seconds since 1970
    number: int = 0  # in its file, from 1
    parts: int = 0  # number of parts that wait
    left: float = 0.0  # sum of their weights
    whole: float = 1.0  # sum of the weights of all its parts; less than 1 for a share
    lost: int = 0  # number of waiting parts during whose search a process died
    share: bool = False  # whether it is a share of a run of another store
    totals: Totals = field(default_factory=Totals)
    answer: str | None = None  # the answer as JSON, when there is one

    @property
    def done(self) -> float:
        """Fraction of the run, or of the share, that is searched, by the weights of its parts."""
        return max(0.0, 1 - self.left / self.whole) if self.whole else 1.0


class RunSession(msgspec.Struct):
    """A session: the work of one process on a run, up to the time when it last wrote."""

    host: str
    process: int  # identifier of the process on that host
    on: str  # the executor
    workers: int
    begun: float  # seconds since 1970
    alive: int = 0  # number of workers that were alive when it last wrote
    seen: float = 0.0  # `begun` plus the seconds of work until it last wrote
    nodes: int = 0
    left_before: float = 1.0  # fraction of the search that was left when it began
    left: float = 1.0  # the same when it last wrote
    spent: float = 0.0  # processor time of its search
    rest: float | None = None  # estimated processor time of the rest
    rest_error: float | None = None  # its error: see `exactile.runs.drive.Remaining`
