"""The independent checker: tells whether placements solve a puzzle.

It reads the puzzle alone and works on plain sets of units. It knows nothing of items and options,
computes congruence from the definition (some allowed isometry carries the piece onto the
placement) and crossings by looking around each vertex, so that it shares no code, and no
mistake, with what it checks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np

from exactile.errors import CheckFailedError
from exactile.geometry.lattice import Point
from exactile.puzzle.check_colors import color_faults
from exactile.puzzle.congruence import is_placement, reduced
from exactile.puzzle.puzzle import Placement, Puzzle, Solution

MOST_NAMED = 10
"""So many uncovered units are named at most."""


def check(puzzle: Puzzle, solution: Solution) -> None:
    """Raise unless the placements solve the puzzle.

    Raises
    ------
    CheckFailedError
        With all that is wrong.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> check(puzzle, exactile.solve_one(puzzle))
    """
    found = faults(puzzle, solution)
    if found:
        raise CheckFailedError(f"No solution of {puzzle.name}: " + "; ".join(found) + ".")


def faults(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Return all that keeps the placements from being a solution, in words; empty if nothing."""
    return Checker(puzzle).faults(solution)


class Checker:
    """Checks many solutions of one puzzle; remembers which placements are congruent to pieces."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._units = {tuple(p): i for i, p in enumerate(puzzle.region.units.tolist())}
        self._required = {unit for unit, i in self._units.items() if not puzzle.region.optional[i]}
        self._pieces = {piece.name: piece for piece in puzzle.pieces}
        self._congruent: dict[Placement, bool] = {}
        self._rays: dict[Placement, dict[Point, frozenset[int]]] = {}

    def faults(self, solution: Solution) -> list[str]:
        """Return what is wrong with the placements, in words; empty if they solve the puzzle."""
        return [
            *self._cover_faults(solution),
            *self._piece_faults(solution),
            *self._use_faults(solution),
            *self._crossing_faults(solution),
            *color_faults(self.puzzle, solution),
        ]

    def _name(self, unit: Point) -> str:
        if int(self.puzzle.lattice.types(np.array(unit))) < 0:
            return f"{list(unit)} (a point, off the lattice)"
        return str(list(self.puzzle.lattice.coordinates(np.array([unit]))[0]))

    def _cover_faults(self, solution: Solution) -> list[str]:
        covered = Counter(unit for placement in solution for unit in placement.units)
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
            if placement not in self._congruent:
                piece = self._pieces[placement.piece]
                self._congruent[placement] = is_placement(
                    piece, placement.units, self.puzzle.region.wrap, self.puzzle.paint.allows
                )
            if not self._congruent[placement]:
                units = " ".join(map(str, placement.units))
                result.append(f"the points {units} are no place of piece {placement.piece}")
        return result

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
        """Two pieces cross at a vertex if their rays there interleave in cyclic order."""
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
        """Return, for each vertex where the placement has two units or more, their directions."""
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


def _interleave(a: frozenset[int], b: frozenset[int]) -> bool:
    """Return whether going around once one meets a, b, a, b.

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
