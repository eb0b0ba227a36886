"""Regular tetrahedra and the octants of the octahedra between them: five cells of a cube.

Four corners of a cube are the corners of a tetrahedron in its middle. At each of the other corners
is an octant, a tetrahedron with three right angles at one corner. Adjacent cubes are mirror images
of each other. Cells are given in coordinates of the cubes, whose side is 4. The tetrahedron in the
first cube is (2, 2, 2), and the octant at the corner (4, 0, 0) of this cube is (3, 1, 1). The line
between the places of two cells with a common face is perpendicular to the face. The points of the
lattice have coordinates along the axes of `exactile.geometry.lattices.spheres`.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import Art, Corner, Lattice, Point, Stroke
from exactile.geometry.lattices import spheres
from exactile.geometry.lattices.rhombic_tetrahedra import tetrahedron_faces

SIDE = 4
MIDDLE = 2

CELLS: tuple[Point, ...] = tuple(
    place
    for place in product(range(2 * SIDE), repeat=3)
    if all(c % SIDE == MIDDLE for c in place)
    or (all(c % 2 for c in place) and sum((c + 1) // SIDE for c in place) % 2)
)
"""The cells of eight cubes. Octants are at those corners of cubes whose coordinates, divided by the
side of a cube, have an odd sum."""


def from_cube(place: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert places from coordinates of the cubes to coordinates of the lattice.

    Examples
    --------
    >>> from_cube((3, 1, 1)).tolist()
    [3.0, 3.0, -1.0]
    """
    return 2 * spheres.from_cube(place)


def point(place: npt.ArrayLike) -> Point:
    """Return the point of the lattice at a place given in coordinates of the cubes."""
    return tuple(np.rint(from_cube(place)).astype(int).tolist())


PERIOD = 2 * SIDE
PLACES = {tuple(c % PERIOD for c in point(cell)): cell for cell in CELLS}
"""Maps the residue of a point to the cell in `CELLS` with this residue."""

ORIGINS: tuple[Point, ...] = tuple(point(PLACES[residue]) for residue in sorted(PLACES))


def _corners(cell: Point) -> list[Point]:
    here = np.array(cell)
    if cell[0] % SIDE == MIDDLE:
        around = (here + np.array(s) * MIDDLE for s in product((-1, 1), repeat=3))
        return [tuple(c.tolist()) for c in around if (c // SIDE).sum() % 2 == 0]
    apex = (here + 1) // SIDE * SIDE
    inward = np.sign(here - apex) * SIDE
    return [tuple(c.tolist()) for c in (apex, *(apex + np.diag(inward)))]


def _faces(cell: Point) -> tuple[tuple[Corner, ...], ...]:
    """Return the four triangles of a cell, counter-clockwise as seen from outside."""
    corners = np.array(_corners(cell), dtype=float) - cell
    triangles = tetrahedron_faces(corners)
    return tuple(tuple(tuple(c) for c in from_cube(ring).tolist()) for ring in triangles)


def _neighbors(cell: Point) -> tuple[Point, ...]:
    """Return the offsets from a cell to the cells that share a face with it."""
    if cell[0] % SIDE == MIDDLE:
        return tuple(
            step
            for step in product((-1, 1), repeat=3)
            if tuple(np.add(cell, step) % PERIOD) in CELLS
        )
    outward = [1 if c % SIDE == SIDE - 1 else -1 for c in cell]
    inward = tuple(-c for c in outward)
    return (
        inward,
        *(tuple(2 * c if k == i else 0 for k, c in enumerate(outward)) for i in range(3)),
    )


LATTICE = Lattice(
    name="tetrahedra-octants",
    polyform="polytetroctant",
    plural="polytetroctants",
    period=PERIOD,
    origins=ORIGINS,
    generators=spheres.GENERATORS,
    neighbors=tuple(tuple(map(point, _neighbors(PLACES[r]))) for r in sorted(PLACES)),
    faces=tuple(_faces(PLACES[residue]) for residue in sorted(PLACES)),
    embedding=tuple(tuple(c / PERIOD for c in row) for row in spheres.EMBEDDING),
    art=Art(
        columns=(2, 1, 0),
        lines=(0, 1, 0),
        strokes=((Stroke(0, 0, "{:.<1}"),),) * len(ORIGINS),
        label_width=1,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "monotetroctants": 1,
        "ditetroctants": 2,
        "tritetroctants": 3,
        "tetratetroctants": 4,
    },
    builders={},
    customary=False,
)
