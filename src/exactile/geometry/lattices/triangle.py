"""The triangle lattice of polyiamonds: type 0 points up, type 1 down."""

from math import sqrt

from exactile.geometry.builders import triangle as build
from exactile.geometry.lattice import Art, Expansion, Lattice, Sketch, Stroke
from exactile.geometry.lattices.hexagon import GENERATORS

LATTICE = Lattice(
    name="triangle",
    polyform="polyiamond",
    plural="polyiamonds",
    period=3,
    origins=((1, 1), (2, 2)),
    generators=GENERATORS,
    neighbors=(((1, 1), (-2, 1), (1, -2)), ((-1, -1), (2, -1), (-1, 2))),
    faces=(
        (((-1, -1), (2, -1), (-1, 2)),),
        (((1, 1), (-2, 1), (1, -2)),),
    ),
    embedding=((1 / 3, 0.0), (1 / 6, sqrt(3) / 6)),
    art=Art(
        columns=(4, 2, 0),
        lines=(0, 2, 0),
        strokes=(
            (
                Stroke(0, 0, "____", across=(1, -2)),
                Stroke(0, 0, "/", across=(-2, 1)),
                Stroke(1, 1, "/", across=(-2, 1)),
                Stroke(3, 0, "\\", across=(1, 1)),
                Stroke(2, 1, "\\", across=(1, 1)),
            ),
            (
                Stroke(2, 2, "____", across=(-1, 2)),
                Stroke(3, 0, "\\", across=(-1, -1)),
                Stroke(2, 1, "\\", across=(-1, -1)),
                Stroke(4, 0, "/", across=(2, -1)),
                Stroke(5, 1, "/", across=(2, -1)),
                Stroke(3, 1, "{}"),
            ),
        ),
        dots=((1, 0), (3, 1)),
    ),
    flips=True,
    sets={
        "moniamond": 1,
        "diamond": 2,
        "triamond": 3,
        "tetriamonds": 4,
        "pentiamonds": 5,
        "hexiamonds": 6,
        "heptiamonds": 7,
        "octiamonds": 8,
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
    },
    expansions={"hexgrid": Expansion("hexagon", "side", build.hexgrid)},
    sketch=Sketch(columns=(2, 1), lines=(0, 1), shifts=((0, 0), (1, 0))),
)
