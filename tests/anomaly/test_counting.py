"""Counts without listing that are stopped, too large, or asked what they cannot know."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import exactile
from exactile.cli.main import run
from exactile.clock import CLOCK
from exactile.counting import count, verbs
from exactile.counting.counting import Counter
from exactile.counting.memo import MemoCounting
from exactile.counting.plan import pays
from exactile.errors import CheckFailedError, CountingError, PuzzleError
from exactile.model.orbits import exact_quotient
from exactile.puzzle.check import Checker
from exactile.search import Status
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support.clock import late
from support.ctrl_c import interrupted
from support.events import cancelled
from support.small import box_puzzle, dominoes, mutilated
from support.waiting import PATIENCE

HARD = box_puzzle("hexominoes", 15, 14)
"""Billions of states."""


def test_too_many_states_is_an_error_that_says_so() -> None:
    with pytest.raises(CountingError, match=r"more than 1,000 states here, after 1,\d\d\d states"):
        _ = Counter(HARD, most_states=1000).raw
    with pytest.raises(CountingError, match="needs more memory than 1,000,000 bytes here"):
        _ = Counter(HARD, most_bytes=10**6).raw


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
    assert (answer.backend, answer.raw, answer.symmetry) == ("dlx", 6728, 930)


def test_method_auto_chooses() -> None:
    assert count(dominoes(4, 4)).backend == "memo"
    assert count(dominoes(4, 4), backend="dlx").backend == "memo"
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
    assert (answer.status, answer.backend) == (Status.UNSOLVABLE, "first look")
    assert answer.reason is not None


def test_a_time_limit_is_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch)
    answer = count(HARD, method="memo", time_limit=60, use_reasons=False)
    assert (answer.status, answer.stopped) == (Status.UNKNOWN, "time limit")
    assert (answer.raw, answer.rotation, answer.symmetry) == (None, None, None)
    assert answer.stats["nodes"] > 0
    with pytest.raises(PuzzleError, match="time limit of 0"):
        count(HARD, method="memo", time_limit=0)


def test_a_limit_that_is_used_up_by_the_first_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left for listing is a moment, not an error."""
    assert verbs.time_left(None, 0.0) is None
    assert verbs.time_left(5.0, CLOCK.now() - 10) == 1e-3


def test_cancel_from_another_thread() -> None:
    counter = Counter(HARD)
    with cancelled(counter.cancel), pytest.raises(CountingError, match="cancelled"):
        _ = counter.raw
    assert not counter.wait(0.1)
    assert counter.stats["states"] > 0


def test_cancelled_limits_reach_the_counter_at_work() -> None:
    limits = Limits()
    counting = MemoCounting(HARD, limits)
    with cancelled(limits.cancel):
        answer = counting.run()
    assert (answer.raw, answer.stopped) == (None, "cancelled")


def test_cancel_before_numbers_below() -> None:
    counter = Counter(dominoes(4, 4))
    assert counter.raw == 36
    counter.cancel()
    assert counter.raw == 36  # known already
    assert counter.frequencies().sum() == 8 * 36


def test_waiting_in_parts() -> None:
    counter = Counter(box_puzzle("pentominoes", 15, 4))
    parts = 0
    while not counter.wait(1e-9):
        parts += 1
    assert counter.raw == 1472


def test_ctrl_c_is_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Counter, timeout: float | None = None) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Counter, "wait", interrupt)
    answer = MemoCounting(dominoes(4, 4)).run()
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
from exactile.counting.counting import Counter
counter = Counter(exactile.load("hexominoes-14x15"), most_states=10**9, most_bytes=2**50)
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**27, used + 2**27))
try:
    counter.raw
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
    counter = Counter(mutilated(6))
    assert counter.raw == 0
    assert counter.sample(0).shape[0] == 0
    assert not counter.frequencies().any()
    with pytest.raises(PuzzleError, match="no solutions to draw from"):
        counter.sample(1)


@pytest.mark.parametrize("number", [-1, 36])
def test_no_such_number(number: int) -> None:
    with pytest.raises(PuzzleError, match=f"no solution number {number}"):
        Counter(dominoes(4, 4)).unrank([number])


def test_what_was_not_kept_is_not_known() -> None:
    counter = Counter(dominoes(4, 4), keep=False)
    with pytest.raises(CountingError, match="keep=True"):
        counter.sample(1)
    with pytest.raises(CountingError, match="keep=True"):
        counter.frequencies()


def test_samples_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checker, "wrong", lambda self, placements, rows: np.full(len(rows), True))
    monkeypatch.setattr(Checker, "words", lambda self, solution: ["it is ugly"])
    with pytest.raises(CheckFailedError, match="is no solution of dominoes: it is ugly"):
        next(Counter(dominoes(4, 4)).solutions(1))


def test_classes_that_do_not_come_out_even() -> None:
    with pytest.raises(CheckFailedError, match="7 is no multiple of 4"):
        exact_quotient(7, 4)


def test_samples_are_uniform() -> None:
    """Numbers and solutions are one to one, and numbers are drawn by `random`, evenly."""
    counter = Counter(dominoes(4, 4))
    rows = counter.unrank(range(36))
    assert len(np.unique(rows, axis=0)) == 36
    drawn = counter.sample(2000, seed=7)
    assert len(np.unique(drawn, axis=0)) == 36
    assert (drawn == counter.sample(2000, seed=7)).all()
    assert (drawn != counter.sample(2000, seed=8)).any()
    assert (drawn[:5] == counter.sample(5, seed=7)).all()
