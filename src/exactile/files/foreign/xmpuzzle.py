"""Puzzles of BurrTools, version 2 of its XML files, compressed by gzip or plain.

A file has shapes, which are boxes of voxels: ``#`` is a cell, ``+`` an optional cell, ``_`` none; a
number after it is a color. A problem lists the shapes to be packed, the number of each, and the
shape to be filled. Pieces may be turned but not reflected, like solid ones; if everything lies in
one layer of cubes or triangular prisms, the puzzle is read as one of squares or triangles.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from exactile.errors import FileError, PuzzleError
from exactile.files.foreign.common import MOST_BYTES, Foreign, distinct, identifier, stem
from exactile.files.foreign.xml_nodes import Node, parse_xml
from exactile.files.foreign.xmpuzzle_assemblies import ShapeLine, read_assemblies
from exactile.files.foreign.xmpuzzle_colors import paint_of
from exactile.files.foreign.xmpuzzle_grids import GRIDS, Grid
from exactile.files.foreign.xmpuzzle_shapes import Shape, read_shape
from exactile.files.sources import shown
from exactile.geometry import get_lattice
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import as_tuples
from exactile.puzzle import Puzzle, Region, Solution
from exactile.puzzle.number_rules import OpenRule
from exactile.puzzle.paint import key
from exactile.puzzle.pieces.piece import Piece, customary_freedom

VERSION = "2"

MOST_SHAPES = 10_000
"""Largest number of shapes in a file."""

MOST_PROBLEMS = 1_000
"""Largest number of problems in a file."""

NO_RESULT = 0xFFFFFFFF
"""The number of the result in a problem without a result."""


@dataclass(frozen=True)
class ShapeUse:
    """A line of a problem: a shape, its numbers of uses, and its number of copies in each group."""

    shape: Shape
    lower: int
    upper: int
    groups: dict[int, int]


def parse_xmpuzzle(name: str, data: bytes) -> Foreign:
    """Read the puzzles of a file; `name` is for messages and identifiers.

    Problems that are not complete are left out, with a remark. Raise FileError if the file is
    damaged, has no complete problem, or has features that are not supported, such as optional cells
    in pieces.

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
        raise root.error(f"none of its problems can be read. {notes[0]}")
    notes += _lost(root, shapes)
    comment = "\n".join(node.text.strip() for node in root.all("comment"))
    return Foreign(puzzles, comment, list(dict.fromkeys(notes)), solutions)


def _few(node: Node, tag: str, most: int) -> list[Node]:
    """Return the children with a tag; raise FileError if there are too many."""
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
    """Yield remarks about parts of a file that puzzles do not keep."""
    if any(shape.node.attributes.get("weight", "1") != "1" for shape in shapes):
        yield "weights of shapes ignored: in animations the heaviest piece stays at rest"
    if any(next(node.all("separation"), None) for node in _stored(root)):
        yield "stored disassemblies ignored: `exactile takeapart` finds them"


def _stored(root: Node) -> Iterator[Node]:
    """Yield the stored solutions of all problems."""
    for problem in root.one("problems").all("problem"):
        for solutions in problem.all("solutions"):
            yield from solutions.all("solution")


def _unpacked(name: str, data: bytes) -> bytes:
    """Return the XML of a file that may be compressed."""
    if not data.startswith(b"\x1f\x8b"):
        if len(data) > MOST_BYTES:
            raise FileError(f"{name}: it has more than {MOST_BYTES:,} bytes: too many.")
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise FileError(f"{name}: the packed file is damaged: {error}.") from None
    if unpacker.unconsumed_tail:
        raise FileError(f"{name}: more than {MOST_BYTES:,} bytes are packed in it: too many.")
    if not unpacker.eof:
        raise FileError(f"{name}: the packed file is cut off.")
    return text


def _puzzle(
    name: str, title: str, problem: Node, shapes: list[Shape], grid: Grid, notes: list[str]
) -> tuple[Puzzle, list[ShapeLine]]:
    """Return the puzzle of a problem, and the lines that list its shapes."""
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
    """Return the shapes of a problem with their numbers of uses, line by line."""
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
    """Return the uses, one for each shape, without unused shapes."""
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

    `owners`: of each piece the one that it becomes, because they are congruent.
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
    """Return the limit of empty cells as a rule, none if it always holds.

    As in BurrTools, the limit has no effect if each piece is used a fixed number of times, which
    determines the number of empty cells.
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
