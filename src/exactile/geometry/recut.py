"""Sets of units with the same shape that no isometry of the lattice maps to each other.

A rectangle of two drafters (half triangles) can move by half a side of a triangle: it then consists
of whole units again, divided along its other diagonal. `Lattice.slides` has such translations. A
moved set consists of whole units if it covers the whole area of every unit that it overlaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from exactile.geometry.isometry import Matrices, Points, aspects, transform
from exactile.geometry.lattice import Lattice

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Polygon = list[tuple[float, float]]

NOTHING = 1e-6
"""Overlaps of less than this fraction of a unit are rounding errors: real overlaps are at least a
few hundredths."""


def positions(points: Points, lattice: Lattice) -> Points:
    """Return all sets of units that have the shape and the orientation of a given set.

    On some lattices, a shape can be shifted so that it consists of other units. Shifts by
    translations of the lattice do not count. The result has shape ``(k, n, d)``; the given set
    comes first.

    `points`: the given set, shape ``(n, d)``. Further columns, such as paint, are carried along;
    sets with a unit that would get two paints are left out.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("quarter-squares")
    >>> small_square = grid.points([(0, 0, 0), (1, 0, 2)])  # two triangles beside each other
    >>> len(positions(small_square, grid))  # or one above the other
    2
    """
    return np.array([points, *(sets[0] for _, sets in slid(points[None], lattice))])


def shape_aspects(points: Points, matrices: Matrices, lattice: Lattice) -> Points:
    """Return the sets of units with the shape of a given set, in the orientations of `matrices`.

    The order is that of `exactile.geometry.isometry.aspects`, and each set is moved to the origin.
    Unlike that function, this one also finds the sets of `positions`.
    """
    return aspects(positions(points, lattice), matrices, lattice.period)


def slid(sets: Points, lattice: Lattice) -> Iterator[tuple[Longs, Points]]:
    """For each slide that maps some sets to whole units, yield the sets' indices and images.

    A slide is a translation as in `Lattice.slides`. `sets`: shape ``(k, n, d)``; further columns as
    in `positions`. The images have the shape ``(m, n, d)`` for m indices.
    """
    d = lattice.dimension
    kinds = lattice.types(sets[..., :d])
    for offsets, shares in overlaps(lattice):
        covers = shares[kinds] > 0
        there = np.repeat(sets[:, :, None], shares.shape[1], axis=2)
        there[..., :d] += offsets[kinds]
        owner, *_ = np.nonzero(covers)
        rows = np.column_stack([owner, there[covers]])
        units, inverse = np.unique(rows, axis=0, return_inverse=True)
        covered = np.bincount(inverse.ravel(), shares[kinds][covers])
        whole = np.ones(len(sets), dtype=bool)
        whole[units[covered < 1 - NOTHING, 0]] = False
        if whole.any():
            yield np.flatnonzero(whole), units[whole[units[:, 0]], 1:].reshape(-1, *sets.shape[1:])


@cache
def overlaps(lattice: Lattice) -> list[tuple[Points, Floats]]:
    """Return, for each slide of the lattice, which units a moved unit overlaps, and how much.

    For each slide there are two arrays. The first has, for each type of unit, the offsets from the
    unmoved unit to the overlapped units: shape ``(types, m, d)``. The second has the fraction of
    the moved unit that lies in each of them: shape ``(types, m)``. Both are padded with 0.
    Prisms slide only within their layers, so the overlaps of their bases are enough. For slides see
    `Lattice.slides`.
    """
    if not lattice.slides:
        return []
    upright = ((0,),) * (lattice.dimension - 2)
    steps = np.array(list(product(*((-1, 0, 1, 2),) * 2, *upright)))
    units = (np.array(lattice.origins)[:, None] + lattice.period * steps).reshape(
        -1, lattice.dimension
    )
    corners = [_corners(lattice, unit) for unit in units]
    reach = 2 * max(abs(c) for face, *_ in lattice.faces for corner in face for c in corner)
    slides = transform(np.array(lattice.slides), lattice.group) % lattice.period
    result = []
    for slide in np.unique(slides.reshape(-1, lattice.dimension), axis=0):
        found = []
        for origin in np.array(lattice.origins):
            (x, y, *_), there = slide.tolist(), _corners(lattice, origin)
            there = [(u + x, v + y) for u, v in there]
            near = np.flatnonzero(np.abs(units - origin - slide).max(axis=1) < reach)
            shares = np.array([_area(_clipped(there, corners[k])) for k in near]) / _area(there)
            met = shares > NOTHING
            found.append((units[near[met]] - origin, shares[met]))
        most = max(len(shares) for _, shares in found)
        padding = [((0, most - len(shares)), (0, 0)) for _, shares in found]
        result.append(
            (
                np.array([np.pad(o, p) for (o, _), p in zip(found, padding, strict=True)]),
                np.array([np.pad(s, p[0]) for (_, s), p in zip(found, padding, strict=True)]),
            )
        )
    return result


def _corners(lattice: Lattice, unit: Points) -> Polygon:
    """Return the corners of a unit in the plane, counter-clockwise; for a prism, of its base."""
    x, y, *_ = unit.tolist()
    face, *_ = lattice.faces[int(lattice.types(unit))]
    corners = [(x + u, y + v) for u, v, *_ in face]
    return corners if _area(corners) > 0 else corners[::-1]


def _area(polygon: Polygon) -> float:
    """Return the area of a polygon whose corners are given counter-clockwise."""
    pairs = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return sum(x * v - u * y for (x, y), (u, v) in pairs) / 2


def _clipped(polygon: Polygon, window: Polygon) -> Polygon:
    """Return the part of a polygon within a convex window, both counter-clockwise."""
    for (ax, ay), (bx, by) in zip(window, window[1:] + window[:1], strict=True):
        kept: Polygon = []
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in polygon]
        for k, (x, y) in enumerate(polygon):
            (u, v), before = polygon[k - 1], sides[k - 1]
            if before * sides[k] < 0:  # the edge from the corner before crosses the line
                t = before / (before - sides[k])
                kept.append((u + t * (x - u), v + t * (y - v)))
            if sides[k] >= 0:
                kept.append((x, y))
        polygon = kept
    return polygon
