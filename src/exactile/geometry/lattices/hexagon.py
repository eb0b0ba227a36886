"""The hexagon lattice of polyhexes, in axial coordinates."""

from math import sqrt

from exactile.geometry.builders import hexagon as build
from exactile.geometry.lattice import Art, Lattice, Sketch, Stroke

GENERATORS = (((0, -1), (1, 1)), ((1, 1), (0, -1)))
"""A turn by 60 degrees and a reflection, for axes 60 degrees apart."""

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

THIRD = 1 / 3

LATTICE = Lattice(
    name="hexagon",
    polyform="polyhex",
    plural="polyhexes",
    period=1,
    origins=((0, 0),),
    generators=GENERATORS,
    neighbors=(STEPS,),
    faces=(
        (
            (
                (THIRD, THIRD),
                (-THIRD, 2 * THIRD),
                (-2 * THIRD, THIRD),
                (-THIRD, -THIRD),
                (THIRD, -2 * THIRD),
                (2 * THIRD, -THIRD),
            ),
        ),
    ),
    embedding=((1.5, sqrt(3) / 2), (0.0, sqrt(3))),
    art=Art(
        columns=(3, 0),
        lines=(1, 2),
        strokes=(
            (
                Stroke(1, 0, "__", across=(0, -1)),
                Stroke(1, 2, "__", across=(0, 1)),
                Stroke(0, 0, "\\", across=(-1, 0)),
                Stroke(3, 0, "/", across=(1, -1)),
                Stroke(0, 1, "/", across=(-1, 1)),
                Stroke(3, 1, "\\", across=(1, 0)),
                Stroke(1, 1, "{}"),
            ),
        ),
        dots=((1, 1),),
    ),
    flips=True,
    sets={
        "monohex": 1,
        "dihex": 2,
        "trihexes": 3,
        "tetrahexes": 4,
        "pentahexes": 5,
        "hexahexes": 6,
        "heptahexes": 7,
    },
    builders={
        "box": build.box,
        "triangle": build.triangle,
        "trapezoid": build.trapezoid,
        "hexagon": build.hexagon,
        "elongated_hexagon": build.elongated_hexagon,
        "semiregular_hexagon": build.semiregular_hexagon,
        "irregular_hexagon": build.irregular_hexagon,
        "hexagram": build.hexagram,
        "butterfly": build.butterfly,
        "chevron": build.chevron,
        "staggered": build.staggered,
        "inset": build.inset,
        "rounded": build.rounded,
    },
    sketch=Sketch(columns=(2, 0), lines=(1, 2)),
)
