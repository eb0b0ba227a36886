"""Faults of placements in words: every reason why they are not a solution.

The code is independent of `exactile.puzzle.check.Checker`, which works on arrays and is faster for
solutions without faults.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

import numpy as np

from exactile.geometry.lattice import Point
from exactile.puzzle.congruence import congruent, reduced
from exactile.puzzle.puzzle import Placement, Puzzle, Solution

MOST_NAMED = 10
"""Largest number of units that the description of a fault lists."""


class Faults:
    """Describes the faults of solutions of one puzzle; checks each distinct placement once.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> Faults(puzzle).of(exactile.solve_one(puzzle)[1:])[-1]
    'piece L is used 0 times, not 1 to 1'
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._pieces = {piece.name: piece for piece in puzzle.pieces}
        self._places: dict[Placement, bool] = {}
        self._rays: dict[Placement, dict[Point, frozenset[int]]] = {}

    @property
    def _units(self) -> dict[Point, int]:
        return self.puzzle.region.number_of

    @cached_property
    def _required(self) -> set[Point]:
        region = self.puzzle.region
        return {tuple(unit) for unit in region.units[~region.optional].tolist()}

    def of(self, solution: Solution) -> list[str]:
        """Return all faults of a supposed solution, in words; empty if it solves the puzzle."""
        return [
            *self._cover_faults(solution),
            *self._piece_faults(solution),
            *self._use_faults(solution),
            *self._crossing_faults(solution),
            *self._color_faults(solution),
            *self._number_faults(solution),
        ]

    def _name(self, unit: Point) -> str:
        if int(self.puzzle.lattice.types(np.array(unit))) < 0:
            return f"{list(unit)} (a point, off the lattice)"
        return str(list(self.puzzle.lattice.coordinates(np.array([unit]))[0]))

    def _cover_faults(self, solution: Solution) -> list[str]:
        covered = Counter(unit for placement in solution for unit in placement.units)
        if not self._required and not covered:
            return []
        if len(covered) == sum(covered.values()) and self._required <= covered.keys() <= (
            self._units.keys()
        ):
            return []
        missing = sorted(self._required - set(covered))
        return [
            *(f"unit {self._name(u)} is covered {n} times" for u, n in covered.items() if n > 1),
            *(f"unit {self._name(u)} is not covered" for u in missing[:MOST_NAMED]),
            *([f"{len(missing) - MOST_NAMED} more are not"] if len(missing) > MOST_NAMED else []),
            *(f"unit {self._name(u)} lies outside" for u in covered if u not in self._units),
        ]

    def _piece_faults(self, solution: Solution) -> list[str]:
        result = []
        for placement in solution:
            if placement.piece not in self._pieces:
                result.append(f"the puzzle has no piece {placement.piece}")
                continue
            if placement not in self._places:
                self._places[placement] = self._is_place(placement)
            if not self._places[placement]:
                units = " ".join(map(str, placement.units))
                result.append(f"the points {units} are not a place of piece {placement.piece}")
        return result

    def _is_place(self, placement: Placement) -> bool:
        piece, inside = self._pieces[placement.piece], set(placement.units) & self._units.keys()
        if not len(placement.units) == len(inside) == piece.order:
            return False
        row = np.array([sorted(self._units[unit] for unit in inside)])
        return bool(congruent(piece, row, self.puzzle.region, self.puzzle.paint)[0])

    def _use_faults(self, solution: Solution) -> list[str]:
        uses = Counter(placement.piece for placement in solution)
        omission = self.puzzle.omission
        chosen = set(omission.names) if omission else set()
        result = [
            f"piece {name} is used {uses[name]} times, not {piece.lower} to {piece.upper}"
            for name, piece in self._pieces.items()
            if not (0 if name in chosen else piece.lower) <= uses[name] <= piece.upper
        ]
        omitted = sum(uses[name] == 0 for name in chosen)
        if omission and omitted != omission.count:
            result.append(f"{omitted} pieces are omitted, not {omission.count}")
        missing = set(self.puzzle.fixed) - set(solution)
        result += [f"the fixed placement of {p.piece} is missing" for p in sorted(missing)]
        return result

    def _crossing_faults(self, solution: Solution) -> list[str]:
        """Return a sentence for each pair of pieces that cross at a vertex."""
        if self.puzzle.lattice.crossing is None or not self.puzzle.crossing:
            return []
        at: defaultdict[Point, list[tuple[str, frozenset[int]]]] = defaultdict(list)
        for placement in solution:
            if placement not in self._rays:
                self._rays[placement] = self._rays_of(placement.units)
            for vertex, rays in self._rays[placement].items():
                at[vertex].append((placement.piece, rays))
        return [
            f"pieces {a} and {b} cross at the vertex {list(vertex)} (a point)"
            for vertex, present in at.items()
            for (a, rays_a), (b, rays_b) in combinations(present, 2)
            if _interleave(rays_a, rays_b)
        ]

    def _rays_of(self, units: tuple[Point, ...]) -> dict[Point, frozenset[int]]:
        """Return, for each vertex with at least two of the units, the numbers of their rays."""
        crossing = self.puzzle.lattice.crossing
        assert crossing is not None
        period = self.puzzle.lattice.period
        found: defaultdict[Point, set[int]] = defaultdict(set)
        for unit in units:
            for k, ray in enumerate(crossing.rays):
                vertex = tuple(u - r for u, r in zip(unit, ray, strict=True))
                if not any(c % period for c in vertex):
                    found[reduced(vertex, self.puzzle.region.wrap)].add(k)
        return {vertex: frozenset(rays) for vertex, rays in found.items() if len(rays) > 1}

    def _color_faults(self, solution: Solution) -> Iterator[str]:
        """Yield a sentence for each violation of a color rule."""
        for rule in self.puzzle.color_rules:
            here = [p for p in solution if p.piece in rule.pieces]
            around = [self._around(p.units) for p in here]
            touching = [
                (a, b)
                for a, b in combinations(range(len(here)), 2)
                if not around[a].isdisjoint(here[b].units)
            ]
            if rule.kind == "separated":
                for a, b in touching:
                    yield f"the {rule.color} pieces {here[a].piece} and {here[b].piece} touch"
            elif here:
                reached = {0}
                for _ in here:  # after k rounds: the pieces reached in k steps
                    reached |= {x for pair in touching if reached & set(pair) for x in pair}
                apart = [here[k].piece for k in range(len(here)) if k not in reached]
                if apart:
                    yield (
                        f"the {rule.color} pieces are not joined: no way leads from "
                        f"{here[0].piece} to {', '.join(apart)}"
                    )

    def _number_faults(self, solution: Solution) -> Iterator[str]:
        """Yield a sentence for each broken rule about numbers of open units, or of used pieces."""
        covered = {unit for placement in solution for unit in placement.units}
        for units in self.puzzle.open_rules:
            number = len(set(units.units) - covered)
            if number < units.lower or (units.upper is not None and number > units.upper):
                named = " ".join(map(self._name, units.units[:MOST_NAMED]))
                more = " ..." if len(units.units) > MOST_NAMED else ""
                yield f"{number} of the units {named}{more} are open, not {units.bounds}"
        for group in self.puzzle.use_rules:
            counted = [p.units for p in solution if p.piece in group.pieces]
            places = set(map(frozenset, group.places))
            number = sum(not places or frozenset(units) in places for units in counted)
            if number < group.lower or (group.upper is not None and number > group.upper):
                names = " ".join(group.pieces)
                where = "lie in their places" if places else "are used"
                yield f"{number} of the pieces {names} {where}, not {group.bounds}"

    def _around(self, units: tuple[Point, ...]) -> set[Point]:
        """Return the points that are neighbors of some of the units."""
        lattice, wrap = self.puzzle.lattice, self.puzzle.region.wrap
        return {
            reduced(tuple(c + s for c, s in zip(unit, step, strict=True)), wrap)
            for unit in units
            for step in lattice.neighbors[int(lattice.types(np.array(unit)))]
        }


def _interleave(a: frozenset[int], b: frozenset[int]) -> bool:
    """Return whether the rays of two pieces around a vertex alternate: a, b, a, b.

    Examples
    --------
    >>> _interleave(frozenset({0, 2}), frozenset({1, 3}))
    True
    >>> _interleave(frozenset({0, 1}), frozenset({2, 3}))
    False
    """
    order = [ray in a for ray in sorted(a | b)]
    changes = sum(x != y for x, y in zip(order, order[1:] + order[:1], strict=True))
    return changes >= 4
