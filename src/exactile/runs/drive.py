"""The loop of a run: it gives parts to workers and stores their results.

Parts should be small, so that all workers end at about the same time, but large enough to be worth
sending. The size of a part is unknown before it is searched. So each part gets a number of seconds.
If that is not enough, the worker returns the prefixes that are left, which become new parts.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import ceil
from random import Random
from typing import NamedTuple

import numpy as np

from exactile.backends.base import Prefix
from exactile.clock import CLOCK
from exactile.errors import ExactileError, FileError, WorkError
from exactile.runs.executor import Executor, PartLost, PartResult, RunPart
from exactile.runs.part import Searcher
from exactile.runs.store import Store, StoredPart, Totals
from exactile.runs.store.records import RunSession
from exactile.search.handle import drive
from exactile.search.limits import Limits
from exactile.tuning import TUNING

RUN_PLENTY = 4.0
"""Number of waiting parts per worker below which an unfinished part is split into several."""

RUN_RESULTS = 50.0
"""Largest number of results per second that one process can store.

With many workers, parts get more seconds, so that this number is not exceeded.
"""


def budget(waiting: int, parallel: int) -> float:
    """Return the number of seconds for which a worker searches a part.

    `waiting`: number of other parts that no worker has yet. If it is small, the time is short, so
    that at the beginning every worker soon gets a part, and near the end the workers share the last
    parts. `parallel`: number of parts searched at a time. If it is large, the time is longer, since
    one process stores all results.

    Examples
    --------
    >>> budget(100, 4), budget(4, 4), budget(10**6, 10_000)
    (2.0, 0.5, 200.0)
    """
    longest = max(1.0, parallel / (RUN_RESULTS * TUNING.run_seconds))
    plenty = waiting / (RUN_PLENTY * parallel)
    return longest * max(TUNING.run_short_seconds, min(1.0, plenty) * TUNING.run_seconds)


def dealt(left: Sequence[Prefix], waiting: int, parallel: int) -> list[list[Prefix]]:
    """Divide `left`, the prefixes that are left of a part, into new parts.

    `waiting`: number of other parts that wait for the `parallel` workers. The number of new parts
    is `RUN_PLENTY` times `parallel`, minus `waiting`; but it is at least 1, and at most the number
    of prefixes and `Tuning.run_pieces`. If `left` is empty, there are no new parts.

    Examples
    --------
    >>> left = [Prefix((0,), 0.25), Prefix((1, 2), 0.125), Prefix((1, 3), 0.125)]
    >>> [len(part) for part in dealt(left, 100, 1)]
    [3]
    >>> [len(part) for part in dealt(left, 2, 1)]
    [2, 1]
    """
    missing = int(RUN_PLENTY * parallel) - waiting
    return in_groups(left, min(missing, TUNING.run_pieces))


def in_groups(prefixes: Sequence[Prefix], groups: int) -> list[list[Prefix]]:
    """Divide prefixes into at most `groups` groups, dealing them out in turn, the heaviest first.

    No group is empty; without prefixes, there is no group. If `groups` is below 1, it counts as 1.

    Examples
    --------
    >>> prefixes = [Prefix((0,), 0.25), Prefix((1, 2), 0.125), Prefix((1, 3), 0.125)]
    >>> [[p.path for p in group] for group in in_groups(prefixes, 2)]
    [[(0,), (1, 3)], [(1, 2)]]
    """
    groups = max(1, min(len(prefixes), groups))
    heaviest = sorted(prefixes, key=lambda p: -p.weight)
    return [heaviest[k::groups] for k in range(groups)] if prefixes else []


RUN_FAREWELL = 5.0
"""Seconds to wait for the last results of workers when a run is stopped."""

RUN_FAMILIES = 500
"""Largest number of families into which a run is cut, apart from rounding: see `Families`.

