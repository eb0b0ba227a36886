"""Neighbors of units, and the orders in which a search for one solution fills the units.

The *place* of a unit is a point in the plane or in space, such as its point on the lattice. In a
model without geometry, items also have places: the coordinates are distances from a few other
items, in steps between items that share options.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from exactile.model.model import Ints, Longs, Model
from exactile.puzzle.puzzle import Puzzle

SWEEP_SAMPLE = 300
"""Number of options that are sampled to find the distance between neighbors."""

SWEEP_NEIGHBORS = 6
"""Number of items that each item takes as neighbors if the model has no geometry."""

SWEEP_OPTIONS = 200
"""Number of options of an item that are examined to find its neighbors without geometry."""

SWEEP_LANDMARKS = 3
"""Number of coordinates of a place without geometry; each is the distance from a chosen item."""


Floats = npt.NDArray[np.float64]

KINDS = ("axis", "second axis", "direction", "inwards", "outwards", "corner")
"""The kinds of orders: along the longest axis of the units, along the second axis, in a random
direction, from the rim to the center, from the center to the rim, away from a corner."""

ODDS = (0.4, 0.15, 0.15, 0.1, 0.1, 0.1)
"""Probability of each kind of order in `KINDS`."""

SLANT = 0.03
"""Slope by which a sweep along an axis is tilted, so that only one unit comes first."""

STACKED = 0.5
"""Probability that separate components of the units are swept at the same time, as if they were
superimposed. No component is then finished long before the others."""

TYPICAL = 0.75
"""Fraction of the sampled options whose units must be connected through neighbors. This determines
the distance up to which units are neighbors."""


class Sweeps:
    """The units of a model, and the orders in which a search fills them.

    All items with the bounds 1..1 that are not pieces count as units. `places`: a point for each
    item, shape ``(items, d)``, NaN for items without one. If it is None, as for a model without
    geometry, distances between items serve as coordinates.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1, 2], [2, 3], [0], [3]], [1] * 4, [1] * 4)
    >>> sweeps = Sweeps(model)
    >>> sweeps.units.tolist()
    [0, 1, 2, 3]
    >>> sweeps.draw(np.random.default_rng(0), "axis").tolist() in ([0, 1, 2, 3], [3, 2, 1, 0])
    True
    """

    def __init__(self, model: Model, places: Floats | None = None) -> None:
        self.piece = _pieces(model)  # a mask of items
        single = (model.lower == 1) & (model.upper == 1)
        self.units: Longs = np.flatnonzero(single & ~self.piece)
        if places is None:
            self.neighbors = _shared(model, ~self.piece)
            places = _distances(*self.neighbors, self.units)
        else:
            self.neighbors = _close(places, _reach(model, places))
        place = places[self.units]
        place = np.where(np.isnan(place), np.nanmean(place, axis=0) if len(place) else 0.0, place)
        self._place = place - place.mean(axis=0) if len(place) else place
        self._stacked = _stacked(model, self.units, place, _components(*self.neighbors, self.units))

    def draw(self, rng: np.random.Generator, kind: str | None = None) -> Longs:
        """Return all units in a random order.

        `kind`: one of `KINDS`; by default, the kind is also random.
        """
        kind = kind or str(rng.choice(KINDS, p=ODDS))
        place = self._place
        if not len(place):
            return self.units
        if self._stacked is not None and rng.random() < STACKED:
            place = self._stacked
        axes = np.linalg.svd(place, full_matrices=False)[2]
        sign = rng.choice([-1.0, 1.0], size=2)
        if kind in ("axis", "second axis"):
            along = [0, 1] if kind == "axis" else [1, 0]
            main, other = axes[np.minimum(along, len(axes) - 1)]
            key = place @ (sign[0] * main + SLANT * sign[1] * other)
        elif kind == "direction":
            key = place @ (axes.T @ rng.uniform(-1, 1, len(axes)))
        elif kind in ("inwards", "outwards"):
            distance = np.linalg.norm(place, axis=1)
            key = -distance if kind == "inwards" else distance
        else:
            corner = place[np.argmax(place @ rng.uniform(-1, 1, place.shape[1]))]
            key = np.linalg.norm(place - corner, axis=1)
        spread = np.ptp(key) or 1.0
        return self.units[np.argsort(key + 1e-5 * spread * rng.random(len(key)))]


def places(puzzle: Puzzle, model: Model) -> Floats:
    """Return a point in the plane or in space for each item; NaN unless the item is a unit.

    The result has the shape ``(items, 2)`` or ``(items, 3)``.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("dominoes-4x4")
    >>> places(puzzle, exactile.lower(puzzle))[:3].tolist()
    [[nan, nan], [0.0, 0.0], [0.0, 1.0]]
    """
    embedding = np.array(puzzle.lattice.embedding, dtype=np.float64)
    points = np.full((model.items, embedding.shape[1]), np.nan)
    points[model.meaning.is_unit] = puzzle.region.units @ embedding
    return points


def _pieces(model: Model) -> npt.NDArray[np.bool_]:
    """Return a mask of the items that are pieces.

    In a model without pieces, required items with more than twice the median number of options are
    taken for pieces.
    """
    piece = model.meaning.is_piece
    if not model.meaning.pieces and model.items:
        degree = model.uses
        piece = (degree > 2 * np.median(degree)) & (model.lower > 0)
    return piece


def _reach(model: Model, points: Floats) -> float:
    """Return the distance up to which units are neighbors.

    It connects the units of most options. The least distance between units does not always do so:
    two kites that share a long side are farther apart than two that share a short one, and two
    edges in a line are farther apart than two at an angle.
    """
    real = np.isfinite(points[:, 0])
    sample = np.arange(0, model.options, -(-model.options // SWEEP_SAMPLE) or 1)
    units = [found[real[found]] for found in map(model.option, sample.tolist())]
    units = [found for found in units if len(found) > 1]
    if not units:
        return 0.0
    longest = max(map(len, units))
    # Smaller sets are filled up with repeated units, whose steps have length 0.
    steps = _longest_steps(points[np.array([np.resize(found, longest) for found in units])])
    return float(np.quantile(steps, TYPICAL, method="higher"))


def _longest_steps(points: Floats) -> Floats:
    """Return, for each set of points, the longest step of its minimum spanning tree.

    `points`: shape ``(k, n, d)``.
    """
    rows = np.arange(len(points))
    distance = np.linalg.norm(points - points[:, :1], axis=2)
    inside = np.zeros(distance.shape, dtype=bool)
    inside[:, 0] = True
    longest = np.zeros(len(points))
    for _ in range(points.shape[1] - 1):
        distance[inside] = np.inf
        nearest = distance.argmin(axis=1)
        longest = np.maximum(longest, distance[rows, nearest])
        inside[rows, nearest] = True
        reached = points[rows, nearest][:, None]
        distance = np.minimum(distance, np.linalg.norm(points - reached, axis=2))
    return longest


def _close(points: Floats, reach: float) -> tuple[Longs, Ints]:
    """Return the neighbors of each item: the items within the distance `reach`.

    The result: `first` and `others`; item i has the neighbors ``others[first[i]:first[i + 1]]``. To
    find them, space is divided into cells, of width `reach` along all axes but the last. The
    neighbors of a point lie in its own cell or in those around it, in an interval of the last axis.
    """
    real = np.flatnonzero(~np.isnan(points).any(axis=1))
    if not len(real):
        return _lists(len(points), *np.zeros((2, 0), dtype=np.int64))
    reach *= 1 + 1e-6
    side = reach or 1.0
    place = points[real] - points[real].min(axis=0) + 2 * side  # no cell at the border
    cells = (place[:, :-1] / side).astype(np.int64)
    sizes = cells.max(axis=0, initial=0) + 2
    width = place[:, -1].max() + 2 * side
    key = width * _raveled(cells, sizes) + place[:, -1]
    order = np.argsort(key)
    real, place, cells, key = real[order], place[order], cells[order], key[order]
    found = []
    for step in product((-1, 0, 1), repeat=cells.shape[1]):
        middle = width * _raveled(cells + step, sizes) + place[:, -1]
        begin = np.searchsorted(key, middle - reach)
        number = np.searchsorted(key, middle + reach, side="right") - begin
        ones = np.repeat(np.arange(len(key)), number)
        others = np.arange(len(ones)) + np.repeat(begin - np.cumsum(number) + number, number)
        gap = place[ones] - place[others]
        near = (ones != others) & ((gap**2).sum(axis=1) <= reach**2)
        found.append(np.stack([real[ones[near]], real[others[near]]]))
    pairs = np.concatenate(found, axis=1)
    pairs = pairs[:, np.lexsort(pairs[::-1])]
    return _lists(len(points), *pairs)


def _raveled(cells: Longs, sizes: Longs) -> Longs:
    """Return the number of each cell in a grid of the given sizes; 0 if the grid has no axes."""
    strides = np.append(np.cumprod(sizes[::-1])[::-1][1:], 1) if len(sizes) else sizes
    return cells @ strides.astype(np.int64)


def _components(first: Longs, others: Ints, units: Longs) -> Longs:
    """Return, for each unit, the first unit of its connected component, as an index into `units`.

    Item i has the neighbors ``others[first[i]:first[i + 1]]``.
    """
    number = np.full(len(first) - 1, -1)
    number[units] = np.arange(len(units))
    ones = number[np.repeat(np.arange(len(number)), np.diff(first))]
    near = number[others]
    ones, near = ones[(ones >= 0) & (near >= 0)], near[(ones >= 0) & (near >= 0)]
    label = np.arange(len(units))
    while (label[ones] != label[near]).any():
        np.minimum.at(label, ones, label[near])
        label = label[label]
    return label


def _stacked(model: Model, units: Longs, place: Floats, component: Longs) -> Floats | None:
    """Return the place of each unit relative to the center of its component.

    None if there is only one component, or if an option has units of two components.
    """
    if len(np.unique(component)) < 2:
        return None
    of = np.full(model.items, -1)
    of[units] = component
    met = of[model.members]
    own = np.repeat(np.arange(model.options), np.diff(model.first))[met >= 0]
    met = met[met >= 0]
    if ((met[1:] != met[:-1]) & (own[1:] == own[:-1])).any():
        return None
    size = np.bincount(component)
    sums = np.stack([np.bincount(component, weights=column) for column in place.T], axis=1)
    return place - (sums / np.maximum(size, 1)[:, None])[component]


def _shared(model: Model, wanted: npt.NDArray[np.bool_]) -> tuple[Longs, Ints]:
    """Return the neighbors of each wanted item: the items with which it shares the most options.

    Each item is also a neighbor of its neighbors. The result: `first` and `others`; item i has the
    neighbors ``others[first[i]:first[i + 1]]``.
    """
    starts, options = model.by_item
    ones, others = [], []
    for item in np.flatnonzero(wanted).tolist():
        own = options[starts[item] : starts[item + 1]][:SWEEP_OPTIONS]
        met = np.concatenate([model.option(o) for o in own.tolist()] or [np.zeros(0, np.int32)])
        count = np.bincount(met, minlength=model.items)
        count[item] = 0
        count[~wanted] = 0
        best = np.argsort(-count, kind="stable")[:SWEEP_NEIGHBORS]
        best = best[count[best] > 0]
        ones += [np.full(len(best), item), best]
        others += [best, np.full(len(best), item)]
    empty = [np.zeros(0, dtype=np.int64)]
    pairs = np.unique(
        np.stack([np.concatenate(ones + empty), np.concatenate(others + empty)]), axis=1
    )
    return _lists(model.items, pairs[0], pairs[1])


def _lists(items: int, ones: Longs, others: Longs) -> tuple[Longs, Ints]:
    order = np.argsort(ones, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(ones, minlength=items))])
    return first.astype(np.int64), others[order].astype(np.int32)


def _distances(first: Longs, others: Ints, units: Longs) -> Floats:
    """Return the distances of all items from `SWEEP_LANDMARKS` items that are far from each other.

    Distances are steps between neighbors; the result has a row for each item. An item out of reach
    is farther than any other. `first`, `others`: as returned by `_shared`.
    """
    items = len(first) - 1
    columns: list[Floats] = []
    start = int(units[0]) if len(units) else 0
    for _ in range(SWEEP_LANDMARKS + 1):
        distance = np.full(items, np.inf)
        front = np.array([start] if items else [], dtype=np.int64)
        steps = 0
        while len(front):
            distance[front] = steps
            steps += 1
            met = np.concatenate([others[first[i] : first[i + 1]] for i in front.tolist()])
            front = np.unique(met[np.isinf(distance[met])])
        distance[np.isinf(distance)] = steps
        columns.append(distance)
        nearest = np.min(columns[1:] or columns, axis=0)
        start = int(units[np.argmax(nearest[units])]) if len(units) else 0
    return np.stack(columns[1:], axis=1)
