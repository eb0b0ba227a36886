"""Presses Ctrl-C at random moments of many commands, from their first millisecond on.

    .venv/bin/python benchmarks/interrupts.py --presses 200     # 0 if nothing is wrong

Each command must end soon, without a traceback, and leave whole files, no process and nothing
temporary. What Python prints when it is interrupted before it has loaded our first modules is
counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

LARGE = Path(__file__).with_name("limits.toml")
SLOW, GIVEN_UP = 2.5, 15.0
"""Seconds that a command may take to end; seconds after which it is killed."""

FIRST = ("bin/exactile", "exactile/__init__.py", "exactile/lazy.py", "exactile/__main__.py")
"""What is loaded before Ctrl-C can be ours."""

COMMANDS = """
count bedlam-cube --method list --json
count one-sided-pentominoes-6x15 --json
count one-sided-pentominoes-5x18 --method frontier --json
count one-sided-pentominoes-5x18 --method frontier --store f.store --json
count bedlam-cube --store s.store --json
count one-sided-pentominoes-6x15 --set on=processes --workers 2 --json
count pentominoes-3x20 --certificate cert --json
count #y --backend sat --json
count #trigs --certificate cert --json
solve #y --backend cpsat --json
solve #heptominoes --json
solve tetrasticks-5x5 --all -o found.jsonl
solve #dominoes --all --up-to symmetry -o found.jsonl
prove #joined --json
prove #heptominoes --certificate cert --json
sample one-sided-pentominoes-5x18 -n 3
estimate #dense
pack #heptominoes --json
explain #heptominoes --json
coloring #cubes
subsets shader-hexagon --json
classes pentominoes-6x10 --json
compare pentominoes-6x10 --backends dlx,sat --task all --json
catalogue verify --family polyhex --ledger ledger.store
peg diamond-5 --json
queens 40 --count --json
show soma-cube
tile --lattice square --help
"""


def pressed(words: list[str], random: Random, folder: Path) -> tuple[str, list[str]]:
    """Press Ctrl-C once or twice at a random moment; return how it ended, and what is wrong."""
    out, err = folder / "out.txt", folder / "err.txt"
    with out.open("w") as output, err.open("w") as errors:
        process = subprocess.Popen(
            [str(Path(sys.executable).with_name("exactile")), *words],
            cwd=folder,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        time.sleep(random.choice([random.uniform(0, 0.6), random.uniform(0.3, 3)]))
        if process.poll() is not None:
            return "ended before", []
        kind = random.choice(["once", "once", "group", "twice"])
        begun = time.monotonic()
        with suppress(ProcessLookupError):
            (os.killpg if kind == "group" else os.kill)(process.pid, signal.SIGINT)
            if kind == "twice":
                time.sleep(random.uniform(0, 0.1))
                os.kill(process.pid, signal.SIGINT)
        try:
            process.wait(GIVEN_UP)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "killed", ["did not end"]
    late = time.monotonic() - begun
    told, lines = out.read_text(), err.read_text()
    wrong = [f"took {late:.1f} s"] * (late > SLOW)
    ours = [line for line in lines.splitlines() if "exactile/" in line and "File" in line]
    thread = "Exception in thread" in lines or "Exception ignored" in lines
    early = not thread and all(line.split('"')[1].endswith(FIRST) for line in ours)
    if early and ("Traceback" in lines or "Fatal Python error" in lines):
        return "Python had not started", wrong
    if "Traceback" in lines:
        wrong.append(lines[-400:])
    if process.returncode not in (0, 130, -signal.SIGINT):
        wrong.append(f"exit code {process.returncode}: {lines[-200:]}")
    if "--json" in words and told.strip():
        try:
            json.loads(told)
        except ValueError:
            wrong.append(f"half a document: {told[-100:]}")
    return str(process.returncode), wrong + left(words, process.pid, folder)


def left(words: list[str], session: int, folder: Path) -> list[str]:
    """Return what is wrong with what a command has left behind."""
    wrong = []
    found = folder / "found.jsonl"
    if found.name in words and found.exists() and '"end"' not in found.read_text()[-200:]:
        wrong.append("a file of solutions without an end")
    if (folder / "cert").exists():
        command = [sys.executable, "-m", "exactile", "verify-certificate", "cert"]
        if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
            wrong.append("half a certificate")
    for path in [*folder.iterdir()]:
        if path.name.startswith(".") or "tmp" in path.name:
            wrong.append(f"a temporary file: {path.name}")
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for tries in range(4):
        listed = subprocess.run(
            ["ps", "-o", "stat=,args=", "-s", str(session)],
            capture_output=True,
            text=True,
            check=False,
        )
        orphans = [line for line in listed.stdout.splitlines() if not line.startswith("Z")]
        if not orphans:
            break
        time.sleep(0.5 * tries)
    else:
        wrong.append(f"a process: {orphans[0]}")
        os.killpg(session, signal.SIGKILL)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random, ends, faults = Random(given.seed), Counter[str](), 0
    commands = COMMANDS.strip().splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for k in range(given.presses):
            for file in ("found.jsonl", "f.store", "s.store", "cert", "ledger.store"):
                for path in folder.glob(f"{file}*"):  # most often; stores are gone on with, too
                    if path.is_dir():
                        shutil.rmtree(path)
                    elif random.random() < 0.7:
                        path.unlink()
            line = commands[k % len(commands)]
            words = line.replace(" #", f" {LARGE}#").split(" ")
            end, wrong = pressed(words, random, folder)
            ends[end] += 1
            faults += bool(wrong)
            for each in wrong:
                print(f"{line}: {each}", flush=True)
    print(dict(ends))
    print(f"{faults} of {given.presses} went wrong.")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
