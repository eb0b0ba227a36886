"""The problems of a board: one start, or every one, and which are images of each other."""

from __future__ import annotations

from exactile.classics.peg.board import Board, Longs
from exactile.classics.peg.problem import PegProblem, image, single_pegs
from exactile.errors import PuzzleError


def problems(board: Board, start: int | None = None, end: int | None = None) -> list[PegProblem]:
    """Return the problems for given holes.

    `start`: the number of the empty hole. By default the start that comes with the board, or else
    every hole in turn. `end`: the number of the hole of the last peg. By default the goal that
    comes with the board, or else any hole.

    >>> from exactile.classics.peg import load_board
    >>> len(problems(load_board("english"))), len(problems(load_board("english"), start=17))
    (33, 1)
    """
    if board.size < 2:
        raise PuzzleError(f"The board {board.name} has a single hole: nothing can jump there.")
    if end is None and board.goal is not None:
        goals: tuple[int, ...] = (board.goal,)
    else:
        goals = single_pegs(board, end)
    if start is not None:
        return [PegProblem(board, board.full ^ 1 << board.hole(start), goals)]
    if board.start is not None:
        return [PegProblem(board, board.start, goals)]
    return [PegProblem(board, board.full ^ 1 << hole, goals) for hole in range(board.size)]


def alike(every: list[PegProblem]) -> list[tuple[int, Longs]]:
    """Return for each problem the first one that is its image under a symmetry, and the symmetry.

    All must have the same board and the same goals.

    >>> from exactile.classics.peg import load_board
    >>> found = alike(problems(load_board("triangle-4")))
    >>> [first for first, _ in found]
    [0, 1, 1, 1, 4, 1, 0, 1, 1, 0]
    """
    first: dict[int, tuple[int, Longs]] = {}
    for number, problem in enumerate(every):
        for symmetry in problem.group:
            first.setdefault(image(symmetry, problem.start), (number, symmetry))
    return [first[problem.start] for problem in every]
