"""The square lattice of polyominoes."""

from exactile.geometry import builders
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
        "box": builders.square_box,
        "triangle": builders.square_triangle,
        "diamond": builders.square_diamond,
        "aztec_diamond": builders.square_aztec_diamond,
    },
    sketch=Sketch(columns=(1, 0), lines=(0, 1)),
)
