"""Peg solitaire and sudokus."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from exactile.answers import Status
from exactile.classics.grids.verbs import solve_sudoku
from exactile.classics.peg.board import Board, holes_of
from exactile.classics.peg.boards import load_board, named_boards
from exactile.classics.peg.limits import PegLimits
from exactile.classics.peg.play import Play
from exactile.classics.peg.problem import PegProblem, single_pegs
from exactile.errors import PuzzleError
from exactile.serve.tasks.asked import Tell

SIZED = ("triangle-4", "triangle-5", "diamond-5", "hexagon-3")
"""Boards made by size, offered with those that have names."""


class Pegs(msgspec.Struct, frozen=True):
    """A board, and a position on it."""

    board: str  # its name
    pegs: tuple[int, ...] = ()  # the holes with pegs, from 0; none for the position at the start
    time_limit: float = 20.0  # seconds


def _board(name: str) -> Board:
    if name not in (*named_boards(), *SIZED):  # no files of this machine
        raise PuzzleError(f"There is no board '{name}' here.")
    return load_board(name)


def peg(asked: Pegs, tell: Tell) -> None:
    """Report a board: the places of its holes, its jumps, the pegs at the start."""
    board = _board(asked.board)
    places = np.array(board.holes) @ np.array(board.grid.embedding)
    start = board.full ^ 1 << _vacant(places) if board.start is None else board.start
    tell(
        "board",
        {
            "boards": [*named_boards(), *SIZED],
            "places": places.tolist(),
            "jumps": board.jumps.tolist(),
            "pegs": [*holes_of(start)],
        },
    )


def _vacant(places: npt.NDArray[np.float64]) -> int:
    """Return the hole that is empty at first: the one about which the board is symmetric, or 0.

    Examples
    --------
    >>> _vacant(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])), _vacant(np.eye(2))
    (1, 0)
    """
    own = {tuple(place) for place in np.round(places, 6).tolist()}
    for hole, middle in enumerate(places):
        if {tuple(place) for place in np.round(2 * middle - places, 6).tolist()} == own:
            return hole
    return 0


def reachable(asked: Pegs, tell: Tell) -> None:
    """Report whether a single peg can remain, and the next jump on the way, from hole to hole."""
    board = _board(asked.board)
    if any(not 0 <= hole < board.size for hole in asked.pegs):
        raise PuzzleError(f"The board has {board.size} holes.")
    position = sum(1 << hole for hole in set(asked.pegs))
    problem = PegProblem(board, position, single_pegs(board, None))
    outcome = Play(problem, None, PegLimits(asked.time_limit)).run(1)
    known = outcome.status is not Status.UNKNOWN
    jump: Any = None
    if outcome.solutions and outcome.solutions[0]:
        jump = outcome.solutions[0][0][:2]
    kinds = sorted({reason.kind for reason in outcome.reasons})
    possible = bool(outcome.solutions) if known else None
    tell("reachable", {"possible": possible, "jump": jump, "reasons": kinds})


class Cells(msgspec.Struct, frozen=True):
    """A sudoku as a text: the cells row by row, dots for empty ones."""

    text: str


def sudoku(asked: Cells, tell: Tell) -> None:
    """Report the kind of a sudoku, up to two solutions, and why there is none."""
    verdict = solve_sudoku(asked.text)
    tell(
        "sudoku",
        {
            "kind": verdict.kind,
            "solutions": [verdict.sudoku.text(solution) for solution in verdict.solutions],
            "differing": verdict.differing,
            "reason": verdict.reason,
        },
    )
