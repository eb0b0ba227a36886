"""Symmetries on options: counting solutions up to symmetry, and one branch of each orbit.

A puzzle may have thousands of symmetries (a torus) and its model millions of options. So no table
of all images is made: only the options that occur in solutions are moved, when they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactile.errors import CheckFailedError
from exactile.model.model import Ints, Longs, Model
from exactile.puzzle.symmetry import Symmetry

MOST_SIGNATURES = 2_000_000
"""If all options have fewer images than this, they are written down once."""

Assignments = npt.NDArray[np.int32]
"""One assignment a row, options in any order, padded with -1: shape ``(n, k)``."""


class Action:
    """A symmetry group of a puzzle, acting on the options of its model.

    An option is known by its piece and its units; one that says that two pieces are apart, by these
    two. Options are found by the sum of random numbers
    that stand for these, and then compared member by member.

    Parameters
    ----------
    model
        The model.
    symmetries
        The group, the identity first.

    Examples
    --------
    >>> import exactile
    >>> from exactile.puzzle.symmetry import symmetries
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> action = Action(exactile.lower(puzzle), symmetries(puzzle))
    >>> action.order, action.images(0, np.array([5, 7])).tolist()
    (4, [5, 7])
    """

    def __init__(self, model: Model, symmetries: list[Symmetry]) -> None:
        self.items = np.array(
            [np.concatenate([s.pieces, model.pieces + s.units]) for s in symmetries]
        )
        self.proper = np.array([s.proper for s in symmetries])
        self._options = model.options
        core = model.members < model.pieces + model.units
        own = model.members[core].astype(np.int64)
        before = np.concatenate([[0], np.cumsum(core)])[model.first]
        pairs = np.arange(len(model.apart) + 1) * 2
        self._members = np.concatenate([own, np.sort(model.apart, axis=1).ravel()])
        self._first = np.append(before[: model.options - len(model.apart)], len(own) + pairs)
        self._span = model.pieces + model.units
        self._codes = np.random.default_rng(0).integers(-(2**62), 2**62, self._span, dtype=np.int64)
        keys = _sums(self._codes[self._members], self._first[:-1])
        self._by_key = np.argsort(keys, kind="stable")
        self._keys = keys[self._by_key]

    @property
    def order(self) -> int:
        """Number of symmetries."""
        return len(self.items)

    def gather(self, options: Longs) -> tuple[Longs, Longs]:
        """Return the pieces and units of some options, one after the other, and their starts."""
        lengths = self._first[options + 1] - self._first[options]
        starts = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) + np.repeat(self._first[options] - starts, lengths)
        return self._members[places], starts

    def keys(self, element: int, members: Longs, starts: Longs) -> Longs:
        """Return the keys of the images of gathered options under one symmetry."""
        return _sums(self._codes[self.items[element][members]], starts)

    def images(self, element: int, options: Longs) -> Longs:
        """Return where a symmetry carries some options.

        Raises
        ------
        CheckFailedError
            If the image of an option is no option: then the symmetry is none of the model.
        """
        members, starts = self.gather(options)
        targets = self.find(self.items[element][members], starts)
        if (targets < 0).any():
            raise CheckFailedError("A symmetry of the puzzle carries an option to none.")
        return targets

    def find(self, members: Longs, starts: Longs) -> Longs:
        """Return the options that consist of gathered pieces and units, -1 where there is none."""
        place = np.searchsorted(self._keys, _sums(self._codes[members], starts))
        targets = self._by_key[np.minimum(place, self._options - 1)]
        return np.where(self._equal(members, starts, targets), targets, -1)

    @cached_property
    def signatures(self) -> Longs | None:
        """A number for the image of each option under each symmetry, and at the end 0 for none.

        None if that were more than `MOST_SIGNATURES` numbers.
        """
        if self.order * self._options > MOST_SIGNATURES:
            return None
        members, starts = self.gather(np.arange(self._options))
        numbers = [_scrambled(self.keys(g, members, starts)) for g in range(self.order)]
        return np.pad(np.array(numbers), ((0, 0), (0, 1)))

    def table(self, most: int) -> Ints | None:
        """Return where each symmetry carries every option, None if that were too many numbers.

        Also none if there is no symmetry but the identity.
        """
        if self.order == 1 or not 0 < self.order * self._options <= most:
            return None
        every = np.arange(self._options)
        return np.array([self.images(g, every) for g in range(self.order)], dtype=np.int32)

    def _equal(self, moved: Longs, starts: Longs, targets: Longs) -> npt.NDArray[np.bool_]:
        """Return which targets consist of exactly the gathered and moved members."""
        wanted, wanted_starts = self.gather(targets)
        lengths = np.diff(np.append(starts, len(moved)))
        wanted_lengths = np.diff(np.append(wanted_starts, len(wanted)))
        same = np.asarray(lengths == wanted_lengths)
        owner = np.repeat(np.arange(len(targets)), lengths)
        mine = np.sort(owner * self._span + moved)[same[owner]]
        theirs = np.repeat(np.arange(len(targets)), wanted_lengths) * self._span + wanted
        theirs = theirs[same[theirs // self._span]]
        same[mine[mine != theirs] // self._span] = False
        return same


def _sums(values: Longs, starts: Longs) -> Longs:
    """Return the sum of each option's values, modulo 2**64; no option is empty."""
    return np.asarray(np.add.reduceat(values, starts)) if len(values) else values


