"""Formulas about copies of prototiles: that units are covered, that a tile has coronas.

Variable v from 1 means "copy v is used"; copies are numbered in the order of their numbers in
`Copies`. The clauses, in this order:

1. each unit that must be covered, in order: one of the copies over it;
2. each unit, in order: at most one of the copies over it;
3. each vertex, in order: not both of two copies that cross there.

"At most one" of more than `FEW` literals is written as a product [1]: the literals fill a square
row by row; a new variable for each row, and one for each column, is implied by the literals there,
and at most one of the rows is true, and of the columns. So the formula is small, and satisfiable if
and only if the pairwise one is. Nothing here is shared with the code that finds proofs.

Sources: [1] J. Chen, "A new SAT encoding of the at-most-one constraint", ModRef 2010.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from math import isqrt
from pathlib import Path

import numpy as np

from exactile.atomic import written
from exactile.certificate.copies import STEP, Copies, coordinates, cross
from exactile.errors import CertificateError

FEW = 4
"""Up to this number of literals, "at most one" is written pair by pair."""

MOST_LITERALS = 1 << 27
"""Larger formulas are refused."""

MOST_UNITS = 1 << 21
"""More units within a distance are refused: in space they take all memory before a formula does."""


class CoverFormula:
    """The formula that the units `needed` are covered by disjoint copies.

    `tiles` are there already: no other copy overlaps or crosses them. `used` are the copies that
    may be used, by default all over these units. The attribute `used` has the copy of each
    variable, from 1. Raise CertificateError if the formula becomes too large.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> domino = Copies(square, square.group.tolist(), [[(0, 0), (1, 0)]])
    >>> formula = CoverFormula(domino, (), [0])
    >>> formula.variables, formula.clauses[:2]
    (4, [[1, 2, 3, 4], [-1, -2]])
    """

    def __init__(
        self,
        copies: Copies,
        tiles: Sequence[int],
        needed: Iterable[int],
        used: Iterable[int] | None = None,
    ) -> None:
        own = {unit for tile in tiles for unit in copies.units(tile)}
        self._copies = copies
        self.needed = sorted(set(needed) - own)
        if used is None:
            used = over(copies, self.needed)
        there = [(vertex, rays) for tile in tiles for vertex, rays in copies.rays(tile)]
        self.used = [
            copy
            for copy in sorted(set(used))
            if own.isdisjoint(copies.units(copy))
            and not any(v == w and cross(a, b) for v, a in there for w, b in copies.rays(copy))
        ]
        self.variables = len(self.used)
        self.clauses: list[list[int]] = []
        self._literals = 0
        self.over: dict[int, list[int]] = defaultdict(list)
        for variable, copy in enumerate(self.used, 1):
            for unit in copies.units(copy):
                self.over[unit].append(variable)
        for unit in self.needed:
            self.add(list(self.over.get(unit, ())))
        for unit in sorted(self.over):
            self._at_most_one(self.over[unit])
        self._exclude_crossings()

    def add(self, clause: list[int]) -> None:
        """Add a clause."""
        self.clauses.append(clause)
        self._literals += len(clause)
        if self._literals > MOST_LITERALS:
            raise CertificateError("The formula is too large: it has too many copies.")

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def _at_most_one(self, literals: list[int]) -> None:
        if len(literals) <= FEW:
            for a, b in combinations(literals, 2):
                self.add([-a, -b])
            return
        width = isqrt(len(literals) - 1) + 1
        rows = [self.new() for _ in range(-(-len(literals) // width))]
        columns = [self.new() for _ in range(width)]
        for k, literal in enumerate(literals):
            self.add([-literal, rows[k // width]])
            self.add([-literal, columns[k % width]])
        self._at_most_one(rows)
        self._at_most_one(columns)

    def _exclude_crossings(self) -> None:
        at: dict[int, list[tuple[int, frozenset[int]]]] = defaultdict(list)
        for variable, copy in enumerate(self.used, 1):
            for vertex, rays in self._copies.rays(copy):
                at[vertex].append((variable, rays))
        for vertex in sorted(at):
            for (a, rays), (b, others) in combinations(at[vertex], 2):
                if cross(rays, others):
                    self.add([-a, -b])

    def text(self, what: str) -> Iterator[str]:
        """Yield the lines of the formula in DIMACS, with comments about its meaning."""
        yield f"c {what}\n"
        yield f"c by disjoint copies, on the lattice: {self._copies.lattice.name}\n"
        yield "c the copies that the first variables stand for:\n"
        for variable, copy in enumerate(self.used, 1):
            yield f"c {variable} {unit_words(self._copies, self._copies.units(copy))}\n"
        yield f"p cnf {self.variables} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0))) + "\n"


def unit_words(copies: Copies, units: Sequence[int]) -> str:
    """Return units in customary coordinates as words."""
    lattice = copies.lattice
    places, kinds = zip(*(coordinates(u, lattice.dimension) for u in units), strict=True)
    points = np.array(places) * lattice.period + np.array(lattice.origins)[list(kinds)]
    return " ".join(",".join(map(str, unit)) for unit in lattice.coordinates(points))


def over(copies: Copies, units: Iterable[int]) -> set[int]:
    """Return the copies over some units."""
    return {unit - unit % STEP + copy for unit in units for copy in copies.over(unit % STEP)}


def units_within(copies: Copies, tiles: Sequence[int], distance: int) -> set[int]:
    """Return the units within a distance of tiles, or of the unit of type 0 at 0 without tiles.

    Units that share a corner have distance 1. Raise CertificateError if there are too many.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> domino = Copies(square, square.group.tolist(), [[(0, 0), (1, 0)]])
    >>> len(units_within(domino, [domino.copy(0, 0, (0, 0))], 1))
    12
    """
    units = {unit for tile in tiles for unit in copies.units(tile)} or {0}
    rim = units
    for _ in range(distance):
        rim = {near for unit in rim for near in copies.touching(unit)} - units
        units = units | rim
        if len(units) > MOST_UNITS:
            raise CertificateError("The formula is too large: it is about too many units.")
    return units


def disc_formula(copies: Copies, tiles: Sequence[int], distance: int) -> CoverFormula:
    """Return the formula that all units within a distance of tiles are covered."""
    return CoverFormula(copies, tiles, units_within(copies, tiles, distance))


def coronas_formula(copies: Copies, tile: int, coronas: int) -> CoverFormula:
    """Return a formula that is satisfied if a tile can have a number of complete coronas.

    Variables after those of `CoverFormula` say that a copy has at least k coronas around it, for k
    from 1; and that a unit touches such a copy. The unit must then be covered, by a copy with at
    least k - 1 coronas.
    """
    own = set(copies.units(tile))
    crowned: list[set[int]] = [{tile}]
    for _ in range(coronas):
        around = {unit for copy in crowned[0] for unit in copies.around(copy)} - own
        crowned.insert(0, {c for c in over(copies, around) if own.isdisjoint(copies.units(c))})
    formula = CoverFormula(copies, [tile], (), set().union(*crowned[:-1]))
    has = {copy: variable for variable, copy in enumerate(formula.used, 1)}
    for level in range(1, coronas + 1):
        known = crowned[level] if level == coronas else crowned[level] & has.keys()
        now = {copy: formula.new() for copy in sorted(known)}
        halo = sorted({unit for copy in known for unit in copies.around(copy)} - own)
        touches = {unit: formula.new() for unit in halo}
        for copy, variable in now.items():
            for unit in copies.around(copy):
                if unit not in own:
                    formula.add([-variable, touches[unit]])
        for unit, variable in touches.items():
            formula.add([-variable, *formula.over.get(unit, ())])
            if level > 1:
                for option in formula.over.get(unit, ()):
                    formula.add([-variable, -option, has[formula.used[option - 1]]])
        has = now
    formula.add([has[tile]])
    return formula


def write_formula(path: Path, formula: CoverFormula, what: str) -> str:
    """Write a formula into a file; return its SHA-256 digest."""
    digest = sha256()
    with written(path) as stream:
        for line in formula.text(what):
            digest.update(line.encode())
            stream.write(line)
    return digest.hexdigest()
