"""Regular tetrahedra and octahedra, which fill space together: the cells between packed spheres.

The coordinates are those of `exactile.geometry.lattices.spheres`; the vertices are the centers of
the spheres. Each place has a tetrahedron with its base below (type 0), an octahedron (1), and a
tetrahedron with its base above (2).
"""

from __future__ import annotations

from itertools import product

import numpy as np

from exactile.geometry.isometry import generate_group
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
from exactile.geometry.lattices import spheres

PERIOD = 4
ORIGINS = ((1, 1, 1), (2, 2, 2), (3, 3, 3))


def _neighbors() -> tuple[tuple[Point, ...], ...]:
    """Return, for each type of cell, the offsets to the cells that share a face with it."""
    group = generate_group(np.array(spheres.GENERATORS, dtype=np.int64))
    steps = {tuple(step) for step in (group @ np.ones(3, dtype=np.int64)).tolist()}
    found = []
    for origin in ORIGINS:
        beside = (
            s for s in sorted(steps) if tuple((np.add(origin, s) % PERIOD).tolist()) in ORIGINS
        )
        found.append(tuple(beside))
    return tuple(found)


CORNERS = (
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1)],
    [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)],
)
"""The corners of a cell of each type, in coordinates of `exactile.geometry.lattices.spheres`."""


def _faces(kind: int) -> tuple[tuple[Corner, ...], ...]:
    """Return the triangles of a cell of type `kind`, counter-clockwise as seen from outside."""
    corners = (PERIOD * np.array(CORNERS[kind]) - np.array(ORIGINS[kind])).astype(float)
    places = corners @ np.array(spheres.EMBEDDING)
    found = []
    for i, j, k in product(range(len(corners)), repeat=3):
        normal = np.cross(places[j] - places[i], places[k] - places[i])
        outside = (places - places[i]) @ normal < 1e-9
        if i == min(i, j, k) and np.linalg.norm(normal) > 1e-9 and outside.all():
            found.append(tuple(tuple(corners[c].tolist()) for c in (i, j, k)))
    return tuple(found)


def box(width: int, depth: int, height: int) -> Cells:
    """Return a parallelepiped, with two tetrahedra and an octahedron at each place.

    Examples
    --------
    >>> box(1, 1, 1)
    [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 2)]
    """
    require_sizes(width, depth, height, 3)
    places = product(range(height), range(depth), range(width), range(3))
    return [(x, y, z, kind) for z, y, x, kind in places]


def tetrahedron(side: int) -> Cells:
    """Return a tetrahedron with edges of length `side`.

    Examples
    --------
    >>> [len(tetrahedron(side)) for side in (1, 2, 3)]
    [1, 5, 15]
    """
    require_sizes(side, side, side)
    return [cell for cell in box(side, side, side) if sum(cell) < side]


def octahedron(side: int) -> Cells:
    """Return an octahedron with edges of length `side`.

    Examples
    --------
    >>> [len(octahedron(side)) for side in (1, 2, 3)]
    [1, 14, 51]
    """
    require_sizes(side, side, side)
    center = np.array((0, 0, 4 * (side % 2)))
    cells = [(x - side, y - side, z - side, k) for x, y, z, k in box(*[2 * side + 1] * 3)]
    middles = [[4 * c + kind + 1 for c in place] for *place, kind in cells]
    away = np.abs(np.array(middles) @ spheres.AXES - center).sum(axis=1)
    found = [cell for cell, far in zip(cells, away.tolist(), strict=True) if far < 4 * side]
    low = [min(cell[k] for cell in found) for k in range(3)]
    return [(x - low[0], y - low[1], z - low[2], kind) for x, y, z, kind in found]


LATTICE = Lattice(
    name="tetrahedra-octahedra",
    polyform="polytetrahedroctahedron",
    plural="polytetrahedroctahedra",
    period=PERIOD,
    origins=ORIGINS,
    generators=spheres.GENERATORS,
    neighbors=_neighbors(),
    faces=tuple(_faces(kind) for kind in range(3)),
    embedding=tuple(tuple(c / PERIOD for c in row) for row in spheres.EMBEDDING),
    art=Art(
        columns=(6, 3, 0, 0),
        lines=(0, 3, 0, 0),
        strokes=tuple((Stroke(3 * kind, kind, "{:.<1}"),) for kind in range(3)),
        dots=tuple((3 * kind, kind) for kind in range(3)),
        label_width=1,
        layer_axis=2,
    ),
    flips=False,
    sets={
        "monotetrahedroctahedra": 1,
        "ditetrahedroctahedra": 2,
        "tritetrahedroctahedra": 3,
        "tetratetrahedroctahedra": 4,
    },
    builders={
        "box": box,
        "tetrahedron": tetrahedron,
        "octahedron": octahedron,
    },
    sketch=Sketch(columns=(6, 3), lines=(0, 3), shifts=((0, 0), (3, 1), (6, 2))),
)
