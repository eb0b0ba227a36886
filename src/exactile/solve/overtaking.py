"""A front that takes over where listing would take too long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from exactile.errors import CountingError
from exactile.model.model import Model
from exactile.solve.case import Case
from exactile.solve.handle import Handle
from exactile.solve.limits import Limits
from exactile.tuning import TUNING

if TYPE_CHECKING:  # loaded when it takes over, which few searches see
    from exactile.model.condense import CountProblem
    from exactile.solve.front import FrontCounter
    from exactile.solve.unlisted import UnlistedCount


class Overtaking:
    """Watches a search that lists solutions, and takes over once if that pays.

    Parameters
    ----------
    case
        What is counted.
    limits
        When to stop.
    workers
        Threads.
    progress
        Called with the part that is done, once it has taken over.
    """

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
        self._mark = (0, 0.0)
        self._nodes_a_part = 0.0

    def __call__(self, search: Handle[Any]) -> UnlistedCount | None:
        """Return the counts if it has taken over; None to go on listing."""
        nodes = search.counters.get("nodes") or 0
        if not self._waiting or nodes < TUNING.front_head_start:
            return None
        left = self._left(nodes, search.done or 0.0)
        if left < TUNING.front_worth:
            return None
        self._waiting = False
        try:
            counter = self._counter(self._case.model, left, TUNING.front_first_nodes)
            counter.build(self._limits.left)
            return None if counter.bound is None else self._count(counter, left)
        except CountingError:
            return None

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
        from exactile.solve.front import FrontCounter

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
        from exactile.solve.unlisted import UnlistedCounting

        ready = [first]

        def counter(subject: Model | CountProblem) -> FrontCounter:
            if ready:
                return ready.pop()
            return self._counter(subject, left, 4 * TUNING.front_first_nodes)

        return UnlistedCounting(self._case, counter, self._limits).run()


def _ratio(nodes: int, done: float) -> float:
    return nodes / done if done > 0 else float("inf")
