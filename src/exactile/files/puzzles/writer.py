"""Puzzles as sections of puzzle files; read again, they are equal."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from string import ascii_letters
from typing import Any

import numpy as np

from exactile.atomic import written
from exactile.doors import door
from exactile.errors import FileError, PuzzleError
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.piece_writer import piece_tables
from exactile.files.puzzles.region_writer import region_table
from exactile.files.puzzles.rules import labels_value, number_table, read_paint
from exactile.files.puzzles.structure import FORMAT, PaintTable
from exactile.files.puzzles.units import write_signs, write_units
from exactile.files.sources import Place
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Paint, Puzzle
from exactile.puzzle.puzzle import IDENTIFIER

WIDTH = 100
"""Longer lines are broken where the format allows it."""


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as a section ``[puzzle.ID]``.

    Pieces are written as a named set, regions as a builder or a drawing, if these give exactly the
    pieces and the region. The section, when read, equals the puzzle. Raise FileError if the
    puzzle's name is not an identifier, or the format cannot express a part of it.

    >>> import exactile
    >>> print(puzzle_text(exactile.load("tetrasticks-5x5-without-h")), end="")
    [puzzle.tetrasticks-5x5-without-h]
    title = "Tetrasticks, 5 by 5 squares without H"
    lattice = "square-edges"
    pieces = { set = "tetrasticks", omit = ["H"] }
    region.box = [5, 5]
    known = [{ count = 72, up_to = "symmetry", source = "Polyform Puzzler" }]
    """
    if not IDENTIFIER.fullmatch(puzzle.name):
        raise FileError(
            f"The puzzle's name {toml_string(puzzle.name)} is not an identifier: use "
            "letters, digits, hyphens, dots and underscores."
        )
    lines = [f"[puzzle.{toml_key(puzzle.name)}]"]
    if puzzle.title and puzzle.title != puzzle.name:
        lines.append(f"title = {toml_string(puzzle.title)}")
    if puzzle.aliases:
        lines.append(f"aliases = {toml_inline(puzzle.aliases)}")
    if puzzle.source:
        lines.append(f"source = {toml_string(puzzle.source)}")
    lines.append(f"lattice = {toml_string(puzzle.lattice.name)}")
    lines += _pieces(piece_tables(puzzle.pieces, puzzle.omission))
    for key, value in region_table(puzzle.region).items():
        lines += toml_lines(f"region.{key}", value)
    lines += _rules(puzzle)
    known = [{k: v for k, v in asdict(entry).items() if v != ""} for entry in puzzle.known]
    lines += toml_lines("known", known) if known else []
    return "\n".join(lines) + "\n"


def document_text(puzzles: Iterable[Puzzle], comment: str = "") -> str:
    """Return a whole puzzle file; the comment is at its head.

    Raise FileError as `puzzle_text` does.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> document_text([puzzle], "Of the catalogue.").splitlines()[:4]
    ['# Of the catalogue.', '', 'format = 1', '']
    """
    plain = "".join(c if c.isprintable() or c in "\t\n" else " " for c in comment)
    head = [f"# {line}".rstrip() for line in plain.splitlines()] + ([""] if comment else [])
    sections = [puzzle_text(puzzle) for puzzle in puzzles]
    return "\n".join([*head, f"format = {FORMAT}", "", "\n".join(sections)])


@door
def write_puzzles(
    path: str | os.PathLike[str], puzzles: Iterable[Puzzle], comment: str = ""
) -> None:
    """Write a puzzle file; ``"-"`` is standard output.

    Raises
    ------
    FileError
        If there is no puzzle, or a name is used twice; see also `puzzle_text`.

    Examples
    --------
    >>> import exactile, tempfile
    >>> path = tempfile.mkdtemp() + "/my.toml"
    >>> write_puzzles(path, [exactile.load("pentominoes-6x10")])
    >>> exactile.load(path).name
    'pentominoes-6x10'
    """
    puzzles = list(puzzles)
    names = [puzzle.name for puzzle in puzzles]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FileError(f"Two puzzles are called '{twice}': a file has each name once.")
    text = document_text(puzzles, comment)
    Document(path, text)  # refuses what could not be read again, such as an alias used twice
    with written(path) as stream:
        stream.write(text)


