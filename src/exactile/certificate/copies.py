"""Copies of prototiles on a lattice, from the definition: what the claims about tilings speak of.

A unit is written as in certificates: the coordinates of its place and, where a lattice has several
types of unit, its type. A copy is a prototile turned by one of the motions and moved to a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from operator import add

import numpy as np

from exactile.errors import CertificateError
from exactile.geometry.lattice import Lattice, Point

Rays = frozenset[int]


@dataclass(frozen=True)
class Copy:
    """A prototile, turned by a motion and moved by periods of the lattice."""

    prototile: int
    turn: int
    by: Point


@dataclass(frozen=True)
class Covered:
    """What a copy covers: its units, and the directions it has at vertices where it has two."""

    units: frozenset[Point]
    rays: tuple[tuple[Point, Rays], ...] = ()


class Copies:
    """All copies of some prototiles.

    Parameters
    ----------
    lattice
        The lattice.
    motions
        The matrices by which prototiles may be turned.
    prototiles
        Their points.
    crossing
        Whether copies must not cross at vertices.

    Raises
    ------
    CertificateError
        If the matrices are no group of motions of the lattice, or a prototile has other points
        than units.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> domino = Copies(square, square.group.tolist(), [[(0, 0), (1, 0)]])
    >>> [sorted(placed.units) for placed in domino.over((0, 0, 0))][:2]
    [[(-1, 0, 0), (0, 0, 0)], [(0, -1, 0), (0, 0, 0)]]
    """

    def __init__(
        self,
        lattice: Lattice,
        motions: Sequence[Sequence[Sequence[int]]],
        prototiles: Sequence[Sequence[Sequence[int]]],
        crossing: bool = False,
    ) -> None:
        self.lattice = lattice
        allowed = {tuple(map(tuple, m)) for m in lattice.group.tolist()}
        if not motions or any(tuple(map(tuple, m)) not in allowed for m in motions):
            raise CertificateError(f"A matrix is no symmetry of the {lattice.name} lattice.")
        self.motions = [np.array(m, dtype=np.int64) for m in motions]
        there = {m.tobytes() for m in self.motions}
        if any((a @ b).tobytes() not in there for a in self.motions for b in self.motions):
            raise CertificateError("The matrices are no group: one after another is none of them.")
        right = all(len(point) == lattice.dimension for points in prototiles for point in points)
        self.prototiles = [np.array(sorted(map(tuple, p))) for p in prototiles] if right else []
        if not right or any((lattice.types(points) < 0).any() for points in self.prototiles):
            raise CertificateError("A prototile has a point that is no unit of the lattice.")
        self._rule = lattice.crossing if crossing else None
        self._over: dict[Point, list[Covered]] = {}
        self._near: dict[Point, list[Point]] = {}

    @property
    def are_flat(self) -> bool:
        """Whether they consist of cells of the plane, so that copies can enclose others."""
        return self.lattice.dimension == 2 and all(
            len(face) > 2 for faces in self.lattice.faces for face in faces
        )

    def unit(self, point: Sequence[int]) -> Point:
        """Return the unit of a point."""
        [kind] = self.lattice.types(np.array([point])).tolist()
        place = (np.array(point) - self.lattice.origins[kind]) // self.lattice.period
        return (*place.tolist(), kind)

    def point(self, unit: Point) -> Point:
        """Return the point of a unit."""
        *place, kind = unit
        return tuple(
            o + self.lattice.period * p
            for o, p in zip(self.lattice.origins[kind], place, strict=True)
        )

    def units(self, copy: Copy) -> frozenset[Point]:
        """Return what a copy covers.

        Raises
        ------
        CertificateError
            If there is no such prototile or motion.
        """
        if not (0 <= copy.prototile < len(self.prototiles) and 0 <= copy.turn < len(self.motions)):
            raise CertificateError(f"There is no prototile or motion for {copy}.")
        if len(copy.by) != self.lattice.dimension:
            raise CertificateError(f"A place has {self.lattice.dimension} coordinates, not {copy}.")
        return frozenset(moved(unit, copy.by) for unit in self._turned[copy.prototile][copy.turn])

    def image(self, copy: Copy, turn: int, by: Point) -> frozenset[Point]:
        """Return what a copy covers after it is turned and moved once more."""
        points = np.array([self.point(unit) for unit in self.units(copy)])
        turned = (points @ self.motions[turn].T).tolist()
        return frozenset(moved(self.unit(point), by) for point in turned)

    @cached_property
    def _turned(self) -> list[list[list[Point]]]:
        return [
            [[self.unit(point) for point in (points @ m.T).tolist()] for m in self.motions]
            for points in self.prototiles
        ]

    def placed(self, units: frozenset[Point]) -> Covered:
        """Return the units with the directions that matter for crossings."""
        if self._rule is None:
            return Covered(units)
        found: dict[Point, set[int]] = {}
        for unit in units:
            for direction, ray in enumerate(self._rule.rays):
                vertex = tuple(p - r for p, r in zip(self.point(unit), ray, strict=True))
                if all(c % self.lattice.period == 0 for c in vertex):
                    found.setdefault(vertex, set()).add(direction)
        rays = sorted((v, frozenset(there)) for v, there in found.items() if len(there) > 1)
        return Covered(units, tuple(rays))

    def over(self, unit: Point) -> list[Covered]:
        """Return what each copy covers that covers a unit, in the order of their sorted units."""
        if unit not in self._over:
            place, kind = unit[:-1], unit[-1]
            copies = self._relative.get(kind, ())
            self._over[unit] = [
                self.placed(frozenset([moved(u, place) for u in units])) for units in copies
            ]
        return self._over[unit]

    @cached_property
    def _relative(self) -> dict[int, list[tuple[Point, ...]]]:
        """For each type, all copies that cover the unit of this type at place 0, each once."""
        found: dict[int, set[tuple[Point, ...]]] = {}
        for turns in self._turned:
            for units in turns:
                for *place, kind in units:
                    back = tuple(-c for c in place)
                    found.setdefault(kind, set()).add(tuple(sorted(moved(u, back) for u in units)))
        return {kind: sorted(copies) for kind, copies in found.items()}

    def touching(self, unit: Point) -> list[Point]:
        """Return the units that share a corner with a unit."""
        if unit not in self._near:
            self._near[unit] = [moved(u, unit[:-1]) for u in self._touching[unit[-1]]]
        return self._near[unit]

    def joined(self, unit: Point) -> list[Point]:
        """Return the units that are joined with a unit."""
        origin = self.point(unit)
        return [
            self.unit([o + s for o, s in zip(origin, step, strict=True)])
            for step in self.lattice.neighbors[unit[-1]]
        ]

    @cached_property
    def _touching(self) -> list[list[Point]]:
        kinds = range(len(self.lattice.origins))
        around = list(product(range(-2, 3), repeat=self.lattice.dimension))
        corners = {
            (*place, kind): self._corners((*place, kind)) for place in around for kind in kinds
        }
        zero = (0,) * self.lattice.dimension
        return [
            [u for u, c in corners.items() if u != (*zero, kind) and c & corners[(*zero, kind)]]
            for kind in kinds
        ]

    def _corners(self, unit: Point) -> set[tuple[int, ...]]:
        """Return the corners of a unit, in millionths."""
        origin = self.point(unit)
        return {
            tuple(round(1e6 * (o + c)) for o, c in zip(origin, corner, strict=True))
            for face in self.lattice.faces[unit[-1]]
            for corner in face
        }


def moved(unit: Point, by: Point) -> Point:
    """Return a unit moved by periods of the lattice.

    Examples
    --------
    >>> moved((0, 1, 5), (2, 2))
    (2, 3, 5)
    """
    return (*map(add, unit, by), unit[-1])


def cross(a: Rays, b: Rays) -> bool:
    """Return whether, going around a vertex, the directions come as a, b, a, b.

    Examples
    --------
    >>> cross(frozenset({0, 2}), frozenset({1, 3})), cross(frozenset({0, 1}), frozenset({2, 3}))
    (True, False)
    """
    return any(
        {x in range(low + 1, high) for x in b} == {True, False}
        for low, high in combinations(sorted(a), 2)
    )
