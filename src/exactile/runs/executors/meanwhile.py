"""Parts searched here while the executor starts, which may take seconds."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from exactile.clock import CLOCK
from exactile.runs.executor import Executor, PartLost, PartResult, RunPart, RunWork
from exactile.runs.executors.threads import Threads
from exactile.tuning import TUNING
from exactile.work import HEARTBEAT


class Meanwhile(Executor):
    """Threads of this process at first, then others: a short search does not even start them.

    Parameters
    ----------
    make
        Makes the others, which may take long: called in a thread of its own.
    workers
        How many threads search meanwhile.
    """

    def __init__(self, make: Callable[[], Executor], workers: int) -> None:
        self._here = Threads(workers)
        self._make = make
        self._there: Executor | None = None
        self._failure: BaseException | None = None
        self._thread: Thread | None = None
        self._given_here: set[int] = set()

    @property
    def _now(self) -> Executor:
        return self._there or self._here

    @property
    def parallel(self) -> int:
        return self._now.parallel

    @property
    def ahead(self) -> int:
        return self._now.ahead

    @property
    def alive(self) -> int:
        return self._now.alive

    def start(self, work: RunWork) -> None:
        self._here.start(work)
        self._thread = Thread(target=self._start, args=(work,), daemon=True)
        self._due = CLOCK.now() + TUNING.run_first_seconds

    def _start(self, work: RunWork) -> None:
        try:
            there = self._make()
            there.start(work)
        except BaseException as error:  # raised where results are read
            self._failure = error
        else:
            self._there = there
            self._here.stop()

    def give(self, part: RunPart) -> None:
        if self._there is None:
            self._given_here.add(part.number)
            self._here.give(part)
        else:
            self._there.give(part)

    def take(self, seconds: float) -> PartResult | PartLost | None:
        """Return the result of a part; errors of starting are raised here, too."""
        if self._failure is not None:
            raise self._failure
        if self._thread is not None and not self._thread.ident and CLOCK.now() >= self._due:
            self._thread.start()
        if not self._given_here:
            return self._now.take(seconds)
        there = self._there
        result = self._here.take(0.0 if there else seconds)
        if result is not None:
            self._given_here.discard(result.number)
        elif there is not None:
            return there.take(min(seconds, HEARTBEAT))
        return result

    def stop(self) -> None:
        self._here.stop()
        if self._there is not None:
            self._there.stop()

    def close(self) -> None:
        self._here.close()
        if self._thread is not None and self._thread.ident:
            self._thread.join()
        if self._there is not None:
            self._there.close()
