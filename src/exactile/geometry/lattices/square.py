"""The square lattice of polyominoes."""

from exactile.geometry.builders import square as build
from exactile.geometry.lattice import Art, Lattice, Sketch, Stroke

LATTICE = Lattice(
    name="square",
    polyform="polyomino",
    plural="polyominoes",
    period=1,
    origins=((0, 0),),
    generators=(((0, -1), (1, 0)), ((-1, 0), (0, 1))),
    neighbors=(((1, 0), (0, 1), (-1, 0), (0, -1)),),
    faces=((((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),),),
    embedding=((1.0, 0.0), (0.0, 1.0)),
    art=Art(columns=(2, 0), lines=(0, 1), strokes=((Stroke(0, 0, "{:.<1}"),),), label_width=1),
    flips=True,
    sets={
        "monomino": 1,
        "domino": 2,
        "trominoes": 3,
        "tetrominoes": 4,
        "pentominoes": 5,
        "hexominoes": 6,
        "heptominoes": 7,
        "octominoes": 8,
    },
    builders={
        "box": build.box,
        "triangle": build.triangle,
        "trapezoid": build.trapezoid,
        "parallelogram": build.parallelogram,
        "gable": build.gable,
        "diamond": build.diamond,
        "aztec_diamond": build.aztec_diamond,
    },
    sketch=Sketch(columns=(1, 0), lines=(0, 1)),
)
