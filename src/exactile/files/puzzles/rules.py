"""Reading from puzzle files: rules about numbers and about colors, paint, and labels of units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from string import ascii_letters
from typing import Literal

import numpy as np

from exactile.errors import FileError, PieceError, RegionError
from exactile.files.puzzles.structure import (
    NumberTable,
    OpenTable,
    PaintTable,
    PuzzleTable,
    Units,
    UseTable,
)
from exactile.files.puzzles.units import internal, mark_of, parse_signs, write_units
from exactile.files.sources import Place
from exactile.geometry.isometry import to_origin
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import ColorRule, OpenRule, Paint, Region, UseRule
from exactile.puzzle.paint import by_unit
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.rules import in_region
from exactile.wanted import seen


def read_open(
    tables: Iterable[OpenTable], region: Region, place: Place
) -> tuple[tuple[OpenRule, ...], Region]:
    """Return the rules about uncovered units, and the changed region.

    In the returned region, all units that a rule names are optional. Raise PuzzleError if a rule is
    wrong; the message names its place in the file.
    """
    rules = []
    for number, table in enumerate(tables):
        with (place / f"open[{number}]").errors():
            rule = OpenRule(tuple(internal(table.units, region.lattice)), *_bounds(table))
            optional = region.optional.copy()
            inside = region.index(np.array(rule.units, dtype=np.int64))
            optional[inside[inside >= 0]] = True
            region = Region(region.lattice, region.places, optional, region.wrap)
            if (kept := in_region(rule, region)) is not None:
                rules.append(kept)
    return tuple(rules), region


def read_use(tables: Iterable[UseTable], lattice: Lattice, place: Place) -> tuple[UseRule, ...]:
    """Return the rules about how many pieces of a group are used.

    Raise PuzzleError if a rule is wrong; the message names its place in the file. Whether the
    pieces exist is not checked.
    """
    rules = []
    for number, table in enumerate(tables):
        with (place / f"use[{number}]").errors():
            places = tuple(tuple(internal(units, lattice)) for units in table.places)
            rules.append(UseRule(tuple(table.pieces), *_bounds(table), places))
    return tuple(rules)


def _bounds(table: NumberTable) -> tuple[int, int | None]:
    given = [table.exactly, table.at_least, table.at_most]
    if given == [None] * 3 or (table.exactly is not None and given[1:] != [None] * 2):
        raise FileError(
            "write how many: exactly = 1, or at_least = 1, or at_most = 2, or these two together."
        )
    if table.exactly is not None:
        return table.exactly, table.exactly
    return table.at_least or 0, table.at_most


def number_table(rule: OpenRule | UseRule) -> dict[str, int]:
    """Return the bounds of a rule as keys and values of a puzzle file.

    >>> number_table(UseRule(("L4",), 1, 1)), number_table(UseRule(("L4",), 0, 2))
    ({'exactly': 1}, {'at_most': 2})
    """
    if rule.lower == rule.upper:
        return {"exactly": rule.lower}
    least = {"at_least": rule.lower} if rule.lower or rule.upper is None else {}
    return least | ({} if rule.upper is None else {"at_most": rule.upper})


def read_color_rules(table: PuzzleTable) -> tuple[ColorRule, ...]:
    """Return the rules about colors that the keys ``separated`` and ``joined`` state."""
    kinds: tuple[Literal["separated", "joined"], ...] = ("separated", "joined")
    return tuple(
        ColorRule(kind, color, tuple(pieces))
        for kind in kinds
        for color, pieces in getattr(table, kind).items()
    )


def read_paint(
    table: PaintTable | None, pieces: tuple[Piece, ...], region: Region, place: Place
) -> Paint:
    r"""Return the paint of a puzzle; empty if `table` is None.

    Raise PuzzleError if it is wrong; the message names the place in the file. Whether all painted
    units lie in the region and in the pieces is not checked.

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
    """Return the paint of each painted unit, by its point, from a drawing or a table.

    Raise PuzzleError if the drawing or the table is wrong, for example if a unit has two paints.
    """
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
    """Return the paint of a piece's units from a drawing of the piece.

    The drawing may show any orientation that the piece may have in the puzzle. Raise PieceError if
    it does not show the piece, RegionError if it cannot be read.
    """
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
    """Move points to the origin together; return a pair of new and old point for each."""
    moved = to_origin(points, piece.lattice.period).tolist()
    return [(tuple(m), tuple(p)) for m, p in zip(moved, points.tolist(), strict=True)]


