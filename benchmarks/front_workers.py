"""Counting by a front with one worker and with two, by the clock: what the second one gains.

Both take turns. The clock says little on a machine that does anything else: with its load, which is
written down, one can tell.

    python benchmarks/front_workers.py              # a table
    python benchmarks/front_workers.py --write      # also to results/front-workers.md
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median

from exactile.counting.frontier import Frontier
from exactile.counting.orbits import OrbitCount
from exactile.files import load

RESULT = Path(__file__).parent / "results" / "front-workers.md"

PUZZLES = (
    "one-sided-pentominoes-6x15",
    "polyominoes-2345-x1",
    "polytwigs-12345-butterfly-8x2-1",
)

ROUNDS = 3

HEAD = """# A front with two workers

What `benchmarks/front_workers.py` found: how many times faster two workers count by a front than
one, choice of the order and counts up to symmetry included: the ratio of the medians of {rounds}
runs each, in turn, and the least and the greatest of the ratios of the rounds. Load of the machine
before the first run: {load:.1f}.

| puzzle | solutions | two workers | of the rounds |
|---|---:|---:|---:|
"""


def main() -> None:
    """Print the table; write it too if asked for."""
    table = HEAD.format(rounds=ROUNDS, load=os.getloadavg()[0])
    for name in PUZZLES:
        puzzle = load(name)
        seconds: dict[int, list[float]] = {1: [], 2: []}
        numbers = set()
        for _ in range(ROUNDS):
            for workers, times in seconds.items():
                begun = time.monotonic()
                numbers.add(OrbitCount(puzzle, Frontier(workers=workers)).run().raw)
                times.append(time.monotonic() - begun)
        (raw,) = numbers
        ratios = [one / two for one, two in zip(*seconds.values(), strict=True)]
        gain = median(seconds[1]) / median(seconds[2])
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        table += f"| `{name}` | {raw:,} | {gain:.2f} times | {spread} |\n"
    print(table, end="")
    if "--write" in sys.argv[1:]:
        RESULT.write_text(table, "utf-8")


if __name__ == "__main__":
    main()
