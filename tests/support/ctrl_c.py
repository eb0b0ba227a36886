"""Ctrl-C at an event in this process, which needs no other one to be started."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Any, TypeVar

import pytest

from support.events import BEAT, at
from support.waiting import wait_until

T = TypeVar("T")


def interrupted(
    call: Callable[[], T],
    when: int | Callable[..., object] = 2,
    owner: Any = BEAT[0],
    name: str = BEAT[1],
) -> T:
    """Return what a call returns that hears Ctrl-C at an event: see `support.events.at`.

    If none is named, it is the second heartbeat of a search.
    """
    pressed: list[bool] = []

    def event() -> None:
        pressed.append(True)
        _press()

    with pytest.MonkeyPatch.context() as patch, _heard():
        at(patch, when, event, owner, name)
        result = call()
    assert pressed, "it has ended before"
    return result


def interrupted_when(holds: Callable[[], object], call: Callable[[], T]) -> T:
    """Return what a call returns that hears Ctrl-C once something holds, if it still works.

    That is looked at in a thread.
    """
    over, lock = Event(), Lock()

    def watch() -> None:
        wait_until(lambda: over.is_set() or holds())
        with lock:
            if not over.is_set():
                _press()

    thread = Thread(target=watch)
    try:
        with _heard():
            thread.start()
            result = call()
            with lock:
                over.set()
    finally:
        over.set()
        thread.join()
    return result


def _press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def _heard() -> Iterator[None]:
    """Let Ctrl-C be what it is in a program; it must not come through."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    hook = sys.unraisablehook

    def unraisable(caught: Any) -> None:
        if caught.exc_type is KeyboardInterrupt:  # as the command line does: see `cli.signals`
            _press()
        else:
            hook(caught)

    sys.unraisablehook = unraisable
    try:
        yield
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C came through")
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGINT, before)
