"""Polyforms whose cells are blocks of several units, such as tans of two quarter squares.

A polyabolo consists of halves of squares, divided by either diagonal. Its units are therefore
quarters of squares, and a form of order n + 1 is a form of order n with one more block next to it.
Forms are equal if they have the same shape, however it is divided into blocks and wherever it lies
on the lattice. They grow from all positions of a shape, since the next block may fit at only one of
them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from exactile.errors import PieceError
from exactile.geometry.isometry import Matrices, Points, aspects, normalized, row_keys, transform
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.recut import slid

CHUNK = 2000
"""Forms made canonical at once: few, to save memory and to notice Ctrl-C soon."""


def join_block(smaller: Points, lattice: Lattice, matrices: Matrices, most: int) -> Points:
    """Return the forms that consist of one of the given forms and one more block.

    - `smaller`: forms of one order, shape ``(k, n, d)``.
    - `lattice`: the lattice whose `block`, in every orientation, is added.
    - `matrices`: isometries under which forms count as equal, shape ``(g, d, d)``.
    - `most`: the largest number of forms to return.

    The result: shape ``(k', n + m, d)``: canonical forms with sorted points, in lexicographic
    order. Raise PieceError if there are more than `most`.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("quarter-squares")
    >>> join_block(np.array([grid.block]), grid, grid.group, 10).shape
    (3, 4, 2)
    """
    around = _blocks_around(lattice)
    found: set[bytes] = set()
    grown: set[frozenset[Point]] = set()
    size = smaller.shape[1] + len(lattice.block)
    order = size // len(lattice.block)
    for form in smaller.tolist():
        grown.update(_joined({tuple(point) for point in form}, lattice, around))
        if len(grown) >= CHUNK:
            found |= _distinct(grown, lattice, matrices)
            grown.clear()
        if len(found) > most:
            raise PieceError(
                f"There are more than {most:,} {lattice.plural} of order {order} or more: "
                f"use an order below {order}."
            )
    found |= _distinct(grown, lattice, matrices)
    flat = np.array([np.frombuffer(f, dtype=np.int64) for f in found])
    forms: Points = flat[np.lexsort(flat.T[::-1])].reshape(len(found), size, -1)
    forms.flags.writeable = False
    return forms


def _blocks_around(lattice: Lattice) -> list[list[Points]]:
    """For each type, return all blocks with a unit of that type, as offsets from that unit."""
    result: list[list[Points]] = [[] for _ in lattice.origins]
    for block in aspects(np.array(lattice.block), lattice.group, lattice.period):
        for unit, kind in zip(block, lattice.types(block).tolist(), strict=True):
            result[kind].append(block - unit)
    return result


def _joined(
    form: set[Point], lattice: Lattice, around: list[list[Points]]
) -> Iterator[frozenset[Point]]:
    """Yield the form together with a block next to it, in every way."""
    points = np.array(sorted(form))
    rim = {
        tuple((point + step).tolist())
        for point, kind in zip(points, lattice.types(points).tolist(), strict=True)
        for step in np.array(lattice.neighbors[kind])
    }
    for unit in rim - form:
        for block in around[int(lattice.types(np.array(unit)))]:
            placed = {tuple(p) for p in (block + unit).tolist()}
            if not placed & form:
                yield frozenset(form | placed)


def _distinct(grown: set[frozenset[Point]], lattice: Lattice, matrices: Matrices) -> set[bytes]:
    """Return the canonical forms, as bytes, of sets of units of one size."""
    if not grown:
        return set()
    points = np.array([sorted(form) for form in grown], dtype=np.int64)
    return {form.tobytes() for form in _canonical(points, lattice, matrices)}


def one_of_each_shape(forms: Points, lattice: Lattice, matrices: Matrices) -> Points:
    """Return the forms without those that are an earlier form in another position.

    `forms`: all forms of an order as sets of units, shape ``(k, n, d)``, canonical, in order.
    `lattice`, `matrices`: as in `join_block`.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("sixth-triangles")
    >>> drafters = np.array([grid.block, np.array(grid.block)[:, ::-1]])
    >>> pairs = join_block(drafters, grid, grid.proper, 10)
    >>> len(pairs), len(one_of_each_shape(pairs, grid, grid.proper))
    (9, 8)
    """
    place = {form.tobytes(): k for k, form in enumerate(forms)}
    first = np.ones(len(forms), dtype=bool)
    for start in range(0, len(forms), CHUNK):
        for which, moved in slid(forms[start : start + CHUNK], lattice):
            twins = _canonical(moved, lattice, matrices)
            for k, twin in zip((start + which).tolist(), twins, strict=True):
                first[k] &= place.get(twin.tobytes(), k) >= k
    kept: Points = forms[first]
    kept.flags.writeable = False
    return kept


def _canonical(points: Points, lattice: Lattice, matrices: Matrices) -> Points:
    """Return the canonical forms of sets of units of one size, shape ``(k, n, d)``."""
    count, size, dimension = points.shape
    images = transform(points.reshape(-1, dimension), matrices)
    images = normalized(images.reshape(-1, size, dimension), lattice.period)
    keys = row_keys(images).reshape(len(matrices), count, size)
    images = images.reshape(len(matrices), count, size, dimension)
    best: Points = images[0].copy()
    least = keys[0].copy()
    for image, key in zip(images[1:], keys[1:], strict=True):
        unlike = (key != least).argmax(axis=1)[:, None]
        less = (np.take_along_axis(key - least, unlike, axis=1) < 0)[:, 0]
        best[less], least[less] = image[less], key[less]
    return best
