"""Solutions that a symmetry maps to themselves, as the solutions of a smaller problem.

A solution that a symmetry g maps to itself consists of whole orbits of options under the powers of
g. The orbits are therefore the options of the smaller problem; an orbit uses an item as often as
its options do together. Items and bounds stay the same.
"""

from __future__ import annotations

import numpy as np

from exactile.model.condense import CountProblem
from exactile.model.model import Longs, Model
from exactile.model.orbits import Action


def invariant(model: Model, action: Action, element: int) -> CountProblem:
    """Return the problem of the solutions of a model that a symmetry maps to themselves.

    Orbits whose options exclude each other are left out.

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
    """Return the least number in the cycle of each number under a permutation."""
    least = np.arange(len(image))
    while True:  # after k rounds: the least of 2**k successors
        smaller = np.minimum(least, least[image])
        if (smaller == least).all():
            return least
        least, image = smaller, image[image]


def classes(action: Action) -> list[tuple[int, int]]:
    """Return one symmetry of each conjugacy class and the size of the class.

    Conjugate symmetries fix the same number of solutions. Proper and improper ones are in different
    classes.

    Examples
    --------
    >>> import exactile
    >>> from exactile.puzzle.symmetry import symmetries
    >>> puzzle = exactile.load("dominoes-4x4")
    >>> classes(Action(exactile.lower(puzzle), symmetries(puzzle)))
    [(0, 1), (1, 1), (2, 2), (4, 2), (5, 2)]
    """
    elements = action.items.astype(np.int64)
    number: dict[bytes, int] = {}  # on small boards several symmetries do the same
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
    """Return generators of the group; `number` finds an element by its bytes."""
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
