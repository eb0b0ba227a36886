"""Puzzles of BurrTools, from version 2 of its XML files, compressed by gzip or plain.

A file has shapes, which are boxes of voxels: ``#`` is a cell, ``+`` an optional cell, ``_`` a voxel
without a cell. A number after ``#`` or ``+`` is the color of the cell. A problem lists the shapes
to be packed, with the number of copies of each, and the shape to be filled, called the result.
Pieces may be turned but not reflected, like solid ones. If everything lies in one layer of cubes or
triangular prisms, the puzzle is read as one of squares or triangles.

Color 0 means no color and matches everything. Any other color of a piece matches a color of the
result if the problem lists this pair; in the list, color 1 has the number 0. Colors therefore have
an effect only if both the pieces and the result have some. The colors become the puzzle's paint.

A stored solution is an ``<assembly>``: the places of all copies of the shapes, in the order in
which the problem lists the shapes. An ``x`` stands for a copy that is not used.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

from exactile.errors import ExactileError, FileError, PuzzleError
from exactile.files.foreign import MOST_BYTES, Foreign, distinct, identifier, stem
from exactile.files.foreign.xmpuzzle_parts import GRIDS, Grid, Node, Shape, parse_xml, read_shape
from exactile.files.sources import shown
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import MAX_UNITS, Point
from exactile.puzzle import Paint, Placement, Puzzle, Region, Solution
from exactile.puzzle.paint import key
from exactile.puzzle.pieces.piece import Piece, customary_freedom
from exactile.puzzle.puzzle import sorted_solution
from exactile.puzzle.rules import OpenRule
from exactile.wanted import seen

VERSION = "2"

MOST_SHAPES = 10_000
"""Largest number of shapes in a file."""

MOST_PROBLEMS = 1_000
"""Largest number of problems in a file."""

NO_RESULT = 0xFFFFFFFF
"""The shape number that a problem without a result states as its result."""


@dataclass(frozen=True)
class ShapeUse:
    """A shape that a problem lists, with the bounds of its number of copies.

    `groups`: the number of copies in each group, by the group's number. Pieces in a group need not
    be taken apart from each other.
    """

    shape: Shape
    lower: int
    upper: int
    groups: dict[int, int]


def parse_xmpuzzle(name: str, data: bytes) -> Foreign:
    """Read the puzzles in the data of a file; `name` is for messages and identifiers.

    Of several problems, those that cannot be read are left out, with a remark. A problem cannot be
    read if it is not complete, or has features that are not supported, such as optional cells in
    pieces. Raise FileError if the file is damaged, or if none of its several problems can be read;
    PuzzleError if its only problem cannot be read.

    >>> text = b'''<puzzle version="2"><gridType type="0"/><shapes>
    ... <voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="2" y="2" z="1" type="0">####</voxel>
    ... </shapes><problems><problem><shapes><shape id="0" count="2"/></shapes><result id="1"/>
    ... </problem></problems></puzzle>'''
    >>> puzzle, = parse_xmpuzzle("two.xmpuzzle", text).puzzles
    >>> puzzle, puzzle.pieces[0].upper, len(puzzle.region)
    (Puzzle(name='two'), 2, 4)
    """
    root = parse_xml(name, _unpacked(name, data))
    if root.tag != "puzzle":
        raise root.error("a BurrTools file begins with <puzzle>.")
    if root.attributes.get("version") != VERSION:
        found = shown(root.attributes.get("version"))
        raise root.error(f"this version reads version {VERSION} of the format, not {found}.")
    grid = _grid(root.one("gridType"))
    shapes: list[Shape] = []
    room = MAX_UNITS
    for number, node in enumerate(_few(root.one("shapes"), "voxel", MOST_SHAPES), start=1):
        shapes.append(read_shape(node, number, grid, room))
        room -= len(shapes[-1].voxels)
    problems = _few(root.one("problems"), "problem", MOST_PROBLEMS)
    if not problems:
        raise root.error("it has no problem, only shapes.")
    names = [p.attributes.get("name") or stem(name) for p in problems]
    ids = distinct([identifier(n) for n in ([stem(name)] if len(names) == 1 else names)])
    notes: list[str] = []
    puzzles: list[Puzzle] = []
    solutions: list[list[Solution]] = []
    with root.place.errors():
        for i, title, problem in zip(ids, names, problems, strict=True):
            try:
                puzzle, lines = _puzzle(i, title, problem, shapes, grid, notes)
            except PuzzleError as error:
                if len(problems) == 1:
                    raise
                notes.append(f"problem '{title}' left out: {error}")
                continue
            puzzles.append(puzzle)
            solutions.append(read_assemblies(problem, puzzle, lines, notes))
    if not puzzles:
        raise root.error(f"none of its problems can be read. {notes[-1]}")
    notes += _lost(root, shapes)
    comment = "\n".join(node.text.strip() for node in root.all("comment"))
    return Foreign(puzzles, comment, list(dict.fromkeys(notes)), solutions)


def _few(node: Node, tag: str, most: int) -> list[Node]:
    """Return the child elements named `tag`; raise FileError if there are more than `most`."""
    found = list(node.all(tag))
    if len(found) > most:
        raise node.error(f"it has {len(found):,} elements <{tag}>: the limit is {most:,}.")
    return found


def _grid(node: Node) -> Grid:
    number = node.number("type")
    if number >= len(GRIDS):
        raise node.error(f"a grid of type {number} is not known: there are 0 to {len(GRIDS) - 1}.")
    return GRIDS[number]


def _lost(root: Node, shapes: list[Shape]) -> Iterator[str]:
    """Yield remarks about the contents that are ignored: weights and stored disassemblies."""
    if any(shape.node.attributes.get("weight", "1") != "1" for shape in shapes):
        yield "weights of shapes ignored: in animations the heaviest piece stays at rest"
    if any(next(node.all("separation"), None) for node in _stored(root)):
        yield "stored disassemblies ignored: `exactile takeapart` finds them"


def _stored(root: Node) -> Iterator[Node]:
    """Yield the ``<solution>`` elements of all problems."""
    for problem in root.one("problems").all("problem"):
        for solutions in problem.all("solutions"):
            yield from solutions.all("solution")


def _unpacked(name: str, data: bytes) -> bytes:
    """Return the XML of a file that may be compressed.

    Raise FileError if the compressed data is damaged, or the XML has more than `MOST_BYTES`.
    """
    if not data.startswith(b"\x1f\x8b"):
        if len(data) > MOST_BYTES:
            raise FileError(f"{name}: it has more than {MOST_BYTES:,} bytes: too many.")
        return data
    try:
        with gzip.open(BytesIO(data)) as stream:
            text = stream.read(MOST_BYTES + 1)
    except EOFError:
        raise FileError(f"{name}: the packed file is cut off.") from None
    except (OSError, zlib.error) as error:
        raise FileError(f"{name}: the packed file is damaged: {error}.") from None
    if len(text) > MOST_BYTES:
        raise FileError(f"{name}: more than {MOST_BYTES:,} bytes are packed in it: too many.")
    return text


def _puzzle(
    name: str, title: str, problem: Node, shapes: list[Shape], grid: Grid, notes: list[str]
) -> tuple[Puzzle, list[ShapeLine]]:
    """Return the puzzle of a problem, and the shapes that the problem lists, in its order.

    `name`: the identifier of the puzzle. Remarks are added to `notes`. Raise PuzzleError if the
    problem cannot be read.
    """
    uses = _uses(problem, shapes)
    node = problem.one("result")
    number = node.number("id")
    if number == NO_RESULT:
        raise node.error(f"problem '{title}' has no result: choose the shape to be built.")
    result = _known(node, number, shapes)
    if not len(result.voxels):
        raise node.error(f"the result, shape {result.name}, is empty.")
    used = _merged(uses)
    flat = grid.flat and result.flat and all(use.shape.flat for use in used)
    lattice = get_lattice(grid.flat) if flat and grid.flat else grid.lattice
    d = lattice.dimension
    names = distinct([use.shape.name for use in used])
    freedom = customary_freedom(lattice)
    pieces = [
        Piece(label, lattice, as_tuples(use.shape.points(d)), freedom, use.lower, use.upper)
        for label, use in zip(names, used, strict=True)
    ]
    region = Region(lattice, result.points(d), result.optional)
    own = {label: use.shape.colored(d) for label, use in zip(names, used, strict=True)}
    paint = paint_of(problem, own, result.colored(d))
    if not paint and any(
        map(any, (colors.values() for colors in (result.colored(d), *own.values())))
    ):
        notes.append("colors that forbid no placement ignored")
    first: dict[bytes, str] = {}  # of congruent pieces, which become one
    owners = {p.name: first.setdefault(key(paint.aspects(p)), p.name) for p in pieces}
    puzzle = Puzzle(
        *(name, region, tuple(pieces)),
        title=title,
        paint=paint,
        together=_together(owners, used, notes),
        open_rules=_open_rules(problem, used, region, notes),
    )
    of_shape = {id(use.shape): owners[label] for label, use in zip(names, used, strict=True)}
    return puzzle, [ShapeLine(u.shape, u.upper, of_shape.get(id(u.shape), "")) for u in uses]


def _known(node: Node, number: int, shapes: list[Shape]) -> Shape:
    if number >= len(shapes):
        raise node.error(f"there is no shape {number}: there are {len(shapes)}, the first is 0.")
    return shapes[number]


def _uses(problem: Node, shapes: list[Shape]) -> list[ShapeUse]:
    """Return the shapes that a problem lists, in its order; a shape may occur several times.

    Raise FileError if a shape does not exist, cannot be a piece, or has impossible bounds, or if no
    shape is used.
    """
    uses = []
    for node in _few(problem.one("shapes"), "shape", MOST_SHAPES):
        shape = _known(node, node.number("id"), shapes)
        low = node.number("count", node.number("min", 1))
        high = node.number("count", node.number("max", 1))
        if low > high:
            raise node.error(f"shape {shape.name} cannot be used {low} to {high} times.")
        if shape.optional.any():
            raise node.error(f"shape {shape.name} is a piece and must have no + voxels.")
        if not len(shape.voxels):
            raise node.error(f"shape {shape.name} is a piece and must not be empty.")
        groups = {g.number("group"): g.number("count", high) for g in node.all("group")}
        if node.number("group", 0):
            groups[node.number("group")] = high
        uses.append(ShapeUse(shape, low, high, groups))
    if not any(use.upper for use in uses):
        raise problem.error("it uses no shape as a piece.")
    return uses


def _merged(uses: list[ShapeUse]) -> list[ShapeUse]:
    """Return one combined use for each shape; shapes without copies are left out."""
    found: dict[int, ShapeUse] = {}
    for use in uses:
        before = found.get(id(use.shape), ShapeUse(use.shape, 0, 0, {}))
        groups = dict(before.groups)
        for number, count in use.groups.items():
            groups[number] = groups.get(number, 0) + count
        found[id(use.shape)] = ShapeUse(
            use.shape, before.lower + use.lower, before.upper + use.upper, groups
        )
    return [use for use in found.values() if use.upper]


def _together(
    owners: dict[str, str], uses: list[ShapeUse], notes: list[str]
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of pieces that need not be taken apart from each other.

    `owners`: maps the name of each shape to the name of the first congruent shape; congruent shapes
    become one piece. `uses`: the uses of the shapes, in the same order. Remarks are added to
    `notes`.
    """
    groups: dict[int, list[str]] = {}
    for label, use in zip(owners, uses, strict=True):
        for number, count in use.groups.items():
            if count < use.upper:
                notes.append(
                    f"{count} of {use.upper} copies of shape {label} are in a group: all are now"
                )
            groups.setdefault(number, []).append(label)
    for group in groups.values():
        others = {owners[label]: label for label in owners if label not in group}
        notes += [
            f"shape {label} is in a group, shape {others[owners[label]]} of the same form is not: "
            "neither is now"
            for label in group
            if owners[label] in others
        ]
    return tuple(tuple(group) for _, group in sorted(groups.items()))


