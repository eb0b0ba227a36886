"""Searches for the solutions of sudokus, which decide whether one is unique."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from exactile.answers import Stats, Status
from exactile.backends import Backend, Request
from exactile.classics.grids.check import faults
from exactile.classics.grids.lower import sudoku_model
from exactile.classics.grids.reasons import contradiction
from exactile.classics.grids.sudoku import Grid, Sudoku
from exactile.doors import Seed, Workers, door
from exactile.model.orbits import Assignments
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.cover import ModelProblem
from exactile.search.handle import Fault, Handle
from exactile.search.limits import Limits


class SudokuProblem(ModelProblem[Grid]):
    """The solutions of a sudoku."""

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
    """A search for the solutions of a sudoku; all of them are checked by separate code.

    See `exactile.search.handle.Handle`.

    `limit`: stop after this number of solutions; None for all. `backend`, `time_limit`, `seed`,
    `workers`: as for `exactile.search.cover.CoverSearch`.

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
        limits = limits or Limits(time_limit, limit)
        request = Request(limit=limits.number, seed=seed, workers=workers)
        super().__init__(SudokuProblem(sudoku, backend, request), limits, watch=watch)
        self.sudoku = sudoku

    @property
    def kind(self) -> str:
        """The kind as far as it is known: ``unique``, ``ambiguous``, ``contradictory``, ...

        ``solvable`` if there is a solution, and perhaps another; ``unknown`` if nothing is known.
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
    """The kind of a sudoku, with its solutions."""

    sudoku: Sudoku
    kind: str
    solutions: tuple[Grid, ...]  # the solutions found, at most two
    reason: str | None  # why there is no solution
    stopped: str | None  # why the search stopped early; "solution limit" if the rest was not needed
    stats: Stats  # counters of the search; empty if there was none

    @property
    def differing(self) -> list[int]:
        """The cells in which two solutions differ."""
        if len(self.solutions) < 2:
            return []
        one, two = self.solutions
        return [
            cell for cell, digits in enumerate(zip(one, two, strict=True)) if len({*digits}) > 1
        ]


def judge(sudoku: Sudoku, **settings: Any) -> SudokuVerdict:
    """Decide whether a sudoku is unique, ambiguous or contradictory.

    `settings`: see `SudokuSearch`; the limit is 2 by default. A limit of 1 is enough for a
    solution.

    >>> from exactile.classics.grids.layout import boxed
    >>> judge(Sudoku(boxed(4, (2, 2)), (0,) * 16)).kind
    'ambiguous'
    """
    search = SudokuSearch(sudoku, **{"limit": 2, **settings})
    solutions = tuple(search)
    kind, reason = search.kind, None
    if not solutions:
        reason = contradiction(sudoku)
        if kind == "contradictory" and reason is None:
            reason = "nothing contradicts itself at once, but all was searched"
        elif reason is not None:
            kind = "contradictory"  # also if the time was over
    return SudokuVerdict(sudoku, kind, solutions, reason, search.stopped, search.stats)


def superfluous(sudoku: Sudoku, **settings: Any) -> list[int]:
    """Return the cells of a unique sudoku whose given is redundant by itself.

    Two of them together may nevertheless be necessary.

    >>> from io import StringIO
    >>> from exactile.classics.grids.reader import read_sudokus
    >>> superfluous(next(read_sudokus(StringIO("1..4.4.223.1..2."))))
    [3, 5, 7, 8, 9, 11, 14]
    """
    found = []
    for cell, given in enumerate(sudoku.givens):
        if given:
            rest = replace(sudoku, givens=(*sudoku.givens[:cell], 0, *sudoku.givens[cell + 1 :]))
            if judge(rest, **settings).kind == "unique":
                found.append(cell)
    return found