@dataclass
class OrbitCounter:
    """Counts solutions raw and up to symmetry, batch by batch, without keeping them.

    The number of orbits is the mean number of solutions that a symmetry keeps: the number of pairs
    of a symmetry and a solution kept by it, divided by the order of the group. This is exact when
    solutions are themselves symmetric, provided that all solutions are counted.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7")) as search:
    ...     counter = OrbitCounter(search.action)
    ...     for rows in search.batches():
    ...         counter.add(rows)
    >>> counter.raw, counter.rotation, counter.symmetry
    (18, 9, 9)
    """

    action: Action
    raw: int = 0
    _kept: int = 0
    _kept_properly: int = 0
    _waiting: list[Assignments] = field(default_factory=list)

    AT_ONCE = 4096
    """Solutions are moved so many at a time: many at once cost little more than one."""

    def add(self, assignments: Assignments) -> None:
        """Count a batch."""
        self.raw += len(assignments)
        if assignments.size:
            self._waiting.append(assignments)
        elif len(assignments):  # the empty solution: every symmetry keeps it
            self._kept += self.action.order * len(assignments)
            self._kept_properly += int(self.action.proper.sum()) * len(assignments)
        if sum(map(len, self._waiting)) >= self.AT_ONCE:
            self._count()

    def pairs(self) -> tuple[int, int, int]:
        """Return the solutions, and pairs with a symmetry, or a proper one, that keeps them."""
        self._count()
        return self.raw, self._kept, self._kept_properly

    def _count(self) -> None:
        """Count the pairs for the solutions that wait."""
        for rows in self._waiting_together():
            signatures = self._signatures(rows.astype(np.int64))
            still = next(signatures)
            self._kept += len(rows)
            self._kept_properly += len(rows)
            for element, moved in enumerate(signatures, start=1):
                candidates = np.flatnonzero(moved == still)
                kept = sum(self._is_kept(element, rows[c]) for c in candidates)
                self._kept += kept
                self._kept_properly += kept * bool(self.action.proper[element])

    def _signatures(self, rows: Longs) -> Iterator[Longs]:
        """Yield, for each symmetry, a number for the image of each solution.

        Equal solutions have equal numbers; different ones hardly ever.
        """
        table = self.action.signatures
        if table is not None:
            yield from (of_options[rows].sum(axis=1) for of_options in table)
            return
        options, inverse = np.unique(rows, return_inverse=True)
        inverse = inverse.reshape(rows.shape)
        padded = int(options[0] < 0)
        members, starts = self.action.gather(options[padded:])
        rest = np.zeros(padded, dtype=np.int64)
        for element in range(self.action.order):
            moved = _scrambled(np.append(rest, self.action.keys(element, members, starts)))
            yield moved[inverse].sum(axis=1)

    def _waiting_together(self) -> list[Assignments]:
        """Return the waiting solutions, those of equal width in one array."""
        by_width: dict[int, list[Assignments]] = {}
        for rows in self._waiting:
            by_width.setdefault(rows.shape[1], []).append(rows)
        self._waiting = []
        return [np.concatenate(group) for group in by_width.values()]

    def _is_kept(self, element: int, row: npt.NDArray[np.int32]) -> bool:
        """Return whether a symmetry keeps a solution, exactly."""
        options = row[row >= 0].astype(np.int64)
        return set(self.action.images(element, options).tolist()) == set(options.tolist())

    @property
    def rotation(self) -> int:
        """Number of solutions up to the proper symmetries."""
        self._count()
        return exact_quotient(self._kept_properly, int(self.action.proper.sum()))

    @property
    def symmetry(self) -> int:
        """Number of solutions up to all symmetries."""
        self._count()
        return exact_quotient(self._kept, self.action.order)


