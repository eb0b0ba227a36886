"""A store: puzzles, runs with their parts, and solutions, in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from exactile.backends.base import Prefix
from exactile.clock import CLOCK
from exactile.closing import Closing
from exactile.doors import door
from exactile.errors import FileError
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.statement import Statement, puzzle_of, stated
from exactile.runs.store.opening import Writer, explained, may_be_written, opened_to_read
from exactile.runs.store.packing import decoded, encoded, packed, unpacked
from exactile.runs.store.records import RunRecord, RunSession, StoredPart, Totals
from exactile.runs.store.schema import LARGE
from exactile.runs.store.seal import damaged, one_state, require_sound

WRONG = (
    *(msgspec.MsgspecError, zlib.error, RecursionError),
    *(ArithmeticError, LookupError, TypeError, ValueError),
)
"""Exceptions that reading a damaged row may raise."""

OWN = b""
"""Origin of all parts and results that come from no share: see `exactile.runs.store.join`."""


class Store(Closing):
    """A store in a file; a context manager.

    Everything is written in transactions. So even after a crash, the file has the results of a part
    if and only if it counts the part as done.

    Parameters
    ----------
    path
        The file.
    write
        Whether to open the file for writing. If so, no other process can write to it, and the file
        is created if it does not exist.

    Raises
    ------
    FileError
        If the file is damaged, not a store, or written by a newer exactile. Without `write`: also
        if the file is missing. With `write`: also if another process has the store open for
        writing, or the suffix of a new file is that of another kind of file, such as ``.json``.
    OSError
        With `write`: if the file cannot be opened or created, for example because its directory
        does not exist.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with Store(tempfile.mkdtemp() + "/a.store", write=True) as store:
    ...     run = store.add_run(exactile.load("soma-cube"), "", {}, "0.1.0", [[Prefix((), 1.0)]])
    ...     [part] = store.parts(run)
    ...     _ = store.settle(run, part.number, [], Totals(found=240))
    ...     record = store.run(run)
    >>> record.puzzle, record.parts, record.totals.found
    ('soma-cube', 0, 240)
    """

    @door
    def __init__(self, path: str | os.PathLike[str], *, write: bool = False) -> None:
        self.path = os.fspath(path)
        self._writer = Writer(self.path) if write else None
        if self._writer is not None:
            self._base, looked = self._writer.base, True
        else:
            self._base, looked = opened_to_read(self.path)
        self._unseen: set[str] = set() if looked else set(LARGE)  # tables not tested yet

    def close(self) -> None:
        """Close the file."""
        (self._writer or self._base).close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all changes that the ``with`` block makes, or none if it raises an exception.

        A transaction within another one is a part of the outer one.

        Raises
        ------
        FileError
            If the store cannot be written.
        """
        with self.writer().transaction():
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a single state of the store in the ``with`` block, even if a process writes to it.

        Without this, each query may read a later state.
        """
        with explained(self.path), one_state(self._base):
            yield

    @contextmanager
    def decoding(self, what: str) -> Iterator[None]:
        """Turn the errors in `WRONG` that occur in the ``with`` block into FileError.

        They show that a row is damaged. `what`: the damaged object in words, such as ``"the
        settings of run 1"``.
        """
        try:
            yield
        except WRONG as error:
            raise damaged(self.path, f"{what}: {error}") from None

    def add_run(
        self,
        puzzle: Puzzle,
        model: str,
        settings: dict[str, Any],
        version: str,
        parts: Iterable[list[Prefix]],
    ) -> int:
        """Add a run and return its number.

        Parameters
        ----------
        puzzle
            The puzzle.
        model
            Digest of its model.
        settings
            The settings of the search, as values that JSON can represent.
        version
            Version of exactile that begins the run.
        parts
            The parts to be searched: a list of prefixes for each.

        Raises
        ------
        FileError
            If the store has a census of tilings, or cannot be written.
        """
        record = RunRecord(
            puzzle=puzzle.name,
            digest=puzzle.digest,
            model=model,
            settings=settings,
            version=version,
            begun=CLOCK.date(),
        )
        with self.transaction():
            run = self.copy_run(puzzle, record)
            self.add_parts(run, OWN, parts)
        return run

    def copy_run(self, puzzle: Puzzle, record: RunRecord, number: int | None = None) -> int:
        """Add a run without parts or results; return its number.

        Call this within a transaction. `record`: the other data of the run, such as its settings.
        `number`: the number of the run; by default, the next one.

        Raises
        ------
        FileError
            If the store has a census of tilings.
        """
        if self.query("SELECT 1 FROM census"):
            raise FileError(
                f"{self.path}: this store has a census of tilings: name another file for searches "
                "of puzzles."
            )
        statement = msgspec.json.encode(stated(puzzle))
        self.change(
            "INSERT OR IGNORE INTO puzzle VALUES (?, ?)", record.digest, zlib.compress(statement)
        )
        added = self.change(
            "INSERT INTO run (number, name, digest, model, settings, version, begun, next) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
            number,
            record.puzzle,
            record.digest,
            record.model,
            msgspec.json.encode(record.settings).decode(),
            record.version,
            record.begun,
        ).lastrowid
        assert added is not None
        return added

    def add_parts(self, run: int, origin: bytes, parts: Iterable[list[Prefix]]) -> list[StoredPart]:
        """Add parts with an origin to a run; return their records.

        Call this within a transaction. Each part is given as a list of prefixes. For `origin` see
        `exactile.runs.store.join`.
        """
        first = self.next_part(run)
        added = []
        for number, prefixes in enumerate(parts, first):
            part = StoredPart(number, sum(prefix.weight for prefix in prefixes))
            row = (run, *part[:1], origin, *part[1:], encoded(prefixes))
            self.change("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
            added.append(part)
        self.change("UPDATE run SET next = ? WHERE number = ?", first + len(added), run)
        return added

    def settle(
        self,
        run: int,
        number: int,
        left: Iterable[list[Prefix]],
        found: Totals,
        rows: Assignments | None = None,
        session: tuple[int, RunSession] | None = None,
    ) -> list[StoredPart]:
        """Replace a part by its result, in one transaction; return the new parts made of its rest.

        Parameters
        ----------
        run, number
            Numbers of the run and of the part.
        left
            The rest of the part, as new parts: a list of prefixes for each.
        found
            Counts, nodes and seconds of the search of the part.
        rows
            The solutions to be kept; None if solutions are only counted.
        session
            The number of this process's session, from `begin_session`, and its present state; None
            to leave the session as it is.

        Raises
        ------
        FileError
            If the part is already done, or the result cannot be written. Nothing is changed then.
        """
        with self.transaction():
            origin = self.take_part(run, number)
            self.add_found(run, origin, found)
            if rows is not None and len(rows):
                self.keep(run, origin, packed(rows))
            if session is not None:
                number, description = session
                text = msgspec.json.encode(description).decode()
                self.change("UPDATE session SET data = ? WHERE number = ?", text, number)
            return self.add_parts(run, origin, left)

    def take_part(self, run: int, number: int) -> bytes:
        """Delete a waiting part, and return its origin.

        Call this within a transaction. Raise FileError if the part does not wait.
        """
        words = "DELETE FROM part WHERE run = ? AND number = ? RETURNING origin"
        row = self.change(words, run, number).fetchone()
        if row is None:
            raise FileError(f"{self.path}: part {number} of run {run} is done already.")
        origin: bytes = row[0]
        return origin

    def add_found(self, run: int, origin: bytes, found: Totals) -> None:
        """Add a result to the totals of an origin (see `exactile.runs.store.join`).

        Call this within a transaction.
        """
        total = self.totals(run, origin)
        total.add(found)
        text = msgspec.json.encode(total).decode()
        self.change("INSERT OR REPLACE INTO total VALUES (?, ?, ?)", run, origin, text)

    def keep(self, run: int, origin: bytes, data: bytes) -> None:
        """Store a batch of solutions, packed as bytes. Call this within a transaction."""
        self.change("INSERT INTO solutions (run, origin, data) VALUES (?, ?, ?)", run, origin, data)

    def lose(self, run: int, number: int, cause: str) -> None:
        """Record that a process died while it searched a part; `cause`: why it died, in words."""
        with self.transaction():
            words = "UPDATE part SET lost = lost + 1, cause = ? WHERE run = ? AND number = ?"
            self.change(words, cause, run, number)

    def forgive(self, run: int) -> None:
        """Reset the losses of all parts of a run; parts that were given up are then tried again."""
        with self.transaction():
            self.change("UPDATE part SET lost = 0, cause = '' WHERE run = ? AND lost > 0", run)

    def finish(self, run: int, answer: str) -> None:
        """Store the final answer of a run, as JSON."""
        with self.transaction():
            self.change("UPDATE run SET answer = ? WHERE number = ?", answer, run)

    def begin_session(self, run: int, session: RunSession) -> int:
        """Record that a process begins to work on a run; return the number of its session."""
        with self.transaction():
            text = msgspec.json.encode(session).decode()
            number = self.change(
                "INSERT INTO session (run, data) VALUES (?, ?)", run, text
            ).lastrowid
        assert number is not None
        return number

    def sessions(self, run: int) -> list[RunSession]:
        """Return the sessions of a run, the oldest first; each is the work of one process."""
        rows = self.query("SELECT data FROM session WHERE run = ? ORDER BY number", run)
        with self.decoding(f"the sessions of run {run}"):
            return [msgspec.json.decode(data, type=RunSession) for (data,) in rows]

    def runs(self) -> list[RunRecord]:
        """Return the records of all runs, in the order of their numbers."""
        return [self.run(number) for (number,) in self.query("SELECT number FROM run")]

    def run(self, number: int) -> RunRecord:
        """Return the record of a run.

        Raises
        ------
        FileError
            If there is no run with this number, or its record is damaged.
        """
        row = self._one(
            f"run {number}",
            "SELECT number, name, digest, model, settings, version, begun, answer FROM run "
            "WHERE number = ?",
            number,
        )
        parts = self._one(
            f"run {number}",
            "SELECT count(*), total(weight), total(lost > 0) FROM part WHERE run = ?",
            number,
        )
        with self.decoding(f"the settings of run {number}"):
            settings = msgspec.json.decode(row[4], type=dict[str, Any])
        share = bool(self.query("SELECT 1 FROM share WHERE run = ?", number))
        sessions = self.sessions(number) if share else []
        return RunRecord(
            number=row[0],
            puzzle=row[1],
            digest=row[2],
            model=row[3],
            settings=settings,
            version=row[5],
            begun=row[6],
            parts=parts[0],
            left=parts[1],
            whole=sessions[0].left_before if sessions else parts[1] if share else 1.0,
            lost=int(parts[2]),
            share=share,
            totals=self.totals(number),
            answer=row[7],
        )

    def puzzle(self, run: int) -> Puzzle:
        """Return the puzzle of a run.

        Raises
        ------
        FileError
            If there is no such run, or its puzzle is damaged.
        """
        name, digest, data = self._one(
            f"run {run}",
            "SELECT name, digest, statement FROM run JOIN puzzle USING (digest) WHERE number = ?",
            run,
        )
        with self.decoding(f"the puzzle of run {run}"):
            statement = msgspec.json.decode(zlib.decompress(data), type=Statement)
            puzzle = puzzle_of(statement, name)
        if statement.digest != digest or puzzle.digest != digest:
            raise damaged(self.path, f"the puzzle of run {run} is another one")
        return puzzle

    def parts(self, run: int) -> list[StoredPart]:
        """Return the parts of a run that wait to be searched, the heaviest first.

        Parts that were given up are included. Raise FileError if a record is damaged.
        """
        rows = self.query(
            "SELECT number, weight, lost, cause FROM part WHERE run = ? "
            "ORDER BY weight DESC, number",
            run,
        )
        with self.decoding(f"the parts of run {run}"):
            parts = msgspec.convert(rows, list[StoredPart])
        if not all(0 <= part.weight < inf for part in parts):
            raise damaged(self.path, f"a part of run {run} has no weight")
        return parts

    def next_part(self, run: int) -> int:
        """Return the number of the next part to be added to a run; the first part has number 1."""
        number: int = self._one(f"run {run}", "SELECT next FROM run WHERE number = ?", run)[0]
        return number

    def prefixes(self, run: int, number: int) -> list[Prefix]:
        """Return the prefixes to be searched in a waiting part.

        Raise FileError if the part does not wait, or is damaged.
        """
        words = "SELECT prefixes FROM part WHERE run = ? AND number = ?"
        data = self._one(f"part {number} of run {run}", words, run, number)[0]
        with self.decoding(f"part {number} of run {run}"):
            return decoded(data)

    def solutions(self, run: int) -> Iterator[Assignments]:
        """Yield the stored solutions of a run in batches, in the order of writing.

        Each batch is an array with one row of options for each solution, padded with -1. Raise
        FileError if the stored solutions are damaged.
        """
        for data in self.kept(run, None):
            with self.decoding(f"the solutions of run {run}"):
                rows = unpacked(data)
            yield rows

    def kept(self, run: int, origin: bytes | None) -> Iterator[bytes]:
        """Yield the stored solutions of a run in batches, as packed bytes.

        `origin`: only the solutions of this origin (see `exactile.runs.store.join`); None: all.

        Raises
        ------
        FileError
            If the stored solutions differ from what was written.
        """
        self.look_at("solutions")
        words = "SELECT number FROM solutions WHERE run = ? AND coalesce(?, origin) = origin"
        one = "SELECT data FROM solutions WHERE number = ?"
        for (number,) in self.query(f"{words} ORDER BY number", run, origin):
            yield self._one(f"row {number} of the solutions", one, number)[0]

    def look_at(self, table: str) -> None:
        """Compare a large table with its checksum, unless that was done since the store was opened.

        Raise FileError if the table is damaged. See `exactile.runs.store.seal`.
        """
        if table in self._unseen:
            with explained(self.path):
                require_sound(self._base, self.path, [table])
            self._unseen.remove(table)

    def totals(self, run: int, origin: bytes | None = None) -> Totals:
        """Return the sum of the results of a run.

        `origin`: sum only the results of this origin (see `exactile.runs.store.join`); None: all.
        """
        words = "SELECT data FROM total WHERE run = ? AND coalesce(?, origin) = origin"
        total, rows = Totals(), self.query(words, run, origin)
        with self.decoding(f"what run {run} has found"):
            for (text,) in rows:
                total.add(msgspec.json.decode(text, type=Totals))
        return total

    def query(self, words: str, *values: Any) -> list[Any]:
        """Return the rows of the SQL query `words`, with `values` for its placeholders.

        Raise FileError if SQLite reports an error.
        """
        with explained(self.path):
            return self._base.execute(words, values).fetchall()

    def change(self, words: str, *values: Any) -> sqlite3.Cursor:
        """Execute the SQL statement `words` with `values` for its placeholders; return the cursor.

        Call this within a transaction. Raise FileError if the store was opened only for reading.
        """
        return self.writer().change(words, values)

    def writer(self, why: str = "") -> Writer:
        """Return the `Writer` of this store.

        `why`: words to insert in the error message after the path of the store.

        Raises
        ------
        FileError
            If the store was opened only for reading.
        """
        if self._writer is not None:
            return self._writer
        words = "it is open to be read: `Store(path, write=True)` writes."
        if not may_be_written(self.path):
            words = "nothing can be written here: copy the store to where that is possible."
        raise FileError(f"{self.path}: {why}{words}")

    def clear(self, table: str, run: int, origin: bytes = OWN) -> None:
        """Delete the rows of a run from a table. Call this within a transaction.

        `origin`: only rows whose origin begins with this one; by default, all rows.
        """
        words = f"SELECT rowid FROM {table} WHERE run = ?1"  # noqa: S608
        if origin:
            words += " AND substr(origin, 1, length(?2)) = ?2"
        rows = self.query(words, *filter(None, (run, origin)))
        for row in rows:  # one by one: they may be large, and the seal reads each
            self.change(f"DELETE FROM {table} WHERE rowid = ?", *row)  # noqa: S608

    def _one(self, what: str, words: str, *values: Any) -> Any:
        """Return the first row of a query; raise FileError if there is none.

        `what` names the missing object in the message, such as ``"run 1"``.
        """
        rows = self.query(words, *values)
        if not rows:
            raise FileError(f"{self.path}: there is no {what}: see `exactile status`.")
        return rows[0]


FOUND = (
    "SELECT 1 FROM total LIMIT 1",
    "SELECT 1 FROM checkpoint LIMIT 1",
    "SELECT 1 FROM chunk LIMIT 1",
    "SELECT 1 FROM judged LIMIT 1",
)
"""SQL queries; at least one returns a row once something in the store has been searched."""


@contextmanager
def store_to_fill(path: str | os.PathLike[str]) -> Iterator[Store]:
    """Open a store for writing, or only for reading if it exists but cannot be written to.

    If the ``with`` block raises an error before anything is searched, a new store is removed.
    Errors are those of `Store`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.store")
    >>> try:
    ...     with store_to_fill(path):
    ...         raise ValueError("not this way")
    ... except ValueError:
    ...     path.exists()
    False
    """
    new = not Path(path).exists()
    idle = False  # until it is open: another process may have created it just now
    try:
        with Store(path, write=new or may_be_written(os.fspath(path))) as store:
            try:
                yield store
            finally:
                idle = new and not any(map(store.query, FOUND))
    except Exception:
        if idle:
            Path(path).resolve().unlink(missing_ok=True)
        raise
