"""Assemblies in files of BurrTools: a voxel and the number of a turn for each copy of a piece.

Copies are in the order of the problem; one that is not used is an ``x``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactile.errors import ExactileError
from exactile.files.foreign.xml_nodes import Node
from exactile.files.foreign.xmpuzzle_shapes import Shape
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Point
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.puzzle import sorted_solution
from exactile.wanted import seen

UNUSED = "x"

MOST_SOLUTIONS = 20_000
"""Largest number of stored solutions that are read."""

MOST_COPIES = 500_000
"""Largest number of copies of pieces in them."""

MOST_PLACES = 20_000
"""Largest number of different places of these."""

Places = dict[tuple[int | str | None, ...], Placement]
"""Placements by shape, voxel and turn; voxel and turn as in the file."""


class ShapeLine(NamedTuple):
    """A shape of a problem, its largest number of copies, and the name of its piece, if any."""

    shape: Shape
    copies: int
    piece: str


def read_assemblies(
    problem: Node, puzzle: Puzzle, lines: list[ShapeLine], notes: list[str]
) -> list[Solution]:
    """Return the stored solutions of a problem.

    Those that do not fit the puzzle are left out, with a remark; whether the others solve it is not
    checked.
    """
    nodes = [n for part in problem.all("solutions") for n in part.all("solution")]
    most = min(MOST_SOLUTIONS, MOST_COPIES // max(1, sum(line.copies for line in lines)))
    if len(nodes) > most:
        notes.append(f"only {most:,} of {len(nodes):,} stored solutions read")
    places: Places = {}
    found = []
    for number, node in enumerate(nodes[:most], start=1):
        try:
            found.append(_solution(node, puzzle, lines, places))
        except ExactileError as error:
            notes.append(f"stored solution {number} of {puzzle.name} left out: {error}")
    return found


def _solution(node: Node, puzzle: Puzzle, lines: list[ShapeLine], places: Places) -> Solution:
    """Return a stored solution; new places of pieces are added to `places`."""
    most = 4 * sum(line.copies for line in lines)
    words = iter(node.one("assembly").text.split(None, most))
    placements = []
    for shape, copies, piece in lines:
        for _ in range(copies):
            first = next(words, None)
            if first == UNUSED:
                continue
            numbers = (first, *(next(words, None) for _ in "yzt"))
            key = (id(shape), *numbers)
            if key not in places:
                if len(places) == MOST_PLACES:
                    raise node.error(f"the pieces have more than {MOST_PLACES:,} places in all.")
                units = _units(node, puzzle, shape, *(_number(word, node) for word in numbers))
                places[key] = Placement(piece, units)
            placements.append(places[key])
    if next(words, None) is not None:
        raise node.error("the assembly has more numbers than the problem has pieces.")
    return sorted_solution(placements, puzzle.piece_index)


def _units(
    node: Node, puzzle: Puzzle, shape: Shape, x: int, y: int, z: int, turn: int
) -> tuple[Point, ...]:
    """Return the units of a shape whose hot spot comes to a voxel after a turn."""
    if turn >= len(shape.grid.turns) or turn < 0:
        raise node.error(f"there is no turn {turn} on a grid of {shape.grid.name}.")
    units = shape.grid.placed(shape.voxels, shape.hot_spot, turn, np.array([x, y, z]))
    if units is None:
        raise node.error(f"the turn {turn} carries shape {shape.name} off the grid.")
    units = units[:, : puzzle.lattice.dimension]
    if (puzzle.region.index(units) < 0).any():
        raise node.error(f"a copy of shape {shape.name} is not in the result.")
    return as_tuples(units)


def _number(word: str | None, node: Node) -> int:
    if word is None:
        raise node.error("the assembly has fewer numbers than the problem has pieces.")
    if not word.removeprefix("-").isdecimal() or not word.isascii() or len(word) > 9:
        raise node.error(f"{seen(word)} in an assembly is not a number.")
    return int(word)
