"""Parts of BurrTools files: XML nodes with their lines, grids with numbered turns, and shapes.

A stored assembly gives a voxel and the number of a turn for each piece. The file also states a
reference voxel of each shape, its *hot spot*. The piece is first turned, and then moved so that its
hot spot comes to the given voxel. The numbering of the turns was found by observing BurrTools.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from xml.parsers import expat

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.files.sources import Place, shown
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import MAX_UNITS, Lattice, Point
from exactile.geometry.lattices.spheres import AXES
from exactile.geometry.lattices.tetrahedra_octants import from_cube

DEEPEST = 50
"""Largest depth of nested elements."""

MOST_ELEMENTS = 500_000
"""Largest number of elements: each takes some hundred bytes of memory."""

TEXT_AT_ONCE = 1 << 20
"""Size in bytes of the buffer in which the XML parser joins pieces of text."""


@dataclass(slots=True)
class Node:
    """An XML element, with its file and line."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int  # where it begins
    text: str = ""  # without the text of the children
    children: list[Node] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """The file and the line where the element begins, for messages."""
        return Place(self.file, f"line {self.line}")

    def all(self, tag: str) -> Iterator[Node]:
        """Yield the child elements named `tag`."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Node:
        """Return the only child element named `tag`; raise FileError unless there is just one."""
        found = list(self.all(tag))
        if len(found) != 1:
            raise self.error(f"it has {len(found)} elements <{tag}>: there must be one.")
        return found[0]

    def number(self, name: str, default: int | None = None) -> int:
        """Return the value of an attribute, an integer of at least 0; `default` if it is missing.

        Raise FileError for any other value, and for a missing attribute if `default` is None.
        """
        text = self.attributes.get(name)
        if text is None and default is not None:
            return default
        if text is None:
            raise self.error(f"the attribute {name} is missing.")
        if not (text.isascii() and text.isdigit() and len(text) <= 10):
            raise self.error(f"{name}={shown(text)} is not an integer of at least 0.")
        return int(text)

    def integer(self, name: str, default: int) -> int:
        """Return the value of an attribute, any integer; `default` if it is missing.

        Raise FileError if the value is not an integer.
        """
        text = self.attributes.get(name)
        if text is None:
            return default
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
            raise self.error(f"{name}={shown(text)} is not an integer.")
        return int(text)

    def error(self, text: str) -> PuzzleError:
        """Return an error that names file, line and element."""
        return self.place.error(f"<{self.tag}>: {text}")


def parse_xml(name: str, data: bytes) -> Node:
    r"""Return the root of an XML file.

    Raise FileError if it is not well-formed XML in a known encoding, has too many elements, nests
    them too deeply, or declares a document type.

    >>> root = parse_xml("a.xml", b"<a>\n<b c='5'>text</b></a>")
    >>> node = root.one("b")
    >>> node.number("c"), node.text, str(node.place)
    (5, 'text', 'a.xml: line 2')
    """
    parser = expat.ParserCreate(_encoding(data))
    top = Node("", {}, name, 0)
    stack = [top]
    number = 0

    def place() -> Place:
        return Place(name, f"line {parser.CurrentLineNumber}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal number
        number += 1
        if number > MOST_ELEMENTS:
            raise place().error(f"there are more than {MOST_ELEMENTS:,} elements: too many.")
        if len(stack) > DEEPEST:
            raise place().error(f"the elements are nested more than {DEEPEST} deep.")
        node = Node(tag, attributes, name, parser.CurrentLineNumber)
        stack[-1].children.append(node)
        stack.append(node)

    def add(text: str) -> None:
        stack[-1].text += text

    def doctype(*_: object) -> None:
        raise place().error("it declares a document type, which these files never do.")

    parser.buffer_text = True
    parser.buffer_size = TEXT_AT_ONCE
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = add
    parser.StartDoctypeDeclHandler = doctype
    try:
        with _collecting_later():
            parser.Parse(data, True)
    except expat.ExpatError as error:
        line = data.split(b"\n")[error.lineno - 1 : error.lineno]
        text = shown(line[0].decode("utf-8", "replace").strip()) if line else ""
        reason = expat.ErrorString(error.code)
        raise Place(name, f"line {error.lineno}").error(f"bad XML: {reason}: {text}.") from None
    except PuzzleError:
        raise
    except (ValueError, LookupError):  # from the codec that the file names
        raise Place(name).error("its encoding is not supported: save it in UTF-8.") from None
    return top.children[0]


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Disable the garbage collector inside the block: it would visit all nodes repeatedly."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _encoding(data: bytes) -> str | None:
    """Return ``iso-8859-1`` for XML that is not UTF-8 and names no encoding; else None.

    Old files contain designers' names in ISO 8859-1, but do not declare this encoding.
    """
    named = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"encoding" in data.partition(b">")[0]
    try:
        data.decode()
    except UnicodeDecodeError:
        return None if named else "iso-8859-1"
    return None


Turns = npt.NDArray[np.float64]
"""Array of 3 by 3 matrices, one for each turn; a matrix times a column vector turns the vector."""


@dataclass(frozen=True)
class Grid:
    """A grid of BurrTools, and the lattice of its cells.

    Attributes
    ----------
    number
        The number of the grid in files.
    name, lattice_name
        The name of the grid in messages, and the name of the lattice.
    flat
        The lattice of puzzles in one layer; None if one layer is not treated as flat.
    points, voxels
        Functions from voxels to points of the lattice, and back.
    make_turns
        Returns the matrices of the turns. The second half are reflections: a fixed reflection,
        followed by each turn of the first half. Matrices apply to voxels, except those of prisms:
        they apply to points, because the voxels of prisms do not form a lattice.
    """

    number: int
    name: str
    lattice_name: str
    flat: str | None
    points: Callable[[Points], Points]
    voxels: Callable[[Points], Points]
    make_turns: Callable[[], Turns]

    @property
    def lattice(self) -> Lattice:
        """The lattice whose units are the cells of the grid."""
        return get_lattice(self.lattice_name)

    @cached_property
    def turns(self) -> Turns:
        """The matrix of each turn, in the order of their numbers in files."""
        return self.make_turns()

    def placed(self, voxels: Points, hot_spot: Points, turn: int, place: Points) -> Points | None:
        """Return the points of `voxels` after turn number `turn` and a translation.

        The translation brings the turned voxel `hot_spot` to the voxel `place`. Return None if some
        of the points are not units of the lattice.
        """
        linear = self.number != 1
        here, center, goal = (v if linear else self.points(v) for v in (voxels, hot_spot, place))
        there = (here - center) @ self.turns[turn].T + goal
        moved = np.rint(there).astype(np.int64)
        if np.abs(moved - there).max() > CLOSE:
            return None
        points = self.points(moved) if linear else moved
        return points if self.are_units(points).all() else None

    def are_units(self, points: Points) -> npt.NDArray[np.bool_]:
        """Return a mask of the points that are units of the lattice; points at `OFF` are not."""
        return np.asarray((self.lattice.types(points) >= 0) & (points[..., 0] != OFF))


def cube_turns() -> Turns:
    """Return the matrices of the turns of a cube, in the order of BurrTools.

    The 24 rotations come first, then the same rotations after a reflection of x to -x.

    Examples
    --------
    >>> cube_turns().shape, cube_turns()[5].astype(int).tolist()
    ((48, 3, 3), [[0, -1, 0], [0, 0, -1], [1, 0, 0]])
    """
    about_x = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    about_y = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    about_z = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    power = np.linalg.matrix_power
    first = [*(power(about_y, k) for k in range(4)), about_z, power(about_z, 3)]
    rotations = np.array([f @ power(about_x, k) for f in first for k in range(4)], dtype=float)
    return np.concatenate([rotations, rotations @ np.diag((-1, 1, 1))])


def triangle_turns() -> Turns:
    """Return the matrices of the turns of triangular prisms, in the order of BurrTools.

    First come the rotations about z by multiples of 60 degrees, then the same rotations after the
    prism is turned over. The other 12 matrices are the same rotations after a reflection.
    """
    sixth = np.array([[0, -1, 0], [1, 1, 0], [0, 0, 1]])
    mirror = np.array([[-1, -1, 0], [0, 1, 0], [0, 0, 1]])
    sixths = [np.linalg.matrix_power(sixth, k) for k in range(6)]
    over = mirror @ np.diag((1, 1, -1))
    rotations = np.array([s @ o for o in (np.eye(3), over) for s in sixths])
    return np.concatenate([rotations, rotations @ mirror])


NORMALS = {"A": (1, 1, 1), "B": (1, 1, -1), "C": (1, -1, 1), "D": (-1, 1, 1)}

SPHERE_TURNS = """
0 6 16 7 10 4 20 5 17 3 11 19 21 9 1 23 12 2 15 18 14 8 13 22
8D 14D 8B 14B 2C 9C 2B 9B 8A 6A 8C 6C 2A 11A 2D 11D 22C 10C 22D 10D 18A 10A 18B 10B
4A 5A 22A 7A 1A 19A 17A 9A 23A 21A 3A 14A 0A 13A 16A 12A 15A 20A
19C 18C 23C 3C 5C 14C 13C 7C 12C 4C 15C 21C 16C 1C 17C 20C 11C 0C
13D 12D 18D 15D 21D 9D 1D 23D 17D 3D 19D 4D 5D 20D 6D 0D 7D 16D
22B 13B 12B 15B 21B 23B 1B 3B 17B 19B 11B 4B 5B 20B 6B 0B 7B 16B
"""
"""The rotations of the grid of spheres, in the order of BurrTools.

