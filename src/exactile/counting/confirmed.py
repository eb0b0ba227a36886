"""Counts that two frontiers agree on which go over the units in different orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from exactile.clock import CLOCK
from exactile.counting.frontier import Frontier
from exactile.counting.method import Method
from exactile.counting.plan import FrontierBudget
from exactile.errors import CheckFailedError
from exactile.puzzle.puzzle import Puzzle


class FrontRun(msgspec.Struct, frozen=True):
    """What one frontier took that counted all solutions: `bytes` in memory, `seconds` of work."""

    order: str
    nodes: int
    bound: float
    entries: int
    bytes: int
    seconds: float


class Confirmed(Method):
    """Counts by two frontiers in different orders, the best one and the next best one.

    Examples
    --------
    >>> import exactile
    >>> confirmed = Confirmed()
    >>> confirmed.count(exactile.load("pentominoes-5x12"))
    4040
    >>> [run.order for run in confirmed.runs]
    ['as numbered', 'along (-2, -1), then +y']
    """

    name = "frontier"
    # The bound of the first frontier of the first problem; None before it is known
    bound: float | None = None

    def __init__(self, budget: FrontierBudget | None = None, puzzle: Puzzle | None = None) -> None:
        super().__init__(puzzle=puzzle)
        self._budget = budget
        self._states = 0
        self.runs: list[FrontRun] = []  # what the frontiers of the first problem took

    def _begin(self) -> Iterator[None]:
        self._now = Frontier(budget=self._budget, puzzle=self.puzzle)
        self._first: int | None = None
        self._states, self._seconds = 0, 0.0
        return iter(())

    @property
    def stats(self) -> dict[str, Any]:
        """The number of entries in the lists of both."""
        return {"states": self._states}

    def _step(self, seconds: float) -> None:
        assert self.problem is not None
        begun, limits = CLOCK.worked(), self.limits.within(seconds)
        if self._now.build(self.problem, limits):
            self.bound = self._now.bound if self.bound is None else self.bound
            number = self._now.count(self.problem, limits)
        else:
            number = None
        self._seconds += CLOCK.worked() - begun
        if number is not None:
            self._confirm(number)

    def _confirm(self, number: int) -> None:
        """Compare the number of a frontier with the other's, or make room for the other."""
        stats, order = self._now.stats, self._now.order
        assert order is not None
        self._states += stats["states"]
        if len(self.runs) < 2:
            self.runs.append(
                FrontRun(
                    order.name,
                    stats["nodes"],
                    stats["bound"],
                    stats["states"],
                    stats["bytes"],
                    round(self._seconds, 1),
                )
            )
        self._seconds = 0.0
        if self._first is None:
            self._first, self._now = number, self._now.otherwise()
        elif self._first != number:
            raise CheckFailedError(
                f"Two frontiers count {self._first:,} and {number:,} solutions. This is a bug of "
                "ours: please report it."
            )
        else:
            self._raw = number
