"""An executor that searches parts one after the other in this process."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event, Thread

from exactile.clock import CLOCK
from exactile.runs.executor import Executor, PartResult, RunPart, RunWork, refuse_choice
from exactile.runs.part import Searcher


class Threads(Executor):
    """Searches parts one at a time; the backend uses `workers` threads for each.

    The calling thread is free meanwhile: parts are searched in a separate thread.
    """

    parallel = alive = 1
    ahead = 2  # the next part begins while the result of the last one is stored

    def __init__(self, workers: int) -> None:
        self.alive = workers
        self._parts: SimpleQueue[RunPart | None] = SimpleQueue()
        self._results: SimpleQueue[PartResult | BaseException] = SimpleQueue()
        self._stopped = Event()
        self._thread: Thread | None = None

    def start(self, work: RunWork) -> None:
        self._thread = Thread(target=self._attend, args=(work,), daemon=True)
        self._thread.start()

    def give(self, part: RunPart) -> None:
        self._parts.put(part)

    def take(self, seconds: float) -> PartResult | None:
        try:
            result = self._results.get(timeout=CLOCK.lasting(seconds))
        except Empty:
            return None
        if isinstance(result, BaseException):
            raise result
        return result

    def stop(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._parts.put(None)
            self._thread.join()

    def _attend(self, work: RunWork) -> None:
        """Search the queued parts until `close`; the loop of the separate thread."""
        try:
            searcher = Searcher(work, self.alive)
            while (part := self._parts.get()) is not None:
                self._results.put(searcher.search(part, self._stopped.is_set))
        except BaseException as error:  # raised where results are read
            self._results.put(error)


def executor(choice: str | None, workers: int) -> Executor:
    """Return an executor with `workers` threads; raise WorkError if `choice` is not None.

    See `exactile.runs.executor.get_executor`.
    """
    refuse_choice("threads", choice)
    return Threads(workers)
