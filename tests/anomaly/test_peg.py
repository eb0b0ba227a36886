"""Searches of peg solitaire that are stopped, too large, or given nonsense."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from exactile import _native
from exactile.classics.peg import Finder, PegLimits, PegProblem, count, load_board, shortest
from exactile.cli.main import run
from exactile.errors import BackendError, PuzzleError
from exactile.tuning import TUNING
from support.ctrl_c import interrupted
from support.events import cancelled
from support.waiting import PATIENCE

HARD = PegProblem.vacancy(load_board("wiegleb"), 5)
"""No solution is found soon."""

SEARCHES: list[Callable[[PegLimits], object]] = [
    lambda limits: count(HARD, limits=limits).stopped,
    lambda limits: shortest(HARD, limits=limits).stopped,
    lambda limits: (finder := Finder(HARD, limits=limits)).wait() and finder.stopped,
]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_time_limit_is_a_status(search: Callable[[PegLimits], object]) -> None:
    assert search(PegLimits(0.1)) == "time limit"


@pytest.mark.parametrize("search", SEARCHES)
def test_cancelled_from_another_thread(search: Callable[[PegLimits], object]) -> None:
    limits = PegLimits()
    with cancelled(limits.cancel):
        assert search(limits) == "cancelled"


@pytest.mark.parametrize("search", SEARCHES)
def test_too_little_memory_is_an_error(search: Callable[[PegLimits], object]) -> None:
    with pytest.raises(BackendError, match=r"needs more than 1M, or than this machine"):
        search(PegLimits(most_bytes=2**20))


def test_memory_as_it_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    with TUNING.changed(memory_bytes=2**20):
        assert PegLimits().most_bytes == 2**20
    words = ["peg", "wiegleb", "--start", "5", "--count", "--set", f"memory_bytes={2**20}"]
    assert run(words) == 1
    assert "needs more than 1M, or than this machine" in capsys.readouterr().err


def test_limits_that_make_no_sense() -> None:
    with pytest.raises(PuzzleError, match="time limit of 0"):
        PegLimits(0)
    with pytest.raises(PuzzleError, match="memory limit of 0"):
        PegLimits(most_bytes=0)


LITTLE_MEMORY = """
import pathlib, resource
import numpy.random  # which some versions load late
from exactile.errors import BackendError
from exactile.classics.peg import *
problem = PegProblem.vacancy(load_board("wiegleb"), 5)
limits = PegLimits(1e-9)  # everything is made ready, and nothing is searched
Finder(problem, limits=limits).wait(), count(problem, limits=limits)
pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
size = pages * resource.getpagesize() + 2**24
resource.setrlimit(resource.RLIMIT_AS, (size, size))
for search in (count, shortest, lambda p, limits: Finder(p, limits=limits).wait()):
    try:
        search(problem, limits=PegLimits(most_bytes=2**50))
    except BackendError as error:
        print(str(error)[:30])
print(count(PegProblem.vacancy(load_board("triangle-4"), 2)).sequences)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_memory_that_really_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout.splitlines() == ["The native search needs more t"] * 3 + ["14"], done.stderr


def test_ctrl_c_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["peg", "wiegleb", "--start", "5", "--count"]
    assert interrupted(lambda: run(words)) == 130
    assert capsys.readouterr().err.endswith("Interrupted.\n")


def test_nonsense_is_refused() -> None:
    jumps, identity = [0, 1, 2], [0, 1, 2]
    for holes, bad_jumps, symmetries in (
        (0, [], []),
        (65, [], list(range(65))),
        (3, [0, 1], identity),
        (3, [0, 1, 3], identity),
        (3, [0, 1, 1], identity),
        (3, jumps, []),
        (3, jumps, [0, 1]),
        (3, jumps, [0, 0, 1]),
        (3, jumps, [0, 1, -1]),
    ):
        with pytest.raises(ValueError, match=r"hole|symmetry"):
            _native.PegBoard(holes, bad_jumps, symmetries)
    board = _native.PegBoard(3, jumps, identity)
    for start, goals in ((0, [1]), (8, [1]), (3, []), (3, [0]), (3, [1, 3]), (3, [8])):
        with pytest.raises(ValueError, match=r"goal|position"):
            _native.PegCounter(board, start, goals, False, 2**20)
        with pytest.raises(ValueError, match=r"goal|position"):
            _native.PegFinder(board, start, goals, 2**20)
        with pytest.raises(ValueError, match=r"goal|position"):
            _native.PegShortest(board, start, goals, True, 2**20)


def test_a_finder_cannot_begin_anew_once_it_has_found_something() -> None:
    board = _native.PegBoard(3, [0, 1, 2], [0, 1, 2])
    finder = _native.PegFinder(board, 3, [4], 2**20)
    for order in ([], [1], [0, 0]):
        with pytest.raises(ValueError, match="every jump once"):
            finder.restart(order)
    finder.restart([0])
    finder.run(1.0, 1, 100)
    assert finder.take().tolist() == [[0]]
    with pytest.raises(RuntimeError, match="found again"):
        finder.restart([0])
