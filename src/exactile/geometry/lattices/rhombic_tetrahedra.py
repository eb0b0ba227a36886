"""Rhombic tetrahedra: a cube cut into 24 by the planes through its edges and its center.

The corners of a cell are the center of a cube, the center of a face, and both ends of an edge of
this face; 48 cells fill a rhombic dodecahedron. The cell at the face toward +x and the edge toward
+y has its point at offset (2, 1, 0) from the center of its cube. The points of the 24 cells are a
knight's move away from this center.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import Art, Corner, Frame, Lattice, Point, Stroke
from exactile.geometry.lattices import cube

PERIOD = 5
HALF = 2.5

ORIGINS: tuple[Point, ...] = tuple(
    sorted(
        {tuple(place) for a, b in product((2, -2), (1, -1)) for place in permutations((a, b, 0))}
    )
)


def _neighbors(cell: Point) -> tuple[Point, ...]:
    """Return the offsets to the cells that share a face: three in the same cube, one outside."""
    face = [int(np.sign(c)) if abs(c) == 2 else 0 for c in cell]
    edge = [c if abs(c) == 1 else 0 for c in cell]
    side = [int(c == 0) for c in cell]
    beside = [[2 * f + sign * s for f, s in zip(face, side, strict=True)] for sign in (1, -1)]
    around = [2 * e + f for e, f in zip(edge, face, strict=True)]
    beyond = [PERIOD * f - 2 * f + e for f, e in zip(face, edge, strict=True)]
    return tuple(
        tuple(b - c for b, c in zip(other, cell, strict=True))
        for other in (*beside, around, beyond)
    )


def _faces(cell: Point) -> tuple[tuple[Corner, ...], ...]:
    """Return the four triangles of a cell, counter-clockwise as seen from outside."""
    here = np.array(cell)
    face = np.where(abs(here) == 2, np.sign(here), 0)
    edge = np.where(abs(here) == 1, here, 0)
    side = np.where(here == 0, 1, 0)
    corners = HALF * np.array([0 * face, face, face + edge + side, face + edge - side]) - here
    return tetrahedron_faces(corners)


def tetrahedron_faces(corners: npt.NDArray[np.float64]) -> tuple[tuple[Corner, ...], ...]:
    """Return the four triangles of a tetrahedron, counter-clockwise as seen from outside."""
    middle = corners.mean(axis=0)
    found = []
    for left_out in range(4):
        triangle = np.delete(corners, left_out, axis=0)
        normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
        ring = triangle if normal @ (triangle[0] - middle) > 0 else triangle[::-1]
        found.append(tuple(tuple(c) for c in ring.tolist()))
    return tuple(found)


LATTICE = Lattice(
    name="rhombic-tetrahedra",
    polyform="polyrhombotetrahedron",
    plural="polyrhombotetrahedra",
    period=PERIOD,
    origins=ORIGINS,
    generators=cube.GENERATORS,
    neighbors=tuple(map(_neighbors, ORIGINS)),
    faces=tuple(map(_faces, ORIGINS)),
    embedding=((0.2, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.2)),
    art=Art(
        columns=(2, 0, 0),
        lines=(0, 1, 0),
        strokes=((Stroke(0, 0, "{:.<1}"),),) * len(ORIGINS),
        label_width=1,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "monorhombotetrahedron": 1,
        "dirhombotetrahedra": 2,
        "trirhombotetrahedra": 3,
        "tetrarhombotetrahedra": 4,
    },
    builders=cube.LATTICE.builders,
    expansions=cube.LATTICE.expansions,
    frame=Frame("cube", (ORIGINS,)),
    customary=False,
)
