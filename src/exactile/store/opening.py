"""How a store is opened: what it is, whether it is whole, and who may write."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from exactile.clock import CLOCK
from exactile.errors import FileError

try:
    import fcntl
except ImportError:  # no such locks on this system: who writes is up to the user
    fcntl = None  # type: ignore[assignment]

MAGIC = b"SQLite format 3\0"
APPLICATION = 0x45584143
"""Our number in the head of the file."""

FORMAT = 3
"""Its version: it grows with every change of the tables. An older store gets the tables that it
lacks when it is written; until then it is read as it is."""

TRIES = 5
"""So often a lock is tried for."""

LOOKS = 50
"""So often a store that is just being made is looked at: for about a second."""

OTHERS = (
    *(".cnf", ".csv", ".dlx", ".html", ".json", ".jsonl", ".lp", ".md", ".mps", ".mzn", ".opb"),
    *(".parquet", ".pdf", ".png", ".psv", ".py", ".svg", ".toml", ".txt", ".wcnf", ".xcc"),
    *(".bz2", ".gz", ".xmpuzzle", ".xz", ".zip", ".zst"),
)
"""Endings of other files: a new store of such a name would be a slip."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS puzzle (
    digest TEXT PRIMARY KEY,
    statement BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS run (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    settings TEXT NOT NULL,
    version TEXT NOT NULL,
    begun REAL NOT NULL,
    next INTEGER NOT NULL,
    answer TEXT
);
CREATE TABLE IF NOT EXISTS part (
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    origin BLOB NOT NULL,
    weight REAL NOT NULL,
    lost INTEGER NOT NULL,
    cause TEXT NOT NULL,
    prefixes BLOB NOT NULL,
    PRIMARY KEY (run, number)
);
CREATE TABLE IF NOT EXISTS total (
    run INTEGER NOT NULL,
    origin BLOB NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run, origin)
);
CREATE TABLE IF NOT EXISTS solutions (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    origin BLOB NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS checkpoint (
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    number TEXT NOT NULL,
    PRIMARY KEY (run, step)
);
CREATE TABLE IF NOT EXISTS chunk (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS share (
    run INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    of INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS session (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS known (
    puzzle TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS record (
    id TEXT PRIMARY KEY,
    status TEXT,
    data BLOB NOT NULL
);
"""
"""The last but one is what a ledger knows of puzzles, by their digests; the last one the same by
their names, which is all that the ledgers of earlier versions have."""


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn errors of SQLite into ours.

    Raises
    ------
    FileError
        If there is one.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise FileError(f"{path}: {_words(error)}") from None


def _words(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorname", "")
    for beginning, words in {
        "SQLITE_FULL": "the disk is full. What was written before is safe: make room and go on.",
        "SQLITE_IOERR": "the disk fails: {}. What was written before is safe if the disk is.",
        "SQLITE_READONLY": "the store cannot be written: {}.",
        "SQLITE_CORRUPT": "the store is damaged: {}. Go on with a copy from before.",
        "SQLITE_NOTADB": "this is no store of exactile.",
        "SQLITE_BUSY": "another program is at work on this store. Wait for it, or name another.",
        "SQLITE_CANTOPEN": "the store cannot be opened: is it where you say?",
    }.items():
        if code.startswith(beginning):
            return words.format(error)
    return f"the store cannot be used: {error}."


def opened_to_read(path: str) -> sqlite3.Connection:
    """Return a connection that writes nothing; others may write meanwhile.

    Raises
    ------
    FileError
        If there is no such store, it is damaged, a newer one, or empty yet.
    """
    uri = Path(path).resolve().as_uri()
    # Who may not write cannot tidy up SQLite's files beside the store when it is the last to close.
    mode = "rw" if os.access(path, os.W_OK) and os.access(Path(path).parent, os.W_OK) else "ro"
    for _ in range(LOOKS):
        if not (written := is_written(path)):  # else SQLite waits until it can be read
            _require_whole(path)
        with explained(path):
            base = sqlite3.connect(
                f"{uri}?mode={mode}", uri=True, timeout=CLOCK.lasting(10), isolation_level=None
            )
            try:
                try:
                    base.execute("PRAGMA query_only = ON")
                    filled = _is_filled(base)
                except sqlite3.OperationalError:  # nothing can be written beside it: nobody writes
                    base.close()
                    base = sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
                    filled, written = _is_filled(base), False
                if filled or not written:
                    _require_present(base, path)
                    return base
            except BaseException:
                base.close()
                raise
            base.close()
        CLOCK.pause(0.02)
    raise FileError(f"{path}: the store is just being made: try again in a moment.")


def _require_present(base: sqlite3.Connection, path: str) -> None:
    """Raise if a database is no store, a newer one, or a ledger from before ledgers were stores."""
    if _is_ledger(base):
        raise FileError(
            f"{path}: an older exactile has written this ledger: `exactile catalogue "
            "verify --resume` makes it one that can be read."
        )
    _version(base, path)


def opened_to_write(path: str) -> tuple[sqlite3.Connection, int]:
    """Return the only connection that writes, and the lock that keeps others away.

    The lock is an open file: close it after the connection. There is a new store afterwards if
    there was none.

    Raises
    ------
    FileError
        If another process writes, it cannot be written, is damaged, no store, or a newer one; if a
        new one has a name that other files have.
    OSError
        If there is no such directory, or nothing may be written there.
    """
    _require_file(path)
    _require_name(path)
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _require_lock(lock, path)
        return _connected(path), lock
    except BaseException:
        os.close(lock)
        raise


def _require_name(path: str) -> None:
    """Raise if a store is to be made of a name that files of another kind have."""
    ending = Path(path).suffix.lower()
    if ending in OTHERS and not (Path(path).exists() and Path(path).stat().st_size):
        raise FileError(
            f"{path}: a store cannot be called {ending}: choose another name, such as "
            f"{Path(path).with_suffix('.store')}."
        )


def _require_lock(lock: int, path: str) -> None:
    """Raise if another process has the lock; who only asks `is_written` has it for a moment."""
    if fcntl is None:
        return
    for _ in range(TRIES):
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        CLOCK.pause(0.02)
    raise FileError(
        f"{path}: another run is at work on this store. Wait for it, or name another file; "
        "`exactile status` tells how far it is."
    )


def is_written(path: str) -> bool:
    """Return whether a process has a store open to write; ask before it is opened here."""
    if fcntl is None or not Path(path).is_file():
        return False
    with suppress(OSError), Path(path).open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def _connected(path: str) -> sqlite3.Connection:
    """Return a connection to a file that nobody else writes."""
    unclosed = Path(f"{path}-wal").exists()
    if os.path.getsize(path):  # noqa: PTH202  # as given
        _require_whole(path)
    with explained(path):
        base = sqlite3.connect(path, timeout=CLOCK.lasting(10), isolation_level=None)
        try:
            version = _version(base, path) if _is_filled(base) and not _is_ledger(base) else 0
            base.execute("PRAGMA journal_mode = WAL")  # first: it costs a third as an empty file
            base.execute("PRAGMA synchronous = FULL")  # what is told is there after a power cut
            if version < FORMAT:  # all of it at once: nobody sees half a store
                base.executescript(
                    f"BEGIN; {SCHEMA} PRAGMA application_id = {APPLICATION};"
                    f"PRAGMA user_version = {FORMAT}; COMMIT;"
                )
            if unclosed:
                _require_sound(base, path)
        except BaseException:
            base.close()
            raise
    return base


def _require_file(path: str) -> None:
    """Raise if something stands there that is no file, such as a pipe."""
    if Path(path).exists() and not Path(path).is_file():
        raise FileError(f"{path}: this is no file, and no store of exactile.")


def _require_whole(path: str) -> None:
    """Raise if a file is no database, or shorter than it says."""
    _require_file(path)
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(100)
            size = stream.seek(0, os.SEEK_END)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such store.") from None
    if not head.startswith(MAGIC) or len(head) < 100:
        raise FileError(f"{path}: this is no store of exactile.")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    if size < (65536 if page == 1 else page) * pages and not Path(f"{path}-wal").exists():
        raise FileError(
            f"{path}: the store is damaged: its end is missing. Go on with a copy from before."
        )


def _require_sound(base: sqlite3.Connection, path: str) -> None:
    """Raise if anything in a database is damaged."""
    wrong = base.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if wrong != "ok":
        raise FileError(f"{path}: the store is damaged: {wrong}. Go on with a copy from before.")


def _is_filled(base: sqlite3.Connection) -> bool:
    """Return whether a database has tables."""
    return base.execute("SELECT 1 FROM sqlite_schema").fetchone() is not None


def _is_ledger(base: sqlite3.Connection) -> bool:
    """Return whether a database is a ledger from before ledgers were stores."""
    if base.execute("PRAGMA application_id").fetchone()[0]:
        return False
    tables = {name for (name,) in base.execute("SELECT name FROM sqlite_schema WHERE sql NOT NULL")}
    return {"record"} <= tables <= {"record", "known"}


def _version(base: sqlite3.Connection, path: str) -> int:
    """Return the version of a store; raise if a database is none, or one of a newer exactile."""
    application = base.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        raise FileError(f"{path}: this is no store of exactile, but some other database.")
    version: int = base.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT:
        raise FileError(
            f"{path}: a newer exactile has written this store (format {version}, this one reads "
            f"{FORMAT}): install that one."
        )
    return version
