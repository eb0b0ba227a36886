"""Puzzles that ask for less: every subset of a solution solves them, nothing else is allowed."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

import exactile
from exactile.errors import PieceError, PuzzleError
from exactile.puzzle import Puzzle
from exactile.puzzle.check import faults
from exactile.puzzle.relax import relax
from support.few import examples
from support.random_puzzles import puzzles, random_puzzle
from support.small import dominoes


@settings(max_examples=examples(34))
@given(puzzle=puzzles())
def test_every_part_of_a_solution_is_a_packing(puzzle: Puzzle) -> None:
    solution = exactile.solve_one(puzzle)
    if solution is None:
        return
    free = relax(puzzle)
    for size in range(min(len(solution), 3) + 1):
        for part in combinations(solution, size):
            assert faults(free, part) == []


def test_units_and_pieces_are_asked_for() -> None:
    puzzle = dominoes(2, 2)
    first = exactile.solve_one(puzzle)
    assert first is not None
    part, rest = first[:1], first[1:]
    assert faults(relax(puzzle, part[0].units, {"I2": 1}), part) == []
    assert faults(relax(puzzle, rest[0].units), part)
    assert faults(relax(puzzle, pieces={"I2": 2}), part)


def test_what_is_forbidden_stays_forbidden() -> None:
    puzzle = dominoes(2, 2)
    model = exactile.lower(puzzle)
    assert exactile.count(relax(puzzle)).raw == 1 + 4 + 2
    assert model.options == 4


def test_fixed_placements_are_kept_if_wanted() -> None:
    puzzle = next(p for p in map(random_puzzle, range(300)) if p.fixed)
    assert relax(puzzle).fixed == ()
    assert relax(puzzle, fixed=[0]).fixed == puzzle.fixed


def test_what_the_puzzle_does_not_have() -> None:
    with pytest.raises(PuzzleError, match="no unit"):
        relax(dominoes(2, 2), [(5, 5)])
    with pytest.raises(PieceError, match="no piece 'X'"):
        relax(dominoes(2, 2), pieces={"X": 1})
    with pytest.raises(PuzzleError, match="no fixed placement 0"):
        relax(dominoes(2, 2), fixed=[0])
