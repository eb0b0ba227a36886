"""Whether what a counter says of its solutions is so."""

from __future__ import annotations

from collections import Counter as Tally

from exactile.counting.method import Countable, Method
from exactile.model.orbits import Assignments
from exactile.search.limits import Limits


def sets(rows: Assignments) -> list[frozenset[int]]:
    """Return the solutions of a batch as sets of options."""
    return [frozenset(o for o in row if o >= 0) for row in rows.tolist()]


def part(method: Method, problem: Countable) -> bool:
    """Count on for as short a time as possible; return whether the number is known."""
    return method.count(problem, Limits(1e-9)) is not None


def assert_counts(
    method: Method, problem: Countable, expected: set[frozenset[int]], options: int
) -> None:
    """Compare number, all solutions by number, and frequencies."""
    assert method.count(problem) == method.raw == len(expected)
    solutions = sets(method.unrank(range(method.raw)))
    assert len(solutions) == len(set(solutions))  # numbers and solutions: one to one
    assert set(solutions) == expected
    tally = Tally(o for s in expected for o in s)
    assert method.frequencies().tolist() == [tally[o] for o in range(options)]
