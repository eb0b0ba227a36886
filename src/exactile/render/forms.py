"""The drawing function for each kind of lattice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from exactile.errors import PuzzleError
from exactile.geometry.lattice import Lattice
from exactile.render.colors import BARE, EMPTY_FILL, FAINT, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.facets import is_cubic
from exactile.render.paper import Drawing, path, spots
from exactile.render.svg_cells import draw_cells
from exactile.render.svg_edges import draw_edges, tag
from exactile.render.svg_pieces import ROD, draw_exploded, in_order, inside, standing
from exactile.render.svg_solids import draw_sheets, draw_solids, name_tags
from exactile.render.svg_space import ISOMETRIC, TOWARD_VIEWER, TRIMETRIC, Array, Faces, Layers
from exactile.wanted import whole


def draw_cover(cover: Cover, width: int, *, exploded: bool = False) -> Drawing:
    """Draw a solution with its own colors and labels; see `exactile.render.draw_svg`."""
    if whole(width, "The width of a drawing") <= 0:
        raise PuzzleError(f"A drawing cannot be {width} pixels wide.")
    if exploded and len(cover.lattice.embedding[0]) == 3 and cover.solution:
        return draw_exploded(cover, width)
    return _drawing(cover.lattice)(cover, width)


def _drawing(lattice: Lattice) -> Callable[[Cover, int], Drawing]:
    """Return the function that draws the units of a lattice."""
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

    Each piece is drawn whole, in the layer of its lowest edge. Edges of a layer that belong to
    pieces from below are pale, uncovered ones grey.
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


SPOT = 0.15
"""Radius of a spot of paint relative to the longest side of a cell."""


def draw_clusters(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of solid cells that are not all cubes."""
    layers = Layers(cover, width, ISOMETRIC, whole=ISOMETRIC)
    paper = layers.paper
    elements = []
    if layers.has_whole:
        elements += standing(cover, layers.corners, paper, layers.standing)
    elements.append(_footprints(cover, layers))
    for level in range(len(layers.titles)):
        units = {unit for unit, where in enumerate(layers.level) if where == level}
        elements += standing(cover, layers.corners, paper, partial(layers.flat, level=level), units)
    elements += spots(
        cover,
        paper,
        range(len(cover.owners)),
        lambda unit: layers.flat(_front(layers.corners[unit]), layers.level[unit]),
        lambda _: SPOT,
    )
    return paper.drawing(cover.title, [*elements, *_names(cover, layers), *layers.captions()])


def _front(faces: Faces) -> Array:
    """Return the middle of the face of a cell that is nearest to the viewer."""
    middles = np.array([face.mean(axis=0) for face in faces])
    return np.asarray(middles[int((middles @ TOWARD_VIEWER).argmax())])


def _footprints(cover: Cover, layers: Layers) -> str:
    """Return the lowest faces of uncovered cells."""
    data = []
    for unit, (faces, level) in enumerate(zip(layers.corners, layers.level, strict=True)):
        if cover.solution and cover.owners[unit] == EMPTY:
            lowest = min(faces, key=lambda face: float(face[:, 2].mean()))
            data.append(layers.paper.polygon(layers.flat(lowest, level)))
    return path(data, fill=EMPTY_FILL, stroke=shade(EMPTY_FILL, 0.85)) if data else ""


def _names(cover: Cover, layers: Layers) -> Iterator[str]:
    """Yield the name of each piece on its nearest visible cell in each layer, if there is one."""
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
