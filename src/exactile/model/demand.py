"""Demands: some of the lower bounds of a model, and the model with these alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from exactile.model.model import Longs, Model

Demand = dict[int, int]
"""How often some items must be covered at least; other items need not be covered."""


def demands(model: Model) -> Demand:
    """Return all demands of a model.

    Examples
    --------
    >>> demands(Model.of_options([[0, 1], [1, 2]], lower=[1, 2, 0], upper=[1, 2, 1]))
    {0: 1, 1: 2}
    """
    return {i: low for i, low in enumerate(model.lower.tolist()) if low}


def relaxed(model: Model, demand: Mapping[int, int]) -> Model:
    """Return the model with these demands only; upper bounds stay.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1, 2]], lower=[1, 2, 0], upper=[1, 2, 1])
    >>> relaxed(model, {1: 1}).lower.tolist()
    [0, 1, 0]
    """
    lower = np.zeros_like(model.lower)
    lower[list(demand)] = list(demand.values())
    return replace(model, lower=lower)


def uses(model: Model, options: Iterable[int]) -> Longs:
    """Return how often each item is covered by some options.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1, 2]], lower=[1, 2, 0], upper=[1, 2, 1])
    >>> uses(model, [0, 1]).tolist()
    [1, 2, 1]
    """
    members = [model.option(o) for o in options]
    return np.bincount(np.concatenate([*members, []]).astype(np.int64), minlength=model.items)


def size(demand: Mapping[int, int]) -> int:
    """Return the total demand: a piece that must be used three times counts three times."""
    return sum(demand.values())
