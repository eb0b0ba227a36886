"""Build models, from 2,056 options to two million; print size, seconds and peak memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

CASES = {
    "pentominoes-6x10": ("square", "pentominoes", (10, 6)),
    "hexominoes-15x14": ("square", "hexominoes", (15, 14)),
    "soma-3x3x3": ("cube", "soma", (3, 3, 3)),
    "hexacubes-10x10x10": ("cube", "hexacubes", (10, 10, 10)),
}


def measure(name: str) -> None:
    """Build one model twice and print what the second time took, and the memory of the process."""
    from exactile.geometry import get_lattice
    from exactile.model.lower import lower
    from exactile.puzzle import Puzzle, Region
    from exactile.puzzle.pieces.sets import piece_set

    lattice_name, set_name, sizes = CASES[name]
    lattice = get_lattice(lattice_name)
    begun = time.perf_counter()
    pieces = piece_set(set_name, lattice)
    region = Region(lattice, lattice.points(lattice.builders["box"](*sizes)))
    puzzle = Puzzle(name, region, tuple(pieces.piece(p) for p in pieces.pieces))
    first = time.perf_counter() - begun
    begun = time.perf_counter()
    model = lower(puzzle)
    print(
        json.dumps(
            {
                "puzzle": name,
                "items": model.items,
                "options": model.options,
                "members": len(model.members),
                "puzzle_seconds": round(first, 4),
                "lower_seconds": round(time.perf_counter() - begun, 4),
                "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:  # a process of its own for each, so that the memory is its own too
        for case in CASES:
            subprocess.run([sys.executable, __file__, case], check=True)
