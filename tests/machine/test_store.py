"""Random sequences of what can be written to a store: its seal goes along, edits break it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

import exactile
from exactile.backends.base import Prefix
from exactile.counting.shares import Share
from exactile.errors import FileError
from exactile.runs.drive import own_session
from exactile.runs.front import keep_file, keep_number
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.store import Ledger
from exactile.runs.store import Store, Totals
from exactile.runs.store.join import join, take_share
from exactile.runs.store.schema import TABLES
from exactile.runs.store.seal import require_sound
from support.few import examples

PUZZLE = exactile.load("dominoes-4x4")

weights = st.floats(0, 1) | st.just(-0.0) | st.integers(0, 1)


class StoreMachine(RuleBasedStateMachine):
    """Writes to a store, and looks at it after every step."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "a.store"
        self.store = Store(self.path, write=True)
        self.add_run(2, 0.5)

    @rule(parts=st.integers(0, 3), weight=weights)
    def add_run(self, parts: int, weight: float) -> None:
        each = [[Prefix((k,), weight)] for k in range(parts)]
        self.store.add_run(PUZZLE, "m", {"verb": "count"}, "1", each)

    @rule(left=st.integers(0, 2), weight=weights, found=st.integers(0, 2**80), keep=st.booleans())
    def settle(self, left: int, weight: float, found: int, keep: bool) -> None:
        store = self.store
        for run in store.runs()[-1:]:
            for part in store.parts(run.number)[:1]:
                new = [[Prefix((part.number, k), weight)] for k in range(left)]
                total = Totals({"": Share(found, 1, 1)}, 1, found % 2**60, weight)
                rows = np.array([[1, part.number]], dtype=np.int32) if keep else None
                session = own_session("threads", 1)
                told = store.begin_session(run.number, session), session
                store.settle(run.number, part.number, new, total, rows, told)

    @rule()
    def lose_and_forgive(self) -> None:
        for run in self.store.runs()[:1]:
            for part in self.store.parts(run.number)[:1]:
                self.store.lose(run.number, part.number, "Ende: \N{SKULL}")
            self.store.forgive(run.number)

    @rule(answer=st.text(st.characters(exclude_categories=["Cs"])))
    def finish(self, answer: str) -> None:
        self.store.finish(1, answer)

    @rule(number=st.integers(0, 2**70))
    def sweep(self, number: int) -> None:
        file = self.folder / "front"
        file.write_bytes(str(number).encode())
        keep_file(self.store, 1, 0, file, 0.5)
        if number % 2 and not self.store.query("SELECT 1 FROM checkpoint"):
            keep_number(self.store, 1, 0, number)

    @rule(raw=st.integers(0, 5))
    def write_a_record(self, raw: int) -> None:
        Ledger.write(self.ledger(), Record("soma-cube", "x" * (raw % 2), "m", raw, raw, raw, raw))

    def ledger(self) -> Ledger:
        ledger = object.__new__(Ledger)
        ledger.store, ledger.path = self.store, self.store.path
        return ledger

    @rule()
    def share_and_join(self) -> None:
        run = self.store.runs()[-1].number
        if self.store.parts(run):
            with Store(self.folder / "b.store", write=True) as share:
                share_run = take_share(self.store, run, share, 1, 1)
                assert share_run is not None
                for part in share.parts(share_run)[:1]:
                    rows = np.array([[0, 1]], dtype=np.int32)
                    share.settle(share_run, part.number, [], Totals(found=1), rows)
            with Store(self.folder / "b.store") as share:
                join(self.store, share)
            (self.folder / "b.store").unlink()

    @rule()
    def fail(self) -> None:
        """Nothing of a transaction that fails is there."""
        with suppress(ZeroDivisionError), self.store.transaction():
            self.add_run(2, 0.25)
            self.store.change("DELETE FROM total")
            raise ZeroDivisionError

    @rule()
    def open_again(self) -> None:
        self.store.close()
        self.store = Store(self.path, write=True)

    @invariant()
    def is_sound(self) -> None:
        require_sound(self.store._base, self.store.path)

    def teardown(self) -> None:
        """A row that goes is noticed, whatever table it was in."""
        self.store.close()
        copy = self.folder / "copy.store"
        for table in TABLES:
            shutil.copy(self.path, copy)
            words = f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"
            with closing(sqlite3.connect(copy, isolation_level=None)) as base:
                went = base.execute(words).rowcount
            if went:
                with pytest.raises(FileError, match=f"the rows of the table {table} are not those"):
                    Store(copy, write=True)
        shutil.rmtree(self.folder)


def test_the_seal_goes_with_the_rows() -> None:
    run_state_machine_as_test(
        StoreMachine,
        settings=settings(max_examples=examples(40), stateful_step_count=12, deadline=None),
    )
