"""Piles of spheres in cubic close packing, and the solids of tetrahedra and octahedra like them.

Coordinates are along the edges of a regular tetrahedron; see `lattices.spheres`.
"""

from __future__ import annotations

from itertools import product

from exactile.geometry.builders import Cells, require_sizes
from exactile.geometry.builders.cube import box as box


def _from_cube(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Return the coordinates of a point of the cube grid whose coordinates have an even sum."""
    return (x + y - z) // 2, (x - y + z) // 2, (y + z - x) // 2


def _sorted_from_zero(cells: Cells) -> Cells:
    """Return cells moved so that their least coordinates are 0, layer by layer."""
    low = [min(axis) for axis in zip(*cells, strict=True)]
    moved = [tuple(c - base for c, base in zip(cell, low, strict=True)) for cell in cells]
    return sorted(moved, key=lambda cell: cell[::-1])


def tetrahedron(side: int) -> Cells:
    """Return a pile of triangles, `side` spheres on each edge.

    Examples
    --------
    >>> [len(tetrahedron(side)) for side in range(1, 6)]
    [1, 4, 10, 20, 35]
    """
    require_sizes(side, side, side)
    return [(x, y, z) for x, y, z in box(side, side, side) if x + y + z < side]


def pyramid(side: int) -> Cells:
    """Return a pile of squares, `side` spheres on each edge.

    Examples
    --------
    >>> [len(pyramid(side)) for side in range(1, 6)]
    [1, 5, 14, 30, 55]
    """
    require_sizes(side, side, side)
    return _sorted_from_zero(
        [
            _from_cube(x + y + z, x - y, z)
            for z in range(side)
            for y, x in product(range(side - z), repeat=2)
        ]
    )


def octahedron(side: int) -> Cells:
    """Return two pyramids, base to base, with `side` spheres on each edge.

    Examples
    --------
    >>> [len(octahedron(side)) for side in range(1, 6)]
    [1, 6, 19, 44, 85]
    """
    require_sizes(side, side, side)
    reach = range(1 - side, side)
    return _sorted_from_zero(
        [
            _from_cube(x, y, z)
            for x, y, z in product(reach, repeat=3)
            if abs(x) + abs(y) + abs(z) < side and (x + y + z + side) % 2
        ]
    )


def checkerboard(width: int, depth: int, height: int) -> Cells:
    """Return the spheres at the corner of a box of cubes and at every other cube from there.

    Examples
    --------
    >>> len(checkerboard(3, 3, 3))
    14
    """
    require_sizes(width, depth, height)
    boxes = product(range(width), range(depth), range(height))
    return _sorted_from_zero([_from_cube(*cell) for cell in boxes if sum(cell) % 2 == 0])
