"""Puzzles in the text format of Matt Busche's solver polycube.

A puzzle is between the lines ``D`` and ``~D``; its region is a box. A piece is either a list of
coordinates, in a line ``C``, or part of a drawing between ``L`` and ``~L``. In a drawing there is a
word for each cell: the name of the cell's piece, or a dot for an empty cell. A line goes along x,
commas separate layers, and the first line has the highest y. ::

    D:xDim=3:yDim=2:zDim=1            # with :oneSide=1 pieces may not be turned over
    C:name=I:layout=0 0 0, 1 0 0
    L:stationary=*                    # piece * has a fixed place, as drawn
    * V V
    . . V
    ~L
    ~D

Pieces may be turned. Flat pieces in a puzzle of one layer may also be turned over, unless
``oneSide`` is set. The cells of a stationary piece are left out of the region.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import prod

import numpy as np

from exactile.files.foreign import Foreign, distinct, identifier, stem
from exactile.files.sources import Place, shown
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import MAX_UNITS, Point
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece

Settings = dict[str, str]


@dataclass
class _Box:
    """The part of a puzzle that was read so far: the box, and the cells of pieces by name."""

    size: Point
    one_sided: bool
    place: Place
    cells: dict[str, list[Point]] = field(default_factory=dict)
    stationary: set[str] = field(default_factory=set)


def parse_polycube(name: str, text: str) -> Foreign:
    """Read the puzzles in the text of a file; `name` is for messages and identifiers.

    Raise FileError if a line is wrong; the message names the line. Raise PuzzleError if a puzzle is
    impossible.

    >>> text = '''D:xDim=3:yDim=2
    ... L
    ... A A B
    ... . . B
    ... ~L
    ... C:name=C:layout=0 0 0, 1 0 0
    ... ~D'''
    >>> puzzle, = parse_polycube("dominoes.txt", text).puzzles
    >>> puzzle.name, puzzle.pieces[0].name, puzzle.pieces[0].upper
    ('dominoes', 'A', 3)
    """
    boxes = _PolycubeReader(name).boxes(text)
    ids = distinct([identifier(stem(name))] * len(boxes))
    with Place(name).errors():
        return Foreign([_puzzle(i, stem(name), box) for i, box in zip(ids, boxes, strict=True)])


class _PolycubeReader:
    """Reads a file line by line; while `drawn` is set, the lines belong to a drawing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.done: list[_Box] = []
        self.box: _Box | None = None
        self.drawn: dict[str, list[Point]] | None = None
        self.waiting: set[str] = set()
        self.line = 0

    def boxes(self, text: str) -> list[_Box]:
        place = Place(self.name)
        for number, whole in enumerate(text.splitlines(), start=1):
            line = whole.partition("#")[0].strip()
            if line:
                place = Place(self.name, f"line {number}")
                self._line(line, place)
        if self.drawn is not None or self.box is not None:
            raise place.error(f"the file ends before {'~L' if self.drawn is not None else '~D'}.")
        if not self.done:
            raise Place(self.name).error("there is no puzzle in it: it begins with a line D.")
        return self.done

    def _line(self, line: str, place: Place) -> None:
        word, *parts = (part.strip() for part in line.split(":"))
        if self.drawn is not None and word != "~L":
            self._draw(line)
        elif word == "D" and self.box is None:
            self.box = _box(parts, place)
        elif self.box is None:
            raise place.error(f"{shown(line)} is outside a puzzle: it begins with a line D.")
        elif word == "C":
            _add(self.box, *_coordinates(parts, place), place)
        elif word == "L":
            stationary = _settings(parts, ["stationary"], place).get("stationary", "")
            self.drawn, self.line, self.waiting = {}, self.box.size[1], set(stationary.split())
        elif word == "~L" and self.drawn is not None:
            self._end_drawing(self.box, self.drawn, place)
        elif word == "~D":
            self.done.append(self.box)
            self.box = None
        else:
            raise place.error(f"{shown(line)} is not a directive: use D, C, L, ~L or ~D.")

    def _draw(self, line: str) -> None:
        assert self.drawn is not None
        self.line -= 1
        for z, layer in enumerate(line.split(",")):
            for x, piece in enumerate(layer.split()):
                if piece != ".":
                    self.drawn.setdefault(piece, []).append((x, self.line, z))

    def _end_drawing(self, box: _Box, drawn: dict[str, list[Point]], place: Place) -> None:
        missing = sorted(self.waiting - set(drawn))
        if missing:
            raise place.error(f"the stationary piece {shown(missing[0])} is not in the drawing.")
        for piece, cells in drawn.items():
            _add(box, piece, cells, piece in self.waiting, place)
        self.drawn = None


