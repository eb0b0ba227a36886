"""Find solutions that published counts missed, by doing what the published search did.

The folder holds ``regions.json`` (puzzle: how the search restricted a piece against duplicates, as
aspects of its stored form), ``pieces.json`` (the stored forms) and ``catalogue.tsv`` (the published
numbers). A solution was missed if none of its images under the symmetries of the puzzle has
the piece as it was restricted. Before anything is written, the restricted search must give the
published number. Each puzzle gets a solution file in TARGET, whose header says why it was missed.

    python benchmarks/catalogue/missed.py FOLDER TARGET
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import exactile
from exactile.atomic import written
from exactile.files import write_solutions
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import sorted_solution

Units = tuple[Point, ...]
Solution = exactile.Solution
Allowed = Callable[[Units], bool]

RESTRICTED = {
    "SolidPentominoesThreeWalls": "F",
    "Polytwigs1234Hex3": "P4",
    "Polytwigs1234Hex4": "P4",
    "Polytwigs1234Hex5": "P4",
    "Polytwigs1234Hex6": "P4",
}
"""Puzzles whose search had only some aspects of a piece, and the piece."""

PLACED = {
    "OneSidedPolyominoes234Octagon": (
        "I4",
        (((1, 1), (1, 2), (1, 3), (1, 4)), ((2, 0), (2, 1), (2, 2), (2, 3))),
    )
}
"""Puzzles whose search had only some placements of a piece, and these."""

UNTRACED = {
    "Polytrigs23ThreeCongruent_x13": (
        "The published search finds none: it leaves out what reaches beyond the bounding box that "
        "it is given. There are {number}, or 8 if the three parts are not told apart; one of them:",
        1,
    ),
    "SolidPentominoesSpinnerBlock": (
        "How the published search went wrong could not be traced: none of the restrictions of "
        "one piece that we tried gives 42. But here are {number} solutions, and no symmetry of "
        "the block carries one of them into another. By the place of X they are {places}.",
        0,
    ),
}
"""Puzzles whose search cannot be done again: what is said, and how many solutions are shown."""

TURN = np.array([[0, -1], [1, 1]])
"""A sixth of a turn of the grids of triangles and hexagons."""

QUARTER = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
"""A quarter turn of space about the z axis."""


def aspects(family: str, form: Points, rotations: list[int]) -> list[Points]:
    """Return the form turned so many times; in space in each of the three planes."""
    if family == "polytwig":
        return [form @ np.linalg.matrix_power(TURN, r).T for r in rotations]
    turned = [form @ np.linalg.matrix_power(QUARTER, r).T for r in rotations]
    return [np.roll(aspect, axis, axis=1) for aspect in turned for axis in range(3)]


def shifted(units: Units | Points, period: int) -> Units:
    """Return units moved to the origin."""
    points = np.array(units)
    points = points - points.min(axis=0) // period * period
    return tuple(sorted(tuple(p) for p in points.tolist()))


def allowed(name: str, piece: str, data: dict[str, Any], folder: Path) -> Allowed:
    """Return a test of placements: whether the published search had it."""
    puzzle = exactile.load(name)
    limits = data["restrict"][piece]
    if limits.get("flips") is not None or "axes" in limits:
        raise ValueError(f"{name}: only restricted rotations are understood.")
    pieces = json.loads((folder / "pieces.json").read_text("utf-8"))
    form = puzzle.lattice.points(pieces[data["family"]][data["set"]][piece])
    period = puzzle.lattice.period
    forms = {shifted(a, period) for a in aspects(data["family"], form, limits["rotations"])}
    return lambda units: shifted(units, period) in forms


def classes(puzzle: exactile.Puzzle) -> list[list[Solution]]:
    """Return the solutions in classes of those that symmetries carry into each other, sorted."""
    points = [tuple(p) for p in puzzle.region.units.tolist()]
    number = {p: i for i, p in enumerate(points)}
    group = exactile.symmetries(puzzle)

    def image(solution: Solution, units: list[int], pieces: list[int]) -> Solution:
        placements = (
            exactile.Placement(
                puzzle.pieces[pieces[puzzle.piece_index[name]]].name,
                tuple(sorted(points[units[number[p]]] for p in place)),
            )
            for name, place in solution
        )
        return sorted_solution(placements, puzzle.piece_index)

    moves = [(s.units.tolist(), s.pieces.tolist()) for s in group]
    seen: set[Solution] = set()
    found = []
    with exactile.Search(puzzle) as search:
        solutions = sorted(sorted_solution(s, puzzle.piece_index) for s in search)
    for solution in solutions:
        if solution not in seen:
            orbit = {image(solution, *move) for move in moves}
            seen |= orbit
            found.append(sorted(orbit))
    return found


def places(orbits: list[list[Solution]], piece: str) -> str:
    """Return how many classes have a piece at each place up to symmetry, in words."""
    least = Counter(
        min(units for solution in orbit for name, units in solution if name == piece)
        for orbit in orbits
    )
    return " + ".join(str(n) for n in sorted(least.values(), reverse=True))


def traced(
    name: str, piece: str, test: Allowed, said: str, published: int
) -> tuple[str, list[Solution]]:
    """Return why a solution was missed, and the first such solution."""
    orbits = classes(exactile.load(name))
    met = [sum(test(u) for s in orbit for n, u in s if n == piece) for orbit in orbits]
    if sum(met) != published:
        raise ValueError(f"{name}: the search gives {sum(met)}, published is {published}.")
    twice, none = sum(m > 1 for m in met), met.count(0)
    note = (
        f"The published search {said}. That gives {published:,} solutions. But of the "
        f"{len(orbits):,} classes {none:,} have no solution among these"
        + (f", and {twice:,} have more than one" if twice else "")
        + ". One that was missed:"
    )
    return note, [orbits[met.index(0)][0]]


def main(folder: Path, target: Path) -> None:
    """Write the solution files."""
    regions = json.loads((folder / "regions.json").read_text("utf-8"))
    with (folder / "catalogue.tsv").open(encoding="utf-8") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream, delimiter="\t")}
    found = {}
    for name, piece in RESTRICTED.items():
        test = allowed(name, piece, regions[name], folder)
        count = len(regions[name]["restrict"][piece]["rotations"])
        said = f"does not flip {piece} and has only {count} of its rotations"
        published = int(rows[name]["published_solutions"])
        found[name] = traced(name, piece, test, said, published)
    for name, (piece, kept) in PLACED.items():
        said = f"has {piece} only at " + " and at ".join(
            " ".join(f"{x},{y}" for x, y in units) for units in kept
        )
        published = int(rows[name]["published_solutions"])
        found[name] = traced(name, piece, kept.__contains__, said, published)
    for name, (note, shown) in UNTRACED.items():
        orbits = classes(exactile.load(name))
        said = note.format(
            number=len(orbits), places=places(orbits, "X") if "{places}" in note else ""
        )
        found[name] = (said, [orbit[0] for orbit in orbits[: shown or None]])
    for name, (note, solutions) in found.items():
        puzzle = exactile.load(name)
        for solution in solutions:
            exactile.check(puzzle, solution)
        text = StringIO()
        write_solutions(puzzle, solutions, text)
        header, rest = text.getvalue().split("\n", 1)
        with written(target / f"{puzzle.name}.jsonl") as out:
            out.write(json.dumps({**json.loads(header), "note": note}) + "\n" + rest)
        print(f"{puzzle.name}: {note}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
