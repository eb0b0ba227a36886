"""The answers about sudokus, queens and peg solitaire."""

from __future__ import annotations

from exactile.answers.base import Answer, Stats, Status


class SudokuAnswer(Answer, frozen=True, kw_only=True):
    """The result for a sudoku. Grids are texts: the symbols of all cells, row by row.

    Attributes
    ----------
    line
        Number, from 1, of the line on which the sudoku begins in its file.
    status
        ``"unique"``, ``"ambiguous"``, ``"contradictory"``, ``"solvable"`` or ``"unknown"``.
    givens
        The grid of the givens, with a dot for each empty cell.
    solutions
        The grids of the solutions found; None if they were only counted.
    differing
        The cells in which two solutions differ, as row and column from 1.
    reason
        Why there is no solution, in words, if that is known.
    lemmas
        Number of lemmas of the proof that there is no other solution, if requested.
    superfluous
        The givens that can each be left out on its own, as row and column from 1, if requested.
    found
        Number of solutions found, if they were listed.
    raw
        Number of all solutions, if they were counted.
    method, factor
        The method that counted the solutions; the factor by which its count was multiplied, because
        each solution that it counted stands for several.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    stats
        Counters and seconds.
    """

    line: int
    status: str
    givens: str
    solutions: tuple[str, ...] | None = None
    differing: tuple[tuple[int, int], ...] | None = None
    reason: str | None = None
    lemmas: int | None = None
    superfluous: tuple[tuple[int, int], ...] | None = None
    found: int | None = None
    raw: int | None = None
    method: str | None = None
    factor: int | None = None
    stopped: str | None = None
    stats: Stats = Stats()


class SudokuFile(Answer, frozen=True, kw_only=True):
    """The results for the sudokus of a file, and the number of sudokus with each status.

    Attributes
    ----------
    file, backend
        Names of the file and of the backend.
    unique, ambiguous, contradictory, solvable, unknown
        Number of sudokus with this status.
    stopped
        ``"interrupted"`` after Ctrl-C, else None.
    sudokus
        The results, in the order of the file.
    """

    file: str
    backend: str
    unique: int = 0
    ambiguous: int = 0
    contradictory: int = 0
    solvable: int = 0
    unknown: int = 0
    stopped: str | None = None
    sudokus: tuple[SudokuAnswer, ...] = ()


class QueensAnswer(Answer, frozen=True, kw_only=True):
    """Solutions of the n-queens problem: n queens that do not attack each other on an n x n board.

    Attributes
    ----------
    puzzle
        Name of the problem, such as ``"queens 8"``.
    raw, rotation, symmetry
        Numbers of solutions: all, up to rotation, up to rotation and reflection; None if not
        determined.
    found
        Number of solutions found.
    solutions
        For each solution, the column of the queen in each row, from 1. None if they were only
        counted.
    backend, method
        The backend that listed the solutions, None if none did; the method: ``"list"`` or
        ``"memo"``.
    status
        The status of the search.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    backend: str | None
    method: str = "list"
    status: Status
    stopped: str | None = None
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    found: int = 0
    solutions: tuple[tuple[int, ...], ...] | None = None
    stats: Stats = Stats()


class PegReason(Answer, frozen=True, kw_only=True):
    """The reason why goals of peg solitaire are out of reach. Holes are numbered from 1.

    Attributes
    ----------
    kind
        ``"pegs"``: the goals have too many pegs. ``"parity"`` and ``"pagoda"``: weights of the
        holes exclude the goals. ``"search"``: all reachable positions were searched. ``"model"``: a
        backend found the Boolean model unsolvable.
    goals
        For each goal, the holes in which pegs would be left.
    weights
        The weights of the holes, if the argument has any.
    by
        The search that gave the reason, and its size, in words; None if there was no search.
    """

    kind: str
    goals: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...] | None = None
    by: str | None = None


class PegStart(Answer, frozen=True, kw_only=True):
    """The result for one start of a peg solitaire. Holes are numbered from 1.

    Attributes
    ----------
    empty
        The holes that are empty at the start.
    moves
        The least number of moves, if requested and known.
    solutions
        The solutions found, each a sequence of moves; a move lists the holes that a peg visits.
        None if solutions were only counted.
    reasons
        The reasons why goals are out of reach.
    count
        Number of all solutions, if they were counted.
    by_moves
        Numbers of solutions with 0, 1, 2 ... moves, if requested.
    status
        The status of the search.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    stats
        Counters of the search.
    """

    empty: tuple[int, ...]
    status: Status
    stopped: str | None = None
    moves: int | None = None
    solutions: tuple[tuple[tuple[int, ...], ...], ...] | None = None
    reasons: tuple[PegReason, ...] = ()
    count: int | None = None
    by_moves: tuple[int, ...] | None = None
    stats: Stats = Stats()


class PegAnswer(Answer, frozen=True, kw_only=True):
    """The results for all starts of a peg solitaire on one board.

    Attributes
    ----------
    board, grid
        Names of the board and of its grid.
    holes
        Number of holes.
    status
        The status of all starts together.
    count
        Number of solutions from all starts, if they were counted.
    starts
        The result for each start.
    backend
        Name of the backend.
    """

    board: str
    grid: str
    holes: int
    backend: str
    status: Status
    count: int | None = None
    starts: tuple[PegStart, ...] = ()
