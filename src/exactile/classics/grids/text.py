"""Grids and boards as text; a drawn sudoku can be read again."""

from __future__ import annotations

from exactile.classics.grids.queens import Columns
from exactile.classics.grids.sudoku import Grid, Sudoku


def draw_grid(sudoku: Sudoku, grid: Grid) -> str:
    """Return a grid with lines between its regions.

    >>> from io import StringIO
    >>> from exactile.classics.grids.reader import read_sudokus
    >>> sudoku = next(read_sudokus(StringIO("1..4.4.223.1..2.")))
    >>> print(draw_grid(sudoku, sudoku.givens), end="")
    1 . | . 4
    . 4 | . 2
    ----+----
    2 3 | . 1
    . . | 2 .
    """
    n, regions = sudoku.layout.size, sudoku.layout.regions
    signs = sudoku.text(grid)
    walls = [[regions[n * r + c] != regions[n * r + c + 1] for c in range(n - 1)] for r in range(n)]
    wide = [any(row[c] for row in walls) for c in range(n - 1)]
    lines = []
    for r in range(n):
        line = signs[n * r]
        for c in range(n - 1):
            gap = (" | " if walls[r][c] else "   ") if wide[c] else " "
            line += gap + signs[n * r + c + 1]
        lines.append(line)
        if r + 1 < n:
            floors = [regions[n * r + c] != regions[n * r + n + c] for c in range(n)]
            if any(floors):
                lines.append(_floor(floors, wide, walls[r], walls[r + 1]))
    return "".join(line.rstrip() + "\n" for line in lines)


def _floor(floors: list[bool], wide: list[bool], above: list[bool], below: list[bool]) -> str:
    """Return the line between two rows."""
    line = "-" if floors[0] else " "
    for c, is_wide in enumerate(wide):
        before, behind = ("-" if floors[k] else " " for k in (c, c + 1))
        if not is_wide:
            line += "-" if floors[c] and floors[c + 1] else " "
        elif above[c] or below[c]:
            line += before + ("+" if floors[c] or floors[c + 1] else "|") + behind
        else:
            line += before + ("-" if floors[c] and floors[c + 1] else " ") + behind
        line += behind
    return line


def draw_queens(columns: Columns) -> str:
    """Return a board with queens.

    >>> print(draw_queens((1, 3, 0, 2)), end="")
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    n = len(columns)
    return "".join(" ".join("Q" if c == q else "." for c in range(n)) + "\n" for q in columns)
