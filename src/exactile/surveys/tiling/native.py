"""A lattice and its prototiles in the numbers of the native module: places and types."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from exactile import _native
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.piece import Freedom, motions

Units = npt.NDArray[np.int64]
"""Units as rows: the coordinates of a place, then a type."""


def as_units(lattice: Lattice, points: Points) -> Units:
    """Return units, shape ``(..., n, d + 1)``, of points, shape ``(..., n, d)``.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> as_units(get_lattice("square-edges"), np.array([[3, 0], [2, 5]])).tolist()
    [[1, 0, 0], [1, 2, 1]]
    """
    kinds = lattice.types(points)
    places = (points - np.array(lattice.origins)[kinds]) // lattice.period
    return np.concatenate([places, kinds[..., None]], axis=-1)


def as_points(lattice: Lattice, units: Units) -> Points:
    """Return the points of units."""
    origins = np.array(lattice.origins)[units[..., -1]]
    return np.asarray(units[..., :-1] * lattice.period + origins)


def to_place(units: Units) -> Units:
    """Return each set of units moved so that its least coordinates are 0."""
    moved = units.copy()
    moved[..., :-1] -= units[..., :-1].min(axis=-2, keepdims=True)
    return moved


def decider(lattice: Lattice, freedom: Freedom, crossing: bool) -> _native.TilingDecider:
    """Return the native decider for prototiles of a lattice.

    Parameters
    ----------
    lattice
        The lattice.
    freedom
        How prototiles may be turned.
    crossing
        Whether they must not cross at vertices.
    """
    matrices = motions(lattice, freedom)
    origins = np.array(lattice.origins)
    images = np.stack([as_units(lattice, origins @ m.T) for m in matrices])
    rule = lattice.crossing if crossing else None
    rays = rule.rays if rule else ()
    width = lattice.dimension
    items = [sum(1 << i for i in rule.items(m)) for m in range(1 << len(rays))] if rule else []
    return _native.TilingDecider(
        turns=np.ascontiguousarray(matrices),
        images=np.ascontiguousarray(images),
        touching=_offsets(lattice, touching(lattice)),
        joined=_offsets(lattice, lattice.neighbors),
        rays=as_units(lattice, np.array(rays, dtype=np.int64).reshape(-1, width)),
        items=items,
    )


def _offsets(lattice: Lattice, steps: Any) -> list[Units]:
    """Return, for each type, the units at some offsets from the unit at place 0."""
    return [
        as_units(lattice, np.array(origin) + np.array(each, dtype=np.int64))
        for origin, each in zip(lattice.origins, steps, strict=True)
    ]


def touching(lattice: Lattice) -> list[list[tuple[int, ...]]]:
    """For each type, return the offsets to the units that share a corner with one of this type.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> len(touching(get_lattice("square"))[0]), len(touching(get_lattice("kites"))[0])
    (8, 9)
    """
    places = np.array(list(product(range(-2, 3), repeat=lattice.dimension)))
    corners: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for kind, origin in enumerate(lattice.origins):
        for point in (places * lattice.period + np.array(origin)).tolist():
            for corner in _corners(lattice, kind, point):
                corners.setdefault(corner, []).append(tuple(point))
    result = []
    for kind, origin in enumerate(lattice.origins):
        near = {p for c in _corners(lattice, kind, list(origin)) for p in corners[c]} - {origin}
        result.append(sorted(tuple(np.subtract(p, origin).tolist()) for p in near))
    return result


def _corners(lattice: Lattice, kind: int, point: list[int]) -> set[tuple[int, ...]]:
    """Return the corners of a unit, in millionths."""
    corners = {corner for face in lattice.faces[kind] for corner in face}
    return {
        tuple(round(1e6 * (p + c)) for p, c in zip(point, corner, strict=True))
        for corner in corners
    }
