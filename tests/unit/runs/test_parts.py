"""Parts of a run: cut as small as one likes, they have every solution once."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.counting.shares import Shares, add, numbers
from exactile.errors import WorkError
from exactile.runs.executor import PartResult, RunPart, RunWork, get_executor
from exactile.runs.part import Searcher
from support.events import in_slices


def all_parts(searcher: Searcher, seconds: float, pieces: int = 1) -> list[PartResult]:
    """Search a run to its end, each part for so many seconds, cut into pieces before."""
    first = searcher.cut(RunPart(0, searcher.case.starts, seconds), pieces)
    results = [first]
    waiting = deque([first.left])
    while waiting:
        results.append(searcher.search(RunPart(len(results), waiting.popleft(), seconds)))
        if results[-1].left:
            waiting.append(results[-1].left)
    return results


@pytest.mark.parametrize(
    ("name", "backend", "seconds", "counts"),
    [
        ("tetrasticks-5x5-without-h", "dlx", 0.0, (576, 144, 72)),
        ("tetrasticks-5x5-without-h", "dlx:sparse", 0.0, (576, 144, 72)),
        ("tetrahexes-4x7", "sat", 1e9, (18, 9, 9)),
    ],
)
def test_parts_count_every_solution_once(
    name: str,
    backend: str,
    seconds: float,
    counts: tuple[int, int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_slices(monkeypatch, 20_000)
    work = RunWork.of(exactile.load(name), backend=backend, keep=True)
    searcher = Searcher(work)
    results = all_parts(searcher, seconds, pieces=5)
    assert len(results) > (1 if seconds else 10)
    shares: Shares = {}
    for result in results:
        add(shares, result.shares)
        assert result.rows is not None
        assert len(result.rows) == result.found
    assert list(numbers(searcher.case, shares).values()) == [counts]
    rows = np.concatenate([r.rows for r in results if r.rows is not None and len(r.rows)])
    assert len(np.unique(np.sort(rows, axis=1), axis=0)) == len(rows)


def test_a_part_that_a_solver_cannot_stop_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.runs.part.RUN_PATIENCE", 1)
    searcher = Searcher(RunWork.of(exactile.load("soma-cube"), backend="sat"))
    result = searcher.search(RunPart(1, searcher.case.starts, 1e-9))
    assert (result.too_large, len(result.left) >= 16, result.seconds > 0) == (True, True, True)
    assert sum(prefix.weight for prefix in result.left) == pytest.approx(1)


def test_a_worker_of_another_version_or_model_refuses_the_work() -> None:
    work = RunWork.of(exactile.load("soma-cube"))
    with pytest.raises(WorkError, match="install the same version"):
        Searcher(replace(work, version="0.0"))
    with pytest.raises(WorkError, match="another model"):
        Searcher(replace(work, model="0"))


def test_threads_give_back_what_is_left_when_they_are_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_slices(monkeypatch, 1000)
    work = RunWork.of(exactile.load("pentominoes-6x10"))
    executor = get_executor("threads", 2)
    executor.start(work)
    executor.give(RunPart(7, Searcher(work).case.starts, 60.0))
    executor.stop()
    result = None
    while result is None:
        result = executor.take(1)
    executor.close()
    assert isinstance(result, PartResult)
    assert result.number == 7
    assert result.left


def test_there_is_an_error_for_executors_that_are_not_there() -> None:
    with pytest.raises(WorkError, match="'rain'"):
        get_executor("rain")
