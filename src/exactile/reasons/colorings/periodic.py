"""Colorings of a region that repeat: units are of one class if a linear form says so modulo n.

Most arguments that people find color units by a sum of coordinates: the chessboard by x + y modulo
2, stripes by x modulo n, diagonals by x + y modulo n; and those of edge lattices by direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import gcd

import numpy as np

from exactile.geometry.lattice import Point
from exactile.model.model import Longs
from exactile.puzzle.region import Region

LONGEST = {2: 8, 3: 4}
"""Longest period tried, by the dimension of the lattice."""


def partitions(region: Region) -> Iterator[Longs]:
    """Yield partitions of the units into classes that repeat, those into few classes first.

    Each is an array of class numbers, from 0 without gaps. Periods go up to `LONGEST`, for all
    units alike and for each type of unit by itself.

    Examples
    --------
    >>> import exactile
    >>> region = exactile.load("dominoes-4x4").region
    >>> [found.tolist()[:6] for found, _ in zip(partitions(region), range(4))]
    [[0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1], [0, 1, 0, 1, 1, 0]]
    """
    cells = (region.units - region.units.min(axis=0)) // region.lattice.period
    longest = LONGEST[region.lattice.dimension]
    forms = [np.zeros(len(cells), dtype=np.int64)]
    for n in range(2, longest + 1):
        forms += [cells @ np.array(a) % n for a in _forms(region.lattice.dimension, n)]
        if n <= longest // 2:  # all forms of this period at once
            forms.append(cells % n @ n ** np.arange(region.lattice.dimension))
    kinds = len(region.lattice.origins)
    both = [*forms, *(form * kinds + region.types for form in forms if kinds > 1)]
    found: dict[bytes, Longs] = {}
    for form in both:
        _, first, classes = np.unique(form, return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(first))  # numbered by their first units
        partition = rank[classes.ravel()]
        found.setdefault(partition.tobytes(), partition)
    yield from sorted(found.values(), key=lambda partition: int(partition.max()))


def _forms(dimension: int, n: int) -> list[Point]:
    """Return the linear forms that take all values modulo n, one of those that are multiples.

    Examples
    --------
    >>> _forms(2, 3)
    [(0, 1), (1, 0), (1, 1), (1, 2)]
    """
    found: dict[Point, None] = {}
    for form in product(range(n), repeat=dimension):
        if gcd(n, *form) == 1:
            multiples = [tuple(u * a % n for a in form) for u in range(1, n) if gcd(u, n) == 1]
            found.setdefault(min(multiples))
    return list(found)
