"""The store: transactions, what it refuses, and what stays readable."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.backends.base import Prefix
from exactile.clock import CLOCK
from exactile.counting.shares import Share
from exactile.errors import FileError
from exactile.runs.store import Store, Totals, opening
from exactile.runs.store.packing import packed, unpacked
from exactile.tuning import Tuning
from support.read_only import read_only

WHOLE = [Prefix((), 1.0)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a store with a run of one part, and one that is done."""
    path = tmp_path / "a.store"
    with Store(path, write=True) as store:
        run = store.add_run(exactile.load("soma-cube"), "m", {"verb": "solve"}, "1", [WHOLE])
        [part] = store.parts(run)
        found = Totals({"": Share(5, 2, 1)}, 5, 10, 0.5)
        halves = [[Prefix((0,), 0.25)], [Prefix((~0,), 0.75)]]
        store.settle(run, part.number, halves, found, np.array([[1, 2]], dtype=np.int32))
    return path


def test_what_was_written_is_read_again(path: Path) -> None:
    with Store(path) as store:
        [record] = store.runs()
        assert (record.puzzle, record.parts, record.left) == ("soma-cube", 2, 1.0)
        assert record.totals == Totals({"": Share(5, 2, 1)}, 5, 10, 0.5)
        assert [part.weight for part in store.parts(1)] == [0.75, 0.25]
        assert store.prefixes(1, store.parts(1)[0].number) == [Prefix((~0,), 0.75)]
        assert store.puzzle(1) == exactile.load("soma-cube")
        assert [rows.tolist() for rows in store.solutions(1)] == [[[1, 2]]]


def test_a_part_is_settled_once(path: Path) -> None:
    with Store(path, write=True) as store:
        number = store.parts(1)[0].number
        store.settle(1, number, [], Totals(found=1))
        with pytest.raises(FileError, match="done already"):
            store.settle(1, number, [], Totals(found=1))
        assert store.run(1).totals.found == 6
        store.add_run(store.puzzle(1), "m", {}, "1", [WHOLE])
        assert len(store.parts(2)) == 1


def test_rows_of_any_width_and_size_come_back() -> None:
    rng = np.random.default_rng(5)
    for most in (2, 2**15, 2**31):
        rows = rng.integers(-1, most, (1000, 7), endpoint=False).astype(np.int32)
        assert (unpacked(packed(rows)) == rows).all()
    assert unpacked(packed(np.empty((0, 0), dtype=np.int32))).size == 0


def test_others_may_read_but_not_write_meanwhile(path: Path) -> None:
    with Store(path, write=True) as store:
        with pytest.raises(FileError, match="another run is at work"):
            Store(path, write=True)
        with Store(path) as reader:
            assert reader.run(1).parts == 2
        store.settle(1, store.parts(1)[0].number, [], Totals())


def test_a_full_disk_loses_nothing_that_was_written(path: Path) -> None:
    with Store(path, write=True) as store:
        pages = store._base.execute("PRAGMA page_count").fetchone()[0]
        store._base.execute(f"PRAGMA max_page_count = {pages + 2}")
        rows = np.random.default_rng(1).integers(0, 2**31, (10**5, 12)).astype(np.int32)
        with pytest.raises(FileError, match="the disk is full"):
            store.settle(1, store.parts(1)[0].number, [], Totals(found=9), rows)
        assert store.run(1).totals.found == 5
        assert store.run(1).parts == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_nobody_may_write_can_be_read(path: Path) -> None:
    path.chmod(0o400)
    path.parent.chmod(0o500)
    with pytest.raises(PermissionError):
        Store(path, write=True)
    with Store(path) as store:
        assert store.run(1).parts == 2
    path.parent.chmod(0o700)


@pytest.mark.parametrize("name", [":memory:", "file:a.store", "file:a?mode=memory"])
def test_a_name_that_sqlite_would_interpret_is_that_of_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(name, write=True) as store:
        store.add_run(exactile.load("dominoes-4x4"), "m", {}, "1", [WHOLE])
    with Store(name) as store:
        assert store.run(1).parts == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_store_beside_which_nothing_can_be_written_can_be_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only(monkeypatch)
    with Store(path) as store:
        assert store.run(1).parts == 2


