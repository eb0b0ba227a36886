"""Spheres in cubic close packing, where each sphere touches twelve others.

The three coordinate axes lead from a sphere to spheres that touch it, and are 60 degrees apart: x
and y span a triangular layer; the third axis leads to the sphere above a hollow of this layer. The
Voronoi cells, of which the spheres are the inscribed balls, are rhombic dodecahedra.
"""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import (
    Art,
    Cells,
    Corner,
    Lattice,
    Point,
    Sketch,
    Stroke,
    require_sizes,
)
from exactile.geometry.lattices import cube
from exactile.geometry.lattices.cube import box


def _packed(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Convert a point of the cube grid to coordinates along the `AXES`.

    The sum x + y + z must be even.
    """
    return (x + y - z) // 2, (x - y + z) // 2, (y + z - x) // 2


def _sorted_from_zero(cells: Cells) -> Cells:
    """Return cells sorted by layer, and moved so that their least coordinates are 0."""
    low = [min(axis) for axis in zip(*cells, strict=True)]
    moved = [tuple(c - base for c, base in zip(cell, low, strict=True)) for cell in cells]
    return sorted(moved, key=lambda cell: cell[::-1])


def tetrahedron(side: int) -> Cells:
    """Return a tetrahedral pile of spheres in triangular layers, with `side` on each edge.

    Examples
    --------
    >>> [len(tetrahedron(side)) for side in range(1, 6)]
    [1, 4, 10, 20, 35]
    """
    require_sizes(side, side, side)
    return [(x, y, z) for x, y, z in box(side, side, side) if x + y + z < side]


def pyramid(side: int) -> Cells:
    """Return a pile of spheres in square layers, with `side` on each edge.

    Examples
    --------
    >>> [len(pyramid(side)) for side in range(1, 6)]
    [1, 5, 14, 30, 55]
    """
    require_sizes(side, side, side)
    return _sorted_from_zero(
        [
            _packed(x + y + z, x - y, z)
            for z in range(side)
            for y, x in product(range(side - z), repeat=2)
        ]
    )


def octahedron(side: int) -> Cells:
    """Return two square pyramids of spheres, base to base, with `side` on each edge.

    Examples
    --------
    >>> [len(octahedron(side)) for side in range(1, 6)]
    [1, 6, 19, 44, 85]
    """
    require_sizes(side, side, side)
    reach = range(1 - side, side)
    return _sorted_from_zero(
        [
            _packed(x, y, z)
            for x, y, z in product(reach, repeat=3)
            if abs(x) + abs(y) + abs(z) < side and (x + y + z + side) % 2
        ]
    )


def checkerboard(width: int, depth: int, height: int) -> Cells:
    """Return a sphere for every other cube of a box, beginning at a corner.

    Examples
    --------
    >>> len(checkerboard(3, 3, 3))
    14
    """
    require_sizes(width, depth, height)
    boxes = product(range(width), range(depth), range(height))
    return _sorted_from_zero([_packed(*cell) for cell in boxes if sum(cell) % 2 == 0])


AXES = np.array([(1, 1, 0), (1, 0, 1), (0, 1, 1)])
"""The coordinate axes, as diagonals of the faces of a cube."""

EMBEDDING = (
    (1.0, 0.0, 0.0),
    (0.5, sqrt(3) / 2, 0.0),
    (0.5, sqrt(3) / 6, sqrt(6) / 3),
)


def from_cube(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert points from coordinates of the cube grid to coordinates along the `AXES`.

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
"""Matrices that generate the 48 symmetries of the cube, for coordinates along the `AXES`."""

STEPS = _integers([s for s in product((-1, 0, 1), repeat=3) if sum(c != 0 for c in s) == 2])


def _rhombus(step: Point) -> tuple[Corner, ...]:
    """Return a face of the rhombic dodecahedron: the one toward the neighbor at an offset."""
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
        "box": box,
        "tetrahedron": tetrahedron,
        "pyramid": pyramid,
        "octahedron": octahedron,
        "checkerboard": checkerboard,
    },
    sketch=Sketch(columns=(2, 1), lines=(0, 1)),
    balls=True,
)
