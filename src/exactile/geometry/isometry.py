"""Isometries of a lattice as integer matrices, applied to whole arrays of points.

A lattice is a set of integer points, so an isometry is an integer matrix followed by a translation
by multiples of the lattice's period. Sets of points are arrays of shape ``(..., n, d)``: the last
axis holds coordinates, the one before it the points of one set.
"""

from __future__ import annotations

from math import prod

import numpy as np
import numpy.typing as npt

from exactile.errors import GeometryError

Points = npt.NDArray[np.int64]
"""Integer points, one per row: shape ``(n, d)``."""

Matrices = npt.NDArray[np.int64]
"""Integer matrices: shape ``(g, d, d)``."""

MAX_GROUP = 48
"""Largest number of elements of a finite group of integer matrices in two or three dimensions."""


def generate_group(generators: Matrices) -> Matrices:
    """Return all elements of the finite group that some matrices generate.

    `generators`: integer matrices, shape ``(k, d, d)``.

    The result has the shape ``(g, d, d)``. The identity comes first, then the other proper elements
    (determinant 1), then the improper ones, both in lexicographic order. Raise GeometryError if
    there are more than `MAX_GROUP` elements, as in infinite groups.

    Examples
    --------
    >>> quarter_turn = [[0, -1], [1, 0]]
    >>> len(generate_group(np.array([quarter_turn])))
    4
    """
    d = generators.shape[-1]
    identity = np.eye(d, dtype=np.int64)
    seen = {identity.tobytes(): identity}
    frontier = [identity]
    while frontier:
        products = [np.asarray(g @ m) for m in frontier for g in generators]
        frontier = []
        for product in products:
            if product.tobytes() not in seen:
                seen[product.tobytes()] = product
                frontier.append(product)
        if len(seen) > MAX_GROUP:
            raise GeometryError(
                f"The generators generate more than {MAX_GROUP} matrices: "
                "one of them is not a symmetry of a lattice."
            )
    elements = sorted(
        seen.values(),
        key=lambda m: (not np.array_equal(m, identity), -determinant(m), m.ravel().tolist()),
    )
    return np.array(elements, dtype=np.int64)


def determinant(matrix: npt.NDArray[np.int64]) -> int:
    """Return the determinant of an integer isometry, 1 (proper) or -1 (a reflection)."""
    return round(float(np.linalg.det(matrix)))


def transform(points: Points, matrices: Matrices) -> Points:
    """Apply each matrix to a whole set: shapes ``(n, d)`` and ``(g, d, d)`` give ``(g, n, d)``.

    Several sets, shape ``(k, n, d)``, give ``(g, k, n, d)``.
    """
    return np.asarray(np.einsum("gij,...nj->g...ni", matrices, points))


