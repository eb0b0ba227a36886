"""Tilings checked from the definition, by code that shares nothing with the package."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from exactile.answers import TilingAnswer
from exactile.geometry import Lattice, get_lattice
from exactile.geometry.lattice import Coordinates

Points = frozenset[tuple[int, ...]]


def points_of(lattice: str, units: Coordinates) -> Points:
    """Return the points of units in customary coordinates."""
    grid = get_lattice(lattice)
    return frozenset(map(tuple, grid.points([tuple(unit) for unit in units]).tolist()))


def is_tiling(answer: TilingAnswer) -> bool:
    """Return whether the copies of an answer, repeated, cover each unit around 0 exactly once.

    Each copy must be congruent to its prototile, and none may cross another if the answer says so.
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
    if answer.crossing and any_cross(grid, [copy for _, copy in copies], period):
        return False
    return set(covered.values()) == {1}


def any_cross(grid: Lattice, copies: list[Points], period: list[list[int]]) -> bool:
    """Return whether two copies cross at a vertex, their translates by a period included."""
    assert grid.crossing is not None
    found: list[tuple[list[int], frozenset[int]]] = []
    for copy in copies:
        at: dict[tuple[int, ...], set[int]] = {}
        for number, ray in enumerate(grid.crossing.rays):
            for point in copy:
                vertex = tuple(p - r for p, r in zip(point, ray, strict=True))
                if all(c % grid.period == 0 for c in vertex):
                    at.setdefault(vertex, set()).add(number)
        found += [([*vertex], frozenset(rays)) for vertex, rays in at.items()]
    return any(
        is_multiple([a - b for a, b in zip(one, other, strict=True)], period)
        and alternate(rays, others)
        for k, (one, rays) in enumerate(found)
        for other, others in found[:k]
    )


def alternate(rays: Iterable[int], others: Iterable[int]) -> bool:
    """Return whether directions come as a, b, a, b around a vertex."""
    around = sorted([(ray, 0) for ray in rays] + [(ray, 1) for ray in others])
    owners = [owner for _, owner in around]
    return sum(owners[k] != owners[k - 1] for k in range(len(owners))) > 2


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
