"""Counts up to symmetry, by any method of counting.

By Burnside's lemma, the number of orbits is the mean, over all symmetries, of the number of
solutions that the symmetry fixes: maps to themselves. The fixed solutions are the solutions of a
smaller problem, which the same method counts: see `exactile.model.invariant`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from exactile.answers import Count, Stats, Status
from exactile.clock import CLOCK
from exactile.counting.method import Countable, Method
from exactile.model.invariant import classes, invariant
from exactile.model.model import Model
from exactile.model.orbits import Action, exact_quotient
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import INTERRUPTED, Limits


class ModelWithSymmetries(Protocol):
    """A model with its symmetries, such as a `Case`."""

    @property
    def name(self) -> str:
        """The name of the model, for `Count.puzzle`."""

    @property
    def model(self) -> Model:
        """The model."""

    @property
    def action(self) -> Action:
        """The symmetries, as permutations of the options."""


class OrbitCount:
    """Counts the solutions of a puzzle, or of any model with symmetries: raw and up to symmetry.

    Examples
    --------
    >>> import exactile
    >>> from exactile.counting.memo import Memo
    >>> answer = OrbitCount(exactile.load("dominoes-6x6"), Memo()).run()
    >>> answer.raw, answer.rotation, answer.symmetry
    (6728, 1712, 930)
    """

    def __init__(self, subject: Puzzle | ModelWithSymmetries, method: Method) -> None:
        self._case = Case.of(subject) if isinstance(subject, Puzzle) else subject
        self._method = method
        self._name = method.name
        self._raw: int | None = None
        self._effort = self._symmetries = 0
        self._started = self._built = CLOCK.now()

    def run(
        self, limits: Limits | None = None, watch: Callable[[Any], None] | None = None
    ) -> Count:
        """Return the counts; incomplete after Ctrl-C, or if a limit is reached.

        By default, there are no limits. `watch` is called with the method at every heartbeat. All
        solutions are counted first, which is most of the work. Then, for one symmetry of each
        conjugacy class, the solutions that it fixes are counted. If a limit is reached in between,
        the numbers of the answer are None, and `Count.found` has the number of all solutions. Raise
        CountingError as `Method.count` does.
        """
        limits = limits or Limits()
        limits.begin()
        self._started = self._built = CLOCK.now()
        numbers: tuple[int, int, int] | None = None
        stopped = None
        try:
            with suppress(TimeoutError):
                numbers = self._numbers(limits, watch)
            stopped = None if numbers else limits.reached()
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        raw, rotation, symmetry = numbers or (None, None, None)
        found = self._method.found if self._raw is None else self._raw
        return Count(
            puzzle=self._case.name,
            backend=DEFAULT_BACKEND if self._name == "list" else None,
            method=self._name,
            status=Status.of(raw, found),
            raw=raw,
            rotation=rotation,
            symmetry=symmetry,
            found=found,
            stopped=stopped,
            done=None if raw is None else 1.0,
            stats=self._stats(),
            crossing=not isinstance(self._case, Case) or self._case.puzzle.crossing,
        )

    def _numbers(
        self, limits: Limits, watch: Callable[[Any], None] | None
    ) -> tuple[int, int, int] | None:
        case = self._case
        if isinstance(case, Case):
            case.prepare(limits)
        problem: Countable = case if isinstance(case, Case) else case.model
        self._built = CLOCK.now()
        raw = self._raw = self._count(problem, limits, watch)
        self._name = self._method.name  # which some methods choose during the count
        if not raw:
            return None if raw is None else (0, 0, 0)
        if isinstance(case, Case):
            case.prepare(limits, "symmetries", "action")
        action = case.action
        kept = kept_properly = 0
        for element, size in classes(action):
            number: int | None = raw
            if element > 0:
                number = self._count(invariant(case.model, action, element), limits, watch)
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

    def _count(
        self, problem: Countable, limits: Limits, watch: Callable[[Any], None] | None
    ) -> int | None:
        try:
            return self._method.count(problem, limits, watch)
        finally:
            self._effort += self._method.effort

    def _stats(self) -> Stats:
        case = self._case
        model = None if isinstance(case, Case) and not case.built else case.model
        return Stats(
            items=None if model is None else model.items,
            options=None if model is None else model.options,
            nodes=self._effort,
            symmetries=self._symmetries or None,
            build_seconds=round(self._built - self._started, 6),
            check_seconds=0.0,
            seconds=round(CLOCK.now() - self._built, 6),
        )
