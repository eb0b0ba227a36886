"""Processes of solvers that end when we do, however we end."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any


def start(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own: Ctrl-C is for us to notice, and we kill it.

    Linux ends a process that asked for it when the *thread* ends that started it. So one thread,
    which lives as long as we do, starts them all.

    Raises
    ------
    OSError
        If there is no such program.
    """
    given = {"stdin": subprocess.DEVNULL, "start_new_session": True} | options

    def begin() -> Any:
        return subprocess.Popen(words, **given)

    process: subprocess.Popen[bytes] = _starter().submit(begin).result()
    return process


@cache
def _starter() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="starter of processes")


def die_with_parent() -> None:
    """Ask to be killed when the process that started this one ends, even if it is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