def _scrambled(keys: Longs) -> Longs:
    """Return the keys after a map that is not linear, so that sums of them tell sets apart."""
    return np.asarray((keys ^ (keys >> 29)) * keys)


def exact_quotient(total: int, order: int) -> int:
    """Return how many orbits so many pairs of a solution and a symmetry that keeps it make.

    Raises
    ------
    CheckFailedError
        If it is no integer.
    """
    if total % order:
        raise CheckFailedError(
            f"The solutions do not form whole orbits: {total} is no multiple of {order}. Some "
            "solutions are missing or counted twice."
        )
    return total // order


@dataclass(frozen=True, eq=False)
class Branches:
    """One branch of each orbit at an item that every symmetry keeps and that is used exactly once.

    Attributes
    ----------
    item
        The item.
    options
        One option of each orbit of the item's options.
    elements
        For each of them, one symmetry per option of its orbit. Applied to the solutions with the
        option, they give all solutions with any option of the orbit.
    """

    action: Action
    item: int
    options: list[int]
    elements: list[list[int]]

    def expanded(self, rows: Assignments) -> Assignments:
        """Return all solutions that solutions of the branches stand for."""
        parts = []
        for branch, option in enumerate(self.options):
            here = rows[(rows == option).any(axis=1)]
            if len(here):
                parts.append(self._expanded(here, branch))
        return np.concatenate(parts) if parts else rows

    def _expanded(self, rows: Assignments, branch: int) -> Assignments:
        """Return the images of solutions that have the option of one branch."""
        options, inverse = np.unique(rows.astype(np.int64), return_inverse=True)
        padded = int(options[0] < 0)
        images = [
            np.append(np.full(padded, -1), self.action.images(element, options[padded:]))
            for element in self.elements[branch]
        ]
        moved = [i.astype(np.int32)[inverse.reshape(rows.shape)] for i in images]
        # The images of a solution stay together: where a batch ends makes no difference.
        return np.stack(moved, axis=1).reshape(-1, rows.shape[1])


def branches(model: Model, action: Action) -> Branches | None:
    """Return branches that spare a search all but one of each orbit; None if no item allows it.

    Of the items that allow it, the one with the fewest options is taken.
    """
    core = model.pieces + model.units
    exactly_once = (model.lower == 1) & (model.upper == 1)
    items = np.flatnonzero(exactly_once[:core] & (action.items == np.arange(core)).all(axis=0))
    if action.order == 1 or not len(items):
        return None
    item = min(items.tolist(), key=lambda i: len(model.options_with(i)))
    options = model.options_with(item)
    images = np.array([action.images(g, options) for g in range(action.order)], dtype=np.int64)
    chosen: list[int] = []
    elements: list[list[int]] = []
    seen: set[int] = set()
    for column, option in enumerate(options.tolist()):
        if option not in seen:
            orbit, first = np.unique(images[:, column], return_index=True)
            seen.update(orbit.tolist())
            chosen.append(option)
            elements.append(first.tolist())
    return Branches(action, item, chosen, elements)
