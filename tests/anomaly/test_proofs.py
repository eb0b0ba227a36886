"""Proofs that are interrupted, or that do not fit on the disk."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support import full_disk
from support.waiting import PATIENCE

REFUTE = """
import sys
from pathlib import Path
import numpy as np, exactile
from exactile.reasons.refuter import refute

model = exactile.lower(exactile.load("pentominoes-6x10"))
numbers = np.arange(1, model.options + 1, dtype=np.int32)
beats = 0
def beat(nodes):
    global beats
    beats += 1
    if beats == 3:
        print("ready", flush=True)
"""

RUN = "refute(model, Path(sys.argv[1]), variables=numbers, heartbeat=beat)\n"

CHECK = """
import sys
from pathlib import Path
from exactile.certificate.checker import check_proof

# Assuming 1, or 2, makes a long chain of literals true, and then one false.
folder, last = Path(sys.argv[1]), 100_000
chain = [f"-{k} {k + 1} 0" for k in range(2, last)] + ["-1 3 0", f"-{last} -3 0"]
(folder / "cnf").write_text("\\n".join([f"p cnf {last} {len(chain)}", *chain]) + "\\n")
(folder / "proof").write_text("".join(f"-{k % 2 + 1} -{k} 0\\n" for k in range(3, last)))
beats = 0
def beat(lemmas):
    global beats
    beats += 1
    if beats == 3:
        print("ready", flush=True)
check_proof(folder / "cnf", folder / "proof", heartbeat=beat)
"""


def interrupted(program: str, argument: Path) -> str:
    """Run a program, send Ctrl-C when it says that it is ready, and return what it says then."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, argument],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGINT
    return errors


def test_ctrl_c_while_a_proof_is_written(tmp_path: Path) -> None:
    assert interrupted(REFUTE + RUN, tmp_path / "proof").endswith("KeyboardInterrupt\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_a_proof_is_checked(tmp_path: Path) -> None:
    assert interrupted(CHECK, tmp_path).endswith("KeyboardInterrupt\n")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of files differ")
def test_a_full_disk(tmp_path: Path) -> None:
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))\n"
    run = subprocess.run(
        [sys.executable, "-c", REFUTE + limit + RUN, tmp_path / "proof"],
        capture_output=True,
        text=True,
        env=full_disk.ENVIRONMENT,
    )
    assert "OSError: [Errno 27] File too large" in run.stderr
    assert list(tmp_path.iterdir()) == []
