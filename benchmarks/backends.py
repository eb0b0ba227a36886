"""Count the solutions of the same puzzles with every backend; print counts, counters, seconds."""

from __future__ import annotations

import json
import sys

from exactile import count, load

PUZZLES = [
    "tritrigs-heart-2",
    "tetrahexes-4x7",
    "pentominoes-3x20",
    "pentatwigs-5x3",
    "hexiamonds-6x6",
]
BACKENDS = ["dlx", "sat:cadical195", "cpsat", "reference"]
TIME_LIMIT = 120.0


def main(puzzles: list[str]) -> None:
    """Print one line a puzzle and backend."""
    for name in puzzles:
        puzzle = load(name)
        for backend in BACKENDS:
            answer = count(puzzle, backend=backend, time_limit=TIME_LIMIT)
            numbers = {"raw": answer.raw, "symmetry": answer.symmetry, "found": answer.found}
            line = {"puzzle": name, "backend": backend, **numbers, "stopped": answer.stopped}
            print(json.dumps(line | answer.stats), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or PUZZLES)
