"""Runs in a store: gone on with as often as one likes, they give the same numbers."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

import exactile
from exactile.answers import Count, Status, Verdict
from exactile.clock import CLOCK
from exactile.errors import FileError
from exactile.runs.drive import Driver
from exactile.runs.executor import PartLost, RunPart, own_version
from exactile.runs.executors.threads import Threads
from exactile.runs.run import StoredRun
from exactile.runs.status import statuses
from exactile.runs.store import Store
from exactile.search.limits import Limits
from exactile.tuning import TUNING

NAMES = ["soma-cube", "tetrasticks-5x5-without-h", "tetrahexes-4x7"]


@pytest.mark.parametrize("name", NAMES)
def test_a_run_that_is_stopped_again_and_again_has_every_solution_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TUNING, "run_short_seconds", 0.02)
    puzzle = exactile.load(name)
    with Store(tmp_path / "a", write=True) as store:
        run = StoredRun.begin(store, puzzle, "solve").number
    for tries in count():
        with Store(tmp_path / "a", write=True) as store:
            answer = StoredRun(store, run).go_on(limits=Limits(0.1 * 1.5**tries), workers=2)
            kept = sum(len(rows) for rows in store.solutions(run))
            assert kept == store.run(run).totals.found
        if answer.status.final:
            break
    whole = exactile.count(puzzle, method="list")
    assert isinstance(answer, Count)
    assert (answer.raw, answer.rotation, answer.symmetry) == (
        whole.raw,
        whole.rotation,
        whole.symmetry,
    )
    assert answer.stats["nodes"] >= whole.stats["nodes"]


def test_proving_ends_with_the_first_solution_or_without_one(tmp_path: Path) -> None:
    with Store(tmp_path / "a", write=True) as store:
        found = StoredRun.begin(store, exactile.load("soma-cube"), "prove").go_on()
        assert isinstance(found, Verdict)
        assert found.status is Status.SOLVABLE
        assert found.solution is not None
        puzzle = exactile.load("tetrominoes-5x4")
        refuted = StoredRun.begin(store, puzzle, "prove", use_reasons=False).go_on()
        assert refuted.status is Status.UNSOLVABLE
        at_sight = StoredRun.begin(store, puzzle, "count").go_on()
        assert isinstance(at_sight, Count)
        assert (at_sight.status, at_sight.reason is None) == (Status.UNSOLVABLE, False)


def test_a_run_of_another_version_is_not_gone_on_with(tmp_path: Path) -> None:
    with Store(tmp_path / "a", write=True) as store:
        run = StoredRun.begin(store, exactile.load("soma-cube"), "count").number
        with store.transaction():
            store.change("UPDATE run SET version = '0.0.1'")
        with pytest.raises(FileError, match=r"exactile 0.0.1 began run 1"):
            StoredRun(store, run).go_on()
        assert StoredRun(store, run).answer().stopped == "not searched"
        with store.transaction():
            store.change("UPDATE run SET version = ?, model = '?'", own_version())
        with pytest.raises(FileError, match=r"run 1 was begun with another model, by another bui"):
            StoredRun(store, run).go_on()


class Losing(Threads):
    """Loses the first parts that it is given."""

    losses = 1

    def give(self, part: RunPart) -> None:
        if self.losses:
            self.losses -= 1
            self._results.put(PartLost(part.number, "SIGKILL"))  # type: ignore[arg-type]
        else:
            super().give(part)


@pytest.mark.parametrize(("losses", "raw"), [(1, 11520), (2, None)])
def test_a_part_that_is_lost_is_tried_once_more(
    losses: int, raw: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executors: list[Threads] = [Losing(1), Threads(1)]
    monkeypatch.setattr(Losing, "losses", losses)
    monkeypatch.setattr("exactile.runs.run.get_executor", lambda *_: executors.pop(0))
    with Store(tmp_path / "a", write=True) as store:
        run = StoredRun.begin(store, exactile.load("soma-cube"), "count")
        answer = run.go_on()
        assert isinstance(answer, Count)
        assert answer.raw == raw
        assert answer.stopped == (None if raw else "parts given up")
        again = run.go_on()
        assert isinstance(again, Count)
        assert again.raw == 11520


def test_the_time_left_is_told_long_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TUNING, "run_first_seconds", 0.1)
    monkeypatch.setattr(TUNING, "run_short_seconds", 0.01)
    limits, left = Limits(), []

    def watch(driver: Driver) -> None:
        if driver.remaining is not None:
            left.append(driver.left)
            limits.cancel()

    with Store(tmp_path / "a", write=True) as store:
        StoredRun.begin(store, exactile.load("tetris-cube"), "count").go_on(
            limits=limits, watch=watch
        )
    assert left[0] > 0.5


def test_the_date_may_jump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = count(2 * 10**9, -(10**6))
    monkeypatch.setattr(CLOCK, "date", lambda: next(dates))
    seconds: list[float] = []
    with Store(tmp_path / "a", write=True) as store:
        for name in ("dominoes-4x4", "soma-cube"):
            run = StoredRun.begin(store, exactile.load(name), "count")
            run.go_on(watch=lambda driver: seconds.append(driver.seconds))
        assert [each.working for each in statuses(store, written=True)] == [False, True]
        [session] = store.sessions(run.number)
    assert min(seconds) >= 0
    assert session.seen >= session.begun


def test_a_count_has_no_largest_number_of_solutions(tmp_path: Path) -> None:
    with Store(tmp_path / "run", write=True) as store:
        answer = StoredRun.begin(store, exactile.load("soma-cube"), "count", most=3).go_on()
    assert isinstance(answer, Count)
    assert (answer.status, answer.raw) == (Status.COMPLETE, 11520)
