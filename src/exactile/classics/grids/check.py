"""Checks a grid as a solution of a sudoku, from the definition, independently of the model."""

from __future__ import annotations

from collections.abc import Iterator

from exactile.classics.grids.sudoku import Grid, Layout, Sudoku


def faults(sudoku: Sudoku, grid: Grid) -> list[str]:
    """Return the faults of a filled grid, in words; none if it is a solution.

    >>> from exactile.classics.grids.sudoku import boxed
    >>> sudoku = Sudoku(boxed(4, (2, 2)), (1,) + (0,) * 15)
    >>> faults(sudoku, (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    []
    >>> faults(sudoku, (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 1, 2))
    ['column 3: 3 1 4 1', 'column 4: 4 2 3 2']
    """
    n = sudoku.layout.size
    if len(grid) != n * n:
        return [f"{len(grid)} cells, not {n * n}"]
    wrong = [
        f"row {cell // n + 1}, column {cell % n + 1}: {digit}, not {given} as given"
        for cell, (given, digit) in enumerate(zip(sudoku.givens, grid, strict=True))
        if given not in (0, digit)
    ]
    rows = [list(grid[n * k : n * k + n]) for k in range(n)]
    every = list(range(1, n + 1))
    for name, digits in _parts(sudoku.layout, rows):
        if sorted(digits) != every:
            wrong.append(f"{name}: {' '.join(map(str, digits))}")
    return wrong


def _parts(layout: Layout, rows: list[list[int]]) -> Iterator[tuple[str, list[int]]]:
    """Yield the name and the digits of each house."""
    n = len(rows)
    for k in range(n):
        yield f"row {k + 1}", rows[k]
        yield f"column {k + 1}", [row[k] for row in rows]
    if layout.boxes is None:
        for k in sorted(set(layout.regions)):
            inside = [(r, c) for r in range(n) for c in range(n) if layout.regions[n * r + c] == k]
            yield f"region {k + 1}", [rows[r][c] for r, c in inside]
    else:
        high, wide = layout.boxes
        for top in range(0, n, high):
            for left in range(0, n, wide):
                box = [d for row in rows[top : top + high] for d in row[left : left + wide]]
                yield f"box at row {top + 1}, column {left + 1}", box
    if layout.diagonals:
        yield "falling diagonal", [rows[k][k] for k in range(n)]
        yield "rising diagonal", [rows[n - 1 - k][k] for k in range(n)]
    if layout.windows and layout.boxes is not None:
        side = layout.boxes[0]
        for top in range(1, n - side, side + 1):
            for left in range(1, n - side, side + 1):
                window = [d for row in rows[top : top + side] for d in row[left : left + side]]
                yield f"window at row {top + 1}, column {left + 1}", window
