"""Bounds that follow from other bounds: who does not see that they do pays dearly for them.

Puzzles with many copies of one shape have such an item: how many copies fit follows from the units.
A SAT solver would get a counter with one cell for each placement and copy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from exactile.model.meaning import Mask
from exactile.model.model import Ints, Longs, Model


class Bounded(Protocol):
    """Items and options as in a `Model`; an option may use an item several times."""

    @property
    def lower(self) -> Ints:
        """Least uses of each item."""

    @property
    def upper(self) -> Ints:
        """Most uses of each item."""

    @property
    def first(self) -> Longs:
        """Where the members of each option begin."""

    @property
    def members(self) -> Ints:
        """The items of the options, one option after the other."""

    @property
    def colors(self) -> Ints:
        """The color of each member."""


def implied(problem: Bounded, candidates: Mask) -> Mask:
    """Return those of some items whose bounds say nothing, as other items settle their uses.

    Suppose that every option uses an item c times as often as it uses, in all, the items of equal
    bounds that are no candidates. Every solution uses these as often as the sum s of their bounds,
    and so the item c * s times. If the item's bounds allow that, they say nothing. None of the
    items that are found is needed for another one: all their bounds can be dropped at once.

    Parameters
    ----------
    candidates
        Which items are looked at, shape ``(items,)``; colored ones are none.

    Examples
    --------
    >>> model = Model.of_options([[0, 1, 2], [0, 3, 4]], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    >>> implied(model, model.upper > 1).tolist()
    [True, False, False, False, False]
    """
    found = np.zeros(len(problem.lower), dtype=bool)
    fixed = (problem.lower == problem.upper) & ~candidates
    sizes = _uses(problem, fixed[problem.members])
    size = int(sizes.sum())
    if not size:
        return found
    total = int(problem.lower[fixed].sum())
    colored = np.zeros(len(found), dtype=bool)
    colored[problem.members[problem.colors > 0]] = True
    uses = np.bincount(problem.members, minlength=len(found))
    # An item that is used as often as another one by every option is used by all that use any.
    likely = candidates & ~colored & (uses > 0) & (uses >= np.count_nonzero(sizes))
    for item in np.flatnonzero(likely).tolist():
        number, rest = divmod(total * int(uses[item]), size)
        if not rest and problem.lower[item] <= number <= problem.upper[item]:
            mine = _uses(problem, problem.members == item)
            found[item] = (mine * size == sizes * uses[item]).all()
    return found


def everywhere(model: Model) -> Mask:
    """Return which items all options contain."""
    return np.asarray(np.bincount(model.members, minlength=model.items) == model.options)


def without_implied_bounds(model: Model) -> Model:
    """Return the model, with items that say nothing new loosened so far that they bind nothing.

    Looked at are items of bounds above one which every option contains; see `implied`. Solutions
    stay the same.

    Examples
    --------
    >>> model = Model.of_options([[0, 1, 2], [0, 3, 4]], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    >>> loose = without_implied_bounds(model)
    >>> loose.lower.tolist(), loose.upper.tolist()
    ([0, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    """
    idle = implied(model, (model.upper > 1) & everywhere(model))
    lower, upper = model.lower.copy(), model.upper.copy()
    lower[idle], upper[idle] = 0, model.options
    return replace(model, lower=lower, upper=upper)


def _uses(problem: Bounded, counted: Mask) -> Longs:
    """Return how many of the members that count each option has."""
    sums = np.concatenate([[0], np.cumsum(counted)])
    return np.diff(sums[problem.first])
