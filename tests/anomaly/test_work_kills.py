"""Processes that are killed at random moments: only a part is lost, and nobody stays behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from exactile.work import Pool
from support.few import few
from support.waiting import children, wait_until
from support.work_tasks import Halves, importable, with_word

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(autouse=True)
def _importable() -> Iterator[None]:
    with importable():
        yield


def begin(words: list[str], word: str) -> subprocess.Popen[bytes]:
    """Start a process that can be told, with all that it starts, by a word in its environment."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        words, stdout=nothing, stderr=nothing, env=os.environ | {"EXACTILE_TEST": word}
    )


def wait_for(number: int, word: str, process: subprocess.Popen[bytes]) -> None:
    """Return once there are so many processes with a word."""
    wait_until(lambda: len(with_word(word)) >= number, process)


def all_end(word: str) -> None:
    """Return once there are no processes with a word."""
    wait_until(lambda: not with_word(word))


@pytest.mark.parametrize("seed", few(range(6), 3))
def test_a_parent_that_is_killed_leaves_nobody(seed: int) -> None:
    word = f"parent-{os.getpid()}-{seed}"
    code = (
        "from exactile.work import Job\n"
        "from support.work_tasks import Misbehaving\n"
        "jobs = [Job(Misbehaving(what)) for what in ('sleep', 'compute', 'sleep')]\n"
        "for job in jobs:\n"
        "    for _ in job: pass\n"
    )
    with begin([sys.executable, "-c", code], word) as process:
        wanted = random.Random(seed).choice([2, 4, 6, 7, 9])
        wait_for(wanted, word, process)  # the parent, three guards, workers, two that sleep
        process.kill()
    all_end(word)


def test_a_script_that_solves_ends_with_us_and_its_own_child_too(tmp_path: Path) -> None:
    """The script starts a solver and waits for it; we are killed."""
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\nsleep 1000\nexit 0\n", "ascii")
    script.chmod(0o755)
    word = f"script-{os.getpid()}"
    words = [sys.executable, "-m", "exactile", "prove", "pentominoes-6x10", "--backend"]
    with begin([*words, f"external:{script}"], word) as process:
        wait_for(4, word, process)  # we, the guard, the script and its child
        process.kill()
    all_end(word)


HARD = ("hexominoes-14x15", "--set", "use_reasons=no")
COMMANDS = {
    "cubes": ["count", *HARD, "--backend", "sat", "--workers", "2"],
    "race": ["prove", "polysticks-1234-5x5-diamond-lattice-ring", "--backend", "auto"],
    "packing": ["pack", "hexominoes-14x15", "--set", "first_look=0"],
    "comparison": ["compare", HARD[0], "--backends", "cpsat", "--time-limit", "1e6"],
    "ledger": ["catalogue", "verify", "--puzzle", "y-pentominoes-16x20", "--ledger", "{folder}/l"],
}


@pytest.mark.parametrize("command", few(COMMANDS, 2))
def test_a_command_that_is_killed_leaves_nobody(command: str, tmp_path: Path) -> None:
    word = f"{command}-{os.getpid()}"
    words = [w.replace("{folder}", str(tmp_path)) for w in COMMANDS[command]]
    with begin([sys.executable, "-m", "exactile", *words], word) as process:
        wait_for(3, word, process)  # it, the guard and whoever works
        process.kill()
    all_end(word)


@pytest.mark.parametrize("seed", few(range(3), 3))
def test_workers_that_are_killed_cost_a_part_at_most(tmp_path: Path, seed: int) -> None:
    """Every part is done, or reported after two deaths; whatever is killed, and whenever."""
    chance = random.Random(seed)
    log = tmp_path / "log"
    done: list[int] = []
    lost: list[int] = []
    with Pool(Halves(str(log)), 40, lambda part, _: part, 3) as pool:
        for event in pool:
            if event is not None and event.message is None:
                (done if event.death is None else lost).append(event.part)
            if chance.random() < 0.1:
                with suppress(ProcessLookupError, IndexError):
                    os.kill(chance.choice(children(guards=True)), signal.SIGKILL)
    assert sorted(done + lost) == list(range(40))
    tries = log.read_text("ascii").split()
    assert all(tries.count(str(part)) <= 2 for part in range(40))
    assert not children(guards=True)
