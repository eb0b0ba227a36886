"""Writing puzzles as puzzle files, from which equal puzzles can be read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import takewhile
from string import ascii_letters
from typing import Any

import numpy as np

from exactile.atomic import written
from exactile.doors import door
from exactile.errors import FileError, PuzzleError
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.piece_groups import disconnected
from exactile.files.puzzles.region_writer import region_table
from exactile.files.puzzles.rules import labels_value, number_table, read_paint
from exactile.files.puzzles.structure import FORMAT, PaintTable
from exactile.files.puzzles.units import parse_drawing, write_drawing, write_signs, write_units
from exactile.files.sources import Place
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Omission, Paint, Puzzle
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom
from exactile.puzzle.pieces.sets import piece_set, table
from exactile.puzzle.puzzle import IDENTIFIER

WIDTH = 100
"""A list of pieces with their cells is on one line if the line has at most this many characters."""


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as the table ``[puzzle.ID]`` of a puzzle file.

    If possible, pieces are written as named sets or selections from them, and the region as a
    builder, such as a box, or as a drawing. Reading the table gives an equal puzzle. Raise
    FileError if the puzzle's name is not an identifier, or if the format cannot express the puzzle.

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
    """Return the text of a puzzle file with some puzzles; `comment` is put at its top.

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
    """Write a puzzle file with `comment` at its top; the path ``"-"`` is standard output.

    Raises
    ------
    FileError
        If there is no puzzle, if a name or alias is used twice, or if `puzzle_text` raises it.
    OSError
        If the file cannot be written.

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
    """Return the lines of a puzzle file that state groups of pieces.

    Several groups have a line each. A single group has one line, unless it lists cells and the line
    would be too long or contain a drawing; then each piece has its own lines.
    """
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
    """Return the lines of a puzzle file about fixed placements, rules, paint and labels."""
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
    """Return a puzzle's color rules under the keys ``separated`` and ``joined``; empty if none.

    Raise FileError if two rules of the same kind have the same color.

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

    The paint of the region, and of each piece, is a drawing if the names of its paints are letters
    and reading the drawing gives the same paint. Otherwise units are listed by paint.

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
    """Return a drawing of units: a letter for a painted unit, ``#`` for one without paint.

    If this is impossible, return the painted units as texts, by the name of their paint.
    """
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
    r"""Return a value as TOML on one line.

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
    """Return a key of TOML, in quotes if it needs them.

    >>> toml_key("pentominoes-6x10"), toml_key("a.b")
    ('pentominoes-6x10', '"a.b"')
    """
    return name if BARE.fullmatch(name) else toml_string(name)


def toml_lines(name: str, value: Any) -> list[str]:
    r"""Return the lines of TOML that give a key its value.

    Drawings, other texts of several lines, and lists of several tables take several lines. The
    texts of several lines get a newline at their end. A text that needs escapes, such as labels
    with a backslash, is on one line.

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


LARGEST_GENERATED = 8
"""Up to this order, sets of pieces are generated to recognize the pieces in them."""

LEAST_DRAWN = 6
"""Pieces with at least this many units are written as drawings, smaller ones as lists."""

MOST_SPELLED = 6
"""In one group, at most this many pieces have their numbers of uses stated piece by piece."""

GENERATED = re.compile(r"[pPqQ][0-9]+x[0-9]+")
"""Matches a generated name, such as ``P7x001``, of a piece that has no customary name."""


def piece_tables(pieces: Sequence[Piece], omission: Omission | None) -> list[Table]:
    """Return groups, as in puzzle files, that consist of these pieces in this order.

    The last group also states `omission`, unless that is None. Raise FileError if the parts of a
    piece are more than one unit apart: files have no such pieces.

    >>> import exactile
    >>> piece_tables(exactile.load("tetrasticks-5x5").pieces, None)
    [{'set': 'tetrasticks'}]
    """
    groups: list[Table] = []
    left = list(pieces)
    while left:
        name, run = _longest_run(left)
        if run and len(_spelled(_uses(left[:run]))) > MOST_SPELLED:
            run = _alike(left[:run])
            name, run = _longest_run(left[:run])
        if run:
            groups.append({"set": name} | _choice(name, left[:run]) | _uses(left[:run]))
        else:
            run = _own_run(left)
            groups.append(_own(left[:run]) | _uses(left[:run]))
        left = left[run:]
    if omission is not None:
        names = list(omission.names)
        choice = names if omission.count == 1 else {"from": names, "count": omission.count}
        groups[-1]["choose_omitted"] = choice
    return groups


