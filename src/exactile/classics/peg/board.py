"""Boards of peg solitaire with holes, jumps and symmetries: named, of any size, or from files.

A *position* states which holes have pegs: it is an integer whose bit h is set if hole h has a peg.
Holes are counted row by row from the top: from 0 here, and from 1 in input and output.

A file of boards is TOML::

    format = 1

    [board.cross]
    grid = "square"        # or "triangle"
    drawing = '''
     #
    #o#
     #
    '''
    goal = '''
     o
    o#o
     o
    '''

In a drawing ``#`` is a peg and ``o`` an empty hole; a dot or a space is not a hole. On the triangle
grid, holes of a row are two columns apart, and each row is shifted by one column. A drawing without
empty holes leaves the choice of the first empty hole to the player. The goal is optional.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import sqrt
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from exactile.errors import FileError, NotFoundError, PuzzleError, RegionError, suggestion
from exactile.files.puzzles.units import parse_signs
from exactile.files.sources import Place, contents, parsed
from exactile.geometry import get_lattice
from exactile.geometry.isometry import to_origin, transform
from exactile.geometry.lattice import Lattice, Point, Sketch


@dataclass(frozen=True, eq=False)
class HoleGrid:
    """The kind of grid on which the holes of a board lie: ``square`` or ``triangle``."""

    # The customary name: the holes of a triangle board are hexagons, but are never called so
    name: str
    # The lattice, with a sketch for drawings of boards in which rows of holes are horizontal
    lattice: Lattice
    # The place of a hole in pictures is its point, as a row, times this matrix
    embedding: tuple[tuple[float, float], tuple[float, float]]

    def __reduce__(self) -> tuple[Callable[[str], HoleGrid], tuple[str]]:
        """Pickle only the name: a lattice that has a sketch of its own cannot be pickled."""
        return get_grid, (self.name,)


NAMES = ("square", "triangle")


@cache
def grids() -> Mapping[str, HoleGrid]:
    """Return the two kinds of grids for boards, by name.

    >>> len(grids()["triangle"].lattice.neighbors[0])
    6
    """
    square, hexagon = get_lattice("square"), get_lattice("hexagon")
    level = replace(hexagon, sketch=Sketch(columns=(2, 1), lines=(0, 1)))
    return {
        "square": HoleGrid("square", square, ((1.0, 0.0), (0.0, 1.0))),
        "triangle": HoleGrid("triangle", level, ((1.0, 0.0), (0.5, sqrt(3) / 2))),
    }


def get_grid(name: str) -> HoleGrid:
    """Return a grid by name; raise NotFoundError if there is no grid with this name."""
    if name not in NAMES:
        raise NotFoundError(
            f"There is no grid '{name}' for pegs.{suggestion(name, NAMES)} Known: square, triangle."
        )
    return grids()[name]


MOST_HOLES = 64

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Board:
    """A board of peg solitaire: its holes, jumps and symmetries.

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
    title: str = ""  # shown in place of the name; empty for none
    # start, goal: the positions that come with the board, if any
    start: int | None = None
    goal: int | None = None

    @classmethod
    def of(cls, name: str, grid: str, holes: Iterable[Point], title: str = "") -> Board:
        """Return the board that has holes at these points, given in any order.

        Raise RegionError if there are no holes, or more than 64, NotFoundError if there is no such
        grid.
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
        """The position with a peg in every hole, as an integer."""
        return (1 << self.size) - 1

    @cached_property
    def index(self) -> dict[Point, int]:
        """The number of each hole, from 0, by its point."""
        return {p: h for h, p in enumerate(self.holes)}

    @cached_property
    def jumps(self) -> Longs:
        """For each jump on the board, the holes from which, over which and to which a peg jumps.

        Shape ``(jumps, 3)``, in lexicographic order; holes are counted from 0.
        """
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
        """For each symmetry of the board, the identity first, the image of each hole.

        Shape: ``(symmetries, holes)``.
        """
        lattice, points = self.grid.lattice, np.array(self.holes, dtype=np.int64)
        home = points - to_origin(points, lattice.period)
        found = []
        for image in to_origin(transform(points, lattice.group), lattice.period) + home:
            places = [self.index.get(tuple(p)) for p in image.tolist()]
            if None not in places:
                found.append(places)
        return np.unique(np.array(found, dtype=np.int64), axis=0)  # the identity is least

    def hole(self, number: int) -> int:
        """Return the index of a hole, from 0, by its number in input and output, from 1.

        Raise PuzzleError if there is no such hole.
        """
        if not 1 <= number <= self.size:
            raise PuzzleError(
                f"The board {self.name} has no hole {number}: they are numbered from 1 to "
                f"{self.size}, row by row from the top."
            )
        return number - 1

    def numbered(self) -> str:
        """Return the board as text, with the number of each hole, from 1."""
        return self.with_words([str(h + 1) for h in range(self.size)])

    def drawn(self, position: int) -> str:
        """Return a position as text: ``#`` for a peg, ``o`` for an empty hole."""
        return self.with_words(["#" if position >> h & 1 else "o" for h in range(self.size)])

    def with_words(self, words: list[str]) -> str:
        """Return the board as text with the words in its holes, one in each, right-aligned."""
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
    """Yield the holes of a position that have pegs, in increasing order, from 0.

    >>> list(holes_of(0b1011))
    [0, 1, 3]
    """
    while position:
        low = position & -position
        yield low.bit_length() - 1
        position ^= low


