"""Counting problems: like models, but an option may use an item several times.

Items with redundant bounds are dropped. Further functions convert between integers and the numbers
of native counters: arrays of 32-bit limbs, the least significant one first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from exactile.errors import ModelError
from exactile.model.model import Ints, Longs, Mask, Model


def implied(problem: Model | CountProblem, candidates: Mask) -> Mask:
    """Return a mask of the candidates whose bounds are redundant, because other items imply them.

    Let F be all items, except candidates, whose two bounds are equal; let s be the sum of their
    lower bounds. Suppose that for some c, every option uses a candidate c times as often as it uses
    the items of F together. Then every solution uses the candidate c * s times. If the candidate's
    bounds allow this number, they are redundant. F contains no candidate, so all redundant bounds
    can be dropped at once.

    Redundant bounds are expensive for a solver: for a puzzle with many copies of one piece, a SAT
    solver would get a counter with one cell for each placement and copy.

    Items to which some option gives a color are never selected.

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
    """Return the model with redundant bounds replaced by bounds that exclude nothing.

    The solutions stay the same. Only bounds of items that every option contains, and whose upper
    bound is above 1, are examined: see `implied`.

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
    """Return, for each option, the number of its members that a mask selects.

    `counted`: mask of the entries of `members`.
    """
    sums = np.concatenate([[0], np.cumsum(counted)])
    return np.diff(sums[problem.first])


@dataclass(frozen=True, eq=False)
class CountProblem:
    """Items and options as in a `Model`, except that an option may use an item several times.

    Items can be dropped. `kept`: for each remaining item, its number in the model. `pieces`: number
    of remaining items that are pieces; they come first.

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
    kept: Longs
    pieces: int

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
        """Bounds, `first`, `members` and `colors`: the arguments of the native counters."""
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
        """For each entry of `members`, the option that it belongs to."""
        return np.repeat(np.arange(self.options), np.diff(self.first))

    @cached_property
    def painted(self) -> Mask:
        """For each item, whether some option gives it a color: shape ``(items,)``."""
        found = np.zeros(self.items, dtype=bool)
        found[self.members[self.colors > 0]] = True
        return found

    @cached_property
    def single(self) -> Mask:
        """For each item, whether at most one option may use it; shape ``(items,)``."""
        return np.asarray((self.upper == 1) & ~self.painted)

    def without_idle_items(self) -> CountProblem:
        """Return the problem without items whose bounds exclude nothing; the options stay.

        Three sorts of items are dropped: those whose lower bound is 0 and whose upper bound cannot
        be exceeded; those whose upper bound is above 1 and whose bounds are `implied` by other
        items; and all but one of several items that have the same bounds and that every option uses
        equally often and in equal colors.
        """
        *_, condensed = self.condensed()
        return condensed

    def condensed(self) -> Iterator[CountProblem]:
        """Yield the problem without items that exclude nothing, then also without equal items."""
        problem = self._only(~(self._unreachable() | implied(self, self.upper > 1)))
        yield problem
        yield problem._without_twins()

    def _only(self, chosen: Mask) -> CountProblem:
        """Return the problem with only the items that a mask selects."""
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
        """All pairs of an option and an item that it uses, and how often the option uses the item.

        The result: options, items, numbers of uses.
        """
        keys, weights = np.unique(self.option_of * self.items + self.members, return_counts=True)
        options, items = np.divmod(keys, max(self.items, 1))
        return options, items, weights

    def _sizes(self, chosen: Mask) -> Longs:
        """Return, for each option, how often in total it uses the items of a mask."""
        return np.bincount(self.option_of[chosen[self.members]], minlength=self.options)

    def _unreachable(self) -> Mask:
        """Return a mask of the items with lower bound 0 whose upper bound can never be exceeded.

        There are two limits for the uses of an item. The first is the number of times that all
        options together contain it. For the second, let n be the number of items that can be used
        only once. If no option contains the item more than c times as often as these n items
        together, a solution uses it at most c * n times.
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
        """Return the problem without items whose bounds and uses equal those of an earlier item."""
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


def as_int(limbs: npt.NDArray[np.uint32]) -> int:
    """Return the number that 32-bit limbs, the least significant one first, represent.

    Examples
    --------
    >>> as_int(np.array([5, 1], dtype=np.uint32))
    4294967301
    """
    return int.from_bytes(limbs.astype("<u4").tobytes(), "little")


def as_limbs(numbers: Sequence[int], limbs: int) -> npt.NDArray[np.uint32]:
    """Return numbers as 32-bit limbs, the least significant one first, one number in each row.

    `limbs`: number of limbs in a row; raise OverflowError if a number needs more or is negative.

    Examples
    --------
    >>> as_limbs([4294967301, 7], 2).tolist()
    [[5, 1], [7, 0]]
    """
    raw = b"".join(number.to_bytes(4 * limbs, "little") for number in numbers)
    return np.frombuffer(raw, dtype="<u4").astype(np.uint32).reshape(len(numbers), limbs)
