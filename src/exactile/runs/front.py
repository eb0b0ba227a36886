"""Counts by a frontier that a store keeps: stopped at any level, they go on from there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactile.clock import CLOCK
from exactile.counting.frontier import Frontier
from exactile.counting.method import Countable
from exactile.puzzle.puzzle import Puzzle
from exactile.runs.store import Store
from exactile.runs.store.checkpoints import fetch_file, keep_file, keep_number, known_numbers
from exactile.search.limits import Limits
from exactile.tuning import TUNING


class KeptFrontier(Frontier):
    """Counts by a frontier, and keeps the lists of its levels in a store.

    There is a step for each problem: for all solutions, and for those that a symmetry keeps. The
    number of each step is written down, and where the present one stands: when it is stopped, and
    now and then before.

    Parameters
    ----------
    store, run
        The run.
    workers, puzzle
        See `Frontier`.
    """

    def __init__(self, store: Store, run: int, *, workers: int = 1, puzzle: Puzzle) -> None:
        super().__init__(workers=workers, puzzle=puzzle)
        self._store, self._run = store, run
        self._known = known_numbers(store, run)
        self._steps = 0

    def count(
        self,
        problem: Countable,
        limits: Limits | None = None,
        watch: Callable[[Any], None] | None = None,
    ) -> int | None:
        """Return the number of the next step, None if a limit comes first; see `Method`."""
        step, self._steps = self._steps, self._steps + 1
        limits = limits or Limits()
        if step in self._known:
            self._native = None  # no effort was made for this
        elif self._counted(step, problem, limits, watch):
            self._known[step] = self.raw
            keep_number(self._store, self._run, step, self.raw)
        return self._known.get(step)

    def _counted(
        self,
        step: int,
        problem: Countable,
        limits: Limits,
        watch: Callable[[Any], None] | None,
    ) -> bool:
        """Count on until a number is known; return whether it is before the time is over."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "front")
            if fetch_file(self._store, self._run, step, path):
                self.restore(problem, path, limits)
            saved, cost = CLOCK.now(), 0.0
            while True:
                short = limits.within(TUNING.run_short_seconds)
                if super().count(problem, short, watch) is not None:
                    return True
                stopped = limits.reached() is not None
                now = CLOCK.now()
                if stopped or now - saved > max(TUNING.run_saved, TUNING.run_saving * cost):
                    self._save(step, path)
                    saved = CLOCK.now()
                    cost = saved - now
                if stopped:
                    return False

    def _save(self, step: int, path: Path) -> None:
        if self.bound is None:  # its order is not chosen yet: nothing is lost
            return
        self.save(path)
        keep_file(self._store, self._run, step, path, self.done or 0.0)
        path.unlink()
