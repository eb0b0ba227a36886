"""Shares and copies of stores joined again: whatever was done, every solution counts once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import exactile
from exactile.backends.base import Prefix
from exactile.counting import method
from exactile.runs import status
from exactile.runs.drive import Driver
from exactile.runs.front import fetch_file
from exactile.runs.run import StoredRun
from exactile.runs.status import join_stores
from exactile.runs.store import Store
from exactile.runs.store.join import Joined, join, take_share
from exactile.runs.store.records import Totals
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support.clock import ticking

NAME = "tetrasticks-5x5-without-h"


@pytest.fixture
def whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store with a run that is cut into parts."""
    monkeypatch.setattr(TUNING, "run_short_seconds", 0.01)
    monkeypatch.setattr(TUNING, "run_seconds", 0.01)
    path = tmp_path / "whole"
    with Store(path, write=True) as store:
        StoredRun.begin(store, exactile.load(NAME), "solve").cut(12)
    return path


def share_of(whole: Path, name: str, number: int, of: int, *, stopped: bool = False) -> str:
    """Return a store with a share, searched to its end or stopped before."""
    path = whole.with_name(name)
    with Store(path, write=True) as share, Store(whole) as store:
        run = take_share(store, 1, share, number, of)
        assert run is not None
        limits = Limits()
        watch = (lambda _: limits.cancel()) if stopped else None
        answer = StoredRun(share, run).go_on(limits=limits, watch=watch)
        assert answer.stopped == ("cancelled" if stopped else "a share of a run")
    return str(path)


def finished(path: Path) -> tuple[int | None, int, int]:
    """Go on with a run to its end; return how many solutions it has, keeps, keeps different."""
    with Store(path, write=True) as store:
        run = StoredRun(store, 1)
        run.go_on()
        rows = [row.tobytes() for rows in store.solutions(1) for row in rows]
        raw = exactile.store_status(str(path)).runs[0].raw
    return raw, len(rows), len(set(rows))


def test_shares_that_are_not_finished_leave_the_rest(whole: Path) -> None:
    some = [
        share_of(whole, "a", 1, 3, stopped=True),
        share_of(whole, "b", 2, 3),
        share_of(whole, "c", 1, 3),
        share_of(whole, "d", 1, 2, stopped=True),
    ]
    joined = join_stores(str(whole), some)
    assert joined.taken > 0
    assert joined.known > 0
    assert joined.runs[0].raw is None
    again = join_stores(str(whole), some)
    assert again.taken == 0
    raw, kept, different = finished(whole)
    assert raw == 576
    assert kept == different


def test_shares_may_be_joined_before_the_others_begin(whole: Path) -> None:
    for number in (1, 2, 3):
        join_stores(str(whole), [share_of(whole, f"share-{number}", number, 3)])
    with Store(whole) as store, Store(whole.with_name("again"), write=True) as share:
        assert store.parts(1) == []
        assert take_share(store, 1, share, 2, 3) is None
        assert share.runs() == []


@pytest.fixture
def share(whole: Path) -> Path:
    """Return a store with a share of all parts, of which some are begun."""
    share, limits = whole.with_name("share"), Limits()

    def stop(driver: Driver) -> None:
        if driver.totals.found:
            limits.cancel()

    with Store(share, write=True) as store, Store(whole) as parts:
        assert take_share(parts, 1, store, 1, 1)
        run = StoredRun(store, 1)
        run.cut(100)  # so that no part is finished when some solutions are found
        run.go_on(limits=limits, watch=stop)
    return share


def test_a_share_that_goes_on_is_joined_again(whole: Path, share: Path) -> None:
    """Its later results replace the earlier ones, and those of others in the same part."""
    half = whole.with_name("half")
    first = join_stores(whole, [share]).runs[0]
    assert (first.share, first.found) == (False, exactile.store_status(share).runs[0].found)
    share_of(whole, "half", 1, 2)
    assert join_stores(whole, [half]).taken > 0
    finished(share)
    for taken in (True, False):
        copy = join_stores(whole.with_name(f"copy-{taken}"), [whole])
        assert copy.runs[0].found == exactile.store_status(whole).runs[0].found
        joined = join_stores(whole, [half, share])
        assert (joined.taken > 0, joined.runs[0].raw, joined.runs[0].parts) == (taken, 576, 0)
    _, kept, different = finished(whole)
    assert kept == different


