"""Backends agree on sudokus with givens removed and changed: unique, ambiguous, contradictory."""

from __future__ import annotations

from collections import Counter

import pytest

from exactile.classics.grids.search import SudokuSearch, count_sudoku, judge, sudoku_model
from exactile.classics.grids.sudoku import Sudoku
from support.cpsat_in_process import cpsat_solutions
from support.sat_in_process import sat_solutions
from support.sudokus import HARD, LAYOUTS, SEVENTEEN, SMALL, random_sudokus, sudoku

ENOUGH = 40
"""Sudokus with more solutions are counted only."""


def by_cpsat(subject: Sudoku) -> set[tuple[int, ...]]:
    """Return all solutions that CP-SAT finds, run in this process."""
    lowered = sudoku_model(subject)
    return {lowered.grid(options) for options in cpsat_solutions(lowered.model)}


def by_sat(subject: Sudoku) -> set[tuple[int, ...]]:
    """Return all solutions that a SAT solver finds, run in this process."""
    lowered = sudoku_model(subject)
    return {lowered.grid(options) for options in sat_solutions(lowered.model, parts=1)}


@pytest.mark.parametrize("name", LAYOUTS)
def test_random_sudokus(name: str) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(2):
        for subject in random_sudokus(LAYOUTS[name], seed):
            number = count_sudoku(subject).raw
            assert number is not None
            kind = ("contradictory", "unique", "ambiguous")[min(number, 2)]
            for backend in ("dlx", "reference"):
                assert judge(subject, backend=backend).kind == kind
            kinds[kind] += 1
            if number <= ENOUGH:
                expected = set(SudokuSearch(subject))
                assert len(expected) == number
                assert by_sat(subject) == expected
                if seed == 0:
                    assert by_cpsat(subject) == expected
    assert len(kinds) == 3


@pytest.mark.parametrize("text", [SMALL, HARD, SEVENTEEN])
def test_known_sudokus(text: str) -> None:
    expected = set(SudokuSearch(sudoku(text)))
    assert len(expected) == 1
    assert by_cpsat(sudoku(text)) == by_sat(sudoku(text)) == expected
    assert set(SudokuSearch(sudoku(text), backend="dlx:sparse")) == expected


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["cpsat", "sat", "auto"])
def test_backends_in_processes_of_their_own(backend: str) -> None:
    for text, kind in [
        (HARD, "unique"),
        ("." * 81, "ambiguous"),
        ("1" + HARD[1:], "contradictory"),
    ]:
        assert judge(sudoku(text), backend=backend).kind == kind
