"""Puzzles of BurrTools, version 2 of its XML files, compressed by gzip or plain.

A file has shapes, boxes of voxels: ``#`` is a cell, ``+`` an optional cell, ``_`` none; a number
behind it is a color. A problem lists the shapes to be packed, the number of each, and the shape to
be filled. Pieces may be turned but not reflected, as solid ones; if everything lies in one layer,
it is a puzzle of squares.

Colors say which cells of pieces may lie on which cells of the result. Color 0 is none and matches
everything; other colors match if the problem lists the pair, counted from 0. Colors therefore have
an effect only if both the pieces and the result have some: then they are the paint of a puzzle.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from exactile.errors import FileError
from exactile.files.foreign.common import MOST_BYTES, Foreign, distinct, identifier, stem
from exactile.files.foreign.xml_nodes import Node, parse_xml
from exactile.files.sources import shown
from exactile.geometry import get_lattice
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Points, as_tuples
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Paint, Puzzle, Region
from exactile.puzzle.pieces.piece import Piece, customary_freedom
from exactile.puzzle.region import Mask

VERSION = "2"

GRIDS = {
    "1": "triangular prisms",
    "2": "spheres",
    "3": "rhombic tetrahedra",
    "4": "tetrahedra and octahedra",
}
"""Grids that are not supported; 0 is that of cubes."""

NO_RESULT = 0xFFFFFFFF
"""The result of a problem whose result has not been chosen."""

VOXEL = re.compile(r"([#+_])([0-9]{0,9})")


@dataclass(frozen=True)
class Solid:
    """A shape: its cells, the optional ones, and their colors (0 is none)."""

    name: str
    node: Node
    cells: list[Point]
    optional: list[bool]
    colors: list[int]

    @property
    def flat(self) -> bool:
        """Whether it lies in one layer."""
        return all(cell[2] == 0 for cell in self.cells)

    def colored(self, lattice: Lattice) -> dict[Point, int]:
        """Return the color of each cell, as a cell of the cube or square lattice."""
        cells = (cell[: lattice.dimension] for cell in self.cells)
        return dict(zip(cells, self.colors, strict=True))


def parse_xmpuzzle(name: str, data: bytes) -> Foreign:
    """Read the puzzles of a file; `name` is for messages and identifiers.

    Raise FileError if the file is damaged, or has features that puzzles here cannot have: other
    grids, a limit of empty cells.

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
    grid = root.one("gridType")
    kind = grid.attributes.get("type", "")
    if kind != "0":
        what = GRIDS.get(kind, shown(kind))
        raise grid.error(f"a grid of {what} is not supported: only that of cubes (type 0) is.")
    nodes = root.one("shapes").all("voxel")
    shapes = [_shape(node, number) for number, node in enumerate(nodes, start=1)]
    problems = list(root.one("problems").all("problem"))
    if not problems:
        raise root.error("it has no problem, only shapes.")
    names = [p.attributes.get("name") or stem(name) for p in problems]
    ids = distinct([identifier(n) for n in ([stem(name)] if len(names) == 1 else names)])
    notes: list[str] = []
    with root.place.errors():
        puzzles = [
            _puzzle(i, title, problem, shapes, notes)
            for i, title, problem in zip(ids, names, problems, strict=True)
        ]
    comment = "\n".join(node.text.strip() for node in root.all("comment"))
    return Foreign(puzzles, comment, notes)


def _unpacked(name: str, data: bytes) -> bytes:
    """Return the XML of a file that may be compressed."""
    if not data.startswith(b"\x1f\x8b"):
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


