"""Solutions drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from exactile.answers import TIME_LIMIT, Sample, Stats
from exactile.counting.frontier import Frontier
from exactile.counting.memo import Memo
from exactile.counting.method import Method
from exactile.counting.plan import sample_plan
from exactile.doors import Seed, Within, Workers, door
from exactile.errors import CountingError
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.coordinates import all_in_coordinates
from exactile.search.case import Case
from exactile.search.limits import Limits


@door
def sample(
    puzzle: Puzzle,
    number: Annotated[int, Within(1, 10_000_000)] = 1,
    *,
    seed: Seed = 0,
    time_limit: float | None = None,
    memory: int | None = None,
    scratch: Path | str | None = None,
    workers: Workers = 1,
) -> Sample:
    """Draw solutions at random, independently and with equal probability.

    Parameters
    ----------
    puzzle
        The puzzle.
    number
        Number of solutions to draw; one may come twice.
    seed
        The same seed gives the same solutions.
    time_limit
        Seconds, for counting and drawing; samples drawn by then are kept.
    memory
        Bytes for counting; larger lists of a frontier go to disk.
    scratch, workers
        See `exactile.counting.frontier.Frontier`.

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
    >>> sample(exactile.load("pentominoes-5x12"), 2).method
    'frontier'
    """
    limits = Limits(time_limit, memory_limit=memory)
    return draw(puzzle, number, seed, limits, scratch=scratch, workers=workers).answer


@dataclass
class RandomSolutions:
    """Solutions that are drawn one after the other."""

    puzzle: Puzzle
    method: str  # "memo" or "frontier"
    seed: int
    raw: int | None
    stats: Stats
    limits: Limits
    _drawn: Iterator[Solution]
    stopped: str | None = None
    given: int = 0  # number of solutions drawn so far

    @property
    def solutions(self) -> Iterator[Solution]:
        """The solutions not drawn yet, each drawn on demand; none if `raw` is not known."""
        for solution in self._drawn:
            self.stopped = self.limits.reached()
            if self.stopped:
                return
            self.given += 1
            yield solution

    @property
    def answer(self) -> Sample:
        """All drawn solutions as an answer."""
        solutions = all_in_coordinates(self.puzzle, self.solutions)
        return Sample(
            puzzle=self.puzzle.name,
            method=self.method,
            raw=self.raw,
            stopped=self.stopped,
            crossing=self.puzzle.crossing,
            seed=self.seed,
            solutions=solutions,
            stats=self.stats,
        ).of(self.puzzle)


def draw(
    puzzle: Puzzle,
    number: int,
    seed: int,
    limits: Limits,
    *,
    scratch: Path | str | None = None,
    workers: int = 1,
) -> RandomSolutions:
    """Count the solutions, and prepare to draw some; see `sample`."""
    case = Case.of(puzzle)
    limits.begin()
    try:
        case.prepare(limits)
    except TimeoutError:
        return RandomSolutions(
            *(puzzle, "frontier", seed, None, Stats.of({}), limits), iter(()), TIME_LIMIT
        )
    method = sampler(case, limits, scratch=scratch, workers=workers)
    raw = method.count(case, limits)
    return RandomSolutions(
        *(puzzle, method.name, seed, raw, Stats.of(method.stats), limits),
        method.solutions(number, seed) if raw else iter(()),
        TIME_LIMIT if raw is None else None,
    )


def sampler(
    puzzle: Puzzle | Case,
    limits: Limits,
    *,
    scratch: Path | str | None = None,
    workers: int = 1,
) -> Method:
    """Return a method that draws solutions and has counted them, unless time ran out."""
    case = Case.of(puzzle)
    limits.begin()
    first_error = None
    for name in sample_plan(case):
        method: Method = Memo(keep=True)
        if name == "frontier":
            method = Frontier(keep=True, scratch=scratch, workers=workers)
        try:
            method.count(case, limits)
        except CountingError as error:
            first_error = first_error or error
        else:
            return method
    assert first_error is not None
    raise first_error
