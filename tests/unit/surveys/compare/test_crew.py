"""Runs of a comparison on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import exactile
from exactile.errors import PuzzleError, WorkError
from exactile.surveys.compare.comparison import Cluster, Comparison, Crew, run_there
from exactile.surveys.compare.trial import Instance, Trial
from support.waiting import children, wait_until

PUZZLES = [exactile.load("dominoes-4x4"), exactile.load("mutilated-chessboard-6x6")]
LONG = Trial(Instance.of(exactile.load("hexominoes-triangle")), "dlx", "count", time_limit=3600)


@pytest.fixture
def address() -> Iterator[str]:
    """Return the address of a cluster of two workers in this process."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def without_times(comparison: Comparison) -> list[tuple[Any, ...]]:
    return [(o.puzzle, o.backend, o.end, o.answer, o.found, o.key) for o in comparison.answer.runs]


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_table(address: str, tmp_path: Path) -> None:
    here = Comparison(PUZZLES, ["dlx", "reference"], task="all")
    there = Comparison(
        PUZZLES,
        ["dlx", "reference"],
        task="all",
        workers=2,
        on=f"dask:{address}",
        store=tmp_path / "runs.jsonl",
    )
    for comparison in (here, there):
        assert len(list(comparison.run())) == 4
    assert without_times(there) == without_times(here)
    # What is in the store needs no cluster.
    again = Comparison(
        PUZZLES, ["dlx", "reference"], task="all", on="dask:127.0.0.1:1", store=there.store
    )
    assert len(list(again.run())) == 4


@pytest.mark.filterwarnings("ignore")
def test_runs_on_a_cluster_are_killed_at_the_end(address: str) -> None:
    with Crew(1, f"dask:{address}") as crew:
        crew.begin(LONG)
        wait_until(children)
    wait_until(lambda: not children())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_goes_ends_the_comparison() -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    cluster = distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None)
    with Crew(1, f"dask:{cluster.scheduler_address}") as crew:
        crew.begin(LONG)
        wait_until(children)
        cluster.close()

        def ends() -> bool:
            try:
                return crew.next() is not None
            except WorkError as error:
                return "scheduler is gone" in str(error)

        wait_until(ends)


def fail(version: str, name: str, trial: bytes) -> str:
    raise ValueError("no module")


def refuse(version: str, name: str, trial: bytes) -> str:
    return str(run_there("0.0", name, trial))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("there", "message"),
    [
        (fail, "A Dask worker failed: ValueError: no module"),
        (refuse, r"A Dask worker has exactile .*, this is 0\.0"),
    ],
)
def test_workers_that_cannot_run_it_end_the_comparison(
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    there: Callable[[str, str, bytes], str],
    message: str,
) -> None:
    monkeypatch.setattr("exactile.surveys.compare.comparison.run_there", there)
    with Cluster(address, 1) as cluster, pytest.raises(WorkError, match=message):
        cluster(LONG, Event())


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_without_workers_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr("exactile.runs.executors.dask.ALONE", 0.1)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as none,
        Cluster(none.scheduler_address, 1) as cluster,
        pytest.raises(WorkError, match="has had no workers for 1 seconds"),
    ):
        cluster(LONG, Event())


@pytest.mark.parametrize("place", ["threads", "dask:"])
def test_runs_go_to_places_that_there_are(place: str) -> None:
    with pytest.raises(PuzzleError, match=f"cannot run on '{place}': use dask or dask:ADDRESS"):
        Comparison(PUZZLES, ["dlx"], on=place)


@pytest.mark.filterwarnings("ignore")
def test_there_is_one_error_where_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr("exactile.runs.executors.dask.TUNING.dask_patience", 0.5)
    with pytest.raises(WorkError, match=r"No Dask scheduler answers at 127\.0\.0\.1:1"):
        Cluster("127.0.0.1:1", 1)
