"""Counts by a front that are stopped, gone on with, out of room; files that are damaged."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
from itertools import count as count_up
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.counting import count, method
from exactile.counting.frontier import Frontier
from exactile.counting.method import Method
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import FrontierBudget, Step
from exactile.errors import CountingError
from exactile.search import Status
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support import full_disk
from support.clock import Stopped
from support.command_line import started
from support.counts import part
from support.events import cancelled, in_slices
from support.small import box_puzzle, dominoes, mutilated
from support.waiting import PATIENCE

PENTOMINOES = Case(box_puzzle("pentominoes", 10, 6))
ORDER = np.arange(72)
"""One order, so that none are compared."""


def frontier_of(**options: Any) -> Frontier:
    return Frontier(orders=[ORDER], **options)


def test_a_time_limit_is_a_status() -> None:
    answer = count(box_puzzle("hexominoes", 15, 14), method="frontier", time_limit=0.1)
    assert (answer.status, answer.stopped, answer.raw) == (Status.UNKNOWN, "time limit", None)


def test_no_solution() -> None:
    answer = count(mutilated(6), method="frontier")
    assert (answer.status, answer.raw, answer.symmetry) == (Status.UNSOLVABLE, 0, 0)


def test_a_front_without_nodes_is_known_once_it_is_built() -> None:
    frontier = Frontier()
    assert frontier.build(mutilated(6))
    assert frontier.raw == 0


def test_cancel_from_another_thread() -> None:
    frontier, puzzle, limits = Frontier(), box_puzzle("hexominoes", 15, 14), Limits()
    with cancelled(limits.cancel):
        assert frontier.count(puzzle, limits) is None
    assert frontier.count(puzzle, limits) is None
    with pytest.raises(CountingError, match="not known yet"):
        _ = frontier.raw


def test_a_count_that_was_stopped_leaves_no_threads() -> None:
    """Leaving the command would wait for them."""
    before, looks = threading.active_count(), count_up(1)

    def watch(frontier: Frontier) -> None:
        assert threading.active_count() == before
        if next(looks) == 12:  # while automata are built
            frontier.limits.cancel()

    frontier = Frontier(workers=2)
    assert frontier.count(PENTOMINOES, watch=watch) is None
    assert (frontier.order, threading.active_count()) == (None, before)


def test_too_little_memory_is_an_error_that_says_so() -> None:
    with pytest.raises(CountingError, match=r"needs more than .* more memory here: allow it more"):
        frontier_of().count(PENTOMINOES, Limits(memory_limit=10_000))
    with pytest.raises(CountingError, match="--method list"):
        OrbitCount(PENTOMINOES, Frontier()).run(Limits(memory_limit=1000))


def test_progress_goes_from_nothing_to_all() -> None:
    seen: list[float] = []
    frontier = frontier_of()
    while frontier.count(PENTOMINOES, Limits(1e-9), lambda f: seen.append(f.done or 0)) is None:
        pass
    assert frontier.raw == 9356
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == frontier.done == 1


@pytest.mark.parametrize("times", [10, pytest.param(50, marks=pytest.mark.slow)])
def test_gone_on_with_at_random_moments(tmp_path: Path, times: int) -> None:
    """So often stopped, saved, and gone on with by another counter; on disk now and then."""
    file = tmp_path / "state"
    rng = random.Random(1)
    saved = 0
    while saved < times:
        frontier = frontier_of(workers=rng.choice([1, 2]))
        while not any(part(frontier, PENTOMINOES) for _ in range(rng.randrange(1, 20))):
            if not frontier.stats:
                continue
            frontier.save(file)
            saved += 1
            frontier = frontier_of(
                workers=rng.choice([1, 3]), most_list_bytes=rng.choice([0, 10**5, 2**40])
            )
            frontier.restore(PENTOMINOES, file)
        assert frontier.raw == 9356
    assert list(tmp_path.iterdir()) == [file]


def test_solutions_of_a_counter_that_went_on(tmp_path: Path) -> None:
    """What is kept is saved, too; a file without it is refused."""
    file = tmp_path / "state"
    whole = frontier_of(keep=True)
    assert whole.count(PENTOMINOES) == 9356
    frontier = frontier_of(keep=True)
    while (frontier.done or 0) < 0.5:
        part(frontier, PENTOMINOES)
    frontier.save(file)
    other = frontier_of(keep=True, most_list_bytes=0, scratch=tmp_path)
    other.restore(PENTOMINOES, file)
    assert other.count(PENTOMINOES) == 9356
    assert (other.sample(20) == whole.sample(20)).all()
    assert (other.frequencies() == whole.frequencies()).all()
    with pytest.raises(CountingError, match="belongs to another count"):
        frontier_of().restore(PENTOMINOES, file)
    with pytest.raises(CountingError, match="cannot be resumed"):  # nothing to count in it
        Frontier().restore(mutilated(4), file)
    lost = frontier_of()
    assert lost.count(PENTOMINOES) == 9356
    with pytest.raises(CountingError, match="keep=True"):
        lost.sample(1)


def test_nothing_to_be_saved(tmp_path: Path) -> None:
    frontier = frontier_of()
    with pytest.raises(CountingError, match="nothing to be saved"):
        frontier.save(tmp_path / "state")
    assert frontier.count(PENTOMINOES) == 9356
    with pytest.raises(CountingError, match="nothing to be saved"):
        frontier.save(tmp_path / "state")
    assert not list(tmp_path.iterdir())


def test_a_restored_counter_keeps_to_the_memory_limit(tmp_path: Path) -> None:
    file = tmp_path / "state"
    frontier = frontier_of()
    frontier.build(PENTOMINOES)
    frontier.save(file)
    other = frontier_of()
    other.restore(PENTOMINOES, file, Limits(memory_limit=2**28))
    assert other.memory == 2**28


def test_damaged_files(tmp_path: Path) -> None:
    file = tmp_path / "state"
    frontier = frontier_of()
    frontier.build(PENTOMINOES)
    part(frontier, PENTOMINOES)
    frontier.save(file)
    whole = file.read_bytes()
    rng = random.Random(2)
    refuser = frontier_of()
    for turn in range(200):
        spoiled = bytearray(whole)
        spoiled[rng.randrange(len(whole) if turn % 2 else 300)] ^= 1 << rng.randrange(8)
        file.write_bytes(spoiled)
        with pytest.raises(CountingError, match="state cannot be resumed"):
            refuser.restore(PENTOMINOES, file)
        file.write_bytes(whole[: rng.randrange(len(whole))])
        with pytest.raises(CountingError, match="state cannot be resumed"):
            refuser.restore(PENTOMINOES, file)
    assert refuser.count(PENTOMINOES) == 9356
    file.write_bytes(whole)
    with pytest.raises(CountingError, match="belongs to another count"):
        Frontier(orders=[ORDER[::-1]]).restore(PENTOMINOES, file)
    with pytest.raises(OSError, match="No such file"):
        frontier_of().restore(PENTOMINOES, tmp_path / "nothing")
    fresh = frontier_of()
    fresh.restore(PENTOMINOES, file)
    assert fresh.count(PENTOMINOES) == 9356


def test_no_such_directory(tmp_path: Path) -> None:
    frontier = frontier_of(most_list_bytes=0, scratch=tmp_path / "nothing")
    with pytest.raises(CountingError, match=r"No file can be made in .*nothing: .*--scratch"):
        frontier.count(PENTOMINOES)


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
from exactile.errors import CountingError
from exactile.counting.frontier import Frontier
from support.small import box_puzzle
puzzle = box_puzzle("pentominoes", 10, 6)
first = Frontier(orders=[np.arange(72)], most_list_bytes=0, scratch=Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    first.count(puzzle)
except CountingError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(first.count(puzzle))
"""


