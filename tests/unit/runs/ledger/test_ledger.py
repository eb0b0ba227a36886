"""The ledger: what is written to it, and what is done for a puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.backends import Batch, Request
from exactile.backends.base import Prefix
from exactile.backends.dlx import DlxBackend
from exactile.counting.plan import FrontierBudget, LedgerRow, ledger_row
from exactile.errors import CheckFailedError, FileError
from exactile.model import Model
from exactile.puzzle import Placement
from exactile.runs.ledger.export import as_json, catalogued, export, read_document, read_export
from exactile.runs.ledger.pages import pages
from exactile.runs.ledger.record import Numbers, OpenSearch, Record
from exactile.runs.ledger.run import Run, budgets
from exactile.runs.ledger.settle import (
    News,
    PuzzleTask,
    Settler,
    expected,
    front_name,
    is_due,
    memo_name,
    settle,
    steps,
    unseen,
)
from exactile.runs.ledger.store import Ledger
from exactile.runs.run import StoredRun
from exactile.runs.store import Store, Totals
from exactile.tuning import TUNING
from support.events import in_slices
from support.few import examples

LONG = 1e6
"""Seconds in which all that these tests search is searched, on any machine."""


def noted(name: str, model: str, **known: Any) -> Record:
    """Return a record of a puzzle, with little in it."""
    return Record(name, exactile.load(name).digest, model, 1, 1, 1, 1, **known)


def settled(name: str, budget: float = LONG) -> Record:
    """Return the record of a puzzle after all that is done for it."""
    settler = Settler(exactile.load(name))
    for _ in steps(settler, PuzzleTask(name, None, settler.record.puzzle, budget, budget)):
        pass
    return settler.record


def test_a_record_is_what_count_says() -> None:
    record = settled("soma-cube")
    assert (record.status, record.method) == ("exact", "list")
    assert record.numbers == Numbers(11520, 480, 240)
    assert record.search is None
    assert record.checked >= 1
    puzzle = exactile.load("soma-cube")
    points = [tuple(p) for p in puzzle.region.units.tolist()]
    assert record.example is not None
    solution = tuple(
        Placement(piece, tuple(points[u] for u in units)) for piece, units in record.example
    )
    exactile.check(puzzle, solution)


def test_unsolvable_ones_say_why() -> None:
    first, colored = settled("hexahexes-triangle"), settled("tetrominoes-5x4")
    assert (first.status, first.method) == ("unsolvable", "first look")
    assert first.reason == "the pieces have 492 units, the region has 496"
    assert (colored.status, colored.numbers) == ("unsolvable", Numbers(0, 0, 0))


def test_an_open_one_has_a_bound_and_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "ledger_coloring_seconds", 1e-9)
    monkeypatch.setattr(TUNING, "ledger_dives", 10)
    monkeypatch.setattr(TUNING, "ledger_estimate_seconds", 3600.0)
    for limit, number in (("MOST_STATES", 100), ("MOST_RUNS", 4)):
        monkeypatch.setattr(f"exactile.counting.sampled.{limit}", number)
    record = settled("one-sided-pentominoes-6x15", 1e-9)
    assert record.status == "open"
    assert record.numbers is None
    assert record.guess is not None
    assert record.guess.dives > 0
    assert record.sampled is not None
    assert (record.sampled.states, record.sampled.exact) == (100, False)
    assert record.search is not None
    assert record.nodes == record.search.totals.nodes > 0


def test_the_memo_takes_over_where_solutions_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    in_slices(monkeypatch, 1000)
    settler = Settler(exactile.load("dominoes-8x8"))
    settler.search(1e-9)
    settler.record.at_least = max(settler.record.at_least, 20_000)
    assert settler.memo_may_pay(10**6)
    settler.memorize(LONG, 100)
    assert settler.record.status == "open"
    assert not settler.memo_may_pay(100)
    settler.memorize(1e-9, 10**5)
    assert settler.record.status == "open"
    assert not settler.memo_may_pay(10**5)  # it reached its time limit
    settler.memorize(LONG, 10**6)
    assert settler.record.numbers is not None
    assert settler.record.numbers.raw == 12988816
    assert settler.record.method == "memo"


def test_a_record_of_another_model_is_dropped() -> None:
    old = noted("soma-cube", "0" * 16, status="exact", numbers=Numbers(1, 1, 1))
    assert Settler(exactile.load("soma-cube"), old).record.status == "open"


def test_equal_models_with_other_symmetries_are_counted_anew(tmp_path: Path) -> None:
    flat, solid = (tmp_path / name for name in ("flat.toml", "solid.toml"))
    text = 'format = 1\n[puzzle.a]\nlattice = "{}"\npieces = {{ set = "{}" }}\nregion.box = {}\n'
    flat.write_text(text.format("square", "pentominoes", [20, 3]))
    solid.write_text(text.format("cube", "solid-pentominoes", [20, 3, 1]))
    before = Settler(exactile.load(flat))
    before.search(LONG)
    assert before.record.numbers == Numbers(8, 4, 2)
    assert Settler(exactile.load(flat), before.record).record is before.record
    after = Settler(exactile.load(solid), before.record)
    assert after.record.digest == before.record.digest
    after.search(LONG)
    assert after.record.numbers == Numbers(8, 2, 2)


def test_a_changed_puzzle_is_searched_whatever_was_known_before() -> None:
    search = OpenSearch([Prefix((), 1 - 1e-9)], Totals(seconds=4.0))
    old = Record("soma-cube", "x", "0" * 16, 1, 1, 1, 1, search=search)
    settler = Settler(exactile.load("soma-cube"), old)
    for _ in steps(settler, PuzzleTask("soma-cube", old, "y", LONG, LONG)):
        pass
    assert settler.record.status == "exact"


def test_fronts_settle_what_listing_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    in_slices(monkeypatch, 1000)
    settler = Settler(exactile.load("pentominoes-6x10"))
    settler.search(1e-9)
    small = FrontierBudget(1e9, 100)
    assert settler.front_may_pay(small)
    settler.sweep(LONG, small, 2**30)
    assert settler.record.status == "open"
    assert not settler.front_may_pay(small)
    assert settler.front_may_pay(FrontierBudget(2e9, 100))
    settler.sweep(LONG, FrontierBudget(1e9, 100_000), 2**30)
    assert (settler.record.status, settler.record.method) == ("exact", "frontier")
    assert settler.record.numbers == Numbers(9356, 4678, 2339)
    orders = {run.order for run in settler.record.fronts}
    assert len(orders) == 2


def test_a_solution_is_shown_of_what_fronts_have_counted() -> None:
    settler = Settler(exactile.load("pentominoes-6x10"))
    settler.sweep(LONG, FrontierBudget(1e9, 100_000), 2**30)
    assert unseen(settler.record)
    settler.find("first", LONG, "first")
    assert not unseen(settler.record)
    assert settler.record.example is not None
    assert settler.record.found_by.startswith("first (")
    assert 0 < settler.record.found_seconds <= settler.record.seconds
    assert settler.record.status == "exact"
    impossible = Settler(exactile.load("tetrominoes-5x4"))
    impossible.sweep(LONG, FrontierBudget(1e9, 100_000), 2**30)
    assert not unseen(impossible.record)


def test_fronts_prove_that_there_is_no_solution() -> None:
    settler = Settler(exactile.load("tetrominoes-5x4"))
    settler.sweep(LONG, FrontierBudget(1e9, 100_000), 2**30)
    assert (settler.record.status, settler.record.method) == ("unsolvable", "frontier")


def test_hopeless_searches_wait_for_the_last_round() -> None:
    search = OpenSearch([Prefix((), 0.999)], Totals(seconds=4.0))
    fronts = [front_name(ledger_row(budget).frontier) for budget in (2, 16)]
    tried = ["first", *fronts]
    record = Record("a", "x", "", 1, 1, 1, 1, search=search, tried=tried)
    assert expected(None) == 0
    assert expected(record) == pytest.approx(4000)
    assert not is_due(PuzzleTask("a", record, "x", 16, 600))
    assert is_due(PuzzleTask("a", record, "x", 500, 600))
    assert is_due(PuzzleTask("a", record, "x", 16, 16))
    assert not is_due(PuzzleTask("a", record, "x", 2, 600))
    record.at_least = 10**6  # a memo may pay
    assert is_due(PuzzleTask("a", record, "x", 16, 600))
    record.tried = [memo_name(20_000_000), *tried]
    assert not is_due(PuzzleTask("a", record, "x", 16, 600))


def test_rows_are_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    with Ledger(path, write=True) as ledger:
        assert ledger.read("soma-cube", "x") is None
        ledger.write(noted("soma-cube", "", at_least=1))
        ledger.write(noted("soma-cube", "", at_least=2))
    with Ledger(path) as ledger:
        assert [(r.id, r.at_least) for r in ledger] == [("soma-cube", 2)]


def test_a_puzzle_is_known_by_what_it_is_not_by_its_name(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l.sqlite", write=True) as ledger:
        ledger.write(Record("a", "x", "m", 1, 1, 1, 1, at_least=1))
        ledger.write(Record("b", "x", "m", 1, 1, 1, 1, at_least=2))
        renamed = ledger.read("c", "x")
        assert renamed is not None
        assert (renamed.id, renamed.at_least) == ("c", 2)
        assert ledger.read("a", "y") is None


def test_a_changed_puzzle_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if its file says the same, and something else is understood by it."""
    with Ledger(tmp_path / "l.sqlite", write=True) as ledger:
        Run(ledger, LONG).settle(["tetrominoes-5x4"])
        [record] = catalogued(ledger, ["tetrominoes-5x4"])
        assert record.status == "unsolvable"
        changed = exactile.load("tetrahexes-4x7")
        monkeypatch.setattr("exactile.runs.ledger.export.load", lambda _: changed)
        assert catalogued(ledger, ["tetrominoes-5x4"]) == []
        assert export(ledger).puzzles == []


