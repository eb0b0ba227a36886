"""Spheres in their densest packing, the cubic one: each touches twelve others.

Coordinates are along three directions of touching spheres, 60 degrees apart from each other: x and
y span a triangular layer, the third direction leads from a sphere to the hollow above and right of
it. The Voronoi cells, of which the spheres are the inscribed balls, are rhombic dodecahedra.
"""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import numpy.typing as npt

from exactile.geometry.builders import spheres as build
from exactile.geometry.lattice import Art, Corner, Lattice, Point, Sketch, Stroke
from exactile.geometry.lattices import cube

AXES = np.array([(1, 1, 0), (1, 0, 1), (0, 1, 1)])
"""The directions of the coordinates as diagonals of the faces of a cube."""

EMBEDDING = (
    (1.0, 0.0, 0.0),
    (0.5, sqrt(3) / 2, 0.0),
    (0.5, sqrt(3) / 6, sqrt(6) / 3),
)


def from_cube(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return coordinates along the `AXES` of points given in coordinates of the cube.

    Examples
    --------
    >>> from_cube([(1, 1, 0), (1, 0, -1)]).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, -1.0]]
    """
    return np.asarray(np.asarray(points) @ np.linalg.inv(AXES) + 0.0).round(9) + 0.0


def _integers(points: npt.ArrayLike) -> tuple[Point, ...]:
    return tuple(tuple(p) for p in np.rint(from_cube(points)).astype(int).tolist())


def _generator(matrix: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return a symmetry of the cube as a matrix for coordinates along the `AXES`."""
    images = from_cube(AXES @ np.array(matrix).T)
    return tuple(tuple(row) for row in np.rint(images.T).astype(int).tolist())


GENERATORS = tuple(map(_generator, cube.GENERATORS))
"""The 48 symmetries of the cube."""

STEPS = _integers([s for s in product((-1, 0, 1), repeat=3) if sum(c != 0 for c in s) == 2])


def _rhombus(step: Point) -> tuple[Corner, ...]:
    """Return the face of the rhombic dodecahedron toward a neighbor."""
    x, y, z = (np.array(step) @ AXES).tolist()
    signs = (x, y, z)
    free = signs.index(0)
    across = np.eye(3)[free]
    ends = [np.where(np.arange(3) == k, signs, 0) for k in range(3) if k != free]
    middle = np.array(signs) / 2
    ring = (ends[0], middle + across / 2, ends[1], middle - across / 2)
    turned = np.linalg.det(np.array([ring[0], ring[1], ring[2]])) < 0
    corners = from_cube(ring[::-1] if turned else ring).tolist()
    return tuple(tuple(c) for c in corners)


LATTICE = Lattice(
    name="spheres",
    polyform="polysphere",
    plural="polyspheres",
    period=1,
    origins=((0, 0, 0),),
    generators=GENERATORS,
    neighbors=(STEPS,),
    faces=(tuple(map(_rhombus, STEPS)),),
    embedding=EMBEDDING,
    art=Art(
        columns=(2, 1, 0),
        lines=(0, 1, 0),
        strokes=((Stroke(0, 0, "{:.<1}"),),),
        label_width=1,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "monosphere": 1,
        "disphere": 2,
        "trispheres": 3,
        "tetraspheres": 4,
        "pentaspheres": 5,
    },
    builders={
        "box": build.box,
        "tetrahedron": build.tetrahedron,
        "pyramid": build.pyramid,
        "octahedron": build.octahedron,
        "checkerboard": build.checkerboard,
    },
    sketch=Sketch(columns=(2, 1), lines=(0, 1)),
    balls=True,
)
