"""A board of peg solitaire: its holes, the jumps, and the symmetries.

A *position* gives the holes with pegs: an integer whose bit h is set if hole h has one. Holes are
counted from 0 here, row by row from the top, and from 1 wherever people see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactile.classics.peg.grid import HoleGrid, get_grid
from exactile.errors import PuzzleError, RegionError
from exactile.geometry.isometry import to_origin, transform
from exactile.geometry.lattice import Point

MOST_HOLES = 64

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Board:
    """A board.

    >>> board = Board.of("tiny", "triangle", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)])
    >>> print(board.numbered())
      1
     2 3
    4 5 6
    >>> board.jumps.tolist()
    [[0, 1, 3], [0, 2, 5], [3, 1, 0], [3, 4, 5], [5, 2, 0], [5, 4, 3]]
    >>> len(board.symmetries)
    6
    """

    name: str
    grid: HoleGrid  # the grid, which determines the neighbors of holes
    holes: tuple[Point, ...]  # the points of the holes, row by row from the top: see `Board.of`
    title: str = ""  # for people
    # start, goal: the positions that come with the board, if any
    start: int | None = None
    goal: int | None = None

    @classmethod
    def of(cls, name: str, grid: str, holes: Iterable[Point], title: str = "") -> Board:
        """Return the board with some holes, in any order.

        Raise RegionError if there are none, or more than 64.
        """
        rows = tuple(sorted(holes, key=lambda p: (-p[1], p[0])))
        if not 1 <= len(rows) <= MOST_HOLES:
            raise RegionError(
                f"The board {name} has {len(rows):,} holes: a board has 1 to {MOST_HOLES}."
            )
        return cls(name, get_grid(grid), rows, title)

    @property
    def size(self) -> int:
        """Number of holes."""
        return len(self.holes)

    @property
    def full(self) -> int:
        """The position with a peg in every hole."""
        return (1 << self.size) - 1

    @cached_property
    def index(self) -> dict[Point, int]:
        """The number of the hole at a point."""
        return {p: h for h, p in enumerate(self.holes)}

    @cached_property
    def jumps(self) -> Longs:
        """All jumps: the holes from, over and to which; shape ``(jumps, 3)``, sorted."""
        steps = self.grid.lattice.neighbors[0]
        found = []
        for h, (x, y) in enumerate(self.holes):
            for dx, dy in steps:
                over, to = (
                    self.index.get((x + dx, y + dy)),
                    self.index.get((x + 2 * dx, y + 2 * dy)),
                )
                if over is not None and to is not None:
                    found.append((h, over, to))
        return np.array(sorted(found), dtype=np.int64).reshape(-1, 3)

    @cached_property
    def symmetries(self) -> Longs:
        """The image of each hole under each isometry that keeps the board; the identity first."""
        lattice, points = self.grid.lattice, np.array(self.holes, dtype=np.int64)
        home = points - to_origin(points, lattice.period)
        found = []
        for image in to_origin(transform(points, lattice.group), lattice.period) + home:
            places = [self.index.get(tuple(p)) for p in image.tolist()]
            if None not in places:
                found.append(places)
        return np.unique(np.array(found, dtype=np.int64), axis=0)  # the identity is least

    def hole(self, number: int) -> int:
        """Return the hole with a number from 1; raise PuzzleError if there is no such hole."""
        if not 1 <= number <= self.size:
            raise PuzzleError(
                f"The board {self.name} has no hole {number}: they are numbered from 1 to "
                f"{self.size}, row by row from the top."
            )
        return number - 1

    def numbered(self) -> str:
        """Return the board as text with the number of each hole."""
        return self.with_words([str(h + 1) for h in range(self.size)])

    def drawn(self, position: int) -> str:
        """Return a position as text: ``#`` for a peg, ``o`` for an empty hole."""
        return self.with_words(["#" if position >> h & 1 else "o" for h in range(self.size)])

    def with_words(self, words: list[str]) -> str:
        """Return the board as text with a word in each hole, right-aligned."""
        width = max(map(len, words))
        sketch = self.grid.lattice.sketch
        assert sketch is not None
        step = -(-(width + 1) // sketch.columns[0])  # so that no two words touch
        columns = [step * (sketch.columns[0] * x + sketch.columns[1] * y) for x, y in self.holes]
        low = min(columns)
        lines: dict[int, str] = {}
        for (_, y), column, word in zip(self.holes, columns, words, strict=True):
            lines[y] = lines.get(y, "").ljust(column - low) + word.rjust(width)
        top, bottom = self.holes[0][1], self.holes[-1][1]
        return "\n".join(lines.get(y, "").rstrip() for y in range(top, bottom - 1, -1))


def holes_of(position: int) -> Iterator[int]:
    """Yield the holes with pegs, in increasing order.

    >>> list(holes_of(0b1011))
    [0, 1, 3]
    """
    while position:
        low = position & -position
        yield low.bit_length() - 1
        position ^= low
