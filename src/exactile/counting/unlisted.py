"""Counts without listing: all solutions, and from them the orbits.

The number of orbits is the mean number of solutions that a symmetry keeps. Those are counted like
all solutions, on a smaller problem: see `exactile.model.invariant`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from exactile.answers import Stats
from exactile.clock import CLOCK
from exactile.counting.counter import AnyCounter
from exactile.model.condense import CountProblem
from exactile.model.invariant import classes, invariant
from exactile.model.model import Model
from exactile.model.orbits import Action, exact_quotient
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import INTERRUPTED, Limits


class ModelWithSymmetries(Protocol):
    """A model, and the symmetries of what it stands for; a `Case` is one."""

    @property
    def model(self) -> Model:
        """The model."""

    @property
    def action(self) -> Action:
        """The symmetries as they act on its options."""


@dataclass(frozen=True)
class UnlistedCount:
    """Counts of a puzzle; those not determined are None.

    Attributes
    ----------
    raw, rotation, symmetry
        Numbers of solutions: all, up to proper symmetries, up to all symmetries.
    stopped
        ``"time limit"``, ``"cancelled"``, ``"interrupted"`` or None.
    stats
        As in `exactile.search.Search.stats`; the nodes are the states of all counters together.
    """

    raw: int | None
    rotation: int | None
    symmetry: int | None
    stopped: str | None
    stats: Stats


class UnlistedCounting:
    """Counts solutions without listing them, of a puzzle or of any model with symmetries.

    Parameters
    ----------
    subject
        The puzzle, a case of it, or whatever has a model and symmetries.
    counter
        Makes a counter for its model, and for the problem of each class of symmetries.
    limits
        When to stop.

    Examples
    --------
    >>> import exactile
    >>> from exactile.counting.counting import Counter
    >>> answer = UnlistedCounting(exactile.load("dominoes-6x6"), Counter).run()
    >>> answer.raw, answer.rotation, answer.symmetry
    (6728, 1712, 930)
    """

    def __init__(
        self,
        subject: Puzzle | ModelWithSymmetries,
        counter: Callable[[Model | CountProblem], AnyCounter],
        limits: Limits | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._case = Case.of(subject) if isinstance(subject, Puzzle) else subject
        self._counter = counter
        self._states = self._symmetries = 0
        self._started = self._built = CLOCK.now()

    def run(self) -> UnlistedCount:
        """Count; Ctrl-C and the limits end it early.

        Raises
        ------
        CountingError
            If the budget does not suffice.
        """
        self._limits.begin()
        self._started = self._built = CLOCK.now()
        numbers: tuple[int, int, int] | None = None
        stopped = None
        try:
            with suppress(TimeoutError):
                numbers = self._numbers()
            stopped = None if numbers else self._limits.reached()
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        raw, rotation, symmetry = numbers or (None, None, None)
        return UnlistedCount(raw, rotation, symmetry, stopped, self._stats())

    def _numbers(self) -> tuple[int, int, int] | None:
        if isinstance(self._case, Case):
            self._case.prepare(self._limits)
        model = self._case.model
        self._built = CLOCK.now()
        raw = self._count(self._counter(model))  # which is gone then: its memory is needed
        if not raw:
            return None if raw is None else (0, 0, 0)
        if isinstance(self._case, Case):
            self._case.prepare(self._limits, "symmetries", "action")
        action = self._case.action
        kept = kept_properly = 0
        for element, size in classes(action):
            number: int | None = raw
            if element > 0:
                number = self._count(self._counter(invariant(model, action, element)))
            if number is None:
                return None
            self._symmetries += size  # the other elements of its class fix as many solutions
            kept += size * number
            kept_properly += size * number * bool(action.proper[element])
        return (
            raw,
            exact_quotient(kept_properly, int(action.proper.sum())),
            exact_quotient(kept, action.order),
        )

    def _count(self, counter: AnyCounter) -> int | None:
        """Return the number of solutions, None if a limit is reached."""
        counter.obey(self._limits)
        try:
            return counter.raw if counter.wait(self._limits.left) else None
        finally:
            self._states += counter.effort

    def _stats(self) -> Stats:
        case = self._case
        model = None if isinstance(case, Case) and not case.built else case.model
        return Stats(
            items=None if model is None else model.items,
            options=None if model is None else model.options,
            nodes=self._states,
            symmetries=self._symmetries,
            build_seconds=round(self._built - self._started, 6),
            check_seconds=0.0,
            seconds=round(CLOCK.now() - self._built, 6),
        )
