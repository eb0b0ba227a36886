"""Runs a hundred commands on large puzzles with a time limit, and shows how late they end.

    .venv/bin/python benchmarks/limits.py            # a table; 0 if none is late
    .venv/bin/python benchmarks/limits.py --only pack

A command is late if it ends more than 1.5 s after its limit, the start of Python included. Run it
on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PUZZLES = Path(__file__).with_name("limits.toml")
LATE, GIVEN_UP = 1.5, 30.0
"""Seconds after the limit."""

LIMITS = (0.5, 1, 5)
"""Seconds; the commands take them in turn."""

COMMANDS = """
count #y
count #y --method memo
count #y --method frontier
count #y --backend sat
count #y --backend cpsat
count #y --backend reference
solve #y --backend cpsat
prove #y
estimate #y
count #dominoes
count #dominoes --method list
count #dominoes --method memo
count #dominoes --method frontier
count #dominoes --certificate c1
solve #dominoes
solve #dominoes --all --up-to symmetry -o s1.jsonl
solve #dominoes --backend sat
solve #dominoes --backend cpsat
solve #dominoes --backend first
prove #dominoes
prove #dominoes --certificate c2
explain #dominoes
pack #dominoes
coloring #dominoes
sample #dominoes
estimate #dominoes
classes #dominoes
count #dense
count #dense --method memo
count #dense --by-pieces
count #dense --method frontier
solve #dense --all --up-to symmetry -o s2.jsonl
solve #dense --backend sat
sample #dense -n 5
estimate #dense
pack #dense
prove #dense --certificate c3
subsets #dense
classes #dense
solve #heptominoes
solve #heptominoes --up-to pieces -n 1000
prove #heptominoes
count #heptominoes
count #heptominoes --method frontier
sample #heptominoes
explain #heptominoes
pack #heptominoes
coloring #heptominoes
estimate #heptominoes
count #cubes
count #cubes --method frontier
solve #cubes --backend first
solve #cubes --backend auto
solve #cubes --backend sat:glucose42
subsets #cubes
estimate #cubes
pack #cubes
coloring #cubes
prove #cubes --certificate c4
count #trigs
count #trigs --certificate c5
count #trigs --method frontier
solve #trigs
solve #trigs --backend sat
pack #trigs
explain #trigs
estimate #trigs
coloring #trigs
prove #joined
count #joined
count #joined --method frontier
solve #joined --backend sat
count #long
prove #long
solve #long --backend cpsat
count #sticks
solve #sticks
prove #sticks
count #omitted --by-pieces
solve #omitted --backend cpsat
count one-sided-pentominoes-6x15 --store s1.store
count one-sided-pentominoes-6x15 --set on=processes --workers 2
count one-sided-pentominoes-6x15 --method frontier
count one-sided-pentominoes-6x15 --method frontier --store s2.store
solve one-sided-pentominoes-6x15 --all --store s3.store
classes pentominoes-6x10
subsets shader-hexagon
count soma-cube --backend reference
peg diamond-5 --backend sat
queens 40 --count
compare #y --backends cpsat --task all
count #trigs --method memo
count #cubes --method memo
count #sticks --method frontier
pack #sticks
estimate #long
count one-sided-pentominoes-6x15 --method memo
solve one-sided-pentominoes-6x15 --all --up-to rotation --backend sat
sample one-sided-pentominoes-6x15 -n 3
prove one-sided-pentominoes-6x15 --certificate c6
"""


def late(words: list[str], limit: float, folder: Path) -> tuple[float, str]:
    """Return how many seconds after its limit a command ends, and in what way."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    quiet = [] if words[0] in ("estimate", "coloring") else ["--quiet"]
    command = [sys.executable, "-m", "exactile", *words, "--time-limit", str(limit), *quiet]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        _, errors = process.communicate(timeout=limit + GIVEN_UP)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    over = time.monotonic() - start - limit
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = sum(getattr(used, k) - getattr(before, k) for k in ("ru_utime", "ru_stime"))
    how = f"exit {process.returncode}, {worked:.1f} s of processors"
    if process.returncode not in (0, 3):
        how += ": " + " ".join(errors.split())[-150:]
    return over, how


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="commands that contain this word")
    only = parser.parse_args().only
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for k, line in enumerate(COMMANDS.strip().splitlines()):
            if only not in line:
                continue
            limit = LIMITS[k % len(LIMITS)]
            words = line.replace(" #", f" {PUZZLES}#").split(" ")
            over, how = late(words, limit, Path(folder))
            found += over > LATE
            print(f"{limit:3} s {over:+.1f} s{' LATE' * (over > LATE)} {line}: {how}", flush=True)
    print(f"{found} of the commands ended more than {LATE} s after their limit.")
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
