"""The edges of the triangle grid, for polytrigs: types 0, 1, 2 point to 0, 60 and 120 degrees."""

from math import sqrt

from exactile.geometry.edges import edge_faces, edge_neighbors
from exactile.geometry.lattice import Art, Crossing, Frame, Lattice, Stroke
from exactile.geometry.lattices import triangle

ORIGINS = ((1, 0), (0, 1), (-1, 1))
RAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def wide_turns(rays: int) -> tuple[int, ...]:
    """Return the directions at a vertex, numbered from 0, that a piece blocks for other pieces.

    If a ray of the piece and its next ray counter-clockwise are 120 or 180 degrees apart, they
    block their own directions and all between them; other angles block nothing. `rays`: bit mask of
    the rays that the piece has at the vertex.

    Examples
    --------
    >>> wide_turns(0b000101), wide_turns(0b000011), wide_turns(0b001001)
    ((0, 1, 2), (), (0, 1, 2, 3, 4, 5))
    """
    present = [k for k in range(6) if rays >> k & 1]
    closed: set[int] = set()
    for first, second in zip(present, present[1:] + present[:1], strict=True):
        gap = (second - first) % 6
        if gap in (2, 3):
            closed |= {(first + i) % 6 for i in range(gap + 1)}
    return tuple(sorted(closed))


LATTICE = Lattice(
    name="triangle-edges",
    polyform="polytrig",
    plural="polytrigs",
    period=2,
    origins=ORIGINS,
    generators=triangle.LATTICE.generators,
    neighbors=edge_neighbors(ORIGINS, RAYS),
    faces=edge_faces(ORIGINS, RAYS),
    embedding=((0.5, 0.0), (0.25, sqrt(3) / 4)),
    art=Art(
        columns=(6, 3, 0),
        lines=(0, 3, 0),
        strokes=(
            (Stroke(1, 0, "_{:_<3}"),),
            (Stroke(0, 0, "/"), Stroke(1, 1, "/"), Stroke(2, 2, "/"), Stroke(0, 1, "{}")),
            (Stroke(-1, 0, "\\"), Stroke(-2, 1, "\\"), Stroke(-3, 2, "\\"), Stroke(-3, 2, "{}")),
        ),
        dots=((2, 0), (0, 1), (-3, 2)),
        label_width=3,
    ),
    flips=True,
    sets={"monotrigs": 1, "ditrigs": 2, "tritrigs": 3, "tetratrigs": 4, "pentatrigs": 5},
    builders=triangle.LATTICE.builders,
    expansions=triangle.LATTICE.expansions,
    frame=Frame(
        "triangle",
        (((1, 0), (0, 1), (1, 1)), ((2, 1), (1, 2), (1, 1))),
    ),
    crossing=Crossing(RAYS, wide_turns),
)
