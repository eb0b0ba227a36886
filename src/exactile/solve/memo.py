"""A puzzle's counts without listing: raw by a counter, up to symmetry by counters of what is kept.

The number of orbits is the mean number of solutions that a symmetry keeps. Those are counted like
all solutions, on a smaller problem: see `exactile.model.invariant`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactile.model.condense import CountProblem
from exactile.model.invariant import classes, invariant
from exactile.model.model import Model
from exactile.model.orbits import exact_quotient
from exactile.puzzle.puzzle import Puzzle
from exactile.solve.case import Case
from exactile.solve.counting import MOST_STATES, Counter
from exactile.solve.limits import INTERRUPTED, Limits

AUTO_STATES = 1_000_000
"""So many states are tried before solutions are listed after all."""

AUTO_BITS = 10.0
"""What is to be remembered of the pieces used must fit in so many bits: see `pays`."""

AUTO_OPTIONS = 50_000
"""Larger models are not tried."""


@dataclass(frozen=True)
class MemoCount:
    """Counts of a puzzle; those not determined are None.

    Attributes
    ----------
    raw, rotation, symmetry
        Numbers of solutions: all, up to proper symmetries, up to all symmetries.
    stopped
        ``"time limit"``, ``"interrupted"`` or None.
    stats
        As in `exactile.solve.Search.stats`; the nodes are the states of all counters together.
    """

    raw: int | None
    rotation: int | None
    symmetry: int | None
    stopped: str | None
    stats: dict[str, Any]


class MemoCounting:
    """Counts a puzzle without listing its solutions.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limits
        When to stop.
    most_states
        The budget of each counter.

    Examples
    --------
    >>> import exactile
    >>> answer = MemoCounting(exactile.load("dominoes-6x6")).run()
    >>> answer.raw, answer.rotation, answer.symmetry
    (6728, 1712, 930)
    """

    def __init__(
        self,
        puzzle: Puzzle | Case,
        limits: Limits | None = None,
        most_states: int = MOST_STATES,
    ) -> None:
        self._started = time.monotonic()
        self._limits = limits or Limits()
        self._limits.begin()
        self._case = Case.of(puzzle)
        self._most_states = most_states
        self._states = self._symmetries = 0
        self._counter = self._counts(self._case.model)
        self._build_seconds = time.monotonic() - self._started

    def _counts(self, subject: Model | CountProblem) -> Counter:
        return Counter(subject, keep=False, most_states=self._most_states, puzzle=self._case.puzzle)

    def run(self) -> MemoCount:
        """Count; Ctrl-C and the time limit end it early.

        Raises
        ------
        CountingError
            If the budget does not suffice.
        """
        numbers: tuple[int, int, int] | None = None
        stopped = None
        try:
            numbers = self._numbers()
            stopped = None if numbers else self._limits.reached()
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        raw, rotation, symmetry = numbers or (None, None, None)
        return MemoCount(raw, rotation, symmetry, stopped, self._stats())

    def _numbers(self) -> tuple[int, int, int] | None:
        raw = self._count(self._counter)
        if not raw:
            return None if raw is None else (0, 0, 0)
        model, action = self._case.model, self._case.action
        kept = kept_properly = 0
        for element, size in classes(action):
            number: int | None = raw
            if element > 0:
                number = self._count(self._counts(invariant(model, action, element)))
            if number is None:
                return None
            self._symmetries += 1
            kept += size * number
            kept_properly += size * number * bool(action.proper[element])
        return (
            raw,
            exact_quotient(kept_properly, int(action.proper.sum())),
            exact_quotient(kept, action.order),
        )

    def _count(self, counter: Counter) -> int | None:
        """Return the number of solutions, None if the time is over."""
        try:
            return counter.raw if counter.wait(self._limits.left) else None
        finally:
            self._states += counter.stats["states"]

    def _stats(self) -> dict[str, Any]:
        return {
            "items": self._case.model.items,
            "options": self._case.model.options,
            "nodes": self._states,
            "symmetries": self._symmetries,
            "build_seconds": round(self._build_seconds, 6),
            "check_seconds": 0.0,
            "seconds": round(time.monotonic() - self._started - self._build_seconds, 6),
        }


def pays(model: Model) -> bool:
    """Return whether counting without listing is worth a try: whether pieces are in free supply.

    Some piece must be used several times, and the model be of middling size. What is used of the
    pieces belongs to the state unless it follows from the rest: twelve pieces, each of them used
    once, mean up to 2**12 states where one piece in many copies means one. So all that has to
    be remembered of them must fit in `AUTO_BITS` bits.

    Examples
    --------
    >>> import exactile
    >>> [pays(exactile.lower(exactile.load(n))) for n in ("dominoes-6x6", "pentominoes-6x10")]
    [True, False]
    """
    if model.options > AUTO_OPTIONS or not (model.upper[model.meaning.is_piece] > 1).any():
        return False
    problem = CountProblem.of_model(model).without_idle_items()
    uses = problem.upper[: problem.pieces].astype(float) + 1
    return bool(np.log2(uses).sum() <= AUTO_BITS)
