"""Units of a lattice as convex parts that fill space together, in millimeters, and their sizes.

A cell is one part. An edge is a bar with mitered ends; neighboring bars at a vertex share a miter.
Each vertex has a small core, which joins opposite edges. A piece that goes straight through a
vertex gets the core or, where several pieces can pass a vertex without crossing, some of its parts.
So pieces that do not cross do not overlap. Faces of cubes are plates with mitered edges, joined by
a rod where two plates of a piece lie in one plane. Parts that touch share whole faces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise, product
from math import atan2, cos, floor, pi, sin

import numpy as np
import numpy.typing as npt

from exactile.doors import guarded
from exactile.errors import PuzzleError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice, Point

LARGEST = 10_000.0
"""Largest value of each size, in millimeters: ten meters."""

LEAST = {"cell": 0.5, "height": 0.1, "wall": 0.1, "gap": 0.001, "bevel": 0.01}
"""Smallest value of each size, in millimeters; meshes would lose smaller details."""


@guarded
@dataclass(frozen=True)
class Sizes:
    """Sizes of pieces and of their tray, in millimeters.

    Attributes
    ----------
    cell
        Length of the longest side of a cell, or of an edge if pieces consist of edges; diameter of
        a ball.
    height
        Height of flat pieces, or of a layer on a lattice with layers; by default half of `cell` for
        flat pieces, and `cell` for layers. It has no effect if pieces can stand on several sides.
    gap
        Gap between two pieces that touch, and between a piece and the tray.
    wall
        Thickness of the walls and the floor of a tray, and of pieces that consist of faces; width
        of the bars of pieces that consist of edges.
    bevel
        Width of the bevel at the outer edges of pieces of cells, measured on each of the two faces
        that meet there; 0 for sharp edges.

    Raises
    ------
    PuzzleError
        If a size is too small or too large, or if the gap or the bevel is too wide for the cells.
        Gap and bevel may be 0.

    Examples
    --------
    >>> Sizes(cell=12).gap
    0.2
    """

    cell: float = 15.0
    height: float | None = None
    gap: float = 0.2
    wall: float = 3.0
    bevel: float = 0.0

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            size = getattr(self, name)
            optional = name in ("gap", "bevel")
            if size is None or (size == 0 and optional):
                continue
            if not LEAST[name] <= size <= LARGEST:
                none = "0 or " if optional else ""
                raise PuzzleError(
                    f"The {name} is {size:g} mm: it must be {none}at least {LEAST[name]:g} mm, "
                    "up to 10 m."
                )
        if self.gap > self.cell / 5:
            raise PuzzleError(
                f"A gap of {self.gap:g} mm is too wide for cells of {self.cell:g} mm: write "
                f"{self.cell / 5:g} mm at most."
            )

        if self.bevel > self.cell / 6:
            raise PuzzleError(
                f"A bevel of {self.bevel:g} mm is too wide for cells of {self.cell:g} mm: write "
                f"{self.cell / 6:g} mm at most."
            )

    def tall(self, lattice: Lattice) -> float:
        """Return the height of flat pieces, or of a layer, in millimeters."""
        return self.height or (self.cell / 2 if lattice.dimension == 2 else self.cell)


Array = npt.NDArray[np.float64]

Part = tuple[Array, ...]
"""The faces of a convex polyhedron, each with its corners counter-clockwise from outside."""

Key = tuple[Point, int]
"""Identifies a part: for a unit, its point and -1; for a part of a core, a point and a number.

The point is that of a vertex for a core between bars, and of an edge for one between plates.
"""

Parts = Mapping[Key, Part]

DIGITS = 6
"""Decimals of coordinates in millimeters; rounding makes equal corners of parts identical."""

CORE = 0.5
"""Distance of a core's corners from the vertex, relative to that of the outer end of a miter."""

SLENDER = 0.4
"""Largest length of the miter at one end of an edge, relative to the length of the edge."""


