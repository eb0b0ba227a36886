"""The number of solutions of a sudoku, without listing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import factorial
from typing import Any

from exactile.answers import Stats, SudokuAnswer
from exactile.classics.grids.lower import sudoku_model
from exactile.classics.grids.sudoku import Sudoku
from exactile.counting.listing import Alternating, count_model
from exactile.doors import door
from exactile.search.limits import Limits

KINDS = ("unique", "ambiguous", "contradictory", "solvable", "unknown")
"""What a sudoku is."""


@door
def count_sudoku(
    sudoku: Sudoku,
    *,
    use_memo: bool = True,
    use_relabeling: bool = True,
    time_limit: float | None = None,
    watch: Callable[[Any], None] | None = None,
) -> SudokuAnswer:
    """Count the solutions of a sudoku, each by itself (raw).

    Where nothing is given, the digits can be exchanged: solutions are counted in which the first
    row is 1, 2, 3 ..., and multiplied. Listing and memo take turns, see `exactile.counting.plan`.

    Parameters
    ----------
    sudoku
        The sudoku.
    use_memo, use_relabeling
        False counts without memo; the number is the same.
    time_limit
        Time limit in seconds.
    watch
        Called at every heartbeat with the method that counts.

    Raises
    ------
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> from exactile.classics.grids.layout import boxed
    >>> count_sudoku(Sudoku(boxed(4, (2, 2)), (0,) * 16)).raw
    288
    """
    size, given = sudoku.layout.size, sudoku.givens
    factor = 1
    if use_relabeling and not any(sudoku.givens):
        factor = factorial(size)
        first = (*range(1, size + 1), *sudoku.givens[size:])
        sudoku = replace(sudoku, givens=first)
    method = Alternating(use_memo=use_memo)
    model = sudoku_model(sudoku).model
    answer = count_model(model, "the sudoku", method=method, limits=Limits(time_limit), watch=watch)
    number = None if answer.raw is None else answer.raw * factor
    work = "nodes" if answer.method == "list" else "states"
    return SudokuAnswer(
        line=sudoku.line,
        status="unknown" if number is None else KINDS[(2, 0, 1)[min(number, 2)]],
        givens=sudoku.text(given),
        raw=number,
        method=answer.method,
        factor=factor,
        stopped=answer.stopped,
        stats=Stats.of({work: answer.stats[work]}),
    )
