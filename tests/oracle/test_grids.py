"""Published counts of sudokus and queens.

Sources: B. Felgenhauer and F. Jarvis, "Mathematics of Sudoku I", 2006 (grids of 4 by 4), E. Russell
(6 by 6), OEIS A107739; queens OEIS A000170 and A002562, on the torus A007705.
"""

from __future__ import annotations

from itertools import permutations, product

import pytest

from exactile.classics.grids.queens import QueensSearch
from exactile.classics.grids.search import SudokuSearch, count_sudoku, judge
from exactile.classics.grids.sudoku import Grid, Layout, boxed, jigsaw
from support.sudokus import (
    DRAWN,
    HARD,
    HARD_SOLUTION,
    LAYOUTS,
    REGIONS,
    SEVENTEEN,
    SEVENTEEN_SOLUTION,
    SMALL_SOLUTION,
    TILTED,
    empty,
    sudoku,
)

QUEENS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712]
QUEENS_UP_TO_SYMMETRY = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233]
FAST = 10


@pytest.mark.parametrize(
    ("text", "solution"),
    [(DRAWN, SMALL_SOLUTION), (HARD, HARD_SOLUTION), (SEVENTEEN, SEVENTEEN_SOLUTION)],
)
def test_examples_have_one_solution(text: str, solution: str) -> None:
    verdict = judge(sudoku(text))
    assert verdict.kind == "unique"
    assert [verdict.sudoku.text(grid) for grid in verdict.solutions] == [solution]


@pytest.mark.parametrize("use_memo", [False, True])
@pytest.mark.parametrize("use_relabeling", [False, True])
@pytest.mark.parametrize(
    ("layout", "grids"),
    [
        (boxed(4, (2, 2)), 288),
        (boxed(4, (2, 2), diagonals=True), 48),
        (boxed(4, (2, 2), windows=True), 168),
        (boxed(1, (1, 1)), 1),
        (jigsaw(TILTED), 2880),
        (jigsaw(REGIONS), 0),
    ],
)
def test_small_grids(layout: Layout, grids: int, use_memo: bool, use_relabeling: bool) -> None:
    counted = count_sudoku(empty(layout), use_memo=use_memo, use_relabeling=use_relabeling)
    assert counted.raw == grids


@pytest.mark.parametrize("name", ["X", "windows", "jigsaw"])
def test_variants_by_trying_all_rows(name: str) -> None:
    """Latin squares one by one, looked at with nothing but the definition."""
    layout = LAYOUTS[name]
    n = layout.size
    found = 0
    waiting: list[Grid] = [tuple(range(1, n + 1))]  # the first row; others are relabelings
    while waiting:
        grid = waiting.pop()
        if len(grid) == n * n:
            found += all(len({grid[c] for c in house.cells}) == n for house in layout.houses)
            continue
        waiting += [
            grid + row
            for row in permutations(range(1, n + 1))
            if all(d not in grid[c::n] for c, d in enumerate(row))
        ]
    counted = count_sudoku(empty(layout))
    assert (counted.factor or 0) * found == counted.raw
    assert found > 0


def test_grids_of_six_by_six() -> None:
    counted = count_sudoku(empty(boxed(6, (2, 3))))
    assert (counted.raw, counted.factor) == (28_200_960, 720)
    assert count_sudoku(empty(boxed(6, (2, 3), diagonals=True))).raw == 8640


@pytest.mark.slow
def test_grids_of_six_by_six_by_memo() -> None:
    counted = count_sudoku(empty(boxed(6, (2, 3))), use_relabeling=False)
    assert (counted.raw, counted.method) == (28_200_960, "memo")


def test_a_count_that_ends_too_early_is_no_number() -> None:
    assert count_sudoku(empty(boxed(9, (3, 3))), time_limit=0.1).raw is None
    assert count_sudoku(empty(boxed(9, (3, 3))), time_limit=0.1, use_memo=False).raw is None


def test_all_grids_are_listed_once() -> None:
    grids = list(SudokuSearch(empty(boxed(4, (2, 2)))))
    assert len(grids) == len(set(grids)) == 288


@pytest.mark.parametrize("size", range(1, FAST + 1))
def test_queens(size: int) -> None:
    search = QueensSearch(size)
    columns = list(search)
    assert len(set(columns)) == search.counter.raw == QUEENS[size - 1]
    assert search.counter.symmetry == QUEENS_UP_TO_SYMMETRY[size - 1]


@pytest.mark.slow
@pytest.mark.parametrize("size", range(FAST + 1, 14))
def test_more_queens(size: int) -> None:
    test_queens(size)


@pytest.mark.parametrize(("size", "torus"), [(6, False), (7, False), (8, False), (7, True)])
def test_orbits_by_moving_all_solutions(size: int, torus: bool) -> None:
    solutions = set(QueensSearch(size, torus=torus))
    orbits = {}
    for proper in (True, False):
        least = set()
        for columns in solutions:
            images = []
            for flip, turns in product([False] if proper else [False, True], range(4)):
                cells = [(r, size - 1 - c if flip else c) for r, c in enumerate(columns)]
                for _ in range(turns):
                    cells = [(c, size - 1 - r) for r, c in cells]
                for down, right in product(range(size if torus else 1), repeat=2):
                    moved = sorted(((r + down) % size, (c + right) % size) for r, c in cells)
                    images.append(tuple(c for _, c in moved))
            assert solutions.issuperset(images)
            least.add(min(images))
        orbits[proper] = len(least)
    search = QueensSearch(size, torus=torus)
    assert len(list(search)) == len(solutions)
    assert (search.counter.rotation, search.counter.symmetry) == (orbits[True], orbits[False])
    for up_to, number in (("rotation", orbits[True]), ("symmetry", orbits[False])):
        assert len(list(QueensSearch(size, torus=torus, up_to=up_to))) == number


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        *((n, (0, 0, 0)) for n in (2, 3, 4, 6, 8, 9, 10, 12)),
        (5, (10, 2, 1)),
        (7, (28, 2, 1)),
        (11, (88, 4, 2)),
        (13, (4524, 22, 11)),
    ],
)
def test_queens_on_a_torus(size: int, counts: tuple[int, int, int]) -> None:
    search = QueensSearch(size, torus=True)
    assert len(list(search)) == counts[0]
    counter = search.counter
    assert (counter.raw, counter.rotation, counter.symmetry) == counts
