"""Puzzles that colorings are known to forbid or not, made without files."""

from __future__ import annotations

from collections.abc import Sequence

from exactile.geometry import get_lattice
from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.sets import piece_set

SQUARE = get_lattice("square")


def copies(set_name: str, piece: str, width: int, height: int, *holes: tuple[int, int]) -> Puzzle:
    """Return the puzzle to fill a rectangle less some cells with copies of one piece."""
    cells = [c for c in SQUARE.builders["box"](width, height) if c not in holes]
    pieces = piece_set(set_name, SQUARE)
    number = len(cells) // pieces.piece(piece).order
    name = f"{piece}-{width}x{height}"
    return Puzzle(
        name, Region(SQUARE, SQUARE.points(cells)), (pieces.piece(piece, number, number),)
    )


def all_of(
    set_name: str, cells: Sequence[Point], lattice: str = "square", omit: str = ""
) -> Puzzle:
    """Return the puzzle to fill some units with one of each piece of a set, or all but one."""
    grid = get_lattice(lattice)
    pieces = piece_set(set_name, grid)
    chosen = tuple(pieces.piece(name) for name in pieces.pieces if name != omit)
    return Puzzle(f"{set_name}-{omit}", Region(grid, grid.points(cells)), chosen)


def tetrasticks(omit: str) -> Puzzle:
    """Return the tetrasticks but one in 5 by 5 squares."""
    grid = get_lattice("square-edges")
    points = grid.units_around(grid.builders["box"](5, 5), 1)
    return all_of("tetrasticks", grid.coordinates(points), "square-edges", omit)
