"""The one clock: what is a duration is scaled, dates are not."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from exactile.clock import CLOCK, VARIABLE, Clock
from exactile.search.limits import Limits
from support.clock import ticking


def test_a_second_of_ours_may_be_shorter_or_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(time, "process_time", lambda: 10.0)
    monkeypatch.setattr(time, "time", lambda: 5.0)
    monkeypatch.setattr(time, "sleep", waited.append)
    for second in (0.5, 1.0, 4.0):
        clock = Clock(second)
        clock.pause(2.0)
        assert (clock.now(), clock.worked()) == (100.0 / second, 10.0 / second)
        assert (clock.date(), clock.lasting(3.0)) == (5.0, 3.0 * second)
    assert waited == [1.0, 2.0, 8.0]


@pytest.mark.parametrize(
    ("told", "second"),
    [("0.5", 0.5), ("3", 3.0), ("0", 1.0), ("-1", 1.0), ("nan", 1.0), ("inf", 1.0), ("x", 1.0)],
)
def test_the_environment_says_what_a_second_is(told: str, second: float) -> None:
    program = "from exactile.clock import CLOCK; print(CLOCK.second)"
    environment = os.environ | {VARIABLE: told}
    done = subprocess.run([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE)
    assert float(done.stdout) == second


def test_tests_own_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(time_limit=3)
    ticking(monkeypatch)
    limits.begin()
    assert [limits.reached() for _ in range(4)] == [None, None, "time limit", "time limit"]
    assert CLOCK.now() == 5.0
