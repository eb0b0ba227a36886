r"""Reads sudokus from text files, one at a time: each on one line, or with a line for each row.

``1`` to ``9`` and the letters from ``A`` are digits; ``.``, ``0``, ``_`` and ``*`` are empty cells;
spaces, ``|``, ``-`` and ``+`` are ignored, and so is the text after ``#``, ``,`` or ``;``. ::

    1..4.4.223.1..2.            # a line with all cells

    1 . | . 4                   # or a line for each row
    . 4 | . 2
    ----+----
    2 3 | . 1
    . . | 2 .

The number of characters determines the size. After the line ``regions``, the next block has the
regions of a jigsaw instead of digits: a character for each cell, the same in all cells of a region.
These regions apply to the grids that follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from typing import IO, NamedTuple

from exactile.classics.grids.sudoku import (
    LARGEST,
    SYMBOLS,
    Grid,
    Layout,
    Sudoku,
    boxed,
    jigsaw,
    usual_boxes,
)
from exactile.errors import FileError, PuzzleError
from exactile.files.sources import Place, lines_of, shown, source_name

DRESSING = re.compile(r"[\s|+-]+")
RULE = "-=|+*_:.' \t\r\n"
"""Characters of a line that separates rows of boxes. Such a line also has ``--`` or ``==``."""

REMARK = re.compile(r"[#,;]")
KEYWORD = "regions"
LOW = {
    16: (frozenset(".0_*1234"), frozenset(".0_*ABCDabcd")),
    25: (frozenset(".0_*12345"), frozenset(".0_*ABCDEabcde")),
}
"""Characters by which lines of 16 or 25 cells are recognized as complete small grids.

