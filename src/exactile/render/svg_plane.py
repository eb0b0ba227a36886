"""Solutions in the plane as SVG.

Cells are filled polygons with thick outlines between pieces. Edges are strokes with curves where a
piece turns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from math import atan2, cos, pi
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from exactile.errors import GeometryError
from exactile.geometry.lattice import Corner, Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.render.cover import EMPTY, Cover
from exactile.render.paper import (
    BARE,
    EMPTY_FILL,
    FAINT,
    INK,
    LEGIBLE,
    PAPER,
    Drawing,
    Paper,
    Place,
    assign_colors,
    group,
    number,
    path,
    shade,
    spots,
)

Side = tuple[Corner, Corner, Point]
"""A side of a cell: its two corners and the neighbor across it, as offsets from the cell."""


@cache
def sides(lattice: Lattice) -> tuple[tuple[Side, ...], ...]:
    """Return the sides of each type of cell, in the order of the cell's corners.

    Raise GeometryError if a side is not a side of a neighbor.
    """
    result = []
    for kind, origin in enumerate(lattice.origins):
        corners = lattice.faces[kind][0]
        across = {}
        for offset in lattice.neighbors[kind]:
            other = int(lattice.types(np.add(origin, offset)))
            theirs = {_key(np.add(c, offset)) for c in lattice.faces[other][0]}
            shared = [i for i, c in enumerate(corners) if _key(np.array(c)) in theirs]
            across[frozenset(shared)] = offset
        n = len(corners)
        if lost := {frozenset((i, (i + 1) % n)) for i in range(n)} - across.keys():
            i = min(min(lost))
            raise GeometryError(
                f"{lattice.name}: cells of type {kind} cannot be drawn, because a side from "
                f"{corners[i]} is not a side of a neighbor."
            )
        result.append(
            tuple(
                (corners[i], corners[(i + 1) % n], across[frozenset((i, (i + 1) % n))])
                for i in range(n)
            )
        )
    return tuple(result)


def _key(place: Place) -> tuple[float, ...]:
    return tuple((np.round(place, 6) + 0.0).tolist())


def draw_cells(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of cells in the plane."""
    paper = Paper((corner for polygon in _polygons(cover) for corner in polygon), width)
    return paper.drawing(cover.title, cells(cover, paper))


def _polygons(cover: Cover) -> list[Vector]:
    region, lattice = cover.region, cover.lattice
    embedding = np.array(lattice.embedding)
    return [
        (unit + np.array(lattice.faces[kind][0])) @ embedding
        for unit, kind in zip(region.places, cover.kinds, strict=True)
    ]


def cells(cover: Cover, paper: Paper) -> list[str]:
    """Return the SVG elements of a solution on a lattice of cells, at their places on `paper`."""
    fills: defaultdict[int, list[str]] = defaultdict(list)
    for owner, polygon in zip(cover.owners, _polygons(cover), strict=True):
        fills[owner].append(paper.polygon(polygon))
    inner, outer, seams = _lines(cover, paper)
    elements = []
    if EMPTY in fills:
        elements.append(path(fills[EMPTY], fill=EMPTY_FILL))
        elements.append(path(inner.get(EMPTY, []), stroke=FAINT))
    open_units = [u for u, o in enumerate(cover.owners) if o == EMPTY]
    elements += _paint(cover, paper, open_units)
    elements += _written(cover, paper, open_units)
    thick = min(3.0, max(1.0, paper.scale / 16))
    for owner, (placement, color) in enumerate(
        zip(cover.solution, assign_colors(cover), strict=True)
    ):
        elements.append(
            group(
                placement.piece,
                [
                    path(fills[owner], fill=color),
                    path(inner.get(owner, []), stroke=shade(color, 0.8), stroke_width=thick / 2.5),
                    *_paint(cover, paper, cover.units_of[owner]),
                    *(_label(cover, paper, owner, part) for part in cover.parts[owner]),
                ],
            )
        )
    line = {"fill": "none", "stroke_linecap": "round", "pointer_events": "none"}
    elements.append(path(outer, stroke=INK, stroke_width=thick, **line))
    if seams:
        dashes = f"{thick * 2:.0f} {thick * 2:.0f}"
        elements.append(path(seams, stroke=INK, stroke_width=thick / 2, stroke_dasharray=dashes))
    return elements