def to_origin(points: Points, period: int) -> Points:
    """Move each set by multiples of the period, so that its least coordinates are 0..period-1.

    Sets that differ only by a translation of the lattice become equal, except for the order of
    rows. `points`: sets of n points, shape ``(..., n, d)``.
    """
    low = points.min(axis=-2, keepdims=True)
    return np.asarray(points - low // period * period)


def row_keys(points: Points) -> npt.NDArray[np.int64]:
    """Return an integer key for each point; the keys have the lexicographic order of the points.

    Only keys from one call are comparable. The bounding box of the points must have fewer than
    2**63 places.
    """
    low = points.min(axis=tuple(range(points.ndim - 1)))
    span = points.max(axis=tuple(range(points.ndim - 1))) - low + 1
    strides = np.append(np.cumprod(span[:0:-1])[::-1], 1)
    return np.asarray((points - low) @ strides)


def distinct(points: Points) -> tuple[Points, npt.NDArray[np.int64]]:
    """Return the distinct points, in lexicographic order, and how often each occurs.

    Examples
    --------
    >>> found, times = distinct(np.array([[1, 0], [0, 2], [1, 0]]))
    >>> found.tolist(), times.tolist()
    ([[0, 2], [1, 0]], [1, 2])
    """
    if not len(points):
        return points, np.zeros(0, dtype=np.int64)
    if prod(np.ptp(points, axis=0).tolist()) >= 2**60:  # too far apart for keys, which are faster
        return np.unique(points, axis=0, return_counts=True)
    _, first, times = np.unique(row_keys(points), return_index=True, return_counts=True)
    return points[first], times


def joined(points: Points, others: Points) -> Points:
    """Return the points of two sets, each once, in lexicographic order.

    Examples
    --------
    >>> joined(np.array([[1, 0], [0, 2]]), np.array([[1, 0], [1, 1]])).tolist()
    [[0, 2], [1, 0], [1, 1]]
    """
    return distinct(np.concatenate([points, others]))[0]


def among(points: Points, others: Points) -> npt.NDArray[np.bool_]:
    """Return, for each of the points, whether it occurs among the others; shape ``(n,)``.

    Examples
    --------
    >>> among(np.array([[1, 0], [0, 2]]), np.array([[1, 0], [1, 1]])).tolist()
    [True, False]
    """
    if not (len(points) and len(others)):
        return np.zeros(len(points), dtype=bool)
    both = np.concatenate([points, others])
    if prod(np.ptp(both, axis=0).tolist()) >= 2**60:  # too far apart for keys
        keys = np.unique(both, axis=0, return_inverse=True)[1].ravel()
    else:
        keys = row_keys(both)
    return np.isin(keys[: len(points)], keys[len(points) :])


def orientations(points: Points, matrices: Matrices, period: int) -> Points:
    """Return the image of a set under each matrix, moved to the origin, with sorted points.

    The result has shape ``(g, n, d)`` and may contain equal sets; several sets, ``(k, n, d)``, give
    ``(g k, n, d)``.
    """
    return normalized(transform(points, matrices).reshape(-1, *points.shape[-2:]), period)


def normalized(sets: Points, period: int) -> Points:
    """Move each set, shape ``(k, n, d)``, to the origin, and sort its rows lexicographically."""
    moved = to_origin(sets, period)
    order = np.argsort(row_keys(moved), axis=1)
    return np.take_along_axis(moved, order[:, :, None], axis=1)


def aspects(points: Points, matrices: Matrices, period: int) -> Points:
    """Return the distinct orientations of a set of points: its aspects.

    `points`: shape ``(n, d)``; with shape ``(k, n, d)``, the orientations of k sets are returned
    together. `matrices`: the isometries allowed, shape ``(g, d, d)``. `period`: period of the
    lattice.

    The result has the shape ``(a, n, d)``. Each aspect is at the origin and has sorted rows. The
    aspects are in lexicographic order, so that the first one is the canonical form.

    Examples
    --------
    >>> turn, mirror = [[0, -1], [1, 0]], [[-1, 0], [0, 1]]
    >>> group = generate_group(np.array([turn, mirror]))
    >>> i_tetromino = np.array([[0, 0], [1, 0], [2, 0], [3, 0]])
    >>> len(aspects(i_tetromino, group, 1))
    2
    """
    images = orientations(points, matrices, period)
    return np.asarray(images[distinct_rows(row_keys(images))])


def distinct_rows(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the first index of each distinct row, in lexicographic order of the rows.

    Examples
    --------
    >>> distinct_rows(np.array([[3, 1], [2, 300], [2, 4], [3, 1]])).tolist()
    [2, 1, 0]
    """
    if not rows.size:
        return np.arange(len(rows[:1]))
    # The bytes have the order of the numbers.
    ordered = np.ascontiguousarray(rows - rows.min(), dtype=">i8")
    keys = ordered.view(np.dtype((np.void, 8 * rows.shape[1]))).ravel()
    return np.unique(keys, return_index=True)[1]


def as_tuples(points: Points) -> tuple[tuple[int, ...], ...]:
    """Return points as a sorted tuple of tuples; it is hashable, and equal for equal sets."""
    return tuple(sorted(tuple(row) for row in points.tolist()))
