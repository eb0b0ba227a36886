"""Who presses Ctrl-C twice is let go at once, whatever threads are doing in native code."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exactile.answers import SolutionList, Status
from exactile.cli.main import catch_signals, final_code, main, run
from exactile.cli.output import Output
from exactile.search.handle import Handle
from exactile.search.search import PuzzleProblem
from support.waiting import PATIENCE

BUSY = """
from threading import Thread
import numpy as np
import exactile
from exactile.backends.members import Ways
from exactile.cli.main import leave

ways = Ways(exactile.lower(exactile.load("pentacubes-compound-cross-2")), None)
order = ways.items(np.random.default_rng(0))
search = ways.ground.restart
Thread(target=search, args=(order, 1, 0, 10**12, 0), daemon=True).start()
leave(130)
"""


def test_a_thread_in_native_code_does_not_keep_us_and_is_no_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


END = """
import signal
from threading import Event
from exactile.cli.main import catch_signals

class Ending:
    def __del__(self):
        signal.raise_signal(signal.NUMBER)

catch_signals()
try:
    Ending()
    Event().wait(PATIENCE)
except KeyboardInterrupt:
    print("heard")
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_at_the_end_of_an_object_is_heard_soon_after(number: str) -> None:
    """Python prints what is raised there, and goes on."""
    script = END.replace("NUMBER", number).replace("PATIENCE", str(PATIENCE))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "heard\n", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_was_found_is_told_though_a_signal_comes_meanwhile(
    number: signal.Signals,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The second signal ends the telling, too."""
    signals = iter([number])
    convert = SolutionList.to_json

    def interrupted(answer: SolutionList) -> str:
        for each in signals:
            signal.raise_signal(each)
        return convert(answer)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("exactile.cli.main._came", [])
    monkeypatch.setattr(SolutionList, "to_json", interrupted)
    try:
        words = ["solve", "tetrahexes-4x7", "--all", "--json"]
        catch_signals()
        assert final_code(run(words)) == code
        answer = SolutionList.from_json(capsys.readouterr().out)
        assert (answer.status, len(answer.solutions)) == (Status.COMPLETE, 18)
        signals = iter([number, number])
        monkeypatch.setattr("exactile.cli.main._came", [])
        assert final_code(run(words)) == code
        assert capsys.readouterr().out == ""
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("options", [(), ("--up-to", "symmetry")])
@pytest.mark.parametrize("place", ["stream", "answers", "_keep"])
def test_after_a_signal_all_that_was_found_is_written(
    place: str,
    options: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Whether it comes while a solution is written, batches are decoded, or one is kept."""
    pending = [signal.SIGINT]

    def signals(function: Any) -> Any:
        def wrapped(*given: Any) -> Any:
            result = function(*given)
            while pending:
                signal.raise_signal(pending.pop())
            return result

        return wrapped

    owner, name = {"stream": (Output, "write"), "answers": (PuzzleProblem, "answers")}.get(
        place, (Handle, "_keep")
    )
    monkeypatch.setattr("exactile.cli.main._came", [])
    monkeypatch.setattr(owner, name, signals(getattr(owner, name)))
    path = tmp_path / "found.jsonl"
    words = ["solve", "polyominoes-123-8x8", "--all", *options, "-o", str(path)]
    before = signal.getsignal(signal.SIGTERM)
    try:
        catch_signals()
        assert run(words) == 130
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    lines = path.read_text().splitlines()
    assert lines[-1] == '{"end":"stopped: interrupted"}'
    assert len(lines) > 10
    assert f": {len(lines) - 2:,} solutions" in capsys.readouterr().err


@pytest.mark.parametrize("first", [("_keep", Handle), ("write", Output)])
def test_a_second_signal_ends_the_writing(
    first: tuple[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first one comes while a batch is kept, or while a solution is written."""
    came: list[str] = []

    def signals(name: str, function: Any) -> Any:
        def wrapped(*given: Any) -> Any:
            result = function(*given)
            if (not came and name == first[0]) or (came and name == "write" and len(came) < 2):
                came.append(name)
                signal.raise_signal(signal.SIGINT)
            return result

        return wrapped

    monkeypatch.setattr("exactile.cli.main._came", [])
    for name, owner in {"write": Output, first[0]: first[1]}.items():
        monkeypatch.setattr(owner, name, signals(name, getattr(owner, name)))
    path = tmp_path / "found.jsonl"
    before = signal.getsignal(signal.SIGTERM)
    try:
        catch_signals()
        assert run(["solve", "polyominoes-123-8x8", "--all", "-o", str(path)]) == 130
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert came == [first[0], "write"]
    assert len(path.read_text().splitlines()) < 6


def test_a_signal_while_a_puzzle_is_written_ends_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Though the search for its solutions had ended."""
    pending, write = [signal.SIGINT], Output.write

    def signals(output: Output, text: str) -> int:
        while pending:
            signal.raise_signal(pending.pop())
        return write(output, text)

    monkeypatch.setattr("exactile.cli.main._came", [])
    monkeypatch.setattr(Output, "write", signals)
    names = ["tetrominoes-5x4-tube", "tetrahexes-4x7"]
    before = signal.getsignal(signal.SIGTERM)
    try:
        catch_signals()
        assert run(["solve", *names, "--limit", "2", "-o", str(tmp_path / "{name}.jsonl")]) == 130
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert len((tmp_path / f"{names[0]}.jsonl").read_text().splitlines()) == 4
    assert not (tmp_path / f"{names[1]}.jsonl").exists()
    assert "1 of 2 puzzles: 1 interrupted" in capsys.readouterr().err


def test_an_interrupt_that_a_library_makes_another_error_of_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As NumPy does within comparisons."""

    def other(answer: SolutionList) -> str:
        raise TypeError("cannot compare")

    monkeypatch.setattr(SolutionList, "to_json", other)
    monkeypatch.setattr("exactile.cli.main.catch_signals", lambda: None)
    monkeypatch.setattr("exactile.cli.main.leave", lambda code: codes.append(code))
    codes: list[int] = []
    words = ["solve", "tetrahexes-4x7", "--json"]
    monkeypatch.setattr("exactile.cli.main._came", [])
    with pytest.raises(TypeError):
        main(words)
    monkeypatch.setattr("exactile.cli.main._came", [signal.SIGINT])
    main(words)
    assert codes == [130]
    assert capsys.readouterr().err.endswith("Interrupted.\n")


JOINED = """
import atexit
import os
import signal
from threading import Event, Thread
from exactile.cli.main import catch_signals, leave

class Ending:
    def __del__(self):
        print("the interpreter has ended")

catch_signals()
atexit.register(print, "tidied up")
kept = Ending()
worker = Thread(target=Event().wait, args=(PATIENCE,), daemon=True)
worker.start()
try:
    Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()
    worker.join()
except KeyboardInterrupt:
    print("heard")
worker.is_alive = lambda: False  # as Python 3.11 says now
leave(130)
"""


def test_the_interpreter_does_not_end_under_a_thread() -> None:
    """Which may come back from native code at any moment."""
    script = JOINED.replace("PATIENCE", str(PATIENCE))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "heard\ntidied up\n", "")
