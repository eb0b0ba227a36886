"""The solutions of a puzzle up to symmetry, as arrays, with a lookup by options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice
from typing import Self

import numpy as np
import numpy.typing as npt

from exactile.errors import UnfinishedError
from exactile.model.decoder import PlacementIndex
from exactile.model.model import Ints, Longs
from exactile.model.orbits import Assignments, Representatives
from exactile.puzzle import Puzzle, Solution
from exactile.search import Search
from exactile.search.case import Case
from exactile.search.limits import Limits

AT_ONCE = 100
"""Number of solutions that `Solutions.of_solutions` adds between two checks of the limits."""


class Solutions:
    """Solutions of a puzzle, one of each orbit.

    `batches`: arrays with the options of a solution in each row, padded with -1; for example, the
    batches of a running search. Images of earlier solutions are dropped. `rows`: the options of
    each solution that is kept, in increasing order after the padding. Raise UnfinishedError if the
    time limit of the search is reached before the model is made.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("tetrahexes-4x7")))
    >>> len(solutions), solutions.action.order
    (9, 2)
    """

    def __init__(self, case: Case, batches: Iterable[Assignments]) -> None:
        found = iter(batches)
        first = next(found, None)
        if not case.built:
            raise UnfinishedError(
                f"The time limit came before the first solution of {case.puzzle.name}: give more "
                "time."
            )
        self.case = case
        self.puzzle, self.model, self.action = case.puzzle, case.model, case.action
        representatives = Representatives(self.action, "symmetry")
        places = np.append(self.model.places, False)
        kept = []
        for rows in chain([] if first is None else [first], found):
            # Options that omit a piece, or state that two are apart, are not placements: they
            # follow from the others.
            placed = np.where(places[rows], rows, -1).astype(np.int32)
            kept.append(np.sort(placed[representatives.new(placed)], axis=1))
        self.rows = _stacked(kept)
        self._codes = np.random.default_rng(1).integers(
            -(2**62), 2**62, self.model.options + 1, dtype=np.int64
        )
        self._codes[-1] = 0

    @classmethod
    def of_search(cls, search: Search) -> Self:
        """Return the solutions that a search finds, one of each orbit; close the search."""
        with search:
            return cls(search.case, search.batches())

    @classmethod
    def in_order(cls, case: Case, batches: Iterable[Assignments]) -> Self:
        """Return solutions sorted by options, whatever the order in which a search finds them."""
        rows = _stacked(list(batches))
        return cls(case, [rows[np.lexsort(np.sort(rows, axis=1).T[::-1])] if rows.size else rows])

    @classmethod
    def of_solutions(
        cls, puzzle: Puzzle, solutions: Iterable[Solution], limits: Limits | None = None
    ) -> tuple[Self, bool]:
        """Return given solutions without images of earlier ones, and whether all were read.

        The second value is False if a limit is reached first. `limits`: None for no limit. Raise
        UnfinishedError if a limit is reached before the model is made, and PuzzleError if a
        placement of a solution is impossible in the puzzle.
        """
        limits = limits or Limits()
        limits.begin()
        case = Case(puzzle)
        whole = False

        def batches() -> Iterator[Assignments]:
            nonlocal whole
            with suppress(TimeoutError):
                case.prepare(limits, "symmetries", "action")
                placed, left = PlacementIndex(puzzle, case.model), iter(solutions)
                while some := [placed.options(solution) for solution in islice(left, AT_ONCE)]:
                    yield _stacked([np.array([options], dtype=np.int32) for options in some])
                    limits.require()
                whole = True

        found = cls(case, batches())
        return found, whole

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> Solution:
        return self.case.decoder.solution(self.rows[number].tolist())

    @cached_property
    def images(self) -> Assignments:
        """The options of the image of each solution under each symmetry, sorted.

        The shape is ``(number of symmetries, number of solutions, options of a solution)``.
        """
        options, places = np.unique(self.rows.astype(np.int64), return_inverse=True)
        places = places.reshape(self.rows.shape)
        padded = int(len(options) and options[0] < 0)
        result = []
        for element in range(self.action.order):
            moved = self.action.images(element, options[padded:])
            table = np.append(np.full(padded, -1), moved).astype(np.int32)
            result.append(np.sort(table[places], axis=1))
        return np.array(result)

    def signatures(self, rows: Assignments) -> Longs:
        """Return a hash for each row of options; the order of the options in it has no effect."""
        return np.asarray(self._codes[rows].sum(axis=-1))

    def codes(self, options: npt.NDArray[np.int64]) -> Longs:
        """Return the random number of each option; a row's signature is the sum of its numbers."""
        return np.asarray(self._codes[options])

    @cached_property
    def _by_signature(self) -> tuple[Longs, Longs]:
        """The sorted signatures of all images, and the place of each image: see `find`.

        Images with equal signatures are sorted by place.
        """
        flat = self.signatures(self.images).ravel()
        order = np.argsort(flat, kind="stable")
        return flat[order], order

    def find(self, rows: Assignments) -> Longs:
        """For each row of options, return the place of the image that has these options, or -1.

        Place p stands for the image of solution ``p % n`` under symmetry ``p // n``, where n is the
        number of solutions. If several images are equal, the least place is returned.
        """
        if not len(rows) or not len(self):
            return np.full(len(rows), -1, dtype=np.int64)
        keys, order = self._by_signature
        spot = np.minimum(np.searchsorted(keys, self.signatures(rows)), len(keys) - 1)
        places = order[spot]
        images = self.images.reshape(-1, self.rows.shape[1])[places]
        return np.where((images == np.sort(rows, axis=1)).all(axis=1), places, -1)

    def least_place(self, number: int, place: int) -> int:
        """Return the least place to which the symmetries that fix solution `number` map an image.

        `place`: the place of the image; see `find`.
        """
        keepers = self._keepers.get(number)
        if keepers is None:
            return place
        row = self.images.reshape(-1, self.rows.shape[1])[place]
        moved = [np.sort(self._moved(element, row)) for element in keepers]
        return int(self.find(np.array(moved)).min())

    @cached_property
    def _keepers(self) -> dict[int, list[int]]:
        """The numbers of the symmetries that fix a solution, by the number of the solution.

        Solutions that only the identity fixes are left out.
        """
        kept: dict[int, list[int]] = {}
        for element in range(1, self.action.order):
            same = (self.images[element] == self.rows).all(axis=1)
            for number in np.flatnonzero(same).tolist():
                kept.setdefault(number, [0]).append(element)
        return kept

    def _moved(self, element: int, row: Ints) -> Ints:
        images = self.action.images(element, row[row >= 0].astype(np.int64))
        return np.append(np.full(int((row < 0).sum()), -1), images).astype(np.int32)

    def pieces(self) -> Ints:
        """Return an array like `rows`, with the number of each option's piece; -1 for padding."""
        return np.where(self.rows >= 0, self.model.piece_of[self.rows], -1).astype(np.int32)

    def owners(self, rows: Assignments) -> Ints:
        """Return, for each row and unit, the column of the option that covers the unit, or -1."""
        model = self.model
        result = np.full((len(rows), model.meaning.units), -1, dtype=np.int32)
        solution, column = np.nonzero(rows >= 0)
        units, starts = model.covered(rows[solution, column])
        orders = np.diff(starts)
        result[np.repeat(solution, orders), units] = np.repeat(column, orders)
        return result


def _stacked(rows: list[Assignments]) -> Assignments:
    """Return the rows of several arrays as one array.

    Shorter rows are padded with -1 in front, so that sorted rows stay sorted.
    """
    width = max((r.shape[1] for r in rows), default=0)
    padded = [np.pad(r, ((0, 0), (width - r.shape[1], 0)), constant_values=-1) for r in rows]
    return np.concatenate(padded) if padded else np.zeros((0, 0), dtype=np.int32)
