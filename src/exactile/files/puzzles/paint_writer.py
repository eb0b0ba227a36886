"""Colors of puzzles as tables of puzzle files; see `exactile.files.puzzles.paints`."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_letters
from typing import Any

import numpy as np

from exactile.errors import FileError, PuzzleError
from exactile.files.io.place import Place
from exactile.files.puzzles.drawing import write_signs
from exactile.files.puzzles.paints import read_paint
from exactile.files.puzzles.structure import PaintTable
from exactile.files.puzzles.units import write_units
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Paint, Puzzle

Table = dict[str, Any]


def color_tables(puzzle: Puzzle) -> Table:
    """Return the keys of a puzzle file that state the color rules of a puzzle.

    Raises
    ------
    FileError
        If one color has two rules of one kind.

    Examples
    --------
    >>> import exactile
    >>> color_tables(exactile.load("pentominoes-6x10"))
    {}
    """
    tables: Table = {}
    for rule in puzzle.color_rules:
        colors = tables.setdefault(rule.kind, {})
        if rule.color in colors:
            raise FileError(
                f"The puzzle {puzzle.name} cannot be written: two rules are called "
                f"{rule.kind}.{rule.color}. Rename one."
            )
        colors[rule.color] = list(rule.pieces)
    return tables


def paint_table(puzzle: Puzzle) -> Table:
    """Return the table ``paint`` of a puzzle, empty if nothing is painted.

    The region and each piece are drawn if their paints are letters and the drawing is read as the
    same paint; otherwise units are listed by paint.

    Examples
    --------
    >>> import exactile
    >>> paint_table(exactile.load("pentominoes-6x10"))
    {}
    """
    paint = puzzle.paint
    if paint == Paint():
        return {}
    units = [tuple(u) for u in puzzle.region.units.tolist()]
    whole: Table = {"region": _told(paint.units, units, puzzle.lattice), "pieces": {}}
    if _read(whole, puzzle).units != paint.units:
        whole["region"] = _listed(paint.units, puzzle.lattice)
    for name, own in paint.pieces.items():
        piece = puzzle.piece(name)
        told: Table = {
            "region": {},
            "pieces": {name: _told(own, list(piece.units), puzzle.lattice)},
        }
        if _read(told, puzzle).pieces.get(name) != own:
            told["pieces"][name] = _listed(own, puzzle.lattice)
        whole["pieces"][name] = told["pieces"][name]
    if paint.fits:
        whole["fits"] = {color: list(on) for color, on in paint.fits.items()}
    return whole


def _read(table: Table, puzzle: Puzzle) -> Paint:
    """Return the table as read, nothing if it cannot be read."""
    try:
        return read_paint(PaintTable(**table), puzzle.pieces, puzzle.region, Place("the paint"))
    except PuzzleError:
        return Paint()


def _told(paint: Mapping[Point, str], units: list[Point], lattice: Lattice) -> str | Table:
    """Return a drawing of units and their paint if possible, else lists of units."""
    drawable = set(paint.values()) <= set(ascii_letters) and lattice.sketch is not None
    if not drawable or not paint:
        return _listed(paint, lattice)
    cells = lattice.coordinates(np.array(units, dtype=np.int64))
    signs = {cell: paint.get(unit, "#") for cell, unit in zip(cells, units, strict=True)}
    return write_signs(signs, lattice)


def _listed(paint: Mapping[Point, str], lattice: Lattice) -> Table:
    by_name: dict[str, list[Point]] = {}
    for unit, name in paint.items():
        by_name.setdefault(name, []).append(unit)
    return {
        name: write_units(lattice.coordinates(np.array(sorted(units), dtype=np.int64)))
        for name, units in sorted(by_name.items())
    }