def test_a_puzzle_with_two_names_is_settled_once(tmp_path: Path) -> None:
    names = ["diabolical-cube", "sheldons-cube"]
    written: list[str] = []
    with Ledger(tmp_path / "l.sqlite", write=True) as ledger:
        Run(ledger, LONG, watch=lambda record, _: written.append(record.id)).settle(names)
        assert set(written) == {"diabolical-cube"}
        one, other = catalogued(ledger, names)
        assert [one.id, other.id] == names
        assert one.numbers == other.numbers is not None


def test_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    with Ledger(path, write=True) as first, Ledger(path) as second:
        first.write(noted("soma-cube", ""))
        assert [r.id for r in second] == ["soma-cube"]
        with pytest.raises(FileError, match="another run is at work"):
            Ledger(path, write=True)
    Ledger(path, write=True).close()


def test_what_is_no_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no ledger" * 100)
    with pytest.raises(FileError, match="this is not a store of exactile"):
        Ledger(tmp_path / "a", write=True)
    with Ledger(tmp_path / "b", write=True) as ledger:
        ledger.write(noted("soma-cube", ""))
        with ledger.store.transaction():
            ledger.store.change("UPDATE known SET data = ?", b"{")
    with Ledger(tmp_path / "b") as ledger, pytest.raises(FileError, match="soma-cube is damaged"):
        list(ledger)


