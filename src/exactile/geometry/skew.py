"""Polygons of a grid of triangles, shared by the hexagon and triangle lattices.

The grid has axes that are 60 degrees apart, and a polygon is given by the grid points (x, y) in it.
A convex polygon is the set of points within bounds on x, y and x + y; any other polygon is a union
of two convex ones. Lengths are steps between points. On the hexagon lattice a point is a hexagon,
on the triangle lattice a corner of triangles. Functions raise RegionError if lengths do not match.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactile.geometry.lattice import require, require_sizes


@dataclass(frozen=True)
class Polygon:
    """Points with ``left <= x <= right``, ``bottom <= y <= top`` and ``low <= x + y <= high``.

    Examples
    --------
    >>> (0, 1) in Polygon(0, 1, 0, 1, 0, 1), (1, 1) in Polygon(0, 1, 0, 1, 0, 1)
    (True, False)
    """

    left: int
    right: int
    bottom: int
    top: int
    low: int
    high: int

    def __contains__(self, point: tuple[int, int]) -> bool:
        x, y = point
        return (
            self.left <= x <= self.right
            and self.bottom <= y <= self.top
            and self.low <= x + y <= self.high
        )


Union = tuple[Polygon, ...]


def box(width: int, height: int) -> Union:
    """Return a parallelogram with sides of length `width` and `height`."""
    return (Polygon(0, width, 0, height, 0, width + height),)


def trapezoid(base: int, height: int) -> Union:
    """Return a trapezoid that stands on its longer side, of length `base`."""
    require(height <= base, "A trapezoid cannot be higher than its base.")
    return (Polygon(0, base, 0, height, 0, base),)


def hexagon(bottom: int, second: int, third: int, fourth: int) -> Union:
    """Return a hexagon given by four consecutive sides, counter-clockwise from the bottom.

    They determine the other two: two neighboring sides are together as long as the two opposite
    ones.
    """
    fifth, sixth = bottom + second - fourth, third + fourth - bottom
    require(
        fifth >= 0 and sixth >= 0,
        "These four sides do not close to a hexagon: "
        f"the {'first' if fifth < 0 else 'last'} two of them are too short.",
    )
    return (Polygon(0, third + fourth, 0, second + third, sixth, sixth + bottom + second),)


def butterfly(base: int, side: int) -> Union:
    """Return two trapezoids joined at their shorter sides.

    The longer sides have length `base`, the sloping ones `side`.
    """
    require(side <= base, "The two halves of a butterfly cannot be higher than its base.")
    return (
        Polygon(side, base + side, 0, side, side, base + side),
        Polygon(0, base, side, 2 * side, 2 * side, base + 2 * side),
    )


def chevron(base: int, side: int) -> Union:
    """Return two parallelograms joined at a horizontal side, with the dent on the right.

    The horizontal sides have length `base`, the sloping ones `side`.
    """
    return (
        Polygon(0, base + side, 0, side, side, base + side),
        Polygon(0, base, side, 2 * side, side, base + 2 * side),
    )


def hexagram(side: int) -> Union:
    """Return two overlapping triangles: a hexagon of side `side` with a triangle on each side."""
    return (
        Polygon(side, 4 * side, side, 4 * side, 0, 5 * side),
        Polygon(0, 3 * side, 0, 3 * side, 3 * side, 6 * side),
    )


def extent(polygons: Union) -> tuple[range, range]:
    """Return ranges of x and y, both from 0, that contain all points of some polygons.

    Raise RegionError if the ranges span too many points.
    """
    width, height = 1 + max(p.right for p in polygons), 1 + max(p.top for p in polygons)
    require_sizes(width, height)
    return range(width), range(height)