def is_upright(lattice: Lattice) -> bool:
    """Return whether a lattice in space has layers that stay layers however a piece is turned.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> is_upright(get_lattice("hexagon-prisms")), is_upright(get_lattice("cube"))
    (True, False)
    """
    group = lattice.group
    return lattice.dimension == 3 and not (group[:, 2, :2].any() or group[:, :2, 2].any())


def parts_of(lattice: Lattice, units: Points, sizes: Sizes, *, full: bool = False) -> Parts:
    """Return a convex part for each unit, and the parts of cores, which join bars or plates.

    Parameters
    ----------
    lattice
        The lattice of the units; its cells must not be balls.
    units
        Points of the units, shape ``(n, d)``.
    sizes
        Sizes of cells, bars and plates.
    full
        Whether to return whole cores, not only those parts of them that join the units.

    Returns
    -------
    Parts
        The faces of each part, in millimeters, counter-clockwise from outside.

    Raises
    ------
    PuzzleError
        If bars or plates are too thick for the size of the cells.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square, sticks = get_lattice("square"), get_lattice("square-edges")
    >>> len(parts_of(square, np.array([(0, 0), (1, 0)]), Sizes()))
    2
    >>> straight, bent = np.array([(1, 0), (3, 0)]), np.array([(1, 0), (2, 1)])
    >>> len(parts_of(sticks, straight, Sizes())), len(parts_of(sticks, bent, Sizes()))
    (6, 2)
    """
    found = _family(lattice)(lattice, units, sizes, full)
    return {key: _oriented(faces) for key, faces in found}


def shift_of(lattice: Lattice, translation: npt.ArrayLike, sizes: Sizes) -> Array:
    """Return the vector in millimeters by which a translation moves parts, shape ``(3,)``.

    Parameters
    ----------
    lattice, sizes
        As in `parts_of`.
    translation
        A vector of multiples of the lattice's period, shape ``(d,)``.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> shift_of(get_lattice("cube"), (0, 2, 1), Sizes(10)).tolist()
    [0.0, 20.0, 10.0]
    """
    flat = np.asarray(translation) @ np.array(lattice.embedding) * sizes.cell
    shift = np.zeros(3)
    shift[: len(flat)] = flat
    if is_upright(lattice):
        shift[2] = np.asarray(translation)[2] // lattice.period * sizes.tall(lattice)
    return shift


Family = Callable[[Lattice, Points, Sizes, bool], Iterator[tuple[Key, list[Array]]]]


def _family(lattice: Lattice) -> Family:
    """Return the function that makes the parts of a lattice: cells, bars or plates."""
    face = lattice.faces[0]
    if len(face) > 1 or (lattice.dimension == 2 and len(face[0]) > 2):
        return _cells
    if lattice.dimension == 2 or is_upright(lattice):
        return _bars
    return _bars_in_space if len(face[0]) == 2 else _plates


def _oriented(faces: list[Array]) -> Part:
    """Return the faces of a convex polyhedron, counter-clockwise from outside and rounded."""
    middle = np.concatenate(faces).mean(axis=0)
    found = []
    for face in faces:
        rounded = face.round(DIGITS) + 0.0
        center = face.mean(axis=0)
        turn = np.cross(face - center, np.roll(face, -1, axis=0) - center).sum(axis=0)
        found.append(rounded if turn @ (center - middle) > 0 else rounded[::-1])
    return tuple(found)


def _prism(base: Array, low: float, high: float) -> list[Array]:
    """Return the faces of the prism over a polygon in the plane."""
    below, above = (np.column_stack([base, np.full(len(base), z)]) for z in (low, high))
    around = [np.roll(ring, -1, axis=0) for ring in (below, above)]
    walls = np.stack([below, around[0], around[1], above], axis=1)
    return [below, above, *walls]


def _point(place: npt.ArrayLike) -> Point:
    return tuple(np.rint(np.asarray(place)).astype(int).tolist())