There may be a few more, because each old part is cut into a whole number of new ones.
"""


class Driver:
    """Gives the parts of a stored run to an executor, and stores the results.

    What workers leave of a part is searched before parts that have not begun, so that the remaining
    time can be estimated: see `Families`.

    `number` is that of the run in `store`, which must be open for writing. `executor` must be
    started; `on` is its name for status lines. `searcher` makes the `Searcher` that cuts parts in
    this process. Making a driver records a new session in the store.
    """

    def __init__(
        self,
        store: Store,
        number: int,
        executor: Executor,
        on: str,
        searcher: Callable[[], Searcher],
    ) -> None:
        self.store, self.number, self.executor = store, number, executor
        record = store.run(number)
        self.totals, self._whole = record.totals, record.whole
        self.given: dict[int, StoredPart] = {}  # parts that workers have, by number
        self._searcher = searcher
        self._cut = False
        self._random = Random(0)  # noqa: S311
        self._begin([part for part in store.parts(number) if not gone(part)])
        self._begun, self._session = CLOCK.now(), own_session(on, executor.alive)
        self._session.left_before = self._session.left = self.left
        self._key = store.begin_session(number, self._session)

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since this driver began, even if the date was changed."""
        return CLOCK.now() - self._begun

    @property
    def waiting(self) -> int:
        """Number of parts that wait for a worker."""
        return len(self._waiting)

    @property
    def done(self) -> float:
        """Fraction of the run, or of the share, that is searched, by the weights of its parts."""
        return max(0.0, 1 - self.left / self._whole) if self._whole else 1.0

    @property
    def remaining(self) -> Remaining | None:
        """Estimated processor time of the rest of the run, and its error; None if unknown."""
        return self._families.remaining()

    def _begin(self, parts: list[StoredPart]) -> None:
        """Queue parts in random order, and begin to estimate the remaining time: see `Families`."""
        self._waiting = [(self._random.random(), part) for part in parts]
        heapify(self._waiting)
        # Fraction of the search that is left, as if all branches had the same size.
        self.left = sum(part.weight for part in [*parts, *self.given.values()])
        self._family = {part.number: n for n, part in enumerate(parts)}
        self._families = Families([part.weight for part in parts])

    def drive(
        self, limits: Limits, most: int | None = None, watch: Callable[[], None] | None = None
    ) -> str | None:
        """Search until no part is left, `most` solutions are found, or a limit is reached.

        Return the limit that stopped the search, such as ``"time limit"``, or None. `most`: None to
        find all solutions. `watch`: called at every heartbeat. Parts that are lost too often are
        given up, so None does not mean that all was searched.

        Raise WorkError if a part is lost and another attempt cannot succeed, FileError if the store
        cannot be written, and the errors that `Executor.take` raises.
        """

        def work(seconds: float) -> bool:
            self._go_on(seconds)
            if watch is not None:
                watch()
            return self._idle or enough()

        def enough() -> bool:
            return most is not None and self.totals.found >= most

        stopped = None if self._idle else drive(work, limits)
        if not enough():  # else no worker is needed any more
            self._end()
        return stopped

    @property
    def _idle(self) -> bool:
        return not self.given and not self._waiting

    def _go_on(self, seconds: float) -> None:
        """Give the executor as many parts as it accepts; wait up to `seconds`, and store results.

        After `Tuning.run_first_seconds` of processor time, this changes once: no parts are given
        until all workers are idle, and then all parts that are left are cut.
        """
        if self._cut or self._session.spent < TUNING.run_first_seconds:
            while self._waiting and len(self.given) < self.executor.ahead:
                self._give()
        elif not self.given:
            self._cut_all()
            return
        self._take(seconds)

    def _end(self) -> None:
        """Stop the executor, and store the results that arrive within `RUN_FAREWELL` seconds."""
        self.executor.stop()

        def work(seconds: float) -> bool:
            self._take(seconds)
            return not self.given

        if self.given:
            drive(work, Limits(RUN_FAREWELL))

    def _give(self) -> None:
        _, part = heappop(self._waiting)
        waiting = len(self._waiting) if self._cut else 0
        seconds = budget(waiting, self.executor.parallel)
        prefixes = self.store.prefixes(self.number, part.number)
        self.given[part.number] = part
        self.executor.give(RunPart(part.number, prefixes, seconds))

    def _take(self, seconds: float) -> None:
        """Wait up to `seconds` for a result, and store all that have arrived.

        If a worker failed, the results that arrived before its error are stored; then the error is
        raised.
        """
        result = self.executor.take(seconds)
        if result is None:
            return
        failure: ExactileError | None = None
        with self.store.transaction():
            while result is not None and failure is None:
                try:
                    self._note(result)
                    result = self.executor.take(0.0)
                except FileError:  # of the store itself
                    raise
                except ExactileError as error:
                    failure = error
        if failure is not None:
            raise failure

    def _note(self, result: PartResult | PartLost) -> None:
        part = self.given.pop(result.number, None)
        if part is None:  # reported twice: the first report counts
            return
        if isinstance(result, PartLost):
            self._lose(part, result)
        else:
            self._settle(part, result)

    def _settle(self, part: StoredPart, result: PartResult) -> None:
        if result.too_large:
            left = [[prefix] for prefix in result.left]
        else:
            left = dealt(result.left, len(self._waiting), self.executor.parallel)
        family = self._family.pop(result.number, None)
        rest = sum(prefix.weight for prefix in result.left)
        session = self._session
        session.nodes += result.nodes
        session.spent += result.seconds
        session.alive, session.seen = self.executor.alive, session.begun + self.seconds
        self.left = session.left = max(self.left - part.weight + rest, 0.0)
        if family is not None:
            self._families.note(family, result.seconds, part.weight - rest)
            if (remaining := self.remaining) is not None:
                session.rest, session.rest_error = remaining
        for new in self._written(result, left):
            if family is not None:
                self._family[new.number] = family
            heappush(self._waiting, (-new.weight, new))

    def _written(self, result: PartResult, left: list[list[Prefix]]) -> list[StoredPart]:
        found, session = found_in(result), (self._key, self._session)
        self.totals.add(found)
        return self.store.settle(self.number, result.number, left, found, result.rows, session)

    def _cut_all(self) -> None:
        """Cut the waiting parts into about `RUN_FAMILIES` parts, since the search is long.

        Make fewer if the parts would probably be too small for the threads of a worker, but at
        least a third of `RUN_FAMILIES`: the expected time of a part is only a rough guess.
        """
        self._cut = True
        executor = self.executor
        # Not the running sum, which may be 0 by rounding: no worker has a part now.
        self.left = left = sum(part.weight for _, part in self._waiting)
        if not left:  # weights are rounded to 0
            return
        alive = max(executor.alive, 1)  # all workers may just have died
        least = TUNING.run_short_seconds * alive / executor.parallel
        expected = self._session.spent * left / max(self._session.left_before - left, 1e-9)
        most = RUN_FAMILIES
        families = min(most, max(most / 3, expected / least))
        searcher = self._searcher()
        parts: list[StoredPart] = []
        for _, part in self._waiting:
            pieces = ceil(families * part.weight / left)
            if pieces == 1:
                parts.append(part)
                continue
            prefixes = self.store.prefixes(self.number, part.number)
            result = searcher.cut(RunPart(part.number, prefixes, 0.0), pieces)
            parts += self._written(result, in_groups(result.left, pieces))
        self._begin(parts)

    def _lose(self, part: StoredPart, result: PartLost) -> None:
        """Queue a lost part again, or give it up after `Tuning.process_tries` losses.

        Raise WorkError if another attempt cannot succeed.
        """
        if not result.again:
            raise WorkError(result.cause)
        self.store.lose(self.number, part.number, result.cause)
        part = part._replace(lost=part.lost + 1, cause=result.cause)
        if gone(part):
            self.left -= part.weight
        else:
            heappush(self._waiting, (-part.weight, part))


