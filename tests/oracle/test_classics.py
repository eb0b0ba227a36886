"""Published counts of classic puzzles: of the catalogue, but not from Polyform Puzzler.

Each puzzle carries its published figures and their sources.
"""

from __future__ import annotations

from collections import Counter

import pytest

import exactile
from exactile.counting.verbs import count
from exactile.search.search import Search

QUICK = [
    "slothouber-graatsma",
    "calendar-01-01",
    "calendar-02-29",
    "calendar-10-06",
    "hivert-8x8",
    "hivert-8x8-one-sided",
    "tetraboloes-29x1-1100",
    "tetraboloes-11x3-3100",
    "tetraboloes-11x3-2211",
    "tetraboloes-9x5-5300",
    "tetraboloes-7x4",
    "tetraboloes-14x2",
    "tetraskews-10x4",
    "tetraskews-20x2",
    "tetraskews-21x2",
    "tetraskews-two-5x4",
    "windmill",
    "windmill-dominoes-10x2",
    "hats-torus-4x2",
    "hats-torus-4x4",
    "hats-torus-8x2",
    "hats-torus-4x6",
    "hats-torus-8x4",
]

SLOW = [
    "bedlam-cube",
    "tetris-cube",
    "calendar-01-25",
    "calendar-12-25",
    "tetraboloes-7x5-3021",
    "tetraboloes-7x5-3102",
    "tetraboloes-7x5-3120",
    "tetraboloes-7x5-3201",
    "tetraboloes-9x5-4411",
    "tetraboloes-7x7-5140",
    "tetraskews-8x5",
    "tetraskews-22x2",
    "windmill-dominoes-5x4",
    "windmill-dominoes-small-5x4",
    "windmill-dominoes-small-10x2a",
    "windmill-dominoes-small-10x2b",
]


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_classics(name: str) -> None:
    puzzle = exactile.load(name)
    found = count(puzzle)
    assert puzzle.known
    for known in puzzle.known:
        assert getattr(found, known.up_to) == known.count, known.up_to


@pytest.mark.slow
def test_the_first_days_of_the_calendar() -> None:
    """All arrangements at once, told apart by what they leave uncovered.

    The figures for January are those of anowell/today-puzzle.
    """
    published = [64, 109, 47, 103, 83, 24, 188, 79, 127, 77, 74, 60, 129, 88, 87, 70, 133]
    published += [69, 104, 195, 104, 78, 188, 48, 216, 84, 85, 145, 74, 119, 170]
    january = exactile.load("calendar-01-01")
    region = {tuple(unit) for unit in exactile.load("calendar").region.units.tolist()}
    month = (0, 6)
    assert month not in map(tuple, january.region.units.tolist())
    left: Counter[frozenset[tuple[int, ...]]] = Counter()
    with Search(exactile.load("calendar")) as search:
        for solution in search:
            left[frozenset(region.difference(*(p.units for p in solution)))] += 1
    assert left.total() == 59787
    days = [(x, y) for y in (4, 3, 2, 1, 0) for x in range(7)][:31]
    assert [left[frozenset({month, day})] for day in days] == published