A number is the index of a rotation in `cube_turns`. A letter after it means that a half turn comes
first, about the direction that `NORMALS` has under this letter.
"""


def sphere_turns() -> Turns:
    """Return the matrices of the turns of the grid of spheres, in the order of BurrTools.

    The rotations of `SPHERE_TURNS` come first, then the same rotations after a reflection of x to
    -x. The first 24 rotations map the lattice to itself. The other rotations map only the spheres
    of some planes to spheres.
    """
    rotations, made = cube_turns()[:24], []
    for word in SPHERE_TURNS.split():
        turn = rotations[int(word.rstrip("ABCD"))]
        if word[-1] in NORMALS:
            normal = np.array(NORMALS[word[-1]])
            turn = turn @ (2 * np.outer(normal, normal) / 3 - np.eye(3))
        made.append(turn)
    turns = np.array(made)
    return np.concatenate([turns, turns @ np.diag((-1, 1, 1))])


def _prisms(voxels: Points) -> Points:
    x, y, z = np.moveaxis(voxels, -1, 0)
    down = (x + y) % 2
    return np.stack([3 * ((x - y - down) // 2) + 1 + down, 3 * y + 1 + down, 3 * z], axis=-1)


def _of_prisms(points: Points) -> Points:
    down = points[..., 0] % 3 - 1
    x, y = ((points[..., k] - 1 - down) // 3 for k in (0, 1))
    return np.stack([2 * x + y + down, y, points[..., 2] // 3], axis=-1)


def _spheres(voxels: Points) -> Points:
    x, y, z = np.moveaxis(voxels, -1, 0)
    odd = (x + y + z) % 2
    places = np.stack([x + y - z, x - y + z, y + z - x], axis=-1)
    return np.where(odd[..., None], OFF, places // 2)


def _of_spheres(points: Points) -> Points:
    return np.asarray(points @ AXES)


CLOSE = 1e-6
"""Tolerance for computed coordinates: numbers that differ by less count as equal."""

OFF = 2**40
"""Placeholder for the coordinates of a voxel that is not a cell: farther than any point."""


def _octants(voxels: Points) -> Points:
    places = voxels // 3 * 4 + voxels % 3 + 1
    return np.rint(from_cube(places)).astype(np.int64)


def _of_octants(points: Points) -> Points:
    places = points @ AXES // 2
    return np.asarray(places // 4 * 3 + places % 4 - 1)


GRIDS = (
    Grid(0, "cubes", "cube", "square", lambda v: v, lambda p: p, cube_turns),
    Grid(
        1, "triangular prisms", "triangle-prisms", "triangle", _prisms, _of_prisms, triangle_turns
    ),
    Grid(2, "spheres", "spheres", None, _spheres, _of_spheres, sphere_turns),
    Grid(
        3,
        "rhombic tetrahedra",
        "rhombic-tetrahedra",
        None,
        lambda v: v - 2,
        lambda p: p + 2,
        cube_turns,
    ),
    Grid(
        4,
        "tetrahedra and octahedra",
        "tetrahedra-octants",
        None,
        _octants,
        _of_octants,
        cube_turns,
    ),
)
"""The grids of BurrTools; the index is their number in files."""


def grid_of(lattice: Lattice) -> Grid | None:
    """Return the grid for puzzles on a lattice, flat or solid; None if there is none.

    Examples
    --------
    >>> [grid_of(get_lattice(name)).number for name in ("square", "triangle-prisms", "spheres")]
    [0, 1, 2]
    """
    return next((g for g in GRIDS if lattice.name in (g.lattice_name, g.flat)), None)


SIGNS = "#+_"
DIGITS = "0123456789"
LONGEST_COLOR = 9


@dataclass(frozen=True)
class Shape:
    """A shape of a BurrTools file.

    `voxels` are the coordinates of its cells, shape ``(cells, 3)``. `optional` is a mask of the
    optional cells. `colors` has the number of the color of each cell; 0 means none.
    """

    name: str
    node: Node
    grid: Grid
    voxels: Points
    optional: npt.NDArray[np.bool_]
    colors: npt.NDArray[np.int64]

    @property
    def flat(self) -> bool:
        """Whether all cells lie in the lowest layer, z = 0."""
        return not self.voxels[:, 2].any()

    @property
    def hot_spot(self) -> Points:
        """The reference voxel of the shape: a stored assembly states the place of this voxel."""
        return np.array([self.node.integer(axis, 0) for axis in ("hx", "hy", "hz")])

    def points(self, dimension: int) -> Points:
        """Return the cells as points; `dimension`: 2 for a puzzle in the plane, else 3."""
        return self.grid.points(self.voxels)[:, :dimension]

    def colored(self, dimension: int) -> dict[Point, int]:
        """Return the number of the color of each cell, by its point; 0 means none."""
        cells = (tuple(point) for point in self.points(dimension).tolist())
        return dict(zip(cells, self.colors.tolist(), strict=True))


def read_shape(node: Node, number: int, grid: Grid, room: int) -> Shape:
    """Return the shape that a ``<voxel>`` element describes.

    Parameters
    ----------
    node
        The element.
    number
        The number of the shape, from 1: shape 3 is called ``S3`` if the file gives it no name.
    grid
        The grid of the file.
    room
        Largest number of cells that this shape may have.

    Raises
    ------
    FileError
        If an attribute is missing or malformed, if the type is not 0, or if the element has one of
        these: a character that is neither a voxel nor a digit of a color, a color of too many
        digits, too many voxels or cells, a number of voxels that differs from the stated size, or a
        cell where the grid has none.
    """
    if node.number("type", 0) != 0:
        raise node.error(f"voxels of type {node.number('type')} are not supported: only type 0 is.")
    x, y, z = (node.number(axis) for axis in "xyz")
    if x * y * z > MAX_UNITS:
        raise node.error(f"{x} x {y} x {z} voxels are too many: the limit is {MAX_UNITS:,}.")
    text = "".join(node.text.split())
    strange = text.translate(dict.fromkeys(map(ord, SIGNS + DIGITS)))
    if strange or text[:1].isdigit():
        bad = shown((strange or text)[:5])
        raise node.error(f"{bad} is not a voxel: use #, + and _, and colors.")
    stated = sum(map(text.count, SIGNS))
    if stated != x * y * z:
        raise node.error(f"there are {stated:,} voxels in it, not {x} x {y} x {z}.")
    cells = stated - text.count("_")
    if cells > room:
        raise node.error(f"the shapes of the file have more than {MAX_UNITS:,} cells: too many.")
    signs = np.frombuffer(text.encode(), dtype=np.uint8)
    places = np.flatnonzero((signs < ord("0")) | (signs > ord("9")))
    full = np.flatnonzero(signs[places] != ord("_"))
    ends = np.append(places, len(text))
    colors = [
        text[a + 1 : b] for a, b in zip(ends[full].tolist(), ends[full + 1].tolist(), strict=True)
    ]
    if any(len(color) > LONGEST_COLOR for color in colors):
        raise node.error("the number of a color is too long.")
    voxels = np.stack([full % x, full // x % y, full // (x * y)], axis=1) if cells else NO_VOXELS
    shape = Shape(
        node.attributes.get("name") or f"S{number}",
        node,
        grid,
        voxels.astype(np.int64),
        signs[places[full]] == ord("+"),
        np.array([int(color or 0) for color in colors], dtype=np.int64),
    )
    off = voxels[~grid.are_units(grid.points(shape.voxels))] if cells else NO_VOXELS
    if len(off):
        raise node.error(f"the voxel {off[0].tolist()} is not a cell of a grid of {grid.name}.")
    return shape


NO_VOXELS = np.zeros((0, 3), dtype=np.int64)