def own_session(on: str, workers: int) -> RunSession:
    """Return the record of a new session, in which this process drives a run.

    `on` is the name of the executor, `workers` the number of its workers.
    """
    now = CLOCK.date()
    return RunSession(platform.node(), os.getpid(), on, workers, now, workers, now)


def found_in(result: PartResult) -> Totals:
    """Return the counts, nodes and seconds of a result as `Totals`, to be added to other totals."""
    return Totals(result.shares, result.found, result.nodes, result.seconds)


def gone(part: StoredPart) -> bool:
    """Return whether a part is given up because it was lost `Tuning.process_tries` times."""
    return part.lost >= TUNING.process_tries


RUN_KNOWN_FAMILIES = 3
"""Number of families that must have begun before the remaining time is estimated."""

RUN_ERROR = 2.0
"""Error that is reported with an estimate of the remaining time, in standard errors.

If few families have begun, the reported error is larger: see `DOUBTFUL`.
"""


DOUBTFUL = 16
"""Number of families that have begun when the reported error is twice `RUN_ERROR` standard errors.

With n of them, `RUN_ERROR` is multiplied by 1 + `DOUBTFUL` / n. In tests of four searches in random
orders, with three families or more, the true time was within the error in five of six cases.
"""


class Remaining(NamedTuple):
    """An estimate of the processor time that the rest of a search takes, and its error, in seconds.

    In at least four of five cases, the true time differs from the estimate by at most the error.
    """

    seconds: float
    error: float  # the true time differs by at most this in at least four of five cases


