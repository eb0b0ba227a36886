"""Every lattice is consistent data."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from exactile.errors import GeometryError, NotFoundError
from exactile.geometry import Lattice, get_lattice, lattice_names
from exactile.geometry.isometry import determinant
from exactile.puzzle.faults import _interleave

# Orders of the point groups; a lattice that is not listed has a test of its own.
GROUPS = {
    "bevelhexagon-prisms": 24,
    "bevelhexagons": 12,
    "cube": 48,
    "cube-edges": 48,
    "cube-faces": 48,
    "half-cairo": 8,
    "half-cairo-prisms": 16,
    "hexagon": 12,
    "hexagon-edges": 12,
    "hexagon-prisms": 24,
    "hexagon-walls": 24,
    "kite-prisms": 24,
    "kites": 12,
    "octasquare-prisms": 16,
    "octasquares": 8,
    "quarter-square-prisms": 16,
    "quarter-squares": 8,
    "rhombic-tetrahedra": 48,
    "sixth-triangle-prisms": 24,
    "sixth-triangles": 12,
    "spheres": 48,
    "square": 8,
    "square-edges": 8,
    "square-prisms": 16,
    "square-walls": 16,
    "tetrahedra-octahedra": 48,
    "tetrahedra-octants": 48,
    "triangle": 12,
    "triangle-edges": 12,
    "triangle-prisms": 24,
    "triangle-walls": 24,
    "trihexagon-prisms": 24,
    "trihexagons": 12,
}

every_lattice = pytest.mark.parametrize(
    "lattice", [get_lattice(n) for n in lattice_names()], ids=lattice_names()
)


def test_there_are_these() -> None:
    assert GROUPS.keys() <= set(lattice_names())


@every_lattice
def test_point_group(lattice: Lattice) -> None:
    assert len(lattice.group) == GROUPS.get(lattice.name, len(lattice.group))
    assert 2 * len(lattice.proper) == len(lattice.group)
    assert (lattice.group[0] == np.eye(lattice.dimension)).all()
    assert all(determinant(m) == 1 for m in lattice.proper)


@every_lattice
def test_isometries_keep_lattice_and_neighbors(lattice: Lattice) -> None:
    for matrix in lattice.group:
        for origin, steps in zip(lattice.origins, lattice.neighbors, strict=True):
            image = matrix @ np.array(origin)
            kind = int(lattice.types(image))
            assert kind >= 0
            assert {tuple((matrix @ np.array(s)).tolist()) for s in steps} == set(
                lattice.neighbors[kind]
            )


@every_lattice
def test_neighbors_are_mutual(lattice: Lattice) -> None:
    for origin, steps in zip(lattice.origins, lattice.neighbors, strict=True):
        for step in steps:
            kind = int(lattice.types(np.add(origin, step)))
            assert tuple(-s for s in step) in lattice.neighbors[kind]


@every_lattice
def test_isometries_are_isometries_of_the_picture(lattice: Lattice) -> None:
    place = np.array(lattice.embedding)
    gram = place @ place.T
    for matrix in lattice.group:
        assert np.allclose(matrix.T @ gram @ matrix, gram)


@every_lattice
def test_coordinates_round_trip(lattice: Lattice) -> None:
    cells = product(range(-2, 3), repeat=lattice.dimension)
    points = np.array(
        [np.array(c) * lattice.period + np.array(o) for c in cells for o in lattice.origins]
    )
    assert (lattice.points(lattice.coordinates(points)) == points).all()


def test_units_off_the_lattice_are_named() -> None:
    with pytest.raises(GeometryError, match=r"\[0, 0, 3\] is not a unit of the square-edges"):
        get_lattice("square-edges").points([(0, 0, 3)])
    with pytest.raises(GeometryError, match="write 2 coordinates"):
        get_lattice("square").points([(0, 0, 0)])
    with pytest.raises(GeometryError, match="modulo 2 a unit is one of"):
        get_lattice("cube-faces").points([(0, 0, 0)])


@pytest.mark.parametrize("unit", [(0.5, 1), (1.0, 1), ("0", "1"), (True, False), (2**70, 0)])
def test_coordinates_are_integers(unit: Any) -> None:
    """They are not rounded."""
    with pytest.raises(GeometryError, match="The units are not lists of integers"):
        get_lattice("square").points([unit])


def test_unknown_lattice() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'hexagon'"):
        get_lattice("hexagons")


@pytest.mark.parametrize("name", ["square-edges", "triangle-edges"])
def test_crossing_items_mean_crossing(name: str) -> None:
    """Two pieces share an item exactly when their rays interleave, for all pairs of ray sets."""
    crossing = get_lattice(name).crossing
    assert crossing is not None
    n = len(crossing.rays)
    for a, b in product(range(1 << n), repeat=2):
        if a & b:
            continue
        share = bool(set(crossing.items(a)) & set(crossing.items(b)))
        rays = [frozenset(k for k in range(n) if mask >> k & 1) for mask in (a, b)]
        both = all(len(r) > 1 for r in rays)
        assert share == (both and _interleave(*rays)), (a, b)
