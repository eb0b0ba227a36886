"""Results about sudokus, as answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from exactile.answers import INTERRUPTED, SudokuAnswer, SudokuFile
from exactile.classics.grids.count import KINDS
from exactile.classics.grids.search import SudokuSearch
from exactile.classics.grids.sudoku import Sudoku
from exactile.classics.grids.verbs import Examination


def examined_answer(found: Examination) -> SudokuAnswer:
    """Return the kind of a sudoku, with its solutions."""
    verdict, sudoku = found.verdict, found.verdict.sudoku
    return SudokuAnswer(
        line=sudoku.line,
        status=verdict.kind,
        givens=sudoku.text(sudoku.givens),
        solutions=tuple(sudoku.text(grid) for grid in verdict.solutions),
        differing=tuple(_place(sudoku, cell) for cell in verdict.differing),
        reason=verdict.reason,
        lemmas=found.lemmas,
        superfluous=None
        if found.superfluous is None
        else tuple(_place(sudoku, cell) for cell in found.superfluous),
        stopped=verdict.stopped if verdict.kind in ("solvable", "unknown") else None,
        stats=verdict.stats,
    )


def listed_answer(search: SudokuSearch, solutions: Sequence[str]) -> SudokuAnswer:
    """Return the solutions that a search has found and kept."""
    return SudokuAnswer(
        line=search.sudoku.line,
        status=search.kind,
        givens=search.sudoku.text(search.sudoku.givens),
        found=search.found,
        solutions=tuple(solutions),
        stopped=search.stopped,
        stats=search.stats,
    )


def file_answer(
    name: str,
    backend: str,
    kinds: Counter[str],
    stopped: str | None,
    sudokus: Sequence[SudokuAnswer],
) -> SudokuFile:
    """Return the results for all sudokus of a file."""
    return SudokuFile(
        file=name,
        backend=backend,
        **{kind: kinds[kind] for kind in KINDS},
        stopped=INTERRUPTED if stopped == INTERRUPTED else None,
        sudokus=tuple(sudokus),
    )


def _place(sudoku: Sudoku, cell: int) -> tuple[int, int]:
    """Return row and column, from 1."""
    row, column = divmod(cell, sudoku.layout.size)
    return row + 1, column + 1
