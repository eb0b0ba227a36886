"""Ctrl-C and polite requests to end: both stop a command the same way, with what it has found."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactile.solve.limits import Limits

_came: list[int] = []
"""The signals of this process so far."""


def hear_requests() -> None:
    """Let SIGTERM, which batch systems send, do what Ctrl-C does."""

    def interrupt(number: int, frame: Any) -> None:
        _came.append(number)
        raise KeyboardInterrupt

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, interrupt)


def told(code: int) -> int:
    """Return an exit code: 143 in place of 130 where it was SIGTERM that ended us."""
    return 128 + signal.SIGTERM if code == 130 and signal.SIGTERM in _came else code


@contextmanager
def ending_in_order(limits: Limits) -> Iterator[None]:
    """Let the first signal cancel what has these limits; the second is as it always is."""
    before: dict[int, Any] = {}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def cancel(number: int, frame: Any) -> None:
        _came.append(number)
        limits.cancel()
        restore()

    with suppress(ValueError):  # not in the main thread
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, cancel)
    try:
        yield
    finally:
        restore()