def test_a_full_disk(tmp_path: Path) -> None:
    """One clear error; when there is room again the same counter goes on."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        env=full_disk.ENVIRONMENT,
        timeout=PATIENCE,
        cwd=Path(__file__).parents[1],
    )
    error, raw = done.stdout.splitlines()
    assert error.startswith(f"Lists cannot be written to {tmp_path}: "), done.stderr
    assert error.endswith("allow more memory (--memory).")
    assert raw == "9356"
    assert not list(tmp_path.iterdir())


SIGNAL = """
import os
from exactile.counting import method
from exactile.counting.frontier import Frontier
from support.events import ForGood, whenever
make = Frontier.__init__
def with_lists_on_disk(self, *given, **named):
    make(self, *given, **named | {"most_list_bytes": 0})
def end(frontier, seconds):
    if frontier.stats.get("bytes_written"):
        os.kill(os.getpid(), NUMBER)
method.HEARTBEAT = 0.0  # or it is done before anything is told
Frontier.__init__ = with_lists_on_disk
whenever(ForGood(), end, Frontier, "_step")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_signals_leave_nothing_behind(number: signal.Signals, tmp_path: Path) -> None:
    words = (
        "count",
        "pentominoes-6x10",
        "--method",
        "frontier",
        "--json",
        "--set",
        f"scratch={tmp_path}",
    )
    process = started(*words, first=SIGNAL.replace("NUMBER", str(int(number))))
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == (130 if number is signal.SIGINT else -number)
    assert not list(tmp_path.iterdir())
    if number == signal.SIGINT:
        document = json.loads(out)
        assert (document["stopped"], document["raw"]) == ("interrupted", None)


