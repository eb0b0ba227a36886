"""Tilings checked from the definition, by code that shares nothing with the package."""

from __future__ import annotations

from itertools import product

from exactile.answers import TilingAnswer
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Coordinates

Points = frozenset[tuple[int, ...]]


def points_of(lattice: str, units: Coordinates) -> Points:
    """Return the points of units in customary coordinates."""
    grid = get_lattice(lattice)
    return frozenset(map(tuple, grid.points([tuple(unit) for unit in units]).tolist()))


def is_tiling(answer: TilingAnswer) -> bool:
    """Return whether the copies of an answer, repeated, cover each unit around 0 exactly once.

    Each copy must be congruent to its prototile.
    """
    assert answer.tiling is not None
    grid = get_lattice(answer.lattice)
    prototiles = {p.name: points_of(answer.lattice, p.units) for p in answer.prototiles}
    copies = [(name, points_of(answer.lattice, units)) for name, units in answer.tiling.copies]
    for name, copy in copies:
        assert any(same_place(copy, turned(prototiles[name], m)) for m in grid.group.tolist())
    size = grid.dimension
    period = [[grid.period * c for c in vector] for vector in answer.tiling.vectors]
    near = [
        tuple(o + grid.period * p for o, p in zip(origin, place, strict=True))
        for origin in grid.origins
        for place in product(range(-2, 3), repeat=size)
    ]
    covered = dict.fromkeys(near, 0)
    for _, copy in copies:
        for point in copy:
            for target in near:
                difference = [t - p for t, p in zip(target, point, strict=True)]
                covered[target] += is_multiple(difference, period)
    return set(covered.values()) == {1}


def is_multiple(difference: list[int], period: list[list[int]]) -> bool:
    """Return whether a vector is a sum of multiples of the rows of a triangular matrix."""
    for i in reversed(range(len(period))):
        times, rest = divmod(difference[i], period[i][i])
        if rest:
            return False
        difference = [d - times * p for d, p in zip(difference, period[i], strict=True)]
    return not any(difference)


def turned(points: Points, matrix: list[list[int]]) -> Points:
    """Return points that are turned by a matrix."""
    return frozenset(
        tuple(sum(a * b for a, b in zip(row, point, strict=True)) for row in matrix)
        for point in points
    )


def same_place(one: Points, other: Points) -> bool:
    """Return whether two sets of points are equal but for a translation."""

    def moved(points: Points) -> Points:
        low = [min(axis) for axis in zip(*points, strict=True)]
        return frozenset(tuple(c - o for c, o in zip(p, low, strict=True)) for p in points)

    return moved(one) == moved(other)
