"""Replays the steps of a grade: a program that knows the rules of puzzles, and nothing else.

It shares no code with the grading: it makes placements anew, in customary coordinates as the answer
has them, and checks every reason as a person would.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from exactile.answers import Grade, GradeStep
from exactile.puzzle import Puzzle

Place = tuple[str, frozenset[Any]]


class Replay:
    """The board of a puzzle, what is placed on it, what is excluded."""

    def __init__(self, puzzle: Puzzle, closed: set[Any]) -> None:
        lattice, region = puzzle.lattice, puzzle.region
        self.puzzle = puzzle
        points = [tuple(p) for p in region.units.tolist()]
        self.cell = dict(zip(points, lattice.coordinates(region.units), strict=True))
        self.cells = {c for c in self.cell.values() if c not in closed}
        optional = {c for c, o in zip(self.cell.values(), region.optional, strict=True) if o}
        self.required = self.cells - (optional if not puzzle.open_rules else set())
        self.near = {self.cell[p]: self.around(p) for p in points}
        self.sizes = {p.name: len(p.points) for p in puzzle.pieces}
        self.every = {
            (piece.name, frozenset(cells))
            for piece in puzzle.pieces
            for aspect in piece.aspects
            for point in region.units
            if (cells := self.moved(aspect, point - aspect[0]))
        }
        self.placed: list[Place] = []
        self.excluded: set[Place] = set()

    def around(self, point: Any) -> set[Any]:
        lattice, region = self.puzzle.lattice, self.puzzle.region
        kind = int(lattice.types(np.array(point)))
        found = region.index(np.array(point) + np.array(lattice.neighbors[kind]))
        return {self.cell[tuple(region.units[u].tolist())] for u in found if u >= 0}

    def moved(self, aspect: Any, shift: Any) -> set[Any]:
        """Return the cells of a piece that is moved, none if it leaves the board."""
        region = self.puzzle.region
        found = region.index(aspect + shift)
        if (shift % self.puzzle.lattice.period).any() or (found < 0).any():
            return set()
        cells = {self.cell[tuple(region.units[u].tolist())] for u in found} & self.cells
        return cells if len(cells) == len(aspect) else set()

    def crosses(self, one: Place, other: Place) -> bool:
        crossing, period = self.puzzle.lattice.crossing, self.puzzle.lattice.period
        if crossing is None or not self.puzzle.crossing:
            return False
        owner = {p: (c in one[1]) - (c in other[1]) for p, c in self.cell.items()}
        for vertex in {tuple(np.subtract(p, r)) for p in owner for r in crossing.rays}:
            if not any(c % period for c in vertex):
                rays = [owner.get(tuple(np.add(vertex, r).tolist()), 0) for r in crossing.rays]
                turns = [key for key, _ in groupby(ray for ray in rays if ray)]
                if len(turns) - (turns[:1] == turns[-1:]) >= 4:
                    return True
        return False

    def possible(self, placed: list[Place]) -> set[Place]:
        """Return the placements that neither rules nor earlier steps forbid."""
        names = [name for name, _ in placed]
        full = {p.name for p in self.puzzle.pieces if names.count(p.name) >= p.upper}
        covered = frozenset().union(*(cells for _, cells in placed))
        return {
            place
            for place in self.every - self.excluded
            if place[0] not in full
            and not place[1] & covered
            and not any(self.crosses(place, other) for other in placed)
        }

    def missing(self, step: GradeStep, placed: list[Place]) -> tuple[int, set[Place]]:
        """Return how many placements a cell or a piece still needs, and those there are."""
        possible = self.possible(placed)
        if step.cell is not None:
            assert step.cell in self.required
            open_ = all(step.cell not in cells for _, cells in placed)
            return int(open_), {place for place in possible if step.cell in place[1]}
        choice = self.puzzle.omission.names if self.puzzle.omission else ()
        lower = 0 if step.piece in choice else self.puzzle.piece(step.piece or "").lower
        used = sum(name == step.piece for name, _ in placed)
        return lower - used, {place for place in possible if place[0] == step.piece}

    def require_hole(self, step: GradeStep, placed: list[Place]) -> None:
        """Fail unless units are cut off, and no pieces that are left can fill them."""
        hole = set(step.units)
        covered = frozenset().union(*(cells for _, cells in placed))
        assert hole
        assert hole <= self.cells - covered
        assert set().union(*(self.near[c] for c in hole)) & self.cells <= hole | covered
        sums = {0}
        for piece in self.puzzle.pieces:
            for _ in range(piece.upper - sum(name == piece.name for name, _ in placed)):
                sums |= {s + self.sizes[piece.name] for s in sums if s <= len(hole)}
        assert not any(len(hole & self.required) <= s <= len(hole) for s in sums)

    def require_dead(self, step: GradeStep, placed: list[Place]) -> None:
        """Fail unless a cell or a piece cannot have what it needs."""
        number, places = self.missing(step, placed)
        assert len(places) < number


def replay(puzzle: Puzzle, grade: Grade) -> None:
    """Fail unless every step of a grade follows from those before, and the last solves it."""
    covered = {tuple(cell) for _, cells in grade.solution for cell in cells}
    board = Replay(
        puzzle,
        set()
        if not puzzle.open_rules
        else {
            tuple(c) for c in puzzle.lattice.coordinates(puzzle.region.units) if c not in covered
        },
    )
    for piece, units in puzzle.fixed:
        board.placed.append((piece, frozenset(board.cell[u] for u in units)))
    trials: list[tuple[Place, list[Place], set[Place]]] = []
    for step in grade.steps:
        assert step.placement is not None
        place = step.placement.piece, frozenset(map(tuple, step.placement.units))
        assert step.depth == len(trials) - (step.kind == "refute")
        if step.kind in ("place", "exclude", "assume"):
            assert place in board.possible(board.placed)
        if step.kind == "assume":
            trials.append((place, [*board.placed], {*board.excluded}))
            board.placed.append(place)
        elif step.kind == "place":
            number, places = board.missing(step, board.placed)
            assert len(places) == number
            assert place in places
            board.placed.append(place)
        else:
            after = [*board.placed, *([place] if step.kind == "exclude" else [])]
            (board.require_hole if step.reason == "hole" else board.require_dead)(step, after)
            if step.reason == "claim":
                _, places = board.missing(step, board.placed)
                common = frozenset.intersection(*(cells for _, cells in places))
                alike = {name for name, _ in places} == {place[0]}
                assert place not in places
                assert common & place[1] or alike
            if step.kind == "refute":
                assumed, board.placed, board.excluded = trials.pop()
                assert assumed == place
            board.excluded.add(place)
    told = {(name, frozenset(map(tuple, cells))) for name, cells in grade.solution}
    assert not trials
    assert {*board.placed} == told
