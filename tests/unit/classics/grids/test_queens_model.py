"""Queens: the model, the group of the board on options, pictures."""

from __future__ import annotations

import numpy as np
import pytest

from exactile.backends import Request
from exactile.classics.drawings import draw_queens, svg_queens
from exactile.classics.grids.queens import (
    QueensBoard,
    QueensProblem,
    QueensSearch,
    attacks,
    queens_action,
    queens_model,
)
from exactile.errors import PuzzleError
from exactile.search.limits import Limits


def test_rows_and_columns_are_primary_and_diagonals_secondary() -> None:
    model = queens_model(4)
    primary = [label for label, low in zip(model.meaning.labels, model.lower, strict=True) if low]
    secondary = [
        label for label, low in zip(model.meaning.labels, model.lower, strict=True) if not low
    ]
    assert primary == ["r0", "r1", "r2", "r3", "c0", "c1", "c2", "c3"]
    # The corners' own diagonals hold one cell and forbid nothing.
    assert secondary == ["a1", "a2", "a3", "a4", "a5", "b-2", "b-1", "b0", "b1", "b2"]
    assert [model.meaning.labels[i] for i in model.option(6)] == ["r1", "c2", "a3", "b-1"]


def test_diagonals_of_a_torus_go_on() -> None:
    model = queens_model(5, torus=True)
    assert model.items == 20
    assert (np.bincount(model.members) == 5).all()


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_symmetries_carry_options_as_matrices_carry_cells(size: int, torus: bool) -> None:
    model = queens_model(size, torus=torus)
    action = queens_action(model, size, torus=torus)
    every = np.arange(model.options)
    images = {tuple(action.images(g, every).tolist()) for g in range(action.order)}
    cells = [(r, c) for r in range(size) for c in range(size)]
    maps = []
    for a, b, c, d in [(1, 0, 0, 1), (-1, 0, 0, -1), (0, 1, -1, 0), (0, -1, 1, 0)]:
        maps += [(a, b, c, d), (c, d, a, b)]
    expected = set()
    for a, b, c, d in maps:
        for down in range(size if torus else 1):
            for right in range(size if torus else 1):
                moved = [(a * x + b * y, c * x + d * y) for x, y in cells]
                low = [0 if torus else min(p[k] for p in moved) for k in (0, 1)]
                expected.add(
                    tuple(
                        (x - low[0] + down) % size * size + (y - low[1] + right) % size
                        for x, y in moved
                    )
                )
    assert images == expected
    assert (action.images(0, every) == every).all()
    assert action.proper.sum() * 2 == action.order


def test_attacks_are_found_from_the_definition() -> None:
    for columns, torus, expected in [
        ((1, 3, 0, 2), False, []),
        ((0, 0), False, [[0, 0, 1]]),
        ((0, 1), False, [[0, 0, 1]]),
        ((0, 2, 1), False, [[0, 1, 2]]),
        ((1, 3, 0, 2), True, [[0, 0, 3], [0, 1, 2]]),
    ]:
        assert attacks(np.array([columns]), torus=torus).tolist() == expected


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([1, 7, 8, 14, -1], None),
        ([0, 5, 11, 14, -1], "in rows [[0, 1], [2, 3]] attack"),
        ([1, 7, 8, -1, -1], "not 4 queens, one in each row"),
        ([1, 7, 8, 12, 14], "not 4 queens, one in each row"),
        ([1, 3, 8, 14, -1], "not 4 queens, one in each row"),
    ],
)
def test_what_is_wrong_is_found_in_batches(row: list[int], words: str | None) -> None:
    problem = QueensProblem(QueensBoard(4), "dlx", Request(), None)
    found = problem.fault(np.array([[1, 7, 8, 14, -1], row]))
    assert (found is None) if words is None else (found is not None and words in found.words[0])
    assert found is None or found.row == 1


def test_shared_limits_go_with_no_others() -> None:
    with pytest.raises(PuzzleError, match="Shared limits replace"):
        QueensSearch(6, limits=Limits(), time_limit=1.0)


def test_sizes_that_are_none() -> None:
    with pytest.raises(PuzzleError, match="A torus of 201 rows has 323,208 symmetries"):
        QueensSearch(201, torus=True)
    with pytest.raises(PuzzleError, match="There is no board of 0 rows"):
        queens_model(0)
    with pytest.raises(PuzzleError, match="take 1 to 1000"):
        queens_model(1001)


def test_pictures() -> None:
    assert draw_queens((1, 3, 0, 2)) == ". Q . .\n. . . Q\nQ . . .\n. . Q .\n"
    assert svg_queens((0,)).count("<path") == 3
