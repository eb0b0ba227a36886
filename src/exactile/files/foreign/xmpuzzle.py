"""Puzzles of BurrTools, version 2 of its XML files, compressed by gzip or plain.

A file has shapes, boxes of voxels: ``#`` is a cell, ``+`` an optional cell, ``_`` none; a number
behind it is a color. A problem lists the shapes to be packed, the number of each, and the shape to
be filled. Pieces may be turned but not reflected, as solid ones; if everything lies in one layer,
it is a puzzle of squares.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import numpy as np

from exactile.errors import FileError
from exactile.files.foreign.common import MOST_BYTES, Foreign, distinct, identifier, stem
from exactile.files.foreign.xml_nodes import Node, parse_xml
from exactile.files.foreign.xmpuzzle_colors import paint_of
from exactile.files.io.place import shown
from exactile.geometry import get_lattice
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Piece, customary_freedom

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
