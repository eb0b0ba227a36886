"""Solutions drawn at random."""

from __future__ import annotations

from exactile.answers import Sample
from exactile.puzzle import Puzzle
from exactile.puzzle.coordinates import in_coordinates
from exactile.solve.counting import Counter


def sample(
    puzzle: Puzzle, number: int = 1, *, seed: int = 0, time_limit: float | None = None
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
    """
    counter = Counter(puzzle)
    known = counter.wait(time_limit)
    drawn = counter.solutions(number, seed) if known and counter.raw else iter(())
    return Sample(
        puzzle=puzzle.name,
        backend="memo",
        raw=counter.raw if known else None,
        stopped=None if known else "time limit",
        crossing=puzzle.crossing,
        seed=seed,
        solutions=tuple(in_coordinates(puzzle, s) for s in drawn),
        stats=counter.stats,
    )
