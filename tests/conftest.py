"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import signal

import pytest
from hypothesis import settings

from exactile.clock import CLOCK, VARIABLE
from support.command_line import Cli
from support.few import ALL_EXAMPLES
from support.waiting import note_children

# No clock decides over a test, and a run can be repeated.
EVERY = settings(deadline=None, derandomize=True, max_examples=ALL_EXAMPLES)
settings.register_profile("all", EVERY)
settings.register_profile("quick", EVERY, max_examples=ALL_EXAMPLES // 8)
settings.load_profile("all")

# A shell without job control ignores Ctrl-C in what it starts in the background, and so would the
# commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer random examples where slow tests are left out."""
    if config.getoption("markexpr") == "not slow":
        settings.load_profile("quick")


def pytest_report_header() -> str | None:
    """Say how long a second lasts, if it is not as long as elsewhere."""
    told = os.environ.get(VARIABLE)
    if told is None:
        return None
    if float(told) != CLOCK.second:
        pytest.exit(f"{VARIABLE} is {told}: it must be a positive number, such as 0.3.")
    return f"a second lasts {CLOCK.second:g} s"


def pytest_collection_finish() -> None:
    """Spare the collector of garbage the thousands of tests that live until the end."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup() -> None:
    """Hold no test to account for the processes of an earlier one."""
    note_children()


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return a function that calls a command in this process."""
    from exactile.cli.main import run  # which most tests need not load

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
