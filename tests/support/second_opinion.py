"""Whether a shape tiles, and with how many copies at least, by a SAT solver from the definition.

Nothing is shared with the package but the data of the lattice. Periods are lattices of translations
in Hermite form: copies cover the torus that one leaves exactly once. Refutations are sets of units,
within some steps of one, that no disjoint copies can all cover.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
from pysat.card import CardEnc
from pysat.solvers import Cadical195

from exactile.geometry import Lattice
from support.tilings import alternate, turned

Point = tuple[int, ...]
Shape = frozenset[Point]
Basis = list[list[int]]


class SecondOpinion:
    """What a SAT solver says of a shape on a lattice.

    All motions of the lattice are allowed, or those without reflections.
    """

    def __init__(
        self, lattice: Lattice, shape: Shape, *, crossing: bool, reflected: bool = True
    ) -> None:
        self.lattice, self.size = lattice, len(shape)
        self.rays = lattice.crossing.rays if crossing and lattice.crossing else ()
        images = {
            turned(shape, matrix.tolist())
            for matrix in lattice.group
            if reflected or np.linalg.det(matrix) > 0
        }
        self.forms = sorted({self._at_zero(image) for image in images}, key=sorted)

    def least_copies(self, most: int = 12, steps: int = 12) -> int | None:
        """Return the least number of copies in a period; None if some units cannot be covered.

        Raises
        ------
        LookupError
            If neither is found.
        """
        for number in range(1, max(most, steps) + 1):
            if number <= steps and not self.covers_all_within(number):
                return None
            if number <= most and any(self.covers_torus(b) for b in self._bases(number)):
                return number
        raise LookupError

    def covers_all_within(self, steps: int) -> bool:
        """Return whether disjoint copies can cover all units within some steps of one."""
        disc = {self.lattice.origins[0]}
        for _ in range(steps):
            disc |= {near for point in disc for near in self._near(point)}
        placed = {
            frozenset(_plus(p, _minus(unit, point)) for p in form)
            for unit in disc
            for form in self.forms
            for point in form
            if self._is_period(_minus(unit, point))
        }
        return self._solve([(shape, self._at_vertices(shape)) for shape in placed], disc)

    def covers_torus(self, basis: Basis) -> bool:
        """Return whether copies cover each unit once, if equal places are identified."""
        period = self.lattice.period
        places = list(product(*(range(row[i]) for i, row in enumerate(basis))))
        units = {
            self._reduced(_plus(origin, [period * c for c in place]), basis)
            for origin in self.lattice.origins
            for place in places
        }
        placed = []
        for form in self.forms:
            for place in places:
                move = [period * c for c in place]
                there = [self._reduced(_plus(p, move), basis) for p in form]
                if len(set(there)) < len(there):
                    continue
                vertices: dict[Point, list[set[int]]] = defaultdict(list)
                for vertex, rays in self._at_vertices(frozenset(_plus(p, move) for p in form)):
                    vertices[self._reduced(vertex, basis)].append(rays)
                if any(
                    alternate(a, b) for each in vertices.values() for a, b in combinations(each, 2)
                ):
                    continue
                at = [(vertex, rays) for vertex, each in vertices.items() for rays in each]
                placed.append((frozenset(there), at))
        return self._solve(placed, units)

    # --- details

    def _solve(
        self, placed: Sequence[tuple[Shape, list[tuple[Point, set[int]]]]], needed: set[Point]
    ) -> bool:
        over: dict[Point, list[int]] = defaultdict(list)
        vertices: dict[Point, list[tuple[int, set[int]]]] = defaultdict(list)
        for variable, (shape, at) in enumerate(placed, 1):
            for point in shape:
                over[point].append(variable)
            for vertex, rays in at:
                vertices[vertex].append((variable, rays))
        with Cadical195() as solver:
            top = len(placed)
            for point in needed - over.keys():
                assert point not in over
                return False
            for point, those in over.items():
                if point in needed:
                    solver.add_clause(those)
                clauses = CardEnc.atmost(those, top_id=top, encoding=1)
                top = max(top, clauses.nv)
                solver.append_formula(clauses.clauses)
            for each in vertices.values():
                for (a, rays), (b, others) in combinations(each, 2):
                    if a != b and alternate(rays, others):
                        solver.add_clause([-a, -b])
            return bool(solver.solve())

    def _bases(self, copies: int) -> Iterator[Basis]:
        """Yield all lattices of translations with room for some copies."""
        kinds, width = len(self.lattice.origins), self.lattice.dimension
        index, rest = divmod(copies * self.size, kinds)
        if rest == 0:
            yield from _hermite(index, width)

    def _near(self, point: Point) -> list[Point]:
        kind = self._kind(point)
        return [_plus(point, step) for step in self.lattice.neighbors[kind]]

    def _kind(self, point: Point) -> int:
        return next(
            k
            for k, origin in enumerate(self.lattice.origins)
            if self._is_period(_minus(point, origin))
        )

    def _is_period(self, move: Point) -> bool:
        return all(c % self.lattice.period == 0 for c in move)

    def _at_zero(self, shape: Shape) -> Shape:
        """Return a shape moved by periods to where its least coordinates are least."""
        period = self.lattice.period
        back = [-(min(axis) // period) * period for axis in zip(*shape, strict=True)]
        return frozenset(_plus(p, back) for p in shape)

    def _at_vertices(self, shape: Shape) -> list[tuple[Point, set[int]]]:
        """Return the vertices where a copy has several directions, and these."""
        found: dict[Point, set[int]] = defaultdict(set)
        for number, ray in enumerate(self.rays):
            for point in shape:
                vertex = _minus(point, ray)
                if self._is_period(vertex):
                    found[vertex].add(number)
        return [(vertex, rays) for vertex, rays in found.items() if len(rays) > 1]

    def _reduced(self, point: Point, basis: Basis) -> Point:
        period = self.lattice.period
        for i in reversed(range(len(basis))):
            times = point[i] // (period * basis[i][i])
            point = _minus(point, [times * period * c for c in basis[i]])
        return point


def _hermite(index: int, width: int) -> Iterator[Basis]:
    if width == 0:
        if index == 1:
            yield []
        return
    for last in (d for d in range(1, index + 1) if index % d == 0):
        for rest in _hermite(index // last, width - 1):
            sides = [row[i] for i, row in enumerate(rest)]
            for below in product(*(range(side) for side in sides)):
                yield [*([*row, 0] for row in rest), [*below, last]]


def _plus(a: Sequence[int], b: Sequence[int]) -> Point:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _minus(a: Sequence[int], b: Sequence[int]) -> Point:
    return tuple(x - y for x, y in zip(a, b, strict=True))
