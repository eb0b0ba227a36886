"""What a store hands out: runs, their parts, and what they have found so far."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec import field

from exactile.counting.shares import Share, add


class Totals(msgspec.Struct):
    """What some parts of a run have found together.

    Attributes
    ----------
    shares
        Numbers of solutions by the pieces left out; see `exactile.counting.shares`.
    found
        Solutions that were found and checked; images are not counted.
    nodes, seconds
        Nodes visited; processor time.
    """

    shares: dict[str, Share] = field(default_factory=dict)
    found: int = 0
    nodes: int = 0
    seconds: float = 0.0

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
    """A part that waits to be searched.

    Attributes
    ----------
    number
        Unique in the run for all time.
    weight
        Which part of the whole search it is, if all branches were alike.
    lost
        Number of processes that died of it.
    cause
        How, the last time.
    """

    number: int
    weight: float
    lost: int = 0
    cause: str = ""


class RunRecord(msgspec.Struct):
    """A run.

    Attributes
    ----------
    puzzle, digest, model
        Name of the puzzle; digests of its statement and of its model.
    settings
        What is searched, and how.
    version
        Of exactile that began it.
    begun
        When, in seconds since 1970.
    number
        In its file, from 1.
    parts
        How many wait.
    left
        Which part of the search waits, from 0 to 1, if all branches were alike.
    lost
        How many of the parts that wait somebody has died of.
    share
        Whether it is a share of a run of another store.
    totals
        The solutions found.
    answer
        The answer as JSON, when there is one.
    """

    puzzle: str
    digest: str
    model: str
    settings: dict[str, Any]
    version: str
    begun: float
    number: int = 0
    parts: int = 0
    left: float = 0.0
    lost: int = 0
    share: bool = False
    totals: Totals = field(default_factory=Totals)
    answer: str | None = None


class RunSession(msgspec.Struct):
    """A process that works, or worked, on a run.

    Attributes
    ----------
    host, process
        Where; the number of the process there.
    on, workers, alive
        The executor, with its number of workers, and the number alive.
    begun, seen
        When it began and last wrote something, in seconds since 1970.
    nodes
        How many it had visited by then.
    left_before, left
        Which part of the search was left when it began, and by then.
    spent, rest, rest_error
        Processor time of its search; the time for the rest, and the possible error of that
        wrong.
    """

    host: str
    process: int
    on: str
    workers: int
    begun: float
    alive: int = 0
    seen: float = 0.0
    nodes: int = 0
    left_before: float = 1.0
    left: float = 1.0
    spent: float = 0.0
    rest: float | None = None
    rest_error: float | None = None
