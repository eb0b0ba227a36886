"""Is the time left right that `exactile status` tells? Searches of some minutes, asked often.

    cd benchmarks && python time_left.py results/time-left.jsonl
    cd benchmarks && python time_left.py results/time-left.jsonl --table > results/time-left.md

Each puzzle is counted into a store by a process of its own, and the store is asked twice a second.
What it told at several points is compared with what came: by processor time, and by the clock,
which other programs on the machine make wrong as well.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from exactile.errors import ExactileError
from exactile.runs.store import Store

PUZZLES = (
    "polyominoes-45-aztec-diamond",
    "one-sided-hexiamonds-obeirnes-hexagon-g",
    "one-sided-hexiamonds-obeirnes-hexagon",
    "heptiamonds-hexgrid-hexagon-x3",
    "one-sided-pentominoes-5x18",
)
POINTS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
LATE = 0.02
"""What is told so much later still counts for a point."""

OFTEN = 0.5


def main() -> None:
    """Search, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        print(table([json.loads(text) for text in given.results.read_text().splitlines()]))
        return
    for puzzle in given.puzzles:
        result = watched(puzzle, given.workers)
        with given.results.open("a") as stream:
            stream.write(json.dumps(result) + "\n")
        print(puzzle, f"{result['seconds']:.0f} s", flush=True)


def watched(puzzle: str, workers: int) -> dict[str, Any]:
    """Return what was known of a search while it went on, in seconds.

    That is: how long it had searched, by processor time and by the clock; the processor time that
    was left, and its error.
    """
    told: list[tuple[float, ...]] = []
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "a.store"
        words = ["count", puzzle, "--store", str(path), "--workers", str(workers), "-q"]
        process = subprocess.Popen([sys.executable, "-m", "exactile", *words])
        while process.poll() is None:
            time.sleep(OFTEN)
            known = asked(path)
            if known is not None and known[2] is not None and known not in told:
                told.append(known)
        if process.returncode:
            raise SystemExit(f"{puzzle}: the search ended with {process.returncode}.")
        seconds, clock = asked(path)[:2]
    return {"puzzle": puzzle, "seconds": seconds, "clock": clock, "told": told}


def asked(path: Path) -> Any:
    """Return what is known of the first run of a store; None if nothing is written yet."""
    try:
        with Store(path) as store:
            sessions = store.sessions(1)
    except ExactileError:
        return None
    known = [(s.spent, s.seen - s.begun, s.rest, s.rest_error) for s in sessions]
    return known[-1] if known else None


def judged(result: dict[str, Any], point: float) -> dict[str, float] | None:
    """Return what was told at a point of a search, as ratios to what came; None if nothing was."""
    told = [t for t in result["told"] if t[0] >= point * result["seconds"]]
    if not told or (first := told[0])[0] > (point + LATE) * result["seconds"]:
        return None
    seconds, passed, left, error = first
    slowness = passed / seconds
    truth, clock = result["seconds"] - seconds, result["clock"] - passed
    return {
        "ratio": left / truth,
        "error": error / truth,
        "within": abs(left - truth) <= error,
        "within_clock": abs(left * slowness - clock) <= error * slowness,
    }


def table(results: list[dict[str, Any]]) -> str:
    """Return a table in Markdown."""
    lines = [
        "# Time left",
        "",
        "`benchmarks/time_left.py`: what `exactile status` told when so much of a search was done,",
        "in processor time: told / true, and the error told / true. In brackets: the truth lay",
        f"outside. A dash: nothing new was told from there to {LATE:.0%} later. Below: how often",
        "it lay within, by processor time and by the clock of a machine that others use too.",
        "",
        f"| puzzle | seconds | told from | {' | '.join(f'{p:.0%}' for p in POINTS)} |",
        f"|---|---:|---:|{'---:|' * len(POINTS)}",
    ]
    everything: list[dict[str, float]] = []
    for result in results:
        cells = []
        for point in POINTS:
            one = judged(result, point)
            if one is None:
                cells.append("-")
                continue
            everything.append(one)
            words = f"{one['ratio']:.2f} ± {one['error']:.2f}"
            cells.append(words if one["within"] else f"({words})")
        first = result["told"][0][0] / result["seconds"]
        lines.append(
            f"| {result['puzzle']} | {result['seconds']:.0f} | {first:.1%} | {' | '.join(cells)} |"
        )
    for name, words in {"within": "processor time", "within_clock": "the clock"}.items():
        number = sum(one[name] for one in everything)
        lines += ["", f"By {words}: within the range {number:.0f} times of {len(everything)}."]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
