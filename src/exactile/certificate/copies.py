"""Copies of prototiles on a lattice, for claims about tilings; computed from the definitions.

A *place* is a translation of the lattice: integer multiples of its period along each axis. A unit
is given by a place and a type, and a copy by a place and a *form*: the units of a prototile after a
turn or reflection. Each place, unit and copy is encoded as a single integer, so that a translation
adds an integer. The codes of units are in the order of their coordinates.

Formulas about copies state that units are covered, or that a tile has coronas: rings of tiles
around it. Variable v from 1 means "copy v is used"; the copies are sorted by their codes. The
clauses, in this order:

1. for each unit that must be covered: one of the copies over the unit is used;
2. for each unit: at most one of the copies over the unit is used;
3. for each vertex: of two copies that cross there, not both are used.

"At most one" of more than `FEW` literals is written as a product [1]: the literals fill a square
row by row. There is a new variable for each row and for each column of the square. A literal
implies the variables of its row and its column. At most one row variable is true, and at most one
column variable. This formula is small, and satisfiable if and only if the pairwise one is. Nothing
here is shared with the code that finds proofs.

Sources: [1] J. Chen, "A new SAT encoding of the at-most-one constraint", ModRef 2010.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import combinations, product
from math import isqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.atomic import written
from exactile.errors import CertificateError
from exactile.geometry.lattice import Lattice, Point

STEP = 1 << 24
"""Base of the encoding: each coordinate weighs this many times as much as the next one."""

FARTHEST = 10**6
"""Limit of the coordinates of a place: sums of a few places stay below half of `STEP`."""

WIDEST = 10**5
"""Limit of the coordinates of a prototile's points."""

Matrix = tuple[tuple[int, ...], ...]
Rays = frozenset[int]


def numbered(place: Sequence[int], kind: int = 0) -> int:
    """Encode a place as one integer; with `kind`, a unit or a copy at this place.

    `kind`: the type of the unit, or the number of the copy's form.

    >>> numbered((0, 1)) == STEP, numbered((3, -2), 1) == numbered((3, 0)) + numbered((0, -2), 1)
    (True, True)
    """
    number = 0
    for coordinate in place:
        number = (number + coordinate) * STEP
    return number + kind


