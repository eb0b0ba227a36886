"""One sudoku, given as a text: its kind and its solutions."""

from __future__ import annotations

from io import StringIO
from typing import Any

from exactile.errors import FileError
from exactile.grids.reader import Variant, read_sudokus
from exactile.grids.search import SudokuVerdict, judge


def solve_sudoku(text: str, variant: Variant | None = None, **settings: Any) -> SudokuVerdict:
    """Tell whether a sudoku is unique, ambiguous or contradictory, with up to two solutions.

    Parameters
    ----------
    text
        The cells, as in a sudoku file: on one line, or a line for each row.
    variant
        What the text does not say.
    settings
        See `judge`.

    Raises
    ------
    FileError
        If the text is no sudoku.

    Examples
    --------
    >>> verdict = solve_sudoku("1..4.4.223.1..2.")
    >>> verdict.kind, verdict.sudoku.text(verdict.solutions[0])
    ('unique', '1234341223414123')
    """
    sudoku = next(read_sudokus(StringIO(text), variant), None)
    if sudoku is None:
        raise FileError("The text has no sudoku.")
    return judge(sudoku, **settings)