class Families:
    """The families of a run, from which its remaining time is estimated.

    A family is a part that waits at the beginning, together with all parts into which it is cut
    later. How long a family takes is unknown until it is searched. But if families are searched in
    random order, each to its end before the next begins, those that have begun are a fair sample.
    The ratio of their times to their weights predicts the times of the other families, and the
    spread of these ratios gives the error [1]_. A small sample rarely includes one of the few large
    families. So the reported error is larger if few families have begun.

    `weights`: the weight of each family.

    Examples
    --------
    >>> families = Families([0.0625] * 16)
    >>> families.remaining() is None
    True
    >>> for number in range(8):
    ...     families.note(number, 10.0, 0.0625)
    >>> families.remaining()
    Remaining(seconds=80.0, error=0.0)

    References
    ----------
    .. [1] W. G. Cochran, "Sampling Techniques", 3rd edition, Wiley 1977, chapter 6: ratio
       estimators.
    """

    def __init__(self, weights: Iterable[float]) -> None:
        self._weights = np.fromiter(weights, dtype=float)
        self._left = self._weights.copy()
        self._seconds = np.zeros(len(self._weights))

    def note(self, number: int, seconds: float, weight: float) -> None:
        """Add a search within family `number`: its seconds, and the weight that it completed."""
        self._seconds[number] += seconds
        self._left[number] = max(self._left[number] - weight, 0.0)

    def remaining(self) -> Remaining | None:
        """Return the estimated time of the rest; None until `RUN_KNOWN_FAMILIES` have begun."""
        begun = self._left < self._weights
        number = int(begun.sum())
        if number < RUN_KNOWN_FAMILIES:
            return None
        weights, left = self._weights[begun], self._left[begun]
        sizes = self._seconds[begun] * weights / (weights - left)
        rests = sizes - self._seconds[begun]
        ratio = sizes.sum() / weights.sum()
        spread = ((sizes - ratio * weights) ** 2).sum() / (number - 1)
        unbegun = self._weights[~begun].sum()
        like = unbegun / weights.mean()  # number of families not begun, if of the same mean weight
        variance = like * (like + number) / number * spread + (rests**2).sum()
        seconds = ratio * unbegun + rests.sum()
        errors = RUN_ERROR * (1 + DOUBTFUL / number)
        return Remaining(float(seconds), float(errors * variance**0.5))
