"""Solutions as SVG: the function that draws any solution, and those for lattices in space."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from exactile.errors import PuzzleError
from exactile.geometry.lattice import Lattice, Point
from exactile.render.cover import EMPTY, Cover
from exactile.render.paper import (
    BARE,
    EMPTY_FILL,
    FAINT,
    GHOST,
    INK,
    Drawing,
    assign_colors,
    group,
    path,
    shade,
    spots,
)
from exactile.render.svg_plane import draw_cells, draw_edges, tag
from exactile.render.svg_space import (
    FLATTENED,
    ISOMETRIC,
    ROD,
    TOWARD_VIEWER,
    TRIMETRIC,
    Array,
    Faces,
    Layers,
    draw_exploded,
    in_order,
    inside,
    is_cubic,
    side_key,
    standing,
)
from exactile.wanted import whole


def draw_cover(cover: Cover, width: int, *, exploded: bool = False) -> Drawing:
    """Return the drawing of a solution, in the colors and with the labels of its `Cover`.

    `width`: in pixels. `exploded`: as in `exactile.render.draw_svg`. Raise PuzzleError if the width
    is not a positive integer.
    """
    if whole(width, "The width of a drawing") <= 0:
        raise PuzzleError(f"A drawing cannot be {width} pixels wide.")
    if exploded and len(cover.lattice.embedding[0]) == 3 and cover.solution:
        return draw_exploded(cover, width)
    return _drawing(cover.lattice)(cover, width)


def _drawing(lattice: Lattice) -> Callable[[Cover, int], Drawing]:
    """Return the function that draws solutions on a lattice."""
    edges = len(lattice.faces[0][0]) == 2
    if len(lattice.embedding[0]) == 2:
        return draw_edges if edges else draw_cells
    if edges:
        return draw_rods
    if len(lattice.faces[0]) == 1:
        return draw_sheets
    return draw_solids if is_cubic(lattice) else draw_clusters


def draw_rods(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of edges in space.

    Each piece is drawn whole, in the layer of its lowest edge; in the layers above, its edges are
    pale. Uncovered edges are gray.
    """
    layers = Layers(cover, width, TRIMETRIC, whole=TRIMETRIC, together=True)
    paper = layers.paper
    stroke = max(2.0, ROD * paper.scale)
    grid, begun, bare = [], [], []
    for unit, (edge, owner) in enumerate(zip(layers.corners, cover.owners, strict=True)):
        line = paper.line(layers.flat(edge[0], layers.own[unit]))
        grid.append(line)
        if owner == EMPTY:
            bare.append(line)
        elif layers.own[unit] != layers.level[unit]:
            begun.append(line)
    if layers.has_whole:
        grid += [paper.line(layers.standing(edge[0])) for edge in layers.corners]
    elements = [path(grid, stroke=FAINT, stroke_width=1.0)]
    elements += [
        path(data, stroke=color, stroke_width=stroke, stroke_linecap="round")
        for data, color in ((begun, EMPTY_FILL), (bare, BARE))
        if data
    ]
    if layers.has_whole:
        elements += standing(cover, layers.corners, paper, layers.standing)
    for level in range(len(layers.titles)):
        elements += standing(
            cover,
            layers.corners,
            paper,
            partial(layers.flat, level=level),
            {unit for unit, where in enumerate(layers.level) if where == level},
        )
    elements += spots(
        cover,
        paper,
        range(len(cover.owners)),
        lambda u: layers.flat(layers.corners[u][0].mean(axis=0), layers.level[u]),
        lambda _: ROD,
    )
    tags = name_tags(cover, layers, assign_colors(cover), share=0.22)
    return paper.drawing(cover.title, [*elements, *tags, *layers.captions()])


CLUSTER_SPOT = 0.15
"""Radius of a spot of paint relative to the longest side of a cell."""


