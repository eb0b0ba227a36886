"""The sixth triangles of polydrafters: each triangle is cut by its three altitudes.

Twelve sixths lie around each corner; type k lies between the directions of 30k and 30(k + 1)
degrees. A drafter, half a triangle, is three sixths in a row.
"""

from math import sqrt

from exactile.geometry.lattice import Art, Frame, Lattice, Point, Stroke
from exactile.geometry.lattices import triangle
from exactile.geometry.lattices.kites import turned

LOWER = ((2, 1), (-1, 1), (1, -2), (1, 0), (-2, -1), (1, -1), (0, 1))
"""The point of a unit of type 0, then its neighbors and its corners as offsets. Type 1 is a mirror
image of type 0."""


def around(start: int, stop: int) -> tuple[tuple[Point, ...], ...]:
    """Return the images of ``LOWER[start:stop]``, which belongs to type 0, for all twelve types.

    Examples
    --------
    >>> around(0, 1)[:3]
    (((2, 1),), ((1, 2),), ((-1, 3),))
    """
    part = LOWER[start:stop]
    even, odd = turned(part), turned(tuple((y, x) for x, y in part))
    return tuple(turn for pair in zip(even, odd, strict=True) for turn in pair)


ORIGINS = tuple(point for (point,) in around(0, 1))


def sixths(kind: int) -> tuple[Point, ...]:
    """Return the six units of a whole triangle at the origin.

    `kind`: 0 for the triangle that points up, 1 for the one that points down.
    """
    corners = ((0, 0), (6, 0), (0, 6)) if kind == 0 else ((6, 6), (0, 6), (6, 0))
    types = ((0, 1), (4, 5), (8, 9)) if kind == 0 else ((6, 7), (10, 11), (2, 3))
    return tuple(
        (x + ORIGINS[k][0], y + ORIGINS[k][1])
        for (x, y), pair in zip(corners, types, strict=True)
        for k in pair
    )


# Columns and lines of the twelve labels, counted from the corner in the middle.
PLACES = (
    (7, 1),
    (5, 2),
    (1, 3),
    (-2, 3),
    (-6, 2),
    (-8, 1),
    (-8, -1),
    (-6, -2),
    (-2, -3),
    (1, -3),
    (5, -2),
    (7, -1),
)

LATTICE = Lattice(
    name="sixth-triangles",
    polyform="polydrafter",
    plural="polydrafters",
    period=6,
    origins=ORIGINS,
    generators=triangle.LATTICE.generators,
    neighbors=around(1, 4),
    faces=tuple((corners,) for corners in around(4, 7)),
    embedding=((sqrt(3) / 6, 0.0), (sqrt(3) / 12, 0.25)),
    art=Art(
        columns=(18, 9, 0),
        lines=(0, 8, 0),
        strokes=tuple((Stroke(column, line, "{:.<1}"),) for column, line in PLACES),
        dots=PLACES,
    ),
    flips=True,
    sets={
        "monodrafter": 1,
        "didrafters": 2,
        "tridrafters": 3,
        "tetradrafters": 4,
        "pentadrafters": 5,
        "hexadrafters": 6,
    },
    builders=triangle.LATTICE.builders,
    expansions=triangle.LATTICE.expansions,
    frame=Frame("triangle", (sixths(0), sixths(1))),
    block=(ORIGINS[0], ORIGINS[1], (ORIGINS[8][0], ORIGINS[8][1] + 6)),
    # Half a side, which keeps the lines along this side and across it; and from a corner to the
    # middle of a triangle, which keeps the altitudes.
    slides=((3, 0), (2, 2)),
)
