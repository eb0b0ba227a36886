"""From solutions back to options of a model: the way opposite to that of `Decoder`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from exactile.errors import PuzzleError
from exactile.model.decoder import Decoder
from exactile.model.model import Model
from exactile.puzzle.puzzle import Placement, Puzzle


def options_of(puzzle: Puzzle, model: Model, placements: Iterable[Placement]) -> tuple[int, ...]:
    """Return the options of some placements, which need not be a whole solution, in their order.

    Raises
    ------
    PuzzleError
        If the puzzle has no such placement.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> model = exactile.lower(puzzle)
    >>> solution = exactile.solve_one(puzzle)
    >>> options = options_of(puzzle, model, solution)
    >>> exactile.model.decode(puzzle, model, options) == solution
    True
    """
    decoder = Decoder(puzzle, model)
    points = {tuple(p): u for u, p in enumerate(puzzle.region.units.tolist())}
    found = []
    for placement in placements:
        wanted = (placement.piece, frozenset(placement.units))
        unit = points.get(placement.units[0])
        here = (
            []
            if unit is None
            else model.options_with(int(model.meaning.items_of(np.array(unit)))).tolist()
        )
        known = {o: decoder.placement(o) for o in here}
        same = [o for o, p in known.items() if p and (p.piece, frozenset(p.units)) == wanted]
        if not same:
            units = puzzle.lattice.coordinates(np.array(placement.units, dtype=np.int64))
            where = " ".join(",".join(map(str, unit)) for unit in units)
            raise PuzzleError(
                f"The puzzle {puzzle.name} has no placement of {placement.piece} on {where}."
            )
        found.append(same[0])
    return tuple(found)