Members = tuple[dict[str, tuple[Point, ...]], Freedom]
"""The pieces of a set, as points by name, and their freedom."""


@cache
def _members(name: str, lattice: Lattice) -> Members | None:
    """Return the pieces of a set and their freedom; None if there is no such set."""
    try:
        found = piece_set(name, lattice)
    except PuzzleError:
        return None
    return {n: as_tuples(points) for n, points in found.pieces.items()}, found.freedom


def _longest_run(pieces: list[Piece]) -> tuple[str, int]:
    """Return the name of the set with the longest `_run` of the first pieces, and the run's length.

    Of several such sets, one with the freedom of the pieces is preferred, then one without other
    pieces. If no set has the first piece, the length is 0.
    """
    best: tuple[tuple[int, bool, bool], str] = ((0, False, False), "")
    for name in _set_names(pieces):
        found = _members(name, pieces[0].lattice)
        if found is None:
            continue
        run = _run(pieces, found[0])
        moves = found[1] is pieces[0].freedom
        rank = (run, moves, run == len(found[0]))
        if run and rank > best[0]:
            best = (rank, name)
        if moves and run == len(pieces) == len(found[0]):
            break
    return best[1], best[0][0]


def _run(pieces: list[Piece], members: dict[str, tuple[Point, ...]]) -> int:
    """Return how many pieces, from the first one on, belong to a set and are in its order.

    The count ends before a piece with a different freedom. `members`: the pieces of the set.
    """
    places = {name: k for k, name in enumerate(members)}
    last, run = -1, 0
    for piece in pieces:
        place = places.get(piece.name, -1)
        if place <= last or piece.freedom is not pieces[0].freedom:
            break
        if members[piece.name] != tuple(sorted(piece.units)):
            break
        last, run = place, run + 1
    return run


def _set_names(pieces: list[Piece]) -> Iterator[str]:
    """Yield the names of sets that may contain the first piece, the likeliest first."""
    lattice = pieces[0].lattice
    flat = pieces[0].freedom is Freedom.ONE_SIDED and lattice.flips
    sides = ["", "one-sided-"] if flat else [""]
    samples: dict[int, Piece] = {}
    for piece in pieces:
        samples.setdefault(_order(piece), piece)
    for quasi, key, letter in (("", "order", "p"), ("quasi-", "quasi", "q")):
        cheap = list(takewhile(lambda p: _is_cheap(p, key, letter), samples.values()))  # noqa: B023
        for stem in _stems([_order(piece) for piece in cheap], lattice):
            yield from (side + quasi + stem for side in sides)
    yield from (side + stem for stem in table(lattice).get("set", {}) for side in sides)


def _stems(orders: list[int], lattice: Lattice) -> Iterator[str]:
    """Yield the names of sets of polyforms: of the first order, then of the first 1, 2 ... orders.

    Orders 1, 2 and 3 give ``monomino``, ``polyominoes-1``, ``polyominoes-12``, ``polyominoes-123``.
    """
    yield from (name for name, order in lattice.sets.items() if orders[:1] == [order])
    for k in range(1, len(orders) + 1):
        if orders[:k] == sorted(orders[:k]) and orders[k - 1] <= 9:
            yield f"{lattice.plural}-{''.join(map(str, orders[:k]))}"


def _order(piece: Piece) -> int:
    """Return the number of cells of a piece; a cell may be several units, as a tan is."""
    return piece.order // max(1, len(piece.lattice.block))


