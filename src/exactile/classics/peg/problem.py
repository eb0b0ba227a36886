"""A problem of peg solitaire (a board, a start, and goals), and its model for backends.

In the model of items and options, time is counted in steps, and in each step one move is made.
There are options for

- each move and each step: a jump, or a chain of jumps by one peg;
- each hole and each step: the hole *keeps* its peg, or it *stays empty*, untouched by any move.

There are items, each of them contained in exactly one chosen option, for

- each step: its move;
- each hole and each step: the move that touches the hole, or keeping, or staying empty;
- each hole between two steps: the option that leaves a peg in the hole in the first step, or the
  option that finds the hole empty in the second step.

The time of a hole is thus divided into intervals with and without a peg, and this is an exact
cover. Options that contradict the position at the start, or all goals, are left out.

Chains need two more kinds of items. One item counts the pegs that are left after the last step. For
each hole between two steps, a secondary item is contained in the moves of the first step that end
in the hole, and in the moves of the second step that begin in it. It keeps a peg from moving in two
successive steps, which would be one move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from exactile import _native
from exactile.classics.peg.board import Board, Longs, holes_of
from exactile.classics.peg.check import Move, Solution
from exactile.errors import ModelError, PuzzleError
from exactile.model.model import Model
from exactile.tuning import TUNING


@dataclass(frozen=True, eq=False)
class PegProblem:
    """A problem of peg solitaire: to get from a start to one of several goals.

    Raise PuzzleError if there are no goals, if they do not all have the same number of pegs, or if
    a position has no pegs or is not on the board.

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
        """Return the usual problem: all holes but one have pegs, and one peg must be left.

        `hole`: the number, from 1, of the empty hole. `end`: the number of the hole of the last
        peg; None for any hole. Raise PuzzleError if there is no such hole, or no other hole.
        """
        if board.size < 2:
            raise PuzzleError(f"The board {board.name} has a single hole: nothing can jump there.")
        start = board.full ^ 1 << board.hole(hole)
        return cls(board, start, single_pegs(board, end))

    @property
    def length(self) -> int:
        """Number of jumps of a solution: each removes one peg.

        Negative if the goals have more pegs than the start.
        """
        return self.start.bit_count() - self.goals[0].bit_count()

    @cached_property
    def group(self) -> Longs:
        """For each symmetry of the board that preserves the set of goals, the image of each hole.

        Shape: ``(symmetries, holes)``; the identity comes first.
        """
        goals = set(self.goals)
        return np.array(
            [s for s in self.board.symmetries if {image(s, goal) for goal in goals} == goals]
        )

    @property
    def empty_holes(self) -> list[int]:
        """The numbers, from 1, of the holes that are empty at the start."""
        return [h + 1 for h in holes_of(self.board.full ^ self.start)]


def native_board(problem: PegProblem, *, use_symmetry: bool = True) -> _native.PegBoard:
    """Return the board of a problem as an object of the native module.

    Without `use_symmetry`, the object has no symmetries except the identity.
    """
    symmetries = problem.group if use_symmetry else problem.group[:1]
    return _native.PegBoard(
        problem.board.size, problem.board.jumps.ravel().tolist(), symmetries.ravel().tolist()
    )


def single_pegs(board: Board, end: int | None = None) -> tuple[int, ...]:
    """Return all positions with one peg, or, if `end` is not None, only that with a peg in `end`.

    Holes are numbered from 1. Raise PuzzleError if there is no such hole.
    """
    if end is not None:
        return (1 << board.hole(end),)
    return tuple(1 << h for h in range(board.size))


def image(symmetry: Longs, position: int) -> int:
    """Return the image of a position; `symmetry` has the image of each hole."""
    return sum(1 << int(symmetry[h]) for h in holes_of(position))


def moved(symmetry: Longs, solution: Solution) -> Solution:
    """Return the image of a solution; `symmetry` has the image of each hole."""
    return tuple(tuple(int(symmetry[h]) for h in move) for move in solution)


