"""In which order a front goes over the units, so that few states are met.

Orders by directions through the region, by distances, and by walks are put side by side. What an
order is worth is only known when the automaton is built; the width of the front says which ones are
worth building.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np

from exactile.geometry.isometry import Points
from exactile.model.condense import CountProblem, Mask
from exactile.model.item_order import own_keys, rank_by
from exactile.model.model import Ints, Longs

FRONT_STEP = 2
"""Largest coordinate of a direction in which a frontier moves."""

FRONT_ORDER_MEMBERS = 400_000
"""Members of options beyond which only few orders are compared."""

FRONT_FEW_ORDERS = 12
"""Number of orders compared then."""


OWN = (
    "as numbered, hubs last",
    "by distance from one end",
    "by a walk from one end",
    "by distance from the other end",
    "by a walk from the other end",
)
"""What the orders of `own_keys` are called."""


class Order(NamedTuple):
    """An order of items."""

    name: str  # a description of it
    load: float  # the logarithm of the estimated number of states: see `Front.load`
    rank: Ints  # the rank of each item, shape `(items,)`; the least is decided first


def front_orders(
    problem: CountProblem, supplied: Mask, points: Points | None = None
) -> Iterator[Order]:
    """Yield orders that a front may go by.

    `problem`: items and options. `supplied`: which items the front has nothing to do with, shape
    ``(items,)``. `points`: where each item is, shape ``(items, d)``; the greatest integer where it
    is nowhere.

    Examples
    --------
    >>> from exactile.model.model import Model
    >>> chain = Model.of_options([[0, 2], [2, 1], [1, 3]], lower=[1] * 4, upper=[1] * 4)
    >>> problem = CountProblem.of_model(chain)
    >>> orders = list(front_orders(problem, np.zeros(4, dtype=bool)))
    >>> orders[0].name, orders[0].rank.tolist()
    ('as numbered', [0, 2, 3, 1])
    """
    keys = [("as numbered", np.arange(problem.items))]
    keys += [] if points is None else _directions(points)
    keys += list(zip(OWN, own_keys(problem), strict=False))
    if len(problem.members) > FRONT_ORDER_MEMBERS:
        keys = keys[:FRONT_FEW_ORDERS]
    front = Front(problem, supplied)
    for name, key in keys:
        rank = rank_by(problem, key)
        yield Order(name, front.load(rank), rank)


class Front:
    """What options there are between the items of a front, laid out for comparing orders."""

    def __init__(self, problem: CountProblem, supplied: Mask) -> None:
        self._once = problem.single & ~supplied
        chosen = self._once[problem.members]
        self._items = problem.members[chosen]
        options = problem.option_of[chosen]
        self._starts = np.flatnonzero(np.diff(options, prepend=-1))
        self._sizes = np.diff(np.append(self._starts, len(options)))
        self._by_item = np.argsort(self._items, kind="stable")
        sorted_items = self._items[self._by_item]
        self._firsts = np.flatnonzero(np.diff(sorted_items, prepend=-1))
        self._count = problem.items

    def load(self, rank: Ints) -> float:
        """Return the logarithm of the estimated number of states in an order.

        Items that may be used once are remembered from the first option that contains them to
        the last one, in the order of their least items. Of the subsets of these, about the square
        root occurs.
        """
        if not len(self._items):
            return 0.0
        ranks = rank[self._items]
        least = np.repeat(np.minimum.reduceat(ranks, self._starts), self._sizes)
        leasts_of_items = least[self._by_item]
        opened = np.minimum.reduceat(leasts_of_items, self._firsts)
        closed = np.maximum.reduceat(leasts_of_items, self._firsts)
        change = np.bincount(opened, minlength=self._count + 1)
        change -= np.bincount(closed + 1, minlength=self._count + 1)
        anchors = np.unique(least)
        width = np.cumsum(change)[anchors]
        return float(np.log2(np.exp2(np.minimum(width / 2, 1000)).sum()))


def _directions(points: Points) -> list[tuple[str, Longs]]:
    """Return orders along the directions of small coordinates, each with several ways to go on."""
    nowhere = (points == np.iinfo(np.int64).max).any(axis=1)
    near = np.where(nowhere[:, None], 0, points)
    span = np.ptp(near[~nowhere], axis=0) if (~nowhere).any() else np.zeros(near.shape[1])
    steps = [range(-FRONT_STEP, FRONT_STEP + 1) if s else (0,) for s in span]
    keys = []
    for direction in product(*steps):
        if gcd(*direction) != 1:
            continue
        first = near @ np.array(direction)
        for sign, axis in product((1, -1), range(near.shape[1])):
            rest = [sign * near[:, (axis + k) % near.shape[1]] for k in range(near.shape[1])]
            order = np.lexsort((*rest[::-1], first, nowhere))
            key = np.empty(len(order), dtype=np.int64)
            key[order] = np.arange(len(order))
            way = f"along {direction}, then {'+' if sign > 0 else '-'}{'xyzwuv'[axis]}"
            keys.append((way, key))
    return keys
