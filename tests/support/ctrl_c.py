"""Ctrl-C in this process, which needs no other one to be started."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TypeVar

import pytest

from support.waiting import used

T = TypeVar("T")


def interrupted(call: Callable[[], T], seconds: float = 0.3) -> T:
    """Return what a call returns that hears Ctrl-C after so many seconds of processor time."""
    return interrupted_after(lambda over: until_worked(over, seconds), call)


def until_worked(over: Event, seconds: float = 0.3) -> None:
    """Wait until this process and its children have worked so long, or all is over."""
    begun = used(os.getpid())
    while used(os.getpid()) < begun + seconds and not over.wait(0.02):
        pass


def interrupted_after(wait: Callable[[Event], object], call: Callable[[], T]) -> T:
    """Return what a call returns that hears Ctrl-C once a function returns, if it still works.

    The function is called in a thread; the event is set when the call has returned.
    """
    over, lock = Event(), Lock()

    def press() -> None:
        wait(over)
        with lock:
            if not over.is_set():
                os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = Thread(target=press)
    try:
        thread.start()
        result = call()
        with lock:
            over.set()
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C came through")
    finally:
        over.set()
        thread.join()
        signal.signal(signal.SIGINT, before)
    return result