def _open_rules(
    problem: Node, uses: list[ShapeUse], region: Region, notes: list[str]
) -> tuple[OpenRule, ...]:
    """Return ``maxHoles``, the limit of the number of empty cells, as a rule about uncovered units.

    The result is empty if there is no limit, or every solution respects it. As in BurrTools, the
    limit is also ignored, with a remark in `notes`, if each piece is used a fixed number of times:
    then the number of empty cells is determined.
    """
    if "maxHoles" not in problem.attributes:
        return ()
    limit = problem.number("maxHoles")
    least, most = (
        sum(len(use.shape.voxels) * number for use, number in zip(uses, numbers, strict=True))
        for numbers in ([use.lower for use in uses], [use.upper for use in uses])
    )
    free = int(region.optional.sum())
    if limit >= min(free, len(region) - least):
        return ()
    if least == most:
        notes.append(f"limit of {limit} empty cells ignored: the pieces leave {len(region) - most}")
        return ()
    return (OpenRule(as_tuples(region.units[region.optional]), 0, limit),)


Pair = tuple[int, int]
"""The numbers of two matching colors: one of a piece, and one of the shape to be filled."""

Colored = Mapping[Point, int]
"""The number of the color of each cell; 0 means none."""


def allowed_pairs(problem: Node) -> set[Pair]:
    """Return the pairs of matching colors that a problem lists, with colors counted from 1.

    Raise FileError if a pair is not two numbers.

    >>> from exactile.files.foreign.xmpuzzle_parts import parse_xml
    >>> text = b'<problem><bitmap><pair piece="0" result="1"/></bitmap></problem>'
    >>> allowed_pairs(parse_xml("a.xmpuzzle", text))
    {(1, 2)}
    """
    return {
        (pair.number("piece") + 1, pair.number("result") + 1)
        for bitmap in problem.all("bitmap")
        for pair in bitmap.all("pair")
    }


