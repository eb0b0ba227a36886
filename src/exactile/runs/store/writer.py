"""The one connection that writes to a store: sealed transactions, in a file that is still there."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any

from exactile.clock import CLOCK
from exactile.closing import Closing
from exactile.errors import FileError
from exactile.runs.store.opening import explained, opened_to_write
from exactile.tuning import TUNING


class Writer(Closing):
    """Writes to a store; a context manager.

    What was written is in a file beside the store at first. After the first transaction, and then
    every minute, it goes into the store itself, so that a plain copy of that is a store too.

    `path`: the file; a missing store is created. Raise FileError, OSError: see
    `exactile.runs.store.opening.opened_to_write`.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.base, self._seal, self._lock = opened_to_write(path)  # the connection
        self._copied = -inf

    def close(self) -> None:
        """Let go of the file, with all that was written in it, even if it was moved."""
        if self._lock < 0:
            return
        # SQLite copies nothing into a file that is not in its place, and lets its own files lie.
        moved = not self._is_there() and self._copy_all()
        self.base.close()
        os.close(self._lock)  # after the connection, whose locks would end with it
        self._lock = -1
        if moved and not Path(self._path).exists():
            for ending in ("-wal", "-shm"):
                Path(f"{self._path}{ending}").unlink(missing_ok=True)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do what `Store.transaction` promises."""
        if self.base.in_transaction:
            yield
            return
        self._require_there()
        with explained(self._path):
            self.base.execute("BEGIN IMMEDIATE")
            try:
                self._seal.begin()
                yield
                self._seal.end()
                self.base.execute("COMMIT")
            except BaseException:
                if self.base.in_transaction:
                    self.base.execute("ROLLBACK")
                raise
        if CLOCK.now() - self._copied >= TUNING.store_copied:
            self._copied = CLOCK.now()
            self._copy_all("PASSIVE")

    def change(self, words: str, values: Sequence[Any]) -> sqlite3.Cursor:
        """Change tables, within a transaction."""
        assert self.base.in_transaction
        cursor = self.base.execute(words, values)
        self._seal.fold()
        return cursor

    def _copy_all(self, how: str = "TRUNCATE") -> bool:
        """Copy what was written into the store itself; return whether all of it is there.

        The rest stays where it was. `how` says whether readers are waited for.
        """
        with suppress(sqlite3.Error):
            busy: int = self.base.execute(f"PRAGMA wal_checkpoint({how})").fetchone()[0]
            return not busy
        return False

    def _is_there(self) -> bool:
        """Return whether the file is where it was."""
        try:
            there = os.stat(self._path)  # noqa: PTH116  # as given
        except OSError:
            return False
        return os.path.samestat(there, os.fstat(self._lock))

    def _require_there(self) -> None:
        """Raise if the file was moved or removed: later writes would be lost."""
        if self._is_there():
            return
        if os.fstat(self._lock).st_nlink:
            rest = "All that was written is in it: go on with it under its new name."
            if not self._copy_all():
                rest = f"What was written last is in {self._path}-wal, which belongs beside it."
            raise FileError(f"{self._path}: the store was moved while it was written to. {rest}")
        raise FileError(
            f"{self._path}: the store was removed while it was written to, or moved to another "
            "disk: there it has what was written up to a minute before."
        )
