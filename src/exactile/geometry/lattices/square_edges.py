"""The edges of the square grid, for polysticks: type 0 is horizontal, type 1 vertical."""

from exactile.geometry.edges import edge_faces, edge_neighbors
from exactile.geometry.lattice import Art, Crossing, Frame, Lattice, Stroke
from exactile.geometry.lattices import square

ORIGINS = ((1, 0), (0, 1))
RAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def straight_through(rays: int) -> tuple[int, ...]:
    """Return ``(0,)`` if a piece passes straight through a vertex, else ``()``.

    `rays`: bit mask of the rays that the piece has at the vertex. Item 0 of the vertex is
    secondary, so two pieces that pass straight through exclude each other.

    Examples
    --------
    >>> straight_through(0b0101), straight_through(0b0011)
    ((0,), ())
    """
    return (0,) if rays & 0b0101 == 0b0101 or rays & 0b1010 == 0b1010 else ()


LATTICE = Lattice(
    name="square-edges",
    polyform="polystick",
    plural="polysticks",
    period=2,
    origins=ORIGINS,
    generators=square.LATTICE.generators,
    neighbors=edge_neighbors(ORIGINS, RAYS),
    faces=edge_faces(ORIGINS, RAYS),
    embedding=((0.5, 0.0), (0.0, 0.5)),
    art=Art(
        columns=(5, 0, 0),
        lines=(0, 3, 0),
        strokes=(
            (Stroke(1, 0, "-{:-<3}"),),
            (Stroke(0, 1, "|"), Stroke(0, 2, "|"), Stroke(0, 2, "{}")),
        ),
        dots=((2, 0), (0, 2)),
        label_width=3,
    ),
    flips=True,
    sets={"monostick": 1, "disticks": 2, "tristicks": 3, "tetrasticks": 4, "pentasticks": 5},
    builders={**square.LATTICE.builders, "diamond_lattice": square.diamond_lattice},
    frame=Frame("square", (((1, 0), (0, 1), (1, 2), (2, 1)),)),
    crossing=Crossing(RAYS, straight_through),
)