def paint_of(problem: Node, pieces: Mapping[str, Colored], result: Colored) -> Paint:
    """Return the paint for the colors of a problem; empty if they forbid nothing.

    They forbid nothing if each color of a piece matches each color of the region. `pieces`: the
    colors of each piece's cells, by the name of the piece. `result`: the colors of the region.
    Raise FileError if a pair of matching colors is not two numbers.

    >>> from exactile.files.foreign.xmpuzzle_parts import parse_xml
    >>> text = b'<problem><bitmap><pair piece="0" result="0"/></bitmap></problem>'
    >>> problem = parse_xml("a.xmpuzzle", text)
    >>> paint = paint_of(problem, {"I": {(0, 0): 1, (1, 0): 0}}, {(0, 0): 1, (1, 0): 2})
    >>> paint.units, paint.pieces, paint.fits
    ({(0, 0): 'a', (1, 0): 'b'}, {'I': {(0, 0): 'a'}}, {'a': ('a',)})
    """
    allowed = allowed_pairs(problem)
    there = {color for color in result.values() if color}
    own = {color for cells in pieces.values() for color in cells.values() if color}
    if all((color, goal) in allowed for color in own for goal in there):
        return Paint()
    painted = {name: _named(cells) for name, cells in pieces.items()}
    return Paint(
        _named(result),
        {name: cells for name, cells in painted.items() if cells},
        {
            color_name(color): tuple(color_name(g) for g in sorted(there) if (color, g) in allowed)
            for color in sorted(own)
        },
    )


