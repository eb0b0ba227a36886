"""One solution of each orbit: the first one that is found."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.model.orbits import Action, Assignments

UP_TO = {"rotation": True, "symmetry": False}
"""What solutions are considered equal up to: all symmetries, or proper ones only."""


class Representatives:
    """Filters out images of earlier solutions.

    It keeps the least image of every solution that passed, some dozens of bytes each, and so it is
    right for any order of the solutions, also if a search is stopped.

    `action`: the symmetry group. `up_to`: ``"rotation"``: images under proper symmetries are equal;
    ``"symmetry"``: under all. Raise PuzzleError if `up_to` is neither.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7")) as search:
    ...     first = Representatives(search.action, "symmetry")
    ...     sum(int(first.new(rows).sum()) for rows in search.batches())
    9
    """

    def __init__(self, action: Action, up_to: str) -> None:
        if up_to not in UP_TO:
            raise PuzzleError(f"Solutions are alike up to {' or '.join(UP_TO)}, not '{up_to}'.")
        everything = range(action.order)
        self._action = action
        self._elements = [g for g in everything if action.proper[g] or not UP_TO[up_to]]
        self._seen: set[bytes] = set()

    def new(self, rows: Assignments) -> npt.NDArray[np.bool_]:
        """Return a mask of the solutions that start a new orbit."""
        kept = np.zeros(len(rows), dtype=bool)
        for number, least in enumerate(self._least(rows)):
            key = least[least >= 0].tobytes()
            kept[number] = key not in self._seen
            self._seen.add(key)
        return kept

    def _least(self, rows: Assignments) -> Assignments:
        """Return the least image of each solution, its options sorted."""
        if not rows.size:
            return rows
        numbers, image = self._action.local(rows)
        best: Assignments | None = None
        for element in self._elements:
            moved = np.sort(image(element)[numbers], axis=1)
            best = moved if best is None else _lesser(best, moved)
        return rows if best is None else best


def _lesser(one: Assignments, other: Assignments) -> Assignments:
    """Return row by row the lexicographically lesser of two rows."""
    column = np.argmax(one != other, axis=1)[:, None]
    less = np.take_along_axis(other, column, 1) < np.take_along_axis(one, column, 1)
    return np.where(less, other, one)
