"""Converts assignments of a model to solutions and back, and checks them against the bounds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Placement, Puzzle, Solution, sorted_solution
from exactile.tuning import TUNING


class Decoder:
    """Converts assignments of a model to solutions of its puzzle.

    The placement of an option is made once, when the option first occurs in an assignment, and is
    appended to `placements`.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> decoder = Decoder(puzzle, exactile.lower(puzzle))
    >>> decoder.numbers(np.array([[0, 50, -1]])).tolist()
    [[0, 1, -1]]
    >>> [placement.piece for placement in decoder.placements]
    ['I4', 'L4']
    """

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self.placements: list[Placement] = []
        self._puzzle = puzzle
        self._model = model
        self._points = [tuple(p) for p in puzzle.region.units.tolist()]
        # For each option the number of its placement, NEW before it occurs, -1 if it places
        # nothing. The last entry is for the -1 of assignments.
        self._number = np.append(np.where(model.places, _NEW, -1).astype(np.int32), np.int32(-1))
        self._unmade = int(model.places.sum())

    @cached_property
    def _rank(self) -> Longs:
        """Sort keys of the options, see `_ranks`; the last one is for the padding -1."""
        return np.append(_ranks(self._model), _LAST)

    def placement(self, option: int) -> Placement | None:
        """Return the placement of an option; None if it places no piece."""
        if self._number[option] == _NEW:
            self._make(np.array([option]))
        number = int(self._number[option])
        return None if number < 0 else self.placements[number]

    def numbers(self, rows: npt.NDArray[np.integer]) -> Ints:
        """Return, for each option in assignments, the index in `placements` of its placement.

        `rows`: assignments, padded with -1. The index is -1 for this padding and for options that
        place no piece.
        """
        found = self._number.take(rows)
        if self._unmade and (new := found == _NEW).any():
            self._make(np.flatnonzero(np.bincount(rows[new])))
            found = self._number.take(rows)
        return found

    def solutions(self, rows: npt.NDArray[np.integer]) -> list[Solution]:
        """Return the solutions that assignments stand for.

        `rows`: one assignment in each row, padded with -1. All must solve the model.
        """
        order = np.argsort(self._rank[rows], axis=1)
        numbers = np.take_along_axis(self.numbers(rows), order, axis=1)
        lengths = (numbers >= 0).sum(axis=1)
        width, place = int(lengths.min(initial=rows.shape[1])), self.placements.__getitem__
        solutions = [tuple(map(place, row)) for row in numbers[:, :width].tolist()]
        for long in np.flatnonzero(lengths > width).tolist():
            rest = numbers[long, width : lengths[long]].tolist()
            solutions[long] += tuple(map(place, rest))
        return solutions

    def solution(self, assignment: Iterable[int]) -> Solution:
        """Return the sorted placements of an assignment, which need not be a solution.

        Entries -1 are ignored.
        """
        placed = (self.placement(o) for o in assignment if o >= 0)
        return sorted_solution((p for p in placed if p), self._puzzle.piece_index)

    def _make(self, options: npt.NDArray[np.integer]) -> None:
        """Make the placements of options that occur for the first time."""
        units, starts = self._model.covered(options)
        points = list(map(self._points.__getitem__, units.tolist()))
        pieces = self._model.piece_of[options].tolist()
        self._unmade -= len(options)
        self._number[options] = np.arange(len(options)) + len(self.placements)
        for piece, (start, end) in zip(pieces, pairwise(starts.tolist()), strict=True):
            name = self._puzzle.pieces[piece].name
            self.placements.append(Placement(name, tuple(points[start:end])))


_NEW = -2
_LAST = np.iinfo(np.int64).max


def _ranks(model: Model) -> Longs:
    """Return sort keys of options: by piece, then by least unit.

    These keys sort the placements of a solution by piece, then by units: since no two of them share
    a unit, the least units decide. Options that place nothing come last.
    """
    units, starts = model.covered(np.arange(model.options))
    least = np.append(units, -1)[starts[:-1]]
    piece = model.piece_of.astype(np.int64)  # the product may exceed 32 bits
    return np.where(model.places, piece * len(model.meaning.labels) + least, _LAST)


def decode(puzzle: Puzzle, model: Model, assignment: Iterable[int]) -> Solution:
    """Return the solution of a puzzle that an assignment of its model stands for, sorted.

    Whether the assignment solves the model is not checked.
    """
    return Decoder(puzzle, model).solution(assignment)


class PlacementIndex:
    """Finds the option of each placement in a puzzle's model; results are cached.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> model = exactile.lower(puzzle)
    >>> solution = exactile.solve_one(puzzle)
    >>> options = PlacementIndex(puzzle, model).options(solution)
    >>> exactile.model.decode(puzzle, model, options) == solution
    True
    """

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self._puzzle = puzzle
        self._model = model
        self._number = {tuple(p): u for u, p in enumerate(puzzle.region.units.tolist())}
        self._known: dict[Placement, int] = {}

    def options(self, placements: Iterable[Placement]) -> tuple[int, ...]:
        """Return the option of each placement; the placements need not form a solution.

        Raise PuzzleError if the model has no option for a placement.
        """
        return tuple(map(self._option, placements))

    def _option(self, placement: Placement) -> int:
        option = self._known.get(placement)
        if option is None:
            option = self._known[placement] = self._found(placement)
        return option

    def _found(self, placement: Placement) -> int:
        model = self._model
        piece = self._puzzle.piece_index.get(placement.piece, -1)
        units = sorted(self._number.get(unit, -1) for unit in placement.units)
        if units and units[0] >= 0:
            here = model.options_with(model.meaning.item_of(units[0]))
            here = here[model.piece_of[here] == piece]
            covered, starts = model.covered(here)
            same = np.diff(starts) == len(units)
            if same.all():  # otherwise the piece has another number of units
                found = here[(covered.reshape(len(here), len(units)) == units).all(axis=1)]
                if len(found):
                    return int(found[0])
        points = self._puzzle.lattice.coordinates(np.array(placement.units, dtype=np.int64))
        where = " ".join(",".join(map(str, unit)) for unit in points)
        raise PuzzleError(
            f"The puzzle {self._puzzle.name} has no placement of {placement.piece} on {where}."
        )


def fault(model: Model, rows: Assignments) -> str | None:
    """Return the first fault of some assignments, in words; None if all of them solve the model.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> fault(model, np.array([[0, -1], [1, 2]], dtype=np.int32)) is None
    True
    >>> fault(model, np.array([[0, 1]], dtype=np.int32))
    'options 0, 1: 2 of them contain item 1, not 1..1'
    """
    step = max(TUNING.checked_cells // max(model.items, 1), 1)
    parts = (rows[k : k + step] for k in range(0, len(rows), step))
    return next((text for part in parts if (text := _fault(model, part))), None)


def _fault(model: Model, rows: Assignments) -> str | None:
    number, place = np.nonzero(rows >= 0)
    taken = rows[number, place].astype(np.int64)
    broken = number[taken >= model.options]
    if not len(broken):
        keys = np.sort(number * model.options + taken)
        broken = keys[1:][np.diff(keys) == 0] // model.options
    if len(broken):
        options = _listed(rows[broken[0]])
        return f"options {options}: an option twice, or one that does not exist"
    uses = _uses(model, len(rows), number, taken)
    wrong = np.argwhere((uses < model.lower) | (uses > model.upper))
    if not len(wrong):
        return None
    row, item = wrong[0].tolist()
    label = model.meaning.labels[item]
    return (
        f"options {_listed(rows[row])}: {uses[row, item]} of them contain {label}, "
        f"not {model.lower[item]}..{model.upper[item]}"
    )


def _uses(model: Model, rows: int, number: Longs, taken: Longs) -> Longs:
    """Return how often each row of options uses each item: shape ``(rows, items)``.

    `rows`: number of rows. `number`, `taken`: pairs of a row and an option in it. Options that give
    an item the same color count as one use.
    """
    lengths = np.diff(model.first)[taken]
    starts = np.cumsum(lengths) - lengths
    member = np.arange(lengths.sum()) - np.repeat(starts - model.first[taken], lengths)
    keys = np.repeat(number, lengths) * model.items + model.members[member]
    uses = np.bincount(keys, minlength=rows * model.items)
    if model.colored:
        colors = model.colors[member]
        least = np.full(len(uses), np.iinfo(np.int32).max)
        np.minimum.at(least, keys, colors)
        most = np.zeros(len(uses), dtype=np.int64)
        np.maximum.at(most, keys, colors)
        uses[(least == most) & (most > 0)] = 1
    return uses.reshape(rows, model.items)


def _listed(rows: Assignments) -> str:
    return ", ".join(str(o) for o in np.sort(rows, axis=None).tolist() if o >= 0)
