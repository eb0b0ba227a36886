"""Models for counting: options may use an item several times; redundant items are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from exactile.errors import ModelError
from exactile.model.model import Ints, Longs, Mask, Model


def implied(problem: Model | CountProblem, candidates: Mask) -> Mask:
    """Return the items whose bounds are redundant, since other items determine their uses.

    Consider all items with equal bounds that are not candidates; let s be the sum of these bounds.
    Suppose that every option uses a candidate c times as often as all these items together. Then
    every solution uses the candidate c * s times. If its bounds allow that, they are redundant.
    Candidates do not depend on each other: all redundant bounds can be dropped at once. They are
    expensive for a solver that does not notice: for a puzzle with many copies of one piece, a SAT
    solver would get a counter with one cell for each placement and copy.

    Colored items are never candidates.

    Examples
    --------
    >>> model = Model.of_options([[0, 1, 2], [0, 3, 4]], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    >>> implied(model, model.upper > 1).tolist()
    [True, False, False, False, False]
    """
    found = np.zeros(len(problem.lower), dtype=bool)
    if not candidates.any():
        return found
    fixed = (problem.lower == problem.upper) & ~candidates
    sizes = _uses(problem, fixed[problem.members])
    size = int(sizes.sum())
    if not size:
        return found
    total = int(problem.lower[fixed].sum())
    colored = np.zeros(len(found), dtype=bool)
    colored[problem.members[problem.colors > 0]] = True
    uses = np.bincount(problem.members, minlength=len(found))
    # An implied item is used by every option that uses any of the items that imply it.
    likely = candidates & ~colored & (uses > 0) & (uses >= np.count_nonzero(sizes))
    for item in np.flatnonzero(likely).tolist():
        number, rest = divmod(total * int(uses[item]), size)
        if not rest and problem.lower[item] <= number <= problem.upper[item]:
            mine = _uses(problem, problem.members == item)
            found[item] = (mine * size == sizes * uses[item]).all()
    return found


def everywhere(model: Model) -> Mask:
    """Return a mask of the items that all options contain."""
    return np.asarray(model.uses == model.options)


def without_implied_bounds(model: Model) -> Model:
    """Return the model with the bounds of redundant items relaxed until they have no effect.

    Candidates are items with bounds above one that every option contains; see `implied`. Solutions
    stay the same.

    Examples
    --------
    >>> model = Model.of_options([[0, 1, 2], [0, 3, 4]], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    >>> loose = without_implied_bounds(model)
    >>> loose.lower.tolist(), loose.upper.tolist()
    ([0, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    """
    idle = implied(model, (model.upper > 1) & everywhere(model))
    if not idle.any():
        return model
    lower, upper = model.lower.copy(), model.upper.copy()
    lower[idle], upper[idle] = 0, model.options
    return replace(model, lower=lower, upper=upper)


def _uses(problem: Model | CountProblem, counted: Mask) -> Longs:
    """Return the number of members of each option that the mask selects."""
    sums = np.concatenate([[0], np.cumsum(counted)])
    return np.diff(sums[problem.first])


@dataclass(frozen=True, eq=False)
class CountProblem:
    """Items and options as in a `Model`, except that an option may use an item several times.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1]], lower=[1, 0], upper=[1, 5])
    >>> problem = CountProblem.of_model(model)
    >>> problem.items, problem.without_idle_items().kept.tolist()
    (2, [0])
    """

    lower: Ints
    upper: Ints
    first: Longs
    members: Ints  # a repeated member counts several times
    colors: Ints
    kept: Longs  # the number that each item has in the model
    pieces: int  # number of items that are pieces; they come first

    @classmethod
    def of_model(cls, model: Model) -> Self:
        """Return the counting problem of a model, with all of its items and options."""
        return cls(
            model.lower,
            model.upper,
            model.first,
            model.members,
            model.colors,
            np.arange(model.items),
            model.meaning.pieces,
        )

    @property
    def arrays(self) -> tuple[Ints, Ints, Longs, Ints, Ints]:
        """Bounds, options and colors, as the native counters take them."""
        return self.lower, self.upper, self.first, self.members, self.colors

    def plain(self) -> Model:
        """Return the problem as a model; raise ModelError if an option uses an item twice."""
        same = (np.diff(self.members) == 0) & (np.diff(self.option_of) == 0)
        if same.any():
            raise ModelError("An option uses an item several times, as in no model.")
        return Model(*self.arrays)

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.lower)

    @property
    def options(self) -> int:
        """Number of options."""
        return len(self.first) - 1

    @cached_property
    def option_of(self) -> Longs:
        """The option of each member, shape of `members`."""
        return np.repeat(np.arange(self.options), np.diff(self.first))

    @cached_property
    def painted(self) -> Mask:
        """Whether any option gives an item a color, shape ``(items,)``."""
        found = np.zeros(self.items, dtype=bool)
        found[self.members[self.colors > 0]] = True
        return found

    @cached_property
    def single(self) -> Mask:
        """Whether at most one option of a solution contains an item, shape ``(items,)``."""
        return np.asarray((self.upper == 1) & ~self.painted)

    def without_idle_items(self) -> CountProblem:
        """Return the problem without items that exclude nothing; the options stay.

        These are items whose lower bound is 0 and whose upper bound cannot be exceeded; items whose
        number of uses follows from others; and all but one of several items that the same options
        use with equal frequency and colors.
        """
        *_, condensed = self.condensed()
        return condensed

    def condensed(self) -> Iterator[CountProblem]:
        """Yield the problem after each of two passes that drop redundant items."""
        problem = self._only(~(self._unreachable() | implied(self, self.upper > 1)))
        yield problem
        yield problem._without_twins()

    def _only(self, chosen: Mask) -> CountProblem:
        """Return the problem with only some of the items."""
        stay = chosen[self.members]
        number = np.cumsum(chosen, dtype=np.int32) - 1
        return CountProblem(
            self.lower[chosen],
            self.upper[chosen],
            np.concatenate([[0], np.cumsum(stay)])[self.first],
            number[self.members[stay]].astype(np.int32),
            self.colors[stay],
            self.kept[chosen],
            int(chosen[: self.pieces].sum()),
        )

    @cached_property
    def _pairs(self) -> tuple[Longs, Longs, Longs]:
        """Pairs of an option and an item, each once, and how often it occurs."""
        keys, weights = np.unique(self.option_of * self.items + self.members, return_counts=True)
        options, items = np.divmod(keys, max(self.items, 1))
        return options, items, weights

    def _sizes(self, chosen: Mask) -> Longs:
        """Return how often each option uses some items in total."""
        return np.bincount(self.option_of[chosen[self.members]], minlength=self.options)

    def _unreachable(self) -> Mask:
        """Return the items with lower bound 0 whose upper bound can never be exceeded.

        An item is used at most as often as there are uses. Items that can be used only once bound
        the number of options, too: if every option that contains the item takes at least s of the n
        uses of such items, there are at most n / s of them.
        """
        options, items, weights = self._pairs
        share = np.zeros(self.items)
        most = np.bincount(self.members, minlength=self.items).astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):  # some options take none of them
            np.maximum.at(share, items, weights / self._sizes(self.single)[options])
            room = np.floor(share * self.single.sum() + 1e-6)
        np.fmin(most, room, out=most, where=~self.single)
        return np.asarray((self.lower == 0) & (most <= self.upper) & ~self.painted)

    def _without_twins(self) -> CountProblem:
        """Return the problem with one of several items that occur in the same way."""
        order = np.argsort(self.members, kind="stable")
        rows = self.option_of[order]
        if self.painted.any():
            rows = np.column_stack([rows, self.colors[order]])
        uses = np.bincount(self.members, minlength=self.items)
        ends = np.cumsum(uses)
        chosen = np.zeros(self.items, dtype=bool)
        seen = set()
        for item, (start, end) in enumerate(zip(ends - uses, ends, strict=True)):
            key = (self.lower[item], self.upper[item], rows[start:end].tobytes())
            chosen[item] = key not in seen
            seen.add(key)
        return self._only(chosen)
