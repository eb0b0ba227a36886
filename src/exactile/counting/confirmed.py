"""Counts that two fronts agree on which go over the units in different orders."""

from __future__ import annotations

from typing import Any

import msgspec

from exactile.clock import CLOCK
from exactile.counting.counter import AnyCounter
from exactile.counting.front import FrontCounter
from exactile.counting.plan import FrontBudget
from exactile.counting.unlisted import UnlistedCounting
from exactile.errors import CheckFailedError
from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING


class FrontRun(msgspec.Struct, frozen=True):
    """What one front took that counted all solutions: `bytes` in memory, `seconds` of work."""

    order: str
    nodes: int
    bound: float
    entries: int
    bytes: int
    seconds: float


class ConfirmedCounter(AnyCounter):
    """Counts by two fronts in different orders.

    Parameters
    ----------
    first
        One of the two; the other goes by its next best order.

    Attributes
    ----------
    bound
        The bound of the first; None before it is known.
    runs
        What the fronts that are done took.

    Examples
    --------
    >>> import exactile
    >>> counter = ConfirmedCounter(FrontCounter(exactile.load("pentominoes-5x12")))
    >>> counter.raw, [run.order for run in counter.runs]
    (4040, ['as numbered', 'along (-2, -1), then +y'])
    """

    def __init__(self, first: FrontCounter) -> None:
        super().__init__(first.model, first.puzzle, keep=False)
        self._counter = first
        self._seconds = 0.0
        self._numbers: list[int] = []
        self.bound: float | None = None
        self.runs: list[FrontRun] = []

    @property
    def stats(self) -> dict[str, Any]:
        """How many entries the lists of both had together."""
        return {"states": sum(run.entries for run in self.runs)}

    def _step(self, seconds: float) -> None:
        begun = CLOCK.worked()
        known = self._count(seconds)
        self._seconds += CLOCK.worked() - begun
        if known:
            self._next()

    def _count(self, seconds: float) -> bool:
        """Build or count on; return whether the present front is done."""
        counter = self._counter
        if counter.bound is None:
            counter.build(seconds)
            return False
        if self.bound is None:
            self.bound = counter.bound
        return counter.wait(seconds)

    def _next(self) -> None:
        """Write down what the front took that is done, and make room for the other one."""
        counter = self._counter
        assert counter.order is not None
        stats = counter.stats
        self.runs.append(
            FrontRun(
                counter.order.name,
                stats["nodes"],
                stats["bound"],
                stats["states"],
                stats["bytes"],
                round(self._seconds, 1),
            )
        )
        self._seconds = 0.0
        self._numbers.append(counter.raw)
        if len(self._numbers) < 2:
            self._counter = counter.otherwise()
            return
        one, other = self._numbers
        if one != other:
            raise CheckFailedError(
                f"Two fronts count {one:,} and {other:,} solutions. This is a bug in Exactile: "
                "please report it."
            )
        self._raw = one


class ConfirmedCounting(UnlistedCounting):
    """Counts a puzzle, and the solutions that each symmetry keeps, by two fronts each.

    Parameters
    ----------
    case
        The puzzle.
    budget
        How large automata and lists may be.
    limits
        When to stop; its memory is that of each front.

    Examples
    --------
    >>> import exactile
    >>> from exactile.counting.plan import ledger_front
    >>> case = Case(exactile.load("pentominoes-5x12"))
    >>> answer = ConfirmedCounting(case, ledger_front(4.0)).run()
    >>> answer.raw, answer.rotation, answer.symmetry
    (4040, 2020, 1010)
    """

    def __init__(self, case: Case, budget: FrontBudget, limits: Limits | None = None) -> None:
        memory = None if limits is None else limits.memory
        self._main: ConfirmedCounter | None = None  # it counts all solutions

        def counter(subject: Model | CountProblem) -> ConfirmedCounter:
            front = FrontCounter(
                subject,
                puzzle=case.puzzle,
                most_nodes=budget.nodes,
                most_entries=budget.entries,
                most_bytes=memory or TUNING.memory_bytes,
            )
            made = ConfirmedCounter(front)
            self._main = self._main or made
            return made

        super().__init__(case, counter, limits)

    @property
    def bound(self) -> float | None:
        """An upper bound of the entries of the first front's lists; None if none was built."""
        return None if self._main is None else self._main.bound

    @property
    def runs(self) -> list[FrontRun]:
        """What the two fronts took that counted all solutions."""
        return [] if self._main is None else self._main.runs
