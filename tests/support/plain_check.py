"""Is this a solution? Sets, loops and the definition, to be compared with the checker."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from exactile.geometry.lattice import Point
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.pieces.piece import motions


def is_solution(puzzle: Puzzle, solution: Solution) -> bool:
    """Return whether placements solve a puzzle."""
    region = puzzle.region
    units = [tuple(unit) for unit in region.units.tolist()]
    required = {unit for unit, free in zip(units, region.optional, strict=True) if not free}
    covered = [unit for placement in solution for unit in placement.units]
    return (
        len(covered) == len(set(covered))
        and required <= set(covered) <= set(units)
        and all(is_place(puzzle, placement) for placement in solution)
        and used_as_stated(puzzle, solution)
        and set(puzzle.fixed) <= set(solution)
        and not any(cross(puzzle, a, b) for a, b in combinations(solution, 2))
        and keeps_colors(puzzle, solution)
        and keeps_numbers(puzzle, solution)
    )


def standing(puzzle: Puzzle, point: Point) -> Point:
    """Return the unit that stands for a point."""
    wrap = puzzle.region.wrap
    return point if wrap is None else tuple(wrap.reduce(np.array(point)).tolist())


def is_place(puzzle: Puzzle, placement: Placement) -> bool:
    """Return whether some motion of the piece puts it there, and paint where it may lie."""
    piece = next((p for p in puzzle.pieces if p.name == placement.piece), None)
    if piece is None or len(set(placement.units)) != piece.order:
        return False
    for matrix in motions(piece.lattice, piece.freedom).tolist():
        turned = [
            tuple(sum(m * c for m, c in zip(r, u, strict=True)) for r in matrix)
            for u in piece.units
        ]
        for goal in placement.units:
            shift = [g - c for g, c in zip(goal, turned[0], strict=True)]
            if any(s % piece.lattice.period for s in shift):
                continue
            there = [
                standing(puzzle, tuple(c + s for c, s in zip(u, shift, strict=True)))
                for u in turned
            ]
            if set(there) == set(placement.units) and all(
                puzzle.paint.allows(piece.name, unit, goal)
                for unit, goal in zip(piece.units, there, strict=True)
            ):
                return True
    return False


def used_as_stated(puzzle: Puzzle, solution: Solution) -> bool:
    """Return whether pieces are used and left out as the puzzle says."""
    uses = Counter(placement.piece for placement in solution)
    choice = puzzle.omission.names if puzzle.omission else ()
    if puzzle.omission and sum(not uses[name] for name in choice) != puzzle.omission.count:
        return False
    return all(
        uses[p.name] <= p.upper and (uses[p.name] >= p.lower or p.name in choice)
        for p in puzzle.pieces
    )


def cross(puzzle: Puzzle, a: Placement, b: Placement) -> bool:
    """Return whether two placements cross: around a vertex there are a, b, a, and b again."""
    crossing, period = puzzle.lattice.crossing, puzzle.lattice.period
    if crossing is None or not puzzle.crossing:
        return False
    for unit in a.units:
        for ray in crossing.rays:
            vertex = tuple(u - r for u, r in zip(unit, ray, strict=True))
            if any(c % period for c in vertex):
                continue
            around = [
                standing(puzzle, tuple(v + r for v, r in zip(vertex, step, strict=True)))
                for step in crossing.rays
            ]
            word = "".join("a" * (u in a.units) + "b" * (u in b.units) for u in around)
            if any(
                "".join(word[i] for i in four) in ("abab", "baba")
                for four in combinations(range(len(word)), 4)
            ):
                return True
    return False


def touch(puzzle: Puzzle, a: Placement, b: Placement) -> bool:
    """Return whether a unit of one is a neighbor of a unit of the other."""
    return any(
        standing(puzzle, tuple(c + s for c, s in zip(unit, step, strict=True))) in b.units
        for unit in a.units
        for step in puzzle.lattice.neighbors[int(puzzle.lattice.types(np.array(unit)))]
    )


def keeps_numbers(puzzle: Puzzle, solution: Solution) -> bool:
    """Return whether as many units are open, and pieces used, as rules say."""
    covered = {unit for placement in solution for unit in placement.units}
    numbers = [(len(set(r.units) - covered), r.lower, r.upper) for r in puzzle.open_rules]
    for rule in puzzle.use_rules:
        own = [set(p.units) for p in solution if p.piece in rule.pieces]
        there = [set(place) for place in rule.places] or own
        numbers.append((sum(units in there for units in own), rule.lower, rule.upper))
    return all(low <= n and (high is None or n <= high) for n, low, high in numbers)


def keeps_colors(puzzle: Puzzle, solution: Solution) -> bool:
    """Return whether pieces of a color keep apart, or hang together."""
    for rule in puzzle.color_rules:
        here = [p for p in solution if p.piece in rule.pieces]
        if rule.kind == "separated":
            if any(touch(puzzle, a, b) for a, b in combinations(here, 2)):
                return False
            continue
        reached, rest = here[:1], here[1:]
        while near := [p for p in rest if any(touch(puzzle, p, q) for q in reached)]:
            reached, rest = reached + near, [p for p in rest if p not in near]
        if rest:
            return False
    return True
