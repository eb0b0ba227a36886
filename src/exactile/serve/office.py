"""The worker processes of the server: their tasks, their number, and when they end."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir, mkdtemp
from typing import Any, get_type_hints

import msgspec

from exactile.atomic import locked
from exactile.clock import CLOCK, HEARTBEAT
from exactile.closing import Closing
from exactile.errors import ExactileError
from exactile.work.worker import Death, Done, Group, Tell, Worker, pickled, speaks_of_memory

Event = tuple[str, bytes]
"""An event of a task: its kind, and its content as JSON; for the kind ``"error"``, a message."""

TASKS = {
    "board": "puzzles",
    "text": "puzzles",
    "solve": "searching",
    "count": "searching",
    "prove": "proving",
    "explain": "proving",
    "why": "proving",
    "certificate": "proving",
    "estimate": "searching",
    "watch": "searching",
    "finish": "playing",
    "hint": "playing",
    "challenge": "playing",
    "lattices": "puzzles",
    "pieces": "puzzles",
    "build": "puzzles",
    "read": "puzzles",
    "peg": "playing",
    "reachable": "playing",
    "sudoku": "playing",
    "classes": "surveys",
    "tile": "surveys",
    "runs": "stores",
    "kept": "stores",
    "begin": "stores",
    "go_on": "stores",
}
"""The module of `exactile.serve.tasks` for each task. The function there has the task's name."""


def event(kind: str, content: object) -> Event:
    """Return an event with some content.

    >>> event("found", {"number": 3})
    ('found', b'{"number":3}')
    """
    return kind, msgspec.json.encode(content)


def failed(words: str) -> Event:
    """Return an event of the kind ``"error"`` with a message."""
    return event("error", {"message": words})


@dataclass(frozen=True)
class Desk:
    """The data that a worker process needs for its tasks.

    Implements `exactile.work.worker.Service`.
    """

    store: str = ""  # the file of long searches that is open, if any: no request can name another
    # The folder of temporary files, which the process leaves behind if it is killed
    folder: str | None = None

    def start(self) -> Callable[[tuple[str, bytes], Tell[Event]], None]:
        """Prepare the process, and return the function that does one task."""
        tempfile.tempdir = self.folder
        return partial(perform, store=self.store)


def perform(part: tuple[str, bytes], tell: Tell[Event], store: str = "") -> None:
    """Do a task and report its events; expected errors become events of the kind ``"error"``.

    `part`: the name of the task, and its request as JSON. `tell`: called with each event. `store`:
    the file of long searches; empty for none.
    """
    task, body = part
    own = {"store": store} if TASKS[task] == "stores" else {}
    function = getattr(import_module(f"exactile.serve.tasks.{TASKS[task]}"), task)
    try:
        asked: Any = msgspec.json.decode(body, type=get_type_hints(function)["asked"])
        function(asked, lambda kind, content: tell(event(kind, content)), **own)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        tell(failed(f"The request is invalid: {str(error).rstrip('.')}."))
    except ExactileError as error:
        tell(failed(str(error)))
    except RecursionError:
        tell(failed("The request is nested too deeply."))


LAST = ("answer", "error")
"""Kinds of events after which a task does nothing more: they are not lost at the time limit."""

END: Event = ("end", b"{}")
"""The last event of a task that was finished. A stream without it was broken off."""

PREFIX = "exactile-serve-"
"""Beginning of the names of the folders for temporary files."""

LOCK = "lock"
"""Name of the file in such a folder that its server keeps locked."""


