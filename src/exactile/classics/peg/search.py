"""The native counts: the number of sequences, and the fewest moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactile import _native
from exactile.classics.peg import check
from exactile.classics.peg.board import holes_of
from exactile.classics.peg.check import Move, Solution
from exactile.classics.peg.limits import PegLimits
from exactile.classics.peg.problem import PegProblem, native_board
from exactile.search.handle import drive


@dataclass(frozen=True)
class SequenceNumbers:
    """The numbers of sequences of jumps; None for unknown ones."""

    sequences: int | None  # all sequences of jumps from the start to the goals
    # Those of 0, 1, 2 ... moves, where jumps of one peg in a row are one move.
    by_moves: tuple[int, ...] | None
    stopped: str | None  # why the count was stopped, None if it was finished
    # Positions visited, up to symmetry; where moves are distinguished, each as often as there are
    # pegs that can have jumped last
    positions: int


def count(
    problem: PegProblem,
    *,
    by_moves: bool = False,
    use_symmetry: bool = True,
    limits: PegLimits | None = None,
) -> SequenceNumbers:
    """Count all sequences of jumps from the start to the goals, without listing them.

    `by_moves`: whether to distinguish sequences by their numbers of moves. It takes much more
    memory. `use_symmetry`: False distinguishes positions that are images of each other. The numbers
    are the same. `limits`: time and memory. Raise BackendError if memory does not suffice.

    >>> from exactile.classics.peg import load_board
    >>> count(PegProblem.vacancy(load_board("triangle-4"), 2), by_moves=True).by_moves
    (0, 0, 0, 0, 0, 2, 4, 5, 3)
    >>> count(PegProblem.vacancy(load_board("triangle-5"), 1)).sequences
    29760
    """
    limits = limits or PegLimits()
    with limits.guarded():
        board = native_board(problem, use_symmetry=use_symmetry)
        native = _native.PegCounter(
            board, problem.start, list(problem.goals), by_moves, limits.most_bytes
        )
        stopped = drive(lambda s: limits.checked(native.run(s), native.states) == 1, limits)
    if stopped:
        return SequenceNumbers(None, None, stopped, native.states)
    numbers = [int.from_bytes(limbs.astype("<u4").tobytes(), "little") for limbs in native.totals()]
    return SequenceNumbers(sum(numbers), tuple(numbers) if by_moves else None, None, native.states)


def shortest(
    problem: PegProblem,
    *,
    both_ends: bool = True,
    use_symmetry: bool = True,
    limits: PegLimits | None = None,
) -> Shortest:
    """Return the fewest moves, and all solutions with as many.

    `both_ends`: False searches from the start alone. The answer is the same. `use_symmetry`: False
    distinguishes positions that are images of each other. The answer is the same. `limits`: time
    and memory. Raise BackendError if memory does not suffice.

    >>> from exactile.classics.peg import load_board
    >>> from exactile.classics.peg.problem import written
    >>> answer = shortest(PegProblem.vacancy(load_board("triangle-4"), 2))
    >>> answer.moves, answer.count(), [written(s) for s in answer.solutions()][0]
    (5, 2, '7-2 1-4 9-7-2 6-4-1-6 10-3')
    """
    limits = limits or PegLimits()
    with limits.guarded():
        board = native_board(problem, use_symmetry=use_symmetry)
        native = _native.PegShortest(
            board, problem.start, list(problem.goals), both_ends, limits.most_bytes
        )
        stopped = drive(lambda s: limits.checked(native.run(s), native.positions) == 1, limits)
    moves = None if stopped or native.moves < 0 else native.moves
    left = range(moves + 1) if moves is not None else ()
    return Shortest(
        problem,
        board,
        moves,
        stopped,
        tuple(frozenset(native.useful(k).tolist()) for k in left),
        {
            "positions": native.positions,
            "nodes": native.nodes,
            "levels_from_start": native.level_sizes(0),
            "levels_from_goals": native.level_sizes(1),
        },
    )


@dataclass(frozen=True, eq=False)
class Shortest:
    """The fewest moves of a problem."""

    problem: PegProblem
    native: _native.PegBoard  # its board
    # The fewest moves; None if there is no solution, or if the search was stopped
    moves: int | None
    stopped: str | None  # why the search was stopped, None if it was finished
    # The positions on shortest solutions by the number of moves left, up to symmetry
    useful: tuple[frozenset[int], ...]
    # The number of positions visited, and the sizes of the levels from both ends
    stats: dict[str, Any]

    def solutions(self) -> Iterator[Solution]:
        """Yield all solutions with a number of moves, each once, checked."""
        if self.moves is None:
            return
        problem = self.problem
        for solution in self._from(problem.start, self.moves):
            check.require(problem.board, problem.start, problem.goals, solution)
            yield solution

    def count(self, alive: Callable[[], bool] = lambda: True) -> int | None:
        """Return the number of solutions with a number of moves, without listing them.

        `alive`: called now and then; as soon as it returns False, the result is None.
        """
        if self.moves is None:
            return None if self.stopped else 0
        number = dict.fromkeys(self.useful[0], 1)
        for left in range(1, self.moves + 1):
            below = number
            number = {}
            for position in self.useful[left]:
                if not alive():
                    return None
                number[position] = sum(below[q] for _, _, q in self._moves(position, left))
        return number[self.native.canonical(self.problem.start)]

    def _from(self, position: int, left: int) -> Iterator[Solution]:
        if left == 0:
            yield ()
            return
        for move, after, _ in self._moves(position, left):
            for rest in self._from(after, left - 1):
                yield (move, *rest)

    def _moves(self, position: int, left: int) -> Iterator[tuple[Move, int, int]]:
        """Yield the moves on shortest solutions, with the position after each.

        The last value is the least image of that position.
        """
        wanted, canonical = self.useful[left - 1], self.native.canonical
        for hole in holes_of(position):
            open_moves: list[tuple[Move, int]] = [((hole,), position)]
            while open_moves:
                move, before = open_moves.pop()
                for mask, pegs, to in self._jumps[move[-1]]:
                    if before & mask == pegs:
                        after = before ^ mask
                        open_moves.append(((*move, to), after))
                        least = canonical(after)
                        if least in wanted:
                            yield (*move, to), after, least

    @cached_property
    def _jumps(self) -> list[list[tuple[int, int, int]]]:
        """The jumps of each hole: its three holes, those with pegs before, and where it ends."""
        result: list[list[tuple[int, int, int]]] = [[] for _ in range(self.problem.board.size)]
        for start, over, to in self.problem.board.jumps.tolist():
            pegs = 1 << start | 1 << over
            result[start].append((pegs | 1 << to, pegs, to))
        return result
