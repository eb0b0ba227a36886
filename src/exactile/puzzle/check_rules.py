"""Part of the independent checker: rules between placements (crossings, colors, numbers)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.rules import ColorRule

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Rules:
    """Decides which coverings of a region break the rules of a puzzle.

    `numbers`: the number of each unit of its region by its point.
    """

    def __init__(self, puzzle: Puzzle, numbers: Mapping[Point, int]) -> None:
        self._puzzle = puzzle
        self._numbers = numbers
        self._ends = self._find_ends()
        self._borders = self._find_borders() if puzzle.color_rules else np.zeros((0, 2), np.int64)

    @staticmethod
    def apply(puzzle: Puzzle) -> bool:
        """Return whether a puzzle has any such rule."""
        stated = bool(puzzle.color_rules or puzzle.open_rules or puzzle.use_rules)
        return stated or (puzzle.crossing and puzzle.lattice.crossing is not None)

    def broken(self, pieces: Longs, owners: Ints) -> Mask:
        """Return a mask of the coverings that break a rule.

        `pieces`: the number of each placement's piece, shape ``(n, k)``. `owners`: which of the k
        placements covers each unit, -1 for none, with a final -1 for points outside the region:
        shape ``(n, units + 1)``.
        """
        broken = self._crossed(owners)
        for rule in self._puzzle.color_rules:
            broken |= self._discolored(rule, pieces, owners)
        for units in self._puzzle.open_rules:
            there = [self._numbers[unit] for unit in units.units]
            broken |= _outside((owners[:, there] < 0).sum(axis=1), units.lower, units.upper)
        for group in self._puzzle.use_rules:
            counted = np.isin(pieces, [self._puzzle.piece_index[name] for name in group.pieces])
            used = np.zeros(len(owners), dtype=np.int64) if group.places else counted.sum(axis=1)
            for place in group.places:
                used += self._lying(place, pieces, counted, owners)
            broken |= _outside(used, group.lower, group.upper)
        return broken

    def _crossed(self, owners: Ints) -> Mask:
        """Return a mask of the coverings in which pieces cross: rays a, b, a, b around a vertex."""
        broken = np.zeros(len(owners), dtype=bool)
        for rays in combinations(self._ends.T, 4):
            a, b, c, d = (owners[:, ends] for ends in rays)
            broken |= ((a == c) & (b == d) & (a != b) & (a >= 0) & (b >= 0)).any(axis=1)
        return broken

    def _discolored(self, rule: ColorRule, pieces: Longs, owners: Ints) -> Mask:
        number = np.full(len(self._puzzle.pieces) + 1, -1)
        for k, name in enumerate(rule.pieces):
            number[self._puzzle.piece_index[name]] = k
        on = np.take_along_axis(number[pieces], np.maximum(owners, 0), axis=1)
        on[owners < 0] = -1  # of each unit: which piece of the rule covers it
        a, b = self._borders.T
        touching = (on[:, a] >= 0) & (on[:, b] >= 0) & (owners[:, a] != owners[:, b])
        if rule.kind == "separated":
            return np.asarray(touching.any(axis=1))
        near = np.tile(np.eye(len(rule.pieces), dtype=bool), (len(owners), 1, 1))
        row, border = np.nonzero(touching)  # each of these pieces is used exactly once
        near[row, on[row, a[border]], on[row, b[border]]] = True
        for _ in range(len(rule.pieces).bit_length()):
            near = near @ near  # after k rounds: the pieces reached in 2^k steps
        return np.asarray(~near[:, 0].all(axis=1))

    def _lying(self, place: tuple[Point, ...], pieces: Longs, counted: Mask, owners: Ints) -> Longs:
        """Return 1 for each covering in which a counted placement has exactly these units."""
        orders = np.array([*(piece.order for piece in self._puzzle.pieces), 0])  # 0: no piece
        on = owners[:, [self._numbers[unit] for unit in place]]
        own = np.maximum(on[:, :1], 0)
        right = counted & (orders[pieces] == len(place))
        whole = (on == on[:, :1]).all(axis=1) & (on[:, 0] >= 0)
        return np.asarray(whole & np.take_along_axis(right, own, axis=1)[:, 0]).astype(np.int64)

    def _number(self, points: Longs) -> Longs:
        """Return the number of each unit of the region, -1 for other points."""
        wrap = self._puzzle.region.wrap
        there = points if wrap is None else wrap.reduce(points)
        flat = there.reshape(-1, there.shape[-1]).tolist()
        found = [self._numbers.get(tuple(point), -1) for point in flat]
        return np.array(found, dtype=np.int64).reshape(there.shape[:-1])

    def _find_ends(self) -> Longs:
        """Return the units at each vertex in cyclic order, -1 where there is none: ``(n, rays)``.

        Only vertices with four units or more, where pieces could cross.
        """
        crossing, period = self._puzzle.lattice.crossing, self._puzzle.lattice.period
        if crossing is None or not self._puzzle.crossing:
            return np.zeros((0, 0), dtype=np.int64)
        rays = np.array(crossing.rays)
        points = (self._puzzle.region.units[:, None] - rays).reshape(-1, rays.shape[1])
        vertices = np.unique(points[(points % period == 0).all(axis=1)], axis=0)
        if self._puzzle.region.wrap is not None:
            vertices = np.unique(self._puzzle.region.wrap.reduce(vertices), axis=0)
        ends = self._number(vertices[:, None] + rays)
        return np.asarray(ends[(ends >= 0).sum(axis=1) >= 4])

    def _find_borders(self) -> Longs:
        """Return all pairs of neighbors, both ways."""
        units, lattice = self._puzzle.region.units, self._puzzle.lattice
        pairs = [np.zeros((0, 2), dtype=np.int64)]
        for kind, steps in enumerate(lattice.neighbors):
            here = np.flatnonzero(lattice.types(units) == kind)
            near = self._number(units[here, None] + np.array(steps))
            row, step = np.nonzero(near >= 0)
            pairs.append(np.column_stack([here[row], near[row, step]]))
        return np.concatenate(pairs)


def _outside(numbers: Longs, lower: int, upper: int | None) -> Mask:
    """Return a mask of the numbers that are not within bounds."""
    return np.asarray((numbers < lower) | (upper is not None and numbers > upper))
