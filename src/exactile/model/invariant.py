"""Symmetric solutions, those that a symmetry maps to themselves, as solutions of smaller problems.

A solution that a symmetry g maps to itself consists of whole orbits of options under the powers of
g. The problem of `invariant` has these orbits as options. An orbit uses an item as often as its
options do together. Items and bounds stay the same.

Such a solution also fills whole orbits of units. In the models of `quotients`, the items are
therefore orbits of units, and the models are much smaller. Puzzles with many copies of a few pieces
often have symmetric solutions, and a search finds these sooner than other solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.model.condense import CountProblem
from exactile.model.model import Ints, Longs, Meaning, Model
from exactile.model.orbits import Action


def invariant(model: Model, action: Action, element: int) -> CountProblem:
    """Return a problem for the solutions of a model that a symmetry maps to themselves.

    Its options are orbits of the model's options under the powers of the symmetry. Orbits whose
    options exclude each other are left out. `element`: number of the symmetry in `action`.

    Examples
    --------
    >>> import exactile
    >>> from exactile.puzzle.symmetry import symmetries
    >>> puzzle = exactile.load("dominoes-4x4")
    >>> model = exactile.lower(puzzle)
    >>> action = Action(model, symmetries(puzzle))
    >>> [invariant(model, action, g).options for g in range(action.order)]
    [24, 12, 5, 5, 14, 6, 6, 14]
    """
    every = np.arange(model.options)
    least = _least_of_orbits(action.images(element, every))
    owner = least[model.option_of]  # the orbit of each member, known by its least option
    order = np.lexsort((model.colors, model.members, owner))
    owner, members, colors = owner[order], model.members[order], model.colors[order]
    # An orbit is ruled out if it uses an item too often, or gives a painted item two colors.
    begins = np.ones(len(owner), dtype=bool)
    begins[1:] = (owner[1:] != owner[:-1]) | (members[1:] != members[:-1])
    start = np.flatnonzero(begins)
    uses = np.diff(np.append(start, len(owner)))
    agree = (colors[start] == colors[start + uses - 1]) & (colors[start] > 0)
    bad = np.zeros(model.options, dtype=bool)
    bad[owner[start[(uses > model.upper[members[start]]) & ~agree]]] = True
    chosen = (least == every) & ~bad
    stay = chosen[owner]
    lengths = np.bincount(owner[stay], minlength=model.options)[chosen]
    return CountProblem(
        model.lower,
        model.upper,
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        members[stay],
        colors[stay],
        np.arange(model.items),
        model.meaning.pieces,
    )


def _least_of_orbits(image: Longs) -> Longs:
    """Return, for each number, the least number in its cycle under a permutation."""
    least = np.arange(len(image))
    while True:  # after k rounds: the least of 2**k successors
        smaller = np.minimum(least, least[image])
        if (smaller == least).all():
            return least
        least, image = smaller, image[image]


def classes(action: Action) -> list[tuple[int, int]]:
    """Return a member of each conjugacy class of symmetries, as its number, and the class's size.

    Conjugate symmetries fix the same number of solutions. Proper and improper symmetries are in
    different classes, even if they act alike.

    Examples
    --------
    >>> import exactile
    >>> from exactile.puzzle.symmetry import symmetries
    >>> puzzle = exactile.load("dominoes-4x4")
    >>> classes(Action(exactile.lower(puzzle), symmetries(puzzle)))
    [(0, 1), (1, 1), (2, 2), (4, 2), (5, 2)]
    """
    elements = action.items.astype(np.int64)
    number: dict[bytes, int] = {}  # in small regions several symmetries act alike
    same = [number.setdefault(row.tobytes(), k) for k, row in enumerate(elements)]
    inverses = np.argsort(elements, axis=1)
    by = _generators(elements, number)
    class_of: dict[int, int] = {}
    for first in number.values():
        if first in class_of:
            continue
        class_of[first], waiting = first, [first]
        while waiting:
            g = elements[waiting.pop()]
            for h in by:
                conjugate = number[elements[h][g[inverses[h]]].tobytes()]
                if conjugate not in class_of:
                    class_of[conjugate] = first
                    waiting.append(conjugate)
    found: dict[tuple[int, bool], list[int]] = {}
    for k, (image, proper) in enumerate(zip(same, action.proper.tolist(), strict=True)):
        found.setdefault((class_of[image], proper), []).append(k)
    return [(members[0], len(members)) for members in found.values()]


def _generators(elements: Longs, number: dict[bytes, int]) -> list[int]:
    """Return generators of a group, as numbers of elements.

    `elements`: a permutation in each row, the identity first. `number`: maps each permutation as
    bytes to its number.
    """
    generators: list[int] = []
    reached = {0}
    for candidate in number.values():
        if candidate in reached:
            continue
        generators.append(candidate)
        waiting = list(reached)
        while waiting:
            g = elements[waiting.pop()]
            for h in generators:
                product = number[elements[h][g].tobytes()]
                if product not in reached:
                    reached.add(product)
                    waiting.append(product)
    return generators


Floats = npt.NDArray[np.float64]

ORDERS = (6, 4, 3, 2)
"""Orders of the rotations that `quotients` tries: 4 is a quarter turn."""

CLOSE = 1e-6
"""Points whose coordinates differ by less than this are considered equal."""


class Quotient(NamedTuple):
    """A model whose options are orbits of options of a larger model under a symmetry.

    `model`: its items are pieces, and orbits of units. `places`: a point for each of its items; NaN
    for items without a place. `orbits`: for each of its options, a column with the options of the
    larger model that belong to the orbit, padded by repetition.
    """

    model: Model
    places: Floats
    orbits: Longs

    def lift(self, solution: Ints) -> Ints:
        """Return the options of the larger model that a solution of this model stands for."""
        return np.unique(self.orbits[:, solution]).astype(np.int32)


def quotients(model: Model, places: Floats) -> Iterator[Quotient]:
    """Yield smaller models, one per symmetry, whose solutions are symmetric solutions of a model.

    `places`: a point for each item, NaN for pieces. Every item must be a piece, or a unit with the
    bounds 0..1 or 1..1, and no item may be colored; otherwise there are no quotients. Symmetries
    with the same orbits of items count once.

    `Quotient.lift` converts a solution of a smaller model to options that cover all required units
    once. If the lower and the upper bound of a piece differ, its number of uses must still be
    checked.

    With a single piece, no symmetric solution is missed. With several pieces, let k be the order of
    the symmetry. A symmetric solution is found only if n // k full orbits of copies occur of each
    piece that must be used exactly n times. The remaining copies may lie on an axis.

    Examples
    --------
    >>> import exactile
    >>> from exactile.model.sweeps import places
    >>> puzzle = exactile.load("dominoes-4x4")
    >>> model = exactile.lower(puzzle)
    >>> model.options, [q.model.options for q in quotients(model, places(puzzle, model))]
    (24, [5, 12, 14, 6, 14, 6])
    """
    unit = ~np.isnan(places).any(axis=1)
    if (
        (model.upper[unit] != 1).any()
        or model.colors.any()
        or (~unit & ~model.meaning.is_piece).any()
    ):
        return
    units, points = np.flatnonzero(unit), places[unit]
    codes = np.random.default_rng(0).integers(2**63, size=model.items, dtype=np.uint64)
    seen = set()
    for matrix in _matrices(places.shape[1]):
        image = np.arange(model.items)
        found = _image(points, matrix)
        if found is None:
            continue
        image[units] = units[found]
        if (model.lower[image] != model.lower).any():
            continue
        orbit = _orbits(image)
        if orbit.tobytes() in seen:
            continue
        seen.add(orbit.tobytes())
        quotient = _quotient(model, places, orbit, _options(model, image, codes))
        if quotient is not None:
            yield quotient


def _matrices(dimensions: int) -> Iterator[Floats]:
    """Yield the matrices of rotations and reflections to try, those of the highest order first.

    `dimensions`: 2 or 3.
    """
    if dimensions == 2:
        for order in ORDERS:
            yield _turn(2 * np.pi / order)
        for angle in np.pi / 12 * np.array([0, 2, 3, 4, 6, 8, 9, 10]):
            yield _turn(2 * angle) @ np.diag([1.0, -1.0])
        return
    turns = [np.eye(3) for _ in ORDERS]
    for order, turn in zip(ORDERS, turns, strict=True):
        turn[:2, :2] = _turn(2 * np.pi / order)
    signed = [
        np.diag(signs) @ np.eye(3)[list(axes)]
        for axes in permutations(range(3))
        for signs in product((1.0, -1.0), repeat=3)
    ]
    yield from sorted([*turns, *signed[1:]], key=_order, reverse=True)


def _turn(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _order(matrix: Floats) -> int:
    power, order = matrix, 1
    while not np.allclose(power, np.eye(len(matrix))):
        power, order = power @ matrix, order + 1
    return order


def _image(points: Floats, matrix: Floats) -> Longs | None:
    """Return the index of each point's image under a matrix, applied about the centroid.

    None if the image of some point is not one of the points.
    """
    center = points.mean(axis=0)
    moved = (points - center) @ matrix.T + center
    along = np.random.default_rng(0).normal(size=points.shape[1])
    image = np.empty(len(points), dtype=np.int64)
    image[np.argsort(moved @ along)] = np.argsort(points @ along)
    return image if np.abs(points[image] - moved).max(initial=0) < CLOSE else None


def _orbits(image: Longs) -> Longs:
    """Return, for each element, the least element of its cycle under a permutation."""
    least = np.arange(len(image))
    power = image
    while (power != np.arange(len(image))).any():
        least = np.minimum(least, power)
        power = image[power]
    return least


def _options(model: Model, image: Longs, codes: npt.NDArray[np.uint64]) -> Longs:
    """Return, for each option, the option that consists of the images of its items; -1 for none.

    `image`: the image of each item. `codes`: a random number for each item; sets of items are
    compared by the sums of these numbers.
    """
    own, other = (
        np.add.reduceat(code[model.members], model.first[:-1]) for code in (codes, codes[image])
    )
    order = np.argsort(own, kind="stable")
    at = np.minimum(np.searchsorted(own[order], other), model.options - 1)
    return np.where(own[order][at] == other, order[at], -1)


def _quotient(model: Model, places: Floats, orbit: Longs, image: Longs) -> Quotient | None:
    """Return the quotient of a model by a symmetry; None if it has no options.

    `orbit`: for each item the least item of its orbit. `image`: the image of each option, -1 for
    none.
    """
    orbits = [np.arange(model.options)]
    sizes = np.bincount(orbit)
    for _ in range(1, int(np.lcm.reduce(sizes[sizes > 0]))):
        orbits.append(np.where(orbits[-1] >= 0, image[orbits[-1]], -1))
    table = np.stack(orbits)
    order = len(table)
    size = 1 + (np.diff(np.sort(table, axis=0), axis=0) > 0).sum(axis=0)
    wanted = (table >= 0).all(axis=0) & (table[0] == table.min(axis=0))
    # An orbit of options fills whole orbits of units, each of them once.
    lengths = np.diff(model.first)
    owner = np.repeat(np.arange(model.options), lengths)
    key, times = np.unique(owner * model.items + orbit[model.members], return_counts=True)
    option, item = np.divmod(key, model.items)
    whole = np.bincount(orbit, minlength=model.items)[item]
    piece = model.meaning.is_piece
    wanted[option[~piece[item] & (times * size[option] != whole)]] = False
    # Pieces are used by full orbits; for the remaining uses there are shorter orbits with items of
    # their own. A single piece is used as often as there is room for it.
    exact = (model.lower == model.upper) & (piece.sum() > 1)
    lower = np.concatenate([0 * model.lower, np.where(exact, model.lower // order, 0)])
    upper = np.concatenate(
        [np.where(exact, model.upper % order, model.upper), model.upper // order]
    )
    lower[model.items :][~piece] = model.lower[~piece]
    upper[model.items :][~piece] = 1
    kept = wanted[option]
    option, item = option[kept], item[kept]
    item += np.where(piece[item] & (size[option] < order), 0, model.items)
    asked = np.flatnonzero(~piece & (orbit == np.arange(model.items))) + model.items
    used, members = np.unique(np.concatenate([item, asked]), return_inverse=True)
    members = members[: len(item)]
    if not len(members):
        return None
    least = used % model.items
    small = Model(
        lower=lower[used].astype(np.int32),
        upper=upper[used].astype(np.int32),
        first=np.concatenate(
            [[0], np.cumsum(np.bincount(option, minlength=model.options)[wanted])]
        ).astype(np.int64),
        members=members[np.lexsort((members, option))].astype(np.int32),
        meaning=Meaning(
            tuple(model.meaning.labels[i] for i in least.tolist()), model.meaning.kinds[least]
        ),
    )
    return Quotient(small, places[least], table[:, wanted])
