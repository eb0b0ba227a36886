"""Orders in which a counter decides the items, chosen so that there are few states.

The *anchor* of an option is the first of its items that can be used only once; the option is
decided together with it. From the first option with an item to the last one, the item is part of
the state. Several orders are compared: along the coordinates, along directions through the region,
by distance from an item, and by walks from neighbor to neighbor. The number of states in an order
is known only after all states have been found. The number of items in the states is therefore used
to predict which order has few states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.geometry.isometry import Points
from exactile.model.condense import CountProblem
from exactile.model.model import Ints, Longs, Mask

WALKED_ITEMS = 1500
"""Largest number of items for which orders by distance and by walks are tried."""

SLANTING_HEAD_START = 2.5
"""Factor that makes an order cost more if it does not run along a side of the region."""


class Ranked(NamedTuple):
    """An order of items, and the estimated cost of counting in this order.

    `rank`: the place of each item in the order, from 0. `load`: the result of `load` for this
    order. `cost`: the load, or a multiple of it.
    """

    rank: Ints
    load: float
    cost: float


def ranks(
    problem: CountProblem, straight: Sequence[Longs] = (), slanting: Sequence[Longs] = ()
) -> Iterator[Ranked]:
    """Yield orders of the items for counting with a memo; the one with the least cost is best.

    `straight`: additional orders that run along a side of the region. `slanting`: additional orders
    that do not. Each order is given as an array with a sort key for every item.

    Examples
    --------
    >>> from exactile.model.model import Model
    >>> chain = Model.of_options([[0, 2], [2, 1], [1, 3]], lower=[1] * 4, upper=[1] * 4)
    >>> found = ranks(CountProblem.of_model(chain))
    >>> min(found, key=lambda ranked: ranked.cost).rank.tolist()
    [0, 2, 3, 1]
    """
    natural = np.arange(problem.items)
    for key in (natural, natural[::-1], *straight):
        yield _ranked(problem, key, 1.0)
    for key in (*slanting, *own_keys(problem)):
        yield _ranked(problem, key, SLANTING_HEAD_START)


def _ranked(problem: CountProblem, key: Longs, factor: float) -> Ranked:
    rank = rank_by(problem, key)
    states = load(problem, rank)
    return Ranked(rank, states, factor * states)


def load(problem: CountProblem, rank: Ints) -> float:
    """Return a rough bound on the number of states of a counter that decides items in an order.

    The anchor of an option is the first of its items that can be used only once. The bound is the
    sum, over all anchors, of 2**(number of bits in the state). `rank`: the place of each item in
    the order.
    """
    big = np.iinfo(np.int64).max
    anchor = np.full(problem.options, big, dtype=np.int64)
    once = np.where(problem.single, rank, rank + problem.items).astype(np.int64)
    np.minimum.at(anchor, problem.option_of, once[problem.members])
    blocks, block = np.unique(anchor, return_inverse=True)
    opened = np.full(problem.items, len(blocks), dtype=np.int64)
    closed = np.full(problem.items, -1, dtype=np.int64)
    np.minimum.at(opened, problem.members, block[problem.option_of])
    np.maximum.at(closed, problem.members, block[problem.option_of])
    used = closed >= 0
    painted = np.unique(np.stack([problem.members, problem.colors])[:, problem.colors > 0], axis=1)
    colors = np.bincount(painted[0], minlength=problem.items)
    bits = np.log2(np.minimum(problem.upper, 2**20) + 1.0 + colors)[used]
    change = np.bincount(opened[used], bits, len(blocks) + 1)
    change -= np.bincount(closed[used], bits, len(blocks) + 1)
    return float(np.exp2(np.minimum(np.cumsum(change), 1000)).sum())


def coordinate_keys(points: Points) -> tuple[list[Longs], list[Longs]]:
    """Return two lists of orders of points: along axes, and along the diagonals of two axes.

    Each order is an array with the place of every point.

    Examples
    --------
    >>> straight, slanting = coordinate_keys(np.array([[0, 0], [0, 1], [1, 0]]))
    >>> [key.tolist() for key in straight], slanting[0].tolist()
    ([[0, 1, 2], [0, 2, 1]], [0, 1, 2])
    """
    axes = [points[:, k] for k in range(points.shape[1])]
    straight = [_places(columns) for columns in permutations(axes)]
    diagonals = [[sign * a + b, a] for a, b in combinations(axes, 2) for sign in (1, -1)]
    return straight, [_places(columns) for columns in diagonals]


def item_keys(points: Points, real: Mask) -> tuple[list[Longs], list[Longs]]:
    """Return the orders of `coordinate_keys` as sort keys for all items.

    `real`: mask of the items that have a point; `points` has their points in the same order. Items
    without a point come last.
    """

    def of_items(key: Longs) -> Longs:
        found = np.full(len(real), len(points), dtype=np.int64)
        found[real] = key
        return found

    straight, slanting = coordinate_keys(points)
    return [of_items(key) for key in straight], [of_items(key) for key in slanting]


def _places(columns: Sequence[Longs]) -> Longs:
    """Return the place of each row after sorting by the first column, then the second, ..."""
    order = np.lexsort(columns[::-1])
    key = np.empty(len(order), dtype=np.int64)
    key[order] = np.arange(len(order))
    return key


def rank_by(problem: CountProblem, key: npt.NDArray[np.int64]) -> Ints:
    """Return the place of each item in an order by a key, with some items first and some last.

    First come items that must be used and have only one option. Last come the remaining pieces, and
    items that several options of a solution may contain.
    """
    forced = (np.bincount(problem.members, minlength=problem.items) == 1) & (problem.lower == 1)
    late = ~problem.single | (np.arange(problem.items) < problem.pieces)
    order = np.lexsort((key, late & ~forced, ~forced))
    rank = np.empty(problem.items, dtype=np.int32)
    rank[order] = np.arange(problem.items, dtype=np.int32)
    return rank


def own_keys(problem: CountProblem) -> Iterator[Longs]:
    """Yield sort keys of the items, derived from the problem alone; `OWN` has their names.

    Only the first key is yielded if the number of items that can be used only once, not counting
    pieces, is below 3 or above `WALKED_ITEMS`.
    """
    natural = np.arange(problem.items)
    degree = np.bincount(problem.members, minlength=problem.items)
    if not problem.items:
        return
    yield natural + problem.items * (degree > 2 * np.median(degree))  # hubs last
    main = problem.single & (natural >= problem.pieces)
    if not 2 < main.sum() <= WALKED_ITEMS:
        return
    adjacent = _adjacency(problem, main)
    far = int(np.argmax(_distances(adjacent, int(np.argmin(adjacent.sum(axis=1))))))
    other = int(np.argmax(_distances(adjacent, far)))
    for start, way in product((far, other), (_distances, _walk)):
        key = np.full(problem.items, problem.items, dtype=np.int64)
        key[main] = way(adjacent, start)
        yield key


def _adjacency(problem: CountProblem, main: Mask) -> Mask:
    """Return, for each pair of items of a mask, whether they share an option; shape ``(n, n)``."""
    number = np.cumsum(main) - 1
    chosen = main[problem.members]
    items, options = number[problem.members[chosen]], problem.option_of[chosen]
    adjacent = np.zeros((main.sum(), main.sum()), dtype=bool)
    for distance in range(1, int(np.bincount(options, minlength=1).max())):
        together = options[distance:] == options[:-distance]
        adjacent[items[distance:][together], items[:-distance][together]] = True
    adjacent |= adjacent.T
    np.fill_diagonal(adjacent, val=False)
    return adjacent


def _distances(adjacent: Mask, start: int) -> Longs:
    """Return the distance of each item from `start`, in steps between adjacent items.

    Items out of reach get the number of items.
    """
    distance = np.full(len(adjacent), len(adjacent), dtype=np.int64)
    front = np.array([start])
    steps = 0
    while len(front):
        distance[front] = steps
        steps += 1
        front = np.flatnonzero(adjacent[front].any(axis=0) & (distance == len(adjacent)))
    return distance


def _walk(adjacent: Mask, start: int) -> Longs:
    """Return the place of each item in a walk that begins at `start`.

    When an item is visited, its neighbors become known. The next item is the known one with the
    fewest unknown neighbors; of several, the one known first. If all known items were visited, it
    is the unknown item with the lowest number.
    """
    n = len(adjacent)
    seen, done = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    fresh = adjacent.sum(axis=1)
    since = np.zeros(n, dtype=np.int64)
    rank = np.empty(n, dtype=np.int64)
    for step in range(n):
        waiting = np.flatnonzero(seen & ~done)
        if len(waiting):
            item = waiting[np.lexsort((since[waiting], fresh[waiting]))[0]]
        else:
            item = start if step == 0 else int(np.argmin(seen))
            seen[item] = True
            fresh -= adjacent[item]
        done[item] = True
        rank[item] = step
        new = np.flatnonzero(adjacent[item] & ~seen)
        seen[new] = True
        since[new] = step
        fresh -= adjacent[new].sum(axis=0)
    return rank


FRONT_STEP = 2
"""Largest coordinate of the directions, such as ``(2, -1)``, in which a frontier moves."""

FRONT_ORDER_MEMBERS = 400_000
"""Largest number of members of a problem for which all orders are compared."""

FRONT_FEW_ORDERS = 12
"""Number of orders compared for models with more than `FRONT_ORDER_MEMBERS` members."""


OWN = (
    "as numbered, hubs last",
    "by distance from one end",
    "by a walk from one end",
    "by distance from the other end",
    "by a walk from the other end",
)
"""Names of the orders that `own_keys` yields, in the same order."""


class Order(NamedTuple):
    """An order of items for a frontier, with the estimated number of states.

    `load`: binary logarithm of this number. `rank`: the place of each item in the order, from 0.
    """

    name: str
    load: float
    rank: Ints


def front_orders(
    problem: CountProblem, supplied: Mask, points: Points | None = None
) -> Iterator[Order]:
    """Yield orders of the items for counting with a frontier.

    `supplied`: a mask of items that are not part of the frontier. `points`: a point for each item;
    an item without a place has the greatest 64-bit integer in every coordinate. Without `points`,
    no orders along directions are tried. If the sizes of the options add up to more than
    `FRONT_ORDER_MEMBERS`, only the first `FRONT_FEW_ORDERS` orders are yielded.

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


def by_load(orders: Iterable[Order]) -> list[Order]:
    """Return orders sorted by load, the smallest first; of orders of equal load, only the first."""
    found: dict[float, Order] = {}
    for order in orders:
        found.setdefault(round(order.load, 6), order)
    return [found[load] for load in sorted(found)]


class Front:
    """Estimates the number of states of a frontier in an order; `supplied`: see `front_orders`."""

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
        """Return the binary logarithm of the estimated number of states in an order of the items.

        Options are decided in the order of their first items. An item that can be used only once is
        part of the state from the first option that contains it to the last one. Of n such items,
        about 2**(n / 2) subsets are assumed to occur as states. `rank`: the place of each item in
        the order.
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
    """Return orders along directions such as ``(1, -2)``, with several ways to break ties.

    Each is a name and an array with the place of every point.
    """
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
