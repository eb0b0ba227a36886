"""From a sudoku to its model, and from assignments back to grids."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from exactile.classics.grids.layout import Layout
from exactile.classics.grids.sudoku import Grid, Sudoku
from exactile.model.meaning import Meaning
from exactile.model.model import Ints, Longs, Model


class SudokuModel(NamedTuple):
    """The model of a sudoku."""

    model: Model  # items and options
    # The entry of each option: the number of the cell times the size, plus the digit minus 1
    entries: Longs
    size: int  # the size of the grid

    def grid(self, assignment: Iterable[int]) -> Grid:
        """Return the grid that an assignment stands for; -1 is no option."""
        grid = [0] * (self.size * self.size)
        for option in assignment:
            if option >= 0:
                cell, digit = divmod(int(self.entries[option]), self.size)
                grid[cell] = digit + 1
        return tuple(grid)


class _Whole(NamedTuple):
    """The model of an empty grid: shapes ``(options + 1,)``, ``(members,)``."""

    first: Longs
    members: Ints
    meaning: Meaning


@lru_cache(maxsize=8)
def _whole(layout: Layout, symbols: str) -> _Whole:
    """Return the model of an empty grid: cell by cell, digit by digit."""
    n = layout.size
    houses = layout.houses
    # Items: digits in boxes, columns and rows, then the cells, then those of variants.
    usual = [h for h in houses if h.kind in "bcr"]
    more = [h for h in houses if h.kind not in "bcr"]
    labels = [f"{symbols[d]}{h.kind}{h.number}" for h in usual for d in range(n)]
    labels += [f"{cell % n},{cell // n}" for cell in range(n * n)]
    labels += [f"{symbols[d]}{h.kind}{h.number}" for h in more for d in range(n)]
    cells = np.arange(n * n)
    behind = n * len(usual)  # the cells' items stand here
    starts = [n * k + (n * n if k >= len(usual) else 0) for k in range(len(usual) + len(more))]
    # For each house and each cell: the item that digit 1 in this cell uses, and the steps of
    # digits.
    of_cell = np.concatenate([*(h.cells for h in (*usual, *more)), cells])
    base = np.concatenate([np.repeat(starts, n), behind + cells])
    step = np.repeat([1, 0], [n * len(starts), n * n])
    digits = np.arange(n)
    option = (of_cell[:, None] * n + digits).ravel()
    members = (base[:, None] + step[:, None] * digits).ravel()
    order = np.lexsort((members, option))
    first = np.concatenate([[0], np.cumsum(np.bincount(option))])
    return _Whole(first, members[order].astype(np.int32), Meaning(tuple(labels)))


def sudoku_model(sudoku: Sudoku) -> SudokuModel:
    """Return the model of a sudoku.

    Every digit in every house is an item, and so is every cell: ``1b0`` is the 1 in the first box,
    ``1c0`` in the first column, ``1r0`` in the first row, ``3,0`` the cell in the fourth column
    of the first row. Diagonals have ``1d0``, windows ``1w0``. All are primary. A given digit
    has one option, an empty cell one for each digit.

    >>> from exactile.classics.grids.layout import boxed
    >>> model, *_ = sudoku_model(Sudoku(boxed(4, (2, 2)), (1,) + (0,) * 15))
    >>> model.items, model.options, [model.meaning.labels[i] for i in model.option(0)]
    (64, 61, ['1b0', '1c0', '1r0', '0,0'])
    """
    n = sudoku.layout.size
    whole = _whole(sudoku.layout, sudoku.symbols)
    givens = np.repeat(np.array(sudoku.givens), n)
    entries = np.flatnonzero((givens == 0) | (givens == np.tile(np.arange(1, n + 1), n * n)))
    lengths = np.diff(whole.first)
    kept = np.zeros(len(lengths), dtype=bool)
    kept[entries] = True
    once = np.ones(len(whole.meaning.labels), dtype=np.int32)
    model = Model(
        lower=once,
        upper=once,
        first=np.concatenate([[0], np.cumsum(lengths[entries])]),
        members=whole.members[np.repeat(kept, lengths)],
        meaning=whole.meaning,
    )
    return SudokuModel(model, entries, n)
