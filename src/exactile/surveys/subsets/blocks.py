"""Blocks of subsets: bounds of the uses of each piece."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exactile.model.model import Longs, Model
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import areas
from exactile.surveys.subsets.selection import Uses, placed_pieces


class Block(NamedTuple):
    """All subsets that use each piece between `lower` and `upper` times."""

    lower: Uses
    upper: Uses

    def has(self, uses: Uses) -> bool:
        """Return whether a subset belongs to the block.

        Examples
        --------
        >>> Block((0, 1), (1, 1)).has((1, 1)), Block((0, 1), (1, 1)).has((1, 0))
        (True, False)
        """
        return all(a <= n <= b for a, n, b in zip(self.lower, uses, self.upper, strict=True))

    def without(self, uses: Uses) -> Iterator[Block]:
        """Yield disjoint blocks that together contain all subsets of the block except one.

        Block k agrees with the subset about the pieces before k and differs about piece k.

        Examples
        --------
        >>> for block in Block((0, 0), (1, 2)).without((1, 1)):
        ...     print(block)
        Block(lower=(0, 0), upper=(0, 2))
        Block(lower=(1, 0), upper=(1, 0))
        Block(lower=(1, 2), upper=(1, 2))
        """
        for k, (low, n, high) in enumerate(zip(self.lower, uses, self.upper, strict=True)):
            for a, b in ((low, n - 1), (n + 1, high)):
                if a <= b:
                    yield Block(
                        (*uses[:k], a, *self.lower[k + 1 :]), (*uses[:k], b, *self.upper[k + 1 :])
                    )


def whole(puzzle: Puzzle) -> Block:
    """Return the block of all subsets; the lower bound of pieces that may be omitted is 0."""
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    return Block(
        tuple(0 if p.name in choice else p.lower for p in puzzle.pieces),
        tuple(p.upper for p in puzzle.pieces),
    )


def area_fits(puzzle: Puzzle, block: Block) -> bool:
    """Return whether some subset of a block has an area that can cover the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> area_fits(puzzle, whole(puzzle)), area_fits(puzzle, Block((0,) * 5, (0, 1, 1, 1, 1)))
    (True, False)
    """
    total = len(puzzle.region)
    required = total - int(puzzle.region.optional.sum())
    orders = [p.order for p in puzzle.pieces]
    return bool(areas(orders, block.lower, block.upper, total) >> required)


def narrowed(puzzle: Puzzle, model: Model, block: Block) -> tuple[Model, Longs]:
    """Return the model whose solutions are in a block, and the original numbers of its options.

    Options of unused pieces are dropped, and so are options that leave out a used piece.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> less, kept = narrowed(puzzle, exactile.lower(puzzle), Block((0,) * 12, (0,) + 11 * (1,)))
    >>> less.options, kept[:3].tolist()
    (1092, [144, 145, 146])
    """
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    own = np.array([p.name not in choice for p in puzzle.pieces])
    low, high = np.array(block.lower), np.array(block.upper)
    n = model.meaning.pieces
    lower, upper = model.lower.copy(), model.upper.copy()
    lower[:n] = np.where(own, low, lower[:n])
    upper[:n] = np.where(own, high, upper[:n])
    keep = np.append(high > 0, True)[placed_pieces(model)]
    for k in np.flatnonzero(~own & (low > 0)).tolist():
        options = model.options_with(k)
        keep[options[placed_pieces(model)[options] < 0]] = False
    members = keep[model.option_of]
    kept = np.flatnonzero(keep)
    less = replace(
        model,
        lower=lower,
        upper=upper,
        first=np.concatenate([[0], np.cumsum(np.diff(model.first)[kept])]),
        members=model.members[members],
        colors=model.colors[members],
    )
    return less, kept
