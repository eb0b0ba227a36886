"""Reasons why a sudoku has no solution that are visible without a search."""

from __future__ import annotations

from exactile.classics.grids.layout import House
from exactile.classics.grids.sudoku import Sudoku


def where(sudoku: Sudoku, cell: int) -> str:
    """Return the place of a cell for people, with numbers from 1.

    >>> from exactile.classics.grids.layout import boxed
    >>> where(Sudoku(boxed(4, (2, 2)), (0,) * 16), 6)
    'row 2, column 3'
    """
    row, column = divmod(cell, sudoku.layout.size)
    return f"row {row + 1}, column {column + 1}"


def contradiction(sudoku: Sudoku) -> str | None:
    """Return a simple reason why a sudoku has no solution, None if there is none.

    There are three: a house has a digit twice, a cell has no candidate, a house has no place for a
    digit. A candidate is a digit that no given in a house of the cell excludes.

    >>> from exactile.classics.grids.layout import boxed
    >>> contradiction(Sudoku(boxed(4, (2, 2)), (1, 0, 0, 1) + (0,) * 12))
    'row 1 has 1 twice: in row 1, column 1 and in row 1, column 4'
    >>> contradiction(Sudoku(boxed(4, (2, 2)), (1, 2, 3, 0) + (0, 0, 4, 0) + (0,) * 8))
    'row 1, column 4 has no candidate'
    >>> contradiction(Sudoku(boxed(4, (2, 2)), (1, 0, 0, 0) + (0,) * 7 + (1,) + (0, 0, 1, 0)))
    'box 4 has 1 twice: in row 3, column 4 and in row 4, column 3'
    """
    # Rows and columns are easier to see than boxes.
    houses = sorted(sudoku.layout.houses, key=lambda house: "rcbdw".index(house.kind))
    for house in houses:
        if reason := _twice(sudoku, house):
            return reason
    around: list[set[int]] = [set() for _ in sudoku.givens]  # the givens in each cell's houses
    for house in houses:
        seen = {sudoku.givens[cell] for cell in house.cells} - {0}
        for cell in house.cells:
            around[cell] |= seen
    for cell, given in enumerate(sudoku.givens):
        if not given and len(around[cell]) == sudoku.layout.size:
            return f"{where(sudoku, cell)} has no candidate"
    return next((reason for house in houses if (reason := _nowhere(sudoku, house, around))), None)


def _twice(sudoku: Sudoku, house: House) -> str | None:
    """Return the message if a house has a given twice."""
    seen: dict[int, int] = {}
    for cell in house.cells:
        digit = sudoku.givens[cell]
        if digit in seen:
            return (
                f"{sudoku.layout.name(house)} has {sudoku.symbols[digit - 1]} twice: in "
                f"{where(sudoku, seen[digit])} and in {where(sudoku, cell)}"
            )
        if digit:
            seen[digit] = cell
    return None


def _nowhere(sudoku: Sudoku, house: House, around: list[set[int]]) -> str | None:
    """Return the message if a house has no place for a digit."""
    for digit in range(1, sudoku.layout.size + 1):
        places = (
            sudoku.givens[cell] == digit or (not sudoku.givens[cell] and digit not in around[cell])
            for cell in house.cells
        )
        if not any(places):
            return f"{sudoku.layout.name(house)} has no place for {sudoku.symbols[digit - 1]}"
    return None
