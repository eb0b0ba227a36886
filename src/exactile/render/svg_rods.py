"""Solutions of edges in space as SVG: the whole, and each layer with the rods that stand on it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from exactile.render.colors import BARE, FAINT, PAPER, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.drawing import Drawing
from exactile.render.paper import group, path
from exactile.render.svg_pieces import standing
from exactile.render.svg_sheets import in_order, name_tags
from exactile.render.svg_space import TRIMETRIC, Array, Layers

ROD = 0.12
"""Width of a rod by the length of an edge."""

END = 0.2
"""How far from the vertex a piece ends that does not go on there."""

CURVE = 0.35
"""How far from the vertex a rod begins to turn."""

Joint = tuple[int, tuple[int, ...]]
"""An owner and a vertex (in units of a tenth of an edge)."""


def draw_rods(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of edges in space."""
    layers = Layers(cover, width, TRIMETRIC, whole=True)
    paper = layers.paper
    colors = [*assign_colors(cover), BARE]  # EMPTY is -1 and takes the last
    joints = _joints(cover, layers)
    stroke = max(2.0, ROD * paper.scale)
    grid = [
        paper.line(layers.flat(edge[0], level))
        for edge, level in zip(layers.corners, layers.level, strict=True)
    ]
    if layers.has_whole:
        grid += [paper.line(layers.standing(edge[0])) for edge in layers.corners]
    elements = [path(grid, stroke=FAINT, stroke_width=1.0)]
    if layers.has_whole:
        elements += standing(cover, layers.corners, paper, layers.standing)
    for units, upright in in_order(cover, layers):
        owner = cover.owners[units[0]]
        line = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
        data = [d for u in units for d in _rod(cover, layers, u, joints, 0.0)]
        parts = [path(data, stroke=colors[owner], stroke_width=stroke, **line)]
        if owner == EMPTY:
            elements += parts
            continue
        # The edge of a standing rod begins higher, so as not to cut it from what it stands on.
        lift = ROD if upright else 0.0
        edge = [d for u in units for d in _rod(cover, layers, u, joints, lift)]
        parts.insert(
            0, path(edge, stroke=shade(colors[owner], 0.45), stroke_width=stroke + 2, **line)
        )
        elements.append(group(cover.solution[owner].piece, parts))
    dots = path(
        _dots(layers, joints), stroke=PAPER, stroke_width=stroke / 2, stroke_linecap="round"
    )
    return paper.drawing(
        cover.title,
        [*elements, dots, *name_tags(cover, layers, colors), *layers.captions()],
    )


def _vertex(end: Array) -> tuple[int, ...]:
    return tuple(np.rint(10 * end).astype(int).tolist())


def _joints(cover: Cover, layers: Layers) -> dict[Joint, list[int]]:
    """Return the units of each piece that meet at each vertex."""
    found: defaultdict[Joint, list[int]] = defaultdict(list)
    for unit, owner in enumerate(cover.owners):
        if owner != EMPTY:
            for end in layers.corners[unit][0]:
                found[owner, _vertex(end)].append(unit)
    return found


def _rod(
    cover: Cover, layers: Layers, unit: int, joints: dict[Joint, list[int]], lift: float
) -> list[str]:
    """Return the path data of one rod, and of the curves to later ones in its layer's floor."""
    level, (first, second) = layers.level[unit], layers.corners[unit][0]
    curves = []
    ends = []
    for here, there in ((first, second), (second, first)):
        meeting = joints.get((cover.owners[unit], _vertex(here)), [unit])
        start = lift if len(meeting) > 1 else END
        turn = _turn(layers, meeting, here) if lift == 0 else None
        if turn is not None:
            start = CURVE
            if unit == min(meeting):
                a, b, c = (layers.paper.at(p) for p in layers.flat(turn, level))
                curves.append(f"M{a}Q{b} {c}")
        ends.append(here + (there - here) * start)
    return [layers.paper.line(layers.flat(np.array(ends), level)), *curves]


def _turn(layers: Layers, meeting: list[int], vertex: Array) -> Array | None:
    """Return the ends and the apex of a curve, if just two flat rods turn at the vertex."""
    if len(meeting) != 2 or any(np.ptp(layers.corners[u][0][:, 2]) for u in meeting):
        return None
    arms = [(layers.corners[u][0].mean(axis=0) - vertex) * 2 for u in meeting]
    if abs(arms[0] @ arms[1]) > 0.5:
        return None
    return np.array([vertex + CURVE * arms[0], vertex, vertex + CURVE * arms[1]])


def _dots(layers: Layers, joints: dict[Joint, list[int]]) -> list[str]:
    """Return a dot in each layer of a vertex where a piece goes on to another layer."""
    data = []
    for (_, vertex), units in joints.items():
        levels = sorted({layers.level[u] for u in units})
        for level in levels if len(levels) > 1 else []:
            place = layers.flat(np.array(vertex) / 10, level)
            data.append(layers.paper.line([place, place]))
    return data
