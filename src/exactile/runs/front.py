"""Counts by a front that a store keeps: stopped at any level, they go on from there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from exactile.clock import CLOCK
from exactile.counting.counter import AnyCounter
from exactile.counting.front import FrontCounter
from exactile.counting.front_counting import FrontCounting
from exactile.runs.store import Store
from exactile.runs.store.checkpoints import fetch_file, keep_file, keep_number, known_numbers
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING


class KeptFrontCounting(FrontCounting):
    """Counts a puzzle by a front, and keeps the lists of its levels in a store.

    There is a step for all solutions, and one for those that a symmetry keeps, for each class of
    symmetries. The number of each step is written down, and where the present one stands: when it
    is stopped, and now and then before.

    Parameters
    ----------
    store, run
        The run.
    case
        Its puzzle.
    limits, workers, watch
        See `FrontCounting`.
    """

    def __init__(
        self,
        store: Store,
        run: int,
        case: Case,
        limits: Limits,
        *,
        workers: int = 1,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        super().__init__(case, limits, workers=workers, watch=watch)
        self._store, self._run = store, run
        self._known = known_numbers(store, run)
        self._step = 0

    def _count(self, counter: AnyCounter) -> int | None:
        """Return the number of this step, None if the time is over; see `UnlistedCounting`."""
        step, self._step = self._step, self._step + 1
        if step not in self._known:
            assert isinstance(counter, FrontCounter)
            if not self._counted(step, counter):
                return None
            self._known[step] = counter.raw
            keep_number(self._store, self._run, step, counter.raw)
            self._states += counter.stats.get("states", 0)
        return self._known[step]

    def _counted(self, step: int, counter: FrontCounter) -> bool:
        """Count on until a number is known; return whether it is before the time is over."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "front")
            if fetch_file(self._store, self._run, step, path):
                counter.restore(path)
            saved, cost = CLOCK.now(), 0.0
            while not counter.wait(TUNING.run_short_seconds):
                stopped = self._limits.reached() is not None
                now = CLOCK.now()
                if stopped or now - saved > max(TUNING.run_saved, TUNING.run_saving * cost):
                    self._save(step, counter, path)
                    saved = CLOCK.now()
                    cost = saved - now
                if stopped:
                    return False
        return True

    def _save(self, step: int, counter: FrontCounter, path: Path) -> None:
        if counter.bound is None:  # its order is not chosen yet: nothing is lost
            return
        counter.save(path)
        keep_file(self._store, self._run, step, path, counter.done)
        path.unlink()
