"""The checker finds every kind of fault."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from exactile.errors import CheckFailedError
from exactile.puzzle import Omission, Placement, Puzzle, Region
from exactile.puzzle.check import Checker, check, faults
from exactile.search import solve_one
from support.small import box_puzzle, dominoes, stick_puzzle

PUZZLE = box_puzzle("tetrominoes", 5, 4)
"""Five tetrominoes do not fill 5x4: what passes must be wrong."""


def test_right_solutions_pass() -> None:
    puzzle = box_puzzle("pentominoes", 20, 3)
    solution = solve_one(puzzle)
    assert solution is not None
    assert faults(puzzle, solution) == []
    check(puzzle, solution)


def pentominoes() -> tuple[Puzzle, tuple[Placement, ...]]:
    puzzle = box_puzzle("pentominoes", 20, 3)
    solution = solve_one(puzzle)
    assert solution is not None
    return puzzle, solution


def test_each_fault_is_named() -> None:
    puzzle, solution = pentominoes()
    first, second, *rest = solution
    assert any("is not covered" in f for f in faults(puzzle, solution[1:]))
    assert any("is used 0 times, not 1 to 1" in f for f in faults(puzzle, solution[1:]))
    assert any("is covered 2 times" in f for f in faults(puzzle, (*solution, first)))
    swapped = (first._replace(piece=second.piece), second._replace(piece=first.piece), *rest)
    assert len([f for f in faults(puzzle, swapped) if "are not a place of piece" in f]) == 2
    renamed = (first._replace(piece="Q"), second, *rest)
    assert any("has no piece Q" in f for f in faults(puzzle, renamed))
    moved = tuple((x + 40, y) for x, y in first.units)
    outside = (first._replace(units=moved), second, *rest)
    assert any("lies outside" in f for f in faults(puzzle, outside))
    with pytest.raises(CheckFailedError, match="No solution of box"):
        check(puzzle, outside)


def test_more_placements_than_any_solution_has_are_counted_right() -> None:
    """Numbers of uses stand side by side in a word: none may run over into the next."""
    puzzle = dominoes(2, 1)
    two = replace(puzzle, pieces=(replace(puzzle.pieces[0], lower=1, upper=1),))
    [placement] = solve_one(two) or ()
    rows = np.array([[0] * n + [-1] * (9 - n) for n in range(10)])
    assert Checker(two).wrong([placement], rows).tolist() == [n != 1 for n in range(10)]
    assert faults(two, (placement,) * 9)[0].endswith("is covered 9 times")
    assert faults(two, (placement,)) == []


def test_few_placements_are_counted_where_a_piece_has_a_limit() -> None:
    row = box_puzzle("monomino", 4, 1)
    loose = replace(row, region=Region("square", row.region.units, optional=[True] * 4))
    placements = [Placement(row.pieces[0].name, (unit,)) for unit in row.region.coordinates]
    rows = np.array([[*range(n)] + [-1] * (4 - n) for n in range(5)])
    for lower, upper in ((0, 2), (1, 2), (0, 4), (2, 4)):
        puzzle = replace(loose, pieces=(replace(row.pieces[0], lower=lower, upper=upper),))
        for width in range(5):
            wrong = Checker(puzzle).wrong(placements, rows[: width + 1, :width]).tolist()
            assert wrong == [not lower <= n <= upper for n in range(width + 1)]


def test_omissions_are_checked() -> None:
    puzzle, solution = pentominoes()
    choice = replace(puzzle, omission=Omission(("F", "I"), 1))
    assert any("0 pieces are omitted, not 1" in f for f in faults(choice, solution))
    assert not any("piece F is used" in f for f in faults(choice, solution[1:]))


def test_fixed_placements_are_checked() -> None:
    puzzle, solution = pentominoes()
    kept = replace(puzzle, fixed=solution[:1])
    assert faults(kept, solution) == []
    mirrored = tuple(
        Placement(p.piece, tuple(sorted((19 - x, y) for x, y in p.units))) for p in solution
    )
    assert faults(puzzle, mirrored) == []
    assert faults(kept, mirrored) == [f"the fixed placement of {solution[0].piece} is missing"]


def test_crossings_are_seen() -> None:
    puzzle = stick_puzzle("I2", "I3", width=2, height=2)
    grid = puzzle.lattice
    level = grid.points([(0, 1, 0), (1, 1, 0)])
    upright = grid.points([(1, 0, 1), (1, 1, 1)])
    solution = tuple(
        Placement(name, tuple(sorted(tuple(u) for u in units.tolist())))
        for name, units in (("I2", level), ("I2", upright))
    )
    assert any("cross at the vertex [2, 2]" in f for f in faults(puzzle, solution))
    free = replace(puzzle, crossing=False)
    assert not any("cross" in f for f in faults(free, solution))
    assert np.array(solution[0].units).shape == (2, 2)


def test_units_may_be_in_any_order_and_on_any_turn_of_a_wrap() -> None:
    ring = Region("square", [(x, 0) for x in range(4)], wrap=[(4, 0)])
    domino = dominoes(2, 2).pieces[0]
    puzzle = Puzzle("ring", ring, (domino,), (Placement("I2", ((0, 0), (3, 0))),))
    check(puzzle, (Placement("I2", ((4, 0), (3, 0))), Placement("I2", ((-2, 0), (1, 0)))))
    with pytest.raises(CheckFailedError, match=r"unit \[0, 0\] is covered 2 times"):
        check(puzzle, (Placement("I2", ((0, 0), (4, 0))), Placement("I2", ((1, 0), (2, 0)))))
