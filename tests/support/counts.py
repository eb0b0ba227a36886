"""Whether what a counter says of its solutions is so."""

from __future__ import annotations

from collections import Counter as Tally

from exactile.counting.counter import AnyCounter
from exactile.model.orbits import Assignments


def sets(rows: Assignments) -> list[frozenset[int]]:
    """Return the solutions of a batch as sets of options."""
    return [frozenset(o for o in row if o >= 0) for row in rows.tolist()]


def assert_counts(counter: AnyCounter, expected: set[frozenset[int]], options: int) -> None:
    """Compare number, all solutions by number, and frequencies."""
    assert counter.raw == len(expected)
    solutions = sets(counter.unrank(range(counter.raw)))
    assert len(solutions) == len(set(solutions))  # numbers and solutions: one to one
    assert set(solutions) == expected
    tally = Tally(o for s in expected for o in s)
    assert counter.frequencies().tolist() == [tally[o] for o in range(options)]