def _lines(cover: Cover, paper: Paper) -> tuple[dict[int, list[str]], list[str], list[str]]:
    """Return the path data of three kinds of lines: inner lines by owner, borders, and seams.

    Inner lines lie between cells of one owner, and borders between cells of different owners. Seams
    lie on the rim of a wrapped region where the owner continues on the opposite side.
    """
    region, lattice = cover.region, cover.lattice
    embedding = np.array(lattice.embedding)
    inner: defaultdict[int, set[str]] = defaultdict(set)
    outer: set[str] = set()
    seams: set[str] = set()
    for kind, around in enumerate(sides(lattice)):
        for first, second, offset in around:
            units, others = cover.across(kind, offset)
            places = region.places[units]
            beyond = region.index(places + np.array(offset))
            beside = (region.places[beyond] == places + np.array(offset)).all(axis=1)
            ends = zip((places + first) @ embedding, (places + second) @ embedding, strict=True)
            for unit, other, near, pair in zip(units, others, beside, ends, strict=True):
                data = paper.line(sorted(pair, key=_key))
                if other != cover.owners[unit]:
                    outer.add(data)
                elif near:
                    inner[other].add(data)
                else:
                    seams.add(data)
    return {k: sorted(v) for k, v in inner.items()}, sorted(outer), sorted(seams - outer)


def borders(cover: Cover, paper: Paper) -> list[str]:
    """Return the path data of the lines around placements, and around areas without placements."""
    return _lines(cover, paper)[1]


def _label(cover: Cover, paper: Paper, owner: int, part: list[int]) -> str:
    """Return the label of a placement as a text element; empty if it is illegible.

    `owner`: the placement. `part`: the units in whose middle the label is put.
    """
    unit = cover.center_unit(part)
    name = cover.labels[owner]
    size = paper.scale * _radius(cover, unit) * min(0.95, 2.6 / max(len(name), 1))
    return paper.text(_middle(cover, unit), name, size)


def _written(cover: Cover, paper: Paper, units: list[int]) -> Iterator[str]:
    """Yield the labels that the puzzle gives to these units, as SVG elements."""
    for unit in units:
        if text := cover.unit_label(unit):
            size = paper.scale * _radius(cover, unit) * min(0.95, 2.6 / len(text))
            yield paper.text(_middle(cover, unit), text, size)


def _paint(cover: Cover, paper: Paper, units: list[int]) -> list[str]:
    return spots(cover, paper, units, lambda u: _middle(cover, u), lambda u: spot_radius(cover, u))


def _middle(cover: Cover, unit: int) -> Place:
    return np.asarray(cover.region.places[unit] @ np.array(cover.lattice.embedding))


def spot_radius(cover: Cover, unit: int) -> float:
    """Return the radius of a spot of paint on a cell; `unit`: its index in the region."""
    return 0.6 * _radius(cover, unit)


def _radius(cover: Cover, unit: int) -> float:
    """Return the distance from the center of a cell to the nearest middle of a side."""
    faces = cover.lattice.faces[cover.kinds[unit]]
    corners = np.array(faces[0]) @ np.array(cover.lattice.embedding)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    return float(np.sqrt((middles**2).sum(axis=1)).min())


Vector = npt.NDArray[np.float64]
Vertex = tuple[int, ...]

STROKE = 0.105
"""Width of a stroke relative to the length of an edge."""

SMALL = 0.17
"""Height of the letters beside a piece of one edge, relative to the length of the edge."""

END = 0.25
"""Gap between a vertex and a piece that ends there, relative to the length of an edge."""

SPOT = 0.32
"""Distance of a spot of paint from a vertex, relative to the length of the edge.

The middle of the edge is for labels.
"""

