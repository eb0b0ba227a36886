"""The checker of quarter turns of cubes, from the definition: no two cells overlap at any angle.

Take two squares of side 2 with centers m and s, and turn the first about 0 by an angle a. They
overlap unless a line along a side of either separates them (separating axis theorem). With
c = cos a, i = sin a, and d = s - R m from the turned center to the other one, they overlap if and
only if

    |d_x|, |d_y|, |(R' d)_x|, |(R' d)_y| < 1 + c + i,

where R turns by a and R' back. These are eight inequalities A + B c + C i > 0 with integer
coefficients. With t = tan(a / 2), which goes from 0 to 1, they become eight quadratics in t. If all
of them are positive for some t, then also just after a zero of one of them, or just after 0. Their
signs there are signs of numbers p + q sqrt(D), which integer arithmetic decides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.answers.assembly import Move

Cell = tuple[int, int]
"""The center of a cell across the axis, in half units from it."""

Quadratic = tuple[int, int, int]
"""Coefficients of t^2, t and 1."""

Units = npt.NDArray[np.int64]


class Turn:
    """A quarter turn that is to be checked.

    Raise ValueError if a move is not a quarter turn that maps cells to cells.

    Examples
    --------
    >>> move = Move(pieces=(0,), direction=(0, 0, 1), steps=1, about=(0.5, 0.5, 0.0))
    >>> turn = Turn(move)
    >>> turn.meets(np.array([(0, 0, 0)]), np.array([(1, 1, 0)]))
    False
    >>> turn.meets(np.array([(0, 0, 0)]), np.array([(1, 0, 0)]))
    True
    >>> turn.after(np.array([(0, 0, 0)])).tolist()
    [[1, 0, 0]]
    """

    def __init__(self, move: Move) -> None:
        axes = [k for k, c in enumerate(move.direction) if c]
        twice = [2 * c for c in move.about or ()]
        if len(twice) != 3 or any(c != int(c) for c in twice):
            raise ValueError("the point of an axis is not at halves")
        if len(axes) != 1 or abs(move.direction[axes[0]]) != 1 or move.steps != 1:
            raise ValueError("a turn is not a quarter about an axis of space")
        self._along = axes[0]
        # The two other axes, so that the turn leads from the first to the second.
        first, second = (axes[0] + 1) % 3, (axes[0] + 2) % 3
        self._across = [first, second] if move.direction[axes[0]] > 0 else [second, first]
        self._center = np.array([int(twice[k]) for k in self._across])
        if self._center.sum() % 2:
            raise ValueError("a turn does not map cells to cells")

    def _flat(self, units: Units) -> Units:
        return np.asarray(2 * units[:, self._across] - self._center)

    def meets(self, turning: Units, resting: Units) -> bool:
        """Return whether a turning cell overlaps a resting one at some angle of the turn."""
        mine, theirs = self._flat(turning).tolist(), self._flat(resting).tolist()
        layers, others = turning[:, self._along].tolist(), resting[:, self._along].tolist()
        pairs = {
            (*m, *s)
            for m, layer in zip(mine, layers, strict=True)
            for s, other in zip(theirs, others, strict=True)
            if layer == other
        }
        return any(overlap((m, n), (s, t)) for m, n, s, t in pairs)

    def after(self, units: Units) -> Units:
        """Return where cells are after the turn."""
        x, y = self._flat(units).T
        result = units.copy()
        result[:, self._across] = (np.stack([-y, x], axis=1) + self._center) // 2
        return result


@lru_cache(1 << 16)
def overlap(turning: Cell, resting: Cell) -> bool:
    """Return whether the interiors of two cells meet while one makes a quarter turn about 0.

    Examples
    --------
    >>> overlap((1, 1), (-1, 1)), overlap((1, 1), (1, 3)), overlap((1, 1), (3, 3))
    (True, True, False)
    """
    (m, n), (x, y) = turning, resting
    sides = []  # A, B, C of the inequalities: of c and i in a coordinate of the distance
    for a, b, c in ((x, -m, n), (y, -n, -m), (-m, x, y), (-n, y, -x)):
        sides += [(1 - a, 1 - b, 1 - c), (1 + a, 1 + b, 1 + c)]
    # cos a = (1 - t^2) / (1 + t^2), sin a = 2 t / (1 + t^2)
    quadratics = [(a - b, 2 * c, a + b) for a, b, c in sides]
    zeros = [zero for quadratic in quadratics for zero in _zeros(quadratic)]
    return any(
        all(_positive_after(quadratic, moment) for quadratic in quadratics)
        for moment in [Surd(0, 0, 0, 1), *(z for z in zeros if z.sign() > 0 > z.minus_one())]
    )


class Surd(NamedTuple):
    """The number (p + q sqrt(root)) / over, with over > 0."""

    p: int
    q: int
    root: int
    over: int

    def sign(self) -> int:
        """Return -1, 0 or 1."""
        plain, surd = self.p, self.q * abs(self.q) * self.root
        square = plain * abs(plain)
        return (square + surd > 0) - (square + surd < 0)

    def minus_one(self) -> int:
        """Return the sign of the number less 1."""
        return self._replace(p=self.p - self.over).sign()

    def value(self, quadratic: Quadratic) -> Surd:
        """Return the value of a quadratic at this number."""
        a, b, c = quadratic
        p, q, root, over = self
        return Surd(
            a * (p * p + q * q * root) + b * p * over + c * over * over,
            2 * a * p * q + b * q * over,
            root,
            over * over,
        )


def _zeros(quadratic: Quadratic) -> list[Surd]:
    """Return the zeros of a quadratic; none if it is constant."""
    a, b, c = quadratic
    if a == 0:
        return [Surd(-c if b > 0 else c, 0, 0, abs(b))] if b else []
    root = b * b - 4 * a * c
    if root < 0:
        return []
    sign = 1 if a > 0 else -1
    return [Surd(-b * sign, q, root, 2 * abs(a)) for q in (-1, 1)]


def _positive_after(quadratic: Quadratic, moment: Surd) -> bool:
    """Return whether a quadratic is positive just after a moment."""
    a, b, _ = quadratic
    for derivative in (quadratic, (0, 2 * a, b), (0, 0, a)):
        sign = moment.value(derivative).sign()
        if sign:
            return sign > 0
    return False
