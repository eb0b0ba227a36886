"""Triangles and kites: two of each make up a pentagon of the Cairo tiling.

Each square is cut from its middle to the points that divide its sides in the ratio 1 : 2 : 1. Even
types are the triangles, odd types the kites at the corners; type k lies in the direction of 45k
degrees.
"""

from math import sqrt

from exactile.geometry.lattice import Art, Corner, Frame, Lattice, Point, Stroke
from exactile.geometry.lattices import square

ORIGINS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))

TRIANGLE = ((0, 1), (0, -1), (1, 0))
KITE = ((0, -1), (-1, 0), (1, 0), (0, 1))
"""Offsets from a kite of type 1 to its neighbors. `TRIANGLE`: from a triangle of type 0. The
offsets for other types are turned copies."""

TRIANGLE_CORNERS = ((-1, 0), (0.5, -0.75), (0.5, 0.75))
KITE_CORNERS = ((-1, -1), (0.5, -0.25), (0.5, 0.5), (-0.25, 0.5))


def turned(points: tuple[Corner, ...], quarters: int) -> tuple[Corner, ...]:
    """Return some points turned by `quarters` right angles.

    Examples
    --------
    >>> turned(((1, 0),), 1)
    ((0, 1),)
    """
    for _ in range(quarters):
        points = tuple((0 - y, x) for x, y in points)
    return points


def _steps(kind: int) -> tuple[Point, ...]:
    around = turned(KITE if kind % 2 else TRIANGLE, kind // 2)
    return tuple((int(x), int(y)) for x, y in around)


PLACES = ((6, 2), (6, 4), (3, 4), (0, 4), (0, 2), (0, 0), (3, 0), (6, 0))

LATTICE = Lattice(
    name="half-cairo",
    polyform="polyhalfcairo",
    plural="polyhalfcairos",
    period=3,
    origins=ORIGINS,
    generators=square.LATTICE.generators,
    neighbors=tuple(_steps(kind) for kind in range(8)),
    faces=tuple(
        (turned(KITE_CORNERS if kind % 2 else TRIANGLE_CORNERS, kind // 2),) for kind in range(8)
    ),
    embedding=((4 / sqrt(45), 0.0), (0.0, 4 / sqrt(45))),
    art=Art(
        columns=(9, 0, 0),
        lines=(0, 6, 0),
        strokes=tuple((Stroke(column, line, "{:.<1}"),) for column, line in PLACES),
        dots=PLACES,
    ),
    flips=True,
    sets={
        "monohalfcairos": 1,
        "dihalfcairos": 2,
        "trihalfcairos": 3,
        "tetrahalfcairos": 4,
        "pentahalfcairos": 5,
    },
    builders=square.LATTICE.builders,
    frame=Frame("square", (ORIGINS,)),
)
