"""Rules about colors, and fixed pieces: counts by the model and by looking at plain solutions.

Sources: Polyform Puzzler has one solution for each of Kadon's two puzzles, and 55 without colors.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import exactile
from exactile.puzzle import Paint
from exactile.puzzle.check import faults


@pytest.mark.parametrize("name", ["separated", "joined"])
def test_kadons_iamond_hex(name: str) -> None:
    puzzle = exactile.load(f"hexiamonds-iamond-hex-{name}")
    answer = exactile.count(puzzle)
    assert (answer.raw, answer.symmetry) == (6, 1)
    plain = replace(puzzle, color_rules=())
    with exactile.Search(plain) as search:
        solutions = list(search)
    assert len(solutions) == 330
    assert exactile.count(plain).symmetry == 55
    assert sum(not faults(puzzle, s) for s in solutions) == 6


def test_checkered_pentominoes() -> None:
    """Painted alternately, a piece lies right if one of its units does: 24 of 520 solutions."""
    puzzle = exactile.load("checkered-pentominoes-8x8")
    assert exactile.count(puzzle).raw == 24
    black = {
        name: sum(paint == "b" for paint in units.values())
        for name, units in puzzle.paint.pieces.items()
    }
    with exactile.Search(replace(puzzle, paint=Paint())) as search:
        solutions = list(search)
    kept = [
        s
        for s in solutions
        if all(sum((x + y + 1) % 2 for x, y in p.units) == black[p.piece] for p in s)
    ]
    assert (len(solutions), len(kept)) == (520, 24)
    assert all((not faults(puzzle, s)) == (s in kept) for s in solutions)


def test_pieces_that_differ_in_paint_are_different() -> None:
    puzzle = exactile.load("checkered-t-tetrominoes-4x4")
    assert [(p.name, p.upper) for p in puzzle.pieces] == [("black", 2), ("white", 2)]
    assert exactile.count(puzzle).raw == 2
    merged = replace(puzzle, paint=Paint())
    assert [(p.name, p.upper) for p in merged.pieces] == [("black", 4)]


@pytest.mark.parametrize("number", ["56", "a", "25", "9"])
def test_puzzle_bits_have_one_solution(number: str) -> None:
    """Pieces that may be neither turned nor flipped."""
    puzzle = exactile.load(f"puzzle-bits-{number}")
    assert all(len(p.aspects) == 1 for p in puzzle.pieces)
    assert exactile.count(puzzle).raw == 1
