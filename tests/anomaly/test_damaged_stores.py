"""Stores with flipped bits and edited rows: right numbers or one error; copies of those at work."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.answers import Count
from exactile.errors import FileError
from exactile.runs.drive import Driver, found_in, own_session
from exactile.runs.executor import RunPart
from exactile.runs.front import keep_number
from exactile.runs.part import Searcher
from exactile.runs.run import StoredRun
from exactile.runs.store import Store
from exactile.tuning import TUNING
from support.command_line import Cli
from support.few import few

NAME = "tetrahexes-4x7"
RIGHT = (18, 9, 9)

EDITS = {
    "a version": "UPDATE run SET version = '0.0.9'",
    "no version": "UPDATE run SET version = ''",
    "a newer format": "PRAGMA user_version = 99",
    "a format below the first": "PRAGMA user_version = 0",
    "another application": "PRAGMA application_id = 1",
    "another puzzle": "UPDATE run SET digest = '00' || substr(digest, 3)",
    "another model": "UPDATE run SET model = '00' || substr(model, 3)",
    "other settings": "UPDATE run SET settings = replace(settings, 'true', 'false')",
    "no settings": "UPDATE run SET settings = '{}'",
    "deep settings": f"UPDATE run SET settings = '{'[' * 10**5}'",
    "no statement": "UPDATE puzzle SET statement = x'00'",
    "no puzzles": "DELETE FROM puzzle",
    "a part deleted": "DELETE FROM part WHERE number = (SELECT min(number) FROM part)",
    "all parts deleted": "DELETE FROM part",
    "a part twice": "INSERT INTO part SELECT run, number + 1000, origin, weight, lost, cause, "
    "prefixes FROM part",
    "parts exchanged": "UPDATE part SET prefixes = (SELECT max(prefixes) FROM part)",
    "cut prefixes": "UPDATE part SET prefixes = substr(prefixes, 1, 10)",
    "prefixes of zeros": "UPDATE part SET prefixes = zeroblob(100)",
    "prefixes as text": "UPDATE part SET prefixes = 'abc'",
    "weights as text": "UPDATE part SET weight = 'x'",
    "weights too large": "UPDATE part SET weight = 9e999",
    "weights below 0": "UPDATE part SET weight = -1",
    "parts given up": "UPDATE part SET lost = 5",
    "parts of another run": "UPDATE part SET run = 2",
    "parts of an origin": "UPDATE part SET origin = x'01'",
    "no totals": "DELETE FROM total",
    "totals of nothing": "UPDATE total SET data = '{}'",
    "totals that are none": "UPDATE total SET data = '[[['",
    "other totals": "UPDATE total SET data = replace(data, '\"found\":', '\"found\":1')",
    "totals exchanged": "UPDATE total SET data = (SELECT data FROM total WHERE run = 2)",
    "first numbers": "UPDATE run SET next = 0",
    "last numbers": "UPDATE run SET next = 9223372036854775807",
    "an answer": "UPDATE run SET answer = 'x'",
    "another answer": "UPDATE run SET answer = replace(answer, '18', '19')",
    "no answer": "UPDATE run SET answer = NULL",
    "another name": "UPDATE run SET name = 'pentominoes-6x10'",
    "a name that is none": "UPDATE run SET name = '../../../x'",
    "begun never": "UPDATE run SET begun = 9e999",
    "begun later": "UPDATE run SET begun = 99999999999",
    "a session": "UPDATE session SET data = 'x'",
    "a run twice": "INSERT INTO run SELECT number + 9, name, digest, model, settings, version, "
    "begun, next, answer FROM run",
    "a run deleted": "DELETE FROM run WHERE number = 2",
    "a share": "INSERT INTO share VALUES (1, 1, 2)",
    "a known number": "INSERT INTO checkpoint VALUES (1, 0, '5')",
    "another known number": "UPDATE checkpoint SET number = '5'",
    "solutions deleted": "DELETE FROM solutions WHERE number = 1",
    "solutions twice": "INSERT INTO solutions SELECT number + 1000, run, origin, data "
    "FROM solutions",
    "other solutions": "UPDATE solutions SET data = substr(data, 1, length(data) - 1)",
    "no solutions": "DROP TABLE solutions",
    "no table of parts": "DROP TABLE part",
    "no table of totals": "DROP TABLE total",
    "no table of runs": "DROP TABLE run",
    "no seal": "DROP TABLE seal",
    "an empty seal": "DELETE FROM seal",
    "a seal that is none": "UPDATE seal SET sums = 'x'",
    "a seal of nothing": "UPDATE seal SET sums = '{}'",
    "a seal of zeros": "UPDATE seal SET sums = replace(sums, '1', '0')",
    "text that is none": "UPDATE run SET name = CAST(x'ff' AS TEXT)",
    "bytes as text": "UPDATE part SET prefixes = CAST(prefixes AS TEXT)",
}


def parts_searched(run: StoredRun) -> Iterator[None]:
    """Search the parts of a run one after the other, each to its end; yield after each."""
    store, searcher, session = run.store, Searcher(run._work()), own_session("threads", 1)
    key = store.begin_session(run.number, session)
    for part in store.parts(run.number):
        prefixes = store.prefixes(run.number, part.number)
        result = searcher.search(RunPart(part.number, prefixes, 1e9))
        found = found_in(result)
        store.settle(run.number, part.number, [], found, result.rows, (key, session))
        yield


def half_done(path: Path) -> None:
    """Make a store with a run of which half is done, one that is done, and one that sweeps."""
    with Store(path, write=True) as store:
        run = StoredRun.begin(store, exactile.load(NAME), "solve")
        run.cut(16)
        for _ in islice(parts_searched(run), 8):
            pass
        assert store.run(run.number).totals.found > 0
        StoredRun.begin(store, exactile.load(NAME), "count").go_on()
        sweep = StoredRun.begin(store, exactile.load(NAME), "count", method="frontier")
        keep_number(store, sweep.number, 0, RIGHT[0])


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "a.store"
    half_done(path)
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path))


def edited(path: Path, *words: str) -> None:
    """Change a store as somebody else would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        for each in words:
            base.execute(each)