def test_ctrl_c_is_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Frontier, *given: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Frontier, "count", interrupt)
    answer = OrbitCount(dominoes(4, 4), Frontier()).run()
    assert (answer.raw, answer.stopped) == (None, "interrupted")


def test_it_counts_dominoes_too() -> None:
    answer = exactile.count(dominoes(6, 6), method="frontier")
    assert (answer.raw, answer.rotation, answer.symmetry) == (6728, 1712, 930)


def test_a_front_gives_up_once_its_lists_have_too_many_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(method, "HEARTBEAT", 0.0)
    frontier = Frontier(budget=FrontierBudget(entries=10))
    with pytest.raises(CountingError, match="more than 10 entries"):
        frontier.count(box_puzzle("pentominoes", 12, 5))


def test_a_front_takes_over_where_listing_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = box_puzzle("pentominoes", 12, 5)
    assert count(puzzle).method == "list"
    monkeypatch.setattr(TUNING, "frontier_head_start", 1000)
    monkeypatch.setattr(TUNING, "frontier_worth", 0)
    monkeypatch.setattr(TUNING, "frontier_entries_a_node", 1e9)
    in_slices(monkeypatch, 10_000)  # or the search is over before anybody asks
    answer = count(puzzle)
    assert (answer.method, answer.raw, answer.symmetry) == ("frontier", 4040, 1010)
    assert count(puzzle, method="list").backend == "dlx"
    with monkeypatch.context() as briefly:
        briefly.setattr(TUNING, "frontier_entries", 1000)
        briefly.setattr(method, "HEARTBEAT", 0.0)  # or it is done before it can give up
        assert count(puzzle).method == "list"
    monkeypatch.setattr(TUNING, "frontier_first_nodes", 10)  # then no automaton is small enough
    answer = count(puzzle)
    assert (answer.method, answer.raw, answer.symmetry) == ("list", 4040, 1010)


def test_a_memo_takes_over_where_a_piece_is_used_many_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = dominoes(8, 6)
    monkeypatch.setattr(TUNING, "auto_memo_states", 10)
    monkeypatch.setattr(TUNING, "frontier_head_start", 1000)
    monkeypatch.setattr(TUNING, "frontier_worth", 0)
    in_slices(monkeypatch, 10_000)
    answer = count(puzzle)
    assert (answer.method, answer.raw) == ("memo", 167089)
    monkeypatch.setattr(TUNING, "memo_last_states", 10)
    answer = count(puzzle)
    assert (answer.method, answer.raw) == ("frontier", 167089)


def test_attempts_before_the_last_one_take_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Stopped(monkeypatch)

    def slow(step: Step, *given: Any) -> Method:
        clock.move(100)
        if step.method == "memo":
            raise CountingError("Too many states.")
        return Frontier()

    monkeypatch.setattr("exactile.counting.verbs.made", slow)
    answer = count(dominoes(4, 4))
    assert (answer.method, answer.stats.seconds, answer.stats.build_seconds) == ("list", 100, 0)
    monkeypatch.setattr(TUNING, "frontier_head_start", 0)
    monkeypatch.setattr(TUNING, "frontier_worth", 0)
    in_slices(monkeypatch, 100)
    answer = count(box_puzzle("pentominoes", 20, 3))
    assert (answer.method, answer.raw, answer.stats.seconds) == ("frontier", 8, 100)


FEW_THREADS = """
import pathlib, resource
import numpy as np
from exactile.counting.frontier import Frontier
from support.small import box_puzzle
puzzle = box_puzzle("pentominoes", 10, 6)
frontier = Frontier(orders=[np.arange(72)], workers=3)
frontier.build(puzzle)
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**29, used + 2**29))
print(frontier.count(puzzle))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory as on Linux")
def test_no_room_for_threads() -> None:
    """Their stacks are larger than the memory: one thread counts alone."""
    import resource

    most = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if most != resource.RLIM_INFINITY and most < 2**31:
        pytest.skip("stacks cannot be that large here")
    done = subprocess.run(
        [sys.executable, "-c", FEW_THREADS],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=Path(__file__).parents[1],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (2**31, most)),
    )
    assert done.stdout == "9356\n", (done.returncode, done.stderr)
