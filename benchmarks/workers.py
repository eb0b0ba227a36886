"""Two workers against one, by the clock: threads, processes, Dask, and two shards.

Whole commands, start-up included; one worker and two take turns. What the machine itself allows is
told beside it: two commands of one thread each, at once, against one of them. The clock says little
on a machine that does anything else: its load is written down.

    python benchmarks/workers.py              # a table
    python benchmarks/workers.py --write      # also to results/workers.md
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

RESULT = Path(__file__).parent / "results" / "workers.md"

PUZZLES = ("solid-pentominoes-3x4x5", "tetris-cube", "polyominoes-45-aztec-diamond")

WAYS = ("threads", "processes", "dask", "shards")

ROUNDS = 3

HEAD = """# Two workers

What `benchmarks/workers.py` found: how many times faster two workers count into a store than one,
whole commands with their start-up: the ratio of the medians of {rounds} runs each, in turn. With
shards, a worker is a process of `exactile work` that may use one thread. "At once" is what the
machine allows: how much more two commands of one thread do together than one of them, in the same
time. Load of the machine before the first run: {load:.1f}.

| puzzle | solutions | seconds of one thread | at once | {ways} |
|---|---:|---:|---:|{lines}
"""


def main() -> None:
    """Print the table; write it too if asked for."""
    columns = " | ".join(WAYS)
    load = os.getloadavg()[0]
    table = HEAD.format(rounds=ROUNDS, load=load, ways=columns, lines="---:|" * len(WAYS))
    for puzzle in PUZZLES:
        cells, numbers, first = [], set(), 0.0
        for way in WAYS:
            seconds: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(ROUNDS):
                for workers, times in seconds.items():
                    took, number = timed(puzzle, way, workers)
                    times.append(took)
                    numbers.add(number)
            if not first:
                first = median(seconds[1])
                both = [at_once(puzzle) for _ in range(ROUNDS)]
                cells.append(f"{2 * first / median(both):.2f}")
            cells.append(f"{median(seconds[1]) / median(seconds[2]):.2f}")
        (number,) = numbers
        table += f"| `{puzzle}` | {number:,} | {first:.1f} | {' | '.join(cells)} |\n"
    print(table, end="")
    if "--write" in sys.argv[1:]:
        RESULT.write_text(table, "utf-8")


def timed(puzzle: str, way: str, workers: int) -> tuple[float, int]:
    """Return for how long so many workers were at it, and how many solutions there are."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "all.store"
        if way == "shards":
            return shared_out(puzzle, store, workers)
        begun = time.monotonic()
        asked = ("--store", str(store), "--set", f"on={way}", "--workers", str(workers))
        told = json.loads(exactile("count", puzzle, "--method", "list", *asked, "--json"))
        return time.monotonic() - begun, told["raw"]


def at_once(puzzle: str) -> float:
    """Return how long two commands of one thread each take that begin together."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        asked = ("--method", "list", "--workers", "1", "--store")
        running = [
            subprocess.Popen(
                command("count", puzzle, *asked, str(Path(folder) / f"{k}.store")),
                stdout=subprocess.DEVNULL,
            )
            for k in range(2)
        ]
        if any(process.wait() for process in running):
            raise SystemExit("A count has failed.")
        return time.monotonic() - begun


def shared_out(puzzle: str, store: Path, shards: int) -> tuple[float, int]:
    """The same for shards; cutting before them and joining after them are not in the time."""
    exactile("count", puzzle, "--store", str(store), "--set", "parts=200")
    parts = [store.with_name(f"{k}.store") for k in range(1, shards + 1)]
    begun = time.monotonic()
    running = [
        subprocess.Popen(
            command("work", str(store), "--shard", f"{k}/{shards}", "-o", str(part)),
            stdout=subprocess.DEVNULL,
        )
        for k, part in enumerate(parts, 1)
    ]
    if any(process.wait() for process in running):
        raise SystemExit("A shard has failed.")
    took = time.monotonic() - begun
    exactile("merge", str(store), *map(str, parts))
    (run,) = json.loads(exactile("status", str(store), "--json"))["runs"]
    return took, run["raw"]


def command(verb: str, *arguments: str) -> list[str]:
    more = ["--workers", "1"] if verb == "work" else []
    quiet = [] if verb == "status" else ["--quiet"]
    return [sys.executable, "-m", "exactile", verb, *arguments, *more, *quiet]


def exactile(verb: str, *arguments: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(command(verb, *arguments), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
