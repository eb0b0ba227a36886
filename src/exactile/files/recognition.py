"""Cells recognized: which builder of their lattice makes them, with which sizes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache

import numpy as np

from exactile.errors import RegionError
from exactile.geometry.isometry import Points, as_tuples, to_origin
from exactile.geometry.lattice import Lattice
from exactile.geometry.wrap import Wrap

Sizes = tuple[int, ...]

LONGEST = (200, 60, 20, 8, 4)
"""Largest size that is tried, by the number of sizes of a builder: it bounds the work."""


def recognized(
    points: Points, lattice: Lattice, wrap: Wrap | None = None
) -> tuple[str, Sizes, list[int]] | None:
    """Return a builder, its sizes and the shift, in steps, that make given cells; None if none do.

    The builders are tried in the lattice's order, with sizes up to the length of the region.

    Parameters
    ----------
    points
        The points of the cells.
    lattice
        Their lattice.
    wrap
        Translations that identify cells; what is built is then not moved, and of several sizes the
        smallest are taken.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> recognized(square.points([(2, 0), (3, 0), (2, 1), (3, 1), (2, 2), (3, 2)]), square)
    ('box', (2, 3), [2, 0])
    >>> recognized(square.points([(0, 0), (2, 0)]), square) is None
    True
    """
    count = len(points)
    spans = points.max(axis=0) - points.min(axis=0)
    longest = count if wrap is not None else int(spans.max()) // lattice.period + 1
    goal = _form(points, lattice) if wrap is None else _reduced(points, wrap)
    for name, builder in lattice.builders.items():
        arity = len(inspect.signature(builder).parameters)
        wrapped: list[Sizes] = []
        most = min(longest, LONGEST[min(arity, len(LONGEST)) - 1])
        for sizes in _sizes(lattice, name, arity, count, most):
            built = _points(lattice, name, sizes)
            if wrap is not None and _reduced(built, wrap) == goal:
                wrapped.append(sizes)
            if wrap is None and _form(built, lattice) == goal:
                return name, sizes, steps(built, points, lattice.period)
        if wrapped:
            return name, min(wrapped, key=sum), [0] * lattice.dimension
    return None


def _sizes(
    lattice: Lattice, name: str, arity: int, count: int, longest: int, first: Sizes = ()
) -> Iterator[Sizes]:
    """Yield sizes that begin with the first ones and make as many cells as wanted."""
    before = 0
    for size in range(1, longest + 1):
        sizes = (*first, size)
        if len(sizes) < arity:
            yield from _sizes(lattice, name, arity, count, longest, sizes)
            continue
        made = _made(lattice, name, sizes)
        if made == count:
            yield sizes
        elif made > count and 0 < before <= made:
            return
        before = made


@cache
def _made(lattice: Lattice, name: str, sizes: Sizes) -> int:
    """Return how many cells a builder makes, 0 if it refuses the sizes."""
    try:
        return len(lattice.builders[name](*sizes))
    except RegionError:
        return 0


def _points(lattice: Lattice, name: str, sizes: Sizes) -> Points:
    return lattice.points(lattice.builders[name](*sizes))


def _form(points: Points, lattice: Lattice) -> bytes:
    """Return a key that sets of points share when they differ by a translation."""
    return np.array(as_tuples(to_origin(points, lattice.period))).tobytes()


def _reduced(points: Points, wrap: Wrap) -> bytes:
    return np.array(as_tuples(wrap.reduce(points))).tobytes()


def steps(start: Points, goal: Points, period: int) -> list[int]:
    """Return how many steps of a lattice lead from points to equal ones elsewhere.

    Examples
    --------
    >>> steps(np.array([[0, 0], [1, 0]]), np.array([[7, 1], [8, 1]]), 1)
    [7, 1]
    """
    low, high = (p.min(axis=0) // period for p in (start, goal))
    shift: list[int] = (high - low).tolist()
    return shift
