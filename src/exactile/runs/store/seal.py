"""The seal of a store: checksums of its tables, which show damage to their rows.

A row that is lost, changed or duplicated would make the counts wrong without any other sign. So the
store has, for each table, the sum of the digests of its rows. The sum does not depend on the order
of the rows, and is updated with one digest for each row that is added or removed. The sums of all
tables are in one row, which is written at the end of every transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import islice
from typing import Any

import msgspec

from exactile.errors import FileError
from exactile.runs.store.schema import SEAL, TABLES

MODULUS = 2**128

NO_SEAL = "its seal cannot be read"


def damaged(path: str, why: object) -> FileError:
    """Return the error for a damaged store; `why`: the damage in words."""
    return FileError(
        f"{path}: the store is damaged: {why}. Continue with an earlier copy, or copy it again if "
        "it was written to meanwhile."
    )


class Seal:
    """Keeps the seal of a store up to date while a connection writes to the store.

    Triggers note every row that is inserted, deleted or updated. No other connection may write.

    Examples
    --------
    >>> from exactile.runs.store.schema import SCHEMA
    >>> base = sqlite3.connect(":memory:", isolation_level=None)
    >>> _ = base.executescript(SCHEMA)
    >>> begin_seal(base)
    >>> seal = Seal(base, "a.store")
    >>> seal.begin()
    >>> _ = base.execute("INSERT INTO share VALUES (1, 2, 3)")
    >>> seal.end()
    >>> require_sound(base, "a.store")
    >>> _ = base.execute("UPDATE share SET number = 3")
    >>> require_sound(base, "a.store")
    Traceback (most recent call last):
        ...
    exactile.errors.FileError: a.store: the store is damaged: the rows of the table share ...
    >>> base.close()
    """

    def __init__(self, base: sqlite3.Connection, path: str) -> None:
        self._base, self._path = base, path
        self._sums: dict[str, int] = {}
        self._widths: dict[str, int] = {}
        self._noted: list[Any] = []  # rows added and removed, one value after the other
        # A built-in method: within a Python function Ctrl-C would become an error of SQLite.
        base.create_function("noted", 1, self._noted.append)
        base.execute("PRAGMA temp_store = MEMORY")  # for the triggers
        base.execute("PRAGMA recursive_triggers = ON")  # so that replaced rows are noted
        for table in TABLES:
            info = base.execute("SELECT name FROM pragma_table_info(?)", (table,))
            names = [name for (name,) in info]
            self._widths[table] = len(names)
            went, came = (
                f"SELECT noted({sign}), noted('{table}'), "
                f"{', '.join(f'noted({row}.{name})' for name in names)};"
                for sign, row in ((-1, "old"), (1, "new"))
            )
            for event, noted in {"INSERT": came, "DELETE": went, "UPDATE": went + came}.items():
                base.execute(
                    f"CREATE TEMP TRIGGER sealed_{table}_{event} AFTER {event} ON main.{table} "
                    f"BEGIN {noted} END"
                )

    def begin(self) -> None:
        """Read the sums from the store, at the beginning of a transaction.

        Raise FileError if they cannot be read.
        """
        self._noted.clear()
        sums = _written(self._base)
        if sums is None:
            raise damaged(self._path, NO_SEAL)
        self._sums = sums

    def fold(self) -> None:
        """Update the sums by the rows that the triggers have noted, and forget these rows."""
        values = iter(self._noted)
        for sign in values:
            table = next(values)
            row = tuple(islice(values, self._widths[table]))
            self._sums[table] = (self._sums[table] + sign * _digest(row)) % MODULUS
        self._noted.clear()

    def end(self) -> None:
        """Write the sums to the store, at the end of a transaction."""
        self.fold()
        self._base.execute("UPDATE seal SET sums = ?", (_text(self._sums),))


def begin_seal(base: sqlite3.Connection) -> None:
    """Create the seal with the present checksums of the tables. Call this in a transaction."""
    base.execute(SEAL)
    sums = {table: _sum(base, table) for table in TABLES}
    base.execute("INSERT INTO seal VALUES (?)", (_text(sums),))


def require_sound(base: sqlite3.Connection, path: str, tables: Sequence[str] = TABLES) -> None:
    """Raise FileError if rows in one of `tables` differ from the seal, or the file is damaged.

    Unless all tables are tested, damage elsewhere in the file may be missed. Raise sqlite3.Error if
    the file cannot be read.
    """
    with one_state(base):
        try:
            fault = _fault(base, tables)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "SQLITE_ERROR") != "SQLITE_ERROR":
                raise
            fault = str(error)  # a missing table or column, or text that is not UTF-8
    if fault is not None:
        raise damaged(path, fault)


@contextmanager
def one_state(base: sqlite3.Connection) -> Iterator[None]:
    """Let all queries in the ``with`` block read one state, even if another process writes.

    The block must only read: what it writes is undone. Within another transaction, do nothing.
    """
    if base.in_transaction:
        yield
        return
    base.execute("BEGIN")
    try:
        yield
    finally:
        base.execute("ROLLBACK")


def _fault(base: sqlite3.Connection, tables: Sequence[str]) -> str | None:
    """Return the first fault of the file or its tables, in words; None if there is none."""
    for check in ["1"] if tables == TABLES else tables:  # 1: the whole file, up to one fault
        found: str = base.execute(f"PRAGMA integrity_check({check})").fetchone()[0]
        if found != "ok":
            return " ".join(found.split())
    if (sums := _written(base)) is None:
        return NO_SEAL
    wrong = (table for table in tables if _sum(base, table) != sums[table])
    return next(
        (f"the rows of the table {table} are not those that were written" for table in wrong), None
    )


def _sum(base: sqlite3.Connection, table: str) -> int:
    return sum(map(_digest, base.execute(f"SELECT * FROM {table}"))) % MODULUS  # noqa: S608


def _digest(row: tuple[Any, ...]) -> int:
    return int.from_bytes(sha256(msgspec.msgpack.encode(row)).digest()[:16], "big")


def _written(base: sqlite3.Connection) -> dict[str, int] | None:
    """Return the checksums that are in the seal, by table; None if they cannot be read."""
    with suppress(TypeError, ValueError, msgspec.MsgspecError):
        [(text,)] = base.execute("SELECT sums FROM seal")
        sums = msgspec.json.decode(text, type=dict[str, str])
        if sums.keys() == set(TABLES):
            return {table: int(each, 16) for table, each in sums.items()}
    return None


def _text(sums: dict[str, int]) -> str:
    return msgspec.json.encode({table: f"{sum_:x}" for table, sum_ in sums.items()}).decode()
