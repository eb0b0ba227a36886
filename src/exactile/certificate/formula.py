"""The formula of a puzzle: clauses, or linear constraints, that every solution satisfies.

Formulas are made from the puzzle alone. `LinearFormula` describes the linear constraints. In
clauses, variable v from 1 means "placement v is used"; placements are numbered by piece, then by
their sorted units. The next variables mean "this piece is left out", for each piece that an
omission names. Then come variables that mean "this unit stays uncovered", for each optional unit
that a rule about uncovered units names. The last variables belong to counters and ladders.

The clauses, in this order:

1. Each unit that must be covered is covered by a used placement. If a rule about uncovered units
   names an optional unit, this unit is covered or stays uncovered.
2. Each fixed placement is used.
3. The number of uses of each piece is within its bounds; a piece that is left out counts as used
   once. There are no such clauses if there is only one piece, no unit is optional, and the number
   of uses that follows from the area is within the bounds.
4. The numbers of pieces left out, of uncovered units, and of used pieces of groups are within their
   bounds.
5. Of two placements that exclude each other, not both are used. Two placements exclude each other
   if they share a unit, belong to a piece or a group that is used at most once, cross at a vertex,
   or touch although a rule about colors separates their pieces. Likewise, a unit does not stay
   uncovered if a placement covers it; a piece that is used at most once is not both used and left
   out. If only one piece may be left out, no two are left out; if only one unit of a rule may stay
   uncovered, no two stay uncovered.

If item 5 would need more than `MOST_PAIRS` clauses, ladders state the same about units and pieces.
This module shares no code with the making of models, so that formulas and models can be compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations
from operator import add
from typing import NamedTuple

from exactile.certificate.copies import cross
from exactile.certificate.placements import Remainder, placements
from exactile.certificate.reading import paced
from exactile.errors import CertificateError
from exactile.geometry.lattice import Point
from exactile.puzzle.congruence import reduced
from exactile.puzzle.puzzle import Placement, Puzzle

MOST_PAIRS = 5_000_000
"""If more pairs of placements than this exclude each other, ladders replace clauses for pairs.