def _cells(
    lattice: Lattice, units: Points, sizes: Sizes, _: bool
) -> Iterator[tuple[Key, list[Array]]]:
    """Yield cells: solids as they are, and polygons as prisms."""
    scale = np.array(lattice.embedding) * sizes.cell
    if is_upright(lattice):
        scale[2, 2] *= sizes.tall(lattice) / sizes.cell
    for unit, kind in zip(units, lattice.types(units).tolist(), strict=True):
        faces = [(unit + np.array(face)) @ scale for face in lattice.faces[kind]]
        flat = lattice.dimension == 2
        yield (_point(unit), -1), _prism(faces[0], 0, sizes.tall(lattice)) if flat else faces


def _bars(
    lattice: Lattice, units: Points, sizes: Sizes, full: bool
) -> Iterator[tuple[Key, list[Array]]]:
    """Yield bars for edges in the plane or in layers, and the cores that join them at vertices."""
    scale = np.array(lattice.embedding)[:2, :2] * sizes.cell
    number = sum(any(step[:2]) for step in lattice.neighbors[0]) // 2 + 1  # of edges at a vertex
    half = pi / number
    reach = sizes.wall / 2 / sin(half)
    _require_slender(reach * cos(half), sizes)
    core = CORE * reach if lattice.crossing else 0.0

    def beside(vertex: Array, angle: float, distance: float) -> list[Array]:
        """Return the points on the two miters beside an edge, at a distance from the vertex.

        `angle`: direction of the edge from the vertex. The point clockwise from it comes first.
        """
        turned = (angle - half, angle + half)
        return [vertex + distance * np.array((cos(a), sin(a))) for a in turned]

    rays: defaultdict[Point, int] = defaultdict(int)  # the edges at each vertex, as a bit mask
    for unit, kind in zip(units, lattice.types(units).tolist(), strict=True):
        ends = [unit[:2] + np.array(end[:2]) for end in lattice.faces[kind][0][:2]]
        here, there = (end @ scale for end in ends)
        angle = atan2(*(there - here)[::-1])
        ring: list[Array] = []
        for vertex, way in ((here, angle), (there, angle + pi)):
            right, left = beside(vertex, way, reach)
            tip = beside(vertex, way, core)[::-1] if core else [vertex]
            ring += [left, *tip, right]
        yield (_point(unit), -1), _prism(np.array(ring), *_levels(lattice, unit, sizes))
        if lattice.crossing:
            for node in (_point((*end, *unit[2:])) for end in ends):
                ray = lattice.crossing.rays.index(_point(unit - np.array(node)))
                rays[node] |= 1 << ray
    for node, mask in rays.items():
        assert lattice.crossing is not None
        place = np.array(node[:2]) @ scale
        for k in range(number) if full else _through(lattice, mask):
            away = np.array(lattice.crossing.rays[k][:2]) @ scale
            corners = [place, *beside(place, atan2(*away[::-1]), core)]
            yield (node, k), _prism(np.array(corners), *_levels(lattice, node, sizes))


