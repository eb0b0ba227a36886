"""A puzzle's counts by a front, raw and up to symmetry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from exactile.counting.front import FrontCounter
from exactile.counting.unlisted import UnlistedCounting
from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING


class FrontCounting(UnlistedCounting):
    """Counts a puzzle by a front, raw and up to symmetry.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limits
        When to stop; its memory is that of each counter.
    scratch, workers
        See `exactile.counting.front.FrontCounter`.
    watch
        Called at every heartbeat with the part that is done of the present counter's work, the
        first and largest one's and then that of one symmetry of each class.

    Examples
    --------
    >>> import exactile
    >>> answer = FrontCounting(exactile.load("pentominoes-5x12")).run()
    >>> answer.raw, answer.rotation, answer.symmetry
    (4040, 2020, 1010)
    """

    def __init__(
        self,
        puzzle: Puzzle | Case,
        limits: Limits | None = None,
        *,
        scratch: Path | str | None = None,
        workers: int = 1,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        case = Case.of(puzzle)
        memory = None if limits is None else limits.memory

        def counter(subject: Model | CountProblem) -> FrontCounter:
            return FrontCounter(
                subject,
                puzzle=case.puzzle,
                most_bytes=memory or TUNING.memory_bytes,
                scratch=scratch,
                workers=workers,
                watch=watch,
            )

        super().__init__(case, counter, limits)
