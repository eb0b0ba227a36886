"""Puzzles of Jaap Scherphuis' PolySolver: files with the suffix ``.psv``.

The first line is the title. Then come the grid (squares by default), the board, the tiles, and the
mode, which says whether all tiles must be used. Any white space may separate words and signs, and
``#`` begins a comment. ::

    Two trominoes and a domino
    Square
    Board ( (3,1) )                   # a box, from (0,0) to (3,1)
    tile flip 2 ((0,0)(1,0)(1,1))     # flip: may be reflected; fixed: not even turned
    tile ((0,0)(1,0))                 # may be turned but not reflected
    mode FillAll

Cells listed after the corner of the box are removed if they are in the box, and added if they are
not. The numbers after ``tile`` are the largest and, optionally, the least number of times that
the tile is used; without numbers, it is used once at most. In the mode ``FillAll`` tiles cover the
whole board, and some may stay unused. In the mode ``UseAll`` every tile is used the largest number
of times, and cells may stay empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from exactile.errors import PuzzleError
from exactile.files.foreign import Foreign, identifier, stem
from exactile.files.sources import Place, shown
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import MAX_UNITS, Point
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece

TOKEN = re.compile(r"#.*|[\s,]+|([-A-Za-z0-9^_'.\\/]+|.)")
HEADLESS = re.compile(r"\s*(board|tile)\b.*\(", re.IGNORECASE)
CONTENT = re.compile(r"^\s*board\s*\(\s*\(", re.IGNORECASE | re.MULTILINE)
"""Matches the beginning of a board, ``Board ((``, by which this format is recognized."""

Cell = tuple[Point, int]
"""Coordinates, and the kind of the cell, such as an upward triangle; 0 if all are of one kind."""


@dataclass(frozen=True)
class Mesh:
    """A grid of PolySolver, and the function that converts its cells.

    Attributes
    ----------
    lattice
        Name of the lattice.
    dimension
        Number of coordinates of a cell.
    kinds
        Number of kinds of cells: 2 for triangles, else 1.
    here
        Returns the customary coordinates of a cell, from PolySolver's coordinates and the kind.
    """

    lattice: str
    dimension: int
    kinds: int
    here: Callable[[Point, int], Point]


GRIDS = {
    "square": Mesh("square", 2, 1, lambda p, _: p),
    "cube": Mesh("cube", 3, 1, lambda p, _: p),
    # Their axes are at 120 degrees, those of the lattice at 60.
    "hexagon": Mesh("hexagon", 2, 1, lambda p, _: (p[0] - p[1], p[1])),
    # Kind 1 points up from its left corner, kind 0 down to its lowest one.
    "triangle": Mesh("triangle", 2, 2, lambda p, k: (p[0] - p[1] - (k == 0), p[1], int(k == 0))),
}
"""The grids that can be read, by their names in files."""

MODES = ("fillall", "useall")


def parse_psv(name: str, text: str) -> Foreign:
    r"""Read the puzzle in the text of a file; `name` is for messages and identifiers.

    Raise FileError if the file is damaged, or has a feature that is not supported: a grid that is
    not in `GRIDS`, a tile with a fixed place, or a tile whose several forms are not exactly the
    orientations of one piece. Raise PuzzleError if the puzzle is impossible, for example if the
    number of uses of a tile is negative.

    >>> text = "A tiling\nBoard ((3,1))\ntile flip 2 ((0,0)(1,0)(1,1))\ntile ((0,0)(1,0))"
    >>> puzzle, = parse_psv("tiling.psv", text).puzzles
    >>> puzzle.title, len(puzzle.region), [(p.order, p.upper) for p in puzzle.pieces]
    ('A tiling', 8, [(3, 2), (2, 1)])
    """
    first, _, rest = text.partition("\n")
    headless = HEADLESS.match(first) is not None
    title = "" if headless else first.strip()
    tokens = _Tokens(name, text if headless else rest, 1 if headless else 2)
    with Place(name).errors():
        return Foreign([_PsvReader(tokens).puzzle(identifier(stem(name)), title)])


class _Tokens:
    """Reads a text word by word, in lower case; a sign such as ``(`` is a word of its own."""

    def __init__(self, name: str, text: str, line: int) -> None:
        self._name = name
        self._all = [
            (match[1].lower(), number)
            for number, row in enumerate(text.splitlines(), start=line)
            for match in TOKEN.finditer(row)
            if match[1]
        ]
        self._next = 0

    def peek(self) -> str:
        """Return the next word, or an empty string at the end, without taking it."""
        return self._all[self._next][0] if self._next < len(self._all) else ""

    def take(self, *wanted: str) -> str:
        """Take and return the next word.

        Raise FileError if there is none, or if `wanted` is not empty and does not have the word.
        """
        word = self.peek()
        if not word or (wanted and word not in wanted):
            raise self.error(f"expected {' or '.join(wanted) or 'more'}")
        self._next += 1
        return word

    def integer(self) -> int:
        """Take the next word and return it as an integer; raise FileError if it is not one."""
        if not re.fullmatch(r"-?[0-9]{1,6}", self.peek()):
            raise self.error("expected an integer")
        return int(self.take())

    def error(self, text: str) -> PuzzleError:
        """Return a FileError whose message states the line, `text`, and the next word."""
        if not self._all:
            return Place(self._name).error(f"{text}, but the file is empty.")
        word, line = self._all[min(self._next, len(self._all) - 1)]
        found = shown(word) if self._next < len(self._all) else "the end of the file"
        return Place(self._name, f"line {line}").error(f"{text}, found {found}.")


class _PsvReader:
    def __init__(self, tokens: _Tokens) -> None:
        self.tokens = tokens
        self.board: list[Point] = []
        self.pieces: list[Piece] = []
        self.mode = "fillall"

    def puzzle(self, name: str, title: str) -> Puzzle:
        """Read all words after the title and return the puzzle; `name` is its identifier."""
        tokens = self.tokens
        self.grid = self._grid()
        self.lattice = get_lattice(self.grid.lattice)
        while tokens.peek():
            word = tokens.take("board", "tile", "mode", "solution", "notes", "place")
            if word == "board":
                self._board()
            elif word == "tile":
                self.pieces.append(self._tile())
            elif word == "mode":
                self.mode = tokens.take(*MODES)
            elif word == "place":
                raise tokens.error("placed tiles are not supported: take them off the board")
            else:
                break  # solutions and notes end the file
        if not self.board or not self.pieces:
            raise tokens.error(f"there is no {'tile' if self.board else 'board'} in the file")
        return Puzzle(name, self._region(), tuple(self._bounded()), title=title or name)

    def _grid(self) -> Mesh:
        word = self.tokens.peek()
        if word in ("board", "tile"):
            return GRIDS["square"]
        if word not in GRIDS:
            raise self.tokens.error(f"expected one of the grids {', '.join(GRIDS)}")
        return GRIDS[self.tokens.take()]

    def _cell(self) -> Cell:
        """Take and return a cell: ``(x,y)``, in space ``(x,y,z)``, or ``(x,y:kind)``.

        The kind is required if the grid has several kinds. Raise FileError if the next words are
        not a cell.
        """
        tokens = self.tokens
        tokens.take("(")
        place = tuple(tokens.integer() for _ in range(self.grid.dimension))
        kind = 0
        if self.grid.kinds > 1:
            if tokens.peek() == ":":
                tokens.take()
            kind = tokens.integer()
            if not 0 <= kind < self.grid.kinds:
                raise tokens.error(f"expected a kind of cell up to {self.grid.kinds - 1} before")
        tokens.take(")")
        return place, kind

    def _board(self) -> None:
        tokens = self.tokens
        tokens.take("(")
        corner, last = self._cell()
        if min(corner) < 0 or np.prod([c + 1 for c in corner]) > MAX_UNITS:
            raise tokens.error(f"a board of 1 to {MAX_UNITS:,} cells was expected before")
        places = product(*(range(c + 1) for c in corner))
        cells: set[Cell] = set(product(places, range(last + 1)))
        while tokens.peek() == "(":
            cells ^= {self._cell()}
        tokens.take(")")
        self.board = [self.grid.here(*cell) for cell in sorted(cells)]

    def _tile(self) -> Piece:
        tokens = self.tokens
        freedom = {"flip": Freedom.FREE, "fixed": Freedom.FIXED}.get(tokens.peek())
        if freedom is None:
            freedom = Freedom.ONE_SIDED
        else:
            tokens.take()
        uses = [tokens.integer() for _ in range(2) if tokens.peek() != "("] or [1]
        forms = self._forms()
        if tokens.peek() == "(":  # a color
            tokens.take()
            for _ in range(3):
                tokens.integer()
            tokens.take(")")
        low, high = (min(uses), max(uses)) if len(uses) > 1 else (0, uses[0])
        name = f"T{len(self.pieces) + 1}"
        return _joined([Piece(name, self.lattice, f, freedom, low, high) for f in forms], tokens)

    def _forms(self) -> list[tuple[Point, ...]]:
        """Take the forms of a tile, as in ``((0,0)(1,0)+(0,0)(0,1))``; return their points.

        Raise FileError if a form is empty or malformed, or has a cell twice.
        """
        tokens = self.tokens
        tokens.take("(")
        forms: list[list[Point]] = [[]]
        while tokens.peek() in ("(", "+"):
            if tokens.peek() == "+":
                tokens.take()
                forms.append([])
            else:
                forms[-1].append(self.grid.here(*self._cell()))
        if not all(forms) or any(len(set(form)) < len(form) for form in forms):
            raise tokens.error("expected the cells of a tile before, each once")
        tokens.take(")")
        return [as_tuples(self.lattice.points(form)) for form in forms]

    def _bounded(self) -> list[Piece]:
        """Return the pieces with their final bounds of uses.

        In the mode ``useall``, and also if all copies together exactly fill the board, each piece
        must be used the largest number of times.
        """
        area = sum(piece.order * piece.upper for piece in self.pieces)
        if self.mode == "useall" or area == len(self.board):
            return [replace(piece, lower=piece.upper) for piece in self.pieces]
        return self.pieces

    def _region(self) -> Region:
        area = sum(piece.order * piece.upper for piece in self.pieces)
        loose = self.mode == "useall" and area != len(self.board)
        points = self.lattice.points(self.board)
        return Region(self.lattice, points, np.full(len(points), loose))


def _joined(forms: list[Piece], tokens: _Tokens) -> Piece:
    """Return one piece whose orientations are exactly those of all forms together.

    `forms`: a piece for each form of a tile. `tokens`: the reader of the file, for errors. Raise
    FileError if no `Freedom` gives the first form these orientations.
    """
    aspects = {aspect.tobytes() for form in forms for aspect in form.aspects}
    first = forms[0]
    for freedom in Freedom:
        piece = replace(first, freedom=freedom)
        if {aspect.tobytes() for aspect in piece.aspects} == aspects:
            return piece if len(forms) > 1 else first
    raise tokens.error(
        f"tile {first.name[1:]} has {len(forms)} forms that are not all the ways to turn one of "
        "them: that is not supported; they end before what was"
    )
