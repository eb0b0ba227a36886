"""Finds sequences of jumps, one after the other, with restarts until there is one."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import pairwise

import numpy as np

from exactile import _native
from exactile.backends.base import HEARTBEAT, Batch, no_solutions
from exactile.classics.peg import check
from exactile.classics.peg.board import Board
from exactile.classics.peg.check import Solution
from exactile.classics.peg.limits import PegLimits
from exactile.classics.peg.problem import PegProblem, merged, native_board
from exactile.model.orbits import Assignments
from exactile.search import handle
from exactile.search.cover import stacked

PEG_FIRST_RUN = 100_000
"""Jumps tried before another order of jumps."""

PEG_GROWTH = 1.1
"""Factor by which each further run is longer."""


ENDLESS = 2**63

AT_ONCE = 256
"""Number of solutions to look for at a time, after the first one."""

NOISE = 0.5
"""How much later orders differ from the first one, relative to the spread of its keys."""


class Sequences(handle.Problem[Solution]):
    """Solutions of peg solitaire; a row has the numbers of the jumps, padded with -1.

    Subclasses find them.
    """

    def __init__(self, problem: PegProblem) -> None:
        self.problem = problem
        self.name = f"the board {problem.board.name}"
        ends = problem.board.jumps[:, [0, 2]].tolist()
        self._ends = [(begin, end) for begin, end in ends]
        self._numbers = {pair: number for number, pair in enumerate(self._ends)}

    @property
    def searcher(self) -> str:
        return "A search"

    def answers(self, rows: Assignments) -> list[Solution]:
        return [merged([self._ends[jump] for jump in row if jump >= 0]) for row in rows.tolist()]

    def rows(self, solutions: Iterable[Solution]) -> Assignments:
        """Return solutions as rows."""
        numbers = [[self._numbers[p] for move in s for p in pairwise(move)] for s in solutions]
        return stacked(numbers)

    def fault(self, rows: Assignments) -> handle.Fault | None:
        problem = self.problem
        for number, solution in enumerate(self.answers(rows)):
            if words := check.fault(problem.board, problem.start, problem.goals, solution):
                return handle.Fault(number, [words])
        return None


class Native(Sequences):
    """Sequences of jumps as the native search finds them."""

    def __init__(
        self,
        problem: PegProblem,
        limits: PegLimits,
        *,
        use_symmetry: bool = True,
        restarts: bool = True,
    ) -> None:
        super().__init__(problem)
        self._limits = limits
        with limits.guarded():
            self._native = _native.PegFinder(
                native_board(problem, use_symmetry=use_symmetry),
                problem.start,
                list(problem.goals),
                limits.most_bytes,
            )
        self._runs = 0
        self._run_end = PEG_FIRST_RUN if restarts else ENDLESS
        self._native.restart(jump_order(problem.board))

    @property
    def nodes(self) -> int:
        """Jumps that were tried."""
        return int(self._native.nodes)

    def batches(self, pause: int = ENDLESS) -> Generator[Batch]:
        """Yield what is found; every `pause` nodes there is a batch, which may be empty."""
        native, status, wanted = self._native, 0, 1  # the first one as soon as possible
        while status != 1:
            most = min(pause if native.nodes < pause else ENDLESS, self._run_end)
            status = self._limits.checked(native.run(HEARTBEAT, wanted, most), native.nodes)
            rows = no_solutions()
            if native.waiting:
                rows = native.take()
                self._run_end, wanted = ENDLESS, AT_ONCE
            elif status == 0 and native.nodes >= self._run_end:
                self._restart()
            yield Batch(rows, {"nodes": native.nodes, "dead": native.dead})

    def _restart(self) -> None:
        """Continue in another order of the jumps; dead ends are not entered again."""
        self._runs += 1
        self._run_end += int(PEG_FIRST_RUN * PEG_GROWTH**self._runs)
        self._native.restart(jump_order(self.problem.board, self._runs))


class Finder(handle.Handle[Solution]):
    """Finds sequences of jumps, one after the other; an iterator of checked solutions.

    See `exactile.search.handle.Handle`.

    `use_symmetry`: False enters images of positions known to be dead ends. `restarts`: False keeps
    to one order of the jumps. The solutions are the same, in another order. `limits`: time and
    memory.

    >>> from exactile.classics.peg import load_board
    >>> finder = Finder(PegProblem.vacancy(load_board("triangle-4"), 2))
    >>> len(list(finder)), finder.status.final
    (14, True)
    """

    def __init__(
        self,
        problem: PegProblem,
        *,
        use_symmetry: bool = True,
        restarts: bool = True,
        limits: PegLimits | None = None,
    ) -> None:
        limits = limits or PegLimits()
        found = Native(problem, limits, use_symmetry=use_symmetry, restarts=restarts)
        super().__init__(found, limits)


def jump_order(board: Board, seed: int = 0) -> list[int]:
    """Return an order in which jumps are tried: those first that bring pegs to the middle.

    `seed`: 0 for this order, other numbers for similar ones.

    >>> from exactile.classics.peg import load_board
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
