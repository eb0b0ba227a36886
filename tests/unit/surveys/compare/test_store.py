"""Stores of comparisons: no run is done twice, even if processes share one or are killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import msgspec
import pytest

from exactile.answers import ComparedRun
from exactile.errors import FileError
from exactile.surveys.compare.comparison import Comparison, RunStore
from exactile.surveys.compare.trial import Trial
from support.small import dominoes, mutilated
from support.waiting import wait_until

RUN = ComparedRun(puzzle="p", backend="dlx", end="finished", key="0a")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.jsonl"


def test_a_line_that_was_cut_is_ignored(path: Path) -> None:
    with RunStore(path) as store:
        store.add(RUN)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:30])
    with RunStore(path) as store:
        assert list(store.news()) == [RUN]
        store.add(msgspec.structs.replace(RUN, key="0b"))
        assert list(store.news()) == []
    with RunStore(path) as store:
        assert [run.key for run in store.news()] == ["0a", "0b"]
        assert store.damaged == 1
    path.write_bytes(path.read_bytes() * 2)  # as `cat` joins stores
    with RunStore(path) as store:
        assert [run.key for run in store.news()] == ["0a", "0b"]


def test_a_line_that_does_not_fit_the_disk_is_an_error(path: Path) -> None:
    resource = pytest.importorskip("resource", reason="this system limits no files")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    new = msgspec.structs.replace(RUN, key="0b")
    with RunStore(path) as store:
        store.add(RUN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, limits[1]))
        try:
            with pytest.raises(OSError, match=r"runs\.jsonl"):
                store.add(new)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        store.add(new)
    with RunStore(path) as store:
        assert ([run.key for run in store.news()], store.damaged) == (["0a", "0b"], 1)


@pytest.mark.parametrize("text", ["puzzle,backend\np,dlx\n", "a line without an end", '{"a": 1}'])
def test_another_file_is_refused(path: Path, text: str) -> None:
    path.write_text(text)
    with RunStore(path) as store, pytest.raises(FileError, match="is not a store"):
        list(store.news())


HOLD = """
import sys
from pathlib import Path
from exactile.surveys.compare.comparison import RunStore
store = RunStore(Path(sys.argv[1]))
print(store.claim("0a"), flush=True)
sys.stdin.read()
"""


def test_a_claim_ends_with_its_process(path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with RunStore(path) as store:
            assert not store.claim("0a")
            assert store.claim("0b")
            other.kill()
            other.wait()
            assert store.claim("0a")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs that began, which all find something at once."""
    begun: list[str] = []

    def tried(trial: Trial, stop: Event | None = None) -> ComparedRun:
        begun.append(f"{trial.instance.name} {trial.backend} {trial.repeat}")
        return trial.outcome(end="finished", answer="solvable", found=1, distinct=1)

    monkeypatch.setattr("exactile.surveys.compare.comparison.run_trial", tried)
    return begun


def test_a_store_is_resumed_and_grows(path: Path, ran: list[str]) -> None:
    puzzles = [dominoes(2, 2), replace(mutilated(4), name="mutilated")]

    def comparison(*backends: str, repeats: int = 1) -> Comparison:
        return Comparison(puzzles, list(backends), store=path, repeats=repeats, shuffle=True)

    first: Iterator[ComparedRun] = comparison("dlx", "reference").run()
    next(first)
    next(first)
    first.close()  # type: ignore[attr-defined]
    done = len(path.read_text().splitlines())
    assert done == 2
    list(comparison("dlx", "reference").run())
    assert len(set(ran)) == len(ran) == 4
    grown = comparison("dlx", "reference", "dlx+symmetry=no", repeats=2)
    assert len(list(grown.run())) == 12
    assert len(set(ran)) == len(ran) == 12
    assert grown.answer.finished
    assert [r.repeat for r in grown.answer.runs] == [1, 2] * 6
    assert len(list(Comparison(puzzles, ["dlx"], store=path, time_limit=7).run())) == 2
    assert len(ran) == 14  # other limits are other runs


def test_a_backend_that_is_missing_is_tried_again(path: Path) -> None:
    for _ in range(2):
        [run] = Comparison([dominoes(2, 2)], ["external:no-such-program"], store=path).run()
        assert run.end == "missing"
    assert path.read_text() == ""


def test_processes_that_are_killed_lose_no_run_and_do_none_twice(path: Path) -> None:
    """Two at a time work on one store; the first one is killed after each of three runs."""
    words = [sys.executable, "-m", "exactile", "compare", "dominoes-4x4", "soma-steps"]
    words += ["--backends", "dlx,reference,dlx+symmetry=no", "--task", "all", "-q"]
    words += ["--store", str(path), "--output", str(path.with_suffix(".md"))]
    chance = random.Random(35)

    def lines() -> int:
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def begin() -> subprocess.Popen[bytes]:
        return subprocess.Popen(words, stdout=subprocess.DEVNULL)

    both = [begin(), begin()]
    for wanted in range(1, 4):
        victim = chance.randrange(2)
        wait_until(lambda wanted=wanted: lines() >= wanted, both[victim])  # type: ignore[misc]
        os.kill(both[victim].pid, signal.SIGKILL)
        both[victim].wait()
        both[victim] = begin()
    assert [process.wait() for process in both] == [0, 0]
    runs = [msgspec.json.decode(line, type=ComparedRun) for line in path.read_bytes().splitlines()]
    assert set(Counter(run.key for run in runs).values()) == {1}
    assert {(run.puzzle, run.number) for run in runs} == {("dominoes-4x4", 36), ("soma-steps", 328)}
    assert len(runs) == 6
    assert "?" not in path.with_suffix(".md").read_text().partition("Task")[0]