class Folder(Closing):
    """A new folder for temporary files; a context manager that removes it at the end.

    Before it is made, the folders of servers that were killed are removed.

    >>> with Folder() as folder:
    ...     folder.path.is_dir()
    True
    >>> folder.path.exists()
    False
    """

    def __init__(self) -> None:
        _sweep()
        self.path = Path(mkdtemp(prefix=PREFIX))
        unlocked = self.path / "new"  # invisible to others under this name
        self._lock = os.open(unlocked, os.O_RDWR | os.O_CREAT, 0o600)
        locked(self._lock)
        unlocked.rename(self.path / LOCK)

    def close(self) -> None:
        """Remove the folder with its contents."""
        rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _sweep() -> None:
    """Remove the folders of servers that were killed, recognized by their unlocked files."""
    for path in Path(gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            lock = os.open(path, os.O_RDWR)
            try:
                if locked(lock):
                    rmtree(path.parent, ignore_errors=True)
            finally:
                os.close(lock)


SPARE = 2
"""Largest number of idle worker processes that are kept.

Also the number of tasks without a search that may run in addition to the limit of tasks.
"""

SHORT = frozenset(task for task, module in TASKS.items() if module == "puzzles") | {"runs"}
"""Tasks without a search. `SPARE` of them may exceed the limit of tasks: views still open."""


class _Inbox(SimpleQueue[tuple[Worker, Any]]):
    """A queue for the messages of a worker, filled by other threads and emptied by a coroutine."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._filled = asyncio.Event()

    def put(
        self, item: tuple[Worker, Any], block: bool = True, timeout: float | None = None
    ) -> None:
        """Add a message, and wake the coroutine that waits for it."""
        super().put(item, block, timeout)
        with suppress(RuntimeError):  # the loop is closed: there is no reader any more
            self._loop.call_soon_threadsafe(self._filled.set)

    async def next(self) -> Any:
        """Return the next message, or None after at most `HEARTBEAT` seconds without one."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._filled.wait(), CLOCK.lasting(HEARTBEAT))
        with suppress(Empty):
            return self.get_nowait()[1]
        self._filled.clear()  # no race: only `put` runs in other threads, and sets it in this one
        return None


class _Process:
    """A worker process that does one task after another; it starts with the first task."""

    _warming = False

    def __init__(self, desk: Desk, group: Group, megabytes: int | None, folder: Path) -> None:
        self._folder = TemporaryDirectory(dir=folder, ignore_cleanup_errors=True)
        self._desk = replace(desk, folder=self._folder.name)
        self._group = group
        self._megabytes = megabytes
        self._inbox = _Inbox()
        self._worker: Worker | None = None
        self.ready = True  # whether it can be given another task

    def warm(self, part: bytes) -> None:
        """Give the process a task, to load the modules that most tasks need; ignore the events."""
        self._give(part)
        self._warming = True

    def _give(self, part: bytes) -> None:
        if self._worker is None:
            data = pickled(self._desk) + part
            self._worker = Worker(0, 0, data, self._group, self._inbox, self._megabytes)
        else:
            self._worker.give(0, part)

    async def events(self, part: bytes, seconds: float) -> AsyncGenerator[Event | None]:
        """Do a task in limited time, and yield its events.

        Yield None after at most `HEARTBEAT` seconds without an event. The last event is `END`, or
        an error if the time limit is reached or the process dies.
        """
        self.ready = False
        deadline = CLOCK.now() + seconds
        self._give(part)
        assert self._worker is not None
        while True:
            message = await self._inbox.next()
            if message is not None:
                self._worker.taken()
            if isinstance(message, Done):
                if not self._warming:
                    self.ready = True
                    yield END
                    return
                self._warming = False
                continue
            if isinstance(message, Death):
                yield failed(_cause(message))
                return
            if CLOCK.now() > deadline and (message is None or message[0] not in LAST):
                yield failed(f"It was stopped after {seconds:,.0f} seconds, the limit here.")
                return
            yield None if self._warming else message

    def close(self) -> None:
        """Kill the process, and remove its files."""
        if self._worker is not None:
            self._worker.close()
        self._folder.cleanup()


def _cause(death: Death) -> str:
    """Return in words why a process died."""
    if speaks_of_memory(death.cause):
        return "It took more memory than allowed: take a smaller puzzle, or another solver."
    return f"The process that did this has died ({death.cause})."


class Office(Closing):
    """The worker processes; a context manager that kills them at its end.

    A process that has finished a task waits for the next one, and keeps the puzzles of recent
    requests. At most `SPARE` processes wait.

    - `most`: largest number of tasks at a time; tasks without a search may exceed it by `SPARE`.
    - `megabytes`: memory limit of each process, in megabytes; None for no limit.
    - `seconds`: time limit of each task.
    - `desk`: the data for each process; by default, without a store.
    """

    def __init__(
        self, most: int, megabytes: int | None, seconds: float, desk: Desk | None = None
    ) -> None:
        self._most = most
        self._megabytes = megabytes
        self._seconds = seconds
        self._desk = desk or Desk()
        self._group = Group()
        self._folder = Folder()
        self._idle: list[_Process] = []
        self._busy = 0
        self._ending = False

    def end(self) -> None:
        """Stop every task at its next event or heartbeat."""
        self._ending = True

    def close(self) -> None:
        """Kill all processes, and remove their temporary files."""
        self._group.close()
        for process in self._idle:
            process.close()
        self._idle.clear()
        self._folder.close()

    def warm(self, task: str, body: bytes) -> None:
        """Start a process in advance, with a task whose events are ignored."""
        process = self._process()
        process.warm(pickled((task, body)))
        self._idle.append(process)

    def _process(self) -> _Process:
        return _Process(self._desk, self._group, self._megabytes, self._folder.path)

    def full(self, task: str) -> bool:
        """Return whether the task has to be refused because too many tasks are running."""
        return self._busy >= self._most + SPARE * (task in SHORT)

    async def work(self, task: str, body: bytes) -> AsyncGenerator[Event | None]:
        """Yield the events of a task, and None after at most `HEARTBEAT` seconds without an event.

        If the generator is closed before the end, the process of the task is killed.
        """
        process = self._idle.pop() if self._idle else self._process()
        self._busy += 1
        try:
            async with aclosing(process.events(pickled((task, body)), self._seconds)) as events:
                async for event in events:
                    if self._ending:
                        return
                    yield event
        finally:
            self._busy -= 1
            if process.ready and len(self._idle) < SPARE:
                self._idle.append(process)
            else:
                process.close()
