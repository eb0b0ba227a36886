"""A problem of peg solitaire: a board, a position at the start, and goals, one to be reached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactile import _native
from exactile.classics.peg.board import Board, Longs, holes_of
from exactile.classics.peg.check import Move, Solution
from exactile.errors import PuzzleError


@dataclass(frozen=True, eq=False)
class PegProblem:
    """A problem: from one position to any of some others with equal numbers of pegs.

    Raise PuzzleError if a position has no pegs or is not on the board, or the goals differ in their
    numbers of pegs.

    >>> from exactile.classics.peg import load_board
    >>> problem = PegProblem.vacancy(load_board("triangle-4"), 1)
    >>> problem.length, len(problem.goals), len(problem.group)
    (8, 10, 6)
    >>> len(PegProblem.vacancy(load_board("triangle-4"), 1, end=3).group)
    1
    """

    board: Board
    start: int  # the position at the start
    goals: tuple[int, ...]  # the positions to be reached

    def __post_init__(self) -> None:
        for position in (self.start, *self.goals):
            if not 0 < position <= self.board.full:
                raise PuzzleError(
                    f"A position on the board {self.board.name} has a peg at least, and all pegs "
                    "are in its holes."
                )
        if len({goal.bit_count() for goal in self.goals}) != 1:
            raise PuzzleError("The positions to be reached must have the same number of pegs.")

    @classmethod
    def vacancy(cls, board: Board, hole: int, end: int | None = None) -> PegProblem:
        """Return the usual problem: all holes but one have pegs, and one peg should be left.

        `hole`: the number, from 1, of the empty hole. `end`: the number of the hole of the last
        peg; None for any.
        """
        if board.size < 2:
            raise PuzzleError(f"The board {board.name} has a single hole: nothing can jump there.")
        start = board.full ^ 1 << board.hole(hole)
        return cls(board, start, single_pegs(board, end))

    @property
    def length(self) -> int:
        """Number of jumps: each removes one peg. Negative if the goals have more pegs."""
        return self.start.bit_count() - self.goals[0].bit_count()

    @cached_property
    def group(self) -> Longs:
        """The symmetries of the board that map goals to goals; the identity first."""
        goals = set(self.goals)
        return np.array(
            [s for s in self.board.symmetries if {image(s, goal) for goal in goals} == goals]
        )

    @property
    def empty_holes(self) -> list[int]:
        """The numbers, from 1, of the holes that are empty at the start."""
        return [h + 1 for h in holes_of(self.board.full ^ self.start)]


def native_board(problem: PegProblem, *, use_symmetry: bool = True) -> _native.PegBoard:
    """Return the board of a problem in the form of the native module."""
    symmetries = problem.group if use_symmetry else problem.group[:1]
    return _native.PegBoard(
        problem.board.size, problem.board.jumps.ravel().tolist(), symmetries.ravel().tolist()
    )


def single_pegs(board: Board, end: int | None = None) -> tuple[int, ...]:
    """Return all positions with a single peg, or the one with it in this hole, counted from 1."""
    if end is not None:
        return (1 << board.hole(end),)
    return tuple(1 << h for h in range(board.size))


def image(symmetry: Longs, position: int) -> int:
    """Return the image of a position under a symmetry."""
    return sum(1 << int(symmetry[h]) for h in holes_of(position))


def moved(symmetry: Longs, solution: Solution) -> Solution:
    """Return the image of a solution under a symmetry."""
    return tuple(tuple(int(symmetry[h]) for h in move) for move in solution)


def merged(jumps: list[tuple[int, int]]) -> Solution:
    """Return jumps, as pairs of holes, as moves: consecutive jumps of one peg are one move.

    >>> merged([(6, 1), (1, 3), (5, 0)])
    ((6, 1, 3), (5, 0))
    """
    moves: list[Move] = []
    for begin, end in jumps:
        if moves and moves[-1][-1] == begin:
            moves[-1] = (*moves[-1], end)
        else:
            moves.append((begin, end))
    return tuple(moves)


def written(solution: Solution) -> str:
    """Return a solution in customary form: the holes that each moving peg visits.

    >>> written(((6, 1), (8, 6, 1)))
    '7-2 9-7-2'
    """
    return " ".join("-".join(str(h + 1) for h in move) for move in solution)


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