@pytest.mark.parametrize("finished", [False, True])
def test_an_open_search_is_a_run_that_others_may_go_on_with(
    tmp_path: Path, finished: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices(monkeypatch, 50)
    path, name = tmp_path / "l.sqlite", "tetrahexes-4x7"
    settler = Settler(exactile.load(name))
    settler.search(1e-9)
    assert settler.record.search is not None
    with Ledger(path, write=True) as ledger:
        ledger.write(settler.record)
        [before] = catalogued(ledger, [name])
        assert before == settler.record
        [run] = ledger.store.runs()
        assert (run.puzzle, run.totals.nodes) == (name, settler.record.nodes)
    with Store(path, write=True) as store:
        gone_on = StoredRun(store, run.number)
        gone_on.go_on() if finished else gone_on.cut(5)
    with Ledger(path, write=True) as ledger:
        [between] = catalogued(ledger, [name])
        assert between.search is not None
        assert bool(between.search.left) == (not finished)
        assert between.search.totals.nodes >= before.nodes
        Run(ledger, 0.9).settle([name])  # too little for fronts, and much for this search
        [after] = catalogued(ledger, [name])
        whole = exactile.count(exactile.load(name), method="list")
        assert after.numbers == Numbers(whole.raw or 0, whole.rotation or 0, whole.symmetry or 0)
        assert after.method == "list"
        assert after.nodes >= between.search.totals.nodes
        assert after.search is None


class LyingDlx(DlxBackend):
    """The native search, if it took the first option for a solution."""

    def search(self, model: Model, request: Request) -> Iterator[Batch]:  # type: ignore[override]
        yield Batch(np.array([[0]], dtype=np.int32))


def test_a_wrong_answer_ends_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not a message among others, and what repeats it is in a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(DlxBackend, "search", LyingDlx.search)
    monkeypatch.setattr("exactile.runs.ledger.settle.ledger_row", lambda budget: LedgerRow())
    told: list[News] = []
    settle(PuzzleTask("soma-cube", None, exactile.load("soma-cube").digest, 1.0, 1.0), told.append)
    assert told[-1].wrong
    (written,) = tmp_path.glob("exactile-wrong-answer-*.json")
    assert str(written) in told[-1].error
    with (
        Ledger(tmp_path / "l.sqlite", write=True) as ledger,
        pytest.raises(CheckFailedError, match="soma"),
    ):
        Run(ledger, LONG, workers=1)._take("soma-cube", told[-1])


def test_rounds_and_pages(tmp_path: Path) -> None:
    names = [
        "tetrahexes-4x7",
        "tetrominoes-5x4",
        "tritrigs-heart-2",
        "one-sided-polyominoes-234-octagon",
    ]
    with Ledger(tmp_path / "l.sqlite", write=True) as ledger:
        run = Run(ledger, LONG, workers=2)
        run.settle(names)
        assert not run.errors
        document = export(ledger)
    assert list(budgets(5)) == [1.0, 4.0, 5]
    lines = {line.id: line for line in document.puzzles}
    assert set(lines) == set(names)
    assert lines["tetrahexes-4x7"].numbers == Numbers(18, 9, 9)
    agreement = {p.count: p.agrees for p in lines[names[3]].published}
    assert agreement == {1023: False, 9552: True, 1194: True}
    text = pages(document)
    assert "| tetrahexes-4x7 | 28 | 18 | 9 | 9 |  | 9; 18 raw | list |" in text["polyhex"]
    assert "has 1,023: one place of I4 was forgotten." in text["polyomino"]
    assert "4 puzzles: 3 counted, 1 unsolvable, 0 open." in text["index"]
    assert as_json(document).count("\n") == len(names) + 2


def test_what_is_settled_is_taken_over_from_an_export(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    records = [settled("soma-cube"), settled("tetrominoes-5x4")]
    records.append(noted("pentominoes-6x10", "", at_least=7, tried=["race"]))
    path.write_text(as_json(export(records)))
    read = read_export(path)
    assert [r.id for r in read] == ["soma-cube", "pentominoes-6x10", "tetrominoes-5x4"]
    assert (read[1].status, read[1].at_least, read[1].tried) == ("open", 7, ["race"])
    again = Settler(exactile.load("soma-cube"), read[0]).record
    assert (again.status, again.numbers) == ("exact", records[0].numbers)
    changed = noted("soma-cube", "x", status="exact", numbers=Numbers(1, 1, 1))
    assert Settler(exactile.load("soma-cube"), changed).record.status == "open"
    path.write_text("{")
    with pytest.raises(FileError, match="is not an exported ledger"):
        read_export(path)


def test_the_committed_ledger_is_of_the_puzzles_as_they_are() -> None:
    """A part of them in `make test`, all in `make test-all`."""
    lines = read_document(Path(__file__).parents[4] / "docs" / "catalogue" / "ledger.json").puzzles
    known = {line.id: line.puzzle for line in lines}
    chosen = list(known)[:: len(known) // examples(200)]
    assert {name: exactile.load(name).digest for name in chosen} == {n: known[n] for n in chosen}