FORMAT = 1

PEG, EMPTY = "#", "o"

BUILDERS = {
    "triangle": ("triangle", "triangle", 1),
    "hexagon": ("triangle", "hexagon", 1),
    "rhombus": ("triangle", "box", 2),
    "diamond": ("square", "diamond", 1),
    "square": ("square", "box", 2),
}
"""The kinds of boards of any size, such as ``triangle-5``, by name.

Each has a grid, a builder of its lattice, and the number of arguments of the builder. All arguments
are the size: for ``square-5``, 5 and 5.
"""

SIZED = re.compile(r"([a-z]+)-(\d{1,3})")


class BoardTable(msgspec.Struct, forbid_unknown_fields=True):
    """The table of one board in a TOML file."""

    grid: Literal["square", "triangle"]
    drawing: str
    goal: str | None = None
    title: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of a TOML file of boards."""

    board: dict[str, BoardTable]
    format: int = FORMAT


def load_board(reference: str) -> Board:
    """Return a board by its name, or from ``FILE.toml`` or ``FILE.toml#NAME``.

    A path of ``"-"`` is standard input. Raise NotFoundError if there is no such board or file,
    FileError if the file is damaged, has no board, or has several boards but none is named,
    RegionError if the board is too large or has no holes, PuzzleError if a drawing is wrong.

    >>> [load_board(name).size for name in ("english", "triangle-5", "diamond-5", "hexagon-3")]
    [33, 15, 41, 19]
    """
    path, _, name = reference.partition("#")
    if path.lower().endswith(".toml") or path == "-":
        file, text = contents(path)
        return _of_file(file, _boards(file, text), name)
    if sized := SIZED.fullmatch(reference):
        return _sized(reference, sized[1], int(sized[2]))
    known = named_boards()
    if reference not in known:
        raise _unknown(reference)
    return known[reference]


def named_boards() -> dict[str, Board]:
    """Return the boards that come with the package, by name."""
    text = Path(__file__).with_name("boards.toml").read_text("utf-8")
    return {
        name: board(Place("boards.toml") / name, name, table)
        for name, table in _boards("boards.toml", text).items()
    }


def _unknown(name: str) -> NotFoundError:
    known = [*named_boards(), *(f"{builder}-N" for builder in BUILDERS)]
    return NotFoundError(
        f"There is no board '{name}'.{suggestion(name, known)} Known: {', '.join(known)}; "
        "or name a file, BOARDS.toml or BOARDS.toml#NAME."
    )


def _sized(name: str, builder: str, size: int) -> Board:
    """Return the board `name`; for ``triangle-5``, `builder` is ``triangle``, and `size` is 5.

    Raise NotFoundError if there is no such builder, RegionError if the board would be too large or
    empty.
    """
    if builder not in BUILDERS:
        raise _unknown(name)
    grid, build, sizes = BUILDERS[builder]
    if not 1 <= size <= MOST_HOLES:  # too many holes are refused before they are made
        raise RegionError(
            f"The board {name} is too large or empty: a board has 1 to {MOST_HOLES} holes."
        )
    cells = get_grid(grid).lattice.builders[build](*[size] * sizes)
    return Board.of(name, grid, cells, title=f"{builder.capitalize()} of side {size}")


def _boards(file: str, text: str) -> dict[str, BoardTable]:
    """Return the tables of the boards in the text of a file, by name.

    Raise FileError if the text is damaged or has a different format.
    """
    place = Place(file)
    found = place.convert(parsed(text, place), BoardFile)
    if found.format != FORMAT:
        raise (place / "format").error(f"this version reads format {FORMAT}, not {found.format}.")
    return found.board


def _of_file(file: str, tables: dict[str, BoardTable], name: str) -> Board:
    """Return the board with this name in a file, or, if the name is empty, the only board.

    Raise NotFoundError if no board has this name, FileError if the name is empty but there is not
    exactly one board.
    """
    if not tables:
        raise FileError(f"{file}: it has no board: write a table [board.NAME].")
    if not name and len(tables) > 1:
        raise FileError(
            f"{file}: it has {len(tables)} boards: write {file}#NAME with one of "
            f"{', '.join(tables)}."
        )
    name = name or next(iter(tables))
    if name not in tables:
        raise NotFoundError(
            f"{file}: there is no board '{name}'.{suggestion(name, tables)} "
            f"Known: {', '.join(tables)}."
        )
    return board(Place(file, "board") / name, name, tables[name])


def board(place: Place, name: str, table: BoardTable) -> Board:
    r"""Return the board that a table describes.

    Raise PuzzleError if a drawing is wrong or has no peg, or the goal does not have the holes of
    the board; the message begins with `place`.

    >>> table = BoardTable("square", "###\n#o#", goal="ooo\no#o")
    >>> found = board(Place("my.toml"), "tiny", table)
    >>> found.size, bin(found.start), bin(found.goal)
    (6, '0b101111', '0b10000')
    """
    drawing, goal = place / "drawing", place / "goal"
    with drawing.errors():
        signs = _signs(table.drawing, table.grid)
        made = Board.of(name, table.grid, signs, table.title)
    start = _position(made, signs)
    if start == made.full:
        made = replace(made, start=None)
    elif start == 0:
        raise drawing.error("there is no peg in it: # is a peg, o an empty hole.")
    else:
        made = replace(made, start=start)
    if table.goal is None:
        return made
    with goal.errors():
        aim = _signs(table.goal, table.grid)
    shift = [min(p[k] for p in signs) - min(p[k] for p in aim) for k in (0, 1)]
    moved: dict[Point, str] = {(p[0] + shift[0], p[1] + shift[1]): sign for p, sign in aim.items()}
    if moved.keys() != signs.keys() or not (position := _position(made, moved)):
        raise goal.error(
            "it must have the holes of the drawing, and a peg in one of them at least."
        )
    return replace(made, goal=position)


def _signs(text: str, grid: str) -> dict[Point, str]:
    """Return the sign of each hole in a drawing, ``#`` or ``o``, by the point of the hole.

    Raise PuzzleError if the drawing has other signs, RegionError if it has no hole.
    """
    text = text.strip("\n")
    strange = set(text) - set(PEG + EMPTY + ". \n")
    if strange:
        raise PuzzleError(
            f"{min(strange)!r} has no meaning in a drawing of a board: write # for a peg, o for an "
            "empty hole, . or a space for nothing."
        )
    signs = parse_signs(text, get_grid(grid).lattice, letters=EMPTY)
    if not signs:
        raise RegionError("There is no hole in the drawing: # is a peg, o an empty hole.")
    return signs


def _position(made: Board, signs: Mapping[Point, str]) -> int:
    return sum(1 << h for h, p in enumerate(made.holes) if signs[p] == PEG)