def told(cli: Cli, *words: str) -> Any:
    """Return what a command prints as JSON; None if it refuses, in one line."""
    code, out, err = cli(*words, "--json")
    if code in (0, 3):
        return json.loads(out)
    assert (code, out) == (1, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    return None


def numbers(answer: dict[str, Any]) -> tuple[int, int, int]:
    return answer["raw"], answer["rotation"], answer["symmetry"]


def refused(cli: Cli, path: Path) -> list[bool]:
    """Return which commands refuse a store; what the others tell is right."""
    status, found = told(cli, "status", str(path)), told(cli, "solutions", str(path))
    if status is not None:
        assert [run["found"] for run in status["runs"]][1:] == [RIGHT[0], 0]
        assert numbers(status["runs"][1]) == RIGHT
    if found is not None:
        assert len(found["solutions"]) == status["runs"][0]["found"]
    each = [status is None, found is None]
    for run in "123":
        answer = told(cli, "resume", str(path), run, "--workers", "1")
        each.append(answer is None)
        assert answer is None or numbers(answer) == RIGHT
    return each


def test_a_sound_store_gives_right_numbers(path: Path, cli: Cli) -> None:
    assert refused(cli, path) == [False] * 5


@pytest.mark.parametrize("what", few(EDITS, 4))
def test_edited_rows_are_noticed(what: str, path: Path, cli: Cli) -> None:
    edited(path, EDITS[what])
    each = refused(cli, path)
    assert each[2:] == [True] * 3  # a resumed search checks everything
    if "solutions" not in EDITS[what]:
        assert all(each)


@pytest.mark.parametrize("what", few(EDITS, 8))
def test_stores_from_before_there_were_seals_end_in_no_traceback(
    what: str, path: Path, cli: Cli
) -> None:
    edited(path, "DROP TABLE seal", "PRAGMA user_version = 3")
    try:
        edited(path, EDITS[what])
    except sqlite3.OperationalError:  # there is no seal to be edited
        return
    for words in (["status"], ["solutions"], *(["resume", run] for run in "123")):
        told(cli, words[0], str(path), *words[1:])


@pytest.mark.parametrize("seed", few(range(200), 8))
def test_a_flipped_bit_is_noticed_or_harmless(seed: int, path: Path, cli: Cli) -> None:
    data = bytearray(path.read_bytes())
    dice = random.Random(seed)
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)
    refused(cli, path)