def draw_clusters(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of solid cells other than cubes."""
    layers = Layers(cover, width, ISOMETRIC, whole=ISOMETRIC)
    paper = layers.paper
    elements = []
    if layers.has_whole:
        elements += standing(cover, layers.corners, paper, layers.standing)
    elements.append(_cluster_footprints(cover, layers))
    for level in range(len(layers.titles)):
        units = {unit for unit, where in enumerate(layers.level) if where == level}
        elements += standing(cover, layers.corners, paper, partial(layers.flat, level=level), units)
    elements += spots(
        cover,
        paper,
        range(len(cover.owners)),
        lambda unit: layers.flat(_front(cover.lattice, layers.corners[unit]), layers.level[unit]),
        lambda _: CLUSTER_SPOT,
    )
    return paper.drawing(
        cover.title, [*elements, *_cluster_names(cover, layers), *layers.captions()]
    )


def _front(lattice: Lattice, faces: Faces) -> Array:
    """Return the place of a spot of paint on a cell; `faces`: those of the cell.

    It is the center of the face that is nearest to the viewer. On a ball it is halfway from there
    to the center of the ball, which is for names: the face itself seems to touch another ball.
    """
    middles = np.array([face.mean(axis=0) for face in faces])
    front = middles[int((middles @ TOWARD_VIEWER).argmax())]
    return np.asarray((front + middles.mean(axis=0)) / 2 if lattice.balls else front)


def _cluster_footprints(cover: Cover, layers: Layers) -> str:
    """Return the lowest faces of uncovered cells; empty if there are no placements."""
    data = []
    for unit, (faces, level) in enumerate(zip(layers.corners, layers.level, strict=True)):
        if cover.solution and cover.owners[unit] == EMPTY:
            lowest = min(faces, key=lambda face: float(face[:, 2].mean()))
            data.append(layers.paper.polygon(layers.flat(lowest, level)))
    return path(data, fill=EMPTY_FILL, stroke=shade(EMPTY_FILL, 0.85)) if data else ""


def _cluster_names(cover: Cover, layers: Layers) -> Iterator[str]:
    """Yield names on small plates: for each layer, one on each piece that is visible there.

    The name is on the nearest of the piece's visible faces.
    """
    colors = assign_colors(cover)
    for level in range(len(layers.titles)):
        units = {unit for unit, where in enumerate(layers.level) if where == level}
        facets = in_order(cover, layers.corners, units)
        flat = [layers.flat(facet.corners, level) for facet in facets]
        named: set[int] = set()
        for k in reversed(range(len(facets))):
            owner, middle = facets[k].owner, flat[k].mean(axis=0)
            hidden = any(len(f) > 2 and inside(middle, f) for f in flat[k + 1 :])
            if owner != EMPTY and owner not in named and not hidden:
                named.add(owner)
                yield from tag(layers.paper, middle, cover.labels[owner], colors[owner], 0.2)


ARROW = np.array([(0.0, 0.36), (0.13, 0.23), (-0.13, 0.23)])
"""Corners of a small triangle that points upwards, as offsets from the center of a cell's top."""

SOLID_SPOT = 0.22
"""Radius of a spot of paint relative to the side of a cell."""

Side = tuple[int, Point, frozenset[Point]]
"""Key of a side of a face: the owner, the direction of the face, and the two corners."""


class Face(NamedTuple):
    """A visible face of a cell."""

    unit: int
    step: Point
    """The offset from the cell to the neighbor across this face."""
    corners: Array


def draw_solids(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of cubes."""
    layers = Layers(cover, width, ISOMETRIC, whole=ISOMETRIC)
    colors = [*assign_colors(cover), EMPTY_FILL]  # EMPTY is -1 and takes the last
    faces = _visible(cover, layers)
    walls = sorted(
        (f for f in faces if not f.step[2]), key=lambda f: f.corners.mean(axis=0) @ TOWARD_VIEWER
    )
    tops = [f for f in faces if f.step[2]]
    inner = {side for side, uses in _count_sides(cover, faces).items() if uses > 1}
    elements = _whole(cover, layers, colors) if layers.has_whole else []
    elements += [_ghost(cover, layers), _footprints(cover, layers)]
    elements += _paint(cover, layers, [u for u in range(len(cover.owners)) if not _drawn(cover, u)])
    for wall in walls:
        color = shade(colors[cover.owners[wall.unit]], 0.64 if wall.step[0] else 0.82)
        elements += [_fill(layers, [wall], color), _outline(cover, layers, [wall], inner)]
    # No wall hides a top of its own layer, so that tops can be kept together by piece.
    for owner in sorted({cover.owners[f.unit] for f in tops}):
        mine = [f for f in tops if cover.owners[f.unit] == owner]
        parts = [_fill(layers, mine, colors[owner])]
        parts += _paint(cover, layers, [face.unit for face in mine])
        if owner == EMPTY:
            elements += parts
        else:
            parts += [*_arrows(cover, layers, mine), *_names(cover, layers, mine)]
            elements.append(group(cover.solution[owner].piece, parts))
    elements += [_outline(cover, layers, tops, inner), *layers.captions()]
    return layers.paper.drawing(cover.title, elements)


def _whole(cover: Cover, layers: Layers, colors: list[str]) -> list[str]:
    """Return a picture of the whole solution, seen from a corner, as elements, far faces first."""
    faces = sorted(
        _visible(cover, layers, whole=True),
        key=lambda face: float(cover.region.places[face.unit] @ TOWARD_VIEWER),
    )
    inner = {side for side, uses in _count_sides(cover, faces).items() if uses > 1}
    elements = []
    for face in faces:
        light = 1.0 if face.step[2] else 0.64 if face.step[0] else 0.82
        color = shade(colors[cover.owners[face.unit]], light)
        elements += [
            _fill(layers, [face], color, whole=True),
            _outline(cover, layers, [face], inner, whole=True),
        ]
    return elements


def _visible(cover: Cover, layers: Layers, *, whole: bool = False) -> list[Face]:
    """Return the faces of drawn cells that point toward the viewer and that no drawn cell covers.

    `whole`: whether a cell covers the top of the cell below it, that is, whether layers are drawn
    together.
    """
    result = []
    for kind, polygons in enumerate(cover.lattice.faces):
        for number, polygon in enumerate(polygons):
            step: Point = tuple(np.rint(2 * np.mean(polygon, axis=0)).astype(int).tolist())
            if np.dot(step, TOWARD_VIEWER) <= 0:
                continue
            for unit in np.flatnonzero(np.array(cover.kinds) == kind).tolist():
                other = cover.beside(unit, step)
                covered = other >= 0 and (whole or not step[2]) and _drawn(cover, other)
                if _drawn(cover, unit) and not covered:
                    result.append(Face(unit, step, layers.corners[unit][number]))
    return result


def _drawn(cover: Cover, unit: int) -> bool:
    """Return whether a cell is drawn as a solid.

    Uncovered cells are drawn as solids only if there are no placements.
    """
    return not cover.solution or cover.owners[unit] != EMPTY


def _sides(cover: Cover, face: Face) -> Iterable[tuple[Side, Array]]:
    for first, second in zip(face.corners, np.roll(face.corners, -1, axis=0), strict=True):
        key = (cover.owners[face.unit], face.step, side_key(first, second))
        yield key, np.array([first, second])


def _count_sides(cover: Cover, faces: Iterable[Face]) -> Counter[Side]:
    return Counter(key for face in faces for key, _ in _sides(cover, face))


def _fill(layers: Layers, faces: Iterable[Face], color: str, *, whole: bool = False) -> str:
    """Return faces as one path, filled with a color and each with a thin outline."""
    data = [layers.paper.polygon(_spot(layers, face, face.corners, whole)) for face in faces]
    return path(data, fill=color, stroke=shade(color, 0.8), stroke_width=1.0)


def _spot(layers: Layers, face: Face, points: Array, whole: bool) -> Array:
    """Return the places on the sheet at which points of a face are drawn.

    `whole`: whether the face belongs to the picture of the whole solution, not to that of a layer.
    """
    return layers.standing(points) if whole else layers.flat(points, layers.level[face.unit])


def _outline(
    cover: Cover,
    layers: Layers,
    faces: Iterable[Face],
    inner: set[Side],
    *,
    whole: bool = False,
) -> str:
    """Return thick lines along the sides of faces, except the sides in `inner`.

    At an inner side, the piece continues in the plane of the face.
    """
    lines = {
        layers.paper.line(_spot(layers, face, ends, whole))
        for face in faces
        for key, ends in _sides(cover, face)
        if key not in inner
    }
    thick = min(2.5, max(1.0, layers.paper.scale / 18))
    return path(
        sorted(lines),
        stroke=INK,
        stroke_width=thick,
        stroke_linecap="round",
        pointer_events="none",
    )


def _ghost(cover: Cover, layers: Layers) -> str:
    """Return the tops of cells that no drawn cell covers, drawn faintly in the layer above."""
    data = []
    for unit, (faces, level) in enumerate(zip(layers.corners, layers.level, strict=True)):
        number = max(range(len(faces)), key=lambda k: _height(faces[k]))
        polygon = cover.lattice.faces[cover.kinds[unit]][number]
        step = np.rint(2 * np.mean(polygon, axis=0)).astype(int)
        above = cover.beside(unit, tuple(step.tolist()))
        free = above < 0 or not _drawn(cover, above)
        if _drawn(cover, unit) and level in layers.next_level and free:
            top = layers.flat(faces[number], layers.next_level[level])
            data.append(layers.paper.polygon(top))
    return path(data, fill=GHOST, stroke=FAINT, stroke_width=0.8, stroke_dasharray="3 2")


def _footprints(cover: Cover, layers: Layers) -> str:
    """Return the lowest faces of the cells that are not drawn as solids."""
    data = [
        layers.paper.polygon(layers.flat(min(faces, key=_height), level))
        for unit, (faces, level) in enumerate(zip(layers.corners, layers.level, strict=True))
        if not _drawn(cover, unit)
    ]
    return path(data, fill=EMPTY_FILL, stroke=shade(EMPTY_FILL, 0.85))


def _height(polygon: Array) -> float:
    return float(polygon[:, 2].mean())


def _paint(cover: Cover, layers: Layers, units: list[int]) -> list[str]:
    """Return the spots of painted cells.

    A spot is on the top of its cell, or on the floor if the cell is not drawn as a solid.
    """

    def place(unit: int) -> Array:
        which = max if _drawn(cover, unit) else min
        face = which(layers.corners[unit], key=_height)
        return layers.flat(face.mean(axis=0), layers.level[unit])

    return spots(cover, layers.paper, units, place, lambda _: SOLID_SPOT)


def _arrows(cover: Cover, layers: Layers, tops: Iterable[Face]) -> list[str]:
    """Return small arrows on cells from which the piece continues upwards or downwards."""
    data = []
    for face in tops:
        owner = cover.owners[face.unit]
        center = face.corners.mean(axis=0)
        for sign in (1, -1):
            beyond = cover.region.places[face.unit] + sign * np.array(face.step)
            if cover.at(beyond) == owner:
                middle = layers.flat(center, layers.level[face.unit])
                data.append(layers.paper.polygon(middle + ARROW * (1, sign)))
    return [path(data, fill=INK, fill_opacity="0.75", pointer_events="none")] if data else []


def _names(cover: Cover, layers: Layers, tops: Iterable[Face]) -> list[str]:
    """Return the name of the piece with these top faces, once in each of its layers."""
    name = cover.labels[cover.owners[next(iter(tops)).unit]]
    size = layers.paper.scale * min(0.38, 0.95 / max(len(name), 1))
    by_level: dict[int, dict[int, Face]] = {}
    for face in tops:
        by_level.setdefault(layers.level[face.unit], {})[face.unit] = face
    result = []
    for level, faces in by_level.items():
        face = faces[cover.center_unit(list(faces))]
        result.append(layers.paper.text(layers.flat(face.corners.mean(axis=0), level), name, size))
    return result


SHEET_SPOT = 0.12
"""Radius of a spot of paint relative to the side of a face."""


def _upright(corners: Array) -> bool:
    """Return whether a face or an edge stands on the floor of its layer."""
    return bool(np.ptp(corners[:, 2]) > 0)


def sheets_in_order(cover: Cover, layers: Layers) -> list[tuple[list[int], bool]]:
    """Return pairs in drawing order: a list of units, and whether they are upright.

    All units of a list have one owner. Flat units hide nothing in their layer: they come first, in
    one list for each layer and owner. Upright units follow, each in its own list, far ones first.
    """
    flat: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    upright = []
    for unit, (level, owner) in enumerate(zip(layers.level, cover.owners, strict=True)):
        if _upright(layers.corners[unit][0]):
            upright.append(unit)
        else:
            flat[level, owner].append(unit)
    upright.sort(key=lambda u: float(layers.corners[u][0].mean(axis=0) @ TOWARD_VIEWER))
    return [*((units, False) for _, units in sorted(flat.items())), *(([u], True) for u in upright)]


def draw_sheets(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of faces in space."""
    layers = Layers(cover, width, FLATTENED, halves=True, whole=TRIMETRIC)
    colors = [*assign_colors(cover), EMPTY_FILL]  # EMPTY is -1 and takes the last
    goes_on = Counter(
        (owner, side_key(*side))
        for owner, faces in zip(cover.owners, layers.corners, strict=True)
        for side in _pairs(faces[0])
    )
    elements = []
    if layers.has_whole:
        elements += standing(cover, layers.corners, layers.paper, layers.standing)
        elements += [] if cover.solution else _bare(layers)
    for units, upright in sheets_in_order(cover, layers):
        owner = cover.owners[units[0]]
        color, level = colors[owner], layers.level[units[0]]
        sides = [side for u in units for side in _pairs(layers.corners[u][0])]
        ends = [s for s in sides if goes_on[owner, side_key(*s)] < 2]
        thick = {"fill": "none", "stroke_linecap": "round", "pointer_events": "none"}
        parts = [
            path(
                [layers.paper.polygon(layers.flat(layers.corners[u][0], level)) for u in units],
                fill=_lit(color, layers.corners[units[0]][0]),
                fill_opacity="1" if not upright else "0.9" if owner != EMPTY else "0.5",
                stroke=shade(color, 0.7),
                stroke_width=1.0,
            ),
            path(
                [layers.paper.line(layers.flat(s, level)) for s in ends],
                stroke=INK if owner != EMPTY else FAINT,
                stroke_width=2.0,
                **thick,
            ),
        ]
        elements += parts if owner == EMPTY else [group(cover.solution[owner].piece, parts)]
    elements += spots(
        cover,
        layers.paper,
        range(len(cover.owners)),
        lambda u: layers.flat(layers.corners[u][0].mean(axis=0), layers.level[u]),
        lambda _: SHEET_SPOT,
    )
    elements += [*name_tags(cover, layers, colors), *layers.captions()]
    return layers.paper.drawing(cover.title, elements)


def _bare(layers: Layers) -> list[str]:
    """Return the drawing of the whole region, without pieces."""
    faces = sorted((c[0] for c in layers.corners), key=lambda c: c.mean(axis=0) @ TOWARD_VIEWER)
    return [
        path(
            [layers.paper.polygon(layers.standing(face))],
            fill=_lit(EMPTY_FILL, face),
            stroke=shade(EMPTY_FILL, 0.6),
            stroke_width=1.0,
        )
        for face in faces
    ]


def _pairs(corners: Array) -> Iterable[Array]:
    return (np.array(p) for p in zip(corners, np.roll(corners, -1, axis=0), strict=True))


def _lit(color: str, corners: Array) -> str:
    """Return the color of a lit face: `color` for floors, and two darker ones for walls."""
    if not _upright(corners):
        return color
    return shade(color, 0.78 if np.ptp(corners[:, 0]) == 0 else 0.9)


def name_tags(cover: Cover, layers: Layers, colors: list[str], share: float = 0.16) -> list[str]:
    """Return small plates with the names of pieces: for each piece, one in each of its layers.

    `colors`: the color of each placement. `share`: see `exactile.render.svg_plane.tag`.
    """
    result = []
    for owner, units in enumerate(cover.units_of):
        for level in sorted({layers.level[u] for u in units}):
            unit = cover.center_unit([u for u in units if layers.level[u] == level])
            place = layers.flat(layers.corners[unit][0].mean(axis=0), level)
            result += tag(layers.paper, place, cover.labels[owner], colors[owner], share)
    return result
