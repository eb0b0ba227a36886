"""A store: puzzles, runs with their parts, and solutions, in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from exactile.backends.base import Prefix
from exactile.clock import CLOCK
from exactile.closing import Closing
from exactile.doors import door
from exactile.errors import ExactileError, FileError
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.statement import Statement, puzzle_of, stated
from exactile.store.opening import explained, opened_to_read, opened_to_write
from exactile.store.packing import decoded, encoded, packed, unpacked
from exactile.store.records import RunRecord, RunSession, StoredPart, Totals

OWN = b""
"""The origin of what a store has searched itself."""


class Store(Closing):
    """A store in a file; a context manager.

    Everything is written in transactions: what a part has found, and that it is done, are in the
    file together or not at all, whatever dies.

    Parameters
    ----------
    path
        The file.
    write
        Whether to write; then others cannot, and a new store is made where there is none.

    Raises
    ------
    FileError
        If it is no store, a newer one or a damaged one, or another process writes.
    OSError
        If there is no such directory, or nothing may be written there.

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
        self._lock: int | None = None
        if write:
            self._base, self._lock = opened_to_write(self.path)
        else:
            self._base = opened_to_read(self.path)

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()
        if self._lock is not None:
            os.close(self._lock)  # after the connection, whose locks would end with it
            self._lock = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do everything within, or nothing; within another one, together with that.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        if self._base.in_transaction:
            yield
            return
        self._require_there()
        with explained(self.path):
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def _require_there(self) -> None:
        """Raise if the file was moved or removed: nobody would find what is written."""
        if self._lock is None:
            raise FileError(
                f"{self.path}: it is open to be read: `Store(path, write=True)` writes."
            )
        here = os.fstat(self._lock)
        try:
            there = os.stat(self.path)  # noqa: PTH116  # as given
        except OSError:
            there = None
        if there is None or (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino):
            raise FileError(
                f"{self.path}: the store was moved or removed while it was written to. What was "
                "written before went with it."
            )

    def add_run(
        self,
        puzzle: Puzzle,
        model: str,
        settings: dict[str, Any],
        version: str,
        parts: Iterable[list[Prefix]],
    ) -> int:
        """Begin a run and return its number.

        Parameters
        ----------
        puzzle
            The puzzle.
        model
            Digest of its model.
        settings
            What is searched, and how: plain values.
        version
            Of exactile.
        parts
            What is to be searched.
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
        """Add a run without parts, within a transaction; return its number, by default the next."""
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
        """Add parts to a run, within a transaction, and return them."""
        first = self._one("SELECT next FROM run WHERE number = ?", run)[0]
        added = []
        for number, prefixes in enumerate(parts, first):
            part = StoredPart(number, sum(prefix.weight for prefix in prefixes))
            row = (run, *part[:1], origin, *part[1:], encoded(prefixes))
            self._base.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            added.append(part)
        following = (first + len(added), run)
        self._base.execute("UPDATE run SET next = ? WHERE number = ?", following)
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
        """Write down what came of a part, in one transaction, and return the parts that are left.

        Parameters
        ----------
        run, number
            The part.
        left
            What is left of it, as new parts.
        found
            What was found in it.
        rows
            The solutions, if they are to be kept.
        session
            The process that writes, and how it goes on, see `begin_session`.

        Raises
        ------
        FileError
            If the part is done already, or it cannot be written: then nothing is.
        """
        with self.transaction():
            origin = self.take_part(run, number)
            self.add_found(run, origin, found)
            if rows is not None and len(rows):
                self._base.execute(
                    "INSERT INTO solutions (run, origin, data) VALUES (?, ?, ?)",
                    (run, origin, packed(rows)),
                )
            if session is not None:
                number, told = session
                text = msgspec.json.encode(told).decode()
                self._base.execute("UPDATE session SET data = ? WHERE number = ?", (text, number))
            return self.add_parts(run, origin, left)

    def take_part(self, run: int, number: int) -> bytes:
        """Delete a part and return where it comes from."""
        row = self._base.execute(
            "DELETE FROM part WHERE run = ? AND number = ? RETURNING origin", (run, number)
        ).fetchone()
        if row is None:
            raise FileError(f"{self.path}: part {number} of run {run} is done already.")
        origin: bytes = row[0]
        return origin

    def add_found(self, run: int, origin: bytes, found: Totals) -> None:
        """Add to what was found in what comes from a part, within a transaction."""
        total = self.totals(run, origin)
        total.add(found)
        text = msgspec.json.encode(total).decode()
        self._base.execute("INSERT OR REPLACE INTO total VALUES (?, ?, ?)", (run, origin, text))

    def lose(self, run: int, number: int, cause: str) -> None:
        """Note that whoever searched a part has died of it."""
        with self.transaction():
            self._base.execute(
                "UPDATE part SET lost = lost + 1, cause = ? WHERE run = ? AND number = ?",
                (cause, run, number),
            )

    def forgive(self, run: int) -> None:
        """Let parts that were lost be tried again."""
        with self.transaction():
            self._base.execute("UPDATE part SET lost = 0, cause = '' WHERE run = ?", (run,))

    def finish(self, run: int, answer: str) -> None:
        """Write down the answer of a run, as JSON."""
        with self.transaction():
            self._base.execute("UPDATE run SET answer = ? WHERE number = ?", (answer, run))

    def begin_session(self, run: int, session: RunSession) -> int:
        """Note that a process begins to work on a run; return its number."""
        with self.transaction():
            text = msgspec.json.encode(session).decode()
            number = self._base.execute(
                "INSERT INTO session (run, data) VALUES (?, ?)", (run, text)
            ).lastrowid
        assert number is not None
        return number

    def sessions(self, run: int) -> list[RunSession]:
        """Return the processes that have worked on a run, in their order."""
        rows = self.query("SELECT data FROM session WHERE run = ? ORDER BY number", run)
        return [msgspec.json.decode(data, type=RunSession) for (data,) in rows]

    def runs(self) -> list[RunRecord]:
        """Return all runs."""
        return [self.run(number) for (number,) in self.query("SELECT number FROM run")]

    def run(self, number: int) -> RunRecord:
        """Return a run.

        Raises
        ------
        FileError
            If there is none of this number.
        """
        row = self._one(
            "SELECT number, name, digest, model, settings, version, begun, answer FROM run "
            "WHERE number = ?",
            number,
        )
        parts = self._one(
            "SELECT count(*), total(weight), total(lost > 0), max(origin) FROM part WHERE run = ?",
            number,
        )
        origins = self.query("SELECT max(origin) FROM total WHERE run = ?", number)[0]
        return RunRecord(
            number=row[0],
            puzzle=row[1],
            digest=row[2],
            model=row[3],
            settings=msgspec.json.decode(row[4]),
            version=row[5],
            begun=row[6],
            parts=parts[0],
            left=parts[1],
            lost=int(parts[2]),
            share=bool(parts[3] or origins[0]),
            totals=self.totals(number),
            answer=row[7],
        )

    def puzzle(self, run: int) -> Puzzle:
        """Return the puzzle of a run.

        Raises
        ------
        FileError
            If its statement is damaged.
        """
        name, digest, data = self._one(
            "SELECT name, digest, statement FROM run JOIN puzzle USING (digest) WHERE number = ?",
            run,
        )
        try:
            statement = msgspec.json.decode(zlib.decompress(data), type=Statement)
            puzzle = puzzle_of(statement, name)
        except (zlib.error, msgspec.MsgspecError, ExactileError) as error:
            raise FileError(f"{self.path}: the puzzle of run {run} is damaged: {error}") from None
        if statement.digest != digest or puzzle.digest != digest:
            raise FileError(f"{self.path}: the puzzle of run {run} is damaged: it is another one.")
        return puzzle

    def parts(self, run: int) -> list[StoredPart]:
        """Return the parts that wait, the heaviest first."""
        rows = self.query(
            "SELECT number, weight, lost, cause FROM part WHERE run = ? "
            "ORDER BY weight DESC, number",
            run,
        )
        return [StoredPart(*row) for row in rows]

    def prefixes(self, run: int, number: int) -> list[Prefix]:
        """Return what is to be searched in a part."""
        data = self._one("SELECT prefixes FROM part WHERE run = ? AND number = ?", run, number)[0]
        return decoded(data)

    def solutions(self, run: int) -> Iterator[Assignments]:
        """Yield the solutions that are kept, in batches, as they were written."""
        numbers = self.query("SELECT number FROM solutions WHERE run = ? ORDER BY number", run)
        for (number,) in numbers:
            yield unpacked(self._one("SELECT data FROM solutions WHERE number = ?", number)[0])

    def totals(self, run: int, origin: bytes | None = None) -> Totals:
        """Return what a run has found, or what comes of one of the parts that it was made of."""
        words = "SELECT data FROM total WHERE run = ? AND coalesce(?, origin) = origin"
        total = Totals()
        for (text,) in self.query(words, run, origin):
            total.add(msgspec.json.decode(text, type=Totals))
        return total

    def query(self, words: str, *values: Any) -> list[Any]:
        """Return rows of tables."""
        with explained(self.path):
            return self._base.execute(words, values).fetchall()

    def change(self, words: str, *values: Any) -> sqlite3.Cursor:
        """Change tables, within a transaction."""
        return self._base.execute(words, values)

    def _one(self, words: str, *values: Any) -> Any:
        rows = self.query(words, *values)
        if not rows:
            raise FileError(f"{self.path}: there is no run {values[0]}: see `exactile status`.")
        return rows[0]
