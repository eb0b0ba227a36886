"""All solutions by SAT: our search against cubes and positive phases alone, in the same run.

Usage: enumeration.py [--repeat N] [--write]. Every run is a process of its own; the ways take
turns. Compared is the time of the processor, of all processes together: on a busy machine it is
steadier than the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import exactile
from exactile.counting import count
from exactile.geometry import get_lattice
from exactile.model.encode import encode
from exactile.model.lower import lower
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.sets import piece_set

RESULTS = Path(__file__).parents[1] / "results"


def pentominoes_8x8() -> Puzzle:
    """Return the twelve pentominoes on the chessboard without its four middle squares."""
    square = get_lattice("square")
    pieces = piece_set("pentominoes", square)
    middle = {(3, 3), (3, 4), (4, 3), (4, 4)}
    cells = [c for c in square.builders["box"](8, 8) if c not in middle]
    chosen = tuple(pieces.piece(name) for name in pieces.pieces)
    return Puzzle("pentominoes 8x8", Region(square, square.points(cells)), chosen)


def y_pentominoes_15x15() -> Puzzle:
    """Return 45 Y pentominoes in a square."""
    square = get_lattice("square")
    piece = piece_set("pentominoes", square).piece("Y", 45, 45)
    return Puzzle("Y", Region(square, square.points(square.builders["box"](15, 15))), (piece,))


INSTANCES: dict[str, tuple[Callable[[], Puzzle], int]] = {
    "pentominoes 8x8, middle removed": (pentominoes_8x8, 520),
    "45 Y pentominoes in 15x15": (y_pentominoes_15x15, 1696),
    "Soma cube": (lambda: exactile.load("soma-cube"), 11520),
}


def baseline(puzzle: Puzzle) -> int:
    """Count by the starting point: one solver, cubes on the smallest item, positive phases."""
    from pysat.solvers import Solver

    model = lower(puzzle)
    solver = Solver("cadical195", bootstrap_with=encode(model, "pairwise").clauses())
    solver.set_phases(list(range(1, model.options + 1)))
    once = np.flatnonzero((model.lower == 1) & (model.upper == 1)).tolist()
    item = min(once, key=lambda i: len(model.options_with(i)))
    found = 0
    for option in model.options_with(item).tolist():
        while solver.solve([option + 1]):
            found += 1
            solver.add_clause([-x for x in solver.get_model() if 0 < x <= model.options])
        solver.add_clause([-option - 1])
    return found


def ours(puzzle: Puzzle, **options: bool) -> int:
    """Count by the backend, as ``exactile count`` does."""
    return count(puzzle, backend="sat:cadical195", **options).raw or 0


def without_symmetry(puzzle: Puzzle) -> int:
    """Count by the backend with the symmetry switched off."""
    return ours(puzzle, use_symmetry=False)


WAYS: dict[str, Callable[[Puzzle], int]] = {
    "starting point": baseline,
    "sat, no symmetry": without_symmetry,
    "sat": ours,
}


def measure(way: str, instance: str) -> tuple[float, float, int]:
    """Return processor time, clock time and the number of solutions of a run of its own."""
    words = [sys.executable, __file__, "--run", way, instance]
    begun = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = int(process.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begun, found


def race(repeat: int) -> list[dict[str, object]]:
    """Return one line an instance: how many times less than the starting point each way takes."""
    lines: list[dict[str, object]] = []
    for instance, (_, expected) in INSTANCES.items():
        times: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(repeat):
            for way in WAYS:
                seconds, clock, found = measure(way, instance)
                assert found == expected, (instance, way, found)
                times[way].append(seconds)
                print(f"{instance}: {way}: {seconds:.2f} ({clock:.2f} by the clock)", flush=True)
        base = statistics.median(times["starting point"])
        ratios = {way: round(base / statistics.median(times[way]), 2) for way in WAYS}
        lines.append({"instance": instance, "solutions": expected, "runs": repeat, "less": ratios})
    return lines


def table(lines: list[dict[str, object]]) -> str:
    """Return the lines as a table."""
    rows = [
        "# All solutions by SAT",
        "",
        "How many times less processor time than the starting point (one CaDiCaL 1.9.5, pairwise",
        "encoding, cubes on the item with the fewest options, positive phases), all in one run,",
        "with one thread; start of Python and building of the model included. Medians. Written by",
        "`benchmarks/sat/enumeration.py --write`.",
        "",
        f"| instance | solutions | {' | '.join(WAYS)} |",
        f"|---|---|{'---|' * len(WAYS)}",
    ]
    for line in lines:
        less = line["less"]
        assert isinstance(less, dict)
        rows.append(
            f"| {line['instance']} | {line['solutions']} | "
            + " | ".join(str(less[way]) for way in WAYS)
            + " |"
        )
    return "\n".join([*rows, ""])


def main() -> None:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--run", nargs=2)
    given = parser.parse_args()
    if given.run:
        way, instance = given.run
        print(WAYS[way](INSTANCES[instance][0]()))
        return
    lines = race(given.repeat)
    print(table(lines))
    if given.write:
        (RESULTS / "sat-enumeration.json").write_text(json.dumps(lines, indent=1) + "\n")
        (RESULTS / "sat-enumeration.md").write_text(table(lines))


if __name__ == "__main__":
    main()
