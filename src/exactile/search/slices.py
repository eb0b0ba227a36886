"""Work that is done a slice of time at a time, by the one handle: native counters, for instance."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NoReturn

from exactile.backends.base import HEARTBEAT, Batch, no_solutions
from exactile.model.orbits import Assignments
from exactile.search.handle import Handle, Problem
from exactile.search.limits import Limits


class Slices(Problem[NoReturn]):
    """Work that has no answers for a handle to read.

    `work`: works for some seconds, and returns whether all is done. `patience`: called with the
    seconds to work at a time; no slice is longer than the limits leave.
    """

    name = searcher = "work"

    def __init__(self, work: Callable[[float], bool], patience: Callable[[], float]) -> None:
        self._work, self._patience = work, patience

    def batches(self) -> Generator[Batch]:
        while not self._work(self._seconds()):
            yield Batch(no_solutions())

    def _seconds(self) -> float:
        left, patience = self.limits.left, self._patience()
        return patience if left is None else min(patience, left)

    def fault(self, rows: Assignments) -> None:
        """There are no rows."""

    def answers(self, rows: Assignments) -> list[NoReturn]:
        """There are none."""
        return []


def drive(
    work: Callable[[float], bool],
    limits: Limits | None = None,
    patience: Callable[[], float] = lambda: HEARTBEAT,
) -> str | None:
    """Work to the end or to a limit, and return which limit that was.

    `work`: works for some seconds, and returns whether all is done. `limits`: when to stop.
    `patience`: called with the seconds to work at a time.

    Examples
    --------
    >>> parts = iter([False, False, True])
    >>> drive(lambda seconds: next(parts)), drive(lambda seconds: False, Limits(0.01))
    (None, 'time limit')
    """
    with Handle(Slices(work, patience), limits) as handle:
        handle.wait()
    return handle.stopped
