"""The loop of a run: parts are given out, and what came of them is written down."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from heapq import heapify, heappop, heappush

from exactile.backends.base import HEARTBEAT, Prefix
from exactile.errors import WorkError
from exactile.run.executor import Executor, PartLost, PartResult, RunPart
from exactile.solve.limits import Limits
from exactile.store import Store, StoredPart, Totals
from exactile.store.records import RunSession
from exactile.tuning import TUNING


class Driver:
    """Whoever drives a run in a store.

    Parameters
    ----------
    store, number
        The run.
    executor
        Who searches, started.
    on
        What the executor is called.

    Attributes
    ----------
    waiting
        The parts that wait.
    given
        The parts that somebody has, by number.
    totals
        What is found so far, as it is in the store.
    """

    def __init__(self, store: Store, number: int, executor: Executor, on: str) -> None:
        self.store, self.number, self.executor = store, number, executor
        self.totals = store.run(number).totals
        self.given: dict[int, StoredPart] = {}
        self._waiting = [(-part.weight, part) for part in store.parts(number) if not gone(part)]
        heapify(self._waiting)
        self._session = own_session(on, executor.alive)
        self._session.left_before = self._session.left = self.left
        self._key = store.begin_session(number, self._session)

    @property
    def seconds(self) -> float:
        """For how long this process is at it."""
        return time.time() - self._session.begun

    @property
    def waiting(self) -> int:
        """How many parts wait."""
        return len(self._waiting)

    @property
    def left(self) -> float:
        """Which part of the search is left, from 0 to 1, if all branches were alike."""
        return sum(p.weight for p in self.given.values()) + sum(-w for w, _ in self._waiting)

    def drive(
        self, limits: Limits, most: int | None = None, watch: Callable[[], None] | None = None
    ) -> str | None:
        """Search until nothing is left or a limit is reached; return which one, if one is.

        Raises
        ------
        WorkError
            If workers refuse the work.
        """
        stopped = None
        while self.given or self._waiting:
            stopped = limits.reached()
            if stopped or (most is not None and self.totals.found >= most):
                break
            while self._waiting and len(self.given) < self.executor.ahead:
                self._give()
            self._take(HEARTBEAT)
            if watch is not None:
                watch()
        self._end()
        return stopped

    def _end(self) -> None:
        """Let workers end, and take what they give back soon."""
        self.executor.stop()
        patience = time.monotonic() + TUNING.run_farewell
        while self.given and time.monotonic() < patience:
            self._take(HEARTBEAT)

    def _give(self) -> None:
        _, part = heappop(self._waiting)
        enough = len(self._waiting) + len(self.given) >= 2 * self.executor.parallel
        seconds = TUNING.run_part if enough else TUNING.run_short_part
        prefixes = self.store.prefixes(self.number, part.number)
        self.given[part.number] = part
        self.executor.give(RunPart(part.number, prefixes, seconds))

    def _take(self, seconds: float) -> None:
        result = self.executor.take(seconds)
        if result is None:
            return
        part = self.given.pop(result.number, None)
        if part is None:  # told twice: the first one counts
            return
        if isinstance(result, PartLost):
            self._lose(part, result)
        else:
            self._settle(result)

    def _settle(self, result: PartResult) -> None:
        """Write down what came of a part."""
        found = found_in(result)
        short = 2 * self.executor.ahead - len(self._waiting)
        left = shared_out(result.left, max(short, 1))
        self._session.nodes += result.nodes
        self._session.alive, self._session.seen = self.executor.alive, time.time()
        self._session.left = self.left + sum(prefix.weight for prefix in result.left)
        session = (self._key, self._session)
        for part in self.store.settle(
            self.number, result.number, left, found, result.rows, session
        ):
            heappush(self._waiting, (-part.weight, part))
        self.totals.add(found)

    def _lose(self, part: StoredPart, result: PartLost) -> None:
        """Let a part that was lost be tried once more, or give it up."""
        if not result.again:
            raise WorkError(result.cause)
        self.store.lose(self.number, part.number, result.cause)
        part = part._replace(lost=part.lost + 1, cause=result.cause)
        if not gone(part):
            heappush(self._waiting, (-part.weight, part))


def own_session(on: str, workers: int) -> RunSession:
    """Return what a store is told of this process."""
    now = time.time()
    return RunSession(socket.gethostname(), os.getpid(), on, workers, now, workers, now)


def found_in(result: PartResult) -> Totals:
    """Return what was found in a part, as it is written down."""
    return Totals(result.shares, result.found, result.nodes, result.seconds)


def gone(part: StoredPart) -> bool:
    """Return whether a part is given up."""
    return part.lost >= TUNING.process_tries


def shared_out(prefixes: list[Prefix], most: int) -> list[list[Prefix]]:
    """Return prefixes in at most so many groups of about equal weights.

    Examples
    --------
    >>> weights = [0.5, 0.25, 0.125, 0.125]
    >>> groups = shared_out([Prefix((n,), w) for n, w in enumerate(weights)], 2)
    >>> [[p.path for p in group] for group in groups]
    [[(0,)], [(1,), (2,), (3,)]]
    """
    groups: list[tuple[float, int, list[Prefix]]] = [(0.0, n, []) for n in range(most)]
    for prefix in sorted(prefixes, key=lambda p: -p.weight):
        weight, number, group = heappop(groups)
        group.append(prefix)
        heappush(groups, (weight + prefix.weight, number, group))
    return [group for _, _, group in sorted(groups, key=lambda g: g[1]) if group]
