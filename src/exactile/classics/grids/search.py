"""Sudokus: models, searches for solutions, reasons why there are none, and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from exactile.answers import INTERRUPTED, Stats, Status, SudokuAnswer
from exactile.backends import Backend, Request
from exactile.classics.grids.sudoku import Grid, House, Layout, Sudoku, faults
from exactile.counting.listing import Alternating, count_model
from exactile.doors import Seed, Workers, door
from exactile.errors import Interrupted, UnfinishedError
from exactile.model.model import Ints, Longs, Meaning, Model
from exactile.model.orbits import Assignments
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.cover import ModelProblem
from exactile.search.handle import Fault, Handle
from exactile.search.limits import Limits


class SudokuModel(NamedTuple):
    """The model of a sudoku, with the cell and the digit of each option."""

    model: Model  # items and options
    # The entry of each option: the number of the cell times the size, plus the digit minus 1
    entries: Longs
    size: int  # the size of the grid

    def grid(self, assignment: Iterable[int]) -> Grid:
        """Return the grid of the digits that an assignment chooses; entries of -1 are ignored."""
        grid = [0] * (self.size * self.size)
        for option in assignment:
            if option >= 0:
                cell, digit = divmod(int(self.entries[option]), self.size)
                grid[cell] = digit + 1
        return tuple(grid)


class _Whole(NamedTuple):
    """The model of an empty grid; the model of a sudoku has some of its options.

    `members` has the items of all options, one option after the other; those of option o begin at
    ``first[o]``. The shape of `first` is ``(options + 1,)``.
    """

    first: Longs
    members: Ints
    meaning: Meaning


@lru_cache(maxsize=8)
def _whole(layout: Layout, symbols: str) -> _Whole:
    """Return the model of an empty grid; its options are sorted by cell, then by digit."""
    n = layout.size
    houses = layout.houses
    # Items: digits in boxes, columns and rows, then the cells, then those of variants.
    usual = [h for h in houses if h.kind in "bcr"]
    more = [h for h in houses if h.kind not in "bcr"]
    labels = [f"{symbols[d]}{h.kind}{h.number}" for h in usual for d in range(n)]
    labels += [f"{cell % n},{cell // n}" for cell in range(n * n)]
    labels += [f"{symbols[d]}{h.kind}{h.number}" for h in more for d in range(n)]
    cells = np.arange(n * n)
    behind = n * len(usual)  # the first item of a cell
    starts = [n * k + (n * n if k >= len(usual) else 0) for k in range(len(usual) + len(more))]
    # For each cell of each house, then for each cell: the item of digit 1, and the step from the
    # item of a digit to that of the next.
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

    There is a primary item for each cell, such as ``3,0`` for the fourth column of the first row,
    and for each digit in each house: ``1b0`` is the 1 in the first box, ``1c0`` in the first
    column, ``1r0`` in the first row, ``1d0`` on the first diagonal, ``1w0`` in the first window. A
    cell with a given digit has one option, an empty cell one for each digit.

    >>> from exactile.classics.grids.sudoku import boxed
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


def where(sudoku: Sudoku, cell: int) -> str:
    """Return the row and column of a cell in words, with numbers from 1.

    >>> from exactile.classics.grids.sudoku import boxed
    >>> where(Sudoku(boxed(4, (2, 2)), (0,) * 16), 6)
    'row 2, column 3'
    """
    row, column = divmod(cell, sudoku.layout.size)
    return f"row {row + 1}, column {column + 1}"


def contradiction(sudoku: Sudoku) -> str | None:
    """Return a simple reason why a sudoku has no solution; None if no such reason applies.

    There are three reasons: a house (row, column, box ...) has a digit twice, an empty cell has no
    candidate, or a house has no place for a digit. A candidate of a cell is a digit that is not
    given in any house of the cell.

    >>> from exactile.classics.grids.sudoku import boxed
    >>> contradiction(Sudoku(boxed(4, (2, 2)), (1, 0, 0, 1) + (0,) * 12))
    'row 1 has 1 twice: in row 1, column 1 and in row 1, column 4'
    >>> contradiction(Sudoku(boxed(4, (2, 2)), (1, 2, 3, 0) + (0, 0, 4, 0) + (0,) * 8))
    'row 1, column 4 has no candidate'
    >>> contradiction(Sudoku(boxed(4, (2, 2)), (1, 0, 0, 0) + (0,) * 7 + (1,) + (0, 0, 1, 0)))
    'box 4 has 1 twice: in row 3, column 4 and in row 4, column 3'
    """
    # Rows and columns are easier to see than boxes.
    houses = sorted(sudoku.layout.houses, key=lambda house: "rcbdw".index(house.kind))
    for house in houses:
        if reason := _twice(sudoku, house):
            return reason
    around: list[set[int]] = [set() for _ in sudoku.givens]  # the givens in each cell's houses
    for house in houses:
        seen = {sudoku.givens[cell] for cell in house.cells} - {0}
        for cell in house.cells:
            around[cell] |= seen
    for cell, given in enumerate(sudoku.givens):
        if not given and len(around[cell]) == sudoku.layout.size:
            return f"{where(sudoku, cell)} has no candidate"
    return next((reason for house in houses if (reason := _nowhere(sudoku, house, around))), None)


def _twice(sudoku: Sudoku, house: House) -> str | None:
    """Return a message if a house has a given digit twice, else None."""
    seen: dict[int, int] = {}
    for cell in house.cells:
        digit = sudoku.givens[cell]
        if digit in seen:
            return (
                f"{sudoku.layout.name(house)} has {sudoku.symbols[digit - 1]} twice: in "
                f"{where(sudoku, seen[digit])} and in {where(sudoku, cell)}"
            )
        if digit:
            seen[digit] = cell
    return None


def _nowhere(sudoku: Sudoku, house: House, around: list[set[int]]) -> str | None:
    """Return a message if some digit fits no cell of a house, else None.

    `around` has, for each cell, the digits that are given in its houses.
    """
    for digit in range(1, sudoku.layout.size + 1):
        places = (
            sudoku.givens[cell] == digit or (not sudoku.givens[cell] and digit not in around[cell])
            for cell in house.cells
        )
        if not any(places):
            return f"{sudoku.layout.name(house)} has no place for {sudoku.symbols[digit - 1]}"
    return None


class SudokuProblem(ModelProblem[Grid]):
    """The problem of solving a sudoku by a backend; its answers are filled grids."""

    def __init__(self, sudoku: Sudoku, backend: str | Backend, request: Request) -> None:
        self.sudoku = sudoku
        self._lowered = sudoku_model(sudoku)
        super().__init__("the sudoku", self._lowered.model, backend, request)

    def fault(self, rows: Assignments) -> Fault | None:
        for number, grid in enumerate(self.answers(rows)):
            if words := faults(self.sudoku, grid):
                return Fault(number, [self.sudoku.text(grid), *words])
        return None

    def answers(self, rows: Assignments) -> list[Grid]:
        return [self._lowered.grid(row) for row in rows.tolist()]


class SudokuSearch(Handle[Grid]):
    """A search for the solutions of a sudoku; each solution is checked by separate code.

    See `exactile.search.handle.Handle`.

    `limit`: stop after this number of solutions; None for all. `backend`, `time_limit`, `seed`,
    `workers`, `watch`, `limits`: as for `exactile.search.search.Search`. Raise BackendError if
    there is no such backend, PuzzleError if a limit is not positive, or `limits` is given together
    with `limit` or `time_limit`.

    >>> from io import StringIO
    >>> from exactile.classics.grids.reader import read_sudokus
    >>> sudoku = next(read_sudokus(StringIO("1..4.4.223.1..2.")))
    >>> search = SudokuSearch(sudoku)
    >>> [sudoku.text(grid) for grid in search], search.kind
    (['1234341223414123'], 'unique')
    """

    problem: SudokuProblem

    @door
    def __init__(
        self,
        sudoku: Sudoku,
        *,
        limit: int | None = None,
        backend: str | Backend = DEFAULT_BACKEND,
        time_limit: float | None = None,
        seed: Seed = 0,
        workers: Workers | None = None,
        watch: Callable[[SudokuSearch], None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        limits = Limits.chosen(limits, time_limit, limit)
        request = Request(limit=limits.number, seed=seed, workers=workers)
        super().__init__(SudokuProblem(sudoku, backend, request), limits, watch=watch)
        self.sudoku = sudoku

    @property
    def kind(self) -> str:
        """What is known about the number of solutions, in one word.

        ``unique``, ``ambiguous`` (more than one) or ``contradictory`` (none); ``solvable`` if there
        is a solution, and perhaps another; ``unknown`` if nothing is known.
        """
        if self.found > 1:
            return "ambiguous"
        return {
            Status.COMPLETE: "unique",
            Status.SOLVABLE: "solvable",
            Status.UNSOLVABLE: "contradictory",
            Status.UNKNOWN: "unknown",
        }[self.status]


@dataclass(frozen=True)
class SudokuVerdict:
    """What is known about the number of solutions of a sudoku, with the solutions found."""

    sudoku: Sudoku
    kind: str  # see `SudokuSearch.kind`
    solutions: tuple[Grid, ...]  # the solutions found, by default at most two
    reason: str | None  # why there is no solution
    stopped: str | None  # why the search stopped early; "solution limit" if the rest was not needed
    stats: Stats  # counters of the search; empty if there was none

    @property
    def differing(self) -> list[int]:
        """The cells, from 0, in which the first two solutions differ; empty if there are fewer."""
        if len(self.solutions) < 2:
            return []
        one, two = self.solutions[:2]
        return [
            cell for cell, digits in enumerate(zip(one, two, strict=True)) if len({*digits}) > 1
        ]


def judge(sudoku: Sudoku, **settings: Any) -> SudokuVerdict:
    """Decide whether a sudoku is unique, ambiguous or contradictory.

    `settings`: keyword arguments of `SudokuSearch`, which raises errors if they are wrong. By
    default, `limit` is 2 unless `limits` is given. If the search stops before the question is
    decided, as with a limit of 1, the kind is ``solvable`` or ``unknown``.

    >>> from exactile.classics.grids.sudoku import boxed
    >>> judge(Sudoku(boxed(4, (2, 2)), (0,) * 16)).kind
    'ambiguous'
    """
    search = SudokuSearch(sudoku, **({} if settings.get("limits") else {"limit": 2}) | settings)
    solutions = tuple(search)
    kind, reason = search.kind, None
    if not solutions:
        reason = contradiction(sudoku)
        if kind == "contradictory" and reason is None:
            reason = "nothing contradicts itself at once, but all was searched"
        elif reason is not None:
            kind = "contradictory"  # even if the time limit was reached
    return SudokuVerdict(sudoku, kind, solutions, reason, search.stopped, search.stats)


def superfluous(
    sudoku: Sudoku,
    *,
    limits: Limits | None = None,
    time_limit: float | None = None,
    **settings: Any,
) -> list[int]:
    """Return the cells, from 0, of redundant givens: if one is removed, the sudoku stays unique.

    The sudoku must be unique. If two redundant givens are removed, it may become ambiguous.
    `time_limit`: seconds for all tests together. `limits`: shared limits, in place of `time_limit`.
    None: no limit. Raise UnfinishedError if the time limit is reached. `settings`: further keyword
    arguments of `judge`.

    >>> from io import StringIO
    >>> from exactile.classics.grids.reader import read_sudokus
    >>> superfluous(next(read_sudokus(StringIO("1..4.4.223.1..2."))))
    [3, 5, 7, 8, 9, 11, 14]
    """
    limits = Limits.chosen(limits, time_limit)
    found = []
    for cell, given in enumerate(sudoku.givens):
        if given:
            rest = replace(sudoku, givens=(*sudoku.givens[:cell], 0, *sudoku.givens[cell + 1 :]))
            kind = judge(rest, limits=limits.rest(2), **settings).kind
            if kind not in ("unique", "ambiguous"):
                raise UnfinishedError("There was no time to test every given: allow more time.")
            if kind == "unique":
                found.append(cell)
    return found


KINDS = ("unique", "ambiguous", "contradictory", "solvable", "unknown")
"""The possible values of `SudokuSearch.kind`."""


@door
def count_sudoku(
    sudoku: Sudoku,
    *,
    use_memo: bool = True,
    use_relabeling: bool = True,
    time_limit: float | None = None,
    workers: Workers | None = None,
    watch: Callable[[Any], None] | None = None,
) -> SudokuAnswer:
    """Count all solutions of a sudoku, not up to symmetry.

    If there are no givens, the digits are interchangeable: only solutions with the first row
    1, 2, 3 ... are counted, and their number is multiplied by the factorial of the size. Two
    methods take turns: see `exactile.counting.listing.Alternating`.

    Parameters
    ----------
    sudoku
        The sudoku.
    use_memo, use_relabeling
        Whether to count with a memo, and whether to multiply as described; the number is the same.
    time_limit
        Time limit in seconds; by default, there is none.
    workers
        Number of threads; by default, one for each processor.
    watch
        Called many times a second with the method of counting.

    Raises
    ------
    PuzzleError
        If the time limit is not positive.
    Interrupted
        If Ctrl-C stops the count; the exception has the answer so far.

    Examples
    --------
    >>> from exactile.classics.grids.sudoku import boxed
    >>> count_sudoku(Sudoku(boxed(4, (2, 2)), (0,) * 16)).raw
    288
    """
    size, given = sudoku.layout.size, sudoku.givens
    factor = 1
    if use_relabeling and not any(sudoku.givens):
        factor = factorial(size)
        first = (*range(1, size + 1), *sudoku.givens[size:])
        sudoku = replace(sudoku, givens=first)
    method = Alternating(use_memo=use_memo, workers=workers)
    model = sudoku_model(sudoku).model
    limits = Limits(time_limit)
    try:
        answer = count_model(model, "the sudoku", method=method, limits=limits, watch=watch)
    except Interrupted as stop:
        answer = stop.answer
    number = None if answer.raw is None else answer.raw * factor
    work = "nodes" if answer.method == "list" else "states"
    result = SudokuAnswer(
        line=sudoku.line,
        status="unknown" if number is None else KINDS[(2, 0, 1)[min(number, 2)]],
        givens=sudoku.text(given),
        raw=number,
        method=answer.method,
        factor=factor,
        stopped=answer.stopped,
        stats=Stats.of({work: answer.stats[work]}),
    )
    if answer.stopped == INTERRUPTED:
        raise Interrupted(result)
    return result
