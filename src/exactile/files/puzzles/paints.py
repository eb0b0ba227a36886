"""Colors of puzzle files: rules about the colors of pieces, and the paint of single units."""

from __future__ import annotations

from string import ascii_letters
from typing import Literal

import numpy as np

from exactile.errors import FileError, PieceError
from exactile.files.puzzles.drawing import parse_signs
from exactile.files.puzzles.structure import PaintTable, PuzzleTable, Units
from exactile.files.puzzles.units import internal
from exactile.files.sources import Place
from exactile.geometry.isometry import to_origin
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import ColorRule, Paint, Region
from exactile.puzzle.paint import by_unit
from exactile.puzzle.pieces.piece import Piece


def read_color_rules(table: PuzzleTable) -> tuple[ColorRule, ...]:
    """Return the color rules of a puzzle."""
    kinds: tuple[Literal["separated", "joined"], ...] = ("separated", "joined")
    return tuple(
        ColorRule(kind, color, tuple(pieces))
        for kind in kinds
        for color, pieces in getattr(table, kind).items()
    )


def read_paint(
    table: PaintTable | None, pieces: tuple[Piece, ...], region: Region, place: Place
) -> Paint:
    r"""Return the paint of a puzzle.

    Raise FileError, PieceError or RegionError if it is wrong; the message names the place in the
    file.

    >>> import exactile
    >>> square = exactile.get_lattice("square")
    >>> board = Region(square, square.points([(0, 0), (1, 0), (0, 1), (1, 1)]))
    >>> pieces = (exactile.piece_set("domino", square).piece("I2"),)
    >>> read_paint(PaintTable("bw\nwb", {"I2": "bw"}), pieces, board, Place("my.toml")).pieces
    {'I2': {(0, 0): 'b', (0, 1): 'w'}}
    """
    if table is None:
        return Paint()
    by_name = {piece.name: piece for piece in pieces}
    with (place / "region").errors():
        units = by_unit(_painted(table.region, region.lattice), region)
    own = {}
    for name, painted in table.pieces.items():
        with (place / f"pieces.{name}").errors():
            if name not in by_name:
                raise PieceError(
                    f"The puzzle has no piece '{name}'. Its pieces: {' '.join(by_name)}."
                )
            if isinstance(painted, str):
                own[name] = _matched(painted, by_name[name])
            else:
                own[name] = _painted(painted, region.lattice)
    return Paint(units, own, {paint: tuple(on) for paint, on in table.fits.items()})


def _painted(table: str | dict[str, Units], lattice: Lattice) -> dict[Point, str]:
    """Return the paint of units by their points."""
    if isinstance(table, str):
        signs = parse_signs(table, lattice, ascii_letters)
        return {
            _point(cell, lattice): sign for cell, sign in signs.items() if sign in ascii_letters
        }
    found: dict[Point, str] = {}
    for paint, units in table.items():
        for unit in internal(units, lattice):
            if unit in found:
                where = list(lattice.coordinates(np.array([unit]))[0])
                raise FileError(f"The unit {where} has two paints: {found[unit]} and {paint}.")
            found[unit] = paint
    return found


def _point(cell: Point, lattice: Lattice) -> Point:
    return tuple(lattice.points([cell])[0].tolist())


def _matched(drawing: str, piece: Piece) -> dict[Point, str]:
    """Return the paint of a piece drawn in one of its orientations."""
    lattice = piece.lattice
    signs = parse_signs(drawing, lattice, ascii_letters)
    drawn = np.array([_point(cell, lattice) for cell in signs], dtype=np.int64)
    goals = {tuple(u): unit for u, unit in _at_origin(piece.points, piece)}
    for matrix in piece.motions if len(drawn) else ():
        turned = _at_origin(drawn @ matrix.T, piece)
        if {tuple(u) for u, _ in turned} == goals.keys():
            there = [goals[tuple(u)] for u, _ in turned]
            pairs = zip(there, signs.values(), strict=True)
            return {unit: sign for unit, sign in pairs if sign in ascii_letters}
    raise PieceError(
        f"The drawing is not piece {piece.name}: draw all its units, in an orientation it may have."
    )


def _at_origin(
    points: np.ndarray[tuple[int, int], np.dtype[np.int64]], piece: Piece
) -> list[tuple[Point, Point]]:
    """Return points at the origin, each with the point that it comes from."""
    moved = to_origin(points, piece.lattice.period).tolist()
    return [(tuple(m), tuple(p)) for m, p in zip(moved, points.tolist(), strict=True)]
