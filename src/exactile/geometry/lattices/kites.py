"""The kites of polykites: each hexagon is cut from its middle to the middles of its sides.

Type k lies in the direction of 60k degrees from the middle of its hexagon.
"""

from math import sqrt

import numpy as np

from exactile.geometry.lattice import Art, Frame, Lattice, Point, Stroke
from exactile.geometry.lattices import hexagon

TURN = np.array(hexagon.GENERATORS[0])


def turned(points: tuple[Point, ...]) -> tuple[tuple[Point, ...], ...]:
    """Return six copies of some points, turned by 0, 60, ..., 300 degrees.

    Examples
    --------
    >>> turned(((1, 0),))[:3]
    (((1, 0),), ((0, 1),), ((-1, 1),))
    """
    result = [np.array(points)]
    for _ in range(5):
        result.append(result[-1] @ TURN.T)
    return tuple(tuple((int(x), int(y)) for x, y in turn) for turn in result)


ORIGINS = tuple(point for (point,) in turned(((2, -1),)))

LATTICE = Lattice(
    name="kites",
    polyform="polykite",
    plural="polykites",
    period=6,
    origins=ORIGINS,
    generators=hexagon.GENERATORS,
    neighbors=turned(((-1, 2), (-1, -1), (3, 0), (3, -3))),
    faces=tuple((corners,) for corners in turned(((-2, 1), (1, -2), (2, -1), (1, 1)))),
    embedding=((sqrt(3) / 6, 1 / 6), (0.0, 1 / 3)),
    art=Art(
        columns=(12, 0, 0),
        lines=(4, 8, 0),
        strokes=tuple(
            (Stroke(column, line, "{:.<1}"),)
            for column, line in ((5, 0), (2, 2), (-3, 2), (-5, 0), (-3, -2), (2, -2))
        ),
        dots=((5, 0), (2, 2), (-3, 2), (-5, 0), (-3, -2), (2, -2)),
    ),
    flips=True,
    sets={
        "monokite": 1,
        "dikites": 2,
        "trikites": 3,
        "tetrakites": 4,
        "pentakites": 5,
        "hexakites": 6,
        "heptakites": 7,
    },
    builders=hexagon.LATTICE.builders,
    frame=Frame("hexagon", (ORIGINS,)),
)
