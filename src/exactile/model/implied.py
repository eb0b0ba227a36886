"""Bounds that follow from other bounds, and cost a solver dearly if it does not notice.

Puzzles with many copies of one piece have such an item: the units determine the number of copies. A
SAT solver would get a counter with one cell for each placement and copy.
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
    """Return the items whose bounds are redundant, since other items determine their uses.

    Suppose that every option uses an item c times as often as it uses, in total, the items with
    equal bounds that are not candidates. Every solution uses those as often as the sum s of their
    bounds, and so it uses the item c * s times. If the item's bounds allow that, they are
    redundant. No item found is needed for another one: all their bounds can be dropped at once.

    `candidates`: candidates, shape ``(items,)``; colored items are never candidates.

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
    # An item that every option uses as often as another item is used by every option that uses any.
    likely = candidates & ~colored & (uses > 0) & (uses >= np.count_nonzero(sizes))
    for item in np.flatnonzero(likely).tolist():
        number, rest = divmod(total * int(uses[item]), size)
        if not rest and problem.lower[item] <= number <= problem.upper[item]:
            mine = _uses(problem, problem.members == item)
            found[item] = (mine * size == sizes * uses[item]).all()
    return found


def everywhere(model: Model) -> Mask:
    """Return a mask of the items that all options contain."""
    return np.asarray(np.bincount(model.members, minlength=model.items) == model.options)


def without_implied_bounds(model: Model) -> Model:
    """Return the model with the bounds of redundant items loosened until they bind nothing.

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
    lower, upper = model.lower.copy(), model.upper.copy()
    lower[idle], upper[idle] = 0, model.options
    return replace(model, lower=lower, upper=upper)


def _uses(problem: Bounded, counted: Mask) -> Longs:
    """Return the number of members of each option that the mask selects."""
    sums = np.concatenate([[0], np.cumsum(counted)])
    return np.diff(sums[problem.first])
