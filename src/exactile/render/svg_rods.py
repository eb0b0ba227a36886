"""Solutions of edges in space as SVG: the whole, and layers of the pieces that begin there."""

from __future__ import annotations

from functools import partial

from exactile.render.colors import BARE, EMPTY_FILL, FAINT, assign_colors
from exactile.render.cover import EMPTY, Cover
from exactile.render.drawing import Drawing
from exactile.render.paint import spots
from exactile.render.paper import path
from exactile.render.svg_pieces import ROD, standing
from exactile.render.svg_sheets import name_tags
from exactile.render.svg_space import TRIMETRIC, Layers


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
