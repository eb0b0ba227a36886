"""Solutions drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated

from exactile.answers import Sample, Sampled, Stats
from exactile.counting.frontier import Frontier
from exactile.counting.memo import Memo
from exactile.counting.method import SAMPLES_AT_ONCE, Method, checked
from exactile.counting.plan import sample_plan
from exactile.counting.sampled import SampledFrontier
from exactile.doors import Positive, Seed, Within, Workers, door
from exactile.errors import CountingError, PuzzleError
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
    about: bool = False,
    states: Positive | None = None,
    time_limit: float | None = None,
    memory: int | None = None,
    scratch: Path | str | None = None,
    workers: Workers = 1,
) -> Sample:
    """Draw solutions at random: independently and with equal probability, or nearly so.

    Parameters
    ----------
    puzzle
        The puzzle.
    number
        Number of solutions to draw; one may be drawn twice. If the puzzle has no solution, none is
        drawn.
    seed
        The same seed gives the same solutions, unless `about` and a time limit are given.
    about
        Whether to draw from the solutions that an estimate of their number happens to find. This
        takes less memory than counting all. The draw is nearly uniform: see `Sample.bias`. The
        solutions of one call are not independent; those of calls with different seeds are.
    states
        With `about`: number of states kept at each level; the more, the nearer to uniform.
    time_limit
        Seconds for counting and drawing; the solutions drawn by then are returned. With `about`,
        seconds for the estimate alone.
    memory
        Bytes of memory for counting or estimating, by default `Tuning.memory_bytes`. Lists of a
        frontier that do not fit are kept on disk.
    scratch, workers
        See `exactile.counting.frontier.Frontier`. `scratch` has no effect with `about`.

    Raises
    ------
    CountingError
        If counting needs too much memory. With `about`, if the estimate needs too much memory, or
        found no solution although there may be some.
    PuzzleError
        If `states` is given without `about`, or an argument is out of range.
    ModelError
        If the model would be too large.

    Examples
    --------
    >>> import exactile
    >>> drawn = sample(exactile.load("dominoes-8x8"), 3)
    >>> drawn.raw, len(drawn.solutions)
    (12988816, 3)
    >>> sample(exactile.load("pentominoes-5x12"), 2).method
    'frontier'
    >>> drawn = sample(exactile.load("polyominoes-45-5x16"), 2, about=True, seed=2)
    >>> drawn.bias < 0.1, drawn.estimate.low < 2_095_600_000 < drawn.estimate.high
    (True, True)
    """
    limits = Limits(time_limit, memory_limit=memory)
    if about:
        return draw_about(puzzle, number, seed, limits, states=states, workers=workers).answer
    if states is not None:
        raise PuzzleError("`states` needs `about=True`: leave it out, or set `about`.")
    return draw(puzzle, number, seed, limits, scratch=scratch, workers=workers).answer


@dataclass
class RandomSolutions:
    """Random solutions, drawn one at a time."""

    puzzle: Puzzle
    method: str  # "memo", "frontier" or "sampled frontier"
    seed: int
    raw: int | None
    stats: Stats
    limits: Limits
    _drawn: Iterator[Solution]
    stopped: str | None = None
    estimate: Sampled | None = None
    bias: float | None = None  # see `exactile.answers.Sample`
    given: int = 0  # number of solutions drawn so far

    @property
    def solutions(self) -> Iterator[Solution]:
        """The remaining solutions, drawn one at a time until a limit is reached.

        The attribute `stopped` is then set. Raise CountingError if no solution can be drawn.
        """
        try:
            for solution in self._drawn:
                self.stopped = self.limits.reached()
                if self.stopped:
                    return
                self.given += 1
                yield solution
        except CountingError:
            self.stopped = self.limits.reached()
            if self.stopped is None:
                raise

    @property
    def answer(self) -> Sample:
        """The answer with all remaining solutions; reading this attribute draws them."""
        solutions = all_in_coordinates(self.puzzle, self.solutions)
        return Sample(
            puzzle=self.puzzle.name,
            method=self.method,
            raw=self.raw,
            estimate=self.estimate,
            bias=self.bias,
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
    except TimeoutError as reached:
        return RandomSolutions(
            *(puzzle, "frontier", seed, None, Stats.of({}), limits), iter(()), str(reached)
        )
    method = sampler(case, limits, scratch=scratch, workers=workers)
    raw = method.count(case, limits)
    return RandomSolutions(
        *(puzzle, method.name, seed, raw, Stats.of(method.stats), limits),
        method.solutions(number, seed) if raw else iter(()),
        limits.reached() if raw is None else None,
        bias=None if raw is None else 0.0,
    )


def draw_about(
    puzzle: Puzzle,
    number: int,
    seed: int,
    limits: Limits,
    *,
    states: int | None = None,
    workers: int = 1,
) -> RandomSolutions:
    """Estimate the number of solutions, and prepare to draw some of those found; see `sample`."""
    case = Case.of(puzzle)
    method, limits = "sampled frontier", limits.rest()
    make = partial(RandomSolutions, puzzle, method, seed)
    try:
        case.prepare(limits)
        frontier = SampledFrontier(case.model, case.puzzle, seed=seed, workers=workers, traced=True)
        estimate = frontier.estimate(limits, states=states)
        if not estimate.runs and not estimate.exact:
            limits.require()
    except TimeoutError as reached:
        return make(None, Stats.of({}), limits, iter(()), str(reached))
    raw, random = estimate.number if estimate.exact else None, Random(seed)  # noqa: S311

    def drawn() -> Iterator[Solution]:
        for first in range(0, 0 if raw == 0 else number, SAMPLES_AT_ONCE):
            many = min(SAMPLES_AT_ONCE, number - first)
            yield from checked(case, frontier.draw(many, random))

    # The time limit is for the estimate, which may have used it up.
    bias = frontier.bias
    return make(raw, Stats.of({}), Limits(), drawn(), estimate=estimate, bias=bias)


def sampler(
    puzzle: Puzzle | Case,
    limits: Limits,
    *,
    scratch: Path | str | None = None,
    workers: int = 1,
) -> Method:
    """Count the solutions, and return the method of counting, which can draw some.

    If a limit is reached first, the returned method has not counted all solutions. Raise
    CountingError if all methods of `sample_plan` need too much memory. `scratch`, `workers`: see
    `exactile.counting.frontier.Frontier`.
    """
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
