"""The square lattice of polyominoes."""

from __future__ import annotations

from itertools import product

from exactile.geometry.lattice import Art, Cells, Lattice, Sketch, Stroke, require, require_sizes


def box(width: int, height: int) -> Cells:
    """Return the squares of a rectangle.

    Examples
    --------
    >>> box(2, 1)
    [(0, 0), (1, 0)]
    """
    require_sizes(width, height)
    return [(x, y) for y, x in product(range(height), range(width))]


def triangle(side: int) -> Cells:
    """Return stairs: rows of `side`, `side` - 1, ..., 1 squares."""
    require_sizes(side, side)
    return trapezoid(side, side)


def trapezoid(base: int, height: int) -> Cells:
    """Return the lower part of stairs: `height` rows of `base`, `base` - 1, ... squares."""
    require_sizes(base, height)
    require(height <= base, f"A trapezoid of base {base} has at most {base} rows, not {height}.")
    return [(x, y) for y in range(height) for x in range(base - y)]


def parallelogram(width: int, height: int) -> Cells:
    """Return rows of `width` squares, each one step to the right of the row below.

    Examples
    --------
    >>> parallelogram(2, 2)
    [(0, 0), (1, 0), (1, 1), (2, 1)]
    """
    require_sizes(width, height)
    return [(x + y, y) for y in range(height) for x in range(width)]


def gable(height: int) -> Cells:
    """Return stairs on both sides: rows of 2 `height` - 1, ..., 5, 3, 1 squares."""
    require_sizes(height, 2 * height - 1)
    return [(x, y) for y in range(height) for x in range(y, 2 * height - 1 - y)]


def diamond(radius: int) -> Cells:
    """Return the squares within taxicab distance `radius` - 1 of a square."""
    require_sizes(radius, 2 * radius)
    r = radius - 1
    return [(x, y) for y, x in product(range(2 * r + 1), repeat=2) if abs(x - r) + abs(y - r) <= r]


def aztec_diamond(order: int) -> Cells:
    """Return the Aztec diamond: rows of 2, 4, ..., 2 `order`, 2 `order`, ..., 4, 2 squares.

    Examples
    --------
    >>> len(aztec_diamond(3))
    24
    """
    require_sizes(order, 4 * order)
    n = order
    return [
        (x, y)
        for y, x in product(range(2 * n), repeat=2)
        if abs(2 * x + 1 - 2 * n) + abs(2 * y + 1 - 2 * n) <= 2 * n
    ]


def diamond_lattice(width: int, height: int) -> Cells:
    """Return squares that touch at corners: `height` diagonal rows of `width` squares.

    For lattices of edges: the 4 `width` `height` edges around the squares fill a rectangle that is
    turned by 45 degrees.

    Examples
    --------
    >>> diamond_lattice(2, 2)
    [(1, 0), (2, 1), (0, 1), (1, 2)]
    """
    require_sizes(width, height)
    return [(x - y + height - 1, x + y) for y in range(height) for x in range(width)]


LATTICE = Lattice(
    name="square",
    polyform="polyomino",
    plural="polyominoes",
    period=1,
    origins=((0, 0),),
    generators=(((0, -1), (1, 0)), ((-1, 0), (0, 1))),
    neighbors=(((1, 0), (0, 1), (-1, 0), (0, -1)),),
    faces=((((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),),),
    embedding=((1.0, 0.0), (0.0, 1.0)),
    art=Art(columns=(2, 0), lines=(0, 1), strokes=((Stroke(0, 0, "{:.<1}"),),), label_width=1),
    flips=True,
    sets={
        "monomino": 1,
        "domino": 2,
        "trominoes": 3,
        "tetrominoes": 4,
        "pentominoes": 5,
        "hexominoes": 6,
        "heptominoes": 7,
        "octominoes": 8,
    },
    builders={
        "box": box,
        "triangle": triangle,
        "trapezoid": trapezoid,
        "parallelogram": parallelogram,
        "gable": gable,
        "diamond": diamond,
        "aztec_diamond": aztec_diamond,
    },
    sketch=Sketch(columns=(1, 0), lines=(0, 1)),
)
