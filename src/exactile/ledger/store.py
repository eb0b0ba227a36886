"""The file of the ledger: one row a puzzle, replaced as a whole, so that a kill loses no count.

What identifies a puzzle is its digest: one that has changed is another puzzle, and one with a new
name is the same. Records of earlier versions are kept by name until they are compared.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from exactile.closing import Closing
from exactile.errors import FileError
from exactile.ledger.record import Record

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS known "
    "(puzzle TEXT PRIMARY KEY, id TEXT, status TEXT, data BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS record (id TEXT PRIMARY KEY, status TEXT, data BLOB NOT NULL)",
)
"""The second table is all that ledgers of earlier versions have."""


class Ledger(Closing):
    """The records of puzzles in an SQLite file; a context manager.

    Parameters
    ----------
    path
        The file, made if there is none.

    Raises
    ------
    FileError
        If it cannot be opened or is no ledger.

    Examples
    --------
    >>> with Ledger(":memory:") as ledger:
    ...     ledger.write(Record("a", "", 1, 1, 1, 1))
    ...     ledger.read("a", "").status
    'open'
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._reserved: IO[bytes] | None = None
        try:
            self._base = sqlite3.connect(self.path, timeout=60)
            with self._base:
                for statement in SCHEMA:
                    self._base.execute(statement)
        except sqlite3.Error as error:
            raise self._error(error) from None

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()
        if self._reserved is not None:
            self._reserved.close()

    def reserve(self) -> None:
        """Keep other runs away from the file until it is closed; reading stays possible.

        Where the system has no locks of this kind (on Windows), other runs are not kept away; no
        record is damaged by that, but both may do the same work.

        Raises
        ------
        FileError
            If another run is at work on it.
        """
        try:
            import fcntl
        except ImportError:
            return
        if self.path == ":memory:":
            return
        self._reserved = Path(self.path).open("rb")  # noqa: SIM115  # until `close`
        try:
            fcntl.flock(self._reserved, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FileError(
                f"{self.path}: another run is at work on this ledger. Wait for it, or name another "
                "file."
            ) from None

    def write(self, record: Record) -> None:
        """Write a record in place of the puzzle's earlier one, wholly or not at all."""
        row = (record.id, record.status, msgspec.json.encode(record))
        try:
            with self._base:
                if record.puzzle:
                    self._base.execute(
                        "INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?)", (record.puzzle, *row)
                    )
                    self._base.execute("DELETE FROM record WHERE id = ?", (record.id,))
                else:
                    self._base.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", row)
        except sqlite3.Error as error:
            raise self._error(error) from None

    def read(self, identifier: str, puzzle: str) -> Record | None:
        """Return the record of a puzzle under the name that it has now, None if there is none.

        Parameters
        ----------
        identifier, puzzle
            The name of the puzzle, and its digest. Under the name alone there may be a record of an
            earlier version, to be compared with the puzzle.
        """
        try:
            row = self._base.execute(
                "SELECT data FROM known WHERE puzzle = ? "
                "UNION ALL SELECT data FROM record WHERE id = ?",
                (puzzle, identifier),
            ).fetchone()
        except sqlite3.Error as error:
            raise self._error(error) from None
        if row is None:
            return None
        return msgspec.structs.replace(self._decoded(identifier, row[0]), id=identifier)

    def __iter__(self) -> Iterator[Record]:
        """Yield all records by identifier."""
        try:
            rows = self._base.execute(
                "SELECT id, data FROM known UNION ALL SELECT id, data FROM record ORDER BY id"
            ).fetchall()
        except sqlite3.Error as error:
            raise self._error(error) from None
        for identifier, data in rows:
            yield self._decoded(identifier, data)

    def _decoded(self, identifier: str, data: bytes) -> Record:
        try:
            return msgspec.json.decode(data, type=Record)
        except msgspec.MsgspecError as error:
            raise FileError(
                f"{self.path}: the record of {identifier} is damaged: {error}. "
                "Delete it or start a new ledger."
            ) from None

    def _error(self, error: sqlite3.Error) -> FileError:
        return FileError(
            f"{self.path}: the ledger cannot be used: {error}. Name another file with --ledger."
        )
