"""Several processes that take parts of the work one after the other."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from exactile.clock import CLOCK
from exactile.closing import Closing
from exactile.errors import WorkError
from exactile.tuning import TUNING
from exactile.work.group import Group
from exactile.work.wire import HEARTBEAT, Done, Message, Service, pickled
from exactile.work.worker import Death, Worker

TRIES = TUNING.process_tries
"""So many processes may die of a part by default."""

Part = TypeVar("Part")


@dataclass(frozen=True)
class Event(Generic[Message]):
    """Something that happened in a `Pool`.

    Attributes
    ----------
    part
        The number of the part that it is about.
    process
        The number of the process, counted from 0 as they are started.
    message
        What the process tells of the part; None if the part is done or given up.
    death
        How the last process that tried it died, if the part is given up.
    """

    part: int
    process: int
    message: Message | None = None
    death: Death | None = None


class Pool(Closing, Generic[Part, Message]):
    """Processes with the same service; a context manager that kills them in the end.

    Each process is given parts in the order of their numbers, the next when it is done with one. If
    it dies, its part goes to a fresh process once more, and then is given up. Iterating yields what
    happens, and None at least every `HEARTBEAT` seconds in between; it ends when all parts are done
    or given up.

    Parameters
    ----------
    service
        Has a method ``start()``; it is pickled, so its class must have a name in a module.
    parts
        How many parts there are.
    make
        Returns what a process is sent for a part, from the numbers of this part and of the one
        that the process had before, -1 if there is none.
    processes
        How many processes work at most.
    memory
        Megabytes that each process, and each of its children, may use.
    tries
        So many processes may die of a part before it is given up.

    Raises
    ------
    WorkError
        If the service cannot be sent to another process, or memory cannot be limited here.
    """

    def __init__(
        self,
        service: Service[Part, Message],
        parts: int,
        make: Callable[[int, int], Part],
        processes: int,
        *,
        memory: int | None = None,
        tries: int = TRIES,
    ) -> None:
        if memory is not None and find_spec("resource") is None:
            raise WorkError("This system cannot limit the memory of a process: leave it out.")
        self._service = pickled(service)
        self._make = make
        self._most = processes
        self._memory = memory
        self._waiting = list(range(parts))
        self._left = [tries] * parts
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
        """Kill all processes and what they started."""
        self._group.close()
        for worker in list(self._workers):
            self._dismiss(worker)

    def give_up(self) -> None:
        """Leave the parts that nobody has begun."""
        self._waiting.clear()

    def __iter__(self) -> Iterator[Event[Message] | None]:
        """Yield what happens; None when nothing has for a heartbeat."""
        while self._workers:
            try:
                worker, message = self._inbox.get(timeout=CLOCK.lasting(HEARTBEAT))
            except Empty:
                yield None
                continue
            if worker not in self._workers:  # from before it was dismissed
                continue
            worker.heard()
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
        """Start processes for the parts that wait."""
        while self._waiting and len(self._workers) < self._most:
            part = self._waiting.pop(0)
            data = self._service + pickled(self._make(part, -1))
            number = self._started
            self._started += 1
            self._workers.add(Worker(number, part, data, self._group, self._inbox, self._memory))

    def _go_on(self, worker: Worker) -> None:
        """Give a process the first part that waits and that it can take; else let it go."""
        later = next((part for part in self._waiting if part > worker.part), None)
        if later is None:
            self._dismiss(worker)
            return
        self._waiting.remove(later)
        worker.give(later, pickled(self._make(later, worker.part)))

    def _dismiss(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.close()