WIDE, TIGHT, LONGEST = 0.18, 0.08, 0.42
"""Distances from a vertex to the curve of a piece that turns there, relative to an edge's length.

WIDE is the distance to the middle of a curve between neighboring edges, which leaves room for other
pieces. TIGHT is the same if another edge lies between the two. A curve begins at most LONGEST away.
"""

FINE = 6
"""Coordinates of vertices, times this, are integers on every lattice of edges."""


class Sheet(Protocol):
    """A sheet that converts places in the plane to the numbers of SVG path data."""

    def at(self, place: Place) -> str:
        """Return the coordinates of a place on the sheet as text, such as ``30 64``."""

    def line(self, places: Iterable[Place]) -> str:
        """Return the path data of an open line."""


class Ray(NamedTuple):
    """An edge of a piece, seen from one of its two vertices."""

    angle: float
    vertex: Vertex
    toward: Vector
    """The vector along the edge to its other end."""
    edge: tuple[int, int]
    """The index of the unit, and the index of the vertex among its two ends: 0 or 1."""


class Edges:
    """The edges of a region in the plane, with exact coordinates of their vertices.

    `vertices`: for each edge, the exact coordinates of its two ends. `identified`: the same, with
    equal coordinates for vertices that the wrap identifies. `places`: the places of the two ends in
    the plane, shape ``(edges, 2, 2)``.
    """

    def __init__(self, cover: Cover) -> None:
        lattice, region = cover.lattice, cover.region
        crossing = lattice.crossing
        self.step = 2 * pi / len(crossing.rays) if crossing else pi
        """The angle between neighboring edges at a vertex; a half turn without a crossing rule."""
        self.embedding = np.array(lattice.embedding) / FINE
        offsets = np.array([lattice.faces[kind][0] for kind in region.types.tolist()])
        fine = np.rint((region.places[:, None, :] + offsets) * FINE).astype(np.int64)
        self.vertices: list[list[Vertex]] = [[tuple(v) for v in pair] for pair in fine.tolist()]
        self.places = fine @ self.embedding
        identified = fine
        if region.wrap is not None:
            wrap = Wrap([[c * FINE for c in v] for v in region.wrap.vectors])
            identified = wrap.reduce(fine)
        self.identified: list[list[Vertex]] = [
            [tuple(v) for v in pair] for pair in identified.tolist()
        ]

    def rays(self, units: list[int]) -> dict[Vertex, list[Ray]]:
        """Return the rays of a piece at each vertex, counter-clockwise."""
        found: defaultdict[Vertex, list[Ray]] = defaultdict(list)
        for unit in units:
            for end, vertex in enumerate(self.vertices[unit]):
                toward = self.places[unit][1 - end] - self.places[unit][end]
                angle = round(atan2(toward[1], toward[0]), 6) % (2 * pi)
                found[vertex].append(Ray(angle, vertex, toward, (unit, end)))
        return {vertex: sorted(rays, key=lambda r: r.angle) for vertex, rays in found.items()}

    def place(self, vertex: Vertex) -> Vector:
        """Return the place of a vertex in the plane."""
        return np.array(vertex) @ self.embedding


