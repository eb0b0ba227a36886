r"""Sudokus in text files: one on each line, or a row on each line; read one at a time.

``1`` to ``9`` and the letters from ``A`` are digits; ``.``, ``0``, ``_`` and ``*`` are empty cells;
spaces, ``|``, ``-`` and ``+`` are ignored, and so is the text after ``#``, ``,`` or ``;``. ::

    1..4.4.223.1..2.            # a line with all cells

    1 . | . 4                   # or a line for each row
    . 4 | . 2
    ----+----
    2 3 | . 1
    . . | 2 .

The number of characters determines the size. The line ``regions`` says that the next block
contains, instead of digits, the regions of a jigsaw: a character for each cell, equal for the cells
of a region. They apply to the grids that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from typing import IO

from exactile.classics.grids.blocks import KEYWORD, Assembler, TextBlock, read_lines
from exactile.classics.grids.layout import Layout, boxed, jigsaw, usual_boxes
from exactile.classics.grids.sudoku import SYMBOLS, Grid, Sudoku
from exactile.errors import FileError, PuzzleError
from exactile.files.sources import Place, shown

EMPTY = ".0_*"
LETTERS = SYMBOLS[9:]
FROM_ZERO = "0" + SYMBOLS


@dataclass(frozen=True)
class Variant:
    """What the file does not state."""

    boxes: tuple[int, int] | None = None  # rows and columns of a box; by default the usual ones
    diagonals: bool = False
    windows: bool = False
    jigsaw: Layout | None = None  # the layout of a jigsaw; the file may have others

    @property
    def size(self) -> int | None:
        """The size of the grids, if it is known beforehand."""
        if self.jigsaw is not None:
            return self.jigsaw.size
        return self.boxes[0] * self.boxes[1] if self.boxes else None


def read_sudokus(
    source: str | PathLike[str] | IO[str], variant: Variant | None = None
) -> Iterator[Sudoku]:
    r"""Yield the sudokus of a file, each as soon as its lines are read.

    `source`: a path, ``"-"`` for standard input, or an open text stream. `variant`: what the file
    does not state. Raise FileError if a line is damaged; the message names it and shows the damage,
    NotFoundError if there is no such file.

    >>> from io import StringIO
    >>> text = "1..4.4.223.1..2.\n\n1 . | . 4\n. 4 | . 2\n----+----\n2 3 | . 1\n. . | 2 .\n"
    >>> [(s.line, s.text(s.givens)) for s in read_sudokus(StringIO(text))]
    [(1, '1..4.4.223.1..2.'), (3, '1..4.4.223.1..2.')]
    """
    asked = variant or Variant()
    name, lines = read_lines(source)
    assembler = Assembler(name, asked.size)
    layout = asked.jigsaw
    found = False
    for block in assembler.blocks(lines):
        place = assembler.place(block.line)
        if block.regions:
            if asked.windows or asked.boxes:
                raise place.error(
                    "regions follow, so there are no boxes and no windows between them: leave out "
                    "--boxes and --windows."
                )
            layout = _jigsaw(place, block, diagonals=asked.diagonals)
            assembler.size = layout.size
            continue
        found = True
        yield _sudoku(place, block, layout or _boxed(place, len(block.cells), asked))
    if not found:
        why = f"no grid follows '{KEYWORD}'" if layout else "it has no sudoku"
        raise FileError(f"{name}: {why}. A sudoku has 81 characters, or 9 lines of 9.")


def read_regions(source: str | PathLike[str], *, diagonals: bool = False) -> Layout:
    """Return the layout of a file that has the regions of one jigsaw; a line `regions` is optional.

    Raise FileError if it contains anything else.
    """
    name, lines = read_lines(source)
    assembler = Assembler(name, regions=True)
    found = None
    for block in assembler.blocks(lines):
        place = assembler.place(block.line)
        if found is not None:
            raise place.error(f"{shown(block.cells)} stands behind the regions.")
        found = _jigsaw(place, block, diagonals=diagonals)
    if found is None:
        raise FileError(f"{name}: there are no regions in it: a character for each cell.")
    return found


def _jigsaw(place: Place, block: TextBlock, *, diagonals: bool) -> Layout:
    try:
        return jigsaw(block.cells, diagonals=diagonals)
    except PuzzleError as error:
        raise place.error(str(error)) from None


def _boxed(place: Place, cells: int, variant: Variant) -> Layout:
    """Return the layout of a grid with boxes."""
    size = round(cells**0.5)
    boxes = variant.boxes or usual_boxes(size) or ((1, 1) if size == 1 else None)
    if boxes is None:
        raise place.error(
            f"a grid of {size} by {size} has no boxes: write the line '{KEYWORD}' and regions "
            "before it."
        )
    try:
        return _layout(size, boxes, variant.diagonals, variant.windows)
    except PuzzleError as error:
        raise place.error(str(error)) from None


@lru_cache
def _layout(size: int, boxes: tuple[int, int], diagonals: bool, windows: bool) -> Layout:
    return boxed(size, boxes, diagonals=diagonals, windows=windows)


def _sudoku(place: Place, block: TextBlock, layout: Layout) -> Sudoku:
    """Return the sudoku of some characters."""
    for symbols in _alphabets(layout.size, block.cells):
        givens = _digits(block.cells, symbols)
        if givens is not None:
            return Sudoku(layout, givens, symbols, block.line)
    size = layout.size
    usual = SYMBOLS[:size]
    wrong = next(c for c in block.cells if c.upper() not in usual and c not in EMPTY)
    known = f"1 to {usual[-1]}" if size < 10 else f"1 to 9 and A to {usual[-1]}"
    raise place.error(
        f"{shown(wrong)} is no digit of a grid of {size} by {size}: write {known}, or . for an "
        "empty cell."
    )


def _alphabets(size: int, cells: str) -> Iterator[str]:
    """Yield the possible alphabets of the digits, the likeliest first.

    If 0 stands beside another sign for empty cells, large grids count from 0. Letters alone are the
    digits from A.
    """
    if size > 9 and "0" in cells and any(c in cells for c in EMPTY if c != "0"):
        yield FROM_ZERO[:size]
    yield SYMBOLS[:size]
    if size <= len(LETTERS) and not any(c in cells for c in SYMBOLS[:9]):
        yield LETTERS[:size]


@lru_cache
def _table(symbols: str) -> dict[int, int]:
    """Return the digit of each character."""
    table = dict.fromkeys(map(ord, EMPTY), 0)
    table |= {ord(c.lower()): d for d, c in enumerate(symbols, start=1)}
    return table | {ord(c): d for d, c in enumerate(symbols, start=1)}


def _digits(cells: str, symbols: str) -> Grid | None:
    """Return the digits of characters, None if one is not a digit."""
    table = _table(symbols)
    try:
        return tuple([table[ord(c)] for c in cells])
    except KeyError:
        return None
