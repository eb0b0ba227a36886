"""Solutions of faces in space as SVG: the whole, then floors and the walls between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np

from exactile.render.colors import EMPTY_FILL, FAINT, INK, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.drawing import Drawing
from exactile.render.paint import spots
from exactile.render.paper import group, path
from exactile.render.svg_edges import tag
from exactile.render.svg_pieces import standing
from exactile.render.svg_space import FLATTENED, TRIMETRIC, Array, Layers, side_key

TOWARD_VIEWER = np.array([1.0, -1.0, 1.0])

SPOT = 0.12
"""Radius of a spot of paint relative to the side of a face."""


def _upright(corners: Array) -> bool:
    """Return whether a face or an edge stands on the floor of its layer."""
    return bool(np.ptp(corners[:, 2]) > 0)


def in_order(cover: Cover, layers: Layers) -> list[tuple[list[int], bool]]:
    """Return groups of units of one owner, the far ones first, and whether they are upright.

    Flat units hide nothing of their layer and are grouped by piece; upright ones follow, one by
    one.
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
    for units, upright in in_order(cover, layers):
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
        lambda _: SPOT,
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
    """Return the shade of a face: floors are light, walls to the front and the side darker."""
    if not _upright(corners):
        return color
    return shade(color, 0.78 if np.ptp(corners[:, 0]) == 0 else 0.9)


def name_tags(cover: Cover, layers: Layers, colors: list[str], share: float = 0.16) -> list[str]:
    """Return the name of each piece, once in each of its layers; see `tag`."""
    result = []
    for owner, units in enumerate(cover.units_of):
        for level in sorted({layers.level[u] for u in units}):
            unit = cover.center_unit([u for u in units if layers.level[u] == level])
            place = layers.flat(layers.corners[unit][0].mean(axis=0), level)
            result += tag(layers.paper, place, cover.labels[owner], colors[owner], share)
    return result
