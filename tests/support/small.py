"""Small puzzles that many tests use, made without files."""

from __future__ import annotations

from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.pieces.sets import piece_set


def box_puzzle(set_name: str, *sizes: int, lattice: str = "square") -> Puzzle:
    """Return the puzzle to fill a box with one of each piece of a set."""
    grid = get_lattice(lattice)
    pieces = piece_set(set_name, grid)
    region = Region(grid, grid.points(grid.builders["box"](*sizes)))
    return Puzzle("box", region, tuple(pieces.piece(name) for name in pieces.pieces))


def dominoes(width: int, height: int, *, holes: tuple[tuple[int, int], ...] = ()) -> Puzzle:
    """Return the puzzle to fill a rectangle less some cells with dominoes."""
    grid = get_lattice("square")
    cells = [c for c in grid.builders["box"](width, height) if c not in holes]
    n = len(cells) // 2
    domino = piece_set("domino", grid).piece("I2", n, n)
    return Puzzle("dominoes", Region(grid, grid.points(cells)), (domino,))


def mutilated(size: int) -> Puzzle:
    """Return the chessboard that lacks two opposite corners."""
    return dominoes(size, size, holes=((0, 0), (size - 1, size - 1)))


def stick_puzzle(*names: str, width: int = 1, height: int = 1) -> Puzzle:
    """Return polysticks of orders 1 to 4 in the edges around a box."""
    grid = get_lattice("square-edges")
    cells = grid.builders["box"](width, height)
    pieces = piece_set("polysticks-1234", grid)
    chosen: tuple[Piece, ...] = tuple(pieces.piece(name) for name in names)
    return Puzzle("sticks", Region(grid, grid.units_around(cells, 1)), chosen)
