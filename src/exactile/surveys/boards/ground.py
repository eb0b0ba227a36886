"""Which sets of pieces fill a board: one model for all boards, searched by the native engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from exactile.backends.exploration import FOREVER, first_solution
from exactile.errors import CheckFailedError
from exactile.model.decoder import Decoder
from exactile.model.lower import lower
from exactile.model.model import Longs, Model
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import first_fault
from exactile.search.cover import stacked
from exactile.search.limits import Limits
from exactile.surveys.boards.board import OpenBoard, board_name
from exactile.surveys.boards.sets import sums_of
from exactile.surveys.subsets.selection import placed_pieces


class Ground:
    """The placements of all pieces of a puzzle; each board and each set uses some of them.

    Examples
    --------
    >>> import exactile
    >>> pieces = {"orders": [3], "ranges": "0..3"}
    >>> ground = Ground(exactile.make_puzzle(pieces, lattice="square", box=(3, 3)))
    >>> ground.filled(OpenBoard(0, ()), [(3, 0), (2, 1), (1, 2)])
    [True, False, True]
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        loose = tuple(replace(piece, lower=0) for piece in puzzle.pieces)
        bare = replace(puzzle, pieces=loose, open_rules=(), use_rules=(), omission=None, known=())
        self.model = lower(bare)
        self._kinds = placed_pieces(self.model)
        assert (np.diff(self._kinds) >= 0).all()  # the slices of `_Places` rely on it
        self._decoder = Decoder(puzzle, self.model)
        self._checker = Checker(puzzle)  # with all rules
        self._points = [tuple(point) for point in puzzle.region.units.tolist()]
        self._balances = _balances(self.model)
        self._sums: dict[tuple[int, tuple[int, ...]], int] = {}

    def filled(
        self, board: OpenBoard, sets: Sequence[tuple[int, ...]], limits: Limits | None = None
    ) -> list[bool]:
        """Return which sets of pieces fill a board. Every solution is checked.

        Raise TimeoutError when the time limit is reached.
        """
        limits = limits or Limits()
        places = _Places(self.model, self._kinds, self._shut(board))
        rows: list[list[int]] = []
        found = []
        for uses in sets:
            limits.require()
            row = places.first(uses, limits.left) if self._balanced(board, uses) else None
            found.append(row is not None)
            if row is not None:
                rows.append(row)
        self._check(board, [s for s, good in zip(sets, found, strict=True) if good], rows)
        return found

    def _shut(self, board: OpenBoard) -> Longs:
        """Return the items of the units that stay open."""
        meaning = self.model.meaning
        return np.array([meaning.item_of(unit) for unit in board.left_open], dtype=np.int64)

    def _balanced(self, board: OpenBoard, uses: tuple[int, ...]) -> bool:
        """Return whether, in each coloring, the weights of a set can add up to those of a board."""
        shut = self._shut(board)
        for number, (weights, values, least) in enumerate(self._balances):
            key = number, uses
            if key not in self._sums:
                self._sums[key] = sums_of(values, uses, least)
            wanted = int(weights.sum() - weights[shut].sum()) - least * sum(uses)
            if wanted < 0 or not self._sums[key] >> wanted & 1:
                return False
        return True

    def _check(
        self, board: OpenBoard, sets: Sequence[tuple[int, ...]], rows: list[list[int]]
    ) -> None:
        """Raise CheckFailedError unless each row is a solution with the set and the open units."""
        solutions = stacked(rows)
        fault = first_fault(self._checker, self._decoder, solutions) if rows else None
        words = "; ".join(fault[1]) if fault else ""
        left_open = {self._points[unit] for unit in board.left_open}
        names = [piece.name for piece in self.puzzle.pieces]
        for uses, solution in zip(sets, self._decoder.solutions(solutions), strict=True):
            used = Counter(placement.piece for placement in solution)
            units = {unit for placement in solution for unit in placement.units}
            if any(used[name] != n for name, n in zip(names, uses, strict=True)):
                words = words or "it uses other pieces"
            if units & left_open or len(units) + len(left_open) != len(self._points):
                words = words or "other units stay open"
        if words:
            raise CheckFailedError(
                f"A solution of {board_name(self.puzzle, board)} is wrong: {words}. This is a bug "
                "in Exactile: please report it."
            )


class _Places:
    """The placements on a board, piece by piece.

    `shut`: items of the units that stay open.
    """

    def __init__(self, model: Model, kinds: np.ndarray, shut: Longs) -> None:
        closed = np.zeros(model.items, dtype=bool)
        closed[shut] = True
        kept = ~np.logical_or.reduceat(closed[model.members], model.first[:-1])
        lengths = np.diff(model.first)
        self._options = np.flatnonzero(kept)
        self._lengths = lengths[kept]
        self._members = model.members[np.repeat(kept, lengths)]
        pieces = model.meaning.pieces
        at = np.searchsorted(kinds[kept], np.arange(pieces + 1))
        begins = np.concatenate([[0], np.cumsum(self._lengths)])
        self._at = at.tolist()
        self._begin = begins[at].tolist()
        self._lower, self._upper = (
            np.where(closed, 0, model.lower),
            np.where(closed, 0, model.upper),
        )
        self._lower[model.meaning.is_unit & ~closed] = 1
        self._lower[:pieces] = self._upper[:pieces] = 0

    def first(self, uses: tuple[int, ...], seconds: float | None) -> list[int] | None:
        """Return a solution with exactly these pieces, as options of the model, or None."""
        pieces = [k for k, number in enumerate(uses) if number]
        if any(self._at[k] == self._at[k + 1] for k in pieces):
            return None
        parts = [slice(self._at[k], self._at[k + 1]) for k in pieces]
        lower, upper = self._lower.copy(), self._upper.copy()
        lower[pieces] = upper[pieces] = [uses[k] for k in pieces]
        first = np.concatenate([[0], *(self._lengths[part] for part in parts)]).cumsum()
        members = [self._members[self._begin[k] : self._begin[k + 1]] for k in pieces]
        most = FOREVER if seconds is None else seconds
        found = first_solution(lower, upper, first, np.concatenate(members), most)
        if found is None:
            return None
        options: list[int] = np.concatenate([self._options[part] for part in parts])[found].tolist()
        return options


def _balances(model: Model) -> list[tuple[Longs, list[frozenset[int]], int]]:
    """Return the colorings of the units.

    Each has the weights of the items, for each piece the possible sums of a placement, and the
    least of all sums.
    """
    meaning = model.meaning
    pieces = model.piece_of
    found = []
    for shade in meaning.spread(meaning.shades):
        weights = np.where(meaning.is_unit, shade, 0).astype(np.int64)
        sums = np.add.reduceat(weights[model.members], model.first[:-1])
        values = [frozenset(sums[pieces == k].tolist()) for k in range(meaning.pieces)]
        found.append((weights, values, int(sums.min(initial=0))))
    return found
