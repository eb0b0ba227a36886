"""The seal of a store: a digest of every table, carried on with each row and compared at opening.

What was begun, what is settled, what is left and what came of it are rows of several tables; if one
of them is lost, changed or there twice, the numbers no longer add up, and nothing else would tell.
So a table has a sum, that of the digests of its rows: it does not depend on their order, and costs
one digest for each row that comes or goes. The sums of all tables stand together in one row, which
is written in every transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import msgspec

from exactile.errors import FileError
from exactile.store.schema import SEAL, SEALED, TABLES

MODULUS = 2**128


def damaged(path: str, why: object) -> FileError:
    """Return the one error about a store that is not as it was written."""
    return FileError(
        f"{path}: the store is damaged: {why}. Go on with a copy from before, or copy it again if "
        "this is a copy made while a search was at work on it."
    )


class Seal:
    """The seal of a store that is open to be written: rows that come and go change it.

    Parameters
    ----------
    base
        The only connection that writes; the store is sealed.

    Examples
    --------
    >>> from exactile.store.schema import FORMAT, SCHEMA
    >>> base = sqlite3.connect(":memory:", isolation_level=None)
    >>> _ = base.executescript(f"{SCHEMA} PRAGMA user_version = {FORMAT}")
    >>> begin_seal(base)
    >>> seal = Seal(base)
    >>> with seal.carried_on():
    ...     _ = base.execute("INSERT INTO share VALUES (1, 2, 3)")
    ...     seal.write()
    >>> require_sound(base, "a.store", TABLES)
    >>> _ = base.execute("UPDATE share SET number = 3")
    >>> require_sound(base, "a.store", TABLES)
    Traceback (most recent call last):
        ...
    exactile.errors.FileError: a.store: the store is damaged: the table share is not as ...
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        self._sums = _written(base)
        base.create_function("sealed", -1, self._note)
        base.execute("PRAGMA recursive_triggers = ON")  # else what a row replaces goes unnoticed
        for table in TABLES:
            names = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
            new, old = (", ".join(f"{row}.{name}" for name in names) for row in ("new", "old"))
            came = f"SELECT sealed(1, '{table}', {new});"
            went = f"SELECT sealed(-1, '{table}', {old});"
            for event, noted in {"INSERT": came, "DELETE": went, "UPDATE": went + came}.items():
                base.execute(
                    f"CREATE TEMP TRIGGER sealed_{table}_{event} AFTER {event} ON main.{table} "
                    f"BEGIN {noted} END"
                )

    def _note(self, sign: int, table: str, *row: object) -> None:
        """Note a row that came (1) or went (-1)."""
        self._sums[table] = (self._sums[table] + sign * _digest(row)) % MODULUS

    @contextmanager
    def carried_on(self) -> Iterator[None]:
        """Note what rows change within, unless it fails and is rolled back."""
        before = dict(self._sums)
        try:
            yield
        except BaseException:
            self._sums = before
            raise

    def write(self) -> None:
        """Write the seal, at the end of a transaction."""
        self._base.execute("UPDATE seal SET sums = ?", (_text(self._sums),))


def begin_seal(base: sqlite3.Connection) -> None:
    """Seal the tables as they are, within a transaction."""
    base.execute(SEAL)
    sums = {table: _sum(base, table) for table in TABLES}
    base.execute("INSERT INTO seal VALUES (?)", (_text(sums),))


def require_sound(base: sqlite3.Connection, path: str, tables: Sequence[str] = TABLES) -> None:
    """Raise unless some tables, by default everything, are as they were written.

    A store of a version that had no seal need only be whole.

    Raises
    ------
    FileError
        If they are not.
    sqlite3.Error
        If the file cannot be read.
    """
    base.execute("BEGIN")  # all is of one moment, even if another process begins to write
    try:
        fault = _fault(base, tables)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "SQLITE_ERROR") != "SQLITE_ERROR":
            raise
        fault = str(error)  # a table or a column that is not there, text that is none
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError):
        fault = "its seal cannot be read"
    finally:
        base.execute("ROLLBACK")
    if fault is not None:
        raise damaged(path, fault)


def _fault(base: sqlite3.Connection, tables: Sequence[str]) -> str | None:
    """Return what is wrong first, in words."""
    there = {name for (name,) in base.execute("SELECT name FROM sqlite_schema")}
    is_sealed = base.execute("PRAGMA user_version").fetchone()[0] >= SEALED
    if not is_sealed and "seal" in there:
        return "it has the number of an older version"
    tables = tables if is_sealed else [table for table in tables if table in there]
    for check in ["1"] if tables == TABLES else tables:  # 1: all there is, and only one fault
        found: str = base.execute(f"PRAGMA integrity_check({check})").fetchone()[0]
        if found != "ok":
            return " ".join(found.split())
    sums = _written(base) if is_sealed else {}
    for table in tables if is_sealed else ():
        if _sum(base, table) != sums[table]:
            return f"the table {table} has not the rows that were written"
    return None


def _sum(base: sqlite3.Connection, table: str) -> int:
    return sum(map(_digest, base.execute(f"SELECT * FROM {table}"))) % MODULUS  # noqa: S608


def _digest(row: tuple[Any, ...]) -> int:
    return int.from_bytes(sha256(msgspec.msgpack.encode(row)).digest()[:16], "big")


def _written(base: sqlite3.Connection) -> dict[str, int]:
    [(text,)] = base.execute("SELECT sums FROM seal").fetchall()
    return {table: int(sum_, 16) for table, sum_ in msgspec.json.decode(text).items()}


def _text(sums: dict[str, int]) -> str:
    return msgspec.json.encode({table: f"{sum_:x}" for table, sum_ in sums.items()}).decode()
