"""Recognition of cells: the builder of their lattice that makes them, with its sizes."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import prod

import numpy as np

from exactile.errors import RegionError
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Matrices, Points, as_tuples, to_origin
from exactile.geometry.lattice import Lattice
from exactile.geometry.wrap import Wrap

Sizes = tuple[int, ...]

MOST_TURNS = 6
"""Upper limit (exclusive) of the number of turns in a file."""

LONGEST = (200, 30, 12, 5, 4)
"""Largest size that is tried, by the number of sizes of a builder; it limits the work."""


@dataclass(frozen=True)
class Recognized:
    """A builder, its sizes, and how its result is turned and then moved, in steps."""

    builder: str
    sizes: Sizes
    turn: int
    shift: list[int]


def recognized(points: Points, lattice: Lattice, wrap: Wrap | None = None) -> Recognized | None:
    """Return a builder that makes given cells, None if there is none.

    The builders are tried in the lattice's order, with sizes up to the length of the region.
    Results that need no turn are preferred.

    `points`: the points of the cells. `lattice`: their lattice. `wrap`: translations that identify
    cells; a result is then neither turned nor moved, and the smallest of several sizes is returned.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> recognized(square.points([(2, 0), (3, 0), (2, 1), (3, 1), (2, 2), (3, 2)]), square)
    Recognized(builder='box', sizes=(2, 3), turn=0, shift=[2, 0])
    >>> recognized(square.points([(0, 0), (2, 0)]), square) is None
    True
    """
    if wrap is not None:
        return _wrapped(points, lattice, wrap)
    spans = tuple((s // lattice.period + 1) for s in np.ptp(points, axis=0).tolist())
    goals = _turned_back(points, lattice)
    best: Recognized | None = None
    for name, sizes in _candidates(lattice, len(points), max(spans), spans):
        turn = goals.get(_form_made(lattice, name, sizes))
        if turn is not None and (best is None or turn < best.turn):
            built = _points(lattice, name, sizes)
            placed = to_origin(built @ _power(lattice, turn).T, lattice.period) if turn else built
            best = Recognized(name, sizes, turn, steps(placed, points, lattice.period))
            if not turn:
                break
    return best


def _wrapped(points: Points, lattice: Lattice, wrap: Wrap) -> Recognized | None:
    goal = _reduced(points, wrap)
    found = [
        (name, sizes)
        for name, sizes in _candidates(lattice, len(points), len(points))
        if _reduced(_points(lattice, name, sizes), wrap) == goal
    ]
    if not found:
        return None
    name, sizes = min(found, key=lambda f: sum(f[1]))
    return Recognized(name, sizes, 0, [0] * lattice.dimension)


def _power(lattice: Lattice, turn: int) -> Matrices:
    """Return the given number of smallest turns of a lattice as a matrix."""
    matrix = np.array(lattice.generators[0], dtype=np.int64)
    return np.asarray(np.linalg.matrix_power(matrix, turn))


def _turned_back(points: Points, lattice: Lattice) -> dict[bytes, int]:
    """Return the forms that become given points after turns, each with the fewest turns."""
    goals: dict[bytes, int] = {}
    for turn in range(MOST_TURNS):
        back = np.linalg.inv(_power(lattice, turn)).round().astype(np.int64)
        moved = points @ back.T
        if (lattice.types(moved) >= 0).all():
            goals.setdefault(_form(moved, lattice), turn)
    return goals


def _candidates(
    lattice: Lattice, count: int, longest: int, spans: Sizes = ()
) -> Iterator[tuple[str, Sizes]]:
    """Yield builders with sizes that make the given number of cells.

    The first sizes are those of the region itself, as for a box, however long they are.
    """
    for name, builder in lattice.builders.items():
        arity = len(inspect.signature(builder).parameters)
        fits = arity == len(spans) and prod(spans) <= MAX_UNITS
        if fits and _made(lattice, name, spans) == count:
            yield name, spans
        most = min(longest, LONGEST[min(arity, len(LONGEST)) - 1])
        yield from ((name, sizes) for sizes in _sizes(lattice, name, arity, count, most))


def _sizes(
    lattice: Lattice, name: str, arity: int, count: int, longest: int, first: Sizes = ()
) -> Iterator[Sizes]:
    """Yield sizes that begin with the first ones and make the given number of cells."""
    before = 0
    for size in range(1, longest + 1):
        sizes = (*first, size)
        if len(sizes) < arity:
            least = _made(lattice, name, (*sizes, *[1] * (arity - len(sizes))))
            if least > 2 * count:
                return
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
    """Return the number of cells that a builder makes, 0 if it refuses the sizes."""
    try:
        return len(lattice.builders[name](*sizes))
    except RegionError:
        return 0


@cache
def _form_made(lattice: Lattice, name: str, sizes: Sizes) -> bytes:
    return _form(_points(lattice, name, sizes), lattice)


def _points(lattice: Lattice, name: str, sizes: Sizes) -> Points:
    return lattice.points(lattice.builders[name](*sizes))


def _form(points: Points, lattice: Lattice) -> bytes:
    """Return a key that sets of points share if they differ by a translation."""
    moved = to_origin(points, lattice.period)
    return hashlib.blake2b(moved[np.lexsort(moved.T)].tobytes(), digest_size=16).digest()


def _reduced(points: Points, wrap: Wrap) -> bytes:
    return np.array(as_tuples(wrap.reduce(points))).tobytes()


def steps(start: Points, goal: Points, period: int) -> list[int]:
    """Return the steps of a lattice that lead from points to equal points elsewhere.

    >>> steps(np.array([[0, 0], [1, 0]]), np.array([[7, 1], [8, 1]]), 1)
    [7, 1]
    """
    low, high = (p.min(axis=0) // period for p in (start, goal))
    shift: list[int] = (high - low).tolist()
    return shift
