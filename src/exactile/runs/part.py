"""The search of one part of a run, the same in every executor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exactile.backends.base import Left, Prefix, no_solutions
from exactile.backends.exploration import Exploration
from exactile.clock import CLOCK
from exactile.counting.shares import ShareTally
from exactile.errors import WorkError
from exactile.model.orbits import Assignments
from exactile.runs.executor import PartResult, RunPart, RunWork, own_version
from exactile.runs.levels import LevelShares
from exactile.search.search import Search
from exactile.tuning import TUNING

RUN_PATIENCE = 8.0
"""Factor by which a search may exceed the seconds of its part.

It is used only if the backend cannot report the prefixes that are left.
"""

RUN_SOLUTIONS = 500_000
"""Number of solutions after which the search of a part stops; the rest becomes new parts."""


class Searcher:
    """Searches parts of a run, one after the other.

    `workers`: number of threads of the backend. Raise WorkError if the version of exactile, or the
    model that this process makes of the puzzle, differs from that of the run.

    Examples
    --------
    >>> import exactile
    >>> searcher = Searcher(RunWork.of(exactile.load("soma-cube")))
    >>> first = searcher.search(RunPart(1, searcher.case.starts, 1e-9))
    >>> second = searcher.search(RunPart(2, first.left, 60.0))
    >>> sum(share.raw for part in (first, second) for share in part.shares.values())
    11520
    """

    def __init__(self, work: RunWork, workers: int = 1) -> None:
        if work.version != own_version():
            raise WorkError(
                f"This worker has exactile {own_version()}, but the run belongs to "
                f"{work.version}: install the same version everywhere."
            )
        self.work = work
        self.case = work.case
        self._workers = workers
        if self.case.digest != work.model:
            raise WorkError(
                f"This worker makes another model of {self.case.puzzle.name} than the run has: "
                "install the same exactile everywhere."
            )

    def search(self, part: RunPart, stopped: Callable[[], bool] = lambda: False) -> PartResult:
        """Search a part until its seconds have passed, and return the result.

        The search also ends after `RUN_SOLUTIONS` solutions or the limit of the run, or if
        `stopped` returns True at a heartbeat. A backend that cannot report the prefixes that are
        left goes on until `stopped` returns True or `RUN_PATIENCE` times the seconds of the part
        have passed. If it is still unfinished then, its solutions are dropped, the prefixes of the
        part are split by `cut`, and `too_large` is set in the result. If `stopped` returns True
        while solutions are being taken apart, the result has no solutions, and all prefixes of the
        part are left.

        Raise CheckFailedError if a solution is wrong, BackendError if the backend is missing or
        fails.
        """
        begun = CLOCK.now()
        account = _Account(self, part)
        with self._of(part.prefixes) as search:
            for rows in search.batches():
                if not account.add(search, rows, stopped):
                    return account.nothing(part.prefixes)
                seconds = CLOCK.now() - begun
                if not (seconds >= part.seconds or stopped() or self._enough(account.found)):
                    continue
                if (left := search.left) is not None:
                    if not left.rows:  # all solutions found so far are counted
                        break
                elif stopped() or seconds >= RUN_PATIENCE * part.seconds:
                    search.close()
                    cut = self.cut(part, TUNING.run_pieces)
                    return cut._replace(too_large=True, seconds=account.seconds)
            left = search.left
            return account.result([] if left is None else left.prefixes, search.stats["nodes"])

    def cut(self, part: RunPart, pieces: int) -> PartResult:
        """Split the prefixes of a part into `pieces` or more, or fewer if its search tree is small.

        The new prefixes are `left` in the result, which also has the solutions found meanwhile.
        Raise CheckFailedError if a solution is wrong, BackendError if the backend is missing.
        """
        account = _Account(self, part)
        exploration = Exploration(self.case.asked, prefixes=part.prefixes)
        left = exploration.split(pieces)
        exploration.prefixes = []
        found = [[o for o in row if o >= 0] for row in exploration.run().tolist()]
        with self._of([], found) as search:
            for rows in search.batches():
                account.add(search, rows)
        return account.result(left, exploration.nodes)

    def _of(self, prefixes: list[Prefix], found: list[list[int]] | None = None) -> Search:
        return Search(
            self.case,
            backend=self.work.backend,
            workers=self._workers,
            use_reasons=False,
            images=False,
            left=Left(prefixes, found or [], self.case.digest, self.work.symmetric, images=False),
        )

    def levels(self) -> LevelShares | None:
        """Return a new counter of solutions by level; None if solutions are not taken apart."""
        if self.work.apart is None:
            return None
        return LevelShares(self.case, self.work.apart, symmetric=self.work.symmetric)

    def _enough(self, found: int) -> bool:
        limit = RUN_SOLUTIONS
        return found >= (limit if self.work.limit is None else min(limit, self.work.limit))


class _Account:
    """The account of the search of one part: its counts, solutions and processor time."""

    def __init__(self, searcher: Searcher, part: RunPart) -> None:
        self.found = 0
        self._number = part.number
        self._keep = searcher.work.keep
        self._kept: list[Assignments] = []
        self._counter = ShareTally(searcher.case)
        self._levels = searcher.levels()
        self._begun = CLOCK.worked()

    @property
    def seconds(self) -> float:
        """Processor time of this search so far."""
        return CLOCK.worked() - self._begun

    def add(
        self, search: Search, rows: Assignments, stopped: Callable[[], bool] = lambda: False
    ) -> bool:
        """Count a batch of checked solutions, and keep them if the run keeps solutions.

        If the run takes solutions apart, count them by level, and keep only those that come apart.
        Return False if `stopped` returns True before all solutions are counted. If no solutions are
        taken apart, `stopped` is not called.
        """
        if not len(rows):
            return True
        if self._levels is None:
            self._counter.add(rows, search.multiples(rows))
        elif (apart := self._levels.add(rows, stopped)) is None:
            return False
        else:
            rows = apart
        self.found += len(rows)
        if self._keep and len(rows):
            self._kept.append(rows)
        return True

    def nothing(self, left: list[Prefix]) -> PartResult:
        """Return a result without solutions; `left`: all prefixes of the part."""
        return PartResult(self._number, left, {}, None, 0, 0, self.seconds)

    def result(self, left: list[Prefix], nodes: int | None) -> PartResult:
        return PartResult(
            self._number,
            left,
            self._counter.shares if self._levels is None else self._levels.shares,
            _together(self._kept) if self._keep else None,
            self.found,
            nodes or 0,
            self.seconds,
        )


def _together(kept: list[Assignments]) -> Assignments:
    """Join batches of solutions into one array; shorter rows are padded with -1."""
    width = max((rows.shape[1] for rows in kept), default=0)
    padded = [np.pad(r, ((0, 0), (0, width - r.shape[1])), constant_values=-1) for r in kept]
    return np.concatenate(padded) if padded else no_solutions()
