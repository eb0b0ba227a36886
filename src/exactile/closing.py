"""Objects that are closed at the end of a ``with`` statement."""

from __future__ import annotations

import atexit
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

    def close_at_exit(self) -> None:
        """Close the object when Python ends, if it still exists then.

        Later, Python stops daemon threads wherever they are. A thread in native code, or one that
        reads a pipe that is then closed, would abort the process.
        """
        _open[id(self)] = self


_open: WeakValueDictionary[int, Closing] = WeakValueDictionary()


@atexit.register
def _close_all() -> None:
    """Close all objects that are to be closed at exit, in the order in which they were made."""
    for each in list(_open.values()):
        each.close()
