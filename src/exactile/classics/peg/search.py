"""Native searches for sequences of jumps, for their number, and for the fewest moves."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from exactile import _native
from exactile.backends.base import HEARTBEAT, Batch, no_solutions
from exactile.classics.peg import check
from exactile.classics.peg.board import Board, holes_of
from exactile.classics.peg.check import Move, Solution
from exactile.classics.peg.problem import PegProblem, merged, native_board
from exactile.errors import BackendError
from exactile.model.condense import as_int
from exactile.model.orbits import Assignments
from exactile.search import handle
from exactile.search.cover import stacked
from exactile.search.handle import drive
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from exactile.wanted import size_text


class PegLimits(Limits):
    """Limits of time and memory, shared by successive searches.

    `time_limit`: seconds from the beginning of the first search; None for no limit. `most_bytes`:
    memory for the positions of each search, by default `Tuning.memory_bytes`. `watch`: called many
    times a second with the number of positions visited, jumps tried, or solutions of a model found.
    Raise PuzzleError if a limit is not positive.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        most_bytes: int | None = None,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        most_bytes = TUNING.memory_bytes if most_bytes is None else most_bytes
        super().__init__(time_limit, memory_limit=most_bytes)
        self.most_bytes = most_bytes
        self.watch = watch

    def checked(self, status: int, positions: int) -> int:
        """Pass the progress of a native search to `watch`, and return the search's status.

        Status 1 means that the search has ended. Raise BackendError for status 2: memory did not
        suffice.
        """
        if self.watch is not None:
            self.watch(positions)
        if status == 2:
            raise self._exceeded(f", after {positions:,} positions")
        return status

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Convert a MemoryError from the block to a BackendError that states what to do."""
        try:
            yield
        except MemoryError:
            raise self._exceeded("") from None

    def _exceeded(self, when: str) -> BackendError:
        return BackendError(
            f"The native search needs more than {size_text(self.most_bytes)}, or than this "
            f"machine has{when}: allow it more memory, or ask for less, such as one end."
        )


@dataclass(frozen=True)
class SequenceNumbers:
    """The number of sequences of jumps, in total and by number of moves.

    A number is None if it is unknown or was not requested.
    """

    sequences: int | None  # all sequences of jumps from the start to the goals
    # Those of 0, 1, 2 ... moves, where jumps of one peg in a row are one move.
    by_moves: tuple[int, ...] | None
    stopped: str | None  # why the count was stopped, None if it was finished
    # Positions visited, up to symmetry; if moves are counted, each counts once for every peg that
    # can have jumped last
    positions: int


def count(
    problem: PegProblem,
    *,
    by_moves: bool = False,
    use_symmetry: bool = True,
    limits: PegLimits | None = None,
) -> SequenceNumbers:
    """Count all sequences of jumps from the start to the goals, without listing them.

    `by_moves`: whether to count sequences by their number of moves as well, which takes much more
    memory. `use_symmetry`: whether positions that are images of each other are treated as one,
    which is faster and gives the same numbers. `limits`: time and memory; None for the defaults of
    `PegLimits`. Raise BackendError if memory does not suffice.

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
    numbers = [as_int(limbs) for limbs in native.totals()]
    return SequenceNumbers(sum(numbers), tuple(numbers) if by_moves else None, None, native.states)


