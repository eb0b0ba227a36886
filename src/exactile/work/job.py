"""One task in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Generic, Self

from exactile.work.group import Group
from exactile.work.wire import Done, Message, Task, Tell, pickled
from exactile.work.worker import HEARTBEAT, Death, Worker


@dataclass(frozen=True)
class _Once(Generic[Message]):
    """A task as a service that has one part."""

    task: Task[Message]

    def start(self) -> Callable[[None, Tell[Message]], None]:
        return lambda _, tell: self.task.run(tell)


class Job(Generic[Message]):
    """A task at work in another process; a context manager that kills it in the end.

    Iterating yields what the task tells, and None at least every `HEARTBEAT` seconds in between. It
    ends when the task is done or its process has died.

    Parameters
    ----------
    task
        Has a method ``run(tell)``; it is pickled, so its class must have a name in a module.
    memory
        Megabytes that the process, and each of its children, may use.

    Attributes
    ----------
    death
        How the process died; None if it did not.

    Raises
    ------
    WorkError
        If the task cannot be sent to another process, or memory cannot be limited here.
    """

    def __init__(self, task: Task[Message], *, memory: int | None = None) -> None:
        self.death: Death | None = None
        self._inbox: SimpleQueue[tuple[Worker, Any]] = SimpleQueue()
        service, part = pickled(_Once(task)), pickled(None)
        self._group = Group()
        self._worker = Worker(self._group, service, part, self._inbox, memory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process and all that it started."""
        self._group.close()
        self._worker.close()

    def __iter__(self) -> Iterator[Message | None]:
        """Yield what the task tells; None when nothing has come for a heartbeat."""
        while True:
            try:
                worker, message = self._inbox.get(timeout=HEARTBEAT)
            except Empty:
                yield None
                continue
            worker.heard()
            if isinstance(message, Done):
                return
            if isinstance(message, Death):
                self.death = message
                return
            yield message
