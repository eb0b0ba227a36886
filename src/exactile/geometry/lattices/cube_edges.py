"""The edges of the cube grid, for polysticks in space.

The point of an edge has one odd coordinate, that of its direction.
"""

from itertools import product

from exactile.geometry.edges import edge_faces, edge_neighbors
from exactile.geometry.lattice import Art, Frame, Lattice, Stroke
from exactile.geometry.lattices import cube

ORIGINS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

LATTICE = Lattice(
    name="cube-edges",
    polyform="polystick in space",
    plural="space-polysticks",
    period=2,
    origins=ORIGINS,
    generators=cube.GENERATORS,
    neighbors=edge_neighbors(ORIGINS, cube.STEPS),
    faces=edge_faces(ORIGINS, cube.STEPS),
    embedding=((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)),
    art=Art(
        columns=(3, 0, 0),
        lines=(0, 1, 0),
        strokes=(
            (Stroke(-2, 0, "-{:-<4}"),),
            (Stroke(0, 0, "|"), Stroke(0, 0, "{}")),
            (Stroke(0, 0, "o"), Stroke(0, 0, "{}")),
        ),
        label_width=2,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "space-monostick": 1,
        "space-disticks": 2,
        "space-tristicks": 3,
        "space-tetrasticks": 4,
    },
    builders=cube.LATTICE.builders,
    expansions=cube.LATTICE.expansions,
    frame=Frame(
        "cube",
        (tuple(p for p in product(range(3), repeat=3) if sum(c == 1 for c in p) == 1),),
    ),
    customary=False,
)