def _levels(lattice: Lattice, point: npt.ArrayLike, sizes: Sizes) -> tuple[float, float]:
    """Return the heights of the bottom and the top of a unit, in millimeters."""
    layer = (np.asarray(point)[2:] // lattice.period).sum()
    tall = sizes.tall(lattice)
    return float(layer * tall), float((layer + 1) * tall)


def _through(lattice: Lattice, rays: int) -> range | tuple[int, ...]:
    """Return the numbers of the parts of a vertex's core that belong to a piece.

    They are equal to the numbers of the items of the crossing rule that the piece uses at the
    vertex; if a vertex has only one item, it stands for the whole core. `rays`: the edges of the
    piece at the vertex, as a bit mask.
    """
    assert lattice.crossing is not None
    number = len(lattice.crossing.rays)
    items = lattice.crossing.items(rays)
    single = len(lattice.crossing.items((1 << number) - 1)) == 1
    return range(number) if items and single else items


def _bars_in_space(
    lattice: Lattice, units: Points, sizes: Sizes, full: bool
) -> Iterator[tuple[Key, list[Array]]]:
    """Yield bars for edges of cubes, and the cores of vertices, which are cubes of six pyramids."""
    scale = np.array(lattice.embedding) * sizes.cell
    thick, core = sizes.wall / 2, CORE * sizes.wall / 2
    _require_slender(thick, sizes)
    rays: defaultdict[Point, set[Point]] = defaultdict(set)
    for unit in units:
        rings = []
        for sign in (1, -1):
            toward = sign * (unit % 2)  # from the vertex along the edge
            vertex = unit - toward
            rays[_point(vertex)].add(_point(toward))
            rings += [vertex @ scale + _square(toward, size, size) for size in (core, thick)]
        rings = [rings[0], rings[1], rings[3], rings[2]]
        yield (_point(unit), -1), [rings[0], rings[3], *_between(rings)]
    axes = [tuple(row) for row in np.vstack([np.eye(3), -np.eye(3)]).astype(int).tolist()]
    for vertex, own in rays.items():
        if full or any(_point(-np.array(ray)) in own for ray in own):
            place = np.array(vertex) @ scale
            for number, axis in enumerate(axes):
                base = place + _square(np.array(axis), core, core)
                sides = zip(base, np.roll(base, -1, axis=0), strict=True)
                yield (vertex, number), [base, *(np.array([place, *side]) for side in sides)]


def _square(axis: npt.NDArray[np.int64], offset: float, half: float) -> Array:
    """Return the corners of a square perpendicular to `axis`, in the same order as for `-axis`.

    `offset`: distance of the square along the axis. `half`: half of its side.
    """
    first, second = (np.eye(3)[k] for k in range(3) if not axis[k])
    around = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return np.array([offset * axis + half * (a * first + b * second) for a, b in around])


def _between(rings: list[Array]) -> Iterator[Array]:
    """Yield the faces between each ring of corners and the next."""
    for one, other in pairwise(rings):
        for k in range(len(one)):
            n = (k + 1) % len(one)
            yield np.array([one[k], one[n], other[n], other[k]])


def _plates(
    lattice: Lattice, units: Points, sizes: Sizes, full: bool
) -> Iterator[tuple[Key, list[Array]]]:
    """Yield plates on the faces of cubes, and a rod at each edge where two plates lie in one plane.

    If `full` is True, there is a rod at every edge of a plate.
    """
    scale = np.array(lattice.embedding) * sizes.cell
    side, thick, core = sizes.cell / 2, sizes.wall / 2, CORE * sizes.wall / 2
    _require_slender(thick, sizes)
    plates: defaultdict[Point, set[Point]] = defaultdict(set)  # at each edge, seen from it
    for unit in units:
        middle, across = unit @ scale, 1 - unit % 2
        rings = [
            middle + _square(across, offset, side - abs(offset))
            for offset in (thick, core, -core, -thick)
        ]
        yield (_point(unit), -1), [rings[0], rings[3], *_between(rings)]
        for axis, sign in product(np.flatnonzero(unit % 2), (1, -1)):
            toward = sign * np.eye(3, dtype=np.int64)[axis]
            plates[_point(unit + toward)].add(_point(-toward))
    for edge, own in plates.items():
        if full or any(_point(-np.array(plate)) in own for plate in own):
            along = np.array(edge) % 2
            ends = [
                np.array(edge) @ scale + _square(along, offset, core)
                for offset in (side - core, core - side)
            ]
            yield (edge, 0), [*ends, *_between(ends)]


def _require_slender(reach: float, sizes: Sizes) -> None:
    """Raise PuzzleError if the miters at both ends of an edge leave too little of it.

    `reach`: length of a miter along the edge.
    """
    if reach > SLENDER * sizes.cell:
        most = floor(10 * SLENDER * sizes.cell * sizes.wall / reach + 1e-6) / 10
        raise PuzzleError(
            f"A wall of {sizes.wall:g} mm is too thick for edges of {sizes.cell:g} mm: write "
            f"{most:g} mm at most, or larger cells."
        )
