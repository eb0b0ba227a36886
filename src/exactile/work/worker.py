"""Processes that work for this process.

A `Group` has processes that are killed when it is closed and, except on Windows, when this process
ends in any way. A `Worker` is a process that exchanges messages with this one over pipes, and
processes one part after another. If a worker dies, its last message states the cause. A `Pool`
distributes parts to workers, and a `Job` runs one task.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from signal import Signals
from threading import Thread
from typing import Any, BinaryIO, Generic, NamedTuple, Protocol, TypeVar, cast

from exactile.clock import CLOCK, HEARTBEAT
from exactile.closing import Closing
from exactile.errors import WorkError
from exactile.tuning import TUNING, environment

GUARD = "trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0"
"""Shell command of the process that leads a group.

The command reads from a pipe until the Python process closes the pipe or ends; then it kills the
group.
"""

GUARD_NAME = "guard of exactile"
"""Name of the guard in lists of processes, such as that of ``ps``."""


class Group(Closing):
    """Processes that are killed together, and their own children with them.

    Each group has a guard: a shell that reads from a pipe of this process. When this process ends,
    even if it is killed, the pipe closes and the guard kills the group. The processes get no
    signals from the terminal: Ctrl-C reaches only this process.

    On Windows, which has no process groups, `close` kills each process separately. If this process
    ends without `close`, the processes continue, except those that read from its pipes.

    Examples
    --------
    >>> with Group() as group:
    ...     group.start(["sleep", "1000"]).poll() is None
    True
    """

    def __init__(self) -> None:
        self._guard: subprocess.Popen[bytes] | None = None
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, words: list[str], **options: Any) -> subprocess.Popen[bytes]:
        """Start a program in the group; `words` are its name and arguments.

        By default, the program gets no input. The options are those of `subprocess.Popen`. Raise
        OSError if the program cannot be started.
        """
        given: dict[str, Any] = {"stdin": subprocess.DEVNULL} | options
        if hasattr(os, "killpg"):
            given["process_group"] = self._leader()
        with _whole():
            process: subprocess.Popen[bytes] = subprocess.Popen(words, **given)
            self._processes = [p for p in self._processes if p.poll() is None] + [process]
        return process

    def close(self) -> None:
        """Kill all processes of the group and their children; wait until the group has ended."""
        guard, self._guard = self._guard, None
        if guard is not None:
            with suppress(ProcessLookupError, PermissionError):  # all are gone already
                os.killpg(guard.pid, signal.SIGKILL)
            guard.communicate()
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes = []

    def _leader(self) -> int:
        """Return the process group's number; start a guard if none is running."""
        if self._guard is not None and self._guard.poll() is not None:
            self._guard.communicate()
            self._guard = None
        if self._guard is None:
            words = ["/bin/sh", "-c", GUARD, GUARD_NAME]
            nothing = subprocess.DEVNULL
            with _whole():
                guard: subprocess.Popen[bytes] = subprocess.Popen(  # the leader of a new group
                    words, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing, process_group=0
                )
                self._guard = guard
        return self._guard.pid