def merged(jumps: list[tuple[int, int]]) -> Solution:
    """Combine jumps into moves: successive jumps of the same peg are one move.

    A jump is given by its first and last hole.

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
    """Return a solution in customary form: the holes, from 1, that the peg of each move visits.

    >>> written(((6, 1), (8, 6, 1)))
    '7-2 9-7-2'
    """
    return " ".join("-".join(str(h + 1) for h in move) for move in solution)


def problems(board: Board, start: int | None = None, end: int | None = None) -> list[PegProblem]:
    """Return the problems on a board, one for each start.

    `start`: the number, from 1, of the only empty hole; by default, the board's own start, or else
    every hole in turn. `end`: the number of the hole of the last peg; by default, the board's own
    goal, or else any hole. Raise PuzzleError if there is no such hole, or the board has only one.

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
    """Return, for each problem, the index of the first problem that a symmetry maps to it.

    Each index comes with the symmetry. All problems must have the same board and the same goals.

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


@dataclass(frozen=True)
class PegStep:
    """A move, with bit masks of its holes: all of them, and those with pegs before and after it."""

    move: Move  # the holes that the peg visits
    touched: int  # all holes that it touches
    # before, after: the holes among them that have pegs before and after it
    before: int
    after: int

    @staticmethod
    def at(hole: int) -> PegStep:
        """Return the beginning of a move: the peg in this hole has not jumped yet."""
        return PegStep((hole,), 1 << hole, 1 << hole, 1 << hole)

    def jumped(self, over: int, to: int) -> PegStep | None:
        """Return the move with one more jump, over a hole and to a hole.

        Return None if that is impossible in every position.
        """
        touched, after = self.touched, self.after
        peg = after >> over & 1 or not touched >> over & 1
        if not peg or after >> to & 1:
            return None
        return PegStep(
            (*self.move, to),
            touched | 1 << over | 1 << to,
            self.before | (not touched >> over & 1) << over,
            (after & ~(1 << over | 1 << self.move[-1])) | 1 << to,
        )


@dataclass(frozen=True, eq=False)
class PegModel:
    """A model of a problem, and the moves that its options stand for."""

    model: Model  # items and options
    # The step and the move of each option, None for options without a move
    moves: tuple[tuple[int, Move] | None, ...]

    def solution(self, assignment: list[int]) -> Solution:
        """Return the moves of an assignment, from first to last; entries of -1 are ignored."""
        made = sorted(m for o in assignment if o >= 0 and (m := self.moves[o]) is not None)
        jumps = [pair for _, move in made for pair in pairwise(move)]
        return merged(jumps)


def jump_model(problem: PegProblem) -> PegModel:
    """Return the model in which each step is one jump.

    Its solutions are the sequences of jumps from the start to the goals. Raise ModelError if the
    goals do not have fewer pegs than the start, if there are several goals and each has several
    pegs, or if the model would be too large.

    >>> from exactile.classics.peg import load_board
    >>> from exactile.counting.listing import Alternating
    >>> made = jump_model(PegProblem.vacancy(load_board("triangle-4"), 2))
    >>> made.model.items, made.model.options, Alternating().count(made.model)
    (158, 278, 14)
    """
    jumps = problem.board.jumps.tolist()
    steps = [one for a, b, c in jumps if (one := PegStep.at(a).jumped(b, c)) is not None]
    return _made(problem, steps, problem.length)


def move_model(problem: PegProblem, moves: int) -> PegModel:
    """Return the model in which each step is a move, of one or several jumps of a peg.

    Its solutions have exactly this number of moves. Raise ModelError for the same reasons as
    `jump_model`, or if `moves` is less than 1.

    >>> from exactile.classics.peg import load_board
    >>> from exactile.counting.listing import Alternating
    >>> problem = PegProblem.vacancy(load_board("triangle-4"), 2)
    >>> [Alternating().count(move_model(problem, moves).model) for moves in range(3, 9)]
    [0, 0, 2, 4, 5, 3]
    """
    return _made(problem, list(_chains(problem)), moves, chains=True)


def _chains(problem: PegProblem) -> Iterator[PegStep]:
    """Yield all moves that are possible in some position; raise ModelError for too many."""
    board, most = problem.board, problem.length
    jumps: list[list[tuple[int, int]]] = [[] for _ in range(board.size)]
    for a, b, c in board.jumps.tolist():
        jumps[a].append((b, c))
    found = 0
    chains = [PegStep.at(hole) for hole in range(board.size)]
    while chains:
        chain = chains.pop()
        if len(chain.move) > 1:
            yield chain
            found += 1
            if found > TUNING.peg_options:
                raise _too_large(board)
        if len(chain.move) <= most:
            further = (chain.jumped(over, to) for over, to in jumps[chain.move[-1]])
            chains += [one for one in further if one is not None]


def _made(
    problem: PegProblem, steps: list[PegStep], times: int, *, chains: bool = False
) -> PegModel:
    """Return the model whose solutions are sequences of `times` moves, each chosen from `steps`.

    With `chains`, successive moves of the same peg are forbidden.
    """
    _require(problem, steps, times)
    layout = _Layout(problem, times, chains)
    start, goal = problem.start, 0
    for position in problem.goals:
        goal |= position  # a peg in any of these holes; the number of pegs is right in any case
    options: list[list[int]] = []
    moves: list[tuple[int, Move] | None] = []
    for time in range(times):
        first, last = time == 0, time == times - 1
        for step in steps:
            if first and step.before != step.touched & start:
                continue
            if last and step.after & ~goal:
                continue
            options.append(layout.of_step(time, step))
            moves.append((time, step.move))
        for hole in range(problem.board.size):
            peg = start >> hole & 1
            if not (first and not peg) and not (last and not goal >> hole & 1):
                options.append(layout.keeps(time, hole))
                moves.append(None)
            if not (first and peg):
                options.append(layout.stays_empty(time, hole))
                moves.append(None)
    model = Model.of_options(options, layout.lower, layout.upper)
    return PegModel(model, tuple(moves))


def _require(problem: PegProblem, steps: list[PegStep], times: int) -> None:
    if times < 1 or problem.length < 1:
        raise ModelError("There is no jump to be made: such a problem needs no model.")
    if len(problem.goals) > 1 and problem.goals[0].bit_count() > 1:
        raise ModelError("A model has one goal, or single pegs as goals.")
    if times * (len(steps) + 2 * problem.board.size) > TUNING.peg_options:
        raise _too_large(problem.board)


def _too_large(board: Board) -> ModelError:
    return ModelError(
        f"The model of the board {board.name} would have more than {TUNING.peg_options:,} options: "
        "leave --backend out for the native search."
    )


class _Layout:
    """Numbers the items of a model, and lists those of each kind of option."""

    def __init__(self, problem: PegProblem, times: int, chains: bool) -> None:
        self._holes, self._times, self._chains = problem.board.size, times, chains
        between = self._holes * (times - 1)
        self._touch = times
        self._between = self._touch + self._holes * times
        self._stop = self._between + between
        self._left = self._stop + between
        pegs = [problem.goals[0].bit_count()] * chains
        self.lower = [1] * self._stop + [0] * (between * chains) + pegs
        self.upper = [1] * (self._stop + between * chains) + pegs

    def _of_position(self, time: int, holes: int, before: int, after: int) -> list[int]:
        """Return the items of an option of the step `time`, except those that only moves have.

        `holes`: the option's holes, as a position. `before`, `after`: the holes among them that
        have pegs before the step, and after it.
        """
        items = [self._touch + time * self._holes + h for h in holes_of(holes)]
        if time > 0:  # begins without a peg
            begin = self._between + (time - 1) * self._holes
            items += [begin + h for h in holes_of(holes & ~before)]
        if time < self._times - 1:  # leaves a peg
            items += [self._between + time * self._holes + h for h in holes_of(after)]
        elif self._chains and after:
            items.append(self._left)
        return items

    def of_step(self, time: int, step: PegStep) -> list[int]:
        items = [time, *self._of_position(time, step.touched, step.before, step.after)]
        if self._chains and time > 0:
            items.append(self._stop + (time - 1) * self._holes + step.move[0])
        if self._chains and time < self._times - 1:
            items.append(self._stop + time * self._holes + step.move[-1])
        return items

    def keeps(self, time: int, hole: int) -> list[int]:
        return self._of_position(time, 1 << hole, 1 << hole, 1 << hole)

    def stays_empty(self, time: int, hole: int) -> list[int]:
        return self._of_position(time, 1 << hole, 0, 0)
