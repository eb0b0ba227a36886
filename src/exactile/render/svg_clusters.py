"""Solutions of solid cells of any form as SVG: the whole, and each layer as seen from a corner."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from exactile.render.colors import EMPTY_FILL, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.paper import Drawing, path, spots
from exactile.render.svg_edges import tag
from exactile.render.svg_pieces import in_order, inside, standing
from exactile.render.svg_space import ISOMETRIC, TOWARD_VIEWER, Array, Faces, Layers

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