def coordinates(number: int, width: int) -> tuple[Point, int]:
    """Decode an integer from `numbered`: return the place, and the unit's type or the copy's form.

    `width`: number of coordinates of the place.

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
    """For each type, the codes of the units near the unit of this type at the origin.

    `touching`: units that share a corner with it. `joined`: its neighbors on the lattice.
    """

    touching: list[list[int]]
    joined: list[list[int]]


class CopyForm(NamedTuple):
    """The units of a prototile after a turn or reflection, moved to the origin.

    `points`: their points, in the order of the prototile's points. `units`: their codes, sorted;
    the least place among them is 0.
    """

    points: npt.NDArray[np.int64]
    units: tuple[int, ...]


class Copies:
    """All copies of some prototiles on a lattice; methods return units and copies as integers.

    `motions`: the matrices by which prototiles may be turned. `prototiles`: the points of each.
    `crossing`: if true, copies must not cross at vertices. Raise CertificateError if the matrices
    are not a group of symmetries of the lattice, or if a point of a prototile is not a unit, is too
    far from the origin, or has a wrong number of coordinates.

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
        """Whether the units are cells of the plane, so that copies can enclose other units."""
        return self._width == 2 and all(
            len(face) > 2 for faces in self.lattice.faces for face in faces
        )

    def copy(self, prototile: int, turn: int, by: Sequence[int]) -> int:
        """Return the copy of a prototile turned by motion number `turn`, then moved by `by`.

        Raise CertificateError if there is no such prototile or motion, if `by` has a wrong number
        of coordinates, or if it leads too far away.
        """
        if not (0 <= prototile < len(self._turned) and 0 <= turn < len(self.matrices)):
            raise CertificateError(f"There is no prototile {prototile}, or no motion {turn}.")
        form, place = self._turned[prototile][turn]
        return self.place(by) + numbered(place, form)

    def place(self, by: Sequence[int]) -> int:
        """Encode a place, given by its coordinates, as an integer.

        Raise CertificateError if `by` has a wrong number of coordinates, or is too far away.
        """
        if len(by) != self._width or max(map(abs, by)) > FARTHEST:
            raise CertificateError(f"A place has {self._width} small coordinates, not {list(by)}.")
        return numbered(by)

    def prototile(self, copy: int) -> int:
        """Return the index of a copy's prototile; the first index if several prototiles match."""
        form = copy % STEP
        return next(p for p, turns in enumerate(self._turned) if any(f == form for f, _ in turns))

    def row(self, copy: int) -> tuple[int, ...]:
        """Return numbers that describe a copy: its prototile, its motion, then its translation."""
        prototile = self.prototile(copy)
        turn = [form for form, _ in self._turned[prototile]].index(copy % STEP)
        start = self.copy(prototile, turn, (0,) * self._width)
        return (prototile, turn, *coordinates(copy - start, self._width)[0])

    def units(self, copy: int) -> list[int]:
        """Return the units of a copy, sorted."""
        form = copy % STEP
        place = copy - form
        return [place + unit for unit in self.forms[form].units]

    def image(self, copy: int, turn: int) -> int:
        """Return the image of a copy under motion number `turn`, about the origin."""
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
        """Return the copies over the unit of type `kind` at the origin, sorted by their units."""
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
        """Return, for each unit, a bit mask of the copies in ``over(kind)`` that contain it."""
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
        """Yield the neighbors of a unit on the lattice."""
        kind = unit % STEP
        return (unit - kind + near for near in _surroundings(self.lattice).joined[kind])

    def around(self, copy: int) -> list[int]:
        """Return the units outside a copy that share a corner with it."""
        form = copy % STEP
        return [copy - form + unit for unit in self._halos[form]]

    @cached_property
    def _halos(self) -> list[list[int]]:
        return [
            sorted({near for u in form.units for near in self.touching(u)} - set(form.units))
            for form in self.forms
        ]

    def rays(self, copy: int) -> list[tuple[int, Rays]]:
        """Return each vertex where several units of a copy meet, with the directions of the units.

        The list is empty if copies may cross. A direction is an index into the rays of the
        lattice's crossing rule, which are in cyclic order around a vertex.
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
    """Return the motions as an array of matrices, and the index of the product of each pair.

    Raise CertificateError if they are not a group of symmetries of the lattice.
    """
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
    """Return the corners of a unit, with coordinates rounded to millionths, as integers."""
    origin = np.array(lattice.origins[kind]) + lattice.period * np.array(place)
    return {
        tuple(round(1e6 * (o + c)) for o, c in zip(origin.tolist(), corner, strict=True))
        for face in lattice.faces[kind]
        for corner in face
    }


def cross(a: Rays, b: Rays) -> bool:
    """Return whether two pieces cross at a vertex: around it, their directions come as a, b, a, b.

    `a`, `b`: the directions of the units of each piece at the vertex, numbered in cyclic order.

    >>> cross(frozenset({0, 2}), frozenset({1, 3})), cross(frozenset({0, 1}), frozenset({2, 3}))
    (True, False)
    """
    return any(
        {x in range(low + 1, high) for x in b} == {True, False}
        for low, high in combinations(sorted(a), 2)
    )


FEW = 4
"""Largest number of literals for which "at most one" is written pair by pair."""

MOST_LITERALS = 1 << 27
"""Limit of the number of literals in a formula."""

MOST_UNITS = 1 << 21
"""Largest number of units in `units_within`: in space, more would fill the memory."""


class CoverFormula:
    """A formula that states that disjoint copies of prototiles cover the units `needed`.

    `tiles`: copies that are in place already; no other copy may overlap or cross them. `used`: the
    copies that may be used, by default all that contain a unit of `needed`. Afterwards, variable v
    from 1 stands for the copy ``formula.used[v - 1]``; later variables are auxiliary. Raise
    CertificateError if the formula becomes too large.

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
        """Add a clause; raise CertificateError if the formula becomes too large."""
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
        """Yield the lines of the formula in DIMACS; comments state `what` and the copies."""
        yield f"c {what}\n"
        yield f"c by disjoint copies, on the lattice: {self._copies.lattice.name}\n"
        yield "c the copies that the first variables stand for:\n"
        for variable, copy in enumerate(self.used, 1):
            yield f"c {variable} {unit_words(self._copies, self._copies.units(copy))}\n"
        yield f"p cnf {self.variables} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0))) + "\n"


def unit_words(copies: Copies, units: Sequence[int]) -> str:
    """Return the customary coordinates of units as text, such as ``0,0 1,0``."""
    lattice = copies.lattice
    places, kinds = zip(*(coordinates(u, lattice.dimension) for u in units), strict=True)
    points = np.array(places) * lattice.period + np.array(lattice.origins)[list(kinds)]
    return " ".join(",".join(map(str, unit)) for unit in lattice.coordinates(points))


def over(copies: Copies, units: Iterable[int]) -> set[int]:
    """Return the copies that contain at least one of the units."""
    return {unit - unit % STEP + copy for unit in units for copy in copies.over(unit % STEP)}


def units_within(copies: Copies, tiles: Sequence[int], distance: int) -> set[int]:
    """Return the units within a distance of the given tiles, including the units of the tiles.

    Units that share a corner have distance 1. Without tiles, the distance is from the unit of type
    0 at the origin. Raise CertificateError if there are too many units.

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
    """Return a formula that states that the `units_within` a distance of the tiles are covered.

    Raise CertificateError if the formula becomes too large.
    """
    return CoverFormula(copies, tiles, units_within(copies, tiles, distance))


def coronas_formula(copies: Copies, tile: int, coronas: int) -> CoverFormula:
    """Return a formula that is satisfiable if `tile` can have this number of coronas around it.

    Coronas are complete rings of copies of the prototiles. After the variables of `CoverFormula`
    there are two kinds of variables for each k >= 1. One kind means that a copy has at least k
    coronas around it, the other that a unit touches such a copy. Clauses state that such a unit is
    covered, by a copy with at least k - 1 coronas. `coronas`: at least 1. Raise CertificateError if
    the formula becomes too large.
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
    """Write a formula into a file; return the SHA-256 digest of the file in hexadecimal."""
    digest = sha256()
    with written(path) as stream:
        for line in formula.text(what):
            digest.update(line.encode())
            stream.write(line)
    return digest.hexdigest()
