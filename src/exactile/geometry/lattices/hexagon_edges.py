"""The edges of the hexagon grid, for polytwigs: types 0, 1, 2 point right, up-left, down-left.

Each edge (twig) crosses one edge of the triangle grid (trig), and has the same point as this trig.
Two twigs are neighbors if their trigs belong to one triangle. Only three edges meet at a vertex, so
pieces cannot cross.
"""

from math import sqrt

from exactile.geometry.lattice import Art, Frame, Lattice, Stroke
from exactile.geometry.lattices import hexagon

THIRD = 1 / 3

LATTICE = Lattice(
    name="hexagon-edges",
    polyform="polytwig",
    plural="polytwigs",
    period=2,
    origins=((2, 1), (1, 2), (1, 1)),
    generators=hexagon.LATTICE.generators,
    neighbors=(
        ((1, 0), (1, -1), (-1, 0), (-1, 1)),
        ((0, 1), (-1, 1), (0, -1), (1, -1)),
        ((1, 0), (0, 1), (-1, 0), (0, -1)),
    ),
    faces=(
        (((2 * THIRD, -THIRD), (-2 * THIRD, THIRD)),),
        (((-THIRD, 2 * THIRD), (THIRD, -2 * THIRD)),),
        (((THIRD, THIRD), (-THIRD, -THIRD)),),
    ),
    embedding=((0.75, sqrt(3) / 4), (0.0, sqrt(3) / 2)),
    art=Art(
        columns=(6, 0, 0),
        lines=(2, 4, 0),
        strokes=(
            (Stroke(0, 0, "_{:_<3}"),),
            (Stroke(-1, 0, "\\"), Stroke(-2, 1, "\\"), Stroke(-2, 1, "{}")),
            (Stroke(-1, -1, "/"), Stroke(-2, -2, "/"), Stroke(-1, -1, "{}")),
        ),
        dots=((1, 0), (-2, 1), (-1, -1)),
        label_width=3,
    ),
    flips=True,
    sets={
        "monotwigs": 1,
        "ditwigs": 2,
        "tritwigs": 3,
        "tetratwigs": 4,
        "pentatwigs": 5,
        "hexatwigs": 6,
        "heptatwigs": 7,
    },
    builders=hexagon.LATTICE.builders,
    frame=Frame("hexagon", (((3, 2), (1, 2), (2, 3), (2, 1), (3, 1), (1, 3)),)),
)
