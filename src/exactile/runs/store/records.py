"""What a store hands out: runs, their parts, and what they have found so far."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec import field

from exactile.counting.shares import Share, add


class Totals(msgspec.Struct):
    """What some parts of a run have found together."""

    # Numbers of solutions by the pieces left out; see `exactile.counting.shares`
    shares: dict[str, Share] = field(default_factory=dict)
    found: int = 0  # solutions that were found and checked; images are not counted
    nodes: int = 0  # nodes visited
    seconds: float = 0.0  # processor time

    def add(self, other: Totals) -> None:
        """Add what others have found."""
        add(self.shares, other.shares)
        self.found += other.found
        self.nodes += other.nodes
        self.seconds += other.seconds

    @property
    def raw(self) -> int:
        """Number of solutions, with their images."""
        return sum(share.raw for share in self.shares.values())


class StoredPart(NamedTuple):
    """A part that waits to be searched."""

    number: int  # unique in the run for all time
    weight: float  # which part of the whole search it is, if all branches were alike
    lost: int = 0  # number of processes that died of it
    cause: str = ""  # how, the last time


class RunRecord(msgspec.Struct):
    """A run."""

    # puzzle, digest, model: name of the puzzle; digests of its statement and of its model
    puzzle: str
    digest: str
    model: str
    settings: dict[str, Any]  # what is searched, and how
    version: str  # of exactile that began it
    begun: float  # when, in seconds since 1970
    number: int = 0  # in its file, from 1
    parts: int = 0  # how many wait
    left: float = 0.0  # which part of the search waits, from 0 to 1, if all branches were alike
    lost: int = 0  # how many of the parts that wait somebody has died of
    share: bool = False  # whether it is a share of a run of another store
    totals: Totals = field(default_factory=Totals)  # the solutions found
    answer: str | None = None  # the answer as JSON, when there is one


class RunSession(msgspec.Struct):
    """A process that works, or worked, on a run."""

    host: str  # where
    process: int  # the number of the process there
    # on, workers, alive: the executor, with its number of workers, and the number alive
    on: str
    workers: int
    # begun, seen: when it began and last wrote something, in seconds since 1970
    begun: float
    alive: int = 0
    seen: float = 0.0
    nodes: int = 0  # how many it had visited by then
    # left_before, left: which part of the search was left when it began, and by then
    left_before: float = 1.0
    left: float = 1.0
    # spent, rest, rest_error: processor time of its search; the time for the rest, and the possible
    # error of that wrong
    spent: float = 0.0
    rest: float | None = None
    rest_error: float | None = None
