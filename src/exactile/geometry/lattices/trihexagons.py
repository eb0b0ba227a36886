"""The hexagons and triangles of the tiling 3.6.3.6: type 0 hexagons, 1 and 2 triangles.

Hexagons meet only at corners. Type 1 points up, type 2 down.
"""

from math import sqrt

from exactile.geometry.lattice import Art, Frame, Lattice, Stroke
from exactile.geometry.lattices import hexagon
from exactile.geometry.lattices.kites import turned

UP = ((-1, -1), (2, -1), (-1, 2))
"""Offsets from a triangle of type 1 to the hexagons around it."""

DOWN = tuple((-x, -y) for x, y in UP)

AROUND = tuple(step for (step,) in turned(((1, 1),)))
"""Offsets from a hexagon to the triangles around it."""

PLACES = ((0, 0), (3, 1), (6, 2))

LATTICE = Lattice(
    name="trihexagons",
    polyform="polytrihex",
    plural="polytrihexes",
    period=3,
    origins=((0, 0), (1, 1), (2, 2)),
    generators=hexagon.GENERATORS,
    neighbors=(AROUND, UP, DOWN),
    faces=(
        (((1.5, 0), (0, 1.5), (-1.5, 1.5), (-1.5, 0), (0, -1.5), (1.5, -1.5)),),
        (((0.5, 0.5), (-1, 0.5), (0.5, -1)),),
        (((-0.5, -0.5), (1, -0.5), (-0.5, 1)),),
    ),
    embedding=((2 / 3, 0.0), (1 / 3, sqrt(3) / 3)),
    art=Art(
        columns=(6, 3, 0),
        lines=(0, 3, 0),
        strokes=tuple((Stroke(column, line, "{:.<1}"),) for column, line in PLACES),
        dots=PLACES,
    ),
    flips=True,
    sets={
        "monotrihexes": 1,
        "ditrihexes": 2,
        "tritrihexes": 3,
        "tetratrihexes": 4,
        "pentatrihexes": 5,
        "hexatrihexes": 6,
    },
    builders=hexagon.LATTICE.builders,
    frame=Frame("hexagon", (((0, 0), *AROUND),)),
)
