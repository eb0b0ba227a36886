"""Solutions with the fewest moves, made from the positions on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactile import _native
from exactile.classics.peg import check
from exactile.classics.peg.board import holes_of
from exactile.classics.peg.check import Move, Solution
from exactile.classics.peg.problem import PegProblem


@dataclass(frozen=True, eq=False)
class Shortest:
    """The fewest moves of a problem.

    Attributes
    ----------
    problem
        The problem.
    native
        Its board.
    moves
        The fewest moves; None if there is no solution, or if the search was stopped.
    stopped
        Why the search was stopped, None if it was finished.
    useful
        The positions on shortest solutions by the number of moves left, up to symmetry.
    stats
        The number of positions visited, and the sizes of the levels from both ends.
    """

    problem: PegProblem
    native: _native.PegBoard
    moves: int | None
    stopped: str | None
    useful: tuple[frozenset[int], ...]
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

        Parameters
        ----------
        alive
            Called now and then; as soon as it returns False, the result is None.
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
