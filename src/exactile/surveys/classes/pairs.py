"""Solutions that differ only in two pieces, which cover the same units in another way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.surveys.classes.solutions import Solutions

CLASS_KEYS_AT_ONCE = 4_000_000
"""Number of keys of solutions that are sorted at a time."""


def rearranged_pairs(
    solutions: Solutions, pulse: Callable[[], None] = lambda: None
) -> tuple[Longs, Assignments]:
    """Return pairs of a solution and an image of a solution that differ in just two placements.

    Such a pair becomes equal when two placements are removed from each. So the signatures of all
    images without any two placements are sorted, and those with equal signatures are compared.

    `pulse`: called many times a second; an exception that it raises ends the work.

    The result: numbers of solutions, shape ``(n,)``, and the changed solutions, shape ``(n, k)``,
    sorted.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("tetrahexes-4x7")))
    >>> numbers, rows = rearranged_pairs(solutions)
    >>> len(numbers), rows.shape[1]
    (8, 7)
    """
    images = solutions.images.reshape(-1, solutions.rows.shape[1])
    whole = solutions.signatures(images)
    left, right = np.triu_indices(images.shape[1], 1)
    passes = 1 + len(images) * len(left) // CLASS_KEYS_AT_ONCE
    numbers, rows = [np.zeros(0, dtype=np.int64)], [images[:0]]
    for residue in range(passes):
        keys, owners = _keys(solutions, images, whole, (left, right), passes, residue, pulse)
        for one, other in _equal_neighbors(keys, owners, len(solutions)):
            good = _rearranged(solutions, images[one], images[other], pulse)
            numbers.append(one[good])
            rows.append(images[other[good]])
    return np.concatenate(numbers), np.concatenate(rows)


def _keys(
    solutions: Solutions,
    images: Assignments,
    whole: Longs,
    columns: tuple[Longs, Longs],
    passes: int,
    residue: int,
    pulse: Callable[[], None],
) -> tuple[Longs, Longs]:
    """Return sorted signatures without two placements, and their owners, for one residue."""
    keys, owners = [], []
    for i, j in zip(*columns, strict=True):
        pulse()
        real = np.flatnonzero(images[:, i] >= 0)
        rest = whole[real] - solutions.codes(images[real, i]) - solutions.codes(images[real, j])
        mine = rest % passes == residue
        keys.append(rest[mine])
        owners.append(real[mine])
    if not keys:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    key, owner = np.concatenate(keys), np.concatenate(owners)
    order = np.argsort(key, kind="stable")
    return key[order], owner[order]


def _equal_neighbors(keys: Longs, owners: Longs, count: int) -> list[tuple[Longs, Longs]]:
    """Return the pairs of owners of equal keys whose first is a solution, not an image."""
    found = []
    for distance in range(1, len(keys)):
        same = np.flatnonzero(keys[distance:] == keys[:-distance])
        if not len(same):
            break
        one, other = owners[same], owners[same + distance]
        for a, b in ((one, other), (other, one)):
            chosen = (a < count) & (a != b)
            found.append((a[chosen], b[chosen]))
    return found


def _rearranged(
    solutions: Solutions, one: Assignments, other: Assignments, pulse: Callable[[], None]
) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows in which just two placements differ, with the same units."""
    result: npt.NDArray[np.bool_] = np.zeros(len(one), dtype=bool)
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        pulse()
        old, new = np.setdiff1d(a, b), np.setdiff1d(b, a)
        if len(old) == len(new) == 2:
            result[k] = _contents(solutions.model, old) == _contents(solutions.model, new)
    return result


def _contents(model: Model, options: Ints) -> tuple[list[int], list[int]]:
    """Return the units that options cover, and the pieces that they place, both sorted."""
    units, _ = model.covered(options)
    return sorted(units.tolist()), sorted(model.piece_of[options].tolist())
