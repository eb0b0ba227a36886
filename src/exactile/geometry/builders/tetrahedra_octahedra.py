"""Regions of tetrahedra and octahedra, from the length of their edges."""

from __future__ import annotations

from itertools import product

import numpy as np

from exactile.geometry.builders import Cells, require_sizes

AXES = np.array([(1, 1, 0), (1, 0, 1), (0, 1, 1)])
"""The directions of the coordinates as diagonals of the faces of a cube."""


def box(width: int, depth: int, height: int) -> Cells:
    """Return a parallelepiped, whose unit consists of two tetrahedra and an octahedron.

    Examples
    --------
    >>> box(1, 1, 1)
    [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 2)]
    """
    require_sizes(width, depth, height, 3)
    places = product(range(height), range(depth), range(width), range(3))
    return [(x, y, z, kind) for z, y, x, kind in places]


def tetrahedron(side: int) -> Cells:
    """Return a tetrahedron.

    Examples
    --------
    >>> [len(tetrahedron(side)) for side in (1, 2, 3)]
    [1, 5, 15]
    """
    require_sizes(side, side, side)
    return [cell for cell in box(side, side, side) if sum(cell) < side]


def octahedron(side: int) -> Cells:
    """Return an octahedron.

    Examples
    --------
    >>> [len(octahedron(side)) for side in (1, 2, 3)]
    [1, 14, 51]
    """
    require_sizes(side, side, side)
    center = np.array((0, 0, 4 * (side % 2)))
    cells = [(x - side, y - side, z - side, k) for x, y, z, k in box(*[2 * side + 1] * 3)]
    middles = [[4 * c + kind + 1 for c in place] for *place, kind in cells]
    away = np.abs(np.array(middles) @ AXES - center).sum(axis=1)
    found = [cell for cell, far in zip(cells, away.tolist(), strict=True) if far < 4 * side]
    low = [min(cell[k] for cell in found) for k in range(3)]
    return [(x - low[0], y - low[1], z - low[2], kind) for x, y, z, kind in found]
