"""Folders of servers, locked while these live; the next server removes abandoned ones."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp

from exactile.atomic import locked
from exactile.closing import Closing

PREFIX = "exactile-serve-"

LOCK = "lock"


class Folder(Closing):
    """A folder for temporary files, removed at the end.

    Attributes
    ----------
    path
        Its path.

    Examples
    --------
    >>> with Folder() as folder:
    ...     folder.path.is_dir()
    True
    >>> folder.path.exists()
    False
    """

    def __init__(self) -> None:
        _sweep()
        self.path = Path(mkdtemp(prefix=PREFIX))
        unlocked = self.path / "new"  # invisible to others under this name
        self._lock = os.open(unlocked, os.O_RDWR | os.O_CREAT, 0o600)
        locked(self._lock)
        unlocked.rename(self.path / LOCK)

    def close(self) -> None:
        """Remove it with its contents."""
        rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _sweep() -> None:
    """Remove the folders of servers that were killed."""
    for path in Path(gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            lock = os.open(path, os.O_RDWR)
            try:
                if locked(lock):
                    rmtree(path.parent, ignore_errors=True)
            finally:
                os.close(lock)
