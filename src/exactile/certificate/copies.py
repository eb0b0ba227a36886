"""Copies of prototiles on a lattice, from the definition: the objects of claims about tilings.

A place is a vector of periods of the lattice, a unit a place with a type, a copy a place with a
*form*: the units of a prototile after a motion. Each of these is a single number, and a move adds a
number to it; the numbers of units are in the order of their coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations, product
from operator import mul
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.errors import CertificateError
from exactile.geometry.lattice import Lattice, Point

STEP = 1 << 24
"""Weight of a coordinate, relative to the next one."""

FARTHEST = 10**6
"""Limit of the coordinates of a place, so that sums of a few stay below half a step."""

WIDEST = 10**5
"""Limit of the coordinates of a prototile's points."""

Matrix = tuple[tuple[int, ...], ...]
Rays = frozenset[int]


def numbered(place: Sequence[int], kind: int = 0) -> int:
    """Return the number of a place, of the unit of a type there, or of a form there.

    >>> numbered((0, 1)) == STEP, numbered((3, -2), 1) == numbered((3, 0)) + numbered((0, -2), 1)
    (True, True)
    """
    number = 0
    for coordinate in place:
        number = (number + coordinate) * STEP
    return number + kind


def coordinates(number: int, width: int) -> tuple[Point, int]:
    """Return the place and the type, or form, of a number.

    >>> coordinates(numbered((3, -2), 1), 2)
    ((3, -2), 1)
    """
    rest, kind = divmod(number, STEP)
    place = []
    for _ in range(width):
        rest, coordinate = divmod(rest + STEP // 2, STEP)
        place.append(coordinate - STEP // 2)
    return tuple(reversed(place)), kind


class Surroundings(NamedTuple):
    """For the unit of each type at place 0, which units share a corner with it or are joined."""

    touching: list[list[int]]
    joined: list[list[int]]


class CopyForm(NamedTuple):
    """The units of a prototile after a motion, the least of them at place 0."""

    points: npt.NDArray[np.int64]
    units: tuple[int, ...]


class Copies:
    """All copies of some prototiles.

    `motions`: the matrices by which prototiles may be turned. `prototiles`: their points.
    `crossing`: whether copies must not cross at vertices. Raise CertificateError if the matrices
    are not a group of motions of the lattice, or a prototile has other points than units.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> domino = Copies(square, square.group.tolist(), [[(0, 0), (1, 0)]])
    >>> [[coordinates(u, 2)[0] for u in domino.units(copy)] for copy in domino.over(0)][:2]
    [[(-1, 0), (0, 0)], [(0, -1), (0, 0)]]
    """

    def __init__(
        self,
        lattice: Lattice,
        motions: Sequence[Sequence[Sequence[int]]],
        prototiles: Sequence[Sequence[Sequence[int]]],
        crossing: bool = False,
    ) -> None:
        self.lattice = lattice
        self._width = lattice.dimension
        self.matrices, self._products = _group(  # the motions
            lattice, tuple(tuple(map(tuple, m)) for m in motions)
        )
        self._rows: list[list[list[int]]] = self.matrices.tolist()
        self._rule = lattice.crossing if crossing else None
        self.forms: list[CopyForm] = []  # the different forms of all prototiles, by number
        self._turned: list[list[tuple[int, Point]]] = []
        known: dict[tuple[int, ...], int] = {}
        for points in prototiles:
            if any(len(p) != self._width or max(map(abs, p)) > WIDEST for p in points):
                raise CertificateError(f"A point of a prototile has {self._width} small numbers.")
            turned = np.array(points) @ self.matrices.transpose(0, 2, 1)
            kinds = lattice.types(turned)
            if (kinds < 0).any():
                raise CertificateError("A prototile has a point that is not a unit of the lattice.")
            places = (turned - np.array(lattice.origins)[kinds]) // lattice.period
            self._turned.append([])
            for each, at, types in zip(turned, places.tolist(), kinds.tolist(), strict=True):
                place = min(map(tuple, at))
                back = numbered(place)
                units = tuple(sorted(numbered(*u) - back for u in zip(at, types, strict=True)))
                if units not in known:
                    known[units] = len(self.forms)
                    self.forms.append(CopyForm(each - lattice.period * np.array(place), units))
                self._turned[-1].append((known[units], place))
        self._over: dict[int, list[int]] = {}
        self._clashes: dict[int, dict[int, int]] = {}
        self._images: dict[tuple[int, int], tuple[int, Point]] = {}

    @property
    def are_flat(self) -> bool:
        """Whether they consist of cells of the plane, so that copies can enclose others."""
        return self._width == 2 and all(
            len(face) > 2 for faces in self.lattice.faces for face in faces
        )

    def copy(self, prototile: int, turn: int, by: Sequence[int]) -> int:
        """Return a prototile, turned by the motion of a number and moved.

        Raise CertificateError if there is no such prototile or motion, or the place is invalid or
        too far away.
        """
        if not (0 <= prototile < len(self._turned) and 0 <= turn < len(self.matrices)):
            raise CertificateError(f"There is no prototile {prototile}, or no motion {turn}.")
        form, place = self._turned[prototile][turn]
        return self.place(by) + numbered(place, form)

    def place(self, by: Sequence[int]) -> int:
        """Return the number of a place.

        Raise CertificateError if it has another number of coordinates, or is too far away.
        """
        if len(by) != self._width or max(map(abs, by)) > FARTHEST:
            raise CertificateError(f"A place has {self._width} small coordinates, not {list(by)}.")
        return numbered(by)

    def prototile(self, copy: int) -> int:
        """Return the number of the prototile of a copy."""
        form = copy % STEP
        return next(p for p, turns in enumerate(self._turned) if any(f == form for f, _ in turns))

    def row(self, copy: int) -> tuple[int, ...]:
        """Return a prototile, a motion and a place that give a copy."""
        prototile = self.prototile(copy)
        turn = [form for form, _ in self._turned[prototile]].index(copy % STEP)
        start = self.copy(prototile, turn, (0,) * self._width)
        return (prototile, turn, *coordinates(copy - start, self._width)[0])

    def units(self, copy: int) -> list[int]:
        """Return the units of a copy, in order."""
        form = copy % STEP
        place = copy - form
        return [place + unit for unit in self.forms[form].units]

    def image(self, copy: int, turn: int) -> int:
        """Return a copy after a motion."""
        at, form = coordinates(copy, self._width)
        if (form, turn) not in self._images:
            owner, first = next(
                (p, t)
                for p, turns in enumerate(self._turned)
                for t, (each, _) in enumerate(turns)
                if each == form
            )
            image, place = self._turned[owner][self._products[turn][first]]
            away = self.matrices[turn] @ np.array(self._turned[owner][first][1])
            self._images[form, turn] = image, tuple((np.array(place) - away).tolist())
        image, place = self._images[form, turn]
        turned = [sum(map(mul, row, at)) for row in self._rows[turn]]
        return numbered(turned) + numbered(place, image)

    def over(self, kind: int) -> list[int]:
        """Return the copies over the unit of a type at place 0, in the order of their units."""
        if kind not in self._over:
            found = sorted(
                ([u - unit + kind for u in form.units], kind - unit + number)
                for number, form in enumerate(self.forms)
                for unit in form.units
                if unit % STEP == kind
            )
            self._over[kind] = [copy for _, copy in found]
        return self._over[kind]

    def clashes(self, kind: int) -> dict[int, int]:
        """For each unit, return which copies of `over` have it: a set of their indices as bits."""
        if kind not in self._clashes:
            found: dict[int, int] = {}
            for index, copy in enumerate(self.over(kind)):
                for unit in self.units(copy):
                    found[unit] = found.get(unit, 0) | 1 << index
            self._clashes[kind] = found
        return self._clashes[kind]

    def touching(self, unit: int) -> Iterator[int]:
        """Yield the units that share a corner with a unit."""
        kind = unit % STEP
        return (unit - kind + near for near in _surroundings(self.lattice).touching[kind])

    def joined(self, unit: int) -> Iterator[int]:
        """Yield the units that are joined with a unit."""
        kind = unit % STEP
        return (unit - kind + near for near in _surroundings(self.lattice).joined[kind])

    def around(self, copy: int) -> list[int]:
        """Return the units that touch a copy."""
        form = copy % STEP
        return [copy - form + unit for unit in self._halos[form]]

    @cached_property
    def _halos(self) -> list[list[int]]:
        return [
            sorted({near for u in form.units for near in self.touching(u)} - set(form.units))
            for form in self.forms
        ]

    def rays(self, copy: int) -> list[tuple[int, Rays]]:
        """Return the vertices where a copy has several directions, with these.

        None if copies may cross.
        """
        if self._rule is None:
            return []
        form = copy % STEP
        return [(copy - form + vertex, rays) for vertex, rays in self._rays[form]]

    @cached_property
    def _rays(self) -> list[list[tuple[int, Rays]]]:
        assert self._rule is not None
        result = []
        for form in self.forms:
            found: dict[int, set[int]] = {}
            for direction, ray in enumerate(self._rule.rays):
                for vertex in (form.points - np.array(ray)).tolist():
                    if all(c % self.lattice.period == 0 for c in vertex):
                        place = numbered([c // self.lattice.period for c in vertex])
                        found.setdefault(place, set()).add(direction)
            result.append([(v, frozenset(there)) for v, there in found.items() if len(there) > 1])
        return result


@cache
def _group(
    lattice: Lattice, motions: tuple[Matrix, ...]
) -> tuple[npt.NDArray[np.int64], list[list[int]]]:
    """Return matrices, and for each two the number of their product."""
    allowed = {tuple(map(tuple, m)) for m in lattice.group.tolist()}
    if not motions or any(m not in allowed for m in motions):
        raise CertificateError(f"A matrix is not a symmetry of the {lattice.name} lattice.")
    matrices = np.array(motions, dtype=np.int64)
    number = {m.tobytes(): k for k, m in enumerate(matrices)}
    products = [[number.get((a @ b).tobytes(), -1) for b in matrices] for a in matrices]
    if any(-1 in row for row in products):
        raise CertificateError("The matrices are not a group: a product of two is not among them.")
    return matrices, products


@cache
def _surroundings(lattice: Lattice) -> Surroundings:
    kinds = range(len(lattice.origins))
    corners = {
        numbered(place, kind): _corners(lattice, place, kind)
        for place in product(range(-2, 3), repeat=lattice.dimension)
        for kind in kinds
    }
    touching = [
        [u for u, c in corners.items() if u != kind and c & corners[kind]] for kind in kinds
    ]
    joined = []
    for origin, steps in zip(lattice.origins, lattice.neighbors, strict=True):
        points = np.array(steps) + np.array(origin)
        types = lattice.types(points)
        places = (points - np.array(lattice.origins)[types]) // lattice.period
        joined.append([numbered(*u) for u in zip(places.tolist(), types.tolist(), strict=True)])
    return Surroundings(touching, joined)


def _corners(lattice: Lattice, place: Sequence[int], kind: int) -> set[tuple[int, ...]]:
    """Return the corners of a unit, in millionths."""
    origin = np.array(lattice.origins[kind]) + lattice.period * np.array(place)
    return {
        tuple(round(1e6 * (o + c)) for o, c in zip(origin.tolist(), corner, strict=True))
        for face in lattice.faces[kind]
        for corner in face
    }


def cross(a: Rays, b: Rays) -> bool:
    """Return whether, going around a vertex, the directions come as a, b, a, b.

    >>> cross(frozenset({0, 2}), frozenset({1, 3})), cross(frozenset({0, 1}), frozenset({2, 3}))
    (True, False)
    """
    return any(
        {x in range(low + 1, high) for x in b} == {True, False}
        for low, high in combinations(sorted(a), 2)
    )
