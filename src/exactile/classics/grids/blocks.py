r"""Lines of text combined into blocks: the cells of a grid, or of the regions of a jigsaw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import IO, NamedTuple

from exactile.classics.grids.layout import LARGEST
from exactile.errors import FileError, PuzzleError
from exactile.files.sources import Place, lines_of, shown, source_name

DRESSING = re.compile(r"[\s|+-]+")
RULE = "-=|+*_:.' \t\r\n"
"""Characters of lines between rows of boxes, which have two of the first, or of the second."""

REMARK = re.compile(r"[#,;]")
KEYWORD = "regions"
LOW = {
    16: (frozenset(".0_*1234"), frozenset(".0_*ABCDabcd")),
    25: (frozenset(".0_*12345"), frozenset(".0_*ABCDEabcde")),
}
"""Largest number of characters of a small grid for each character set; more are a large row."""


class TextLine(NamedTuple):
    """A stripped line: its number, from 1, and its characters."""

    number: int
    cells: str


class TextBlock(NamedTuple):
    """The cells of a grid, or of regions, row by row, and the line on which they begin."""

    regions: bool
    line: int
    cells: str


def read_lines(source: str | PathLike[str] | IO[str]) -> tuple[str, Iterator[TextLine]]:
    """Return the name of a file, ``"-"`` for standard input, and its lines while they are read."""
    return source_name(source), _bare(line for _, line in lines_of(source))


def _bare(texts: Iterable[str]) -> Iterator[TextLine]:
    """Yield lines without decoration; of lines without cells only the empty ones."""
    for number, line in enumerate(texts, start=1):
        text = REMARK.split(line, maxsplit=1)[0]
        rule = ("--" in text or "==" in text) and not text.strip(RULE)
        cells = "" if rule else DRESSING.sub("", text)
        if cells or not line.strip():
            yield TextLine(number, cells)


class Assembler:
    """Combines lines into blocks.

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
        """Return a line in the form of messages."""
        return Place(self._name, f"line {line}")

    def blocks(self, lines: Iterable[TextLine]) -> Iterator[TextBlock]:
        """Yield the blocks of the lines; raise FileError if they do not form blocks."""
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
        """Take a line; yield the block that it completes, or blocks if the lines were grids."""
        if self._rows and len(line.cells) != len(self._rows[0].cells):
            if not self._are_grids():
                first = self._rows[0]
                raise self.place(line.number).error(
                    f"{shown(line.cells)} has {len(line.cells)} cells, but line {first.number}, "
                    f"where this grid begins, has {len(first.cells)}."
                )
            yield from self._ended()
        if self._is_whole(line):
            yield self._block([line])
            return
        self._rows.append(line)
        if len(self._rows) == len(line.cells):
            yield from self._ended() if self._are_grids() else [self._block(self._taken())]

    def _is_whole(self, line: TextLine) -> bool:
        """Return whether a line has all cells of a grid; otherwise it is a row."""
        length = len(line.cells)
        if self.size is not None and not self.regions:
            if length not in (self.size, self.size**2):
                raise self.place(line.number).error(
                    f"{shown(line.cells)} has {length} cells: a grid of {self.size} by {self.size} "
                    f"has {self.size} in a row and {self.size**2} in all."
                )
            return length == self.size**2
        if length <= LARGEST:
            return length == 1
        if round(length**0.5) ** 2 != length or length > LARGEST**2:
            raise self.place(line.number).error(
                f"{shown(line.cells)} has {length} cells, which make no square grid of at most "
                f"{LARGEST} rows: 81 make one of 9 by 9."
            )
        return True

    def _are_grids(self) -> bool:
        """Return whether each of the waiting lines is a block of its own, not a row."""
        length = len(self._rows[0].cells) if self._rows else 0
        if length not in LOW:
            return False
        if self.regions:
            return len(self._rows) == 1
        return self.size is None and any(
            all(low.issuperset(row.cells) for row in self._rows) for low in LOW[length]
        )

    def _may_pause(self) -> bool:
        """Return whether an empty line is allowed here: between rows of boxes."""
        done = len(self._rows)
        size = len(self._rows[0].cells) if self._rows else 0
        return (
            done > 1
            and not self._are_grids()
            and any(size % high == 0 == done % high for high in range(2, done + 1))
        )

    def _ended(self) -> Iterator[TextBlock]:
        """Yield the waiting lines if each is a block; raise an error if lines are missing."""
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
        """Return the block of some rows."""
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
