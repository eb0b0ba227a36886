"""Wrap-around: translations that identify units, as on a cylinder or a torus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from exactile.errors import GeometryError
from exactile.geometry.isometry import Matrices, Points, row_keys, transform
from exactile.geometry.lattice import Point, integer_points


class Wrap:
    """A lattice of translations, with a representative of each class of points.

    `vectors`: independent translations, each a multiple of the lattice's period in every
    coordinate. Raise GeometryError if a translation is zero or depends on the others.

    Examples
    --------
    >>> import numpy as np
    >>> torus = Wrap([(4, 0), (1, 3)])
    >>> torus.reduce(np.array([[5, 0], [0, 3], [-1, -3]])).tolist()
    [[0, 9], [0, 3], [0, 0]]
    """

    def __init__(self, vectors: Sequence[Sequence[int]]) -> None:
        given = integer_points(vectors, "The translations of a wrap")
        if given.size and given.ndim != 2:
            raise GeometryError("The translations of a wrap are lists of integers, one for each.")
        self.vectors = tuple(map(tuple, given.tolist()))
        if not self.vectors:
            raise GeometryError("The wrap has no translations: write at least one, or no wrap.")
        self._rows = _echelon([list(v) for v in self.vectors])
        if len(self._rows) != len(self.vectors):
            raise GeometryError(
                f"The translations {[list(v) for v in self.vectors]} of the wrap are not "
                "independent: leave out zero ones and combinations of others."
            )

    def __repr__(self) -> str:
        return f"Wrap({list(self.vectors)})"

    def __eq__(self, other: object) -> bool:
        """Return whether both span the same translations."""
        return self.normal_form == other.normal_form if isinstance(other, Wrap) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.normal_form)

    @cached_property
    def normal_form(self) -> tuple[Point, ...]:
        """The basis in Hermite normal form: the same for all vectors with the same span.

        Examples
        --------
        >>> Wrap([(1, 3), (4, 0)]).normal_form, Wrap([(5, 3), (-4, 0)]).normal_form
        (((1, 3), (0, 12)), ((1, 3), (0, 12)))
        """
        rows = [list(row) for row in self._rows]
        for k, row in enumerate(rows):
            pivot = next(i for i, c in enumerate(row) if c)
            for above in rows[:k]:
                q = above[pivot] // row[pivot]
                above[:] = [a - q * b for a, b in zip(above, row, strict=True)]
        return tuple(map(tuple, rows))

    def reduce(self, points: Points) -> Points:
        """Return, for points of shape ``(..., d)``, the representative of each class."""
        result = np.array(points)
        for row in self._rows:
            pivot = next(k for k, c in enumerate(row) if c)
            result -= (result[..., pivot] // row[pivot])[..., None] * np.array(row)
        return result

    def kept_by(self, matrix: Matrices) -> bool:
        """Return whether an isometry carries identified points to identified points."""
        images = np.array(self.vectors) @ matrix.T
        return not self.reduce(images).any()

    def keepers(self, matrices: Matrices) -> Matrices:
        """Return the isometries that carry identified points to identified points."""
        return matrices[[self.kept_by(matrix) for matrix in matrices]]

    def canonical_form(self, points: Points, matrices: Matrices, period: int) -> Points:
        """Return the least image of a set of points: equal for sets that the wrap makes congruent.

        `points`: shape ``(n, d)``. `matrices`: the isometries allowed, shape ``(g, d, d)``; all are
        kept by the wrap. `period`: period of the lattice.

        The result: shape ``(n, d)``, reduced, rows in lexicographic order.

        Examples
        --------
        >>> tube = Wrap([(5, 0)])
        >>> inside, across = np.array([[1, 0], [2, 0]]), np.array([[0, 7], [4, 7]])
        >>> turns = np.eye(2, dtype=int)[None]
        >>> tube.canonical_form(inside, turns, 1).tolist()
        [[0, 0], [1, 0]]
        >>> tube.canonical_form(across, turns, 1).tolist()
        [[0, 0], [1, 0]]
        """
        turned = transform(points, matrices)
        origins = turned // period * period  # each point comes to the origin once
        images = self.reduce(turned[:, None] - origins[:, :, None]).reshape(-1, *points.shape)
        keys = row_keys(images)
        order = np.argsort(keys, axis=1)
        least = np.lexsort(np.take_along_axis(keys, order, axis=1).T[::-1])[0]
        return np.asarray(images[least, order[least]])


def _echelon(rows: list[list[int]]) -> list[list[int]]:
    """Return a basis of the integer span in echelon form with positive pivots (Euclid by rows)."""
    done: list[list[int]] = []
    for column in range(len(rows[0]) if rows else 0):
        while True:
            live = sorted((r for r in rows if r[column]), key=lambda r: abs(r[column]))
            if len(live) < 2:
                break
            least = live[0]
            for row in live[1:]:
                q = row[column] // least[column]
                row[:] = [a - q * b for a, b in zip(row, least, strict=True)]
        if live:
            pivot = live[0]
            rows = [r for r in rows if r is not pivot]
            done.append(pivot if pivot[column] > 0 else [-c for c in pivot])
    return done
