"""The quarter squares of polyaboloes: each square is cut by both diagonals.

Type k lies in the direction of 90k degrees from the middle of its square. A tan, half a square, is
two quarters that share a leg.
"""

from exactile.geometry.lattice import Art, Frame, Lattice, Stroke
from exactile.geometry.lattices import square

ORIGINS = ((3, 2), (2, 3), (1, 2), (2, 1))

LATTICE = Lattice(
    name="quarter-squares",
    polyform="polyabolo",
    plural="polyaboloes",
    period=4,
    origins=ORIGINS,
    generators=square.LATTICE.generators,
    neighbors=(
        ((2, 0), (-1, 1), (-1, -1)),
        ((0, 2), (-1, -1), (1, -1)),
        ((-2, 0), (1, -1), (1, 1)),
        ((0, -2), (1, 1), (-1, 1)),
    ),
    faces=(
        (((-1, 0), (1, -2), (1, 2)),),
        (((0, -1), (2, 1), (-2, 1)),),
        (((1, 0), (-1, 2), (-1, -2)),),
        (((0, 1), (-2, -1), (2, -1)),),
    ),
    embedding=((0.25, 0.0), (0.0, 0.25)),
    art=Art(
        columns=(7, 0, 0),
        lines=(0, 6, 0),
        strokes=(
            (
                *(Stroke(7, n, "|", across=(2, 0)) for n in range(6)),
                *(Stroke(6 - n, n, "\\", across=(-1, -1)) for n in range(3)),
                *(Stroke(6 - n, 5 - n, "/", across=(-1, 1)) for n in range(3)),
                Stroke(5, 3, "{}"),
            ),
            (
                Stroke(1, 6, "______", across=(0, 2)),
                *(Stroke(1 + n, 5 - n, "\\", across=(-1, -1)) for n in range(3)),
                *(Stroke(6 - n, 5 - n, "/", across=(1, -1)) for n in range(3)),
                Stroke(3, 4, "{}"),
            ),
            (
                *(Stroke(0, n, "|", across=(-2, 0)) for n in range(6)),
                *(Stroke(1 + n, n, "/", across=(1, -1)) for n in range(3)),
                *(Stroke(1 + n, 5 - n, "\\", across=(1, 1)) for n in range(3)),
                Stroke(1, 3, "{}"),
            ),
            (
                Stroke(1, 0, "______", across=(0, -2)),
                *(Stroke(1 + n, n, "/", across=(-1, 1)) for n in range(3)),
                *(Stroke(6 - n, n, "\\", across=(1, 1)) for n in range(3)),
                Stroke(3, 1, "{}"),
            ),
        ),
        dots=((5, 3), (3, 4), (1, 3), (3, 1)),
    ),
    flips=True,
    sets={
        "monabolo": 1,
        "diaboloes": 2,
        "triaboloes": 3,
        "tetraboloes": 4,
        "pentaboloes": 5,
        "hexaboloes": 6,
        "heptaboloes": 7,
    },
    builders=square.LATTICE.builders,
    frame=Frame("square", (ORIGINS,)),
    block=(ORIGINS[2], ORIGINS[3]),
    slides=((2, 2),),  # from a corner to the middle of a square, which keeps the diagonals
)
