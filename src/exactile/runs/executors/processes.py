"""An executor that searches parts in separate processes: if one crashes, only its part is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, cast

from exactile.clock import CLOCK
from exactile.errors import CheckFailedError
from exactile.runs.executor import Executor, PartLost, PartResult, RunPart, RunWork, refuse_choice
from exactile.work import Death, Group, Tell
from exactile.work.worker import Done, Worker, pickled


@dataclass(frozen=True)
class Searching:
    """The service of a worker process that searches parts of a run; see `exactile.work.Service`."""

    work: RunWork

    def start(self) -> Callable[[RunPart, Tell[PartResult | CheckFailedError]], None]:
        """Return a function that searches a part, and sends its result.

        If a solution is wrong, it sends the CheckFailedError instead.
        """
        from exactile.runs.part import Searcher  # in the process that works, not here

        searcher = Searcher(self.work)

        def search(part: RunPart, tell: Tell[PartResult | CheckFailedError]) -> None:
            try:
                tell(searcher.search(part))
            except CheckFailedError as error:
                tell(error)

        return search


class Processes(Executor):
    """Searches parts in processes on this machine, each with one part at a time.

    If a process dies, its part is reported as lost; another process searches the next part.
    """

    parallel = ahead = 1

    def __init__(self, workers: int) -> None:
        self.parallel = self.ahead = workers
        self._service = b""
        self._started = 0
        self._busy: set[Worker] = set()
        self._idle: set[Worker] = set()
        self._inbox: SimpleQueue[tuple[Worker, Any]] = SimpleQueue()
        self._group = Group()

    @property
    def alive(self) -> int:
        return len(self._busy) + len(self._idle)

    def start(self, work: RunWork) -> None:
        self._service = pickled(Searching(work))

    def give(self, part: RunPart) -> None:
        data = pickled(part)
        if self._idle:
            worker = self._idle.pop()
            worker.give(part.number, data)
        else:
            data = self._service + data
            worker = Worker(self._started, part.number, data, self._group, self._inbox)
            self._started += 1
        self._busy.add(worker)

    def take(self, seconds: float) -> PartResult | PartLost | None:
        end = CLOCK.now() + seconds
        while True:
            try:
                worker, message = self._inbox.get(
                    timeout=CLOCK.lasting(max(0.0, end - CLOCK.now()))
                )
            except Empty:
                return None
            worker.taken()
            if isinstance(message, Done):  # follows a result: the worker may have its next part
                continue
            busy = worker in self._busy
            self._busy.discard(worker)
            if isinstance(message, Death):
                self._idle.discard(worker)
                worker.close()
                if busy:
                    return PartLost(worker.part, message.cause + message.tail, message.again)
            elif isinstance(message, CheckFailedError):
                self._idle.add(worker)  # so that `close` ends it
                raise message
            else:
                self._idle.add(worker)
                return cast(PartResult, message)

    def close(self) -> None:
        self._group.close()
        for worker in self._busy | self._idle:
            worker.close()
        self._busy, self._idle = set(), set()


def executor(choice: str | None, workers: int) -> Processes:
    """Return an executor with `workers` processes; raise WorkError if `choice` is not None.

    See `exactile.runs.executor.get_executor`.
    """
    refuse_choice("processes", choice)
    return Processes(workers)
