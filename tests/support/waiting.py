"""Waits for what other processes do, for as long as it takes; the only sleeps of the tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import IO, Any

from exactile.clock import CLOCK
from exactile.work.worker import GUARD_NAME

PATIENCE = max(300.0, CLOCK.lasting(300))
"""Seconds after which a test gives up that would wait for ever: no machine is as slow as that."""


def wait_until(holds: Callable[[], object], process: subprocess.Popen[Any] | None = None) -> None:
    """Return once something holds; fail if the process has ended that was to bring it about.

    If it fails, the process is killed: another test would find it.
    """
    end = time.monotonic() + PATIENCE
    try:
        while True:
            ended = process is not None and process.poll() is not None
            if holds():
                return
            assert not ended, "the process has ended, and it does not hold"
            assert time.monotonic() < end, "it has not come to hold"
            time.sleep(0.01)
    except BaseException:
        if process is not None:
            process.kill()
            process.wait()
        raise


def pace(over: Event) -> None:
    """Let a moment go by, or something end: for what would else keep a processor busy."""
    over.wait(0.01)


def is_full(pipe: IO[Any]) -> bool:
    """Return whether nothing more can be written into a pipe."""
    import fcntl
    import termios

    room = fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    there = fcntl.ioctl(pipe, termios.FIONREAD, b"    ")
    return int.from_bytes(there, sys.byteorder) > room - os.sysconf("SC_PAGE_SIZE")


def has_heard(pid: int) -> bool:
    """Return whether no signal to a process waits any more."""
    status = Path(f"/proc/{pid}/status").read_text()
    return not any(int(mask, 16) for mask in re.findall(r"^S(?:ig|hd)Pnd:\s*(\w+)$", status, re.M))


def children(pid: int | str = "self", *, guards: bool = False) -> list[int]:
    """Return the processes that this one, or another, started, whichever of its threads did.

    Python's own helper, which other tests may have made it start, does not count, nor does what was
    there when the test began, nor do the guards of groups, unless they are asked for.
    """
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    started = [int(pid) for found in lists for pid in _text(found).split()]
    started = [pid for pid in started if pid not in _earlier]
    others = [b"resource_tracker"] + ([] if guards else [GUARD_NAME.encode()])
    lines = {pid: _command_line(pid) for pid in started}
    return [pid for pid, line in lines.items() if not any(other in line for other in others)]


_earlier: set[int] = set()
"""The processes that this one had when the test began."""


def note_children() -> None:
    """Let `children` return only what is started from now on."""
    _earlier.clear()
    _earlier.update(children(guards=True))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the thread is gone
        return ""


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it is gone
        return b"resource_tracker"
