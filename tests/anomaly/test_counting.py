"""Counts without listing that are stopped, too large, or asked what they cannot know."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.cli.main import run
from exactile.counting import count
from exactile.counting.memo import Memo
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import pays
from exactile.errors import CheckFailedError, CountingError, PuzzleError
from exactile.model.orbits import exact_quotient
from exactile.puzzle.check import Checker
from exactile.search import Status
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support.clock import late
from support.counts import part
from support.ctrl_c import interrupted
from support.events import cancelled
from support.small import box_puzzle, dominoes, mutilated
from support.waiting import PATIENCE

HARD = box_puzzle("hexominoes", 15, 14)
"""Billions of states."""


def test_too_many_states_is_an_error_that_says_so() -> None:
    with pytest.raises(CountingError, match=r"more than 1,000 states here, after 1,\d\d\d states"):
        Memo(most_states=1000).count(HARD)
    with pytest.raises(CountingError, match="needs more memory than 1,000,000 bytes here"):
        Memo().count(HARD, Limits(memory_limit=10**6))
    with pytest.raises(CountingError, match="more than 1 state here"):
        Memo(most_states=1).count(dominoes(4, 4))


def test_method_memo_does_not_fall_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as many states as there are, in the memory that it is given."""
    puzzle = box_puzzle("pentominoes", 20, 3)
    with pytest.raises(CountingError, match="count with method 'list'"):
        count(puzzle, method="memo", memory=10_000)
    monkeypatch.setattr(TUNING, "memo_states", 1000)
    assert count(puzzle, method="memo").raw == 8


def test_method_auto_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "auto_memo_states", 10)
    answer = count(dominoes(6, 6))
    assert (answer.method, answer.raw, answer.symmetry) == ("list", 6728, 930)


def test_method_auto_chooses() -> None:
    assert count(dominoes(4, 4)).method == "memo"
    assert count(dominoes(4, 4), backend="dlx").method == "memo"
    assert count(dominoes(4, 4), backend="reference").backend == "reference"
    assert count(dominoes(4, 4), method="list").backend == "dlx"
    assert count(exactile.load("tetrahexes-4x7")).backend == "dlx"
    assert count(mutilated(6)).status is Status.UNSOLVABLE
    with pytest.raises(PuzzleError, match="no method 'guess' to count: use auto, list, memo"):
        count(dominoes(4, 4), method="guess")


def test_what_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    model = exactile.lower(dominoes(4, 4))
    assert pays(model)
    monkeypatch.setattr(TUNING, "auto_memo_options", 20)
    assert not pays(model)


def test_obvious_reasons_come_first() -> None:
    answer = count(dominoes(3, 3, holes=((0, 1), (1, 0), (2, 2))))
    assert (answer.status, answer.method) == (Status.UNSOLVABLE, "first look")
    assert answer.reason is not None


def test_a_time_limit_is_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch)
    answer = count(HARD, method="memo", time_limit=60, use_reasons=False)
    assert (answer.status, answer.stopped) == (Status.UNKNOWN, "time limit")
    assert (answer.raw, answer.rotation, answer.symmetry) == (None, None, None)
    assert answer.stats["nodes"] > 0
    with pytest.raises(PuzzleError, match="time limit of 0"):
        count(HARD, method="memo", time_limit=0)


def test_cancel_from_another_thread() -> None:
    memo, limits = Memo(), Limits()
    with cancelled(limits.cancel):
        assert memo.count(HARD, limits) is None
    assert memo.count(HARD, limits) is None
    assert memo.stats["states"] > 0
    with pytest.raises(CountingError, match="not known yet"):
        _ = memo.raw


def test_cancelled_limits_reach_the_counter_at_work() -> None:
    limits = Limits()
    counting = OrbitCount(HARD, Memo(most_states=None))
    with cancelled(limits.cancel):
        answer = counting.run(limits)
    assert (answer.raw, answer.stopped) == (None, "cancelled")


def test_cancel_before_numbers_below() -> None:
    memo, puzzle, limits = Memo(keep=True), dominoes(4, 4), Limits()
    assert memo.count(puzzle, limits) == 36
    limits.cancel()
    assert memo.count(puzzle, limits) == memo.raw == 36  # known already
    assert memo.frequencies().sum() == 8 * 36


