"""The order in which a counter should decide the items, so that it has little to remember.

Options are decided by their anchor, the first of their items that can be used only once. Between
the first and the last option with an item, the item has to be remembered. Several orders are tried,
and the one with the least to remember is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.geometry.isometry import Points
from exactile.model.condense import CountProblem, Mask
from exactile.model.model import Ints, Longs

WALKED_ITEMS = 1500
"""Items up to which orders for a memo come from neighborhoods."""

SLANTING_HEAD_START = 2.5
"""Factor by which a slanting order must promise more than a straight one."""


class Ranked(NamedTuple):
    """An order of items."""

    rank: Ints  # the rank of each item, shape `(items,)`; the least is decided first
    load: float
    cost: float  # the cost of the order: the load, or a multiple of it


def ranks(
    problem: CountProblem, straight: Sequence[Longs] = (), slanting: Sequence[Longs] = ()
) -> Iterator[Ranked]:
    """Yield orders; one of least cost is best, the first one of equal ones.

    `problem`: items and options. `straight`, `slanting`: further orders to try, of units along a
    side and others: for each, a key for every item, least first.

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
    """Return how much an order makes a counter remember: the sum of 2**bits over the blocks.

    That is about the greatest number of states that there can be.
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
    """Return orders of points: along the axes, and along the diagonals of two axes.

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


def _places(columns: Sequence[Longs]) -> Longs:
    """Return the place of each row in the order by the first column, then the second, and so on."""
    order = np.lexsort(columns[::-1])
    key = np.empty(len(order), dtype=np.int64)
    key[order] = np.arange(len(order))
    return key


def rank_by(problem: CountProblem, key: npt.NDArray[np.int64]) -> Ints:
    """Return ranks by a key: items with a single option first, useless anchors last."""
    forced = (np.bincount(problem.members, minlength=problem.items) == 1) & (problem.lower == 1)
    late = ~problem.single | (np.arange(problem.items) < problem.pieces)
    order = np.lexsort((key, late & ~forced, ~forced))
    rank = np.empty(problem.items, dtype=np.int32)
    rank[order] = np.arange(problem.items, dtype=np.int32)
    return rank


def own_keys(problem: CountProblem) -> Iterator[Longs]:
    """Yield orders derived from the problem alone."""
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
    """Return which of some items share an option, shape ``(n, n)``."""
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
    """Return the distance of each item from one; items out of reach get the greatest of all."""
    distance = np.full(len(adjacent), len(adjacent), dtype=np.int64)
    front = np.array([start])
    steps = 0
    while len(front):
        distance[front] = steps
        steps += 1
        front = np.flatnonzero(adjacent[front].any(axis=0) & (distance == len(adjacent)))
    return distance


def _walk(adjacent: Mask, start: int) -> Longs:
    """Return ranks from a walk that always takes the item with the fewest new neighbors.

    Of several such items the one that has waited longest is taken.
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
