"""The independent checker: decides whether placements solve a puzzle.

It reads the puzzle and does not use its model. It computes congruence from the definition (some
allowed isometry maps the piece to the placement) and crossings by looking around each vertex, so
that it does not repeat a mistake of the model.

Properties of a placement (whether its piece can lie there, which units it covers) are computed
once. Many solutions are checked at a time, as an array with one solution in each row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactile.doors import door
from exactile.errors import CheckFailedError, PuzzleError
from exactile.geometry.lattice import Point
from exactile.puzzle.congruence import Longs, congruent
from exactile.puzzle.faults import Faults
from exactile.puzzle.puzzle import Placement, Puzzle, Solution, require_puzzle
from exactile.puzzle.region import Mask
from exactile.puzzle.rules import ColorRule

Rows = npt.NDArray[np.integer]
"""Solutions, one in each row: numbers of placements in any order, padded with -1, ``(n, k)``."""

Ints = npt.NDArray[np.int32]
T = TypeVar("T", bound=np.generic)

TOGETHER = 1024
"""Largest number of solutions in a batch that is checked together."""

AT_ONCE = 1 << 16
"""Approximate number of array entries of all solutions that are checked together."""

WIDE = 4096
"""Largest number of units of a region for which the units of each placement are stored as bits. For
larger regions, the bits would take too much memory."""

BITS = 64
"""Number of units that are stored as the bits of one integer."""


@door
def check(puzzle: Puzzle, solution: Solution) -> None:
    """Raise CheckFailedError unless the placements of a solution solve the puzzle.

    Raises
    ------
    CheckFailedError
        If the placements do not solve the puzzle; the message states the faults.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> check(puzzle, exactile.solve_one(puzzle))
    """
    try:
        placements = tuple(puzzle.in_place(placement) for placement in solution)
    except PuzzleError as error:
        raise CheckFailedError(f"No solution of {puzzle.name}: {error}") from None
    found = faults(puzzle, placements)
    if found:
        raise CheckFailedError(f"No solution of {puzzle.name}: " + "; ".join(found) + ".")


def faults(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Return all faults of a supposed solution, in words; empty if it solves the puzzle.

    Placements must be as `Puzzle.in_place` returns them.
    """
    return next(faults_of_each(puzzle, [solution]))


