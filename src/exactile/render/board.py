"""A puzzle on an HTML page before it is solved: the data to draw it, and a small preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, islice

import msgspec
import numpy as np

from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.recut import overlaps
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.render.cover import Cover
from exactile.render.paper import EMPTY_FILL, PALETTE, Drawing, number
from exactile.render.svg_space import draw_exploded
from exactile.render.thumbnail import LARGEST, SIZE, small

Numbered = tuple[str, tuple[int, ...]]
"""A placement for the scripts of a page: the piece, and its units as indices in the region."""


class SlideData(msgspec.Struct, frozen=True):
    """For each type of unit, the units that it overlaps after a slide of `Lattice.slides`.

    `offsets`: the offsets to these units. `shares`: the fraction of the moved unit in each of them.
    """

    offsets: list[list[list[int]]]
    shares: list[list[float]]


class LatticeData(msgspec.Struct, frozen=True):
    """The data of a lattice that an HTML page needs to draw and move pieces; see `Lattice`."""

    name: str
    polyform: str
    plural: str
    period: int
    origins: tuple[Point, ...]
    embedding: tuple[tuple[float, ...], ...]
    faces: tuple[tuple[tuple[tuple[float, ...], ...], ...], ...]
    neighbors: tuple[tuple[Point, ...], ...]
    # The matrices of its point group, the identity first; the first `proper` are rotations
    group: list[list[list[int]]]
    proper: int
    flips: bool
    flat: bool  # whether it lies in the plane
    edges: bool  # whether its units are edges
    sets: tuple[str, ...]  # names of its sets of pieces
    balls: bool  # whether units are balls: flat pieces may be turned over
    slides: list[SlideData]


class PieceData(msgspec.Struct, frozen=True):
    """A piece for an HTML page: points in one orientation, freedom, bounds of use, and color."""

    name: str
    units: tuple[Point, ...]
    freedom: str
    lower: int
    upper: int
    color: str


def lattice_data(lattice: Lattice) -> LatticeData:
    """Return the data of a lattice that an HTML page needs to draw and move pieces."""
    return LatticeData(
        name=lattice.name,
        polyform=lattice.polyform,
        plural=lattice.plural,
        period=lattice.period,
        origins=lattice.origins,
        embedding=lattice.embedding,
        faces=lattice.faces,
        neighbors=lattice.neighbors,
        group=lattice.group.tolist(),
        proper=len(lattice.proper),
        flips=lattice.flips,
        flat=len(lattice.embedding[0]) == 2,
        edges=len(lattice.faces[0][0]) == 2,
        sets=tuple(lattice.sets),
        balls=lattice.balls,
        slides=[SlideData(o.tolist(), shares.tolist()) for o, shares in overlaps(lattice)],
    )


def pieces_data(puzzle: Puzzle) -> list[PieceData]:
    """Return the pieces of a puzzle, each with its color."""
    return [
        PieceData(p.name, p.units, p.freedom.value, p.lower, p.upper, PALETTE[k % len(PALETTE)])
        for k, p in enumerate(puzzle.pieces)
    ]


class PaintData(msgspec.Struct, frozen=True):
    """The paint of the region and of the pieces, by the points of their units; see `Paint`."""

    units: tuple[tuple[Point, str], ...] = ()
    pieces: dict[str, tuple[tuple[Point, str], ...]] = {}
    fits: dict[str, tuple[str, ...]] = {}


def paint_data(puzzle: Puzzle) -> PaintData:
    """Return the paint of a puzzle."""
    paint = puzzle.paint
    return PaintData(
        tuple(paint.units.items()),
        {name: tuple(own.items()) for name, own in paint.pieces.items()},
        {name: tuple(goals) for name, goals in paint.fits.items()},
    )


def labels_data(puzzle: Puzzle) -> list[str]:
    """Return the label of each unit, empty for none; an empty list if no unit has one."""
    units = puzzle.region.units.tolist() if puzzle.labels else []
    return [puzzle.labels.get(tuple(unit), "") for unit in units]


def in_numbers(puzzle: Puzzle, solution: Solution) -> list[Numbered]:
    """Return each placement as its piece's name and its units' indices in the region.

    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> in_numbers(puzzle, exactile.solve_one(puzzle))[0]
    ('L', (0, 1, 2, 3))
    """
    units = [unit for placement in solution for unit in placement.units]
    points = np.array(units, dtype=np.int64).reshape(-1, puzzle.lattice.dimension)
    numbers = iter(puzzle.region.index(points).tolist())  # at once: a call takes longer than a unit
    return [(p.piece, tuple(islice(numbers, len(p.units)))) for p in solution]


MOST = 14
"""Largest number of pieces that a preview shows."""

UNIT, LARGER = 7.5, 12.0
"""Size in pixels of a unit of a piece in a preview, for many and for few pieces: see `FEW`.

