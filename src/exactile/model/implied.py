"""Drops bounds that follow from other bounds: solvers that do not see it pay dearly for them.

Puzzles with many copies of one shape have such an item: how many copies fit follows from the units.
A SAT solver would get a counter with one cell for each placement and copy.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exactile.model.model import Model


def without_implied_bounds(model: Model) -> Model:
    """Return the model, with items that say nothing new loosened so far that they bind nothing.

    Looked at are items of bounds above one which every option contains. If every option also
    contains equally many, n, of the items with fixed bounds, then a solution has
    ``sum(fixed bounds) / n`` options, whatever the item says. Solutions stay the same.

    Examples
    --------
    >>> model = Model.of_options([[0, 1, 2], [0, 3, 4]], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    >>> loose = without_implied_bounds(model)
    >>> loose.lower.tolist(), loose.upper.tolist()
    ([0, 1, 1, 1, 1], [2, 1, 1, 1, 1])
    """
    sizes = np.bincount(model.members, minlength=model.items)
    every = (model.upper > 1) & (sizes == model.options) & (sizes > 0)
    candidates = np.flatnonzero(every)
    lower, upper = model.lower.copy(), model.upper.copy()
    for item in candidates.tolist():
        fixed = lower == upper
        fixed[item] = False
        total = int(lower[fixed].sum())
        most = np.add.reduceat(fixed[model.members].astype(np.int64), model.first[:-1])
        n = int(most[0])
        if n == 0 or (most != n).any() or total % n:
            continue
        if lower[item] <= total // n <= upper[item]:
            lower[item], upper[item] = 0, model.options
    return replace(model, lower=lower, upper=upper)
