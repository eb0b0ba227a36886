"""A Boolean placement model: items with bounds, and options that contain items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactile.errors import ModelError
from exactile.puzzle.puzzle import Placement, Puzzle, Solution, sorted_solution

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Model:
    """Items and options in flat arrays.

    An assignment is a set of options. It solves the model if every item i is contained in at least
    ``lower[i]`` and at most ``upper[i]`` of them. A primary item has bounds 1..1, a secondary
    item 0..1. An option may give a secondary item a color: then any number of options may contain
    the item, as long as all of them give it that color.

    Attributes
    ----------
    lower, upper
        Bounds of each item, shape ``(items,)``.
    first, members
        Option o contains the items ``members[first[o]:first[o + 1]]``, in increasing order.
    labels
        What each item stands for, in words.
    colors
        The color of each member, shape of `members`; 0 is none. All zero by default.
    shades
        Weights of items in which solutions must balance, shape ``(n, items)``; they say nothing
        new, but prunings use them. Only those of required units are looked at.
    pieces, units
        The first `pieces` items are pieces, the next `units` items are units of the region; items
        behind them carry rules.
    apart
        The last options say of two pieces that they do not touch: their numbers, shape ``(n, 2)``.
        Which of them are chosen follows from the other options.

    Raises
    ------
    ModelError
        If the arrays contradict each other.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> model.items, model.options, model.option(0).tolist()
    (2, 3, [0, 1])
    >>> model.colored
    False
    """

    lower: Ints
    upper: Ints
    first: Longs
    members: Ints
    labels: tuple[str, ...] = field(repr=False)
    pieces: int = 0
    units: int = 0
    colors: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    shades: Ints = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int32))
    apart: Longs = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))

    def __post_init__(self) -> None:
        n = len(self.lower)
        if len(self.upper) != n or len(self.labels) != n:
            raise ModelError("Lower bounds, upper bounds and labels differ in length.")
        if (self.lower < 0).any() or (self.lower > self.upper).any():
            bad = int(np.flatnonzero((self.lower < 0) | (self.lower > self.upper))[0])
            raise ModelError(
                f"Item {bad} ({self.labels[bad]}) has the impossible bounds "
                f"{self.lower[bad]}..{self.upper[bad]}."
            )
        if self.first[0] != 0 or self.first[-1] != len(self.members):
            raise ModelError("The options' boundaries do not span the members.")
        if (np.diff(self.first) < 1).any():
            raise ModelError(f"Option {int(np.argmin(np.diff(self.first)))} has no items.")
        if len(self.members) and not 0 <= self.members.min() <= self.members.max() < n:
            raise ModelError("An option contains an item that does not exist.")
        self._check_weights()

    def _check_weights(self) -> None:
        """Check colors and shades, which are zero and none by default."""
        n = len(self.lower)
        if not len(self.colors):
            object.__setattr__(self, "colors", np.zeros(len(self.members), dtype=np.int32))
        if len(self.colors) != len(self.members) or (self.colors < 0).any():
            raise ModelError("There must be a color, 0 for none, for every member of an option.")
        if not self.shades.size:
            object.__setattr__(self, "shades", np.zeros((0, n), dtype=np.int32))
        if self.shades.shape[1] != n:
            raise ModelError("Shades must have a weight for every item.")
        painted = np.unique(self.members[self.colors > 0])
        if (self.lower[painted] != 0).any() or (self.upper[painted] != 1).any():
            bad = painted[(self.lower[painted] != 0) | (self.upper[painted] != 1)][0]
            raise ModelError(
                f"Item {bad} ({self.labels[bad]}) is colored, but its bounds are "
                f"{self.lower[bad]}..{self.upper[bad]}: they must be 0..1."
            )

    @classmethod
    def of_options(
        cls,
        options: Iterable[Iterable[int]],
        lower: Iterable[int],
        upper: Iterable[int],
        colors: Iterable[Mapping[int, int]] | None = None,
    ) -> Model:
        """Return a model that is given as lists; `colors` maps items to colors in each option."""
        rows = [sorted(o) for o in options]
        paints = [{}] * len(rows) if colors is None else list(colors)
        low = np.array(list(lower), dtype=np.int32)
        return cls(
            lower=low,
            upper=np.array(list(upper), dtype=np.int32),
            first=np.cumsum([0, *map(len, rows)], dtype=np.int64),
            members=np.array([i for row in rows for i in row], dtype=np.int32),
            labels=tuple(f"item {i}" for i in range(len(low))),
            colors=np.array(
                [paint.get(i, 0) for row, paint in zip(rows, paints, strict=True) for i in row],
                dtype=np.int32,
            ),
        )

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.lower)

    @property
    def options(self) -> int:
        """Number of options."""
        return len(self.first) - 1

    def option(self, o: int) -> Ints:
        """Return the items of an option."""
        return self.members[self.first[o] : self.first[o + 1]]

    @cached_property
    def colored(self) -> bool:
        """Whether any option gives an item a color."""
        return bool(self.colors.any())

    @cached_property
    def option_of(self) -> Longs:
        """The option of each member, shape of `members`."""
        return np.repeat(np.arange(self.options), np.diff(self.first))

    @cached_property
    def by_item(self) -> tuple[Longs, Longs]:
        """The options of each item: item i has ``options[starts[i]:starts[i + 1]]``."""
        order = np.argsort(self.members, kind="stable")
        counts = np.bincount(self.members, minlength=self.items)
        return np.concatenate([[0], np.cumsum(counts)]), self.option_of[order]

    def options_with(self, item: int) -> Longs:
        """Return the options that contain an item, in increasing order."""
        starts, options = self.by_item
        return options[starts[item] : starts[item + 1]]

    @cached_property
    def pinned(self) -> bool:
        """Whether no solution contains another: each option has an item of equal bounds.

        Then a solution is excluded by forbidding its own options together. Options of pieces that
        are apart need none, for they follow from the others.
        """
        exact = np.concatenate([[0], np.cumsum((self.lower == self.upper)[self.members])])
        pinned = exact[self.first[1:]] > exact[self.first[:-1]]
        return bool(pinned[: self.options - len(self.apart)].all())


class Decoder:
    """Turns assignments of a model into solutions of its puzzle.

    Placements are made when they first occur, each once.

    Attributes
    ----------
    placements
        Those that occurred so far, each once.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> decoder = Decoder(puzzle, exactile.lower(puzzle))
    >>> decoder.numbers(np.array([[0, 50, -1]])).tolist()
    [[0, 1, -1]]
    >>> [placement.piece for placement in decoder.placements]
    ['I', 'L']
    """

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self.placements: list[Placement] = []
        self._puzzle = puzzle
        self._model = model
        self._points = [tuple(p) for p in puzzle.region.units.tolist()]
        # Of each option: the number of its placement, NEW before it occurs, -1 if it places
        # nothing. The last entry is for the -1 of assignments.
        places, rank = _ranked(model)
        self._number = np.append(np.where(places, _NEW, -1).astype(np.int32), np.int32(-1))
        self._rank = np.append(np.where(places, rank, _LAST), _LAST)

    def placement(self, option: int) -> Placement | None:
        """Return what an option places; None if it omits a piece, or says that two are apart."""
        if self._number[option] == _NEW:
            self._make(np.array([option]))
        number = int(self._number[option])
        return None if number < 0 else self.placements[number]

    def numbers(self, rows: npt.NDArray[np.integer]) -> Ints:
        """Return which of `placements` the options of assignments place, -1 where none."""
        found = self._number[rows]
        new = found == _NEW
        if new.any():
            self._make(np.unique(rows[new]))
            found = self._number[rows]
        return np.asarray(found)

    def solutions(self, rows: npt.NDArray[np.integer]) -> list[Solution]:
        """Return the solutions of assignments, which are checked; -1 stands for no option."""
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
        """Return the placements of an assignment, right or wrong; -1 stands for no option."""
        placed = (self.placement(o) for o in assignment if o >= 0)
        return sorted_solution((p for p in placed if p), self._puzzle.piece_index)

    def _make(self, options: npt.NDArray[np.integer]) -> None:
        """Make the placements of options that occur for the first time."""
        model = self._model
        for option in options.tolist():
            piece, *items = model.option(option).tolist()
            units = (i - model.pieces for i in items)
            points = tuple(self._points[u] for u in units if u < model.units)
            self._number[option] = len(self.placements)
            self.placements.append(Placement(self._puzzle.pieces[piece].name, points))


_NEW = -2
_LAST = np.iinfo(np.int64).max


def _ranked(model: Model) -> tuple[npt.NDArray[np.bool_], Longs]:
    """Return which options place something, and a number that puts those of a solution in order.

    They are ordered by piece, then by the least unit, for no two have a unit in common.
    """
    leading = model.members[model.first[:-1]].astype(np.int64)
    least = model.members[np.minimum(model.first[:-1] + 1, model.first[1:] - 1)] - model.pieces
    places = (leading < model.pieces) & (least >= 0) & (least < model.units)
    return places, leading * model.units + least


def decode(puzzle: Puzzle, model: Model, assignment: Iterable[int]) -> Solution:
    """Return the solution of a puzzle that an assignment of its model stands for."""
    return Decoder(puzzle, model).solution(assignment)
