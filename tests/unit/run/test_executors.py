"""Executors in other processes: what dies or refuses is told, and nothing is counted twice."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

import exactile
from exactile.errors import WorkError
from exactile.run.executor import PartLost, RunWork, get_executor
from exactile.run.executors.dask import Dask
from support.parts import drive
from support.waiting import children

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


def test_processes_have_no_address() -> None:
    with pytest.raises(WorkError, match="leave out 'here'"):
        get_executor("processes:here")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_workers_that_are_killed_cost_nothing() -> None:
    executor = get_executor("dask", 2)

    def kill(number: int) -> None:
        if number == 2:
            os.kill(children()[-1], signal.SIGKILL)

    assert drive(executor, soma(), given=kill) == SOMA


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_workers_of_another_version_are_not_asked_again() -> None:
    with pytest.raises(WorkError, match=r"All Dask workers here refuse .* the run 0\.0"):
        drive(get_executor("dask", 1), replace(soma(), version="0.0"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_without_workers_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr("exactile.run.executors.dask.ALONE", 0.05)
    monkeypatch.setattr("exactile.run.executors.dask.TUNING.dask_look", 0.1)
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
    monkeypatch.setattr("exactile.run.executors.dask.TUNING.dask_patience", 0.5)
    with pytest.raises(WorkError, match=r"No Dask scheduler answers at 127\.0\.0\.1:1"):
        Dask("127.0.0.1:1", 1)
