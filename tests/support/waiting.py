"""Waits until a process has worked for a while, by its processor time: load does not change it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactile.work.group import GUARD_NAME

TICKS = os.sysconf("SC_CLK_TCK")
TOLD = Path("/proc/self/stat").exists()


def let_work(process: subprocess.Popen[Any], seconds: float) -> None:
    """Return once a process and its descendants have used so much processor time, or have ended."""
    deadline = time.monotonic() + 120
    begun = 0.0 if TOLD else used(process.pid)
    while process.poll() is None and time.monotonic() < deadline:
        if used(process.pid) >= begun + seconds:
            return
        time.sleep(0.05)


def used(pid: int) -> float:
    """Return the processor time of a process and of its living descendants in seconds.

    Where the system does not tell it, it is half of what the clock shows.
    """
    if not TOLD:
        return time.monotonic() / 2
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            parents[int(entry.name)] = int(fields[1])
            ticks[int(entry.name)] = int(fields[11]) + int(fields[12])
    family = {pid}
    while more := {p for p, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(p, 0) for p in family) / TICKS


def children(pid: int | str = "self", *, guards: bool = False) -> list[int]:
    """Return the processes that this one, or another, started, whichever of its threads did.

    Python's own helper, which other tests may have made it start, does not count, nor do the guards
    of groups, unless they are asked for.
    """
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    started = [int(pid) for found in lists for pid in found.read_text().split()]
    others = [b"resource_tracker"] + ([] if guards else [GUARD_NAME.encode()])
    lines = {pid: _command_line(pid) for pid in started}
    return [pid for pid, line in lines.items() if not any(other in line for other in others)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it is gone
        return b"resource_tracker"


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once something holds."""
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline, "it has not come to hold"
        time.sleep(0.05)
