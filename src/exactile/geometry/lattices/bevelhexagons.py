"""The dodecagons, hexagons and squares of the tiling 4.6.12.

Type 0 is a dodecagon. Types 1 and 2 are hexagons, each between three dodecagons. Types 3 to 5 are
squares, each between two dodecagons in the direction of 0, 60 or 120 degrees.
"""

from math import cos, pi, sin, sqrt

from exactile.geometry.lattice import Art, Corner, Frame, Lattice, Stroke
from exactile.geometry.lattices import hexagon
from exactile.geometry.lattices.kites import turned

UNIT = (3 + sqrt(3)) / 6
"""A sixth of the distance between the centers of two adjacent dodecagons with sides of length 1."""

HEXAGONS = tuple(step for (step,) in turned(((2, 2),)))
SQUARES = tuple(step for (step,) in turned(((3, 0),)))
"""Offsets from a dodecagon to the squares around it. `HEXAGONS`: to the hexagons around it."""

UP = ((-2, -2), (4, -2), (-2, 4), (1, -2), (-2, 1), (1, 1))
"""Offsets from a hexagon of type 1 to the dodecagons around it, then to the squares."""

ACROSS = turned(((3, 0), (-3, 0), (-1, 2), (1, -2)))
"""Offsets from a square of each type to its two dodecagons, then to its two hexagons."""


def polygon(sides: int, first: float) -> tuple[Corner, ...]:
    """Return the corners of a regular polygon with sides of length 1, as offsets from its center.

    The offsets are in coordinates of the lattice. `sides`: number of sides. `first`: direction of
    the first corner, in radians.
    """
    radius = 0.5 / sin(pi / sides)
    angles = [first + 2 * pi * k / sides for k in range(sides)]
    return tuple(
        (
            radius / UNIT * (cos(a) - sin(a) / sqrt(3)),
            radius / UNIT * (2 * sin(a) / sqrt(3)),
        )
        for a in angles
    )


PLACES = ((0, 0), (6, 2), (12, 4), (6, 0), (3, 3), (-3, 3))

LATTICE = Lattice(
    name="bevelhexagons",
    polyform="polybevelhex",
    plural="polybevelhexes",
    period=6,
    origins=((0, 0), (2, 2), (4, 4), (3, 0), (0, 3), (-3, 3)),
    generators=hexagon.GENERATORS,
    neighbors=((*HEXAGONS, *SQUARES), UP, tuple((-x, -y) for x, y in UP), *ACROSS[:3]),
    faces=(
        (polygon(12, pi / 12),),
        (polygon(6, 0),),
        (polygon(6, 0),),
        (polygon(4, pi / 4),),
        (polygon(4, pi / 4 + pi / 3),),
        (polygon(4, pi / 4 + 2 * pi / 3),),
    ),
    embedding=((UNIT, 0.0), (UNIT / 2, UNIT * sqrt(3) / 2)),
    art=Art(
        columns=(12, 6, 0),
        lines=(0, 6, 0),
        strokes=tuple((Stroke(column, line, "{:.<1}"),) for column, line in PLACES),
        dots=PLACES,
    ),
    flips=True,
    sets={
        "monobevelhexes": 1,
        "dibevelhexes": 2,
        "tribevelhexes": 3,
        "tetrabevelhexes": 4,
    },
    builders=hexagon.LATTICE.builders,
    frame=Frame("hexagon", (((0, 0), *HEXAGONS, *SQUARES),)),
)
