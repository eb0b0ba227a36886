"""The cube lattice of polycubes."""

from __future__ import annotations

from itertools import product

from exactile.geometry.lattice import (
    Art,
    Cells,
    Corner,
    Expansion,
    Lattice,
    Sketch,
    Stroke,
    require,
    require_sizes,
)

FLAT_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def box(width: int, depth: int, height: int) -> Cells:
    """Return the cubes of a box."""
    require_sizes(width, depth, height)
    return [(x, y, z) for z, y, x in product(range(height), range(depth), range(width))]


def ring_wall(width: int, depth: int, height: int) -> Cells:
    """Return the four walls of a box, without a top or a bottom.

    Raise RegionError if the box is less than 3 wide or deep, not at least 1 high, or too large.

    Examples
    --------
    >>> len(ring_wall(3, 4, 2))
    20
    """
    require(min(width, depth) > 2 or min(width, depth) < 1, "A ring wall is at least 3 by 3.")
    return [
        (x, y, z)
        for x, y, z in box(width, depth, height)
        if x in (0, width - 1) or y in (0, depth - 1)
    ]


def open_box(width: int, depth: int, height: int) -> Cells:
    """Return a box without a lid: four walls on a floor, all one cube thick.

    Raise RegionError if the box is less than 3 wide or deep, not at least 1 high, or too large.

    Examples
    --------
    >>> len(open_box(3, 3, 2))
    17
    """
    require(
        min(width, depth) > 2 or min(width, depth) < 1,
        "An open box is at least 3 by 3 at its floor.",
    )
    return [
        (x, y, z)
        for x, y, z in box(width, depth, height)
        if x in (0, width - 1) or y in (0, depth - 1) or z == 0
    ]


def prism(cells: Cells, height: int) -> Cells:
    """Return `height` equal layers of cubes, each over the given squares.

    Raise RegionError if there are no cubes or too many.

    Examples
    --------
    >>> prism([(0, 0), (1, 0)], 2)
    [(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1)]
    """
    require_sizes(len(cells), height)
    return [(*cell, z) for z in range(height) for cell in cells]


def prism_x(cells: Cells, length: int) -> Cells:
    """Return a beam along x with the given squares (y, z) as its profile.

    Examples
    --------
    >>> prism_x([(0, 0), (0, 1)], 2)
    [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)]
    """
    require_sizes(len(cells), length)
    return [(x, *cell) for x in range(length) for cell in cells]


def prism_y(cells: Cells, length: int) -> Cells:
    """Return a beam along y with the given squares (x, z) as its profile.

    Examples
    --------
    >>> prism_y([(0, 0), (0, 1)], 2)
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    """
    require_sizes(len(cells), length)
    return [(x, y, z) for y in range(length) for x, z in cells]


def pyramid(cells: Cells, height: int) -> Cells:
    """Return `height` layers of cubes, the lowest one over the given squares.

    Each higher layer has the squares whose four neighbors all lie in the layer below.

    Examples
    --------
    >>> flat = [(x, y) for x in range(3) for y in range(3)]
    >>> pyramid(flat, 2)[-1]
    (1, 1, 1)
    """
    require_sizes(len(cells), height)
    layer, result = set(cells), []
    for z in range(height):
        require(bool(layer), f"A pyramid on this base has {z} layers, not {height}.")
        result += [(*cell, z) for cell in cells if cell in layer]
        layer = {(x, y) for x, y in layer if all((x + i, y + j) in layer for i, j in FLAT_STEPS)}
    return result


GENERATORS = (
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
)
"""A quarter turn about z, a quarter turn about x, and a reflection. They generate the 48 symmetries
of the cube."""

STEPS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))

EMBEDDING = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def square_across(axis: int, size: float) -> tuple[Corner, ...]:
    """Return the corners of a square around the origin, perpendicular to an axis, in cyclic order.

    The sides have length 2 `size`.
    """
    ring = ((-size, -size), (size, -size), (size, size), (-size, size))
    return tuple((*c[:axis], 0.0, *c[axis:]) for c in ring)


def _faces() -> tuple[tuple[Corner, ...], ...]:
    return tuple(
        tuple(
            tuple(c + 0.5 * s for c, s in zip(corner, step, strict=True))
            for corner in square_across(i // 2, 0.5)
        )
        for i, step in enumerate(STEPS)
    )


LATTICE = Lattice(
    name="cube",
    polyform="polycube",
    plural="polycubes",
    period=1,
    origins=((0, 0, 0),),
    generators=GENERATORS,
    neighbors=(STEPS,),
    faces=(_faces(),),
    embedding=EMBEDDING,
    art=Art(
        columns=(2, 0, 0),
        lines=(0, 1, 0),
        strokes=((Stroke(0, 0, "{:.<1}"),),),
        label_width=1,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "monocube": 1,
        "dicube": 2,
        "tricubes": 3,
        "tetracubes": 4,
        "pentacubes": 5,
        "hexacubes": 6,
        "heptacubes": 7,
    },
    builders={
        "box": box,
        "open_box": open_box,
        "ring_wall": ring_wall,
    },
    expansions={
        "prism": Expansion("square", "height", prism),
        "prism_x": Expansion("square", "length", prism_x),
        "prism_y": Expansion("square", "length", prism_y),
        "pyramid": Expansion("square", "height", pyramid),
    },
    sketch=Sketch(columns=(1, 0), lines=(0, 1)),
)
