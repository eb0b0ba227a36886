"""A ledger survives kills: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from exactile.cli.main import run
from exactile.runs.ledger.record import Numbers
from exactile.runs.ledger.run import Run
from exactile.runs.ledger.store import Ledger
from support.command_line import started
from support.ctrl_c import interrupted
from support.events import at
from support.waiting import PATIENCE, children

NAMES = ("pentominoes-6x10", "soma-cube", "tetrasticks-5x5")
NUMBERS = {
    "pentominoes-6x10": Numbers(9356, 4678, 2339),
    "soma-cube": Numbers(11520, 480, 240),
    "tetrasticks-5x5": Numbers(14360, 3590, 1795),
}


KILL = """
import os, signal
from exactile.runs.ledger.run import Run
from support.events import ForGood, at
at(ForGood(), NUMBER, lambda: os.kill(os.getpid(), signal.SIGKILL), Run, "_take")
"""
"""The process ends when it has heard this number of news of its workers."""


def words(path: Path, *more: str, names: Sequence[str] = NAMES) -> list[str]:
    """Return the command that settles some puzzles, however slow the machine is."""
    puzzles = [word for name in names for word in ("--puzzle", name)]
    return ["catalogue", "verify", "--ledger", str(path), "--budget", "100000", *puzzles, *more]


@pytest.mark.slow
def test_killed_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    for number in (1, 2, 3):
        resume = ["--resume"] if path.exists() else []
        process = started(*words(path, *resume), first=KILL.replace("NUMBER", str(number)))
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL
    process = started(*words(path, "--resume", "--json"))
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert json.loads(out)["exact"] == 3
    with Ledger(path) as ledger:
        records = {r.id: r for r in ledger}
    assert {name: r.numbers for name, r in records.items()} == NUMBERS
    assert records["tetrasticks-5x5"].shares["H"] == Numbers(576, 144, 72)


def test_a_killed_worker_costs_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def kill() -> None:
        for pid in children():
            os.kill(pid, signal.SIGKILL)

    path = tmp_path / "l.sqlite"
    at(monkeypatch, 2, kill, Run, "_take")
    assert run(words(path, "--json", names=NAMES[:2])) == 0
    assert json.loads(capsys.readouterr().out)["exact"] == 2
    with Ledger(path) as ledger:
        assert {r.id: r.numbers for r in ledger} == {name: NUMBERS[name] for name in NAMES[:2]}


def test_interrupted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert interrupted(lambda: run(words(tmp_path / "l.sqlite")), 2, Run, "_take") == 130
    out, err = capsys.readouterr()
    assert "continue with --resume" in err
    assert "in the ledger" in out


def test_an_old_ledger_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "l.sqlite"
    Ledger(path, write=True).close()
    assert run(words(path)) == 1
    assert "Continue it with --resume" in " ".join(capsys.readouterr().err.split())
