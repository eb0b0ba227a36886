"""Processes that take parts of the work one after the other, or one task."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from exactile.clock import CLOCK, HEARTBEAT
from exactile.closing import Closing
from exactile.errors import WorkError
from exactile.tuning import TUNING
from exactile.work.worker import (
    Death,
    Done,
    Group,
    Message,
    Service,
    Task,
    Tell,
    Worker,
    pickled,
)

Part = TypeVar("Part")


@dataclass(frozen=True)
class Event(Generic[Message]):
    """An event in a `Pool`."""

    part: int
    process: int  # counted from 0 as they are started
    message: Message | None = None  # None if the part is done or given up
    death: Death | None = None  # of the last process that tried it, if the part is given up


class Pool(Closing, Generic[Part, Message]):
    """Processes with the same service; a context manager that kills them at its end.

    Parts are given out in the order of their numbers, the next one to a process that has finished
    one. If a process dies, its part goes to a new process, until it is given up after `tries`
    deaths, by default `Tuning.process_tries`. Iterating yields events, and None at least every
    `HEARTBEAT` seconds in between; it ends when all parts are done or given up.

    The service is pickled, so its class must have a name in a module. `make` returns the message
    for a part, from the numbers of this part and of the previous part of the process, -1 if there
    is none. `memory` is a limit for each process and each of its children, in megabytes.
    """

    def __init__(
        self,
        service: Service[Part, Message],
        parts: int,
        make: Callable[[int, int], Part],
        processes: int,
        *,
        memory: int | None = None,
        tries: int | None = None,
    ) -> None:
        if memory is not None and find_spec("resource") is None:
            raise WorkError("This system cannot limit the memory of a process: leave it out.")
        self._service = pickled(service)
        self._make = make
        self._most = processes
        self._memory = memory
        self._waiting = list(range(parts))
        self._left = [tries or TUNING.process_tries] * parts
        self._started = 0
        self._workers: set[Worker] = set()
        self._inbox: SimpleQueue[tuple[Worker, Any]] = SimpleQueue()
        self._group = Group()
        try:
            self._employ()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill all processes and all that they started."""
        self._group.close()
        for worker in list(self._workers):
            self._dismiss(worker)

    def give_up(self) -> None:
        """Drop the parts that have not begun."""
        self._waiting.clear()

    def __iter__(self) -> Iterator[Event[Message] | None]:
        """Yield events; None when nothing has happened for a heartbeat."""
        while self._workers:
            try:
                worker, message = self._inbox.get(timeout=CLOCK.lasting(HEARTBEAT))
            except Empty:
                yield None
                continue
            if worker not in self._workers:  # sent before the worker was dismissed
                continue
            worker.taken()
            part = worker.part
            if isinstance(message, Death):
                self._dismiss(worker)
                self._left[part] -= 1
                if message.again and self._left[part]:
                    insort(self._waiting, part)
                else:
                    yield Event(part, worker.number, death=message)
            elif isinstance(message, Done):
                yield Event(part, worker.number)
                self._go_on(worker)
            else:
                yield Event(part, worker.number, message)
            self._employ()

    def _employ(self) -> None:
        """Start processes for the waiting parts."""
        while self._waiting and len(self._workers) < self._most:
            part = self._waiting.pop(0)
            data = self._service + pickled(self._make(part, -1))
            number = self._started
            self._started += 1
            self._workers.add(Worker(number, part, data, self._group, self._inbox, self._memory))

    def _go_on(self, worker: Worker) -> None:
        """Give a process the first waiting part that it can take; otherwise dismiss it."""
        later = next((part for part in self._waiting if part > worker.part), None)
        if later is None:
            self._dismiss(worker)
            return
        self._waiting.remove(later)
        worker.give(later, pickled(self._make(later, worker.part)))

    def _dismiss(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.close()


@dataclass(frozen=True)
class _Once(Generic[Message]):
    """A task as a service that has one part."""

    task: Task[Message]

    def start(self) -> Callable[[None, Tell[Message]], None]:
        return lambda _, tell: self.task.run(tell)


class Job(Closing, Generic[Message]):
    """A task that runs in another process; a context manager that kills the process at its end.

    Iterating yields the messages of the task, and None at least every `HEARTBEAT` seconds in
    between. It ends when the task is done or its process has died. The task is pickled, so its
    class must have a name in a module. `memory` is a limit for the process and each of its
    children, in megabytes.
    """

    def __init__(self, task: Task[Message], *, memory: int | None = None) -> None:
        self.death: Death | None = None  # how the process died; None if it did not
        self._pool = Pool(_Once(task), 1, lambda *_: None, 1, memory=memory, tries=1)

    def close(self) -> None:
        """Kill the process and all processes that it started."""
        self._pool.close()

    def __iter__(self) -> Iterator[Message | None]:
        """Yield the messages of the task; None when nothing has come for a heartbeat."""
        for event in self._pool:
            if event is None:
                yield None
            elif event.death is not None:
                self.death = event.death
            elif event.message is not None:
                yield event.message
