"""Solutions drawn at random."""

from __future__ import annotations

from pathlib import Path

from exactile.answers import Sample, Stats
from exactile.errors import CountingError
from exactile.puzzle import Puzzle
from exactile.puzzle.coordinates import in_coordinates
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
    require_positive(number=whole(number, "The number of samples"))
    whole(seed, "A seed")
    method, counter = sampler(
        puzzle, Limits(time_limit, memory_limit=memory), scratch=scratch, workers=workers
    )
    drawn = counter.solutions(number, seed) if counter.known and counter.raw else iter(())
    return Sample(
        puzzle=puzzle.name,
        backend=method,
        raw=counter.raw if counter.known else None,
        stopped=None if counter.known else "time limit",
        crossing=puzzle.crossing,
        seed=seed,
        solutions=tuple(in_coordinates(puzzle, s) for s in drawn),
        stats=Stats.of(counter.stats),
    )


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