def faults_of_each(puzzle: Puzzle, solutions: Iterable[Solution]) -> Iterator[list[str]]:
    """Yield, for each supposed solution, the list of its faults; empty if it solves the puzzle.

    Solutions are read in batches, before their faults are yielded.
    """
    checker = Checker(puzzle)
    numbers: dict[Placement, int] = {}
    left = iter(solutions)
    width = checker.most + 1  # enough to refuse every longer solution
    while part := list(islice(left, max(1, min(TOGETHER, AT_ONCE // width)))):
        rows = np.full((len(part), width), -1)
        for row, solution in zip(rows, part, strict=True):
            known = [numbers.setdefault(p, len(numbers)) for p in solution[:width]]
            row[: len(known)] = known
        wrong = checker.wrong(list(numbers), rows).tolist()
        yield from (checker.words(s) if w else [] for s, w in zip(part, wrong, strict=True))


class Checker:
    """Checks many solutions of one puzzle.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> solution = exactile.solve_one(puzzle)
    >>> Checker(puzzle).wrong(solution, np.array([range(12), [*range(11), 0]])).tolist()
    [False, True]
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._in_words = Faults(require_puzzle(puzzle))
        self._pieces = {piece.name: k for k, piece in enumerate(puzzle.pieces)}
        self._number_units = len(puzzle.region)
        chosen = puzzle.omission.names if puzzle.omission else ()
        self._chosen = np.array([self._pieces[name] for name in chosen], dtype=np.int64)
        self._lower = np.array([piece.lower for piece in puzzle.pieces])
        self._upper = np.array([piece.upper for piece in puzzle.pieces])
        # No solution has more placements than this
        self.most = min(int(self._upper.sum()), len(puzzle.region))
        # A word holds the numbers of uses of several pieces; each number is at most `most`.
        bits = max(1, self.most.bit_length())
        numbers = np.arange(len(puzzle.pieces))
        self._word, self._shift = numbers // (63 // bits), bits * (numbers % (63 // bits))
        self._mask = (1 << bits) - 1
        self._lower[self._chosen] = 0
        # Up to this many placements cannot use a piece too often or too seldom; -1: always check.
        limited = bool(self._lower.any()) or puzzle.omission is not None
        self._unlimited = -1 if limited else int(self._upper.min())
        self._all_fixed = frozenset(puzzle.fixed)
        required = np.flatnonzero(~puzzle.region.optional)
        self._number_required = len(required)
        self._words = 0 if self._number_units > WIDE else -(-self._number_units // BITS)
        self._required = self._as_bits(required, np.zeros(len(required), dtype=np.int64), 1)[:, 0]
        self._rules = Rules(puzzle, puzzle.region.number_of) if Rules.apply(puzzle) else None
        # Properties of each placement. The last entry is for the padding of rows, -1.
        self._piece = np.array([len(self._pieces)])
        self._use = np.zeros((self._word[-1] + 1, 1), dtype=np.int64)
        self._right = np.array([True])
        self._fixed = np.array([False])
        self._all_right = True
        self._size = np.array([0])
        self._first = np.array([0])
        self._covered = np.zeros(0, dtype=np.int64)
        self._bits = self._as_bits(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 1)

    def words(self, solution: Solution) -> list[str]:
        """Return the faults, in words, of a solution that `wrong` has refused.

        Raise CheckFailedError if no fault is found, which is a bug.
        """
        found = self._in_words.of(solution)
        if not found:
            raise CheckFailedError(
                f"The placements {solution} of {self.puzzle.name} are refused as a solution, but "
                "the fault has no description. This is a bug in Exactile: please report it."
            )
        return found

    def wrong(self, placements: Sequence[Placement], rows: Rows) -> Mask:
        """Return a mask of the rows that are not solutions.

        `placements`: all placements that occur, each once. A later call must pass these first and
        may append more. `rows`: supposed solutions, as indices into `placements`, padded with -1.
        """
        self._learn(placements[len(self._piece) - 1 :])
        looked_at = rows.shape[1] + (self._number_units if self._rules or not self._words else 0)
        step = max(1, AT_ONCE // max(1, looked_at))
        parts = [self._wrong(rows[k : k + step]) for k in range(0, len(rows), step)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)

    def _learn(self, placements: Sequence[Placement]) -> None:
        """Check further placements, and record their properties."""
        if not len(placements):
            return
        none = len(self._pieces)
        piece = np.array([self._pieces.get(p.piece, none) for p in placements])
        number_of = self.puzzle.region.number_of
        units = [[number_of.get(u, -1) for u in p.units] for p in placements]
        right = np.zeros(len(placements), dtype=bool)
        for k in np.flatnonzero(np.bincount(piece[piece < none])).tolist():
            order = self.puzzle.pieces[k].order
            mine = np.array([i for i in np.flatnonzero(piece == k) if len(units[i]) == order])
            if len(mine):
                rows = np.sort(np.array([units[i] for i in mine]), axis=1)
                proper = (rows[:, 0] >= 0) & (np.diff(rows) > 0).all(axis=1)
                right[mine[proper]] = congruent(
                    self.puzzle.pieces[k], rows[proper], self.puzzle.region, self.puzzle.paint
                )
        kept = [own if good else [] for own, good in zip(units, right.tolist(), strict=True)]
        size = np.array([len(own) for own in kept])
        covered = np.array([unit for own in kept for unit in own], dtype=np.int64)
        bits = self._as_bits(covered, np.repeat(np.arange(len(size)), size), len(size))
        fixed = np.array([p in self._all_fixed for p in placements])
        known = np.flatnonzero(piece < none)
        use = np.zeros((len(self._use), len(placements)), dtype=np.int64)
        use[self._word[piece[known]], known] = np.int64(1) << self._shift[piece[known]]
        self._piece = _extended(self._piece, piece)
        self._use = np.concatenate([self._use[:, :-1], use, self._use[:, -1:]], axis=1)
        self._right = _extended(self._right, right)
        self._all_right &= bool(right.all())
        self._fixed = _extended(self._fixed, fixed)
        self._first = _extended(self._first, len(self._covered) + np.cumsum(size) - size)
        self._size = _extended(self._size, size)
        self._covered = np.concatenate([self._covered, covered])
        self._bits = np.concatenate([self._bits[:, :-1], bits, self._bits[:, -1:]], axis=1)

    def _as_bits(self, units: Rows, owner: Rows, owners: int) -> npt.NDArray[np.int64]:
        """Return the units of each owner, such as a placement, as bits: shape ``(words, owners)``.

        `units`, `owner`: pairs of a unit and its owner, each pair once.
        """
        bits = np.zeros((self._words, owners), dtype=np.int64)
        if self._words:
            np.bitwise_or.at(bits, (units // BITS, owner), np.int64(1) << units % BITS)
        return bits

    def _wrong(self, rows: Rows) -> Mask:
        columns = np.ascontiguousarray(rows.T, dtype=np.intp)
        wrong = self._miscovered(columns)
        if len(columns) > self._unlimited:
            wrong |= self._misused(self._uses(columns))
        if len(columns) > self.most:
            wrong |= (columns >= 0).sum(axis=0) > self.most
        if not self._all_right:
            wrong |= ~self._right[columns].all(axis=0)
        if self.puzzle.fixed:
            wrong |= self._fixed[columns].sum(axis=0) != len(self.puzzle.fixed)
        if self._rules is not None and not wrong.all():
            rest = rows[~wrong]
            wrong[~wrong] = self._rules.broken(self._piece[rest], self._owners(rest))
        return wrong

    def _uses(self, columns: Rows) -> npt.NDArray[np.int64]:
        """Return how often each piece is used in each of n solutions: shape ``(pieces, n)``.

        `columns`: one solution in each column. The numbers are wrong for a column with more than
        `self.most` placements.
        """
        sums = np.array([use.take(columns).sum(axis=0) for use in self._use])
        return np.asarray(sums[self._word] >> self._shift[:, None] & self._mask)

    def _misused(self, uses: npt.NDArray[np.int64]) -> Mask:
        """Return a mask of the solutions with a wrong number of omissions or of uses of a piece.

        `uses`: how often each piece is used in each solution, shape ``(pieces, n)``.
        """
        wrong = ((uses < self._lower[:, None]) | (uses > self._upper[:, None])).any(axis=0)
        if self.puzzle.omission is not None:
            wrong |= (uses[self._chosen] == 0).sum(axis=0) != self.puzzle.omission.count
        return np.asarray(wrong)

    def _miscovered(self, columns: Rows) -> Mask:
        """Return a mask of the columns that leave a required unit uncovered or cover a unit twice.

        `columns`: one solution in each column. No unit is covered twice if the number of covered
        units is the sum of the orders of all placements.
        """
        total = self._size.take(columns).sum(axis=0)
        if not self._words:
            covered = self._owners(columns.T)[:, :-1] >= 0
            missing = ~covered[:, ~self.puzzle.region.optional].all(axis=1)
            return np.asarray(missing | (total != covered.sum(axis=1)))
        wrong = np.zeros(columns.shape[1], dtype=bool)
        number = np.full(columns.shape[1], self._number_required)
        for bits, required in zip(self._bits, self._required, strict=True):
            union = np.bitwise_or.reduce(bits.take(columns), axis=0)
            wrong |= union & required != required
            if self._number_required < self._number_units:
                optional = np.ascontiguousarray(union & ~required).view(np.uint8)
                number += np.unpackbits(optional).reshape(-1, BITS).sum(axis=1, dtype=np.int64)
        return np.asarray(wrong | (total != number))

    def _owners(self, rows: Rows) -> npt.NDArray[np.int32]:
        """Return, for each of n solutions, which placement covers each unit: ``(n, units + 1)``.

        A placement is given by its column in `rows`; -1 if the unit is not covered. The last entry
        for each solution is -1, for points outside the region.
        """
        size = self._size[rows].ravel()
        cell = np.repeat(np.arange(rows.size), size)
        skipped = self._first[rows].ravel() - (np.cumsum(size) - size)
        units = self._covered[np.arange(len(cell)) + np.repeat(skipped, size)]
        owners = np.full((len(rows), self._number_units + 1), -1, dtype=np.int32)
        owners[cell // max(1, rows.shape[1]), units] = cell % max(1, rows.shape[1])
        return owners


def _extended(known: npt.NDArray[T], more: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return the array `known` with `more` inserted before its last entry."""
    return np.concatenate([known[:-1], more, known[-1:]])


class Rules:
    """Decides which coverings of a region break rules about colors, numbers, or crossings.

    `numbers`: maps the point of each unit of the region to the number of the unit.
    """

    def __init__(self, puzzle: Puzzle, numbers: Mapping[Point, int]) -> None:
        self._puzzle = puzzle
        self._numbers = numbers
        self._ends = self._find_ends()
        self._borders = self._find_borders() if puzzle.color_rules else np.zeros((0, 2), np.int64)

    @staticmethod
    def apply(puzzle: Puzzle) -> bool:
        """Return whether a puzzle has rules about colors, numbers, or crossings."""
        stated = bool(puzzle.color_rules or puzzle.open_rules or puzzle.use_rules)
        return stated or (puzzle.crossing and puzzle.lattice.crossing is not None)

    def broken(self, pieces: Longs, owners: Ints) -> Mask:
        """Return a mask of the coverings that break a rule.

        `pieces`: the piece of each of the k placements in each covering, shape ``(n, k)``; the
        number of pieces stands for no placement. `owners`: which of the k placements covers each
        unit, or -1, and a final -1 for points outside the region: shape ``(n, units + 1)``.
        """
        broken = self._crossed(owners)
        if not pieces.shape[1]:  # solutions without a placement: one place, with no piece
            pieces = np.full((len(owners), 1), len(self._puzzle.pieces), dtype=np.int64)
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
        """Return a mask of the coverings in which two pieces cross at a vertex.

        Pieces a and b cross if four of the rays around the vertex belong, in cyclic order, to a, b,
        a, b.
        """
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
        """Return, for each covering, 1 if a counted placement covers exactly this place, else 0.

        `place`: the points of its units. `pieces`, `owners`: see `broken`. `counted`: mask of the
        counted placements, in the shape of `pieces`.
        """
        orders = np.array([*(piece.order for piece in self._puzzle.pieces), 0])  # 0: no piece
        on = owners[:, [self._numbers[unit] for unit in place]]
        own = np.maximum(on[:, :1], 0)
        right = counted & (orders[pieces] == len(place))
        whole = (on == on[:, :1]).all(axis=1) & (on[:, 0] >= 0)
        return np.asarray(whole & np.take_along_axis(right, own, axis=1)[:, 0]).astype(np.int64)

    def _number(self, points: Longs) -> Longs:
        """Return the number of the unit at each point, -1 outside the region."""
        wrap = self._puzzle.region.wrap
        there = points if wrap is None else wrap.reduce(points)
        flat = there.reshape(-1, there.shape[-1]).tolist()
        found = [self._numbers.get(tuple(point), -1) for point in flat]
        return np.array(found, dtype=np.int64).reshape(there.shape[:-1])

    def _find_ends(self) -> Longs:
        """Return the units around each vertex in cyclic order, -1 for missing ones: ``(n, rays)``.

        Vertices with fewer than four units are left out, since pieces cannot cross there.
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
        """Return all ordered pairs of neighboring units, as numbers: shape ``(n, 2)``."""
        units, lattice = self._puzzle.region.units, self._puzzle.lattice
        pairs = [np.zeros((0, 2), dtype=np.int64)]
        for kind, steps in enumerate(lattice.neighbors):
            here = np.flatnonzero(lattice.types(units) == kind)
            near = self._number(units[here, None] + np.array(steps))
            row, step = np.nonzero(near >= 0)
            pairs.append(np.column_stack([here[row], near[row, step]]))
        return np.concatenate(pairs)


def _outside(numbers: Longs, lower: int, upper: int | None) -> Mask:
    """Return a mask of the numbers that are out of bounds; without `upper`, none is too large."""
    return np.asarray((numbers < lower) | (upper is not None and numbers > upper))