def test_latest_results_that_cannot_be_read_are_not_left_out(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = path.parent / "copy.store"
    with Store(path, write=True) as store:
        store.lose(1, store.parts(1)[0].number, "killed")
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    read_only(monkeypatch)
    with pytest.raises(FileError, match=r"may be in copy.store-wal, and nothing can be written"):
        Store(copy)


@pytest.mark.parametrize("noticed", [True, False])
def test_a_store_that_was_moved_has_all_that_was_written(path: Path, noticed: bool) -> None:
    moved = path.with_name("b.store")
    with Store(path, write=True) as store:
        for found in (1, 2):  # the second is in no copy yet
            store.add_run(store.puzzle(1), "m", {}, "1", [WHOLE])
            store.settle(1 + found, 1, [], Totals(found=found))
        path.rename(moved)
        if noticed:
            with pytest.raises(FileError, match=r"moved while .* go on with it under its new name"):
                store.settle(1, store.parts(1)[0].number, [], Totals(found=1))
    assert list(path.parent.iterdir()) == [moved]
    with Store(moved) as store:
        assert [run.totals.found for run in store.runs()] == [5, 1, 2]


def test_what_cannot_be_copied_into_a_store_that_was_moved_is_beside_its_old_place(
    path: Path,
) -> None:
    moved, beside = path.with_name("b.store"), path.with_name("a.store-wal")
    with Store(path) as reader, Store(path, write=True) as store:
        store._base.execute("PRAGMA busy_timeout = 0")
        store.forgive(1)
        reader._base.execute("BEGIN")
        assert reader.run(1).totals.found == 5
        store.settle(1, store.parts(1)[0].number, [], Totals(found=1))
        path.rename(moved)
        with pytest.raises(FileError, match=r"last is in .*a\.store-wal, which belongs beside it"):
            store.forgive(1)
    beside.rename(path.with_name("b.store-wal"))
    with Store(moved, write=True) as store:
        assert store.run(1).totals.found == 6


def test_a_store_that_was_removed_is_not_written_on(path: Path) -> None:
    with Store(path, write=True) as store:
        path.unlink()
        with pytest.raises(FileError, match="removed while it was written to"):
            store.settle(1, store.parts(1)[0].number, [], Totals(found=1))
    assert list(path.parent.iterdir()) == []


def test_another_file_in_its_place_is_left_alone(path: Path) -> None:
    with Store(path, write=True) as store:
        path.rename(path.with_name("b.store"))
        path.write_text("mine")
        with pytest.raises(FileError, match="moved"):
            store.lose(1, 1, "")
    assert path.read_text() == "mine"


def test_a_plain_copy_has_what_was_written_some_time_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At first, and then as often as the table of constants says."""

    def copied() -> list[int]:
        copy = path.with_name("copy.store")
        copy.write_bytes(path.read_bytes())
        with Store(copy) as store:
            return [run.totals.found for run in store.runs()]

    path = path.with_name("new.store")
    with Store(path, write=True) as store:
        assert copied() == []
        for found in (1, 2, 3):
            run = store.add_run(exactile.load("soma-cube"), "m", {}, "1", [WHOLE])
            assert copied() == [0]  # the beginning of the first run, as long as it is new
            store.settle(run, 1, [], Totals(found=found))
        monkeypatch.setattr("exactile.runs.store.opening.TUNING", Tuning(store_copied=0))
        store.forgive(1)
        assert copied() == [1, 2, 3]
    assert copied() == [1, 2, 3]


def test_what_is_no_store_is_refused(path: Path, tmp_path: Path) -> None:
    short, text, other = tmp_path / "short", tmp_path / "text", tmp_path / "other"
    short.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    text.write_text("soma-cube" * 100)
    sqlite3.connect(other).execute("CREATE TABLE a (b)").connection.close()
    cases = {short: "its end is missing", text: "not a store", other: "some other database"}
    for write in (False, True):
        for file, words in cases.items():
            with pytest.raises(FileError, match=words):
                Store(file, write=write)
    with pytest.raises(FileError, match="there is no such store"):
        Store(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        Store(tmp_path / "none" / "a.store", write=True)


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 7",
        "PRAGMA application_id = 0; DROP TABLE run; DROP TABLE part",
    ],
)
def test_what_is_refused_is_not_kept_open(
    words: str, write: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    with closing(connect(path)) as base:
        base.executescript(words)
    opened: list[sqlite3.Connection] = []

    def connected(*given: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*given, **options))
        return opened[-1]

    monkeypatch.setattr("exactile.runs.store.opening.sqlite3.connect", connected)
    with pytest.raises(FileError):
        Store(path, write=write)
    for base in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            base.execute("SELECT 1")
    assert opened


def test_a_new_store_has_no_name_of_another_kind_of_file(path: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a store cannot be called .svg: choose .*such as .*store"):
        Store(tmp_path / "x.svg", write=True)
    assert not (tmp_path / "x.svg").exists()
    empty = tmp_path / "x.jsonl.gz"
    empty.touch()
    with pytest.raises(FileError, match=r"a store cannot be called .gz"):
        Store(empty, write=True)
    assert not empty.stat().st_size
    Store(path, write=True).close()
    path.rename(tmp_path / "x.svg")
    Store(tmp_path / "x.svg", write=True).close()


def test_a_store_that_is_just_being_made_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.store"
    lock = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    monkeypatch.setattr(opening, "LOOKS", 2)
    with pytest.raises(FileError, match="just being made: try again"):
        Store(path)

    def make(_seconds: float) -> None:
        os.close(lock)
        Store(path, write=True).close()

    monkeypatch.setattr(CLOCK, "pause", make)
    with Store(path) as store:
        assert store.runs() == []


def test_a_newer_store_is_refused(path: Path) -> None:
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(FileError, match="a newer exactile has written this store"):
        Store(path)


def test_a_damaged_page_is_noticed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:4196] = b"?" * 100
    path.write_bytes(data)
    for write in (True, False):
        with pytest.raises(FileError, match="the store is damaged"):
            Store(path, write=write)
