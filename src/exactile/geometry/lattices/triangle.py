"""The triangle lattice of polyiamonds: type 0 points up, type 1 down."""

from __future__ import annotations

from itertools import product
from math import sqrt

from exactile.geometry import skew
from exactile.geometry.lattice import Art, Cells, Expansion, Lattice, Sketch, Stroke, require_sizes
from exactile.geometry.lattices.hexagon import GENERATORS

CORNERS = (((0, 0), (1, 0), (0, 1)), ((1, 0), (0, 1), (1, 1)))
"""The corners of a triangle of each type, as offsets from its place ``(x, y)``."""


def triangles(polygons: skew.Union) -> Cells:
    """Return the triangles whose three corners all lie in one of the polygons."""
    columns, rows = skew.extent(polygons)
    return [
        (x, y, kind)
        for y, x, kind in product(rows, columns, (0, 1))
        if any(all((x + i, y + j) in p for i, j in CORNERS[kind]) for p in polygons)
    ]


def box(width: int, height: int) -> Cells:
    """Return a parallelogram of 2 `width` `height` triangles."""
    require_sizes(width, height)
    return triangles(skew.box(width, height))


def triangle(side: int) -> Cells:
    """Return a triangle of side `side`: `side`² triangles."""
    return trapezoid(side, side)


def trapezoid(base: int, height: int) -> Cells:
    """Return a trapezoid with sides `base`, `height`, `base` - `height`, `height`."""
    require_sizes(base, height)
    return triangles(skew.trapezoid(base, height))


def hexagon(side: int) -> Cells:
    """Return a hexagon of side `side`: 6 `side`² triangles.

    Examples
    --------
    >>> len(hexagon(2))
    24
    """
    return irregular_hexagon(side, side, side, side)


def elongated_hexagon(base: int, side: int) -> Cells:
    """Return a hexagon: two opposite sides have length `base`, the other four `side`."""
    return irregular_hexagon(base, side, side, base)


def semiregular_hexagon(base: int, side: int) -> Cells:
    """Return a hexagon whose sides alternate between the lengths `base` and `side`."""
    return irregular_hexagon(base, side, base, side)


def irregular_hexagon(bottom: int, second: int, third: int, fourth: int) -> Cells:
    """Return a hexagon given by four consecutive sides, counter-clockwise from the bottom.

    Examples
    --------
    >>> len(irregular_hexagon(1, 1, 1, 1)), len(irregular_hexagon(1, 2, 1, 2))
    (6, 13)
    """
    require_sizes(bottom, second)
    require_sizes(third, fourth)
    return triangles(skew.hexagon(bottom, second, third, fourth))


def butterfly(base: int, side: int) -> Cells:
    """Return two trapezoids, joined at their shorter sides.

    The longer sides have length `base`, the sloping ones `side`.

    Examples
    --------
    >>> len(butterfly(3, 1))
    10
    """
    require_sizes(base, side)
    return triangles(skew.butterfly(base, side))


def chevron(base: int, side: int) -> Cells:
    """Return two parallelograms stacked: the lower leans to the left, the upper to the right."""
    require_sizes(base, side)
    return triangles(skew.chevron(base, side))


def hexagram(side: int) -> Cells:
    """Return a hexagon of side `side` with a triangle on each side: 12 `side`² triangles in all.

    Examples
    --------
    >>> len(hexagram(1))
    12
    """
    require_sizes(side)
    return triangles(skew.hexagram(side))


def hexgrid(cells: Cells, side: int) -> Cells:
    """Return a hexagon of 6 `side`² triangles for each given cell of the hexagon lattice.

    Examples
    --------
    >>> len(hexgrid([(0, 0), (1, 0)], 2))
    48
    """
    require_sizes(len(cells), 6, side, side)
    one = hexagon(side)
    places = [(side * (x - y), side * (x + 2 * y)) for x, y in cells]
    left, bottom = (min(axis) for axis in zip(*places, strict=True))
    return [(x + i - left, y + j - bottom, kind) for x, y in places for i, j, kind in one]


LATTICE = Lattice(
    name="triangle",
    polyform="polyiamond",
    plural="polyiamonds",
    period=3,
    origins=((1, 1), (2, 2)),
    generators=GENERATORS,
    neighbors=(((1, 1), (-2, 1), (1, -2)), ((-1, -1), (2, -1), (-1, 2))),
    faces=(
        (((-1, -1), (2, -1), (-1, 2)),),
        (((1, 1), (-2, 1), (1, -2)),),
    ),
    embedding=((1 / 3, 0.0), (1 / 6, sqrt(3) / 6)),
    art=Art(
        columns=(4, 2, 0),
        lines=(0, 2, 0),
        strokes=(
            (
                Stroke(0, 0, "____", across=(1, -2)),
                Stroke(0, 0, "/", across=(-2, 1)),
                Stroke(1, 1, "/", across=(-2, 1)),
                Stroke(3, 0, "\\", across=(1, 1)),
                Stroke(2, 1, "\\", across=(1, 1)),
            ),
            (
                Stroke(2, 2, "____", across=(-1, 2)),
                Stroke(3, 0, "\\", across=(-1, -1)),
                Stroke(2, 1, "\\", across=(-1, -1)),
                Stroke(4, 0, "/", across=(2, -1)),
                Stroke(5, 1, "/", across=(2, -1)),
                Stroke(3, 1, "{}"),
            ),
        ),
        dots=((1, 0), (3, 1)),
    ),
    flips=True,
    sets={
        "moniamond": 1,
        "diamond": 2,
        "triamond": 3,
        "tetriamonds": 4,
        "pentiamonds": 5,
        "hexiamonds": 6,
        "heptiamonds": 7,
        "octiamonds": 8,
    },
    builders={
        "box": box,
        "triangle": triangle,
        "trapezoid": trapezoid,
        "hexagon": hexagon,
        "elongated_hexagon": elongated_hexagon,
        "semiregular_hexagon": semiregular_hexagon,
        "irregular_hexagon": irregular_hexagon,
        "hexagram": hexagram,
        "butterfly": butterfly,
        "chevron": chevron,
    },
    expansions={"hexgrid": Expansion("hexagon", "side", hexgrid)},
    sketch=Sketch(columns=(2, 1), lines=(0, 1), shifts=((0, 0), (1, 0))),
)
