"""Finds sequences of jumps, one after the other, with restarts until there is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from exactile import _native
from exactile.peg import check
from exactile.peg.board import Board
from exactile.peg.check import Solution
from exactile.peg.limits import Limits
from exactile.peg.problem import Problem, merged, native_board
from exactile.tuning import TUNING

ENDLESS = 2**63

NOISE = 0.5
"""How much later orders differ from the first one, by the spread of its keys."""


class Finder:
    """Finds sequences of jumps, one after the other; an iterator of checked solutions.

    Parameters
    ----------
    problem
        The problem.
    use_symmetry
        False enters images of positions below which there is nothing.
    restarts
        False keeps to one order of the jumps. The solutions are the same, in another order.
    limits
        Time and memory.

    Attributes
    ----------
    stopped
        Why the search was stopped, None if it was not.
    exhausted
        Whether all sequences have been found.
    found
        How many have been.

    Examples
    --------
    >>> from exactile.peg import load_board
    >>> finder = Finder(Problem.vacancy(load_board("triangle-4"), 2))
    >>> len(list(finder)), finder.exhausted
    (14, True)
    """

    AT_ONCE = 256

    def __init__(
        self,
        problem: Problem,
        *,
        use_symmetry: bool = True,
        restarts: bool = True,
        limits: Limits | None = None,
    ) -> None:
        self.problem = problem
        self.stopped: str | None = None
        self.exhausted = False
        self.found = 0
        self._limits = limits or Limits()
        with self._limits.memory():
            self._native = _native.PegFinder(
                native_board(problem, use_symmetry=use_symmetry),
                problem.start,
                list(problem.goals),
                self._limits.most_bytes,
            )
        self._runs = 0
        self._run_end = TUNING.peg_first_run if restarts else ENDLESS
        self._native.restart(jump_order(problem.board))

    @property
    def waiting(self) -> int:
        """Solutions that are found and not yet taken."""
        return int(self._native.waiting)

    @property
    def stats(self) -> dict[str, Any]:
        """Jumps that were tried, and positions below which there is nothing."""
        return {"nodes": self._native.nodes, "dead": self._native.dead}

    def __iter__(self) -> Iterator[Solution]:
        at_once = 1  # the first one as soon as possible
        while self.advance(at_once):
            yield from self._taken()
            at_once = self.AT_ONCE
        yield from self._taken()

    def advance(self, wanted: int = 1, most_nodes: int | None = None) -> bool:
        """Search until so many solutions wait; return whether anything is left to be searched.

        Parameters
        ----------
        wanted
            The number of solutions.
        most_nodes
            Stop at so many nodes in all.
        """
        native, status = self._native, 0
        most = ENDLESS if most_nodes is None else most_nodes

        def run(seconds: float) -> int:
            nonlocal status
            status = native.run(seconds, wanted, min(most, self._run_end))
            if status == 0 and not native.waiting and native.nodes >= self._run_end:
                self._restart()
            enough = native.waiting >= wanted or native.nodes >= most
            return 1 if status == 0 and enough else status

        self.stopped = self._limits.drive(run, lambda: native.nodes)
        self.exhausted = status == 1
        if native.waiting:
            self._run_end = ENDLESS
        return not self.exhausted and self.stopped is None

    def _restart(self) -> None:
        """Go on in another order of the jumps; what leads nowhere is not entered again."""
        self._runs += 1
        self._run_end += int(TUNING.peg_first_run * TUNING.peg_growth**self._runs)
        self._native.restart(jump_order(self.problem.board, self._runs))

    def _taken(self) -> Iterator[Solution]:
        """Yield the solutions that wait, as moves."""
        problem = self.problem
        ends = problem.board.jumps[:, [0, 2]]
        for row in self._native.take():
            solution = merged([tuple(jump) for jump in ends[row].tolist()])
            check.require(problem.board, problem.start, problem.goals, solution)
            self.found += 1
            yield solution


def jump_order(board: Board, seed: int = 0) -> list[int]:
    """Return the order in which jumps are tried: those first that bring pegs to the middle.

    Parameters
    ----------
    board
        The board.
    seed
        0 for this order, other numbers for others that are alike.

    Examples
    --------
    >>> from exactile.peg import load_board
    >>> board = load_board("triangle-3")
    >>> sorted(jump_order(board)) == sorted(jump_order(board, seed=1)) == list(range(6))
    True
    """
    places = np.array(board.holes) @ np.array(board.grid.embedding)
    far = ((places - places.mean(axis=0)) ** 2).sum(axis=1).round(9)
    start, over, end = board.jumps.T
    keys = far[end] - far[start] - far[over]
    if seed and len(keys):
        keys = keys + NOISE * keys.std() * np.random.default_rng(seed).normal(size=len(keys))
    return [int(k) for k in np.argsort(keys, kind="stable")]
