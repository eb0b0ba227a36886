"""Executors in other processes: what dies or refuses is told, and nothing is counted twice."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import cast

import pytest

import exactile
from exactile.errors import CheckFailedError, WorkError
from exactile.runs.executor import Executor, PartLost, RunWork, get_executor
from exactile.runs.executors.dask import Dask, Meanwhile
from exactile.runs.executors.processes import Processes
from exactile.runs.executors.threads import Threads
from exactile.tuning import TUNING
from exactile.work.worker import Worker
from support.parts import drive
from support.waiting import children, wait_until

SOMA = {"": (11520, 480, 240)}


def soma() -> RunWork:
    return RunWork.of(exactile.load("soma-cube"))


def test_processes_that_are_killed_cost_their_part_only() -> None:
    lost: list[PartLost] = []

    def kill(number: int) -> None:
        if number in (1, 4):
            os.kill(children()[-1], signal.SIGKILL)

    assert drive(get_executor("processes", 2), soma(), lost.append, kill) == SOMA
    assert lost
    assert {(part.cause, part.again) for part in lost} == {("SIGKILL", True)}
    assert not children()


def test_processes_of_another_version_refuse_the_work() -> None:
    executor = get_executor("processes", 1)

    def stop(lost: PartLost) -> None:
        assert not lost.again
        raise WorkError(lost.cause)

    with pytest.raises(WorkError, match=r"has exactile .* install the same version"):
        drive(executor, replace(soma(), version="0.0"), stop)


@pytest.mark.parametrize("name", ["processes", "threads"])
def test_only_clusters_have_an_address(name: str) -> None:
    with pytest.raises(WorkError, match=f"'{name}' takes nothing .* leave out 'here'"):
        get_executor(f"{name}:here")


class Late(Threads):
    """Takes its time to start, or fails."""

    def start(self, work: RunWork) -> None:
        if work.version == "0.0":
            raise WorkError("not today")
        super().start(work)


def test_a_short_search_does_not_even_start_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "run_first_seconds", 1e9)

    def make() -> Executor:
        raise AssertionError

    assert drive(Meanwhile(make, 1), soma()) == SOMA


def test_parts_are_searched_here_until_others_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "run_first_seconds", 0.0)
    made: list[Late] = []

    def make() -> Executor:
        made.append(Late(2))
        return made[0]

    executor = Meanwhile(make, 1)

    def wait(number: int) -> None:
        wait_until(lambda: number != 4 or executor.alive > 1)

    assert drive(executor, soma(), given=wait) == SOMA
    assert len(made) == 1


def test_that_others_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "run_first_seconds", 0.0)
    executor = Meanwhile(lambda: Late(1), 1)
    executor.start(soma())
    executor._start(replace(soma(), version="0.0"))
    with pytest.raises(WorkError, match="not today"):
        executor.take(0.0)
    executor.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_workers_that_are_killed_cost_nothing() -> None:
    executor = Dask(None, 2)

    def kill(number: int) -> None:
        if number == 2:
            os.kill(children()[-1], signal.SIGKILL)

    assert drive(executor, soma(), given=kill) == SOMA


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_workers_of_another_version_are_not_asked_again() -> None:
    with pytest.raises(WorkError, match=r"All Dask workers here refuse .* the run 0\.0"):
        drive(Dask(None, 1), replace(soma(), version="0.0"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_without_workers_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr("exactile.runs.executors.dask.ALONE", 0.05)
    monkeypatch.setattr("exactile.runs.executors.dask.TUNING.dask_look", 0.1)
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        executor = Dask(cluster.scheduler_address, 1)

        def leave(_: int) -> None:
            cluster.scale(0)

        with pytest.raises(WorkError, match=r"has had no workers for 0\.5 seconds"):
            drive(executor, soma(), given=leave)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_there_is_one_error_where_no_dask_scheduler_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactile.runs.executors.dask.TUNING.dask_patience", 0.5)
    with pytest.raises(WorkError, match=r"No Dask scheduler answers at 127\.0\.0\.1:1"):
        Dask("127.0.0.1:1", 1)


@pytest.mark.slow
def test_there_is_one_error_if_a_dask_worker_dies_at_its_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")

    def start(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", start)
    with pytest.raises(WorkError, match="No Dask scheduler answers here: Nanny failed"):
        Dask(None, 1)


class Remembering:
    """In place of a process: remembers that it was closed."""

    part, closed = 0, False

    def taken(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def test_a_process_that_found_a_wrong_solution_is_closed_with_the_others() -> None:
    executor, worker = Processes(1), Remembering()
    executor._busy.add(cast(Worker, worker))
    executor._inbox.put((cast(Worker, worker), CheckFailedError("a wrong solution")))
    with pytest.raises(CheckFailedError):
        executor.take(1)
    executor.close()
    assert worker.closed
