"""Quarter turns as matrices, also in the frame of a search that keeps one piece at rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactile.answers.assembly import Move
from exactile.errors import PuzzleError
from exactile.geometry.isometry import Points
from exactile.puzzle.puzzle import Puzzle

WIDEST = 64
"""Largest number of cells of an assembly along an axis, if pieces may be turned."""


def require_turns(puzzle: Puzzle) -> None:
    """Raise PuzzleError unless pieces of a puzzle can be turned while they are taken apart."""
    if puzzle.lattice.name != "cube":
        raise PuzzleError(
            f"Pieces of the {puzzle.lattice.name} lattice are not rotated, only those of the cube "
            "lattice: take them apart without rotations."
        )
    if (np.ptp(puzzle.region.units, axis=0) >= WIDEST).any():
        raise PuzzleError(
            f"The region of {puzzle.name} is more than {WIDEST} cells wide: take its solutions "
            "apart without rotations."
        )


def quarter(axis: Points) -> Points:
    """Return the matrix of a quarter turn about a unit vector, counter-clockwise from its tip.

    Examples
    --------
    >>> quarter(np.array((0, 0, 1))) @ np.array((1, 0, 0))
    array([0, 1, 0])
    """
    return np.outer(axis, axis) + np.cross(axis, np.eye(3, dtype=np.int64)).T


def moved(units: Points, move: Move, period: int) -> Points:
    """Return units after a move; a move that leads away leaves them in place."""
    if move.about is None:
        return np.asarray(units + (move.steps or 0) * period * np.array(move.direction))
    axis = np.rint(2 * np.array(move.about)).astype(np.int64)
    return np.asarray(((2 * units - axis) @ quarter(np.array(move.direction)).T + axis) // 2)


class RestFrame(NamedTuple):
    """Rotation, and twice the translation, from the frame of a search to the actual positions.

    The search keeps one piece at rest: instead of it, the other pieces make the opposite move.
    """

    matrix: Points
    shift: Points

    @staticmethod
    def about(direction: Points, twice: Points) -> RestFrame:
        """Return a quarter turn about an axis, given by its direction and twice a point of it."""
        matrix = quarter(direction)
        return RestFrame(matrix, twice - matrix @ twice)

    def move(self, pieces: tuple[int, ...], direction: Points, steps: int | None) -> Move:
        """Return a translation in actual positions."""
        along = tuple((self.matrix @ direction).tolist())
        return Move(pieces=pieces, direction=along, steps=steps)

    def turn(self, pieces: tuple[int, ...], direction: Points, twice: Points) -> Move:
        """Return a quarter turn in actual positions; `twice` is twice a point of its axis."""
        along = self.matrix @ direction
        point = np.where(along == 0, self.matrix @ twice + self.shift, 0) / 2
        about = tuple(point.tolist())
        return Move(pieces=pieces, direction=tuple(along.tolist()), steps=1, about=about)

    def after(self, seen: RestFrame) -> RestFrame:
        """Return the frame after a move of the piece at rest, given as the search sees it."""
        return RestFrame(self.matrix @ seen.matrix, self.matrix @ seen.shift + self.shift)