def test_a_share_is_joined_while_it_is_searched(
    whole: Path, share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is read of it belongs together."""
    totals, once = Store.totals, iter([True])

    def and_search_on(store: Store, run: int, origin: bytes | None = None) -> Totals:
        found = totals(store, run, origin)
        if origin and store.path == str(share) and next(once, False):
            finished(share)
        return found

    monkeypatch.setattr(Store, "totals", and_search_on)
    assert join_stores(whole, [share]).taken > 0
    assert list(once) == []
    raw, kept, different = finished(whole)
    assert raw == 576
    assert kept == different


def test_what_is_found_during_a_join_is_left_for_the_next_one(
    whole: Path, share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a share that is always a part further would be joined for ever."""
    first = join_stores(whole, [share])
    steps = iter(range(3))

    def and_search_on(store: Store, other: Store) -> Joined:
        if next(steps, None) is not None:
            with Store(share, write=True) as opened:
                record = opened.runs()[0]
                part = opened.parts(record.number)[0]
                opened.settle(record.number, part.number, [], Totals(nodes=1))
        return join(store, other)

    monkeypatch.setattr(status, "join", and_search_on)
    again = join_stores(whole, [share])
    assert (again.taken, again.known) == (0, first.taken + first.known)


def test_of_two_copies_the_one_that_is_further_stays(whole: Path) -> None:
    copy = whole.with_name("copy")
    shutil.copy(whole, copy)
    with Store(whole, write=True) as store:
        StoredRun(store, 1).go_on(limits=Limits(0.05))
    raw, kept, _ = finished(copy)
    joined = join_stores(str(whole), [str(copy)])
    assert joined.runs[0].raw == raw == 576
    with Store(whole) as store:
        assert sum(map(len, store.solutions(1))) == kept
    assert join_stores(str(whole.with_name("new")), [str(whole), str(copy)]).runs[0].raw == raw


def test_a_part_of_which_nothing_came_changes_nothing(whole: Path) -> None:
    """It was given back as it was: taken over again and again, joining would never end."""
    path = whole.with_name("idle")
    with Store(path, write=True) as share, Store(whole) as store:
        nodes = store.totals(1).nodes
        run = take_share(store, 1, share, 1, 6)
        assert run is not None
        first, second = sorted(share.parts(run))
        for each in (first, second):
            share.settle(run, each.number, [share.prefixes(run, each.number)], Totals(nodes=7))
    for _ in range(2):
        joined = join_stores(str(whole), [str(path), str(path)])
        assert (joined.taken, joined.known, joined.runs[0].nodes) == (0, 0, nodes)
    raw, kept, different = finished(whole)
    assert raw == 576
    assert kept == different


def test_parts_whose_weight_is_rounded_to_zero_are_joined(tmp_path: Path) -> None:
    puzzle, settings = exactile.load("dominoes-4x4"), {"verb": "count"}
    parts = [[Prefix((number,), 0.0)] for number in range(3)]
    whole, far, part = (Store(tmp_path / name, write=True) for name in "wfp")
    with whole, far, part:
        for store in (whole, far):
            store.add_run(puzzle, "", settings, "1", parts)
        far.settle(1, 1, [], Totals(found=5))
        assert join(whole, far) == Joined(1, 0)
        assert take_share(whole, 1, part, 1, 2) == 1
        part.settle(1, 1, [], Totals(found=7))
        assert join(whole, part) == Joined(1, 0)
        assert (whole.run(1).parts, whole.run(1).totals.found) == (1, 12)


def test_a_run_that_has_its_answer_stays_or_comes(tmp_path: Path) -> None:
    puzzle, paths = exactile.load("dominoes-16x16"), (tmp_path / "found", tmp_path / "far")
    with Store(paths[0], write=True) as found:
        StoredRun.begin(found, puzzle, "prove").go_on()
        assert found.run(1).left > 0
    with Store(paths[1], write=True) as far:
        run = StoredRun.begin(far, puzzle, "prove").number
        [begun] = far.parts(run)
        far.settle(run, begun.number, [[Prefix((0,), 1e-9)]], Totals())
    for first, second in (paths, paths[::-1]):
        [status] = join_stores(first, [second]).runs
        assert status.status.value == "solvable"
        with Store(first) as store:
            assert len(next(store.solutions(1))) > 0


def test_the_answer_of_another_version_comes(tmp_path: Path) -> None:
    with Store(tmp_path / "old", write=True) as store:
        StoredRun.begin(store, exactile.load("dominoes-4x4"), "count").go_on()
        with store.transaction():
            store.change("UPDATE run SET version = '0.0.1'")
    [status] = join_stores(tmp_path / "new", [tmp_path / "old"]).runs
    assert (status.version, status.raw) == ("0.0.1", 36)


def test_a_count_by_a_frontier_is_joined_with_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticking(monkeypatch)
    monkeypatch.setattr(method, "HEARTBEAT", 0.0)  # or it is done before it can be stopped
    puzzle, limits = exactile.load("pentominoes-5x12"), Limits()

    def stop(done: float) -> None:
        if done > 0.3:
            limits.cancel()

    with Store(tmp_path / "half", write=True) as store:
        run = StoredRun.begin(store, puzzle, "count", method="frontier")
        run.go_on(workers=1, limits=limits, progress=stop)
        kept = fetch_file(store, run.number, 0, tmp_path / "kept")
    assert kept
    for name in ("new", "begun"):
        if name == "begun":
            with Store(tmp_path / name, write=True) as store:
                StoredRun.begin(store, puzzle, "count", method="frontier")
        [status] = join_stores(tmp_path / name, [tmp_path / "half"]).runs
        assert 0.3 < status.done < 1
        with Store(tmp_path / name) as store:
            assert fetch_file(store, status.run, 0, tmp_path / "joined")
        assert (tmp_path / "joined").read_bytes() == (tmp_path / "kept").read_bytes()
