"""The cube lattice of polycubes."""

from exactile.geometry.builders import cube as build
from exactile.geometry.lattice import Art, Corner, Expansion, Lattice, Sketch, Stroke

GENERATORS = (
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
)
"""Quarter turns about z and x, and a mirror: the 48 symmetries of the cube."""

STEPS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))

EMBEDDING = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def square_across(axis: int, size: float) -> tuple[Corner, ...]:
    """Return the corners, in cyclic order, of a square across an axis with its center at 0."""
    ring = ((-size, -size), (size, -size), (size, size), (-size, size))
    return tuple((*c[:axis], 0.0, *c[axis:]) for c in ring)


def _faces() -> tuple[tuple[Corner, ...], ...]:
    return tuple(
        tuple(
            tuple(c + 0.5 * s for c, s in zip(corner, step, strict=True))
            for corner in square_across(i // 2, 0.5)
        )
        for i, step in enumerate(STEPS)
    )


LATTICE = Lattice(
    name="cube",
    polyform="polycube",
    plural="polycubes",
    period=1,
    origins=((0, 0, 0),),
    generators=GENERATORS,
    neighbors=(STEPS,),
    faces=(_faces(),),
    embedding=EMBEDDING,
    art=Art(
        columns=(2, 0, 0),
        lines=(0, 1, 0),
        strokes=((Stroke(0, 0, "{:.<1}"),),),
        label_width=1,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "monocube": 1,
        "dicube": 2,
        "tricubes": 3,
        "tetracubes": 4,
        "pentacubes": 5,
        "hexacubes": 6,
        "heptacubes": 7,
    },
    builders={
        "box": build.box,
        "open_box": build.open_box,
        "ring_wall": build.ring_wall,
    },
    expansions={
        "prism": Expansion("square", "height", build.prism),
        "prism_x": Expansion("square", "length", build.prism_x),
        "prism_y": Expansion("square", "length", build.prism_y),
        "pyramid": Expansion("square", "height", build.pyramid),
    },
    sketch=Sketch(columns=(1, 0), lines=(0, 1)),
)
