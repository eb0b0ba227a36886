"""The native searches: how many sequences, which ones, and the fewest moves. All are checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.errors import BackendError, PuzzleError
from exactile.peg import check
from exactile.peg.check import Solution
from exactile.peg.fewest import Shortest
from exactile.peg.problem import Problem, merged

MOST_BYTES = 4 * 2**30
"""Searches stop when their positions need so much memory, if not told otherwise."""

TIME_LIMIT = "time limit"
CANCELLED = "cancelled"


class Limits:
    """How long a search may take, and how much memory; one for several searches in a row.

    Parameters
    ----------
    time_limit
        Seconds from now.
    most_bytes
        Memory for the positions of each search.
    watch
        Called many times a second with the number of positions so far.

    Raises
    ------
    PuzzleError
        If a limit is not positive.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        most_bytes: int = MOST_BYTES,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        for name, value in (("time limit", time_limit), ("memory limit", most_bytes)):
            if value is not None and not value > 0:
                raise PuzzleError(f"A {name} of {value} makes no sense: it must be positive.")
        self.most_bytes = most_bytes
        self.watch = watch
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._cancelled = Event()

    def cancel(self) -> None:
        """Stop at the next heartbeat; may be called from any thread."""
        self._cancelled.set()

    @property
    def stopped(self) -> str | None:
        """Why there is nothing left to be used up, None if there is."""
        if self._cancelled.is_set():
            return CANCELLED
        over = self._deadline is not None and time.monotonic() >= self._deadline
        return TIME_LIMIT if over else None

    @property
    def left(self) -> float | None:
        """The seconds that are left, None if time is no limit."""
        return None if self._deadline is None else self._deadline - time.monotonic()

    def drive(self, run: Callable[[float], int], positions: Callable[[], int]) -> str | None:
        """Run a native search in slices to its end; return why it was stopped, if it was.

        Raises
        ------
        BackendError
            If memory does not suffice.
        """
        while (stopped := self.stopped) is None:
            status = run(HEARTBEAT)
            if self.watch is not None:
                self.watch(positions())
            if status == 2:
                raise BackendError(
                    f"The native search needs more than {self.most_bytes / 2**30:.1f} GiB, or than "
                    f"this machine has, after {positions():,} positions: allow it more memory, or "
                    "name the hole of the last peg."
                )
            if status == 1:
                return None
        return stopped


@dataclass(frozen=True)
class Count:
    """How many sequences of jumps there are; None for what is not known.

    Attributes
    ----------
    sequences
        All sequences of jumps from the start to the goals.
    by_moves
        Those of 0, 1, 2 ... moves, where jumps of one peg in a row are one move.
    stopped
        Why the count was stopped, None if it was finished.
    positions
        Positions that were looked at, up to symmetry; where moves are told apart, each as often as
        there are pegs that can have jumped last.
    """

    sequences: int | None
    by_moves: tuple[int, ...] | None
    stopped: str | None
    positions: int


def native_board(problem: Problem, *, use_symmetry: bool = True) -> _native.PegBoard:
    """Return the board of a problem as the native module has it."""
    symmetries = problem.group if use_symmetry else problem.group[:1]
    return _native.PegBoard(
        problem.board.size, problem.board.jumps.ravel().tolist(), symmetries.ravel().tolist()
    )


