"""Regular tetrahedra and octahedra, which fill space together: the cells between packed spheres.

The coordinates are those of `lattices.spheres`, whose centers are the vertices. Each place has a
tetrahedron with its base below (type 0), an octahedron (1), and a tetrahedron with its base above
(2).
"""

from __future__ import annotations

from itertools import product

import numpy as np

from exactile.geometry.builders import tetrahedra_octahedra as build
from exactile.geometry.isometry import generate_group
from exactile.geometry.lattice import Art, Corner, Lattice, Point, Sketch, Stroke
from exactile.geometry.lattices import spheres

PERIOD = 4
ORIGINS = ((1, 1, 1), (2, 2, 2), (3, 3, 3))


def _neighbors() -> tuple[tuple[Point, ...], ...]:
    """Return the offsets between tetrahedra and octahedra that share a face."""
    group = generate_group(np.array(spheres.GENERATORS, dtype=np.int64))
    steps = {tuple(step) for step in (group @ np.ones(3, dtype=np.int64)).tolist()}
    found = []
    for origin in ORIGINS:
        beside = [s for s in sorted(steps) if _is_cell(np.add(origin, s) % PERIOD)]
        found.append(tuple(beside))
    return tuple(found)


def _is_cell(residue: np.ndarray) -> bool:
    return tuple(residue.tolist()) in ORIGINS


CORNERS = (
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1)],
    [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)],
)
"""The corners of each type of cell, as spheres."""


def _faces(kind: int) -> tuple[tuple[Corner, ...], ...]:
    """Return the triangles of a cell, counter-clockwise from outside."""
    corners = (PERIOD * np.array(CORNERS[kind]) - np.array(ORIGINS[kind])).astype(float)
    places = corners @ np.array(spheres.EMBEDDING)
    found = []
    for i, j, k in product(range(len(corners)), repeat=3):
        normal = np.cross(places[j] - places[i], places[k] - places[i])
        outside = (places - places[i]) @ normal < 1e-9
        if i == min(i, j, k) and np.linalg.norm(normal) > 1e-9 and outside.all():
            found.append(tuple(tuple(corners[c].tolist()) for c in (i, j, k)))
    return tuple(found)


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
        "box": build.box,
        "tetrahedron": build.tetrahedron,
        "octahedron": build.octahedron,
    },
    sketch=Sketch(columns=(6, 3), lines=(0, 3), shifts=((0, 0), (3, 1), (6, 2))),
)
