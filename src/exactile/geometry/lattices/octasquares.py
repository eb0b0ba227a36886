"""The octagons (type 0) and squares (type 1) of the tiling 4.8.8.

Each square lies between four octagons and is turned by 45 degrees.
"""

from math import sqrt

from exactile.geometry.lattice import Art, Frame, Lattice, Stroke
from exactile.geometry.lattices import square

SIDE = sqrt(2) - 1
"""Half the side of an octagon, if the centers of two adjacent octagons are at distance 2."""

DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))

PLACES = ((0, 0), (2, 1))

LATTICE = Lattice(
    name="octasquares",
    polyform="polyoctasquare",
    plural="polyoctasquares",
    period=2,
    origins=((0, 0), (1, 1)),
    generators=square.LATTICE.generators,
    neighbors=((*DIAGONALS, (2, 0), (0, 2), (-2, 0), (0, -2)), DIAGONALS),
    faces=(
        (
            (
                *((1, -SIDE), (1, SIDE), (SIDE, 1), (-SIDE, 1)),
                *((-1, SIDE), (-1, -SIDE), (-SIDE, -1), (SIDE, -1)),
            ),
        ),
        (((1 - SIDE, 0), (0, 1 - SIDE), (SIDE - 1, 0), (0, SIDE - 1)),),
    ),
    embedding=(((1 + sqrt(2)) / 2, 0.0), (0.0, (1 + sqrt(2)) / 2)),
    art=Art(
        columns=(4, 0, 0),
        lines=(0, 2, 0),
        strokes=tuple((Stroke(column, line, "{:.<1}"),) for column, line in PLACES),
        dots=PLACES,
        label_width=2,
    ),
    flips=True,
    sets={
        "monoctasquares": 1,
        "dioctasquares": 2,
        "trioctasquares": 3,
        "tetroctasquares": 4,
        "pentoctasquares": 5,
    },
    builders=square.LATTICE.builders,
    frame=Frame("square", (((0, 0), *DIAGONALS),)),
)
