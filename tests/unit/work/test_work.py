"""Work in other processes: what is told comes out, and every death is a value."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exactile.errors import WorkError
from exactile.tuning import TUNING
from exactile.work import Group, Job, Pool
from exactile.work.worker import pickled
from support.waiting import children, wait_until
from support.work_tasks import Halves, Misbehaving, Squares, alive, descendants, importable

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(autouse=True)
def _importable() -> Iterator[None]:
    with importable():
        yield


def test_messages_come_in_order_and_prints_do_not_disturb() -> None:
    with Job(Squares(list(range(1000)))) as job:
        assert [m for m in job if m is not None] == [n**2 for n in range(1000)]
        assert job.death is None
    assert not children()


@pytest.mark.parametrize(
    ("what", "cause", "again"),
    [
        ("crash", "SIGSEGV", True),
        ("exit", "exit code 3", True),
        ("garbage", "its messages make no sense: no message begins with b'no m'", True),
        ("unpicklable", "An object of the type 'function' cannot be sent to another", False),
        ("ours", "there is no such model", False),
        ("error", "RuntimeError: it does not like this task", False),
    ],
)
def test_deaths_are_values(what: str, cause: str, again: bool) -> None:
    with Job(Misbehaving(what)) as job:
        assert [m for m in job if m is not None] == [1]
        assert job.death is not None
        assert job.death.cause.startswith(cause)
        assert job.death.again == again
        assert ("last words" in job.death.tail) == (what == "crash")


def test_a_child_that_fails_closes_its_pipes() -> None:
    ended = subprocess.run(
        [sys.executable, "-X", "dev", "-m", "exactile.work.child", "0"],
        input=pickled("no service"),
        capture_output=True,
        check=True,
    )
    assert b"AttributeError" in ended.stdout
    assert ended.stderr == b""


OPEN_JOB = """
from exactile.work import Job
from support.work_tasks import Misbehaving
def messages():
    with Job(Misbehaving("sleep")) as job:
        yield from job
running = messages()
assert next(m for m in running if m is not None) == 1
"""

OPEN_SEARCH = """
import exactile
puzzle = exactile.load("hexominoes-14x15")
search = exactile.Search(puzzle, backend="first", limit=1, use_reasons=False)
while not search.counters.get("attempts"):
    search.wait(0.01)
"""


WAITING_SEARCH = """
import exactile, queue, threading
full = queue.Queue(1)
def search():
    for _ in exactile.Search(exactile.load("dominoes-4x4"), watch=full.put):
        pass
full.put(None)
threading.Thread(target=search, daemon=True).start()
"""


@pytest.mark.parametrize("code", [OPEN_JOB, OPEN_SEARCH, WAITING_SEARCH])
def test_python_ends_while_a_job_or_a_search_is_open(code: str) -> None:
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


FORK = """
import os, sys
from exactile.work import Job
from support.work_tasks import Squares
job = Job(Squares([1, 2, 3]))
if child := os.fork():
    assert os.waitpid(child, 0)[1] == 0
    print([m for m in job if m is not None])