def draw_edges(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of edges in the plane."""
    edges = Edges(cover)
    seams = _seams(cover)
    repeated = [pair for pairs in seams.values() for pair in pairs]
    paper = Paper((place for pair in [*edges.places, *repeated] for place in pair), width)
    stroke = max(2.0, STROKE * paper.scale)
    round_caps = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    lines = [paper.line(pair) for pair in edges.places]
    elements = [path(lines, stroke=FAINT, stroke_width=1.0, **round_caps)]
    elements += _dashes(cover, seams, paper, stroke)
    bare = [
        paper.line([_along(pair, END), _along(pair, 1 - END)])
        for pair, owner in zip(edges.places, cover.owners, strict=True)
        if owner == EMPTY
    ]
    if bare:
        elements.append(path(bare, stroke=BARE, stroke_width=stroke, **round_caps))
    labels = []
    for owner, (placement, color) in enumerate(
        zip(cover.solution, assign_colors(cover), strict=True)
    ):
        data, webs = path_data(edges, cover.units_of[owner], paper)
        parts = []
        for shown, broader in ((shade(color, 0.45), 2.0), (color, 0.0)):
            parts.append(path(data, stroke=shown, stroke_width=stroke + broader, **round_caps))
            if webs:
                parts.append(path(webs, fill=shown, stroke=shown, stroke_width=broader))
        elements.append(group(placement.piece, parts))
        for part in cover.parts[owner]:
            pair = edges.places[cover.center_unit(part)]
            beside = pair[1] - pair[0] if len(part) == 1 else None
            labels += tag(paper, pair.mean(axis=0), cover.labels[owner], color, beside=beside)
    every = range(len(edges.places))
    paint = spots(cover, paper, every, lambda u: _along(edges.places[u], SPOT), lambda _: STROKE)
    return paper.drawing(cover.title, [*elements, *paint, *labels])


def _seams(cover: Cover) -> dict[int, list[Vector]]:
    """Return the ends of the edges that complete the cells of a wrapped region, by owner.

    Each of these edges repeats one of the opposite side. If the wrap identifies several places of a
    cell, only the one with the most edges around it is completed. A cell is not completed if the
    region lacks several of its edges.
    """
    region, lattice = cover.region, cover.lattice
    if region.wrap is None or lattice.frame is None:
        return {}
    near: defaultdict[tuple[int, Point], Counter[Point]] = defaultdict(Counter)
    for kind, border in enumerate(lattice.frame.borders):
        for offset in border:
            cells = region.places - np.array(offset)
            cells = cells[(cells % lattice.period == 0).all(axis=1)]
            for cell, same in zip(cells.tolist(), region.wrap.reduce(cells).tolist(), strict=True):
                near[kind, tuple(same)][tuple(cell)] += 1
    found: defaultdict[int, set[Point]] = defaultdict(set)
    for (kind, _), places in near.items():
        cell = max(places, key=lambda place: (places[place], place))
        around = np.array(lattice.frame.borders[kind], dtype=np.int64) + np.array(cell)
        units = region.index(around)
        if np.count_nonzero(units < 0) < 2:
            for place, unit in zip(map(tuple, around.tolist()), units.tolist(), strict=True):
                if unit >= 0 and place not in cover.unit_at:
                    found[cover.owners[unit]].add(place)
    ends = [np.array(faces[0]) for faces in lattice.faces]
    return {
        owner: [
            (np.array(place) + ends[lattice.types(np.array(place))]) @ np.array(lattice.embedding)
            for place in sorted(places)
        ]
        for owner, places in sorted(found.items())
    }


def _dashes(cover: Cover, seams: dict[int, list[Vector]], paper: Paper, stroke: float) -> list[str]:
    """Return the edges of seams as dashed lines in the colors of their pieces: see `_seams`."""
    colors = [*assign_colors(cover), BARE]  # EMPTY is -1 and takes the last
    dashes = f"{stroke:.1f} {stroke:.1f}"
    return [
        path(
            [paper.line(pair) for pair in pairs],
            stroke=shade(colors[owner], 0.8),
            stroke_width=stroke / 2,
            stroke_dasharray=dashes,
        )
        for owner, pairs in seams.items()
    ]


def tag(
    paper: Paper,
    place: Place,
    name: str,
    color: str,
    share: float = 0.22,
    beside: Vector | None = None,
) -> list[str]:
    """Return SVG elements that draw a name on a small plate; none if it would be illegible.

    `place`: the middle of the plate. `color`: the color of the named piece. `share`: desired height
    of the letters as a fraction of an edge. It is raised to the smallest legible height, and
    lowered if the plate would be too large. It has no effect with `beside`. `beside`: the vector
    along an edge that the plate would hide: the plate is then put beside the edge, on a side where
    it is not cut off; None to leave it at `place`.
    """
    most = min(13.0, paper.scale * min(0.22, 0.75 / max(len(name), 1)))
    if most < LEGIBLE or not name:
        return []
    size = min(most, max(LEGIBLE, paper.scale * (SMALL if beside is not None else share)))
    wide, high = size * (0.5 + 0.62 * len(name)), size * 1.25
    if beside is not None:
        x, y = (float(c) for c in beside / np.linalg.norm(beside))
        out = np.array([-y, x] if x > 0.01 else [y, -x] if x < -0.01 else [1.0, 0.0])
        reach = (abs(out[0]) * wide + abs(out[1]) * high) / 2 + STROKE * paper.scale / 2 + 1.5
        sides = [np.asarray(place) + way * out * reach / paper.scale for way in (1, -1)]
        place = next((side for side in sides if paper.has_room(side, wide, high)), sides[0])
    x, y = (float(c) for c in paper.at(place).split())
    plate = (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - high / 2)}" width="{number(wide)}" '
        f'height="{number(high)}" rx="{number(high / 3)}" fill="{PAPER}" '
        f'stroke="{shade(color, 0.6)}" pointer-events="none"/>'
    )
    return [plate, paper.text(place, name, size)]


def _along(pair: Vector, part: float) -> Vector:
    return np.asarray(pair[0] + (pair[1] - pair[0]) * part)


def path_data(edges: Edges, units: list[int], paper: Sheet) -> tuple[list[str], list[str]]:
    """Return the path data of a piece: its lines and curves, and areas to be filled.

    An area fills the space between the curves of at least three edges at a vertex.
    """
    at = edges.rays(units)
    near = Counter(v for unit in units for v in edges.identified[unit])
    starts: dict[tuple[int, int], float] = {}
    curves: list[str] = []
    webs: list[str] = []
    for vertex, rays in at.items():
        joins = list(_joins(rays, edges.step))
        for ray in rays:
            unit, end = ray.edge
            alone = near[edges.identified[unit][end]] == 1
            starts[ray.edge] = min(
                (radius for a, b, radius in joins if ray in (a, b)), default=END if alone else 0.0
            )
        place = edges.place(vertex)
        pieces = [_join(paper, place, *join) for join in joins]
        curves += [f"M{piece}" for piece, join in zip(pieces, joins, strict=True) if join[2]]
        if len(rays) > 2 and len(joins) == len(rays):
            webs.append("M" + "L".join(pieces) + "Z")
    bodies = [
        paper.line(
            [_along(edges.places[u], starts[u, 0]), _along(edges.places[u], 1 - starts[u, 1])]
        )
        for u in units
    ]
    return bodies + curves, webs


def _joins(rays: list[Ray], step: float) -> Iterator[tuple[Ray, Ray, float]]:
    """Yield two neighboring rays and the radius of the curve that joins them, for each curve.

    The radius is the distance of the curve's ends from the vertex; the middle of the curve is at
    the distance ``radius * cos(gap / 2) / 2``, where `gap` is the angle between the rays. Rays more
    than a half turn apart are not joined; for an exact half turn, the radius is 0. `step`: the
    largest gap for which `WIDE` is used.
    """
    for first, second in zip(rays, rays[1:] + rays[:1], strict=True):
        gap = (second.angle - first.angle) % (2 * pi)
        if len(rays) == 1 or gap > pi + 0.01:
            continue
        apart = WIDE if gap < step + 0.01 else TIGHT
        straight = gap > pi - 0.01
        yield first, second, 0.0 if straight else min(LONGEST, 2 * apart / cos(gap / 2))


def _join(paper: Sheet, place: Vector, first: Ray, second: Ray, radius: float) -> str:
    """Return the path data of a curve from one ray to another, without the leading ``M``.

    `radius`: distance of its ends from the vertex.
    """
    ends = [paper.at(place + ray.toward * radius) for ray in (first, second)]
    return f"{ends[0]}Q{paper.at(place)} {ends[1]}"
