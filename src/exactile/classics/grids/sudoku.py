"""Sudokus and their layouts, and a check of solutions straight from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from exactile.errors import PuzzleError

LARGEST = 35
"""Largest number of digits of a sudoku: 1 to 9 and 26 letters."""

KINDS = {"b": "box", "c": "column", "r": "row", "d": "diagonal", "w": "window"}
"""The kinds of houses, by the letters that stand for them in the names of items."""


class House(NamedTuple):
    """A set of cells that contains every digit once, such as a row; `kind` is a key of `KINDS`."""

    kind: str
    number: int  # its number among those of its kind, from 0
    cells: tuple[int, ...]  # as many as there are digits; cells are numbered row by row


@dataclass(frozen=True)
class Layout:
    """A square grid of empty cells with its houses, the sets of cells that hold every digit once.

    The houses are the rows, columns and regions; in variants also diagonals, and windows between
    square boxes. Raise PuzzleError if there are windows but no square boxes.

    >>> layout = boxed(4, (2, 2))
    >>> layout.regions[:8], len(layout.houses)
    ((0, 0, 1, 1, 0, 0, 1, 1), 12)
    >>> layout.name(layout.houses[0]), layout.houses[0].cells
    ('box 1', (0, 1, 4, 5))
    """

    size: int  # number of rows, of columns, and of digits
    regions: tuple[int, ...]  # the region of each cell, row by row, numbered from 0
    # Rows and columns of a box; None if the regions are not boxes
    boxes: tuple[int, int] | None = None
    diagonals: bool = False  # whether both diagonals hold every digit once (X-sudoku)
    windows: bool = False  # whether windows hold every digit once (hyper sudoku, windoku)

    def __post_init__(self) -> None:
        if self.windows and not (self.boxes and 1 < self.boxes[0] == self.boxes[1]):
            raise PuzzleError("Windows lie between square boxes: leave them out.")

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """The houses: first boxes or regions, then columns, rows, diagonals, and windows."""
        n = self.size
        across = range(n)
        found = [
            House("b", k, tuple(i for i, region in enumerate(self.regions) if region == k))
            for k in across
        ]
        found += [House("c", k, tuple(range(k, n * n, n))) for k in across]
        found += [House("r", k, tuple(range(n * k, n * k + n))) for k in across]
        if self.diagonals:
            found.append(House("d", 0, tuple(range(0, n * n, n + 1))))
            found.append(House("d", 1, tuple((n - 1) * (k + 1) for k in across)))
        return (*found, *self._window_houses())

    def name(self, house: House) -> str:
        """Return the name of a house in words, such as ``box 1``; numbers begin at 1."""
        kind = "region" if house.kind == "b" and self.boxes is None else KINDS[house.kind]
        return f"{kind} {house.number + 1}"

    def _window_houses(self) -> list[House]:
        """Return the windows: squares of the size of a box, with one cell between them.

        The first and last windows are one cell from the border.
        """
        if not (self.windows and self.boxes):
            return []
        n, side = self.size, self.boxes[0]
        starts = [1 + k * (side + 1) for k in range(side - 1)]
        corners = [(row, column) for row in starts for column in starts]
        return [
            House(
                "w",
                number,
                tuple(n * (row + i) + column + j for i in range(side) for j in range(side)),
            )
            for number, (row, column) in enumerate(corners)
        ]


def boxed(
    size: int, boxes: tuple[int, int], *, diagonals: bool = False, windows: bool = False
) -> Layout:
    """Return the layout with boxes of the given height and width as regions.

    `diagonals`, `windows`: whether these are houses as well. Raise PuzzleError if a box does not
    have `size` cells, if `size` exceeds `LARGEST`, or if there are windows but no square boxes.

    >>> boxed(6, (2, 3)).regions[:12]
    (0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1)
    """
    high, wide = boxes
    if high * wide != size or not 0 < size <= LARGEST:
        raise PuzzleError(
            f"Boxes of {high} by {wide} cells do not fit a grid of {size} by {size}: a box has as "
            f"many cells as the grid has rows, at most {LARGEST}."
        )
    regions = [r // high * high + c // wide for r in range(size) for c in range(size)]
    return Layout(size, tuple(regions), boxes, diagonals, windows)


def usual_boxes(size: int) -> tuple[int, int] | None:
    """Return the height and width of the usual boxes in grids of this size; None if there are none.

    >>> [usual_boxes(n) for n in (4, 6, 7, 9, 12, 16)]
    [(2, 2), (2, 3), None, (3, 3), (3, 4), (4, 4)]
    """
    heights = [h for h in range(2, size) if size % h == 0 and h * h <= size]
    return (heights[-1], size // heights[-1]) if heights else None


def jigsaw(names: Sequence[str], *, diagonals: bool = False) -> Layout:
    """Return the layout whose regions are given by a character for each cell, row by row.

    `diagonals`: whether the diagonals are houses as well. Raise PuzzleError if the cells do not
    form a square of at most `LARGEST` rows, or a region does not have as many cells as a row.

    >>> jigsaw("AABBABBBA").regions
    Traceback (most recent call last):
    ...
    exactile.errors.PuzzleError: Region A has 4 cells, but a row has 3: all must have as many.
    >>> jigsaw("AABACBCCB").regions
    (0, 0, 1, 0, 2, 1, 2, 2, 1)
    """
    size = round(len(names) ** 0.5)
    if size * size != len(names) or not 0 < size <= LARGEST:
        raise PuzzleError(
            f"Regions of {len(names)} cells in total do not make a square grid of at most "
            f"{LARGEST} rows."
        )
    number: dict[str, int] = {}
    regions = [number.setdefault(name, len(number)) for name in names]
    for name, region in number.items():
        cells = regions.count(region)
        if cells != size:
            raise PuzzleError(
                f"Region {name} has {cells} cells, but a row has {size}: all must have as many."
            )
    return Layout(size, tuple(regions), None, diagonals)


SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The characters of the digits from 1: 10 is A, 11 is B."""

Grid = tuple[int, ...]
"""The digit of each cell, from 1, row by row; 0 is an empty cell."""


@dataclass(frozen=True)
class Sudoku:
    """A sudoku: a layout with some digits given.

    Raise PuzzleError unless `givens` has a digit of the grid or 0 for each cell.

    >>> from exactile.classics.grids.sudoku import boxed
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
        """Return a grid as one line of characters; a dot is an empty cell."""
        return "".join(self.symbols[d - 1] if d else "." for d in grid)


def faults(sudoku: Sudoku, grid: Grid) -> list[str]:
    """Return the faults of a filled grid, in words; the list is empty for a solution.

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
    """Yield the name and the digits of each house, without using `Layout.houses`.

    `rows` are the rows of a filled grid.
    """
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
