"""Prisms: each plane lattice, stacked in layers of equal height.

Cells become prisms, edges become upright walls. The third coordinate counts layers. Since pieces
can be turned over in space, every reflection of the plane has the effect of a rotation of space.
"""

from __future__ import annotations

import inspect
from dataclasses import replace

from exactile.geometry.lattice import (
    Art,
    Builder,
    Cells,
    Corner,
    Crossing,
    Expansion,
    Frame,
    Lattice,
    Point,
    require_sizes,
)
from exactile.geometry.lattices import (
    bevelhexagons,
    half_cairo,
    hexagon,
    hexagon_edges,
    kites,
    octasquares,
    quarter_squares,
    sixth_triangles,
    square,
    square_edges,
    triangle,
    triangle_edges,
    trihexagons,
)

PREFIXES = ("mono", "di", "tri", "tetra", "penta")


def stacked(cells: Cells, height: int) -> Cells:
    """Return `height` equal layers of cells of a plane lattice.

    Examples
    --------
    >>> stacked([(0, 0, 1)], 2)
    [(0, 0, 0, 1), (0, 0, 1, 1)]
    """
    require_sizes(len(cells), height)
    return [(*cell[:2], z, *cell[2:]) for z in range(height) for cell in cells]


def layered(build: Builder) -> Builder:
    """Return a builder that takes the sizes of a plane builder, then a number of layers.

    Examples
    --------
    >>> from exactile.geometry.lattices import square
    >>> len(layered(square.box)(2, 3, 4))
    24
    """
    flat = inspect.signature(build)
    layers = inspect.Parameter("layers", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=int)

    def builder(*sizes: int) -> Cells:
        return stacked(build(*sizes[:-1]), sizes[-1])

    builder.__signature__ = flat.replace(parameters=[*flat.parameters.values(), layers])  # type: ignore[attr-defined]
    return builder


def prism_lattice(base: Lattice, name: str, stem: str) -> Lattice:
    """Return the lattice of prisms over the cells, or of walls over the edges, of a plane lattice.

    Parameters
    ----------
    base
        The plane lattice.
    name
        Name of the new lattice.
    stem
        Singular of its polyforms without "poly"; the plural has an s.

    Examples
    --------
    >>> from exactile.geometry.lattices import hexagon
    >>> bricks = prism_lattice(hexagon.LATTICE, "honeycombs", "honeycomb")
    >>> bricks.plural, len(bricks.group), len(bricks.neighbors[0])
    ('polyhoneycombs', 24, 8)
    """
    p = base.period

    def flat(point: Point) -> Point:
        return (*point, 0)

    def turned(matrix: tuple[Point, ...]) -> tuple[Point, ...]:
        return (*map(flat, matrix), (0, 0, 1))

    frame = base.frame and Frame(
        FRAMES[base.frame.lattice], tuple(tuple(map(flat, b)) for b in base.frame.borders)
    )
    crossing = base.crossing and Crossing(tuple(map(flat, base.crossing.rays)), base.crossing.items)
    return Lattice(
        name=name,
        polyform=f"poly{stem}",
        plural=f"poly{stem}s",
        period=p,
        origins=tuple(map(flat, base.origins)),
        generators=(*map(turned, base.generators), ((1, 0, 0), (0, 1, 0), (0, 0, -1))),
        neighbors=tuple((*map(flat, steps), (0, 0, p), (0, 0, -p)) for steps in base.neighbors),
        faces=tuple(_sides(polygons[0], p / 2) for polygons in base.faces),
        embedding=(*((*row, 0.0) for row in base.embedding), (0.0, 0.0, 1 / p)),
        art=_art(base),
        flips=False,
        sets={f"{prefix}{stem}s": k for k, prefix in enumerate(PREFIXES[:4], 1)},
        builders={key: layered(builder) for key, builder in base.builders.items()},
        expansions={
            "prism": Expansion(base.frame.lattice if base.frame else base.name, "height", stacked)
        },
        sketch=base.sketch,
        frame=frame,
        crossing=crossing,
        customary=base.customary,
        block=tuple(map(flat, base.block)),
        slides=tuple(map(flat, base.slides)),
    )


FRAMES = {
    "square": "square-prisms",
    "hexagon": "hexagon-prisms",
    "triangle": "triangle-prisms",
}
"""Maps the name of a plane lattice to that of the lattice of prisms over its cells."""


def _sides(base: tuple[Corner, ...], half: float) -> tuple[tuple[Corner, ...], ...]:
    """Return the faces of the prism over a polygon (below, above, walls); over a segment, one wall.

    `half`: half the height of the prism.
    """
    below, above = (tuple((*corner, height) for corner in base) for height in (-half, half))
    if len(base) == 2:
        return ((*below, *reversed(above)),)
    walls = zip(below, (*below[1:], below[0]), (*above[1:], above[0]), above, strict=True)
    return (tuple(reversed(below)), above, *walls)


def _art(base: Lattice) -> Art:
    """Return the art for prisms over the units of a plane lattice: layers side by side."""

    def spread(numbers: Point) -> Point:
        return (*numbers[:2], 0, *numbers[2:])

    strokes = tuple(
        tuple(replace(s, across=s.across and (*s.across, 0)) for s in own)
        for own in base.art.strokes
    )
    return replace(
        base.art,
        columns=spread(base.art.columns),
        lines=spread(base.art.lines),
        strokes=strokes,
        layer_axis=2,
    )


SQUARE = prism_lattice(square.LATTICE, "square-prisms", "brick")
TRIANGLE = prism_lattice(triangle.LATTICE, "triangle-prisms", "triprism")
HEXAGON = prism_lattice(hexagon.LATTICE, "hexagon-prisms", "hexprism")
QUARTER_SQUARE = prism_lattice(quarter_squares.LATTICE, "quarter-square-prisms", "aboloprism")
SIXTH_TRIANGLE = prism_lattice(sixth_triangles.LATTICE, "sixth-triangle-prisms", "drafterprism")
KITE = prism_lattice(kites.LATTICE, "kite-prisms", "kiteprism")
OCTASQUARE = prism_lattice(octasquares.LATTICE, "octasquare-prisms", "octasquareprism")
TRIHEXAGON = prism_lattice(trihexagons.LATTICE, "trihexagon-prisms", "trihexprism")
BEVELHEXAGON = prism_lattice(bevelhexagons.LATTICE, "bevelhexagon-prisms", "bevelhexprism")
HALF_CAIRO = prism_lattice(half_cairo.LATTICE, "half-cairo-prisms", "halfcairoprism")
SQUARE_WALLS = prism_lattice(square_edges.LATTICE, "square-walls", "squarewall")
TRIANGLE_WALLS = prism_lattice(triangle_edges.LATTICE, "triangle-walls", "trianglewall")
HEXAGON_WALLS = prism_lattice(hexagon_edges.LATTICE, "hexagon-walls", "hexagonwall")
