"""Processes that end together: when their group is closed, or when this process ends in any way."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from exactile.closing import Closing

GUARD = "trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0"
"""The shell command that leads a group: it waits until this process closes the pipe or ends, and
then kills the whole group."""

GUARD_NAME = "guard of exactile"
"""The guard's name in lists of processes."""


class Group(Closing):
    """Processes that are killed together, and their own children with them.

    Each group has a guard, a shell that reads from a pipe of this process and notices its end, even
    if it is killed. Processes join their group when they start. They get no signals from the
    terminal: Ctrl-C reaches only this process.

    Without process groups (on Windows) each process is killed separately; a process that reads from
    a pipe of this process notices its end, others continue.

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
        """Start a program in the group, by default without input; options as for `Popen`."""
        given: dict[str, Any] = {"stdin": subprocess.DEVNULL} | options
        if hasattr(os, "killpg"):
            given["process_group"] = self._leader()
        with _whole():
            process: subprocess.Popen[bytes] = subprocess.Popen(words, **given)
            self._processes = [p for p in self._processes if p.poll() is None] + [process]
        return process

    def close(self) -> None:
        """Kill all processes of the group and their children; return when ours have ended."""
        if self._guard is not None:
            with suppress(ProcessLookupError, PermissionError):  # all are gone already
                os.killpg(self._guard.pid, signal.SIGKILL)
            self._guard.communicate()
            self._guard = None
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes = []

    def _leader(self) -> int:
        """Return the number of the group; a guard that was killed is replaced."""
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
    """Let Ctrl-C and SIGTERM wait: a process whose start is cut short would have no owner."""
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
