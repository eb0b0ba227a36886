"""Solutions drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exactile.answers import TIME_LIMIT, Sample, Stats
from exactile.errors import CountingError
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.coordinates import all_in_coordinates
from exactile.solve.case import Case
from exactile.solve.counter import AnyCounter
from exactile.solve.counting import Counter
from exactile.solve.front import FrontCounter
from exactile.solve.limits import Limits, require_positive
from exactile.solve.plan import sample_plan
from exactile.tuning import TUNING
from exactile.wanted import whole


def sample(
    puzzle: Puzzle,
    number: int = 1,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | None = None,
    scratch: Path | None = None,
    workers: int = 1,
) -> Sample:
    """Draw solutions at random, each as likely as any other, independently of each other.

    Parameters
    ----------
    puzzle
        The puzzle.
    number
        How many are drawn; one may come twice.
    seed
        The same seed gives the same solutions.
    time_limit
        Seconds after which counting is given up; there are no solutions then.
    memory
        Bytes for what is remembered; lists of a front beyond it go to disk.
    scratch, workers
        See `exactile.solve.front.FrontCounter`.

    Raises
    ------
    CountingError
        If counting needs too much memory.

    Examples
    --------
    >>> import exactile
    >>> drawn = sample(exactile.load("dominoes-8x8"), 3)
    >>> drawn.raw, len(drawn.solutions)
    (12988816, 3)
    >>> sample(exactile.load("pentominoes-5x12"), 2).backend
    'front'
    """
    limits = Limits(time_limit, memory_limit=memory)
    return draw(puzzle, number, seed, limits, scratch=scratch, workers=workers).answer


@dataclass(frozen=True)
class RandomSolutions:
    """Solutions that are drawn one after the other.

    Attributes
    ----------
    method
        How they were counted: ``"memo"`` or ``"front"``.
    solutions
        They are drawn when they are asked for; none if `raw` is not known.
    puzzle, seed, raw, stats
        See `Sample`.
    """

    puzzle: Puzzle
    method: str
    seed: int
    raw: int | None
    solutions: Iterator[Solution]
    stats: Stats

    @property
    def stopped(self) -> str | None:
        """Why there are none, if the time was over before they were counted."""
        return TIME_LIMIT if self.raw is None else None

    @property
    def answer(self) -> Sample:
        """All of them as an answer."""
        return Sample(
            puzzle=self.puzzle.name,
            backend=self.method,
            raw=self.raw,
            stopped=self.stopped,
            crossing=self.puzzle.crossing,
            seed=self.seed,
            solutions=all_in_coordinates(self.puzzle, self.solutions),
            stats=self.stats,
        )


def draw(
    puzzle: Puzzle,
    number: int,
    seed: int,
    limits: Limits,
    *,
    scratch: Path | None = None,
    workers: int = 1,
) -> RandomSolutions:
    """Count the solutions, and be ready to draw some; see `sample`."""
    require_positive(number=whole(number, "The number of samples"))
    whole(seed, "A seed")
    method, counter = sampler(puzzle, limits, scratch=scratch, workers=workers)
    raw = counter.raw if counter.known else None
    solutions = counter.solutions(number, seed) if raw else iter(())
    return RandomSolutions(puzzle, method, seed, raw, solutions, Stats.of(counter.stats))


def sampler(
    puzzle: Puzzle | Case,
    limits: Limits,
    *,
    scratch: Path | None = None,
    workers: int = 1,
) -> tuple[str, AnyCounter]:
    """Return the method and the counter that solutions are drawn from: it has counted, in time.

    Raises
    ------
    CountingError
        If no method has enough memory.
    """
    case = Case.of(puzzle)
    limits.begin()
    memory = limits.memory or TUNING.memory_bytes
    first_error = None
    for method in sample_plan(case):
        counter: AnyCounter
        if method == "memo":
            counter = Counter(case, most_bytes=memory)
        else:
            counter = FrontCounter(
                case, keep=True, most_bytes=memory, scratch=scratch, workers=workers
            )
        try:
            counter.wait(limits.left)
        except CountingError as error:
            first_error = first_error or error
        else:
            return method, counter
    assert first_error is not None
    raise first_error
