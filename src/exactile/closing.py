"""Objects that are closed at the end of a ``with`` statement."""

from __future__ import annotations

import atexit
import os
from contextlib import suppress
from typing import Self
from weakref import WeakValueDictionary


class Closing:
    """An object that is closed at the end of a ``with`` statement."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what the object does, and release what it holds."""
        raise NotImplementedError

    def close_soon(self) -> None:
        """Close the object as Python ends; do not wait long for other threads."""
        self.close()

    def close_at_exit(self) -> None:
        """Call `close_soon` when Python ends, if the object still exists then.

        After that, Python stops all daemon threads. If a thread is in native code at that time, or
        reads a pipe that is closed, this would abort the process.
        """
        _open[id(self)] = self


_open: WeakValueDictionary[int, Closing] = WeakValueDictionary()


@atexit.register
def _close_all() -> None:
    """Call `close_soon` of each object for which `close_at_exit` was called, in the same order.

    Exceptions are ignored.
    """
    for each in list(_open.values()):
        with suppress(Exception):  # another thread may be using it; the others are closed anyway
            each.close_soon()


if hasattr(os, "register_at_fork"):  # the threads and processes are those of the parent
    os.register_at_fork(after_in_child=_open.clear)