def shortest(
    problem: PegProblem,
    *,
    both_ends: bool = True,
    use_symmetry: bool = True,
    limits: PegLimits | None = None,
) -> Shortest:
    """Find the fewest moves that solve a problem, and all solutions with that number of moves.

    `both_ends`: whether to search from the start and the goals at once. `use_symmetry`: whether
    positions that are images of each other are treated as one. Either makes the search faster, and
    the answer is the same. `limits`: time and memory; None for the defaults of `PegLimits`. Raise
    BackendError if memory does not suffice.

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
    """The fewest moves that solve a problem, and the solutions with that number."""

    problem: PegProblem
    native: _native.PegBoard  # its board
    # The fewest moves; None if there is no solution, or if the search was stopped
    moves: int | None
    stopped: str | None  # why the search was stopped, None if it was finished
    # The positions on shortest solutions by the number of moves left, up to symmetry
    useful: tuple[frozenset[int], ...]
    # The numbers of positions and nodes visited, and the sizes of the levels from both ends
    stats: dict[str, Any]

    def solutions(self) -> Iterator[Solution]:
        """Yield all solutions with the fewest moves, each once, checked."""
        if self.moves is None:
            return
        problem = self.problem
        for solution in self._from(problem.start, self.moves):
            check.require(problem.board, problem.start, problem.goals, solution)
            yield solution

    def count(self, alive: Callable[[], bool] = lambda: True) -> int | None:
        """Return the number of solutions with the fewest moves, without listing them.

        None if the search was stopped. `alive`: called repeatedly; if it returns False, the count
        stops and the result is None.
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
        """Yield the moves from a position that belong to shortest solutions.

        With each move comes the position after it, and the least image of that position under the
        symmetries. `left` is the number of moves from `position` to a goal.
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
        """The jumps from each hole.

        A jump is a mask of its three holes, a mask of the two that need pegs, and its last hole.
        """
        result: list[list[tuple[int, int, int]]] = [[] for _ in range(self.problem.board.size)]
        for start, over, to in self.problem.board.jumps.tolist():
            pegs = 1 << start | 1 << over
            result[start].append((pegs | 1 << to, pegs, to))
        return result


PEG_FIRST_RUN = 100_000
"""Number of jumps that a search tries before it changes the order of jumps for the first time."""

PEG_GROWTH = 1.1
"""Factor by which the number of jumps tried in one order grows from each order to the next."""


ENDLESS = 2**63

AT_ONCE = 256
"""Number of solutions that the native search collects before it returns them.

It returns the first solution at once.
"""

NOISE = 0.5
"""Standard deviation of the noise that changes the order of jumps.

It is relative to the standard deviation of the keys by which the jumps are sorted.
"""


class Sequences(handle.Problem[Solution]):
    """The problem of finding sequences of jumps; subclasses do the search.

    Sequences are rows of an array: the numbers of the jumps, from first to last, padded with -1.
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
        """Return solutions as an array: the numbers of their jumps, padded with -1."""
        numbers = [[self._numbers[p] for move in s for p in pairwise(move)] for s in solutions]
        return stacked(numbers)

    def fault(self, rows: Assignments) -> handle.Fault | None:
        problem = self.problem
        for number, solution in enumerate(self.answers(rows)):
            if words := check.fault(problem.board, problem.start, problem.goals, solution):
                return handle.Fault(number, [words])
        return None


class Native(Sequences):
    """Finds sequences of jumps by the native search; for the parameters see `Finder`."""

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
        """Number of jumps tried so far."""
        return int(self._native.nodes)

    def batches(self, pause: int = ENDLESS) -> Generator[Batch]:
        """Yield solutions in batches, some of them empty.

        A batch also ends when `pause` jumps have been tried in all, so that the caller can then
        change its plan.
        """
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
        """Begin again with another order of the jumps; known dead ends are skipped."""
        self._runs += 1
        self._run_end += int(PEG_FIRST_RUN * PEG_GROWTH**self._runs)
        self._native.restart(jump_order(self.problem.board, self._runs))


class Finder(handle.Handle[Solution]):
    """A search for sequences of jumps: an iterator of checked solutions.

    See `exactile.search.handle.Handle`.

    `use_symmetry`: whether images of known dead ends are skipped. `restarts`: whether the order of
    jumps changes from time to time. Both change only the order of the solutions. `limits`: time and
    memory; None for the defaults of `PegLimits`. Raise BackendError if memory does not suffice.

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
    """Return the numbers of the jumps in the order in which a search tries them.

    Jumps that bring pegs toward the middle come first. `seed`: 0 for this order, another number for
    a random variation of it.

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
