"""One solution of random puzzles that have one: all pieces of a set, on every lattice.

    python benchmarks/planted.py --seconds 60 --seed 1      # results/planted.md

Pieces are put side by side in a random order, each over the open unit that is nearest to where the
first one lies. What they fill is the region. So there is a solution, and nobody has tuned anything
for these puzzles. Seconds are those of the processor, for each of two; building the model is not
counted.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
from answered import PROCESSORS, spent

from exactile import Piece, Puzzle
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Region
from exactile.puzzle.pieces.generate import generate
from exactile.search import Search
from exactile.search.case import Case

RESULTS = Path(__file__).parent / "results" / "planted.md"
KINDS = {"free": ("free", 1, 60), "one-sided": ("one-sided", 1, 60), "twice": ("free", 2, 30)}
"""Which pieces are equal, how often each is used, and how many pieces there are at most."""


def planted(name: str, kind: str, seed: int) -> Puzzle:
    """Return a puzzle with all pieces of the largest order that are not too many."""
    lattice, rng = get_lattice(name), random.Random(f"{name} {kind} {seed}")
    freedom, copies, most = KINDS[kind]
    order, forms = 2, generate(lattice, 2, freedom)
    while len(larger := generate(lattice, order + 1, freedom)) <= most:
        order, forms = order + 1, larger
    pieces = [
        Piece(f"P{k}", lattice, form.tolist(), freedom, copies, copies)
        for k, form in enumerate(forms)
    ]
    while (units := filled(lattice, pieces * copies, rng)) is None:
        pass
    return Puzzle(f"{name}, {order} units, {kind}", Region(lattice, units), tuple(pieces))


def filled(lattice: Lattice, pieces: list[Piece], rng: random.Random) -> np.ndarray | None:
    """Return the units of all pieces, put side by side; None if one fits nowhere."""
    start = rng.choice(lattice.origins)
    taken: set[Point] = set()
    border = {start}
    for piece in rng.sample(pieces, len(pieces)):
        aspects = list(piece.aspects)
        for target in sorted(border, key=lambda unit: math.dist(unit, start) + rng.random()):
            shifts = [(a, np.subtract(target, u)) for a in aspects for u in a]
            rng.shuffle(shifts)
            for aspect, shift in shifts:
                placed = {tuple(u) for u in (aspect + shift).tolist()}
                if not (shift % lattice.period).any() and not placed & taken:
                    break
            else:
                continue
            break
        else:
            return None
        taken |= placed
        border |= {
            tuple(np.add(unit, step).tolist())
            for unit in placed
            for step in lattice.neighbors[int(lattice.types(np.array(unit)))]
        }
        border -= taken
    return np.array(sorted(taken), dtype=np.int64)


def row(puzzle: Puzzle, seconds: float, seed: int) -> str:
    """Return what comes of one search, as a row of the table."""

    def watch(search: Search) -> None:
        if spent() - begun > seconds * PROCESSORS:
            search.cancel()

    case = Case(puzzle)
    cells = [puzzle.name, len(puzzle.pieces), f"{case.asked.options:,}", case.model.meaning.units]
    begun = spent()
    with Search(case, backend="auto", limit=1, seed=seed, watch=watch) as search:
        next(search, None)
    found = search.status.value in ("solvable", "complete")
    by = search.backend.name.removeprefix("auto (").removesuffix(")")
    cells += [by, f"{spent() - begun:.1f}"] if found else ["-", f"> {seconds * PROCESSORS:g}"]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Run what the command line says, and write the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows: list[str] = []
    for name in lattice_names():
        for kind in KINDS:
            rows.append(row(planted(name, kind, arguments.seed), arguments.seconds, arguments.seed))
            print(rows[-1], flush=True)
            missed = Counter("| - |" in told for told in rows)[True]
            RESULTS.write_text(
                "# Random puzzles with a solution\n\n"
                f"Made and tried by `benchmarks/planted.py`, seed {arguments.seed}: "
                f"{len(rows) - missed} of {len(rows)} solved by `auto` in "
                f"{arguments.seconds:g} seconds of each of {PROCESSORS} processors. Seconds are "
                "those of all together.\n\n"
                "| puzzle | pieces | options | units | by | seconds |\n"
                "| --- | ---: | ---: | ---: | --- | ---: |\n" + "\n".join(rows) + "\n"
            )


if __name__ == "__main__":
    main()
