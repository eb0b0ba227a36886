"""Wrap-around: motions that identify units, as on a cylinder, a torus, or a Moebius strip."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from exactile.errors import GeometryError
from exactile.geometry.isometry import Matrices, Points, row_keys, transform
from exactile.geometry.lattice import Point, integer_points


class Glide(NamedTuple):
    """A glide reflection with matrix M and shift s, which identifies the points p and M p + s."""

    matrix: tuple[Point, ...]
    shift: Point

    def image(self, points: Points) -> Points:
        """Return the images of points under the glide, shape ``(..., d)``."""
        return np.asarray(points @ np.array(self.matrix).T + np.array(self.shift))

    def texts(self, period: int) -> tuple[str, ...]:
        """Return the image of each coordinate under the glide, as a formula.

        Shifts are written in multiples of the lattice's period.

        >>> Glide(((1, 0), (0, -1)), (10, 4)).texts(1)
        ('x + 10', '-y + 4')
        """
        texts = []
        for row, number in zip(self.matrix, self.shift, strict=True):
            terms = [(factor, axis) for factor, axis in zip(row, "xyz", strict=False) if factor]
            terms += [(number, str(abs(number // period)))] if number else []
            text = "".join(f" {'-' if factor < 0 else '+'} {word}" for factor, word in terms)
            texts.append(text[3:] if text[1] == "+" else f"-{text[3:]}")
        return tuple(texts)


def wrap_words(vectors: Sequence[Point], glide: Sequence[str]) -> str:
    """Return in words which units are the same because a region wraps around; empty if none are.

    `vectors`: translations between equal units. `glide`: the image of each coordinate, as text,
    under a glide reflection that identifies units; empty if there is none.

    >>> wrap_words([(0, 4)], ("x + 10", "-y + 3"))
    'units that are [0, 4] apart are the same; (x, y) is (x + 10, -y + 3)'
    """
    steps = " or ".join(f"[{', '.join(map(str, vector))}]" for vector in vectors)
    words = [f"units that are {steps} apart are the same"] if steps else []
    words += [f"({', '.join('xyz'[: len(glide)])}) is ({', '.join(glide)})"] if glide else []
    return "; ".join(words)


class Wrap:
    """A group of translations, perhaps with a glide, that identifies points.

    `vectors`: independent translations, each a multiple of the lattice's period in every
    coordinate. `glide`: the matrix of a reflection, and a shift. The shift moves points along the
    mirror and is also a multiple of the period. Each class of identified points has a
    representative: see `reduce`. Raise GeometryError if there is neither a translation nor a glide,
    if translations are not independent, if dimensions differ, if the matrix is the identity, is not
    its own inverse, or does not preserve the group of translations, or if a motion other than the
    identity would fix a point.

    Examples
    --------
    >>> import numpy as np
    >>> torus = Wrap([(4, 0), (1, 3)])
    >>> torus.reduce(np.array([[5, 0], [0, 3], [-1, -3]])).tolist()
    [[0, 9], [0, 3], [0, 0]]
    >>> strip = Wrap(glide=(((1, 0), (0, -1)), (4, 2)))
    >>> strip.reduce(np.array([[4, 0], [5, 1], [8, 0]])).tolist()
    [[0, 2], [1, 1], [0, 0]]
    """

    def __init__(
        self,
        vectors: Sequence[Sequence[int]] = (),
        glide: tuple[Sequence[Sequence[int]], Sequence[int]] | None = None,
    ) -> None:
        self.glide = None if glide is None else _as_glide(*glide)
        given = integer_points(vectors, "The translations of a wrap")
        if given.size and given.ndim != 2:
            raise GeometryError("The translations of a wrap are lists of integers, one for each.")
        self.vectors = tuple(map(tuple, given.tolist()))
        if not self.vectors and self.glide is None:
            raise GeometryError("The wrap has no translations: write at least one, or no wrap.")
        self._rows = _echelon([list(v) for v in self.vectors])
        if len(self._rows) != len(self.vectors):
            raise GeometryError(
                f"The translations {[list(v) for v in self.vectors]} of the wrap are not "
                "independent: leave out zero ones and combinations of others."
            )
        if self.glide is not None:
            self._add_glide(self.glide)

    def _add_glide(self, glide: Glide) -> None:
        """Add a glide to the group, and the translation that results from applying it twice.

        Raise GeometryError if the glide does not fit the translations.
        """
        doubling = np.array(glide.matrix) + np.eye(len(glide.shift), dtype=np.int64)
        if any(len(v) != len(glide.shift) for v in self.vectors):
            raise GeometryError("The wrap has motions of different dimensions.")
        images = [(doubling @ np.array(v)).tolist() for v in self.vectors]
        square = (doubling @ np.array(glide.shift)).tolist()
        self._rows = _echelon([list(v) for v in (*self.vectors, square) if any(v)])
        kept = np.array(self._rows, dtype=np.int64).reshape(-1, len(square))
        if self._by_translations(kept @ np.array(glide.matrix).T).any():
            raise GeometryError("The reflection of the wrap does not keep its translations.")
        fixed = _remainder(
            np.array(square), _echelon([v for v in [*images, [2 * c for c in square]] if any(v)])
        )
        if not fixed.any():
            raise GeometryError(
                "The reflection of the wrap keeps points where they are: it must also shift along "
                "its mirror, and the translations must not undo that."
            )

    def __repr__(self) -> str:
        glide = "" if self.glide is None else f", {tuple(self.glide)}"
        return f"Wrap({list(self.vectors)}{glide})"

    def __eq__(self, other: object) -> bool:
        """Return whether both wraps identify the same points."""
        if not isinstance(other, Wrap):
            return NotImplemented
        return (self.normal_form, self.normal_glide) == (other.normal_form, other.normal_glide)

    def __hash__(self) -> int:
        return hash((self.normal_form, self.normal_glide))

    def words(self, period: int) -> str:
        """Return in words which points are the same; `period`: that of the lattice."""
        steps = [tuple(c // period for c in vector) for vector in self.vectors]
        return wrap_words(steps, self.glide.texts(period) if self.glide else ())

    @property
    def straight(self) -> bool:
        """Whether opposite sides of a box meet as they are: neither reflected nor shifted.

        >>> Wrap([(4, 0), (0, 3)]).straight, Wrap([(4, 0), (1, 3)]).straight
        (True, False)
        """
        shifted = any(sum(map(bool, vector)) > 1 for vector in self.normal_form)
        return self.glide is None and not shifted

    @cached_property
    def normal_glide(self) -> tuple[Point, ...]:
        """The rows of the glide's matrix, then its shift, reduced by the translations.

        Equal for equal wraps; empty if there is no glide.

        Examples
        --------
        >>> Wrap([(0, 3)], (((1, 0), (0, -1)), (4, 5))).normal_glide
        ((1, 0), (0, -1), (4, 2))
        """
        if self.glide is None:
            return ()
        shift = self._by_translations(np.array(self.glide.shift))
        return *self.glide.matrix, tuple(shift.tolist())

    @cached_property
    def normal_form(self) -> tuple[Point, ...]:
        """The basis of the translations in Hermite normal form.

        Vectors that generate the same group give the same basis.

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
        """Return the representative of each point; all identified points have the same one.

        The points and the result have the shape ``(..., d)``.
        """
        result = self._by_translations(points)
        if self.glide is None:
            return result
        other = self._by_translations(self.glide.image(result))
        return np.where(_less(other, result)[..., None], other, result)

    def _by_translations(self, points: Points) -> Points:
        """Return the representatives of points under the translations alone."""
        return _remainder(points, self._rows)

    def sheets(self, points: Points) -> Points:
        """Return points, shape ``(..., n, d)``, and their images under the glide: ``(..., 2n, d)``.

        If the given points represent all classes of identified points, every point differs from a
        point of the result by a translation of the wrap. Without a glide, the result is the given
        points.
        """
        if self.glide is None:
            return points
        images = self._by_translations(self.glide.image(points))
        return np.concatenate([points, images], axis=-2)

    def kept_by(self, matrix: Matrices) -> bool:
        """Return whether some isometry with this matrix keeps identified points identified.

        If the wrap has a glide, the shift of the isometry also matters: see `kept_shifts`.
        """
        if self._by_translations(np.array(self._rows) @ matrix.T).any():
            return False
        if self.glide is None:
            return True
        mirror = np.array(self.glide.matrix)
        return bool((matrix @ mirror == mirror @ matrix).all())

    def kept_shifts(self, matrix: Matrices, shifts: Points) -> Points:
        """Return those of `shifts` whose isometry with a matrix keeps identified points identified.

        `matrix`: one that is `kept_by` the wrap. `shifts`: shape ``(n, d)``.

        Examples
        --------
        >>> import numpy as np
        >>> strip = Wrap(glide=(((1, 0), (0, -1)), (4, 2)))
        >>> strip.kept_shifts(np.eye(2, dtype=int), np.array([[1, 0], [0, 1]])).tolist()
        [[1, 0]]
        """
        if self.glide is None:
            return shifts
        mirror, own = np.array(self.glide.matrix), np.array(self.glide.shift)
        moved = shifts - shifts @ mirror.T + matrix @ own - own
        return shifts[~self._by_translations(moved).any(axis=1)]

    def keepers(self, matrices: Matrices) -> Matrices:
        """Return those of the given matrices that are `kept_by` the wrap."""
        return matrices[[self.kept_by(matrix) for matrix in matrices]]

    def canonical_form(self, points: Points, matrices: Matrices, period: int) -> Points:
        """Return the least image of a set of points: equal for sets that the wrap makes congruent.

        The wrap must have no glide. `points`: shape ``(n, d)``. `matrices`: the isometries allowed,
        shape ``(g, d, d)``; all are `kept_by` the wrap. `period`: period of the lattice.

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


def _as_glide(matrix: Sequence[Sequence[int]], shift: Sequence[int]) -> Glide:
    given = integer_points(matrix, "The matrix of a reflection")
    step = integer_points(shift, "The shift of a reflection")
    if step.ndim != 1 or given.shape != (len(step), len(step)):
        raise GeometryError("A reflection of a wrap is a square matrix and a shift of its size.")
    exact = given.astype(object)  # products may be large
    if (exact @ exact != np.eye(len(step))).any() or (given == np.eye(len(step))).all():
        raise GeometryError(
            "The matrix of a wrap is not a reflection: done twice, it must do nothing."
        )
    return Glide(tuple(map(tuple, given.tolist())), tuple(step.tolist()))


def _remainder(points: Points, rows: list[list[int]]) -> Points:
    """Return points reduced by translations, which are rows in echelon form."""
    result = np.array(points)
    for row in rows:
        pivot = next(k for k, c in enumerate(row) if c)
        result -= (result[..., pivot] // row[pivot])[..., None] * np.array(row)
    return result


def _less(these: Points, those: Points) -> np.ndarray:
    """Return where a point of `these` is lexicographically less than its counterpart in `those`.

    Shape ``(..., d)`` gives ``(...)``.
    """
    apart = these != those
    first = apart.argmax(axis=-1)[..., None]
    less = np.take_along_axis(these, first, axis=-1) < np.take_along_axis(those, first, axis=-1)
    return np.asarray(less[..., 0])


def _echelon(rows: list[list[int]]) -> list[list[int]]:
    """Return rows in echelon form, with positive pivots, that generate the same group as `rows`."""
    rows = [list(row) for row in rows]
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