def test_waiting_in_parts() -> None:
    memo, puzzle, parts = Memo(), box_puzzle("pentominoes", 15, 4), 0
    while not part(memo, puzzle):
        parts += 1
    assert (memo.raw, parts > 1) == (1472, True)


def test_ctrl_c_is_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Memo, *given: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memo, "count", interrupt)
    answer = OrbitCount(dominoes(4, 4), Memo(most_states=None)).run()
    assert (answer.raw, answer.stopped) == (None, "interrupted")


def test_ctrl_c_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["count", "hexominoes-14x15", "--json", "--method", "memo"]
    assert interrupted(lambda: run(words)) == 130
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["stopped"]) == ("unknown", "interrupted")
    assert document["raw"] is None


LITTLE_MEMORY = """
import pathlib, resource, exactile
from exactile.errors import CountingError
from exactile.counting.memo import Memo
from exactile.search.limits import Limits
puzzle, memo = exactile.load("hexominoes-14x15"), Memo(most_states=10**9)
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**27, used + 2**27))
try:
    memo.count(puzzle, Limits(memory_limit=2**50))
except CountingError as error:
    print(error)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory as on Linux")
def test_memory_that_really_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY], capture_output=True, text=True, timeout=PATIENCE
    )
    assert "bytes here, or than there is" in done.stdout, done.stderr


def test_nothing_to_draw_from() -> None:
    memo = Memo(keep=True)
    assert memo.count(mutilated(6)) == 0
    assert memo.sample(0).shape[0] == 0
    assert not memo.frequencies().any()
    with pytest.raises(PuzzleError, match="no solutions to draw from"):
        memo.sample(1)


@pytest.mark.parametrize("number", [-1, 36, 0.5])
def test_no_such_number(number: Any) -> None:
    memo = Memo(keep=True)
    assert memo.count(dominoes(4, 4)) == 36
    with pytest.raises(PuzzleError, match=f"no solution {number}: they are numbered from 0 to 35"):
        memo.unrank([number])
    with pytest.raises(PuzzleError, match="must be an Iterable"):
        memo.unrank(number)


def test_numbers_of_numpy_are_numbers() -> None:
    memo = Memo(keep=True)
    memo.count(dominoes(4, 4))
    assert memo.unrank(np.arange(3)).tolist() == memo.unrank(iter(range(3))).tolist()


def test_what_was_not_kept_is_not_known() -> None:
    memo = Memo()
    with pytest.raises(CountingError, match="not known yet"):
        memo.frequencies()
    assert memo.count(dominoes(4, 4)) == 36
    with pytest.raises(CountingError, match="keep=True"):
        memo.sample(1)
    with pytest.raises(CountingError, match="keep=True"):
        memo.frequencies()


def test_samples_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checker, "wrong", lambda self, placements, rows: np.full(len(rows), True))
    monkeypatch.setattr(Checker, "words", lambda self, solution: ["it is ugly"])
    memo = Memo(keep=True)
    assert memo.count(dominoes(4, 4)) == 36
    with pytest.raises(CheckFailedError, match="is not a solution of dominoes: it is ugly"):
        next(memo.solutions(1))


def test_classes_that_do_not_come_out_even() -> None:
    with pytest.raises(CheckFailedError, match="7 is not a multiple of 4"):
        exact_quotient(7, 4)


def test_samples_are_uniform() -> None:
    """Numbers and solutions are one to one, and numbers are drawn by `random`, evenly."""
    memo = Memo(keep=True)
    rows = memo.unrank(range(memo.count(dominoes(4, 4)) or 0))
    assert len(np.unique(rows, axis=0)) == 36
    drawn = memo.sample(2000, seed=7)
    assert len(np.unique(drawn, axis=0)) == 36
    assert (drawn == memo.sample(2000, seed=7)).all()
    assert (drawn != memo.sample(2000, seed=8)).any()
    assert (drawn[:5] == memo.sample(5, seed=7)).all()
