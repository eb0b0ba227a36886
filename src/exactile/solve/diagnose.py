"""Reasons for a puzzle to be unsolvable that need no search."""

from __future__ import annotations

import numpy as np

from exactile.model.model import Model
from exactile.model.shades import shade_names, unbalanced
from exactile.puzzle.puzzle import Puzzle


def obvious_reason(puzzle: Puzzle, model: Model) -> str | None:
    """Return why the puzzle has no solution, in words, if that can be seen at once.

    The area of the pieces may not fit the region, a unit may be in no placement, a piece may have
    fewer placements than it needs, or a coloring may forbid it, as on the mutilated chessboard.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> obvious_reason(puzzle, exactile.lower(puzzle)) is None
    True
    """
    low, high = piece_area(puzzle)
    total = len(puzzle.region)
    required = total - int(puzzle.region.optional.sum())
    if high < required or low > total:
        have = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        need = f"{total:,}" if total == required else f"{required:,} to {total:,}"
        return f"the pieces have {have} units, the region has {need}"
    counts = np.bincount(model.members, minlength=model.items)
    for item in np.flatnonzero(counts < model.lower)[:1]:
        label = model.labels[item]
        if counts[item] == 0:
            return (
                f"no placement covers {label}"
                if label.startswith("unit")
                else (f"{label} fits nowhere")
            )
        return f"{label} has {counts[item]} placements but must be used {model.lower[item]} times"
    shade = unbalanced(model)
    if shade is not None:
        name = shade_names(puzzle.lattice)[shade]
        return f"no choice of placements balances the region by the {name}"
    return None


def piece_area(puzzle: Puzzle) -> tuple[int, int]:
    """Return the least and the greatest number of units that the pieces may cover."""
    low = sum(p.lower * p.order for p in puzzle.pieces)
    high = sum(p.upper * p.order for p in puzzle.pieces)
    if puzzle.omission is not None:
        names, count = puzzle.omission.names, puzzle.omission.count
        orders = sorted(puzzle.piece(name).order for name in names)
        low -= sum(orders[len(orders) - count :])
        high -= sum(orders[:count])
    return low, high
