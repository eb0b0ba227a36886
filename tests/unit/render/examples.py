"""Small solved puzzles, one a lattice, written down by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Coordinates
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.puzzle import sorted_solution


def solved(
    lattice: str,
    placements: Sequence[tuple[str, Coordinates]],
    empty: Coordinates = (),
    wrap: Sequence[Sequence[int]] = (),
) -> tuple[Puzzle, Solution]:
    """Return the puzzle that has this solution, and the solution.

    Placements with the same name are copies of the first; `empty` are optional units left over.
    """
    home = get_lattice(lattice)
    units = np.concatenate([home.points(p) for _, p in placements] + [home.points(empty)])
    optional = np.arange(len(units)) >= len(units) - len(empty)
    region = Region(home, units, optional, Wrap(wrap) if wrap else None)
    pieces: dict[str, Piece] = {}
    for name, coordinates in placements:
        uses = pieces[name].upper + 1 if name in pieces else 1
        first = pieces.get(
            name, Piece(name, home, as_tuples(home.points(coordinates)), Freedom.FREE)
        )
        pieces[name] = replace(first, lower=uses, upper=uses)
    puzzle = Puzzle("example", region, tuple(pieces.values()))
    placed = [Placement(n, tuple(sorted(as_tuples(home.points(p))))) for n, p in placements]
    return puzzle, sorted_solution(placed, puzzle.piece_index)


SQUARES = solved(
    "square",
    [("L", [(0, 0), (1, 0), (2, 0), (0, 1)]), ("P", [(1, 1), (2, 1), (1, 2), (2, 2), (0, 2)])],
    empty=[(3, 2)],
)
CUBES = solved(
    "cube",
    [
        ("V", [(0, 0, 0), (1, 0, 0), (1, 1, 0)]),
        ("F5", [(0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1)]),
    ],
)
HEXAGONS = solved(
    "hexagon",
    [("V3", [(0, 0), (1, 0), (1, 1)]), ("I3", [(0, 1), (0, 2), (0, 3)])],
    empty=[(2, 0)],
)
TRIANGLES = solved(
    "triangle",
    [
        ("I3", [(0, 0, 0), (0, 0, 1), (1, 0, 0)]),
        ("T4", [(1, 0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0)]),
    ],
)
STICKS = solved(
    "square-edges",
    [
        ("U", [(0, 0, 1), (0, 1, 0), (1, 0, 1)]),
        ("J", [(0, 0, 0), (1, 0, 0), (2, 0, 1)]),
    ],
    empty=[(1, 1, 0)],
)
TRIGS = solved(
    "triangle-edges",
    [("O3", [(0, 0, 0), (0, 0, 1), (1, 0, 2)]), ("S14", [(0, 1, 0), (1, 1, 2), (2, 0, 2)])],
    empty=[(1, 0, 0)],
)
TWIGS = solved(
    "hexagon-edges",
    [("C3", [(0, 0, 0), (0, 0, 1), (0, 0, 2)]), ("S3", [(1, 0, 1), (0, 1, 2), (0, 1, 0)])],
)
SHEETS = solved(
    "cube-faces",
    [("A", [(1, 1, 0), (2, 1, 1)]), ("B", [(1, 0, 1), (0, 1, 1), (1, 2, 1)]), ("C", [(1, 1, 2)])],
)
RODS = solved(
    "cube-edges",
    [
        ("U", [(1, 0, 0), (2, 0, 1), (1, 0, 2)]),
        ("V", [(0, 1, 0), (0, 2, 1)]),
    ],
    empty=[(0, 0, 1)],
)
QUARTERS = solved(
    "quarter-squares",
    [
        ("A", [(0, 0, 2), (0, 0, 3), (1, 0, 2), (1, 0, 3)]),
        ("B", [(0, 0, 0), (0, 0, 1), (0, 1, 3), (0, 1, 0)]),
    ],
    empty=[(1, 0, 1)],
)
SIXTHS = solved(
    "sixth-triangles",
    [
        ("A", [(0, 0, 0), (0, 0, 1), (0, 1, 8)]),
        ("B", [(0, 1, 9), (1, 0, 4), (1, 0, 5), (1, 0, 3), (0, 1, 10), (0, 1, 11)]),
    ],
    empty=[(1, 0, 2)],
)
KITES = solved(
    "kites",
    [
        ("A", [(0, 0, 0), (0, 0, 1), (0, 0, 2)]),
        ("B", [(0, 0, 3), (0, 0, 4)]),
        ("C", [(1, 0, 3), (1, 0, 4), (0, 1, 5)]),
    ],
    empty=[(0, 0, 5)],
)
ALL = {
    "squares": SQUARES,
    "cubes": CUBES,
    "hexagons": HEXAGONS,
    "triangles": TRIANGLES,
    "sticks": STICKS,
    "trigs": TRIGS,
    "twigs": TWIGS,
    "sheets": SHEETS,
    "rods": RODS,
    "quarters": QUARTERS,
    "sixths": SIXTHS,
    "kites": KITES,
}


def dominoes(columns: int, lines: int) -> tuple[Puzzle, Solution]:
    """Return a box of `columns` (even) by `lines` full of lying dominoes."""
    return solved(
        "square",
        [("I2", [(x, y), (x + 1, y)]) for y in range(lines) for x in range(0, columns, 2)],
    )
