"""Results about tilings as SVG: tilings with their period, tiles with their coronas, censuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.answers import (
    CensusEntry,
    TilingAnswer,
    TilingCensus,
    TilingPatch,
    UncoverableUnits,
)
from exactile.answers.base import Placed
from exactile.doors import door
from exactile.errors import PictureError
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Placement, Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.render.cover import Cover
from exactile.render.forms import draw_cover
from exactile.render.paper import INK, PALETTE, PAPER, Drawing, Paper, path
from exactile.render.pictures import PIECE_ZOOM, Picture
from exactile.render.svg import piece_drawing
from exactile.render.svg_plane import borders

Array = npt.NDArray[np.float64]

COLORS = ("orientation", "class", "copy", "corona")
"""Properties that tiles of the same color can share."""

GRAY = "#bbbbbb"
"""The color of polyforms that do not tile."""

MISSED = "#d00000"
"""The color of units that an attempt to cover them leaves uncovered."""

TILES, PERIODS = 36, 4
"""Approximate number of tiles, and least number of periods, in a patch of a tiling."""

SHAPE = 4 / 3
"""Width of a patch of a tiling relative to its height."""


class Tile(NamedTuple):
    """A tile: its piece, its points, and the number of its copy, class or corona."""

    piece: str
    points: Points
    number: int


@door
def draw_tiling(answer: TilingAnswer, *, color: str | None = None, width: int = 640) -> str:
    """Draw the result of a search for tilings as a standalone SVG document.

    Parameters
    ----------
    answer
        The answer of `exactile.tile`. The drawing shows the first of these that the answer has: a
        tiling; units that cannot all be covered, unless `color` is ``"corona"``; the patch with the
        most coronas (rings of tiles); the prototile alone.
    color
        The property that tiles of the same color share. ``"orientation"`` applies to all drawings.
        For a tiling: ``"class"``, a tile's orbit under the symmetries of the tiling, or ``"copy"``,
        a tile's place in the period. For a patch: ``"corona"``. The default is ``"corona"`` for
        patches and ``"orientation"`` for other drawings.
    width
        Width of the drawing in pixels; the height follows from it.

    Returns
    -------
    str
        The document. One period of a tiling, a fundamental domain of its translations, has a thick
        outline, and two arrows show translations that generate all others. Of a tiling of space,
        only one period is drawn.

    Raises
    ------
    PictureError
        If there is nothing to draw, or `color` is unknown or does not apply to the drawing.
    PuzzleError
        If `width` is not positive.

    Examples
    --------
    >>> import exactile
    >>> picture = draw_tiling(exactile.tile("F"))
    >>> picture.count("<title>F</title>")
    40
    """
    if color is not None and color not in COLORS:
        raise PictureError(f"There is no color '{color}': write {', '.join(COLORS)}.")
    lattice = get_lattice(answer.lattice)
    title = f"{', '.join(p.name for p in answer.prototiles)}: {answer.verdict}"
    if answer.tiling is None:
        if color in ("class", "copy"):
            raise PictureError(f"Only the tiles of a periodic tiling are colored by '{color}'.")
        if answer.uncoverable is not None and color != "corona":
            return _attempt(lattice, answer.uncoverable, title, width)
        patch = _patch(answer)
        tiles = _tiles(lattice, patch.tiles, patch.levels)
        by_turn = color == "orientation"
        return _draw(lattice, tiles, title, width, by_turn=by_turn)[0].svg()
    if color == "corona":
        raise PictureError("A periodic tiling has no coronas: write orientation, class or copy.")
    by_turn = color in (None, "orientation")
    made = answer.tiling
    numbers = made.classes if color == "class" else range(len(made.copies))
    copies = _tiles(lattice, made.copies, numbers)
    if len(lattice.embedding[0]) == 3:
        return _draw(lattice, copies, title, width, by_turn=by_turn)[0].svg()
    vectors = _short(np.array(made.vectors), lattice)
    domain = _gathered(lattice, copies, vectors)
    tiles = _around(lattice, domain, vectors)
    drawing, paper = _draw(lattice, tiles, title, width, by_turn=by_turn)
    elements = (*drawing.elements, *_period(lattice, domain, vectors, paper))
    return replace(drawing, elements=elements).svg()


def census_pictures(census: TilingCensus) -> list[Picture]:
    """Return drawings of the polyforms in the entries of a census, with results as captions.

    A polyform that tiles has one of four colors, for the first of these ways that is possible: by
    translations, with half turns, isohedrally, or otherwise. Gray polyforms do not tile; for white
    ones, this is open.

    >>> from exactile.surveys.tiling.census import Census
    >>> from exactile.surveys.tiling.survey import survey
    >>> pictures = census_pictures(survey(Census("hexagon", 6, "free"), entries=True))
    >>> pictures[0][1], [caption for _, caption in pictures if "Heesch" in caption][0]
    ('1: 1 copy', '38: Heesch 1')
    """
    lattice = get_lattice(census.lattice)
    made = []
    for entry in census.entries:
        units = tuple(map(tuple, lattice.points(entry.units).tolist()))
        piece = Piece(str(entry.rank), lattice, units, Freedom.FREE)
        words, color = _known(entry)
        made.append((piece_drawing(piece, PIECE_ZOOM, color), f"{entry.rank}: {words}"))
    return made


def _known(entry: CensusEntry) -> tuple[str, str]:
    """Return the result for a polyform in a few words, such as ``Heesch 1``, and its color."""
    if entry.verdict == "open":
        return "open", PAPER
    if entry.verdict != "tiles":
        if entry.holes or entry.solid is None:
            return "does not tile", GRAY
        more = "" if entry.solid_exact else " or more"
        return f"Heesch {entry.solid}{more}", GRAY
    copies = f"{entry.copies} {'copy' if entry.copies == 1 else 'copies'}"
    if entry.isohedral is False:
        copies += ", anisohedral"
    ways = [entry.copies == 1, bool(entry.half_turn), bool(entry.isohedral), True]
    return copies, PALETTE[ways.index(True)]


def _attempt(lattice: Lattice, found: UncoverableUnits, title: str, width: int) -> str:
    """Return the drawing of the best attempt to cover units that cannot all be covered.

    Tiles of one orientation have the same color. A dot marks each of the units; those that the
    attempt misses are red. The tiles around which the units lie have a thick outline unless they
    consist of edges.
    """
    placed = (*found.tiles, *found.attempt)
    tiles = _tiles(lattice, placed, [0] * len(placed))
    missed = Tile("missed", lattice.points(found.missed), 0)
    cover = _cover(lattice, [*tiles, missed], title, [*_colors(lattice, tiles), MISSED])
    drawing, paper = _drawn(lattice, cover, width)
    middles = lattice.points(found.units) @ np.array(lattice.embedding)
    dots = path(
        [paper.line([middle, middle]) for middle in middles],
        stroke=INK,
        stroke_width=min(6.0, paper.scale / 5),
        stroke_linecap="round",
    )
    elements = [*drawing.elements, dots]
    if found.tiles and len(lattice.faces[0][0]) > 2:  # edges have no borders
        own = [_cover(lattice, [tile], title, [INK]) for tile in tiles[: len(found.tiles)]]
        outline = [data for each in own for data in borders(each, paper)]
        elements.append(path(outline, fill="none", stroke=INK, stroke_width=_thick(paper)))
    return replace(drawing, elements=tuple(elements)).svg()


def _patch(answer: TilingAnswer) -> TilingPatch:
    """Return the patch with the most coronas; without a patch, the only prototile.

    Raise PictureError if there is no patch and more than one prototile.
    """
    found = [answer.patch]
    if answer.heesch is not None:
        found += [answer.heesch.solid_patch, answer.heesch.holed_patch]
    patches = [patch for patch in found if patch is not None]
    if patches:
        return max(patches, key=lambda patch: patch.coronas)
    if len(answer.prototiles) > 1:
        raise PictureError("There is nothing to draw: neither a tiling nor a patch was found.")
    (tile,) = answer.prototiles
    return TilingPatch(coronas=0, tiles=(Placed(tile.name, tile.units),), levels=(0,))


def _tiles(lattice: Lattice, placed: Sequence[Placed], numbers: Iterable[int]) -> list[Tile]:
    return [
        Tile(p.piece, lattice.points(p.units), number)
        for p, number in zip(placed, numbers, strict=True)
    ]


def _middle(lattice: Lattice, points: Points) -> Array:
    return np.asarray(points.mean(axis=0) @ np.array(lattice.embedding))


def _short(vectors: Points, lattice: Lattice) -> Points:
    """Return two short vectors that generate a tiling's translations, by Gauss's reduction.

    `vectors`: generators in lattice periods. The result is in point coordinates.
    """
    first, second = vectors * lattice.period

    def long(vector: Points) -> float:
        return float(np.linalg.norm(vector @ np.array(lattice.embedding)))

    while True:
        if long(second) < long(first) - 1e-9:
            first, second = second, first
        one, two = (v @ np.array(lattice.embedding) for v in (first, second))
        times = round(float(one @ two) / float(one @ one))
        if long(second - times * first) >= long(second) - 1e-9:
            return np.array([first, second])
        second = second - times * first


def _steps(vectors: Points, most: int) -> Points:
    """Return the sums of multiples of two vectors, with all factors from `-most` to `most`."""
    several = list(product(range(-most, most + 1), repeat=2))
    return np.asarray(np.array(several) @ vectors)


def _gathered(lattice: Lattice, copies: list[Tile], vectors: Points) -> list[Tile]:
    """Return copies moved by translations of the tiling, as near as possible to the first one."""
    middle = _middle(lattice, copies[0].points)
    size = max(float(np.ptp(np.concatenate([c.points for c in copies]), axis=0).max()), 1.0)
    least = min(float(np.abs(vector).max()) for vector in vectors)
    steps = _steps(vectors, min(12, 2 + int(size / least)))
    result = []
    for copy in copies:
        ways = steps @ np.array(lattice.embedding) + _middle(lattice, copy.points) - middle
        nearest = int(np.square(ways).sum(axis=1).round(6).argmin())
        result.append(copy._replace(points=copy.points + steps[nearest]))
    return result


def _around(lattice: Lattice, domain: list[Tile], vectors: Points) -> list[Tile]:
    """Return the tiles of a tiling whose middles lie in a rectangle around one period.

    `domain`: the tiles of the period, which are always included.
    """
    embedding = np.array(lattice.embedding)
    area = abs(np.linalg.det(vectors @ embedding)) * max(PERIODS, TILES / len(domain))
    half = np.array([np.sqrt(area * SHAPE), np.sqrt(area / SHAPE)]) / 2
    middles = np.array([_middle(lattice, tile.points) for tile in domain])
    center = middles.mean(axis=0)
    inverse = np.linalg.inv(vectors @ embedding)
    reach = np.abs(middles - center).max(axis=0) + half
    steps = _steps(vectors, 1 + int(np.ceil(reach @ np.abs(inverse)).max()))
    result = []
    for tile, middle in zip(domain, middles, strict=True):
        for step in steps:
            away = np.abs(middle + step @ embedding - center)
            if not step.any() or (away <= half + 1e-9).all():
                result.append(tile._replace(points=tile.points + step))
    return result


def _draw(
    lattice: Lattice, tiles: list[Tile], title: str, width: int, *, by_turn: bool
) -> tuple[Drawing, Paper]:
    """Return the drawing of tiles, and the sheet on which further elements get their places.

    `by_turn`: whether a tile's color depends on its orientation, not on its `Tile.number`.
    """
    colors = (
        _colors(lattice, tiles)
        if by_turn
        else [PALETTE[tile.number % len(PALETTE)] for tile in tiles]
    )
    return _drawn(lattice, _cover(lattice, tiles, title, colors), width)


def _colors(lattice: Lattice, tiles: list[Tile]) -> list[str]:
    """Return a color for each tile, the same for tiles of one orientation."""
    turns: dict[tuple[str, bytes], int] = {}
    for tile in tiles:
        turns.setdefault((tile.piece, _still(lattice, tile.points)), len(turns))
    numbers = [turns[tile.piece, _still(lattice, tile.points)] for tile in tiles]
    return [PALETTE[k % len(PALETTE)] for k in numbers]


def _thick(paper: Paper) -> float:
    return min(6.0, max(2.5, paper.scale / 6))


def _drawn(lattice: Lattice, cover: Cover, width: int) -> tuple[Drawing, Paper]:
    """Return the drawing of a cover, and the sheet on which further elements get their places."""
    region = cover.region
    corners = (
        (unit + corner) @ np.array(lattice.embedding)
        for unit, kind in zip(region.places, region.types.tolist(), strict=True)
        for corner in np.array(lattice.faces[kind][0])
    )
    return draw_cover(cover, width), Paper(corners, width)


def _still(lattice: Lattice, points: Points) -> bytes:
    """Return a key that is equal for tiles that are translates of each other."""
    moved = points - points.min(axis=0) // lattice.period * lattice.period
    return bytes(moved[np.lexsort(moved.T)].astype(np.int64).tobytes())


def _cover(lattice: Lattice, tiles: list[Tile], title: str, colors: Sequence[str]) -> Cover:
    """Return tiles as a solution without labels, to be drawn in the given colors."""
    solution = [Placement(t.piece, tuple(map(tuple, t.points.tolist()))) for t in tiles]
    region = Region(lattice, np.concatenate([tile.points for tile in tiles]))
    piece = Piece(tiles[0].piece, lattice, solution[0].units, Freedom.FREE)
    puzzle = Puzzle("tiling", region, (piece,), title=title)
    return Cover(puzzle, tuple(solution), colors, [""] * len(tiles))


def _period(lattice: Lattice, domain: list[Tile], vectors: Points, paper: Paper) -> list[str]:
    """Return SVG elements: the outline of one period of a tiling, and arrows along two vectors.

    `domain`: the tiles of the period. If they consist of edges, the outline is a parallelogram.
    """
    embedding = np.array(lattice.embedding)
    start = np.mean([_middle(lattice, tile.points) for tile in domain], axis=0)
    one, two = vectors @ embedding
    if edges := len(lattice.faces[0][0]) == 2:  # they fill no area: a parallelogram
        corner = start - (one + two) / 2
        outline = [paper.polygon([corner, corner + one, corner + one + two, corner + two])]
    else:
        whole = Tile("period", np.concatenate([tile.points for tile in domain]), 0)
        outline = borders(_cover(lattice, [whole], "period", [INK]), paper)
    thick = 2.5 if edges else _thick(paper)
    line = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    arrows = [data for way in (one, two) for data in _arrow(start, way, thick / paper.scale, paper)]
    return [
        path(outline, stroke=INK, stroke_width=thick, **line),
        path(arrows, stroke=PAPER, stroke_width=thick + 2.0, **line),
        path(arrows, stroke="#b00020", stroke_width=thick * 0.6, **line),
    ]


def _arrow(start: Array, way: Array, thick: float, paper: Paper) -> list[str]:
    """Return the path data of an arrow: a line and its head."""
    end, along = start + way, way / np.linalg.norm(way) * 3.5 * thick
    across = np.array([-along[1], along[0]]) * 0.6
    return [paper.line([start, end]), paper.line([end - along + across, end, end - along - across])]
