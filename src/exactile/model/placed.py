"""From solutions back to options of a model: the inverse of `Decoder`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from exactile.errors import PuzzleError
from exactile.model.model import Model
from exactile.puzzle.puzzle import Placement, Puzzle


class PlacementIndex:
    """Finds the options of placements in a puzzle's model; each is looked up once.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> model = exactile.lower(puzzle)
    >>> solution = exactile.solve_one(puzzle)
    >>> options = PlacementIndex(puzzle, model).options(solution)
    >>> exactile.model.decode(puzzle, model, options) == solution
    True
    """

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self._puzzle = puzzle
        self._model = model
        self._number = {tuple(p): u for u, p in enumerate(puzzle.region.units.tolist())}
        self._known: dict[Placement, int] = {}

    def options(self, placements: Iterable[Placement]) -> tuple[int, ...]:
        """Return the options of some placements, which need not be a solution, in their order.

        Raise PuzzleError if the puzzle has no such placement.
        """
        return tuple(map(self._option, placements))

    def _option(self, placement: Placement) -> int:
        option = self._known.get(placement)
        if option is None:
            option = self._known[placement] = self._found(placement)
        return option

    def _found(self, placement: Placement) -> int:
        model = self._model
        piece = self._puzzle.piece_index.get(placement.piece, -1)
        units = sorted(self._number.get(unit, -1) for unit in placement.units)
        if units and units[0] >= 0:
            here = model.options_with(model.meaning.item_of(units[0]))
            here = here[model.piece_of[here] == piece]
            covered, starts = model.covered(here)
            same = np.diff(starts) == len(units)
            if same.all():  # they are, unless units stand twice
                found = here[(covered.reshape(len(here), len(units)) == units).all(axis=1)]
                if len(found):
                    return int(found[0])
        points = self._puzzle.lattice.coordinates(np.array(placement.units, dtype=np.int64))
        where = " ".join(",".join(map(str, unit)) for unit in points)
        raise PuzzleError(
            f"The puzzle {self._puzzle.name} has no placement of {placement.piece} on {where}."
        )
