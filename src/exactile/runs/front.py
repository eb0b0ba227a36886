"""Counts by a frontier, with checkpoints in a store, so that they can be stopped and resumed."""

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
from exactile.search.limits import Limits
from exactile.tuning import TUNING

CHUNK = 2**24
"""Largest number of bytes in a row of the table ``chunk``; larger checkpoints take several rows."""


def known_numbers(store: Store, run: int) -> dict[int, int]:
    """Return the results of the finished steps of a count: the number of solutions, by step.

    For the steps see `KeptFrontier`.
    """
    rows = store.query("SELECT step, number FROM checkpoint WHERE run = ?", run)
    return {step: int(number) for step, number in rows}


def keep_number(store: Store, run: int, step: int, number: int) -> None:
    """Store the result of a step of a count, and delete the checkpoint of the step."""
    with store.transaction():
        store.clear("chunk", run)
        store.change("INSERT INTO checkpoint VALUES (?, ?, ?)", run, step, str(number))


def keep_file(store: Store, run: int, step: int, path: Path, done: float) -> None:
    """Store a file as the checkpoint of a step, in place of earlier ones.

    `done`: the fraction of the count that is done; it is stored in the same transaction.
    """
    with store.transaction(), path.open("rb") as stream:
        store.clear("chunk", run)
        while data := stream.read(CHUNK):
            store.change("INSERT INTO chunk (run, step, data) VALUES (?, ?, ?)", run, step, data)
        store.change("UPDATE part SET weight = ? WHERE run = ?", 1 - done, run)


def fetch_file(store: Store, run: int, step: int, path: Path) -> bool:
    """Write the stored checkpoint of a step to the file `path`; return whether there is one.

    Without a checkpoint, the file is empty.
    """
    numbers = store.query(
        "SELECT number FROM chunk WHERE run = ? AND step = ? ORDER BY number", run, step
    )
    with path.open("wb") as stream:
        for (number,) in numbers:
            [(data,)] = store.query("SELECT data FROM chunk WHERE number = ?", number)
            stream.write(data)
    return bool(numbers)


class KeptFrontier(Frontier):
    """Counts by a frontier, with checkpoints in a store, so that another process can resume.

    A count has several steps, each of which is one sweep. The first counts all solutions. If there
    are any, there is a further step for each conjugacy class of symmetries except that of the
    identity; it counts the solutions that one symmetry of the class leaves unchanged. The result of
    each step is stored. A checkpoint of the current step is stored at intervals, and when the count
    is stopped.

    `run`: number of the run in `store`, which must be open for writing. `workers`, `puzzle`: see
    `Frontier`.
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
        """Return the result of the next step; None if a limit is reached first.

        A new result is stored; a stored one is returned at once. Raise CountingError if the count
        needs more memory or nodes than are allowed. For the parameters see `Method.count`.
        """
        step, self._steps = self._steps, self._steps + 1
        limits = limits or Limits()
        if step in self._known:
            self._native = None  # so that the counters of this step are empty
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
        """Count from the last checkpoint, if any, to the end; store checkpoints meanwhile.

        Return False if a limit is reached first.
        """
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
        if self.bound is None:  # the order is not chosen yet: there is nothing to save
            return
        self.save(path)
        keep_file(self._store, self._run, step, path, self.done or 0.0)
        path.unlink()
