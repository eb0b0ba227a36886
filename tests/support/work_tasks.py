"""Tasks for other processes that do well, fail and die; see `exactile.work`."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exactile.errors import ModelError
from exactile.work import Tell
from support.waiting import children


@dataclass(frozen=True)
class Squares:
    """Tells the squares of some numbers, after printing what must not get among them."""

    numbers: list[int]

    def run(self, tell: Tell[int]) -> None:
        print("on standard output")
        subprocess.run(["echo", "by a child"], check=True)
        for number in self.numbers:
            tell(number**2)


@dataclass(frozen=True)
class Killed:
    """Is killed before it tells anything; it takes whatever other tasks take."""

    first: object
    second: object
    third: object

    def run(self, tell: Tell[Any]) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Misbehaving:
    """Tells a number, then does what is asked."""

    what: str

    def run(self, tell: Tell[int]) -> None:
        tell(1)
        getattr(self, f"_{self.what}")(tell)

    def _sleep(self, tell: Tell[int]) -> None:
        subprocess.run(["sleep", "1000"], check=False)

    def _compute(self, tell: Tell[int]) -> None:
        while True:
            tell(1)

    def _crash(self, tell: Tell[int]) -> None:
        print("last words", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)

    def _exit(self, tell: Tell[int]) -> None:
        os._exit(3)

    def _garbage(self, tell: Tell[int]) -> None:
        for descriptor in range(3, 20):  # the pipe to the other side is one of these
            with suppress(OSError):
                os.write(descriptor, b"no message, however long it may be")

    def _unpicklable(self, tell: Tell[int]) -> None:
        tell(lambda: 1)  # type: ignore[arg-type]

    def _memory(self, tell: Tell[int]) -> None:
        tell(len(bytearray(1 << 32)))

    def _ours(self, tell: Tell[int]) -> None:
        raise ModelError("there is no such model")

    def _error(self, tell: Tell[int]) -> None:
        raise RuntimeError("it does not like this task")


@dataclass(frozen=True)
class Halves:
    """A service that halves even numbers and dies of some others, at times.

    Each part leaves a line with its number in a file, so that tries can be counted.
    """

    log: str
    once: tuple[int, ...] = ()
    always: tuple[int, ...] = ()

    def start(self) -> Callable[[int, Tell[float]], None]:
        return self._halve

    def _halve(self, number: int, tell: Tell[float]) -> None:
        with Path(self.log).open("a", encoding="ascii") as file:
            file.write(f"{number}\n")
        tries = Path(self.log).read_text("ascii").split().count(str(number))
        tell(number / 2)
        if number in self.always or (number in self.once and tries == 1):
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise ValueError("it is negative")


@contextmanager
def importable(*folders: Path) -> Iterator[None]:
    """Let other processes import the helpers of the tests, and what is in these folders."""
    with pytest.MonkeyPatch.context() as patch:
        known = [Path(__file__).parents[1], *folders]
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, known)))
        yield


def descendants(pid: int | str = "self") -> list[int]:
    """Return the processes that this one or another started, and all that these did."""
    found = children(pid, guards=True)
    return found + [other for child in found for other in descendants(child)]


def alive(pid: int) -> bool:
    """Return whether a process runs: what has ended may stay in the system's list for a while."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def with_word(word: str) -> list[int]:
    """Return all living processes that have a word in their environment, whoever started them."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdecimal() and word.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return [pid for pid in found if alive(pid)]
