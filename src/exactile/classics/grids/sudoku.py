"""A sudoku: a layout with some cells filled."""

from __future__ import annotations

from dataclasses import dataclass

from exactile.classics.grids.layout import Layout
from exactile.errors import PuzzleError

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The characters of digits: 10 is A, 11 is B."""

Grid = tuple[int, ...]
"""The digit of each cell, from 1, row by row; 0 is an empty cell."""


@dataclass(frozen=True)
class Sudoku:
    """A layout with some cells filled.

    Raise PuzzleError if the givens are not digits of the grid.

    >>> from exactile.classics.grids.layout import boxed
    >>> sudoku = Sudoku(boxed(4, (2, 2)), (1, 0, 0, 4) + (0,) * 12)
    >>> sudoku.text(sudoku.givens)
    '1..4............'
    """

    layout: Layout  # the grid and its houses
    givens: Grid
    symbols: str = SYMBOLS  # the characters of digits
    line: int = 0  # the line of its file on which it begins, from 1; 0 if there is none

    def __post_init__(self) -> None:
        size = self.layout.size
        if len(self.givens) != size * size or not all(0 <= d <= size for d in self.givens):
            raise PuzzleError(
                f"A sudoku of {size} by {size} cells needs {size * size} digits from 0 to {size}."
            )

    def text(self, grid: Grid) -> str:
        """Return a grid on one line, with a point for an empty cell."""
        return "".join(self.symbols[d - 1] if d else "." for d in grid)