A pair counts once for each unit that its placements share, and once for each piece or rule that
allows only one of them.
"""

MOST_VARIABLES = 1 << 25
"""Largest number of variables that checkers of proofs accept."""

MOST_CROSSINGS = 20_000_000
"""Largest number of pairs of placements that cross or touch: more would fill gigabytes."""

Clause = tuple[int, ...]


class Clauses:
    """The variables and clauses of a puzzle's formula; see `exactile.certificate.formula`.

    ``placements[v - 1]`` is the meaning of variable v; the variables after these belong to counters
    and ladders. A `Placement` without units means that the piece is left out; without a piece, that
    the unit stays uncovered; otherwise, that the piece is used in this place. `pulse`: called
    repeatedly; an exception that it raises ends the work. Raise CertificateError if there are too
    many placements.

    >>> import exactile
    >>> formula = Clauses(exactile.load("mutilated-chessboard-6x6"))
    >>> len(formula.placements), formula.placements[0].units, formula.size
    (56, ((0, 0), (0, 1)), 172)
    """

    def __init__(self, puzzle: Puzzle, pulse: Callable[[], None] = lambda: None) -> None:
        self.puzzle = puzzle
        self._pulse = pulse
        region = puzzle.region
        units = zip(region.units.tolist(), region.optional, strict=True)
        named = {unit for rule in puzzle.open_rules for unit in rule.units}
        # The units that must be covered, or open by a rule, in order
        self.required: list[Point] = []
        may_open: list[Point] = []
        for unit, optional in ((tuple(unit), optional) for unit, optional in units):
            if optional and unit in named:
                may_open.append(unit)
            if not optional or unit in named:
                self.required.append(unit)
        self.placements: list[Placement] = []
        self._of_piece: dict[str, list[int]] = {}
        for piece, found in zip(puzzle.pieces, placements(puzzle, pulse), strict=True):
            self._of_piece[piece.name] = [
                self._add(Placement(piece.name, units)) for units in paced(found, pulse)
            ]
        chosen = set(puzzle.omission.names) if puzzle.omission else set()
        self._left_out = [
            self._add(Placement(p.name, ())) for p in puzzle.pieces if p.name in chosen
        ]
        for variable in self._left_out:
            self._of_piece[self.placements[variable - 1].piece].append(variable)
        self._open = {unit: self._add(Placement("", (unit,))) for unit in may_open}
        self._of_unit: dict[Point, list[int]] = defaultdict(list)
        for variable, placement in enumerate(paced(self.placements, pulse), 1):
            for unit in placement.units:
                self._of_unit[unit].append(variable)
        # Number of variables, those of counters included; available after `size` or `clauses`
        self.variables = len(self.placements)

    @cached_property
    def size(self) -> int:
        """Number of clauses, found by making all of them.

        Raise CertificateError if the formula is too large.
        """
        return sum(1 for _ in self.clauses())

    def _add(self, placement: Placement) -> int:
        self.placements.append(placement)
        return len(self.placements)

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses; raise CertificateError if the formula is too large.

        Meanwhile, `variables` is increased by the number of variables of counters and ladders.
        """
        return paced(self._clauses(), self._pulse)

    def _clauses(self) -> Iterator[Clause]:
        self.variables = len(self.placements)
        for unit in self.required:
            yield tuple(self._of_unit.get(unit, ()))
        for fixed in self.puzzle.fixed:
            yield (self.placements.index(fixed) + 1,)
        if not self._number_follows():
            for piece in self.puzzle.pieces:
                yield from self._used(self._of_piece[piece.name], piece.lower, piece.upper)
        if self.puzzle.omission:
            count = self.puzzle.omission.count
            yield from self._used(self._left_out, count, count)
        for literals, lower, upper in self._numbers():
            yield from self._used(literals, lower, upper)
        groups = self._groups()
        if sum(len(group) * (len(group) - 1) // 2 for group in groups) <= MOST_PAIRS:
            yield from self._pairs(groups)
        else:
            for group in groups:
                yield from self._ladder(group)
            yield from self._crossings()
            yield from self._touching()

    def _numbers(self) -> Iterator[tuple[list[int], int, int]]:
        """Yield, for each rule about a number, the variables that are counted, and the bounds."""
        for rule in self.puzzle.open_rules:
            open_units = [self._open[unit] for unit in rule.units if unit in self._open]
            yield open_units, rule.lower, rule.most(self.puzzle.region)
        for group in self.puzzle.use_rules:
            used = [
                variable
                for piece in self.puzzle.pieces
                if piece.name in group.pieces
                for variable in self._of_piece[piece.name]
                if (units := self.placements[variable - 1].units)
                and (not group.places or units in group.places)
            ]
            yield used, group.lower, group.most(self.puzzle.pieces)

    def _number_follows(self) -> bool:
        """Return whether the area of the region implies the bounds of uses of the only piece."""
        size, piece = len(self.puzzle.region), self.puzzle.pieces[0]
        if len(self.puzzle.pieces) > 1 or len(self.required) < size or self._open:
            return False
        return piece.lower * piece.order <= size <= piece.upper * piece.order

    def _used(self, literals: list[int], lower: int, upper: int) -> Iterator[Clause]:
        """Yield clauses that state that `lower` to `upper` of the literals are true.

        An upper bound of 1 is not stated here, but by the clauses for the lists of `_groups`.
        """
        if lower > len(literals):
            yield ()
        elif upper == 0:
            yield from ((-x,) for x in literals)
        elif upper == 1:
            if lower == 1:
                yield tuple(literals)
        elif lower > 0 or upper < len(literals):
            yield from self._counter(literals, lower, upper)

    def _counter(self, literals: list[int], lower: int, upper: int) -> Iterator[Clause]:
        """Yield clauses that state, by a counter, that `lower` to `upper` of the literals are true.

        The new variable ``at[i][j]`` means that at least j of the first i literals are true. Raise
        CertificateError if there would be more than `MOST_VARIABLES`.
        """
        top = upper + 1 if upper < len(literals) else lower
        if len(literals) * top > MOST_VARIABLES:
            raise CertificateError(
                f"The puzzle {self.puzzle.name} is too large for a certificate: to count "
                f"{len(literals):,} placements up to {top:,} takes too many variables."
            )
        at: list[list[int]] = [[0]]
        for i in range(1, len(literals) + 1):
            width = min(i, top)
            at.append([0, *range(self.variables + 1, self.variables + width + 1)])
            self.variables += width
        for i, x in enumerate(literals, 1):
            before, now = at[i - 1], at[i]
            for j in range(1, len(now)):
                yield (-now[j], before[j], x) if j < len(before) else (-now[j], x)
                if j < len(before):
                    yield (-before[j], now[j])
                if j > 1:
                    yield (-now[j], before[j - 1])
                    yield (-x, -before[j - 1], now[j])
                else:
                    yield (-x, now[j])
        if lower > 0:
            yield (at[-1][lower],)
        if upper < len(literals):
            yield (-at[-1][upper + 1],)

    def _groups(self) -> list[list[int]]:
        """Return lists of variables of which at most one is true.

        There is a list for each piece or rule with the upper bound 1, then one for each unit.
        """
        once = [self._of_piece[piece.name] for piece in self.puzzle.pieces if piece.upper == 1]
        if self.puzzle.omission and self.puzzle.omission.count == 1:
            once.append(self._left_out)
        once += [literals for literals, _, upper in self._numbers() if upper == 1]
        units = (tuple(unit) for unit in self.puzzle.region.units.tolist())
        return [*once, *(self._of_unit[unit] for unit in units if unit in self._of_unit)]

    def _pairs(self, groups: list[list[int]]) -> Iterator[Clause]:
        """Yield a clause for each pair of variables that exclude each other, in increasing order.

        `groups`: lists of variables of which at most one is true.
        """
        member: list[list[list[int]]] = [[] for _ in range(len(self.placements) + 1)]
        for group in groups:
            for variable in group:
                member[variable].append(group)
        apart: dict[int, set[int]] = defaultdict(set)
        for a, b in chain(self._crossings(), self._touching()):
            apart[-a].add(-b)
        for a in range(1, len(member)):
            others = set(apart.get(a, ()))
            for group in member[a]:
                others.update(group[bisect_right(group, a) :])
            for b in sorted(others):
                yield (-a, -b)

    def _ladder(self, group: list[int]) -> Iterator[Clause]:
        """Yield clauses that state, by a ladder, that at most one variable of a group is true.

        Step k of the ladder is a new variable. Step k must be true if one of the first k variables
        is true.
        """
        steps = range(self.variables + 1, self.variables + len(group))
        self.variables += len(steps)
        for step, x, following in zip(steps, group, group[1:], strict=False):
            yield (-x, step)
            if step + 1 in steps:
                yield (-step, step + 1)
            yield (-step, -following)

    def _crossings(self) -> Iterator[Clause]:
        """Yield a clause against each pair of placements that cross but share no unit.

        The clauses are in the order of their variables.
        """
        rule = self.puzzle.lattice.crossing
        if rule is None or not self.puzzle.crossing:
            return
        at: dict[Point, dict[frozenset[int], list[int]]] = defaultdict(lambda: defaultdict(list))
        for variable, placement in enumerate(paced(self.placements, self._pulse), 1):
            for vertex, rays in self._rays(placement, rule.rays).items():
                at[vertex][rays].append(variable)
        yield from self._apart(
            (present[a], present[b])
            for present in at.values()
            for a, b in paced(combinations(present, 2), self._pulse, 1)
            if not a & b and cross(a, b)
        )

    def _touching(self) -> Iterator[Clause]:
        """Yield a clause against each pair of touching placements that a color rule keeps apart.

        The clauses are in the order of their variables. Pairs that share a unit are left out: other
        clauses exclude them.
        """
        region = self.puzzle.region
        around = {
            tuple(unit): [reduced(tuple(map(add, unit, step)), region.wrap) for step in steps]
            for unit, kind in zip(region.units.tolist(), region.types.tolist(), strict=True)
            if self.puzzle.color_rules and (steps := self.puzzle.lattice.neighbors[kind])
        }
        for rule in self.puzzle.color_rules:
            colored = {variable for name in rule.pieces for variable in self._of_piece[name]}
            at = {
                unit: [variable for variable in self._of_unit.get(unit, ()) if variable in colored]
                for unit in around
            }
            yield from self._apart(
                (at[unit], at[other])
                for unit, near in paced(around.items(), self._pulse, 1)
                for other in near
                if other in at
            )

    def _apart(self, pairs: Iterable[tuple[list[int], list[int]]]) -> Iterator[Clause]:
        """Yield a clause against each pair of placements that exclude each other, sorted.

        `pairs`: pairs of lists of variables; each variable of one list excludes each variable of
        the other. Placements that share a unit are left out: other clauses exclude them. Raise
        CertificateError if there are more than `MOST_CROSSINGS` pairs.
        """
        later: dict[int, set[int]] = defaultdict(set)
        number = 0
        for some, others in pairs:
            number += _pair(later, some, others)
            if number > MOST_CROSSINGS:
                raise CertificateError(
                    f"The puzzle {self.puzzle.name} is too large for a certificate: too many "
                    "placements cross or touch."
                )
        units = {v: set(p.units) for v, p in enumerate(self.placements, 1)}
        for x in paced(sorted(later), self._pulse, 1):
            yield from ((-x, -y) for y in sorted(later[x]) if not units[x] & units[y])

    def _rays(self, placement: Placement, rays: Sequence[Point]) -> dict[Point, frozenset[int]]:
        """Return each vertex where several units of a placement meet, with the units' directions.

        `rays`: the vectors from a vertex to the units around it. A direction is an index of a ray.
        """
        found: dict[Point, set[int]] = defaultdict(set)
        for unit in placement.units:
            for direction, ray in enumerate(rays):
                vertex = tuple(u - r for u, r in zip(unit, ray, strict=True))
                if all(c % self.puzzle.lattice.period == 0 for c in vertex):
                    found[reduced(vertex, self.puzzle.region.wrap)].add(direction)
        return {vertex: frozenset(there) for vertex, there in found.items() if len(there) > 1}


def _pair(later: dict[int, set[int]], some: list[int], others: list[int]) -> int:
    """Add to `later` all pairs of variables, one from each of two sorted lists.

    `later` has, for each variable, the larger variables that form a pair with it. Return the number
    of new pairs.
    """
    new = 0
    for these, those in ((some, others), (others, some)):
        for x in these:
            known = len(later[x])
            later[x].update(those[bisect_right(those, x) :])
            new += len(later[x]) - known
    return new


CHOICE = ""
"""The value of `BoundedSum.item` in the row about the number of pieces that are left out."""


class BoundedSum(NamedTuple):
    """A row of a linear formula: the sum of some variables is from `lower` to `upper`.

    `item`: the point of the unit or the name of the piece to which the row belongs; `CHOICE` for
    the number of pieces left out. Row r, from 0, stands for two constraints of the file: number
    2 r + 1 is ``sum >= lower``, number 2 r + 2 is ``sum <= upper``.
    """

    item: Point | str
    variables: list[int]
    lower: int
    upper: int

    def lines(self) -> Iterator[str]:
        """Yield the lines of an OPB file for this row: an equation, or two inequalities."""
        if self.lower == self.upper:
            yield _line(1, self.variables, "=", self.lower)
            return
        yield _line(1, self.variables, ">=", self.lower)
        yield _line(-1, self.variables, ">=", -self.upper)


def _line(sign: int, variables: list[int], relation: str, degree: int) -> str:
    return " ".join((*(f"{sign:+d} x{v}" for v in variables), relation, str(degree), ";\n"))


class LinearFormula:
    """The conditions of a puzzle as linear constraints, in the format OPB.

    The formula is about the units and pieces that remain after the fixed placements: `left`.
    Variable v from 1 means "placement v is used"; placements are numbered by piece, then by their
    units. The next variables mean "this piece is left out", for each piece that an omission names.
    The rows, in this order:

    1. for each unit: the number of placements that cover the unit is 1, or at most 1 if the unit is
       optional;
    2. for each piece: the number of its placements, plus 1 if it is left out, is within its bounds;
    3. if there is an omission: the number of pieces left out is that of the omission.

    There are no rows for crossings or for rules about numbers or colors. A refutation does not need
    all conditions: each row only has to hold for every solution.

    >>> import exactile
    >>> from exactile.certificate.placements import remainder
    >>> formula = LinearFormula(remainder(exactile.load("mutilated-chessboard-6x6")))
    >>> print(*list(formula.lines())[:3], sep="", end="")
    * #variable= 56 #constraint= 35
    +1 x1 +1 x2 = 1 ;
    +1 x1 +1 x3 +1 x4 = 1 ;
    """

    def __init__(self, left: Remainder) -> None:
        self.placements = [
            Placement(name, place) for name, places in left.placements.items() for place in places
        ]
        of_unit: dict[Point, list[int]] = defaultdict(list)
        of_piece: dict[str, list[int]] = defaultdict(list)
        for variable, placement in enumerate(self.placements, 1):
            of_piece[placement.piece].append(variable)
            for unit in placement.units:
                of_unit[unit].append(variable)
        left_out = list(
            range(len(self.placements) + 1, len(self.placements) + len(left.choice) + 1)
        )
        for variable, name in zip(left_out, left.choice, strict=True):
            self.placements.append(Placement(name, ()))
            of_piece[name].append(variable)
        self.rows = [BoundedSum(unit, of_unit[unit], low, 1) for unit, low in left.units.items()]
        self.rows += [
            BoundedSum(name, of_piece[name], *bounds) for name, bounds in left.uses.items()
        ]
        if left_out:
            self.rows.append(BoundedSum(CHOICE, left_out, left.omitted, left.omitted))

    def lines(self) -> Iterator[str]:
        """Yield the lines of the OPB file."""
        lines = [line for row in self.rows for line in row.lines()]
        yield f"* #variable= {len(self.placements)} #constraint= {len(lines)}\n"
        yield from lines