A line of 16 cells with no other characters is a grid of 4 by 4, not a row of a grid of 16 by 16.
For 25 cells, it is a grid of 5 by 5.
"""


class TextLine(NamedTuple):
    """A line of a file without spaces and decoration: its number, from 1, and its characters."""

    number: int
    cells: str


class TextBlock(NamedTuple):
    """The characters of a whole grid, row by row, and the number of the line on which it begins.

    If `regions` is true, the characters are the regions of a jigsaw, not digits.
    """

    regions: bool
    line: int
    cells: str


def read_lines(
    source: str | PathLike[str] | IO[str], name: str | None = None
) -> tuple[str, Iterator[TextLine]]:
    """Return the name of a source, for messages, and its lines without decoration.

    The source is a path, ``"-"`` for standard input, or an open text stream. `name`: its name; by
    default, the result of `source_name`. Lines are read when they are requested; then NotFoundError
    is raised if there is no such file, FileError if it cannot be read.
    """
    return name or source_name(source), _bare(line for _, line in lines_of(source))


def _bare(texts: Iterable[str]) -> Iterator[TextLine]:
    """Yield lines without spaces, remarks, and characters such as ``|``.

    A line of which nothing is left is skipped, unless it is blank in the file.
    """
    for number, line in enumerate(texts, start=1):
        text = REMARK.split(line, maxsplit=1)[0]
        rule = ("--" in text or "==" in text) and not text.strip(RULE)
        cells = "" if rule else DRESSING.sub("", text)
        if cells or not line.strip():
            yield TextLine(number, cells)


class Assembler:
    """Combines the lines of a file into grids.

    `name`: the name of the file, for messages. `size`: number of rows, None if unknown. `regions`:
    whether the first block has regions.

    >>> lines = [TextLine(1, "1..4"), TextLine(2, ".4.2"), TextLine(3, "23.1"), TextLine(4, "..2.")]
    >>> list(Assembler("a.txt").blocks(lines))
    [TextBlock(regions=False, line=1, cells='1..4.4.223.1..2.')]
    """

    def __init__(self, name: str, size: int | None = None, *, regions: bool = False) -> None:
        self.size = size  # the number of rows, if it is known; it may be set between blocks
        self.regions = regions  # whether the next block has regions
        self._name = name
        self._rows: list[TextLine] = []

    def place(self, line: int) -> Place:
        """Return a `Place` that names a line of the file in messages."""
        return Place(self._name, f"line {line}")

    def blocks(self, lines: Iterable[TextLine]) -> Iterator[TextBlock]:
        """Yield the grids that the lines form; raise FileError if they do not form grids."""
        for line in lines:
            if line.cells.lower().rstrip(":") == KEYWORD:
                yield from self._ended()
                self.regions = True
            elif not line.cells:
                if not self._may_pause():
                    yield from self._ended()
            else:
                yield from self._add(line)
        yield from self._ended()
        if self.regions:
            raise FileError(f"{self._name}: no lines follow '{KEYWORD}'.")

    def _add(self, line: TextLine) -> Iterator[TextBlock]:
        """Add a line; yield the grids that are then complete.

        Raise FileError if the line has a wrong number of cells.
        """
        if self._rows and len(line.cells) != len(self._rows[0].cells):
            if not self._are_grids():
                first = self._rows[0]
                raise self.place(line.number).error(
                    f"{shown(line.cells)} has {len(line.cells)} cells, but line {first.number}, "
                    f"where this grid begins, has {len(first.cells)}: {shown(first.cells)}. Write "
                    "# before lines that are not part of a grid."
                )
            yield from self._ended()
        if self._is_whole(line):
            yield self._block([line])
            return
        self._rows.append(line)
        if len(self._rows) == len(line.cells):
            yield from self._ended() if self._are_grids() else [self._block(self._taken())]

    def _is_whole(self, line: TextLine) -> bool:
        """Return whether a line is a complete grid, not a row; raise FileError if it is neither."""
        length = len(line.cells)
        if self.size is not None and not self.regions:
            if length not in (self.size, self.size**2):
                raise self.place(line.number).error(
                    f"{shown(line.cells)} has {length} cells: a grid of {self.size} by {self.size} "
                    f"has {self.size} in a row and {self.size**2} in all."
                )
            return length == self.size**2
        if length == 1:
            raise self.place(line.number).error(
                f"{shown(line.cells)} is a single cell, not a sudoku. Write the cells of a row "
                "without commas or semicolons: these begin remarks."
            )
        if length <= LARGEST:
            return False
        if round(length**0.5) ** 2 != length or length > LARGEST**2:
            raise self.place(line.number).error(
                f"{shown(line.cells)} has {length} cells, which do not make a square grid of at "
                f"most {LARGEST} rows: 81 make one of 9 by 9."
            )
        return True

    def _are_grids(self) -> bool:
        """Return whether each line read so far is a complete grid by itself: see `LOW`."""
        length = len(self._rows[0].cells) if self._rows else 0
        if length not in LOW:
            return False
        if self.regions:
            return len(self._rows) == 1
        return self.size is None and any(
            all(low.issuperset(row.cells) for row in self._rows) for low in LOW[length]
        )

    def _may_pause(self) -> bool:
        """Return whether an empty line may follow within a grid: a row of boxes may end here."""
        done = len(self._rows)
        size = len(self._rows[0].cells) if self._rows else 0
        return (
            done > 1
            and not self._are_grids()
            and any(size % high == 0 == done % high for high in range(2, done + 1))
        )

    def _ended(self) -> Iterator[TextBlock]:
        """Yield the lines read so far if each is a complete grid.

        Otherwise they are the first rows of a grid whose last rows are missing: raise FileError.
        """
        if not self._rows:
            return
        if not self._are_grids():
            raise self._unfinished()
        for row in self._taken():
            yield self._block([row])

    def _taken(self) -> list[TextLine]:
        rows, self._rows = self._rows, []
        return rows

    def _block(self, rows: list[TextLine]) -> TextBlock:
        """Return the block that consists of these rows; the next block will have digits."""
        block = TextBlock(self.regions, rows[0].number, "".join(row.cells for row in rows))
        self.regions = False
        return block

    def _unfinished(self) -> PuzzleError:
        first, cells = self._rows[0]
        what = "regions" if self.regions else "a grid"
        side = round(len(cells) ** 0.5)
        other = f", or no digit above {side} in any, to be grids of {side} by {side}"
        return self.place(first).error(
            f"{what} of {len(cells)} cells in a row, {shown(cells)}, must have as many rows: there "
            f"are {len(self._rows)}{other if len(cells) in LOW and not self.regions else ''}."
        )


EMPTY = ".0_*"
LETTERS = SYMBOLS[9:]
FROM_ZERO = "0" + SYMBOLS


@dataclass(frozen=True)
class Variant:
    """The variant of sudoku that is assumed if a file does not state one.

    `boxes`: rows and columns of a box; None for the usual ones. `diagonals`, `windows`: see
    `Layout`. `jigsaw`: a layout with other regions, which replaces the boxes; None for boxes.
    """

    boxes: tuple[int, int] | None = None  # rows and columns of a box; by default the usual ones
    diagonals: bool = False
    windows: bool = False
    jigsaw: Layout | None = None  # the layout of a jigsaw; the file may have others

    @property
    def size(self) -> int | None:
        """Number of rows of the grids, if the boxes or the jigsaw determine it; else None."""
        if self.jigsaw is not None:
            return self.jigsaw.size
        return self.boxes[0] * self.boxes[1] if self.boxes else None


def read_sudokus(
    source: str | PathLike[str] | IO[str],
    variant: Variant | None = None,
    name: str | None = None,
) -> Iterator[Sudoku]:
    r"""Yield the sudokus of a file, each as soon as its lines are read.

    `source`: a path, ``"-"`` for standard input, or an open text stream. `variant`: the variant,
    unless the file states it; by default, the usual boxes. `name`: the name of the source in
    messages. Raise NotFoundError if there is no such file, FileError if a line is wrong or there is
    no sudoku.

    >>> from io import StringIO
    >>> text = "1..4.4.223.1..2.\n\n1 . | . 4\n. 4 | . 2\n----+----\n2 3 | . 1\n. . | 2 .\n"
    >>> [(s.line, s.text(s.givens)) for s in read_sudokus(StringIO(text))]
    [(1, '1..4.4.223.1..2.'), (3, '1..4.4.223.1..2.')]
    """
    asked = variant or Variant()
    name, lines = read_lines(source, name)
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
    """Return the layout of a jigsaw, read from a file that has a character for each cell.

    Cells with the same character form a region. A line ``regions`` may come first. `diagonals`:
    whether the diagonals are houses as well. Raise NotFoundError if there is no such file,
    FileError if the regions are wrong or missing, or the file contains anything else.
    """
    name, lines = read_lines(source)
    assembler = Assembler(name, regions=True)
    found = None
    for block in assembler.blocks(lines):
        place = assembler.place(block.line)
        if found is not None:
            raise place.error(f"{shown(block.cells)} comes after the regions.")
        found = _jigsaw(place, block, diagonals=diagonals)
    if found is None:
        raise FileError(f"{name}: it has no regions: write a character for each cell.")
    return found


def _jigsaw(place: Place, block: TextBlock, *, diagonals: bool) -> Layout:
    try:
        return jigsaw(block.cells, diagonals=diagonals)
    except PuzzleError as error:
        raise place.error(str(error)) from None


def _boxed(place: Place, cells: int, variant: Variant) -> Layout:
    """Return the layout of a grid with boxes; `cells` is the number of its cells.

    Raise FileError if a grid of this size has no such boxes or windows.
    """
    size = round(cells**0.5)
    boxes = variant.boxes or usual_boxes(size)
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
    """Return the sudoku with the givens in a block; raise FileError if a sign is not a digit."""
    for symbols in _alphabets(layout.size, block.cells):
        givens = _digits(block.cells, symbols)
        if givens is not None:
            return Sudoku(layout, givens, symbols, block.line)
    size = layout.size
    usual = SYMBOLS[:size]
    wrong = next(c for c in block.cells if ord(c) not in _table(usual))
    known = f"1 to {usual[-1]}" if size < 10 else f"1 to 9 and A to {usual[-1]}"
    raise place.error(
        f"{shown(wrong)} is not a digit of a grid of {size} by {size}: write {known}, or . for an "
        "empty cell."
    )


def _alphabets(size: int, cells: str) -> Iterator[str]:
    """Yield the possible alphabets, such as ``"123456789"``, the likeliest first.

    An alphabet has the characters of the digits in order. In a grid of more than 9 rows, 0 may be a
    digit if empty cells have a different character. If no digit from 1 to 9 occurs, A may be the
    first digit.
    """
    if size > 9 and "0" in cells and any(c in cells for c in EMPTY if c != "0"):
        yield FROM_ZERO[:size]
    yield SYMBOLS[:size]
    if size <= len(LETTERS) and not any(c in cells for c in SYMBOLS[:9]):
        yield LETTERS[:size]


@lru_cache
def _table(symbols: str) -> dict[int, int]:
    """Return the digit of each symbol, by code point; 0 for characters of empty cells."""
    table = dict.fromkeys(map(ord, EMPTY), 0)
    table |= {ord(c.lower()): d for d, c in enumerate(symbols, start=1)}
    return table | {ord(c): d for d, c in enumerate(symbols, start=1)}


def _digits(cells: str, symbols: str) -> Grid | None:
    """Return the digits of the cells of a grid; None if a character is not in the alphabet."""
    table = _table(symbols)
    try:
        return tuple([table[ord(c)] for c in cells])
    except KeyError:
        return None
