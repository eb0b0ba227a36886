"""The number of solutions of a sudoku, without listing them."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from math import factorial
from typing import NamedTuple

from exactile.backends.base import HEARTBEAT
from exactile.backends.exploration import Exploration
from exactile.errors import CountingError
from exactile.grids.lower import sudoku_model
from exactile.grids.sudoku import Sudoku
from exactile.model.model import Model
from exactile.solve.counting import Counter
from exactile.tuning import TUNING


class GridCount(NamedTuple):
    """How many solutions there are.

    Attributes
    ----------
    number
        All of them; None if the time was over before they were counted.
    method
        ``"search"`` or ``"memo"``.
    work
        Nodes of the search or states of the memo.
    factor
        How many solutions stand for one of those that were counted.
    """

    number: int | None
    method: str
    work: int
    factor: int


def count_sudoku(
    sudoku: Sudoku,
    *,
    use_memo: bool = True,
    use_relabeling: bool = True,
    time_limit: float | None = None,
) -> GridCount:
    """Count the solutions of a sudoku, each by itself (raw).

    Where nothing is given, the digits can be exchanged: solutions are counted in which the first
    row is 1, 2, 3 ..., and multiplied. What a short search does not count is counted by a memo on
    states, and if that grows too large by the search after all.

    Parameters
    ----------
    sudoku
        The sudoku.
    use_memo, use_relabeling
        False does without; the number is the same.
    time_limit
        Stop after so many seconds.

    Examples
    --------
    >>> from exactile.grids.layout import boxed
    >>> count_sudoku(Sudoku(boxed(4, (2, 2)), (0,) * 16)).number
    288
    """
    size = sudoku.layout.size
    factor = 1
    if use_relabeling and not any(sudoku.givens):
        factor = factorial(size)
        first = (*range(1, size + 1), *sudoku.givens[size:])
        sudoku = replace(sudoku, givens=first)
    deadline = time.monotonic() + (float("inf") if time_limit is None else time_limit)
    number, method, work = _count(sudoku_model(sudoku).model, deadline, use_memo=use_memo)
    return GridCount(None if number is None else number * factor, method, work, factor)


def _count(model: Model, deadline: float, *, use_memo: bool) -> tuple[int | None, str, int]:
    """Return the number of solutions, how it was found, and by how much work."""
    exploration = Exploration(model)
    alone = time.monotonic() + TUNING.sudoku_head_start
    _search(exploration, min(deadline, alone) if use_memo else deadline)
    if use_memo and not exploration.exhausted:
        with suppress(CountingError):
            counter = Counter(model, keep=False, most_states=TUNING.sudoku_memo_states)
            known = counter.wait(max(deadline - time.monotonic(), 0.0))
            return counter.raw if known else None, "memo", counter.stats["states"]
    _search(exploration, deadline)
    number = exploration.count if exploration.exhausted else None
    return number, "search", exploration.nodes


def _search(exploration: Exploration, deadline: float) -> None:
    """Search until all is searched or the time is over, in slices: Ctrl-C is heard between them."""
    while not exploration.exhausted and (left := deadline - time.monotonic()) > 0:
        exploration.run(seconds=min(left, max(HEARTBEAT, exploration.patience)), keep=False)
