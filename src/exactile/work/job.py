"""One task in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic

from exactile.closing import Closing
from exactile.work.pool import Pool
from exactile.work.wire import Message, Task, Tell
from exactile.work.worker import Death


@dataclass(frozen=True)
class _Once(Generic[Message]):
    """A task as a service that has one part."""

    task: Task[Message]

    def start(self) -> Callable[[None, Tell[Message]], None]:
        return lambda _, tell: self.task.run(tell)


class Job(Closing, Generic[Message]):
    """A task at work in another process; a context manager that kills the process at its end.

    Iterating yields the messages of the task, and None at least every `HEARTBEAT` seconds in
    between. It ends when the task is done or its process has died.

    `task`: has a method ``run(tell)``; it is pickled, so its class must have a name in a module.
    `memory`: megabytes that the process, and each of its children, may use. Raise WorkError if the
    task cannot be sent to another process, or memory cannot be limited here.
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