def _shape(node: Node, number: int) -> Solid:
    if node.number("type", 0) != 0:
        raise node.error(f"voxels of type {node.number('type')} are not supported: only type 0 is.")
    x, y, z = (node.number(axis) for axis in "xyz")
    if x * y * z > MAX_UNITS:
        raise node.error(f"{x} x {y} x {z} voxels are too many: the limit is {MAX_UNITS:,}.")
    text = "".join(node.text.split())
    strange = VOXEL.sub("", text)
    if strange:
        raise node.error(f"{shown(strange[:5])} is not a voxel: use #, + and _, and colors.")
    voxels = VOXEL.findall(text)
    if len(voxels) != x * y * z:
        raise node.error(f"there are {len(voxels)} voxels in it, not {x} x {y} x {z}.")
    places = [(i % x, i // x % y, i // (x * y)) for i in range(len(voxels))]
    full = [
        (p, s == "+", int(c or 0)) for p, (s, c) in zip(places, voxels, strict=True) if s != "_"
    ]
    label = node.attributes.get("name") or f"S{number}"
    return Solid(label, node, [f[0] for f in full], [f[1] for f in full], [f[2] for f in full])


def _puzzle(name: str, title: str, problem: Node, shapes: list[Solid], notes: list[str]) -> Puzzle:
    uses = _uses(problem, shapes, notes)
    node = problem.one("result")
    number = node.number("id")
    if number == NO_RESULT:
        raise node.error(f"problem '{title}' has no result: choose the shape to be built.")
    result = _known(node, number, shapes)
    if not result.cells:
        raise node.error(f"the result, shape {result.name}, is empty.")
    _require_no_limit(problem, uses, result)
    flat = result.flat and all(shape.flat for shape, *_ in uses)
    lattice = get_lattice("square" if flat else "cube")
    names = distinct([shape.name for shape, *_ in uses])
    pieces = [
        Piece(label, lattice, _points(shape, lattice), customary_freedom(lattice), low, high)
        for label, (shape, low, high) in zip(names, uses, strict=True)
    ]
    region = Region(
        lattice,
        np.array(result.cells, dtype=np.int64)[:, : lattice.dimension],
        np.array(result.optional, dtype=bool),
    )
    own = {label: shape.colored(lattice) for label, (shape, *_) in zip(names, uses, strict=True)}
    paint = paint_of(problem, own, result.colored(lattice))
    return Puzzle(name, region, tuple(pieces), title=title, paint=paint)


def _points(shape: Solid, lattice: Lattice) -> tuple[Point, ...]:
    return as_tuples(np.array(shape.cells, dtype=np.int64)[:, : lattice.dimension])


def _known(node: Node, number: int, shapes: list[Solid]) -> Solid:
    if number >= len(shapes):
        raise node.error(f"there is no shape {number}: there are {len(shapes)}, the first is 0.")
    return shapes[number]


def _uses(problem: Node, shapes: list[Solid], notes: list[str]) -> list[tuple[Solid, int, int]]:
    """Return the shapes of a problem and how often each is used."""
    bounds: dict[int, tuple[int, int]] = {}
    for node in problem.one("shapes").all("shape"):
        number = node.number("id")
        shape = _known(node, number, shapes)
        low = node.number("count", node.number("min", 1))
        high = node.number("count", node.number("max", 1))
        if low > high:
            raise node.error(f"shape {shape.name} cannot be used {low} to {high} times.")
        if any(shape.optional):
            raise node.error(f"shape {shape.name} is a piece and must have no + voxels.")
        if not shape.cells:
            raise node.error(f"shape {shape.name} is a piece and must not be empty.")
        if "group" in node.attributes or any(node.all("group")):
            notes.append(f"groups of shape {shape.name} ignored: they matter only for disassembly")
        before = bounds.get(number, (0, 0))
        bounds[number] = (before[0] + low, before[1] + high)
    used = [(shapes[n], low, high) for n, (low, high) in bounds.items() if high]
    if not used:
        raise problem.error("it uses no shape as a piece.")
    return used


def _require_no_limit(problem: Node, uses: list[tuple[Solid, int, int]], result: Solid) -> None:
    """Refuse a limit of empty cells, unless it always holds."""
    if "maxHoles" not in problem.attributes:
        return
    limit = problem.number("maxHoles")
    most = len(result.cells) - sum(len(shape.cells) * low for shape, low, _ in uses)
    if limit < min(most, sum(result.optional)):
        raise problem.error(
            f"at most {limit} cells may stay empty: such a limit is not supported. Without "
            "maxHoles, any + voxels of the result may."
        )


Pair = tuple[int, int]
"""A color of a piece and one of the result."""

Colored = Mapping[Point, int]
"""The colors of cells."""


def allowed_pairs(problem: Node) -> set[Pair]:
    """Return the pairs of colors that a problem allows, colors counted from 1.

    >>> from exactile.files.foreign.xml_nodes import parse_xml
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
    """Return the paint that is equivalent to the colors of a problem, none without effect.

    >>> from exactile.files.foreign.xml_nodes import parse_xml
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
    """Return the name of a color: a letter for the first ones, so that they can be drawn.

    >>> color_name(1), color_name(27)
    ('a', 'color-27')
    """
    return ascii_lowercase[color - 1] if color <= len(ascii_lowercase) else f"color-{color}"


def numbers(paint: Paint) -> dict[str, int]:
    """Return the number of each paint, from 1.

    >>> numbers(Paint({(0, 0): "white"}, {"I": {(0, 0): "black"}}))
    {'black': 1, 'white': 2}
    """
    on_pieces = {name for own in paint.pieces.values() for name in own.values()}
    return {name: k for k, name in enumerate(sorted(on_pieces | set(paint.units.values())), 1)}


def pair_lines(paint: Paint) -> list[str]:
    """Return the elements that list the matching colors.

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


def xmpuzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as XML.

    Every piece is a shape; the last shape is the region. Raise FileError if the format cannot
    express the puzzle: other lattices, pieces that move otherwise than solid ones do, wraps, fixed
    placements, choices that areas do not settle.

    >>> import exactile
    >>> text = xmpuzzle_text(exactile.load("soma-cube"))
    >>> text.splitlines()[7]
    '    <voxel x="2" y="3" z="1" type="0" name="T">#_###_</voxel>'
    """
    _require_expressible(puzzle)
    paint = puzzle.paint
    number = numbers(paint)
    shapes = [
        _voxels(p.points, None, p.name, _colors(p.units, paint.pieces.get(p.name, {}), number))
        for p in puzzle.pieces
    ]
    region = puzzle.region
    units = [tuple(u) for u in region.units.tolist()]
    colors = _colors(units, paint.units, number)
    shapes.append(_voxels(region.units, region.optional, "result", colors))
    chosen = set(puzzle.omission.names) if puzzle.omission else set()
    uses = [
        f'        <shape id="{k}" {_count(piece, loose=piece.name in chosen)}/>'
        for k, piece in enumerate(puzzle.pieces)
    ]
    comment = "\n".join(filter(None, [puzzle.title, puzzle.source]))
    return "\n".join(
        [
            '<?xml version="1.0"?>',
            '<puzzle version="2">',
            '  <gridType type="0"/>',
            "  <colors>",
            *(f"    {_color(k)}" for k in number.values()),
            "  </colors>",
            "  <shapes>",
            *(f"    {shape}" for shape in shapes),
            "  </shapes>",
            "  <problems>",
            f'    <problem state="0" name={quoteattr(puzzle.title or puzzle.name)}>',
            "      <shapes>",
            *uses,
            "      </shapes>",
            f'      <result id="{len(shapes) - 1}"/>',
            "      <bitmap>",
            *(f"        {pair}" for pair in pair_lines(paint)),
            "      </bitmap>",
            "    </problem>",
            "  </problems>",
            f"  <comment>{escape(comment)}</comment>",
            "</puzzle>",
            "",
        ]
    )


def packed(text: str) -> bytes:
    r"""Return a text as BurrTools stores it: compressed by gzip, reproducibly.

    >>> packed("<puzzle/>")[:2]
    b'\x1f\x8b'
    """
    return gzip.compress(text.encode(), mtime=0)


def _colors(
    units: Sequence[Point], paint: Mapping[Point, str], number: dict[str, int]
) -> list[str]:
    """Return the text behind the sign of each unit: the number of its color, if it has one."""
    return [str(number[paint[unit]]) if unit in paint else "" for unit in units]


def _color(number: int) -> str:
    """Return a color of the palette; any will do."""
    red, green, blue = (number * 70 % 256, number * 150 % 256, 255 - number * 40 % 256)
    return f'<color red="{red}" green="{green}" blue="{blue}"/>'


def _voxels(points: Points, optional: Mask | None, name: str, colors: list[str]) -> str:
    """Return points as an element with one sign for each place of their bounding box."""
    low = points.min(axis=0)
    size = [*(points.max(axis=0) - low + 1).tolist(), 1][:3]
    signs = np.full(size, "_", dtype=object)
    places = np.zeros((len(points), 3), dtype=np.int64)
    places[:, : points.shape[1]] = points - low
    free = np.zeros(len(points), dtype=bool) if optional is None else optional
    for place, loose, color in zip(places.tolist(), free.tolist(), colors, strict=True):
        signs[tuple(place)] = ("+" if loose else "#") + color
    text = "".join(signs.ravel(order="F").tolist())  # x first, then y, then z
    x, y, z = size
    return f'<voxel x="{x}" y="{y}" z="{z}" type="0" name={quoteattr(name)}>{text}</voxel>'


def _count(piece: Piece, *, loose: bool) -> str:
    low = 0 if loose else piece.lower
    if low == piece.upper:
        return f'count="{low}"'
    return f'min="{low}" max="{piece.upper}"'


def _require_expressible(puzzle: Puzzle) -> None:
    lattice = puzzle.lattice
    if not _is_orthogonal(lattice):
        raise _refused(puzzle, f"it has only cubes and squares, not the {lattice.name} lattice")
    if puzzle.region.wrap is not None:
        raise _refused(puzzle, "it has no regions that wrap around")
    if puzzle.color_rules:
        raise _refused(puzzle, "it has no rules about the colors of whole pieces")
    if puzzle.fixed:
        raise _refused(puzzle, "it has no fixed placements")
    for piece in puzzle.pieces:
        if replace(piece, freedom=customary_freedom(lattice)).shape != piece.shape:
            raise _refused(
                puzzle, f"all its pieces move as solid ones do; piece {piece.name} does not"
            )
    if puzzle.omission is not None and not _settled(puzzle):
        raise _refused(puzzle, "it cannot say how many of some pieces are left out")


def _is_orthogonal(lattice: Lattice) -> bool:
    """Return whether a lattice is that of squares or of cubes."""
    steps = {tuple(row) for row in np.eye(lattice.dimension, dtype=int).tolist()}
    both = steps | {tuple(-c for c in step) for step in steps}
    return lattice.period == 1 and set(lattice.neighbors[0]) == both


def _settled(puzzle: Puzzle) -> bool:
    """Return whether areas determine how many pieces are left out, if each may be."""
    chosen = set(puzzle.omission.names) if puzzle.omission else set()
    orders = {piece.order for piece in puzzle.pieces if piece.name in chosen}
    exact = all(piece.lower == piece.upper for piece in puzzle.pieces)
    return exact and len(orders) == 1 and not puzzle.region.optional.any()


def _refused(puzzle: Puzzle, reason: str) -> FileError:
    return FileError(f"The puzzle {puzzle.name} cannot be written as xmpuzzle: {reason}.")
