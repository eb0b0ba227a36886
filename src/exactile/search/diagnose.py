"""Reasons for a puzzle to be unsolvable that need no search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactile.model.lower import shade_names, unbalanced
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle

AT_SIGHT = "first look"
"""The method if no search was needed."""


def obvious_reason(puzzle: Puzzle, model: Model) -> str | None:
    """Return why the puzzle obviously has no solution, in words.

    Possible reasons: no choice of the pieces has the area of the region; a unit is in no placement;
    a piece has fewer placements than it needs; or a coloring rules it out, as on the mutilated
    chessboard.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> obvious_reason(puzzle, exactile.lower(puzzle)) is None
    True
    """
    if (reason := area_reason(puzzle)) is not None:
        return reason
    for item in np.flatnonzero(model.uses < model.lower)[:1]:
        label = model.meaning.labels[item]
        if model.uses[item] == 0:
            return (
                f"no placement covers {label}"
                if model.meaning.is_unit[item]
                else (f"{label} fits nowhere")
            )
        return (
            f"{label} has {model.uses[item]} placements but must be used {model.lower[item]} times"
        )
    shade = unbalanced(model)
    if shade is not None:
        name = shade_names(puzzle.lattice)[shade]
        return f"no choice of placements balances the region by the {name}"
    return None


def area_reason(puzzle: Puzzle) -> str | None:
    """Return why no choice of pieces has as many units as the region, in words; needs no model.

    Examples
    --------
    >>> import exactile
    >>> area_reason(exactile.load("soma-cube")) is None
    True
    """
    low, high = piece_area(puzzle)
    total = len(puzzle.region)
    required = total - int(puzzle.region.optional.sum())
    if high < required or low > total:
        have = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        need = f"{total:,}" if total == required else f"{required:,} to {total:,}"
        return f"the pieces have {have} units, the region has {need}"
    if not _some_area(puzzle, required, total):
        need = f"{total:,}" if total == required else f"{required:,} to {total:,}"
        return f"no choice of the pieces has {need} units"
    return None


def _some_area(puzzle: Puzzle, least: int, most: int) -> bool:
    """Return whether some choice of the pieces has a number of units."""
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    orders = [p.order for p in puzzle.pieces]
    lower = [0 if p.name in choice else p.lower for p in puzzle.pieces]
    return bool(areas(orders, lower, [p.upper for p in puzzle.pieces], most) >> least)


def areas(orders: Sequence[int], lower: Sequence[int], upper: Sequence[int], most: int) -> int:
    """Return the possible numbers of units of all pieces together: bit a for a units, to `most`.

    Each piece has its order, and a lower and an upper number of uses.

    Examples
    --------
    >>> f"{areas([3, 5], [0, 0], [2, 1], 11):b}"  # 0, 3, 5, 6, 8 and 11
    '100101101001'
    """
    mask = (1 << most + 1) - 1
    reachable = 1
    for order, low, high in zip(orders, lower, upper, strict=True):
        reachable = reachable << min(low * order, most + 1) & mask
        left, step = min(high - low, most // order), 1
        while left > 0:  # by doubling: 1, 2, 4, ... copies, then the rest
            copies = min(step, left)
            reachable |= reachable << copies * order & mask
            left, step = left - copies, 2 * step
    return reachable


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
