"""The ledger: a store with a record for each puzzle, and a run for each unfinished search.

A puzzle is identified by its digest, not by its name. So a changed puzzle needs a new record, and a
renamed puzzle keeps its record.

The search of an open puzzle is a run like any other: `exactile status` shows its progress, and
`exactile resume` continues it, with workers of any kind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from exactile.clock import CLOCK
from exactile.closing import Closing
from exactile.errors import FileError
from exactile.files.puzzles.catalogue import load
from exactile.runs.executor import own_version
from exactile.runs.ledger.record import OpenSearch, Record
from exactile.runs.run import RunSettings, settings_in
from exactile.runs.store import RunRecord, Store
from exactile.runs.store.store import OWN


class Ledger(Closing):
    """The records of puzzles in a store; a context manager and an iterable of records.

    Parameters and errors are those of `Store`. Also raise FileError if the store has a census of
    tilings.

    Examples
    --------
    >>> import tempfile
    >>> with Ledger(tempfile.mkdtemp() + "/a.ledger", write=True) as ledger:
    ...     ledger.write(Record("a", "x", "m", 1, 1, 1, 1))
    ...     ledger.read("a", "x").status
    'open'
    """

    def __init__(self, path: str | os.PathLike[str], *, write: bool = False) -> None:
        self.store = Store(path, write=write)
        self.path = self.store.path
        if self.store.query("SELECT 1 FROM census"):
            self.close()
            raise FileError(
                f"{self.path}: this store has a census of tilings: name another file for a ledger."
            )

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def write(self, record: Record) -> None:
        """Write a record, and its search as a run, in place of the puzzle's earlier record and run.

        If the record has no search, the earlier run is deleted. But a run that already has its
        final answer stays as it is.
        """
        with self.store.transaction():
            self._keep(record)
            data = msgspec.json.encode(msgspec.structs.replace(record, search=None))
            row = (record.puzzle, record.id, record.status, data)
            self.store.change("INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?)", *row)

    def read(self, identifier: str, puzzle: str) -> Record | None:
        """Return the record of the puzzle with digest `puzzle`; None if there is none.

        `identifier`: the present name of the puzzle, which the record gets. Raise FileError if the
        record is damaged.
        """
        rows = self.store.query("SELECT data FROM known WHERE puzzle = ?", puzzle)
        if not rows:
            return None
        return msgspec.structs.replace(self._decoded(identifier, rows[0][0]), id=identifier)

    def __iter__(self) -> Iterator[Record]:
        """Yield all records, sorted by the identifier of the puzzle.

        Raise FileError if a record is damaged.
        """
        for identifier, data in self.store.query("SELECT id, data FROM known ORDER BY id"):
            yield self._decoded(identifier, data)

    def _decoded(self, identifier: str, data: bytes) -> Record:
        try:
            record = msgspec.json.decode(data, type=Record)
        except msgspec.MsgspecError as error:
            raise FileError(
                f"{self.path}: the record of {identifier} is damaged: {error}. "
                "Delete it or start a new ledger."
            ) from None
        if not record.settled and (run := self._run(record)) is not None:
            record.search = self._standing(run)
            record.at_least = max(record.at_least, run.totals.raw)
        return record

    def _run(self, record: Record) -> RunRecord | None:
        """Return the run that lists the solutions of a puzzle; None if there is none.

        Any version of exactile may have begun it.
        """
        words = "SELECT number FROM run WHERE digest = ? AND model = ?"
        for (number,) in self.store.query(words, record.puzzle, record.digest):
            run = self.store.run(number)
            settings = settings_in(self.store, run)
            if settings == settings_of(symmetric=settings.symmetric) and not run.share:
                return run
        return None

    def _standing(self, run: RunRecord) -> OpenSearch:
        parts = self.store.parts(run.number)
        left = [p for part in parts for p in self.store.prefixes(run.number, part.number)]
        return OpenSearch(left, run.totals, run.settings["symmetric"])

    def _keep(self, record: Record) -> None:
        """Store the unfinished search of a record as a run; without a search, delete the run.

        A run that already has its final answer stays as it is.
        """
        search, run = record.search, self._run(record)
        if run is not None and run.answer is not None:
            return
        if run is not None:
            for table in ("part", "total", *(["session"] if search is None else [])):
                self.store.clear(table, run.number)
            self.store.change("DELETE FROM run WHERE number = ?", run.number)
        if search is None:
            return
        began = RunRecord(
            puzzle=record.id,
            digest=record.puzzle,
            model=record.digest,
            settings=msgspec.to_builtins(settings_of(symmetric=search.symmetric)),
            version=own_version(),
            begun=run.begun if run else CLOCK.date(),
        )
        number = self.store.copy_run(load(record.id), began, run.number if run else None)
        self.store.add_found(number, OWN, search.totals)
        self.store.add_parts(number, OWN, [search.left] if search.left else [])


def settings_of(*, symmetric: bool) -> RunSettings:
    """Return the settings of a run in a ledger; such runs differ only in `symmetric`."""
    return RunSettings("count", symmetric=symmetric)