@contextmanager
def _whole() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM until the end of the ``with`` block, which starts a process.

    Otherwise, a process might be started without being recorded, and would never be killed.
    """
    came: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    replaced = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in replaced:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


Given = TypeVar("Given", contravariant=True)
Message = TypeVar("Message")
Sent = TypeVar("Sent", covariant=True)

Tell = Callable[[Message], None]
"""A function that sends a message from the worker process; several threads may call it."""

HEAD = struct.Struct("<4sQ")
"""Header of each object in a pipe: four bytes that mark it, and the number of bytes that follow."""

MARK = b"exa1"


class Task(Protocol[Sent]):
    """An object with a method that is called once, in another process: see `exactile.work.Job`."""

    def run(self, tell: Tell[Sent]) -> None:
        """Do the task; pass each result to `tell`, which sends it."""
        ...


class Service(Protocol[Given, Sent]):
    """An object that processes parts of some work in other processes: see `exactile.work.Pool`."""

    def start(self) -> Callable[[Given, Tell[Sent]], None]:
        """Prepare the work in the worker process; return a function that processes a part.

        The function gets the part and a function that sends a message.
        """
        ...


class Done(NamedTuple):
    """The message of a process that has finished its part."""


class Failure(NamedTuple):
    """The message of a process that cannot continue, with the reason."""

    text: str
    again: bool  # whether another attempt may succeed, as when memory ran out


def pickled(content: object) -> bytes:
    """Return an object as bytes to be sent through a pipe; raise WorkError if that is impossible.

    Examples
    --------
    >>> pickled(lambda: 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    exactile.errors.WorkError: An object of the type 'function' cannot be sent to another process...
    """
    try:
        data = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # pickling calls methods of any class
        raise WorkError(
            f"An object of the type '{type(content).__qualname__}' cannot be sent to another "
            f"process: {error}. Make it of classes and functions that have a name in a module."
        ) from error
    return HEAD.pack(MARK, len(data)) + data


def read(stream: BinaryIO) -> Any:
    """Return the next object from a pipe, in the form that `pickled` writes.

    Raise EOFError if the pipe ends before the object does, and ValueError if no object begins here.
    """
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        if head and not MARK.startswith(head[:4]):
            raise ValueError(f"no message begins with {head[:4]!r}")
        raise EOFError
    mark, size = HEAD.unpack(head)
    if mark != MARK:
        raise ValueError(f"no message begins with {mark!r}")
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301  # the other side is ours


UNREAD = 64
"""Largest number of unread messages from a worker process, which waits before it sends more."""

TAIL = 5
"""Number of last lines of output that are shown when a process dies."""

MOST_TAIL = 10_000
"""Largest number of bytes of output that are read to find the last lines."""

OUT_OF_MEMORY = "out of memory"
NO_MEMORY = (
    *("memoryerror", "bad_alloc", OUT_OF_MEMORY, "out-of-memory", "memory allocation"),
    *("cannot allocate memory", "failed to map segment", "not enough memory"),
)
"""Texts, in lower case, by which an error message shows that memory ran out."""


@dataclass(frozen=True)
class Death:
    """A message about a worker process that ended before its work was done."""

    cause: str  # "SIGKILL", "exit code 1", `OUT_OF_MEMORY`, or an exception
    tail: str  # the last lines of its output, each after a line break and two spaces
    again: bool = True  # whether another process may succeed; not if the task raised an error


class Worker:
    """A process in a group that processes numbered parts of some work, one after another.

    `number` is the number of the process, `part` that of its first part. `data` is what the process
    gets first: the bytes that `pickled` returns for the service, then those for the first part.

    Messages go to `inbox` as pairs of this worker and a message: for each part, the messages of
    the service, then `Done`; if the process dies or fails, `Death`. `memory`: limit of the process
    in megabytes, by default none. Raise WorkError if no process can be started.
    """

    def __init__(
        self,
        number: int,
        part: int,
        data: bytes,
        group: Group,
        inbox: SimpleQueue[tuple[Worker, Any]],
        memory: int | None = None,
    ) -> None:
        self.number = number
        self.part = part
        self._inbox = inbox
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # until `close`
        words = [sys.executable, "-P", "-m", "exactile.work.child", str(memory or 0)]
        pipe = subprocess.PIPE
        try:
            self._process = group.start(
                words, stdin=pipe, stdout=pipe, stderr=self._log, env=environment()
            )
        except OSError as error:
            self._log.close()
            raise WorkError(f"No process can be started: {error.strerror or error}.") from error
        # Not a Semaphore: Ctrl-C just as it takes its lock would leave it locked for ever.
        self._room: SimpleQueue[None] = SimpleQueue()
        for _ in range(UNREAD):
            self._room.put(None)
        self._closed = False
        self._thread = Thread(target=self._attend, args=(data,), daemon=True)
        self._thread.start()

    def give(self, part: int, data: bytes) -> None:
        """Send the next part, as bytes from `pickled`; the previous part must be finished."""
        self.part = part
        self._send(data)

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # it has died, and its death will be reported
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def taken(self) -> None:
        """Allow the process to send one more message; called when a message leaves the inbox."""
        self._room.put(None)

    def close(self) -> None:
        """Kill the process; no more messages come from it."""
        self._closed = True
        self._process.kill()
        self._room.put(None)
        self._thread.join()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            with suppress(OSError):  # unsent data is not needed
                cast(BinaryIO, stream).close()

    def _attend(self, first: bytes) -> None:
        """Send the first data, then pass messages from the pipe to the inbox until the end."""
        self._send(first)
        assert self._process.stdout is not None
        message: Any = None
        while not isinstance(message, Death):
            try:
                message = read(cast(BinaryIO, self._process.stdout))
                if isinstance(message, Failure):
                    message = self._death(message.text, again=message.again)
            except EOFError:
                message = self._death()
            except Exception as error:  # the bytes are not a message
                message = self._death(f"its messages make no sense: {error}")
            self._room.get()
            if self._closed:
                return
            self._inbox.put((self, message))

    def _death(self, cause: str | None = None, *, again: bool = True) -> Death:
        """Wait for the process and return how it ended; if a cause is given, kill it first.

        `again`: whether another process may succeed.
        """
        if cause is not None:
            self._process.kill()
        code = self._process.wait()
        self._log.seek(max(self._log.seek(0, os.SEEK_END) - MOST_TAIL, 0))
        tail = last_lines(self._log.read().decode("utf-8", "replace"))
        if cause is None:
            cause = OUT_OF_MEMORY if speaks_of_memory(tail) else ended(code)
        return Death(cause, tail, again)


def ended(code: int) -> str:
    """Return how a process ended, in words, from the exit code of `subprocess`.

    Examples
    --------
    >>> ended(3), ended(-9), ended(-40)
    ('exit code 3', 'SIGKILL', 'signal 40')
    """
    if code >= 0:
        return f"exit code {code}"
    names = {signal.value: signal.name for signal in Signals}
    return names.get(-code, f"signal {-code}")


def last_lines(text: str) -> str:
    """Return the last lines of a process's output, each after a line break and two spaces."""
    return "".join(f"\n  {line}" for line in text.strip().splitlines()[-TAIL:])


def speaks_of_memory(text: str) -> bool:
    """Return whether an error message is about memory that ran out.

    Examples
    --------
    >>> speaks_of_memory("terminate called after throwing an instance of 'std::bad_alloc'")
    True
    """
    lowered = text.lower()
    return any(words in lowered for words in NO_MEMORY)


Part = TypeVar("Part")


@dataclass(frozen=True)
class Event(Generic[Message]):
    """An event in a `Pool`: a message about a part, or the end of the part."""

    part: int
    process: int  # its number, from 0, in the order in which processes were started
    message: Message | None = None  # None if the part is done or given up
    death: Death | None = None  # of the last process that tried it, if the part is given up


class Pool(Closing, Generic[Part, Message]):
    """Processes that share the parts of some work; a context manager that kills them at its end.

    Idle processes get the parts in the order of their numbers. If a process dies, its part goes to
    a new process. A part is given up after `tries` deaths, by default `Tuning.process_tries`, or at
    once if it raises an error other than a lack of memory. Iterating yields events, and None
    whenever nothing has happened for `HEARTBEAT` seconds. The iteration ends when all parts are
    done or given up.

    `parts`: number of parts. `processes`: largest number of processes at a time. `make(part,
    previous)` returns what is sent to a process for a part; `previous` is the number of the part
    that this process did before, -1 if none. The service is pickled, so its class must have a name
    in a module. `memory`: limit of each process, and of each of its children, in megabytes, by
    default none. Raise WorkError if the service or a part cannot be pickled, no process can be
    started, or the system cannot limit memory; the iteration may also raise it.
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
        self.close_at_exit()
        try:
            self._employ()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill all processes and all that they started."""
        self._most = 0  # another thread that takes messages starts no further ones
        self._group.close()
        for worker in list(self._workers):
            self._dismiss(worker)

    def give_up(self) -> None:
        """Drop the parts that wait for a process; there are no events about them."""
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
        """Start processes for waiting parts, up to the number of processes of the pool."""
        while self._waiting and len(self._workers) < self._most:
            part = self._waiting.pop(0)
            data = self._service + pickled(self._make(part, -1))
            number = self._started
            self._started += 1
            self._workers.add(Worker(number, part, data, self._group, self._inbox, self._memory))

    def _go_on(self, worker: Worker) -> None:
        """Give a process the next waiting part with a higher number than its last one.

        If there is no such part, kill the process.
        """
        later = next((part for part in self._waiting if part > worker.part), None)
        if later is None:
            self._dismiss(worker)
            return
        self._waiting.remove(later)
        worker.give(later, pickled(self._make(later, worker.part)))

    def _dismiss(self, worker: Worker) -> None:
        self._workers.discard(worker)  # perhaps another thread has closed the pool
        worker.close()


@dataclass(frozen=True)
class _Once(Generic[Message]):
    """A service that runs a task: it has one part, which is None."""

    task: Task[Message]

    def start(self) -> Callable[[None, Tell[Message]], None]:
        return lambda _, tell: self.task.run(tell)


class Job(Closing, Generic[Message]):
    """A task that runs in another process; a context manager that kills the process at its end.

    Iterating yields the messages of the task, and None whenever nothing has come for `HEARTBEAT`
    seconds. The iteration ends when the task is done or its process has died; `death` then states
    how it died, or is None. The task is pickled, so its class must have a name in a module.
    `memory`: limit of the process and of each of its children, in megabytes, by default none. Raise
    WorkError as `Pool` does.
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