def _pieces(groups: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the pieces: one line, one for each group, or one for each piece."""
    if len(groups) > 1:
        return toml_lines("pieces", groups)
    group = groups[0]
    whole = toml_lines("pieces", group)
    if "cells" not in group or (len(whole[0]) <= WIDTH and "\\n" not in whole[0]):
        return whole
    lines = []
    for name, cells in group["cells"].items():
        lines += toml_lines(f"pieces.cells.{toml_key(name)}", cells)
    for key, value in group.items():
        if key != "cells":
            lines += toml_lines(f"pieces.{key}", value)
    return lines


def _rules(puzzle: Puzzle) -> list[str]:
    """Return the lines of the other rules."""
    fixed = [
        {"piece": piece, "units": _text(units, puzzle.lattice)} for piece, units in puzzle.fixed
    ]
    lines = toml_lines("fixed", fixed) if fixed else []
    lines += [] if puzzle.crossing else ["crossing = false"]
    if puzzle.together:
        lines += toml_lines("together", list(map(list, puzzle.together)))
    for key, colors in color_tables(puzzle).items():
        lines += toml_lines(key, colors)
    opened = [
        {"units": _text(rule.units, puzzle.lattice), **number_table(rule)}
        for rule in puzzle.open_rules
    ]
    lines += toml_lines("open", opened) if opened else []
    used = [
        {
            "pieces": list(rule.pieces),
            **({"places": [_text(p, puzzle.lattice) for p in rule.places]} if rule.places else {}),
            **number_table(rule),
        }
        for rule in puzzle.use_rules
    ]
    lines += toml_lines("use", used) if used else []
    for key, value in paint_table(puzzle).items():
        lines += toml_lines(f"paint.{key}", value)
    if puzzle.labels:
        lines += toml_lines("labels", labels_value(puzzle.labels, puzzle.region))
    return lines


def _text(units: tuple[Point, ...], lattice: Lattice) -> str:
    return write_units(lattice.coordinates(np.array(units, dtype=np.int64)))


Table = dict[str, Any]


def color_tables(puzzle: Puzzle) -> Table:
    """Return the keys of a puzzle file that state the color rules of a puzzle.

    Raise FileError if one color has two rules of one kind.

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

    >>> import exactile
    >>> paint_table(exactile.load("pentominoes-6x10"))
    {}
    """
    paint = puzzle.paint
    if paint == Paint():
        return {}
    units = [tuple(u) for u in puzzle.region.units.tolist()]
    whole: Table = {"region": _painted(paint.units, units, puzzle.lattice), "pieces": {}}
    if _read(whole, puzzle).units != paint.units:
        whole["region"] = _listed(paint.units, puzzle.lattice)
    for name, own in paint.pieces.items():
        piece = puzzle.piece(name)
        table: Table = {
            "region": {},
            "pieces": {name: _painted(own, list(piece.units), puzzle.lattice)},
        }
        if _read(table, puzzle).pieces.get(name) != own:
            table["pieces"][name] = _listed(own, puzzle.lattice)
        whole["pieces"][name] = table["pieces"][name]
    if paint.fits:
        whole["fits"] = {color: list(on) for color, on in paint.fits.items()}
    return whole


def _read(table: Table, puzzle: Puzzle) -> Paint:
    """Return the paint that a table describes; empty paint if the table cannot be read."""
    try:
        return read_paint(PaintTable(**table), puzzle.pieces, puzzle.region, Place("the paint"))
    except PuzzleError:
        return Paint()


def _painted(paint: Mapping[Point, str], units: list[Point], lattice: Lattice) -> str | Table:
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


BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_inline(value: Any) -> str:
    r"""Return a value on one line.

    >>> toml_inline({"set": "pentominoes", "omit": ["X"], "a b": 2, "crossing": False})
    '{ set = "pentominoes", omit = ["X"], "a b" = 2, crossing = false }'
    """
    if isinstance(value, Mapping):
        parts = [f"{toml_key(k)} = {toml_inline(v)}" for k, v in value.items()]
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_inline, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return toml_string(value) if isinstance(value, str) else str(value)


def toml_string(text: str) -> str:
    r"""Return a text as a string of TOML.

    >>> print(toml_string('5 "by" 4'), toml_string("a\nb"))
    "5 \"by\" 4" "a\nb"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(name: str) -> str:
    """Return a key, in quotes if it needs them.

    >>> toml_key("pentominoes-6x10"), toml_key("a.b")
    ('pentominoes-6x10', '"a.b"')
    """
    return name if BARE.fullmatch(name) else toml_string(name)


def toml_lines(name: str, value: Any) -> list[str]:
    r"""Return the lines that set a key: several for drawings and long lists.

    A text that needs escapes, such as labels with a backslash, is on one line.

    >>> toml_lines("region.drawing", "#.\n##")[1:3]
    ['#.', '##']
    >>> toml_lines("region.box", [5, 4]), toml_lines("labels", "a\\b\nc")
    (['region.box = [5, 4]'], ['labels = "a\\\\b\\nc"'])
    """
    if isinstance(value, str) and "\n" in value and not re.search(r'\\|"""', value):
        return [f'{name} = """', *value.split("\n"), '"""']
    if isinstance(value, Mapping) and any("\n" in v for v in value.values() if isinstance(v, str)):
        return [line for k, v in value.items() for line in toml_lines(f"{name}.{toml_key(k)}", v)]
    if isinstance(value, list) and len(value) > 1 and isinstance(value[0], Mapping):
        return [f"{name} = [", *(f"  {toml_inline(entry)}," for entry in value), "]"]
    return [f"{name} = {toml_inline(value)}"]
