"""The ways in which a shape can lie on the lattice, from its outline.

A shape that has been moved consists of whole units if its outline runs along their sides; prisms
are considered layer by layer. Written for the checker and for the verifier of certificates, and so
independent of `exactile.geometry.recut`, which models use.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import pairwise, product
from math import gcd

import numpy as np
import numpy.typing as npt

from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece

Step = tuple[Point, Point]
"""Two integer points on a side of a unit, the lesser first, with none between them."""


def laid(piece: Piece, paint: Paint) -> tuple[Points, npt.NDArray[np.int64]]:
    """Return the sets of units that a piece covers when it is moved without being turned.

    `paint`: if it paints the piece, each unit must be covered by a single color.

    The result: one set for each class under translations of the lattice, the piece's own first:
    shape ``(k, n, d)``. For each unit, the number of a unit of the piece with the same paint: shape
    ``(k, n)``.

    Examples
    --------
    >>> import exactile
    >>> pieces = exactile.load("tetraboloes-14x2").pieces
    >>> [len(laid(piece, Paint())[0]) for piece in pieces].count(2)
    1
    """
    if not piece.lattice.slides:
        return piece.points[None], np.arange(piece.order)[None]
    own = paint.pieces.get(piece.name, {})
    parts = defaultdict(list)
    for number, unit in enumerate(piece.units):
        parts[own.get(unit), unit[2:]].append(number)
    points, owners = [piece.points], [np.arange(piece.order)]
    shapes = tuple(tuple(piece.units[k] for k in part) for part in parts.values())
    for sets in _elsewhere(piece.lattice, shapes):
        points.append(np.concatenate(sets))
        owners.append(np.repeat([part[0] for part in parts.values()], [len(s) for s in sets]))
    return np.array(points), np.array(owners)


@lru_cache(maxsize=4096)
def _elsewhere(lattice: Lattice, shapes: tuple[tuple[Point, ...], ...]) -> list[list[Points]]:
    """Return the units of all shapes after each translation that maps all shapes to whole units.

    The translations of the lattice, which map every shape to whole units, are left out.
    """
    lines = {
        _at_origin(step, lattice) for origin in lattice.origins for step in _sides(lattice, origin)
    }
    outlines = [_outline(lattice, shape) for shape in shapes]
    return [
        [_within(lattice, shape, slide) for shape in shapes]
        for slide in product(range(lattice.period), repeat=2)
        if any(slide)
        and all(
            _at_origin(_moved(step, slide), lattice) in lines
            for outline in outlines
            for step in outline
        )
    ]


def _outline(lattice: Lattice, shape: tuple[Point, ...]) -> set[Step]:
    """Return the steps around a shape: the steps that occur in just one of its units."""
    steps: set[Step] = set()
    for unit in shape:
        steps ^= _sides(lattice, unit)
    return steps


def _sides(lattice: Lattice, unit: Point) -> set[Step]:
    """Return the steps around a unit."""
    corners = _corners(lattice, unit)
    steps: set[Step] = set()
    for (x, y), (u, v) in pairwise([*corners, corners[0]]):
        n = gcd(u - x, v - y)
        points = [(x + (u - x) // n * k, y + (v - y) // n * k) for k in range(n + 1)]
        steps |= {(min(pair), max(pair)) for pair in pairwise(points)}
    return steps


def _corners(lattice: Lattice, unit: Point) -> list[Point]:
    """Return the corners of a unit, or of the base of a prism, in the plane."""
    face, *_ = lattice.faces[int(lattice.types(np.array(unit)))]
    return [_sum(unit, (int(x), int(y))) for x, y, *_ in face]


def _within(lattice: Lattice, shape: tuple[Point, ...], slide: Point) -> Points:
    """Return the units whose points lie within a shape that has been moved."""
    corners = np.array([_corners(lattice, unit) for unit in shape]) + slide
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    layer = ((height,) for height in shape[0][2:])
    points = np.array(list(product(*map(range, low, high), *layer)))
    points = points[lattice.types(points) >= 0]
    edges = np.roll(corners, -1, axis=1) - corners  # (n, corners, 2)
    x, y = np.moveaxis(points[:, None, None, :2] - corners, -1, 0)
    side = edges[..., 0] * y - edges[..., 1] * x
    within: Points = points[((side >= 0).all(axis=2) | (side <= 0).all(axis=2)).any(axis=1)]
    return within


def _moved(step: Step, slide: Point) -> Step:
    return _sum(step[0], slide), _sum(step[1], slide)


def _at_origin(step: Step, lattice: Lattice) -> Step:
    x, y = step[0]
    period = lattice.period
    return _moved(step, (x % period - x, y % period - y))


def _sum(one: Point, other: Point) -> Point:
    return one[0] + other[0], one[1] + other[1]