Large pieces are drawn smaller.
"""

FEW = 6
"""If a puzzle has at most this many pieces, a preview draws them larger."""

BOARD = 120.0
"""Larger side of the picture of a region in space in a preview, in pixels."""

TALL = 86
"""Largest total height of the rows of pieces in a preview, in pixels."""

APART = 4.0
"""Distance between pieces in a preview, and between them and the region, in pixels."""


def preview(puzzle: Puzzle) -> str:
    """Return a small SVG document: the empty region of a puzzle, with some of its pieces below.

    >>> import exactile
    >>> preview(exactile.load("soma-cube")).count("<svg ")
    9
    """
    board = _board(puzzle)
    rows = _rows([_alone(puzzle, piece) for piece in _shown(puzzle.pieces)])
    heights = [max(high for _, (_, high) in row) for row in rows]
    below = sum(heights) + APART * len(rows)
    wide, high = board.size
    elements = [board.placed((SIZE - wide) / 2, 0)]
    top = high + APART
    for row, tall in zip(rows, heights, strict=True):
        left = (SIZE - sum(w + APART for _, (w, _) in row) + APART) / 2
        for drawing, (w, h) in row:
            elements.append(drawing.placed(left, top + tall - h, w / drawing.size[0]))
            left += w + APART
        top += tall + APART
    size = (number(SIZE), number(high + below))
    return Drawing(*size, ("0", "0", *size), tuple(elements)).svg()


def _board(puzzle: Puzzle) -> Drawing:
    """Return the drawing of the region; in space, it looks like one light gray piece."""
    if len(puzzle.lattice.embedding[0]) == 2:
        return small(puzzle)
    units = tuple(tuple(unit) for unit in puzzle.region.units.tolist())
    drawing = _solid(_whole(puzzle.lattice, units, EMPTY_FILL))
    return drawing.scaled(BOARD / max(drawing.size))


def _solid(cover: Cover) -> Drawing:
    """Return the drawing of a solid without the white ground: the page may be dark."""
    drawing = draw_exploded(cover, SIZE, apart=0.0)
    title, _, *elements = drawing.elements
    return replace(drawing, elements=(title, *elements))


def _shown(pieces: tuple[Piece, ...]) -> list[Piece]:
    """Return the pieces that a preview shows: all, or `MOST` of them, evenly spaced."""
    step = max(1.0, len(pieces) / MOST)
    return [pieces[int(i * step)] for i in range(min(MOST, len(pieces)))]


def _whole(lattice: Lattice, units: Sequence[Point], color: str) -> Cover:
    """Return a solution to be drawn: one piece without a label, in `color`, covers all units."""
    piece = Piece("A", lattice, tuple(units), Freedom.FIXED)
    puzzle = Puzzle("preview", Region(lattice, units), (piece,))
    return Cover(puzzle, (Placement("A", tuple(units)),), [color], labels=[""])


Sized = tuple[Drawing, tuple[float, float]]
"""A drawing, and the width and height in pixels to which it is scaled."""


def _alone(puzzle: Puzzle, piece: Piece) -> Sized:
    """Return the drawing of a piece in its color on the page, and its size in the preview."""
    color = PALETTE[puzzle.pieces.index(piece) % len(PALETTE)]
    cover = _whole(puzzle.lattice, piece.units, color)
    unit = LARGER if len(puzzle.pieces) <= FEW else UNIT
    if len(puzzle.lattice.embedding[0]) == 3:
        drawing = _solid(cover)
        scale = unit / drawing.unit
    else:
        drawing = small(cover.puzzle, cover.solution, colors=[color])
        scale = unit / LARGEST
    wide, high = drawing.size
    scale = min(scale, TALL / 2 / high, SIZE / wide)
    return drawing, (wide * scale, high * scale)


def _rows(pieces: list[Sized]) -> list[list[Sized]]:
    """Return pieces in rows that fit the width of a preview.

    Rows that exceed the total height `TALL` are left out, except the first.
    """
    rows: list[list[Sized]] = [[]]
    left = 0.0
    for piece in pieces:
        wide = piece[1][0]
        if rows[-1] and left + wide > SIZE:
            rows.append([])
            left = 0.0
        rows[-1].append(piece)
        left += wide + APART
    heights = accumulate(APART + max(high for _, (_, high) in row) for row in rows)
    return [row for row, end in zip(rows, heights, strict=True) if row is rows[0] or end <= TALL]
