"""A puzzle's counts by a memo, raw and up to symmetry."""

from __future__ import annotations

from collections.abc import Callable

from exactile.counting.counting import Counter
from exactile.counting.unlisted import UnlistedCounting
from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING


class MemoCounting(UnlistedCounting):
    """Counts a puzzle without listing its solutions.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limits
        When to stop; its memory is that of each counter.
    most_states
        How many states each counter may make; None for as many as the memory and the time allow:
        only those of a few layers are there at a time.
    watch
        Called at every heartbeat with the part of the layers that is done of the present counter's
        work.

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
        most_states: int | None = None,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        case = Case.of(puzzle)
        memory = None if limits is None else limits.memory

        def counter(subject: Model | CountProblem) -> Counter:
            return Counter(
                subject,
                keep=False,
                most_states=most_states,
                most_bytes=memory or TUNING.memory_bytes,
                puzzle=case.puzzle,
                watch=watch,
            )

        super().__init__(case, counter, limits)
