"""Congruence from its definition: whether a piece can be moved onto some units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exactile.geometry.lattice import Point
from exactile.geometry.wrap import Wrap
from exactile.pieces.piece import Piece, motions


def reduced(point: Point, wrap: Wrap | None) -> Point:
    """Return the unit that stands for a point on a region that may be wrapped around."""
    return point if wrap is None else tuple(wrap.reduce(np.array(point)).tolist())


def is_placement(
    piece: Piece,
    units: tuple[Point, ...],
    wrap: Wrap | None = None,
    allows: Callable[[str, Point, Point], bool] = lambda name, unit, goal: True,
) -> bool:
    """Return whether some allowed isometry carries a piece exactly onto some units.

    Every isometry is tried: the piece is turned, and its first unit moved onto each of the units.
    Aspects, which the model is made of, are not used. `allows` tells whether a unit of the piece of
    some name may come to lie on a unit.

    Examples
    --------
    >>> import exactile
    >>> pieces = exactile.piece_set("tetrominoes", exactile.get_lattice("square"))
    >>> is_placement(pieces.piece("L4"), ((7, 0), (7, 1), (7, 2), (6, 0)))
    True
    """
    target = set(units)
    if len(target) != len(units) or len(units) != piece.order:
        return False
    period = piece.lattice.period
    for matrix in motions(piece.lattice, piece.freedom).tolist():
        turned = [
            tuple(sum(m * c for m, c in zip(row, unit, strict=True)) for row in matrix)
            for unit in piece.units
        ]
        for goal in units:
            shift = [g - c for g, c in zip(goal, turned[0], strict=True)]
            if any(s % period for s in shift):
                continue
            moved = [tuple(c + s for c, s in zip(u, shift, strict=True)) for u in turned]
            there = [reduced(u, wrap) for u in moved]
            if set(there) == target and all(
                allows(piece.name, unit, goal)
                for unit, goal in zip(piece.units, there, strict=True)
            ):
                return True
    return False
