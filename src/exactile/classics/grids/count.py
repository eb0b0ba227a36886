"""The number of solutions of a sudoku, without listing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import factorial
from typing import NamedTuple

from exactile.classics.grids.lower import sudoku_model
from exactile.classics.grids.sudoku import Sudoku
from exactile.counting.model_count import ModelCounting
from exactile.doors import door
from exactile.search.limits import INTERRUPTED, Limits


class GridCount(NamedTuple):
    """The number of solutions.

    Attributes
    ----------
    number
        All of them; None if the time was over before they were counted.
    method
        ``"search"`` or ``"memo"``.
    work
        Nodes of the search or states of the memo.
    factor
        The number of solutions that each counted one stands for.
    """

    number: int | None
    method: str
    work: int
    factor: int


@door
def count_sudoku(
    sudoku: Sudoku,
    *,
    use_memo: bool = True,
    use_relabeling: bool = True,
    time_limit: float | None = None,
    watch: Callable[[ModelCounting], None] | None = None,
) -> GridCount:
    """Count the solutions of a sudoku, each by itself (raw).

    Without givens the digits can be exchanged: solutions whose first row is 1, 2, 3 ... are
    counted, and multiplied. Search and memo take turns, see `exactile.counting.plan`.

    Parameters
    ----------
    sudoku
        The sudoku.
    use_memo, use_relabeling
        False counts without memo; the number is the same.
    time_limit
        Time limit in seconds.
    watch
        See `exactile.counting.model_count.ModelCounting`.

    Examples
    --------
    >>> from exactile.classics.grids.layout import boxed
    >>> count_sudoku(Sudoku(boxed(4, (2, 2)), (0,) * 16)).number
    288
    """
    size = sudoku.layout.size
    factor = 1
    if use_relabeling and not any(sudoku.givens):
        factor = factorial(size)
        first = (*range(1, size + 1), *sudoku.givens[size:])
        sudoku = replace(sudoku, givens=first)
    counting = ModelCounting(
        sudoku_model(sudoku).model, limits=Limits(time_limit), use_memo=use_memo, watch=watch
    )
    answer = counting.run("the sudoku")
    if answer.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    number = None if answer.raw is None else answer.raw * factor
    by_memo = answer.backend == "memo"
    work = answer.stats["states" if by_memo else "nodes"]
    return GridCount(number, "memo" if by_memo else "search", work, factor)
