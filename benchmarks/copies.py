"""First solutions where pieces are copies: `auto` beside the best other backend, by the clock.

    python benchmarks/copies.py              # a table
    python benchmarks/copies.py --write      # also to results/first-copies.md

The puzzles, and which backend is the best for each, are those of `results/first.md`. Every run is a
process of its own with one worker. Its seconds are those of `exactile compare`: of searching and of
starting the solver, not of building the model. They say little on a machine that does anything
else: its load is written down.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median

import exactile

RESULTS = Path(__file__).parent / "results"
SEEDS = (1, 2, 3, 4, 5)

HEAD = """# First solutions, copies: `auto` beside the best of the others

Seconds by the clock, as `benchmarks/copies.py` found them, with seeds {seeds}: the median, and the
longest. Both backends are asked for one solution, each time in a new process, with one worker. The
other backend is the best of `first.md`. Load of the machine before the first run:
{load:.1f}.

| puzzle | best other | its median | longest | auto: median | longest | found by |
| --- | --- | ---: | ---: | ---: | ---: | --- |
"""


def best_others() -> dict[str, str]:
    """Return the best backend for each puzzle of `first.md`, without `auto`."""
    lines = (RESULTS / "first.md").read_text("utf-8").splitlines()
    head, _, *rows = [[c.strip() for c in x.strip("|").split("|")] for x in lines if x[:1] == "|"]
    others = [name for name in head[2:] if name != "auto"]
    found = {}
    for puzzle, _, *cells in rows:
        seconds = [float(c) if c[0] != ">" else float("inf") for c in cells[: len(others)]]
        found[puzzle] = others[seconds.index(min(seconds))]
    return found


def main() -> None:
    """Print the table; write it too if asked for."""
    seeds = ", ".join(map(str, SEEDS))
    table = HEAD.format(seeds=seeds, load=os.getloadavg()[0])
    for name, other in sorted(best_others().items()):
        runs = exactile.compare(
            [exactile.load(name)], [other, "auto"], seeds=SEEDS, task="first", workers=1
        ).runs
        cells = [f"`{name}`", other]
        for asked in (other, "auto"):
            seconds = [run.seconds for run in runs if run.backend.startswith(f"{asked}+")]
            cells += [f"{median(seconds):.2f}", f"{max(seconds):.2f}"]
        finders = [run.settled_by for run in runs if run.backend.startswith("auto+")]
        names = [
            f.removeprefix("auto (").removeprefix("first:chance (").rstrip(")") for f in finders
        ]
        table += f"| {' | '.join([*cells, ', '.join(dict.fromkeys(names))])} |\n"
    print(table, end="")
    if "--write" in sys.argv[1:]:
        (RESULTS / "first-copies.md").write_text(table, "utf-8")


if __name__ == "__main__":
    main()
