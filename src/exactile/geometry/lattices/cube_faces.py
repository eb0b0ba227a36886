"""The faces of the cube grid, for polyominoids.

The point of a face has one even coordinate, that of the axis perpendicular to the face.
"""

from exactile.geometry.lattice import Art, Frame, Lattice, Point, Stroke
from exactile.geometry.lattices import cube

ORIGINS = ((0, 1, 1), (1, 0, 1), (1, 1, 0))


def _neighbors(across: int) -> tuple[Point, ...]:
    """Return the offsets from a face to the faces that share an edge with it.

    At each edge one of them lies in the same plane, and two are perpendicular to it. `across`: the
    axis perpendicular to the face.
    """
    unit = [tuple(int(i == k) for i in range(3)) for k in range(3)]
    result = []
    for along in range(3):
        if along == across:
            continue
        for sign in (1, -1):
            result.append(tuple(2 * sign * c for c in unit[along]))
            result.extend(
                tuple(sign * a + side * b for a, b in zip(unit[along], unit[across], strict=True))
                for side in (1, -1)
            )
    return tuple(sorted(result))


LATTICE = Lattice(
    name="cube-faces",
    polyform="polyominoid",
    plural="polyominoids",
    period=2,
    origins=ORIGINS,
    generators=cube.GENERATORS,
    neighbors=tuple(_neighbors(axis) for axis in range(3)),
    faces=tuple((cube.square_across(axis, 1.0),) for axis in range(3)),
    embedding=((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)),
    art=Art(
        columns=(3, 0, 0),
        lines=(0, 1, 0),
        strokes=(
            (Stroke(0, 0, "|"), Stroke(0, 0, "{}")),
            (Stroke(-2, 0, "-{:-<4}"),),
            (Stroke(-1, 0, "[{: <2}]"),),
        ),
        label_width=2,
        layer_axis=2,
    ),
    flips=False,
    sets={"monominoid": 1, "dominoids": 2, "trominoids": 3, "tetrominoids": 4},
    builders=cube.LATTICE.builders,
    expansions=cube.LATTICE.expansions,
    frame=Frame("cube", (((0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)),)),
    customary=False,
)