NONE = "."
"""The word in a grid of labels that stands for a unit without a label."""


def read_labels(
    labels: str | Mapping[str, Units], region: Region, place: Place
) -> dict[Point, str]:
    r"""Return the label of each unit that has one, by the point of the unit.

    If `labels` is a text, each of its lines stands for a line of units, the top one first, and each
    word in it for a unit; a dot is the word for no label. Raise PuzzleError if the labels are
    wrong; the message names their place. Whether the units lie in the region is not checked.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> board = Region(square, square.points([(0, 0), (1, 0), (0, 1)]))
    >>> read_labels("Jan\n1 .", board, Place("my.toml"))
    {(0, 1): 'Jan', (0, 0): '1'}
    >>> read_labels({"Jan": "0..1,0"}, board, Place("my.toml"))
    {(0, 0): 'Jan', (1, 0): 'Jan'}
    """
    with place.errors():
        if not isinstance(labels, str):
            found: dict[Point, str] = {}
            for label, units in labels.items():
                for unit in map(tuple, internal(units, region.lattice)):
                    if found.setdefault(unit, label) != label:
                        raise FileError(
                            f"{seen(found[unit])} and {seen(label)} label the same unit: write "
                            "one label for each."
                        )
            return found
        rows = lines_of(region)
        lines = [line.split() for line in labels.splitlines() if line.strip()]
        if len(lines) != len(rows):
            raise FileError(
                f"they have {len(lines)} lines, and the region {len(rows)} lines of units: write "
                f"a word for each unit, or {NONE} for none, in lines that stand as the units do."
            )
        for number, (row, words) in enumerate(zip(rows, lines, strict=True), start=1):
            if len(row) != len(words):
                raise FileError(
                    f"line {number} has {len(words)} words for {len(row)} units: write a word for "
                    f"each unit from left to right, or {NONE} for none."
                )
        pairs = zip(chain(*rows), chain(*lines), strict=True)
        return {unit: word for unit, word in pairs if word != NONE}


def lines_of(region: Region) -> list[list[Point]]:
    """Return the lines of units of a region in the order of drawings: top first, left to right.

    In space the lines of the lowest layer come first. Raise RegionError if the lattice has no
    drawings.
    """
    lattice = region.lattice
    lines: dict[tuple[int, int], list[tuple[int, Point]]] = {}
    cells = lattice.coordinates(region.places)
    for cell, unit in zip(cells, region.units.tolist(), strict=True):
        column, line, layer = mark_of(cell, lattice)
        lines.setdefault((layer, -line), []).append((column, tuple(unit)))
    return [[unit for _, unit in sorted(line)] for _, line in sorted(lines.items())]


def labels_value(labels: Mapping[Point, str], region: Region) -> str | dict[str, str]:
    """Return labels as a value for puzzle files: a grid of words if possible, else units by label.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> board = Region(square, square.points([(0, 0), (1, 0), (0, 1)]))
    >>> print(labels_value({(0, 1): "Jan", (0, 0): "1"}, board))
    Jan
    1   .
    >>> labels_value({(0, 1): "Jan", (0, 0): "New Year"}, board)
    {'New Year': '0,0', 'Jan': '0,1'}
    """
    words = set(labels.values())
    try:
        rows = lines_of(region)
    except RegionError:
        words.add(" ")
    if all(word.split() == [word] for word in words) and NONE not in words:
        width = max(map(len, words))
        lines = (" ".join(f"{labels.get(u, NONE):{width}}" for u in row) for row in rows)
        return "\n".join(line.rstrip() for line in lines)
    units: dict[str, list[Point]] = {}
    for unit, word in sorted(labels.items()):
        units.setdefault(word, []).append(unit)
    return {
        word: write_units(region.lattice.coordinates(np.array(points, dtype=np.int64)))
        for word, points in units.items()
    }
