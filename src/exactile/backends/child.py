"""Runs a solver in a process of its own, so that it can be stopped at any moment and may crash.

Most solvers cannot be interrupted from Python in time: they hold the interpreter's lock or look
at a flag too seldom. A process can always be killed. Run as a module, this file is the process.

The parent sends one `Task`. The child answers with ``("solution", options, stats)``,
``("stats", stats)`` and at last ``("done", stats)`` or ``("error", text)``.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Protocol, Self

import numpy as np

from exactile.backends.base import HEARTBEAT, Batch, Request, no_solutions
from exactile.backends.process import die_with_parent, start
from exactile.errors import BackendCrashedError
from exactile.model.model import Model


@dataclass(frozen=True, eq=False)
class Task:
    """What the child is told: the model, the request, and which solver."""

    model: Model
    request: Request
    solver: str


class Report(Protocol):
    """What a child calls on finding a solution."""

    def __call__(self, options: list[int], stats: Mapping[str, int]) -> None:
        """Hand over one solution."""
        ...


def search_in_child(module: str, task: Task) -> Generator[Batch]:
    """Run ``module.work(task, report)`` in a new process and yield what it reports.

    The process is killed when the iterator is closed.

    Raises
    ------
    BackendCrashedError
        If the process dies or raises; the message has the end of what it wrote.
    """
    with Child("exactile.backends.child", module, task) as child:
        try:
            yield from _batches(child.connection, task)
        except (EOFError, ConnectionError):
            raise child.crashed() from None


class Child:
    """A process that runs a module of ours with a connection to it, and is told a task.

    A context manager that kills the process in the end.

    Parameters
    ----------
    program
        The module to run; its arguments are `module` and the number of the connection.
    module
        Where the solver is.
    task
        The first thing that is sent.
    """

    def __init__(self, program: str, module: str, task: Task) -> None:
        self._solver = task.solver
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._process = start(
                [sys.executable, "-P", "-m", program, module, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdout=self._log,
                stderr=self._log,
            )
            self.connection = Connection(ours.detach())
        with suppress(ConnectionError):  # it died at once: the first answer will not come
            self.connection.send(task)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process and forget what it wrote."""
        self.connection.close()
        self._process.kill()
        self._process.wait()
        self._log.close()

    def crashed(self, cause: str | None = None) -> BackendCrashedError:
        """Return how a process ended that should not have, and the end of what it wrote."""
        self._process.kill()
        code = self._process.wait()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()[-5:]
        cause = cause or (signal.Signals(-code).name if code < 0 else f"exit code {code}")
        tail = ("\n  " + "\n  ".join(lines)) if lines else ""
        return BackendCrashedError(
            f"The process of {self._solver} died ({cause}); solutions found before it are kept. "
            f"Try another backend, or more memory.{tail}"
        )


def _batches(connection: Connection, task: Task) -> Generator[Batch]:
    seen: set[tuple[int, ...]] = set()
    stats: Mapping[str, int] = {}
    while True:
        if not connection.poll(HEARTBEAT):
            yield Batch(no_solutions(), stats)
            continue
        kind, *content = connection.recv()
        if kind == "solution":
            options, stats = content
            if tuple(options) in seen:
                raise BackendCrashedError(
                    f"{task.solver} returned a solution twice, against the clause that forbids it."
                )
            seen.add(tuple(options))
            yield Batch(np.array([options], dtype=np.int32), stats)
        elif kind == "stats":
            (stats,) = content
        elif kind == "done":
            yield Batch(no_solutions(), content[0])
            return
        else:
            raise BackendCrashedError(f"{task.solver} failed: {content[0]}")


def connect(descriptor: int) -> tuple[Connection, Task]:
    """Return the connection of a child to its parent, and its task."""
    die_with_parent()
    connection = Connection(descriptor)
    task: Task = connection.recv()
    return connection, task


def main(module: str, descriptor: int) -> None:
    """Be the child: read a task, work, report."""
    connection, task = connect(descriptor)

    def report(options: list[int], stats: Mapping[str, int]) -> None:
        connection.send(("solution", options, stats))

    try:
        stats: Any = import_module(module).work(task, report)
        connection.send(("done", stats))
    except BrokenPipeError:
        os._exit(0)  # the parent is gone: nobody listens
    except Exception as error:  # whatever it is, the parent must hear of it
        connection.send(("error", f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