"""


@linux_only
def test_a_forked_process_leaves_the_jobs_of_its_parent_alone() -> None:
    words = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORK]  # of threads and forks
    ended = subprocess.run(words, capture_output=True, check=True)
    assert (ended.stdout.strip(), ended.stderr) == (b"[1, 4, 9]", b"")


@linux_only
def test_memory_is_limited() -> None:
    with Job(Misbehaving("memory"), memory=1000) as job:
        assert [m for m in job if m is not None] == [1]
        assert job.death is not None
        assert (job.death.cause, job.death.again) == ("out of memory", True)


def test_a_system_that_cannot_limit_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.work.worker.find_spec", lambda name: None)
    with pytest.raises(WorkError, match="cannot limit the memory"):
        Job(Squares([1]), memory=1000)


def test_what_cannot_be_pickled_is_one_clear_error() -> None:
    class Local:
        def run(self, tell: object) -> None:
            pass

    with pytest.raises(WorkError, match=r"^An object of the type .* cannot be sent to another"):
        Job(Local())
    assert not children()


def test_a_class_that_the_process_cannot_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH")
    with Job(Squares([1])) as job:
        assert [m for m in job if m is not None] == []
        assert job.death is not None
        assert job.death.cause.startswith("ModuleNotFoundError: No module named 'support'")


@pytest.mark.parametrize("what", ["sleep", "compute"])
@linux_only
def test_closing_ends_the_process_and_its_children(what: str) -> None:
    """Whoever tells more than we read is stopped too."""
    with Job(Misbehaving(what)) as job:
        stream = iter(job)
        while next(stream) is None:
            pass
        if what == "sleep":
            while next(stream) is None and len(descendants()) < 3:
                pass
        started = descendants()
    assert len(started) >= 2
    assert not children(guards=True)
    wait_until(lambda: not any(map(alive, started)))


@linux_only
def test_a_guard_that_was_killed_is_replaced() -> None:
    with Group() as group:
        first = group.start(["sleep", "1000"])
        guard = next(p for p in children(guards=True) if p != first.pid)
        os.kill(guard, signal.SIGKILL)
        wait_until(lambda: not alive(guard))
        second = group.start(["sleep", "1000"])
        assert second.poll() is None
        assert len(children(guards=True)) == 3
    assert not children(guards=True)


@linux_only
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_until_the_process_has_an_owner(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """Else its group would not know it, and it would stay a zombie."""
    real = subprocess.Popen

    def popen(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] = real(words, **options)
        if words[0] == "sleep":
            signal.raise_signal(number)
        return process

    monkeypatch.setattr(subprocess, "Popen", popen)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), Group() as group:
            group.start(["sleep", "1000"])
    finally:
        signal.signal(number, before)
    assert not children(guards=True)


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_parts_are_dealt_out(tmp_path: Path, processes: int) -> None:
    with Pool(Halves(str(tmp_path / "log")), 20, lambda part, _: 2 * part, processes) as pool:
        events = [event for event in pool if event is not None]
    assert sorted(e.part for e in events if e.message is not None) == list(range(20))
    assert all(e.message in (e.part, None) for e in events)
    assert sorted(e.part for e in events if e.message is None) == list(range(20))
    assert all(e.death is None for e in events)
    for process in range(processes):
        parts = [e.part for e in events if e.process == process]
        assert parts == sorted(parts)
    assert not children(guards=True)


@pytest.mark.parametrize("processes", [1, 3])
def test_a_part_is_tried_once_more_and_then_reported(tmp_path: Path, processes: int) -> None:
    log = tmp_path / "log"
    service = Halves(str(log), once=(4, 7), always=(5,))
    with Pool(service, 10, lambda part, _: part, processes) as pool:
        events = [event for event in pool if event is not None]
    (lost,) = [e for e in events if e.death is not None]
    assert lost.death is not None
    assert (lost.part, lost.death.cause) == (5, "SIGKILL")
    done = [e.part for e in events if e.message is None and e.death is None]
    assert sorted(done) == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    tries = [log.read_text("ascii").split().count(str(n)) for n in range(10)]
    assert tries == [1, 1, 1, 1, 2, 2, 1, 2, 1, 1]


def test_the_number_of_tries_is_a_setting(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        TUNING.changed(process_tries=1),
        Pool(Halves(str(log), once=(0,)), 1, lambda part, _: part, 1) as pool,
    ):
        deaths = [event.death for event in pool if event is not None and event.death is not None]
    assert len(deaths) == 1
    assert log.read_text("ascii").split() == ["0"]


def test_an_error_is_not_tried_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Pool(Halves(str(log)), 2, lambda part, _: part - 1, 1) as pool:
        deaths = [event.death for event in pool if event is not None and event.death is not None]
    assert [death.cause for death in deaths] == ["ValueError: it is negative"]
    assert sorted(log.read_text("ascii").split()) == ["-1", "0"]


def test_parts_that_are_given_up_are_not_begun(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Pool(Halves(str(log)), 10, lambda part, _: part, 1) as pool:
        for event in pool:
            if event is not None:
                pool.give_up()
    assert log.read_text("ascii").split() == ["0"]


def test_a_system_that_starts_no_process_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    with pytest.raises(WorkError, match="No process can be started: No such file"):
        Job(Squares([1]))
