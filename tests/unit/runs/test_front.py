"""Counts by a front that a store keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactile
from exactile.answers import Count
from exactile.counting import method
from exactile.runs.front import fetch_file
from exactile.runs.run import StoredRun
from exactile.runs.store import Store
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support.clock import ticking


def test_a_count_by_a_front_goes_on_from_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticking(monkeypatch)
    monkeypatch.setattr(method, "HEARTBEAT", 0.0)  # or it is done before it can be stopped
    puzzle, kept, reached = exactile.load("pentominoes-5x12"), 0, 0.0
    for _ in range(100):
        limits = Limits()

        def stop(done: float, limits: Limits = limits) -> None:
            nonlocal reached
            if done > reached + 0.3:
                reached = done
                limits.cancel()

        with Store(tmp_path / "a", write=True) as store:
            run = StoredRun.same(store, puzzle, "count", method="frontier")
            answer = run.go_on(workers=1, limits=limits, progress=stop)
            kept += fetch_file(store, run.number, 0, tmp_path / "front")
            if answer.status.final:
                break
    assert kept
    assert isinstance(answer, Count)
    assert answer.method == "frontier"
    listed = exactile.count(puzzle, method="list")
    for key in ("raw", "rotation", "symmetry"):
        assert getattr(answer, key) == getattr(listed, key)


def test_what_is_written_now_and_then_survives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TUNING, "run_saved", 0.0)
    monkeypatch.setattr(TUNING, "run_saving", 1.0)
    ticking(monkeypatch)
    monkeypatch.setattr(method, "HEARTBEAT", 0.0)  # or it is done before it is written
    saved = []

    def keep(store: Store, run: int, step: int, path: Path, done: float) -> None:
        saved.append(done)

    monkeypatch.setattr("exactile.runs.front.keep_file", keep)
    with Store(tmp_path / "a", write=True) as store:
        run = StoredRun.begin(store, exactile.load("pentominoes-5x12"), "count", method="frontier")
        answer = run.go_on(workers=1)
    assert isinstance(answer, Count)
    assert answer.raw == 4040
    assert saved == sorted(saved)
    assert saved


def test_the_time_of_all_processes_is_added_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticking(monkeypatch)
    monkeypatch.setattr(method, "HEARTBEAT", 0.0)  # or it is done before it can be stopped
    limits = Limits()
    with Store(tmp_path / "a", write=True) as store:
        run = StoredRun.begin(store, exactile.load("pentominoes-5x12"), "count", method="frontier")
        stopped = run.go_on(workers=1, limits=limits, progress=lambda _: limits.cancel())
        spent = stopped.stats.seconds
        assert (stopped.status.final, stopped.stopped) == (False, "cancelled")
        assert spent
        done = run.go_on(workers=1)
    assert done.status.final
    assert (done.stats.seconds or 0.0) > spent
