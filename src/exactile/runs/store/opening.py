"""Opening a store: checks of the file, the connection to it, and the lock of its only writer."""

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
from exactile.runs.store.schema import APPLICATION, FORMAT, LARGE, SCHEMA, TABLES
from exactile.runs.store.seal import Seal, begin_seal, damaged, require_sound
from exactile.tuning import TUNING

try:
    import fcntl
except ImportError:  # no such locks on this system: the user must avoid two writers
    fcntl = None  # type: ignore[assignment]

MAGIC = b"SQLite format 3\0"
TRIES = 5
"""Number of attempts to get a lock."""

LOOKS = 50
"""Number of attempts to read a store that another process is creating: about a second in all."""

OTHERS = (
    *(".cnf", ".csv", ".dlx", ".html", ".json", ".jsonl", ".lp", ".md", ".mps", ".mzn", ".opb"),
    *(".parquet", ".pdf", ".png", ".psv", ".py", ".svg", ".toml", ".txt", ".wcnf", ".xcc"),
    *(".bz2", ".gz", ".xmpuzzle", ".xz", ".zip", ".zst"),
)
"""Suffixes that a new store must not have, because they belong to other kinds of files."""


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn the errors of SQLite that occur in the ``with`` block into FileError."""
    try:
        yield
    except UnicodeDecodeError as error:  # in a message of SQLite that quotes the file
        raise damaged(path, error) from None
    except sqlite3.Error as error:
        raise _explained(path, error) from None


def _explained(path: str, error: sqlite3.Error) -> FileError:
    code = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")  # no name: text is not UTF-8
    if code.startswith("SQLITE_CORRUPT"):
        return damaged(path, error)
    for beginning, words in {
        "SQLITE_FULL": "the disk is full. What was written before is safe: make room and go on.",
        "SQLITE_IOERR": "the disk fails: {}. What was written before is safe if the disk is.",
        "SQLITE_READONLY": "the store cannot be written: {}.",
        "SQLITE_NOTADB": "this is not a store of exactile.",
        "SQLITE_BUSY": "another program is at work on this store. Wait for it, or name another.",
        "SQLITE_CANTOPEN": "the store cannot be opened: check its path.",
    }.items():
        if code.startswith(beginning):
            return FileError(f"{path}: {words.format(error)}")
    return FileError(f"{path}: the store cannot be used: {error}.")


def opened_to_read(path: str) -> tuple[sqlite3.Connection, bool]:
    """Return a read-only connection, and whether another process has the store open for writing.

    If there is such a process, it has tested the tables. Otherwise, this function tests all tables
    except the large ones. Raise FileError if there is no such file, it is damaged or not a store, a
    newer exactile has written it, or another process is just creating it.
    """
    for _ in range(LOOKS):
        if not (written := is_written(path)):  # else SQLite waits until it can be read
            _require_whole(path)
        with explained(path):
            base = reader(path)
            try:
                if _is_filled(base) or not written:
                    _require_readable(base, path, written=written)
                    return base, written
            except BaseException:
                base.close()
                raise
            base.close()
        CLOCK.pause(0.02)
    raise FileError(f"{path}: the store is just being made: try again in a moment.")


def reader(path: str) -> sqlite3.Connection:
    """Return a connection for queries only; it also works on a read-only disk.

    Raise sqlite3.Error if the file is not a database, FileError if its latest results cannot be
    read.
    """
    uri = Path(path).resolve().as_uri()
    # The last connection to be closed removes SQLite's files beside the store, if it may write.
    mode = "rw" if may_be_written(path) else "ro"
    base = sqlite3.connect(
        f"{uri}?mode={mode}", uri=True, timeout=CLOCK.lasting(10), isolation_level=None
    )
    try:
        base.execute("PRAGMA query_only = ON")
        _is_filled(base)
    except sqlite3.OperationalError:  # nothing can be written beside it: there is no writer
        base.close()
        _require_complete(path)
        return sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
    except BaseException:
        base.close()
        raise
    return base


def _require_complete(path: str) -> None:
    """Raise FileError if a store has a ``-wal`` file, whose results only SQLite can merge."""
    rest = Path(f"{Path(path).resolve()}-wal")
    if rest.exists() and rest.stat().st_size:
        raise FileError(
            f"{path}: the latest results may be in {rest.name}, and nothing can be written here: "
            "copy both files to where that is possible."
        )


def _require_readable(base: sqlite3.Connection, path: str, *, written: bool) -> None:
    """Raise FileError if a database is not a store of this format, or a small table is damaged.

    `written`: whether another process has the store open for writing. It has then tested the
    tables, which are not tested again.
    """
    _require_version(base, path)
    if not written:
        require_sound(base, path, [table for table in TABLES if table not in LARGE])


def opened_to_write(path: str) -> tuple[sqlite3.Connection, Seal, int]:
    """Return the only connection that writes to a store, its `Seal`, and its lock.

    The lock is the descriptor of an open file; close it after the connection. A missing store is
    created. Raise FileError if another process has the lock, the file is damaged or not a store, a
    newer exactile has written it, or a new store would have the suffix of another kind of file,
    such as ``.json``. Raise OSError if the file cannot be opened for writing or created.
    """
    _require_file(path)
    _require_name(path)
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _require_lock(lock, path)
        return *_connected(path), lock
    except BaseException:
        os.close(lock)
        raise


def _require_name(path: str) -> None:
    """Raise FileError if a new store would have the suffix of another kind of file."""
    ending = Path(path).suffix.lower()
    if ending in OTHERS and not (Path(path).exists() and Path(path).stat().st_size):
        raise FileError(
            f"{path}: a store cannot be called {ending}: choose another name, such as "
            f"{Path(path).with_suffix('.store')}."
        )


def _require_lock(lock: int, path: str) -> None:
    """Lock a store for writing; raise FileError if another process has it locked.

    Several attempts are made, since `is_written` locks the file for a moment. Without file locks,
    as on Windows, do nothing.
    """
    if fcntl is None:
        return
    for _ in range(TRIES):
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        CLOCK.pause(0.02)
    raise FileError(
        f"{path}: another run is at work on this store. Wait for it, or name another file; "
        "`exactile status` shows how far it is."
    )


def is_written(path: str) -> bool:
    """Return whether a process has a store open for writing.

    Do not call this while this process has the store open: the function opens and closes the file,
    which ends all locks that SQLite has on the file in this process. The answer is False if the
    file is missing or cannot be opened, and always without file locks, as on Windows.
    """
    if fcntl is None or not Path(path).is_file():
        return False
    with suppress(OSError), Path(path).open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def may_be_written(path: str) -> bool:
    """Return whether this process may write to an existing file and its folder."""
    return os.access(path, os.W_OK) and os.access(Path(path).parent, os.W_OK)


def _connected(path: str) -> tuple[sqlite3.Connection, Seal]:
    """Return a connection for writing to a locked store, and its `Seal`.

    The tables are created if the file is empty, else tested. Raise FileError if the file is
    damaged, is not a store, or cannot be used.
    """
    if os.path.getsize(path):  # noqa: PTH202  # as given
        _require_whole(path)
    with explained(path):
        name = Path(path).absolute()  # SQLite takes ":memory:" and "file:..." for something else
        base = sqlite3.connect(name, timeout=CLOCK.lasting(10), isolation_level=None)
        try:
            filled = _is_filled(base)
            if filled:
                _require_version(base, path)
                require_sound(base, path)
            base.execute("PRAGMA journal_mode = WAL")  # first: it costs a third as an empty file
            base.execute("PRAGMA synchronous = FULL")  # reported results survive a power cut
            if not filled:
                _make_tables(base)
            return base, Seal(base, path)
        except BaseException:
            base.close()
            raise


def _make_tables(base: sqlite3.Connection) -> None:
    """Create the tables of a store in one transaction, so that no reader sees only some of them."""
    base.execute("BEGIN")
    for statement in SCHEMA.split(";"):
        base.execute(statement)
    begin_seal(base)
    base.execute(f"PRAGMA application_id = {APPLICATION}")
    base.execute(f"PRAGMA user_version = {FORMAT}")
    base.execute("COMMIT")
    base.execute("PRAGMA wal_checkpoint")  # so that a plain copy of the file is a store


def _require_file(path: str) -> None:
    """Raise FileError if the path exists but is not that of a file: a folder or a pipe, say."""
    if Path(path).exists() and not Path(path).is_file():
        raise FileError(f"{path}: this is neither a file nor a store of exactile.")


def _require_whole(path: str) -> None:
    """Raise FileError if a file is missing, not a database, or shorter than its header says.

    A file that is too short is accepted if it has a ``-wal`` file, which may hold the rest.
    """
    _require_file(path)
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(100)
            size = stream.seek(0, os.SEEK_END)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such store.") from None
    if not head.startswith(MAGIC) or len(head) < 100:
        raise FileError(f"{path}: this is not a store of exactile.")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    if size < (65536 if page == 1 else page) * pages and not Path(f"{path}-wal").exists():
        raise damaged(path, "its end is missing")


def _is_filled(base: sqlite3.Connection) -> bool:
    return base.execute("SELECT 1 FROM sqlite_schema").fetchone() is not None


def _require_version(base: sqlite3.Connection, path: str) -> None:
    """Raise FileError if a database is not a store, or its format is not `FORMAT`."""
    application = base.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        raise FileError(f"{path}: this is not a store of exactile, but some other database.")
    version: int = base.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT:
        raise FileError(
            f"{path}: a newer exactile has written this store (format {version}, this one reads "
            f"{FORMAT}): install that one."
        )
    if version < FORMAT:
        raise damaged(path, f"its format is {version}, and there is none below {FORMAT}")


class Writer(Closing):
    """Writes to a store in transactions, and updates its checksums; a context manager.

    SQLite first writes transactions to a second file, with the suffix ``-wal``. At the end of each
    transaction, that file is copied into the store itself, unless the last copy is less than
    `Tuning.store_copied` seconds old, by default a minute. So a plain copy of the store file
    usually lacks only the last minute. Errors are those of `opened_to_write`.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.base, self._seal, self._lock = opened_to_write(path)
        self._copied = -inf

    def close(self) -> None:
        """Copy all transactions into the store file, even if it was moved; close and unlock it."""
        if self._lock < 0:
            return
        # SQLite copies nothing into a file that was moved, and leaves its own files behind.
        moved = not self._is_there() and self._copy_all()
        self.base.close()
        os.close(self._lock)  # last: closing it ends the locks of the connection, too
        self._lock = -1
        if moved and not Path(self._path).exists():
            for ending in ("-wal", "-shm"):
                Path(f"{self._path}{ending}").unlink(missing_ok=True)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write the changes of a ``with`` block as one transaction: see `Store.transaction`."""
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
        """Execute the SQL statement `words` with `values` for its placeholders; return the cursor.

        Call this within a transaction.
        """
        assert self.base.in_transaction
        cursor = self.base.execute(words, values)
        self._seal.fold()
        return cursor

    def _copy_all(self, how: str = "TRUNCATE") -> bool:
        """Copy transactions into the store file; return False if SQLite reports a failure.

        Transactions that are not copied stay in the ``-wal`` file. `how`: a mode of ``PRAGMA
        wal_checkpoint``; ``PASSIVE`` copies only what it can without waiting.
        """
        with suppress(sqlite3.Error):
            busy: int = self.base.execute(f"PRAGMA wal_checkpoint({how})").fetchone()[0]
            return not busy
        return False

    def _is_there(self) -> bool:
        """Return whether the path is still that of the open file."""
        try:
            there = os.stat(self._path)  # noqa: PTH116  # as given
        except OSError:
            return False
        return os.path.samestat(there, os.fstat(self._lock))

    def _require_there(self) -> None:
        """Raise FileError if the store file was moved or removed, since changes could be lost."""
        if self._is_there():
            return
        if os.fstat(self._lock).st_nlink:
            rest = "All that was written is in it: go on with it under its new name."
            if not self._copy_all():
                rest = f"What was written last is in {self._path}-wal, which belongs beside it."
            raise FileError(f"{self._path}: the store was moved while it was written to. {rest}")
        raise FileError(
            f"{self._path}: the store was removed while it was written to, or moved to another "
            "disk: there it has everything except the last minute at most."
        )