def test_a_schema_that_is_no_text_is_one_error(path: Path, cli: Cli) -> None:
    data = path.read_bytes()
    name = b"sqlite_autoindex_puzzle_1"
    assert name in data
    path.write_bytes(data.replace(name, name[:-4] + b"\xec\x9d\xb3\xa1"))
    assert all(refused(cli, path))
    assert told(cli, "merge", str(path), str(path)) is None


def test_copies_of_a_store_at_work_are_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain copy has all that was found by some time before; the rest is searched again."""
    path = tmp_path / "a.store"
    monkeypatch.setattr(TUNING, "store_copied", 0)
    with Store(path, write=True) as store:
        run = StoredRun.begin(store, exactile.load(NAME), "count")
        run.cut(6)
        copies = [shutil.copy(path, tmp_path / "0.store")]
        for number, _ in enumerate(parts_searched(run), 1):
            copies.append(shutil.copy(path, tmp_path / f"{number}.store"))
    parts = []
    for each in copies:
        with Store(each, write=True) as store:
            parts.append(store.run(1).parts)
            answer = StoredRun(store, 1).go_on()
        assert isinstance(answer, Count)
        assert (answer.raw, answer.rotation, answer.symmetry) == RIGHT
    assert parts == list(range(len(copies) - 1, -1, -1))


def test_a_store_that_is_moved_while_it_is_written_loses_nothing(tmp_path: Path) -> None:
    path, moved = tmp_path / "a.store", tmp_path / "b.store"
    found: list[int] = []

    def move(driver: Driver) -> None:
        if driver.totals.found and path.exists():
            path.rename(moved)
            found.append(driver.totals.found)

    with Store(path, write=True) as store:
        run = StoredRun.begin(store, exactile.load(NAME), "count")
        run.cut(30)
        with pytest.raises(FileError, match="moved while it was written to"):
            run.go_on(workers=1, watch=move)
    assert list(tmp_path.iterdir()) == [moved]
    with Store(moved, write=True) as store:
        assert [store.run(1).totals.found] == found
        answer = StoredRun(store, 1).go_on()
        assert isinstance(answer, Count)
        assert answer.raw == RIGHT[0]


def test_what_is_finished_is_told_again_where_nothing_can_be_written(
    path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (
        "exactile.runs.store",
        "exactile.runs.store.opening",
        "exactile.runs.store.store",
    ):
        monkeypatch.setattr(f"{module}.may_be_written", lambda _: False)
    before = path.read_bytes()
    code, out, _ = cli("resume", str(path), "2")
    assert (code, "all                       18" in out) == (0, True)
    code, _, err = cli("resume", str(path), "1")
    assert (code, "run 1 is not finished, and nothing can be written here" in err) == (1, True)
    code, out, _ = cli("count", NAME, "--store", str(path))
    assert (code, "all                       18" in out) == (0, True)
    code, _, err = cli("count", "dominoes-4x4", "--store", str(path))
    assert (code, "nothing can be written here: copy the store" in err) == (1, True)
    assert path.read_bytes() == before
