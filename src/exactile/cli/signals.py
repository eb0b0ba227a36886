"""Ctrl-C and SIGTERM: both stop a command in the same way, with its results so far."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from exactile.clock import CLOCK

if TYPE_CHECKING:
    from exactile.search.limits import Limits

PATIENCE = 1.0
"""Seconds to wait for threads at the end."""

SOON = 0.01
"""Seconds until an interrupt that could not be raised comes again."""

_came: list[int] = []
"""The signals of this process so far."""

_over: list[None] = []
"""Not empty once there is nothing left for a signal to stop."""

ignore_signals = partial(_over.append, None)
"""Ignore signals from now on; a call of C code, which no signal can interrupt."""


def catch_signals() -> None:
    """Let SIGTERM, which batch systems send, act like Ctrl-C."""

    def interrupt(number: int, frame: Any) -> None:
        _came.append(number)
        if not _over:
            raise KeyboardInterrupt

    def unraisable(caught: Any) -> None:
        # Code that cannot raise, such as a finalizer, was running: the signal is repeated soon.
        if caught.exc_type is KeyboardInterrupt:  # raising it here would have no effect either
            signal.setitimer(signal.ITIMER_REAL, SOON)
        else:
            sys.__unraisablehook__(caught)

    def again(number: int, frame: Any) -> None:
        signal.raise_signal(_came[-1])

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGALRM, again)
        signal.signal(signal.SIGTERM, interrupt)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, interrupt)
        sys.unraisablehook = unraisable


def final_code(code: int) -> int:
    """Return this exit code, but 143 in place of 130 if SIGTERM ended the process."""
    return 128 + signal.SIGTERM if code == 130 and signal.SIGTERM in _came else code


def interrupted() -> bool:
    """Return whether a signal asked this process to end."""
    return bool(_came)


def leave(code: int) -> NoReturn:
    """Exit with a code, after waiting for threads that a second Ctrl-C left behind.

    A thread that returns from native code when the interpreter is gone would crash. If a thread
    does not end, or after a signal, the interpreter is not shut down in order: after an interrupted
    join, Python 3.11 may take a running thread for one that has ended.
    """
    others = [t for t in threading.enumerate() if t is not threading.current_thread()]
    with suppress(KeyboardInterrupt):
        end = CLOCK.now() + PATIENCE
        for thread in others:
            thread.join(CLOCK.lasting(max(0.0, end - CLOCK.now())))
    alive = any(thread.is_alive() for thread in others)
    if _came and not alive:
        with suppress(KeyboardInterrupt):
            atexit._run_exitfuncs()
    if _came or alive:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # none, broken, closed
                stream.flush()
        os._exit(code)
    sys.exit(code)


def ending_in_order(limits: Limits) -> AbstractContextManager[None]:
    """Let the first signal cancel these limits; the second acts as usual."""
    return _first_signal(limits.cancel)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let the first signal wait until the results are printed; the second acts as usual.

    If a signal has stopped the search, that was the first one.
    """
    if _came:
        yield
        return
    waiting: list[None] = []
    with _first_signal(lambda: waiting.append(None)):
        yield
    if waiting:
        raise KeyboardInterrupt


@contextmanager
def _first_signal(act: Callable[[], object]) -> Iterator[None]:
    """Let the first signal call a function; the second acts as usual."""
    before: dict[int, Any] = {}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def received(number: int, frame: Any) -> None:
        _came.append(number)
        act()
        restore()

    with suppress(ValueError):  # not in the main thread
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, received)
    try:
        yield
    finally:
        restore()