def _is_cheap(piece: Piece, key: str, letter: str) -> bool:
    """Return whether it is worthwhile to look for a piece among all pieces of its order.

    The order must be 1; or the package must have a table of the pieces of this order, under `key`;
    or the piece must have a generated name with the first letter `letter`, and an order of at most
    `LARGEST_GENERATED`.
    """
    order = _order(piece)
    if order == 1 or str(order) in table(piece.lattice).get(key, {}):
        return True
    fits = GENERATED.fullmatch(piece.name) and piece.name.lower().startswith(letter)
    return bool(fits) and order <= LARGEST_GENERATED


def _choice(name: str, pieces: list[Piece]) -> Table:
    """Return the keys by which a group selects these pieces from a set, with their values.

    The keys are ``omit`` or ``only``, unless the pieces are the whole set, and ``freedom``, unless
    the pieces have the freedom of the set.
    """
    found = _members(name, pieces[0].lattice)
    assert found is not None
    members, freedom = found
    names = [piece.name for piece in pieces]
    missing = [member for member in members if member not in names]
    result: Table = {}
    if missing:
        result = {"omit": missing} if len(missing) <= len(names) else {"only": names}
    if pieces[0].freedom is not freedom:
        result["freedom"] = pieces[0].freedom.value
    return result


def _spelled(uses: Table) -> list[str]:
    """Return the names of the pieces whose numbers of uses are stated piece by piece."""
    return [name for value in uses.values() if isinstance(value, dict) for name in value]


def _alike(pieces: list[Piece]) -> int:
    """Return how many pieces, from the first one on, have the same bounds of uses."""
    bounds = [(piece.lower, piece.upper) for piece in pieces]
    return next((k for k, b in enumerate(bounds) if b != bounds[0]), len(bounds))


def _own_run(pieces: list[Piece]) -> int:
    """Return how many pieces, from the first one on, one group can list by their cells.

    They have the same freedom, and those after the first do not belong to a set.
    """
    run = 1
    while run < len(pieces) and pieces[run].freedom is pieces[0].freedom:
        if _longest_run(pieces[run:])[1]:
            break
        run += 1
    return run


def _own(pieces: list[Piece]) -> Table:
    """Return a group, as in puzzle files, that lists the cells of these pieces.

    Raise FileError if the parts of a piece are more than one unit apart.
    """
    result: Table = {"cells": {piece.name: _cells(piece) for piece in pieces}}
    lattice = pieces[0].lattice
    if pieces[0].freedom is not customary_freedom(lattice):
        result["freedom"] = pieces[0].freedom.value
    scattered = [p for p in pieces if disconnected(p.points, lattice, quasi=False) is not None]
    if scattered:
        result["quasi"] = True
    for piece in scattered:
        if disconnected(piece.points, lattice, quasi=True) is not None:
            raise FileError(
                f"Piece {piece.name} cannot be written: its parts are more than one unit apart, "
                "and puzzle files have no such pieces."
            )
    return result


def _cells(piece: Piece) -> str:
    """Return the cells of a piece: a drawing if it is large, else a text such as ``0..2,0 1,1``.

    A drawing is used only if reading it gives the same units.
    """
    coordinates = piece.lattice.coordinates(piece.points)
    if piece.order >= LEAST_DRAWN and piece.lattice.sketch is not None:
        text = write_drawing(coordinates, [], piece.lattice)
        if sorted(parse_drawing(text, piece.lattice)[0]) == sorted(coordinates):
            return text
    return write_units(coordinates)


def _uses(pieces: list[Piece]) -> Table:
    """Return the keys ``copies`` and ``ranges`` that state how often the pieces are used.

    Return no keys if each piece is used exactly once.
    """
    bounds = {piece.name: (piece.lower, piece.upper) for piece in pieces}
    if len(set(bounds.values())) == 1:
        low, high = next(iter(bounds.values()))
        if (low, high) == (1, 1):
            return {}
        return {"copies": low} if low == high else {"ranges": _range(low, high)}
    exact = {n: low for n, (low, high) in bounds.items() if low == high and low != 1}
    ranges = {n: _range(low, high) for n, (low, high) in bounds.items() if low < high}
    return ({"copies": exact} if exact else {}) | ({"ranges": ranges} if ranges else {})


def _range(low: int, high: int) -> str | list[int]:
    return f"{low}..{high}" if high < 10**6 else [low, high]