def _settings(parts: list[str], known: list[str], place: Place) -> Settings:
    result: Settings = {}
    for part in parts:
        name, _, value = (word.strip() for word in part.partition("="))
        if name not in known:
            raise place.error(f"unknown setting {shown(part)}. Known: {', '.join(known)}.")
        if name in result:
            raise place.error(f"the setting {name} occurs twice.")
        result[name] = value
    return result


def _box(parts: list[str], place: Place) -> _Box:
    axes = ["xDim", "yDim", "zDim"]
    settings = _settings(parts, [*axes, "oneSide"], place)
    size = tuple(
        _integer(settings.get(axis, "1" if axis == "zDim" else ""), axis, place) for axis in axes
    )
    if min(size) < 1 or prod(size) > MAX_UNITS:
        text = " x ".join(map(str, size))
        raise place.error(
            f"a box of {text} is impossible: sizes start at 1, and at most "
            f"{MAX_UNITS:,} cells are allowed."
        )
    one_sided = settings.get("oneSide", "0") not in ("0", "false")
    if one_sided and size[2] > 1:
        raise place.error("oneSide is for puzzles of one layer: zDim must be 1.")
    return _Box(size, one_sided, place)


def _integer(text: str, what: str, place: Place) -> int:
    try:
        return int(text) if len(text) < 8 else int("")
    except ValueError:
        raise place.error(f"{what}={shown(text)} is not an integer.") from None


def _coordinates(parts: list[str], place: Place) -> tuple[str, list[Point], bool]:
    """Return the name of a piece, its cells, and whether it is stationary.

    `parts`: the settings of a line ``C``, such as ``name=I``. `place`: the line, for messages.
    """
    settings = _settings(parts, ["name", "type", "layout"], place)
    for key in ("name", "layout"):
        if not settings.get(key):
            raise place.error(f"the setting {key} is missing.")
    if settings.get("type", "M") not in ("M", "S"):
        raise place.error(f"type={shown(settings['type'])} is neither M (mobile) nor S.")
    cells: list[Point] = []
    for triple in settings["layout"].split(","):
        cell: Point = tuple(_integer(word, "layout", place) for word in triple.split())
        if len(cell) != 3:
            raise place.error(f"{shown(triple.strip())} is not a cell: write integers, x y z.")
        cells.append(cell)
    return settings["name"], cells, settings.get("type") == "S"


def _add(box: _Box, piece: str, cells: list[Point], stays: bool, place: Place) -> None:
    if piece in box.cells:
        raise place.error(f"there already is a piece {shown(piece)}.")
    twice = [cell for cell, number in Counter(cells).items() if number > 1]
    if twice:
        raise place.error(f"piece {shown(piece)} has the cell {list(twice[0])} twice.")
    box.cells[piece] = cells
    if stays:
        outside = [
            c for c in cells if not all(0 <= k < n for k, n in zip(c, box.size, strict=True))
        ]
        if outside:
            raise place.error(
                f"the stationary piece {shown(piece)} has the cell {list(outside[0])}, which is "
                "outside the box."
            )
        box.stationary.add(piece)


def _puzzle(name: str, title: str, box: _Box) -> Puzzle:
    taken = [cell for piece in box.stationary for cell in box.cells[piece]]
    twice = [cell for cell, number in Counter(taken).items() if number > 1]
    if twice:
        raise box.place.error(f"two stationary pieces have the cell {list(twice[0])}.")
    x, y, z = box.size
    cells = sorted({(i, j, k) for i in range(x) for j in range(y) for k in range(z)} - set(taken))
    mobile = {n: c for n, c in box.cells.items() if n not in box.stationary}
    if not mobile or not cells:
        raise box.place.error("this puzzle has nothing to be placed.")
    area = sum(map(len, mobile.values()))
    if area != len(cells):
        raise box.place.error(
            f"the pieces have {area} cells, but {len(cells)} are to be covered: polycube demands "
            "that these are equal."
        )
    flat = z == 1 and all(len({cell[2] for cell in piece}) == 1 for piece in mobile.values())
    if box.one_sided and not flat:
        raise box.place.error("oneSide is for flat pieces: all cells of one have the same z.")
    lattice = get_lattice("square" if flat else "cube")
    freedom = Freedom.FREE if flat and not box.one_sided else Freedom.ONE_SIDED
    pieces = [
        Piece(label, lattice, _points(c, lattice.dimension), freedom)
        for label, c in zip(distinct(list(mobile)), mobile.values(), strict=True)
    ]
    region = Region(lattice, np.array(cells, dtype=np.int64)[:, : lattice.dimension])
    return Puzzle(name, region, tuple(pieces), title=title)


def _points(cells: list[Point], dimension: int) -> tuple[Point, ...]:
    return as_tuples(np.array(cells, dtype=np.int64)[:, :dimension])
