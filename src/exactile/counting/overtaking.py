"""A memo or a front that takes over where listing would take too long."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from exactile.counting.plan import pays
from exactile.errors import CountingError
from exactile.model.model import Model
from exactile.search.case import Case
from exactile.search.handle import Handle
from exactile.search.limits import Limits
from exactile.tuning import TUNING

if TYPE_CHECKING:  # loaded when it takes over, which few searches see
    from exactile.counting.front import FrontCounter
    from exactile.counting.unlisted import UnlistedCount
    from exactile.model.condense import CountProblem


class Overtaking:
    """Watches a search that lists solutions, and takes over if that pays.

    A front is tried once. Memos are tried with more and more states, as nodes are visited and as
    more seem to be left: the number left is hard to predict at first.

    Parameters
    ----------
    case
        What is counted.
    limits
        When to stop.
    workers
        Threads.
    progress
        Called with the part that is done, once a memo or a front has taken over.

    Attributes
    ----------
    method
        The method that has taken over: ``"memo"`` or ``"front"``.
    """

    method = ""

    def __init__(
        self,
        case: Case,
        limits: Limits,
        workers: int = 1,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self._case = case
        self._limits = limits
        self._workers = workers
        self._progress = progress
        self._waiting = True
        self._states = 0 if pays(case.model) else None  # of the last memo; None if there is none
        self._mark = (0, 0.0)
        self._nodes_a_part = 0.0

    def __call__(self, search: Handle[Any]) -> UnlistedCount | None:
        """Return the counts if it has taken over; None to go on listing."""
        nodes = search.counters.get("nodes") or 0
        if (self._states is None and not self._waiting) or nodes < TUNING.front_head_start:
            return None
        left = self._left(nodes, search.done or 0.0)
        if left < TUNING.front_worth:
            return None
        if self._states is not None:
            most = min(TUNING.memo_last_states, max(left, nodes) / TUNING.cover_nodes_a_state)
            if most >= TUNING.cover_growth * self._states:
                with suppress(CountingError):
                    return self._by_memo(int(most))
        if self._waiting:
            self._waiting = False
            with suppress(CountingError):
                return self._by_front(left)
        return None

    def _by_memo(self, states: int) -> UnlistedCount:
        """Count by a memo with a limit of states."""
        from exactile.counting.memo import MemoCounting

        self.method, self._states = "memo", states
        return MemoCounting(self._case, self._limits, states, self._progress).run()

    def _by_front(self, left: float) -> UnlistedCount | None:
        """Count by a front."""
        self.method = "front"
        counter = self._counter(self._case.model, left, TUNING.front_first_nodes)
        counter.build(self._limits.left)
        return None if counter.bound is None else self._count(counter, left)

    def _left(self, nodes: int, done: float) -> float:
        """Return about how many nodes are left.

        They are as dense as those so far, or as those since there were half as many if these are
        denser: much that is done may have been done by the first few nodes.
        """
        if nodes >= 2 * self._mark[0]:
            self._nodes_a_part = _ratio(nodes - self._mark[0], done - self._mark[1])
            self._mark = nodes, done
        return (1 - done) * max(_ratio(nodes, done), self._nodes_a_part)

    def _counter(self, subject: Model | CountProblem, left: float, least: int) -> FrontCounter:
        """Return a front that takes less than the nodes that are left, or gives up in time."""
        from exactile.counting.front import FrontCounter

        return FrontCounter(
            subject,
            puzzle=self._case.puzzle,
            workers=self._workers,
            most_nodes=int(min(TUNING.front_nodes, max(least, TUNING.front_nodes_a_node * left))),
            most_entries=min(TUNING.front_entries, TUNING.front_entries_a_node * left),
            watch=self._progress,
        )

    def _count(self, first: FrontCounter, left: float) -> UnlistedCount | None:
        """Count; None if the symmetries need more than there is."""
        from exactile.counting.unlisted import UnlistedCounting

        ready = [first]

        def counter(subject: Model | CountProblem) -> FrontCounter:
            if ready:
                return ready.pop()
            return self._counter(subject, left, 4 * TUNING.front_first_nodes)

        return UnlistedCounting(self._case, counter, self._limits).run()


def _ratio(nodes: int, done: float) -> float:
    return nodes / done if done > 0 else float("inf")