def _named(cells: Colored) -> dict[Point, str]:
    return {cell: color_name(color) for cell, color in cells.items() if color}


def color_name(color: int) -> str:
    """Return the name of a color: a letter for the first 26, so that they can be drawn.

    >>> color_name(1), color_name(27)
    ('a', 'color-27')
    """
    return ascii_lowercase[color - 1] if color <= len(ascii_lowercase) else f"color-{color}"


def numbers(paint: Paint) -> dict[str, int]:
    """Return the number of each paint; the numbers follow alphabetical order and begin with 1.

    >>> numbers(Paint({(0, 0): "white"}, {"I": {(0, 0): "black"}}))
    {'black': 1, 'white': 2}
    """
    on_pieces = {name for own in paint.pieces.values() for name in own.values()}
    return {name: k for k, name in enumerate(sorted(on_pieces | set(paint.units.values())), 1)}


def pair_lines(paint: Paint) -> list[str]:
    """Return XML elements that list which colors of pieces match which colors of the region.

    >>> pair_lines(Paint({(0, 0): "b", (1, 0): "w"}, {"I": {(0, 0): "b"}}, {"b": ("b", "w")}))
    ['<pair piece="0" result="0"/>', '<pair piece="0" result="1"/>']
    """
    number = numbers(paint)
    on_pieces = sorted({name for own in paint.pieces.values() for name in own.values()})
    on_region = sorted(set(paint.units.values()))
    return [
        f'<pair piece="{number[own] - 1}" result="{number[goal] - 1}"/>'
        for own in on_pieces
        for goal in on_region
        if goal in paint.fits.get(own, (own,))
    ]


UNUSED = "x"

MOST_SOLUTIONS = 20_000
"""Largest number of stored solutions that are read for a problem."""

MOST_COPIES = 500_000
"""Largest number of copies of pieces in all solutions of a problem; the rest is ignored."""

MOST_PLACES = 20_000
"""Largest number of different placements in the stored solutions of a problem."""

Places = dict[tuple[int | str | None, ...], Placement]
"""Placements by the `id` of the shape and, as texts from the file, x, y, z and the turn."""


class ShapeLine(NamedTuple):
    """A shape that a problem lists, its largest number of copies, and the name of its piece.

    The name is empty if no copy of the shape is used.
    """

    shape: Shape
    copies: int
    piece: str


def read_assemblies(
    problem: Node, puzzle: Puzzle, lines: list[ShapeLine], notes: list[str]
) -> list[Solution]:
    """Return the stored solutions of a problem; if there are very many, only the first ones.

    A stored solution that is malformed or leaves the region is left out; `notes` gets a remark.
    Nothing else is checked: pieces may overlap. `lines`: the shapes that the problem lists.
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
    """Return a stored solution; new placements are added to `places`, which is a cache.

    Raise FileError if the solution is malformed, leaves the region, or exceeds `MOST_PLACES`.
    """
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
    """Return the units of a shape after the given turn, with its hot spot at voxel (x, y, z).

    Raise FileError if there is no such turn, or if a unit is not in the region of the puzzle.
    """
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
