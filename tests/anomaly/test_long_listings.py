"""Long listings: memory does not grow with the number of solutions, and every one is checked."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from exactile.counting import count
from exactile.puzzle.check import Checker, Rows
from exactile.puzzle.puzzle import Placement
from exactile.puzzle.region import Mask
from exactile.search import Search
from support.small import dominoes

SOLUTIONS = 167_089
"""Of 6 by 8 cells."""

MOST_BYTES = 20_000_000
"""What is held at a time is a batch: solutions, and what is made to check them."""


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows the checker was shown, call by call."""
    numbers: list[int] = []
    wrong = Checker.wrong

    def noted(self: Checker, placements: list[Placement], rows: Rows) -> Mask:
        numbers.append(len(rows))
        return wrong(self, placements, rows)

    monkeypatch.setattr(Checker, "wrong", noted)
    return numbers


@contextmanager
def little_memory() -> Iterator[None]:
    """Have memory traced, and look at the most that was held at a time."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_counting_one_by_one(checked: list[int]) -> None:
    with little_memory():
        answer = count(dominoes(8, 6), method="list")
    assert answer.raw == SOLUTIONS
    assert sum(checked) == SOLUTIONS  # no unit stays where it is, so there are no branches


@pytest.mark.slow
def test_all_solutions_as_arrays(checked: list[int]) -> None:
    found = 0
    with little_memory(), Search(dominoes(8, 6)) as search:
        for rows in search.batches():
            found += len(rows)
    assert found == sum(checked) == SOLUTIONS


@pytest.mark.slow
def test_all_solutions_as_placements(checked: list[int]) -> None:
    found = np.zeros(2, dtype=np.int64)
    with little_memory(), Search(dominoes(8, 6), use_symmetry=False) as search:
        for solution in search:
            found += len(solution), sum(len(p.units) for p in solution)
    assert found.tolist() == [24 * SOLUTIONS, 48 * SOLUTIONS]
    assert sum(checked) == SOLUTIONS
