"""A ledger survives kills: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from exactile.ledger.record import Numbers
from exactile.ledger.store import Ledger
from support.waiting import children, let_work

NAMES = ("pentominoes-6x10", "soma-cube", "tetrasticks-5x5")
NUMBERS = {
    "pentominoes-6x10": Numbers(9356, 4678, 2339),
    "soma-cube": Numbers(11520, 480, 240),
    "tetrasticks-5x5": Numbers(14360, 3590, 1795),
}


def begin(path: Path, *words: str, names: Sequence[str] = NAMES) -> subprocess.Popen[str]:
    """Start a run over some puzzles."""
    command = [sys.executable, "-m", "exactile", "catalogue", "verify", "--ledger", str(path)]
    for name in names:
        command += ["--puzzle", name]
    return subprocess.Popen(
        [*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_killed_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    for seconds in (0.9, 1.5, 2.5):
        process = begin(path, *(["--resume"] if path.exists() else []), "--budget", "60")
        let_work(process, seconds)
        process.kill()
        process.communicate()
    process = begin(path, "--resume", "--budget", "60", "--json")
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert json.loads(out)["exact"] == 3
    with Ledger(path) as ledger:
        records = {r.id: r for r in ledger}
    assert {name: r.numbers for name, r in records.items()} == NUMBERS
    assert records["tetrasticks-5x5"].shares["H"] == Numbers(576, 144, 72)


def test_a_killed_worker_costs_little(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    process = begin(path, "--budget", "60", "--json", names=NAMES[:2])
    let_work(process, 1.2)
    for pid in children(process.pid):
        os.kill(pid, signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert json.loads(out)["exact"] == 2
    with Ledger(path) as ledger:
        assert {r.id: r.numbers for r in ledger} == {name: NUMBERS[name] for name in NAMES[:2]}


def test_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    process = begin(path, "--budget", "60")
    let_work(process, 1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    if process.returncode == 130:
        assert "go on with --resume" in err
    assert "looked at" in out


def test_an_old_ledger_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    Ledger(path, write=True).close()
    process = begin(path)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Go on with it by --resume" in " ".join(err.split())