def count(
    problem: Problem,
    *,
    by_moves: bool = False,
    use_symmetry: bool = True,
    limits: Limits | None = None,
) -> Count:
    """Count all sequences of jumps from the start to the goals, without listing them.

    Parameters
    ----------
    problem
        The problem.
    by_moves
        Whether to tell sequences by their numbers of moves. It takes much more memory.
    use_symmetry
        False keeps positions apart that are images of each other. The numbers are the same.
    limits
        Time and memory.

    Raises
    ------
    BackendError
        If memory does not suffice.

    Examples
    --------
    >>> from exactile.peg import load_board
    >>> count(Problem.vacancy(load_board("triangle-4"), 2), by_moves=True).by_moves
    (0, 0, 0, 0, 0, 2, 4, 5, 3)
    >>> count(Problem.vacancy(load_board("triangle-5"), 1)).sequences
    29760
    """
    limits = limits or Limits()
    board = native_board(problem, use_symmetry=use_symmetry)
    native = _native.PegCounter(
        board, problem.start, list(problem.goals), by_moves, limits.most_bytes
    )
    stopped = limits.drive(native.run, lambda: native.states)
    if stopped:
        return Count(None, None, stopped, native.states)
    numbers = [int.from_bytes(limbs.astype("<u4").tobytes(), "little") for limbs in native.totals()]
    return Count(sum(numbers), tuple(numbers) if by_moves else None, None, native.states)


class Finder:
    """Finds sequences of jumps, one after the other; an iterator of checked solutions.

    Parameters
    ----------
    problem
        The problem.
    use_symmetry
        False enters images of positions below which there is nothing.
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
        self, problem: Problem, *, use_symmetry: bool = True, limits: Limits | None = None
    ) -> None:
        self.problem = problem
        self.stopped: str | None = None
        self.exhausted = False
        self.found = 0
        self._limits = limits or Limits()
        self._native = _native.PegFinder(
            native_board(problem, use_symmetry=use_symmetry),
            problem.start,
            list(problem.goals),
            self._limits.most_bytes,
        )

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
            Stop soon after so many nodes.
        """
        native, status = self._native, 0

        def run(seconds: float) -> int:
            nonlocal status
            status = native.run(seconds, wanted)
            over = most_nodes is not None and native.nodes >= most_nodes
            return 1 if status == 0 and (native.waiting >= wanted or over) else status

        self.stopped = self._limits.drive(run, lambda: native.nodes)
        self.exhausted = status == 1
        return not self.exhausted and self.stopped is None

    def _taken(self) -> Iterator[Solution]:
        """Yield the solutions that wait, as moves."""
        problem = self.problem
        ends = problem.board.jumps[:, [0, 2]]
        for row in self._native.take():
            solution = merged([tuple(jump) for jump in ends[row].tolist()])
            check.require(problem.board, problem.start, problem.goals, solution)
            self.found += 1
            yield solution


def find(problem: Problem, *, limits: Limits | None = None) -> Finder:
    """Return the sequences of jumps from the start to the goals, found as they are asked for.

    Examples
    --------
    >>> from exactile.peg import load_board
    >>> from exactile.peg.problem import written
    >>> solution = next(iter(find(Problem.vacancy(load_board("triangle-4"), 2))))
    >>> sum(len(move) - 1 for move in solution)
    8
    """
    return Finder(problem, limits=limits)


def shortest(
    problem: Problem,
    *,
    both_ends: bool = True,
    use_symmetry: bool = True,
    limits: Limits | None = None,
) -> Shortest:
    """Return the fewest moves, and all solutions that need no more.

    Parameters
    ----------
    problem
        The problem.
    both_ends
        False searches from the start alone. The answer is the same.
    use_symmetry
        False keeps positions apart that are images of each other. The answer is the same.
    limits
        Time and memory.

    Raises
    ------
    BackendError
        If memory does not suffice.

    Examples
    --------
    >>> from exactile.peg import load_board
    >>> from exactile.peg.problem import written
    >>> answer = shortest(Problem.vacancy(load_board("triangle-4"), 2))
    >>> answer.moves, answer.count(), [written(s) for s in answer.solutions()][0]
    (5, 2, '7-2 1-4 9-7-2 6-4-1-6 10-3')
    """
    limits = limits or Limits()
    board = native_board(problem, use_symmetry=use_symmetry)
    native = _native.PegShortest(
        board, problem.start, list(problem.goals), both_ends, limits.most_bytes
    )
    stopped = limits.drive(native.run, lambda: native.positions)
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
            "levels from the start": native.level_sizes(0),
            "levels from the goals": native.level_sizes(1),
        },
    )
