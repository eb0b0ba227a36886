"""Replays grades: a program that knows the rules of puzzles alone. Cells are numbers of units."""

from functools import cache
from itertools import groupby
from typing import Any

import numpy as np

from exactile.answers import Grade, GradeStep
from exactile.puzzle import Puzzle

Place = tuple[str, frozenset[Any]]


class Replay:
    """The board of a puzzle, and the places of pieces that are not excluded."""

    def __init__(self, puzzle: Puzzle, grade: Grade) -> None:
        lattice, units, at = puzzle.lattice, puzzle.region.units, puzzle.region.index
        self.number = {cell: k for k, cell in enumerate(lattice.coordinates(units))}
        self.solution = {self.place(*placement) for placement in grade.solution}
        solved = frozenset(cell for _, cells in self.solution for cell in cells)
        self.cells = solved if puzzle.open_rules else frozenset(range(len(units)))
        optional = () if puzzle.open_rules else np.flatnonzero(puzzle.region.optional).tolist()
        self.required = self.cells.difference(optional)
        kinds = zip(units, lattice.types(units), strict=True)
        self.near = [{*at(unit + np.array(lattice.neighbors[kind]))} for unit, kind in kinds]
        self.pieces, chosen = puzzle.pieces, puzzle.omission.names if puzzle.omission else ()
        self.lower = {piece.name: piece.lower * (piece.name not in chosen) for piece in self.pieces}
        self.all = {
            (piece.name, cells)
            for piece in self.pieces
            for aspect in piece.aspects
            for shift in units - aspect[0]
            if not (shift % lattice.period).any()
            and len(cells := self.cells.intersection(at(aspect + shift).tolist())) == piece.order
        }
        rays = np.array(lattice.crossing.rays if lattice.crossing and puzzle.crossing else ())
        ends = np.unique([u - ray for u in units for ray in rays] or units[:0], axis=0)
        self.around = [at(v + rays).tolist() for v in ends if not (v % lattice.period).any()]
        self.crosses, self.free, self.left = cache(self._crosses), cache(self._free), {*self.all}

    def place(self, piece: str, cells: Any) -> Place:
        return piece, frozenset(self.number[tuple(cell)] for cell in cells)

    def _crosses(self, one: Place, other: Place) -> bool:
        """Return whether two placements alternate around a vertex."""
        rows = ([(end in one[1]) - (end in other[1]) for end in ends] for ends in self.around)
        turns = ([owner for owner, _ in groupby(filter(None, row))] for row in rows)
        return any(len(t) - (t[:1] == t[-1:]) >= 4 for t in turns)

    def _free(self, placed: tuple[Place, ...]) -> set[Place]:
        """Return the placements that rules permit beside others."""
        names, covered = [name for name, _ in placed], {c for _, cells in placed for c in cells}
        full = {piece.name for piece in self.pieces if names.count(piece.name) >= piece.upper}
        free = {p for p in self.all if p[0] not in full and not p[1] & covered}
        return {p for p in free if not any(self.crosses(p, other) for other in placed)}

    def missing(self, step: GradeStep, placed: tuple[Place, ...]) -> tuple[int, set[Place]]:
        """Return how many placements a cell, a piece or a hole needs, and those there are."""
        names, possible = [name for name, _ in placed], self.left & self.free(placed)
        free = self.cells.difference(*(cells for _, cells in placed))
        if step.cell is not None:
            cell = self.number[step.cell]
            return int(cell in free & self.required), {p for p in possible if cell in p[1]}
        if step.piece is not None:
            lower = self.lower[step.piece] - names.count(step.piece)
            return lower, {p for p in possible if p[0] == step.piece}
        hole, sums = {self.number[cell] for cell in step.units}, {0}
        for order in [p.order for p in self.pieces for _ in range(p.upper - names.count(p.name))]:
            sums |= {s + order for s in sums if s <= len(hole)}
        cut_off = hole <= free and not free & {c for h in hole for c in self.near[h]} - hole
        return cut_off and sums.isdisjoint(range(len(hole & self.required), len(hole) + 1)), set()


def replay(puzzle: Puzzle, grade: Grade) -> None:
    """Fail unless every step of a grade follows from those before, and the last solves it."""
    board, trials = Replay(puzzle, grade), list[tuple[Place, tuple[Place, ...], set[Place]]]()
    placed = tuple(board.place(p, puzzle.lattice.coordinates(np.array(u))) for p, u in puzzle.fixed)
    for step in grade.steps:
        place, refuted = board.place(*step.placement or ("", ())), step.kind == "refute"
        number, places = board.missing(step, placed)
        assert step.depth == len(trials) - refuted
        assert refuted or place in board.left & board.free(placed)
        if step.kind == "assume":
            trials.append((place, placed, {*board.left}))
        if step.kind in ("place", "assume"):
            assert step.kind == "assume" or (len(places), place in places) == (number, True)
            placed = *placed, place
            continue
        lack, there = board.missing(step, placed if refuted else (*placed, place))
        assert len(there) < lack
        if step.reason == "claim":
            taken = place[1].intersection(*(cells for _, cells in places))
            assert taken or {name for name, _ in places} == {place[0]}
        if refuted:
            assumed, placed, board.left = trials.pop()
            assert assumed == place
        board.left.discard(place)
    assert (trials, {*placed}) == ([], board.solution)
