"""Lattices as data: other modules read this data, and do not depend on the names of lattices.

A lattice is a set of integer points, one per unit (a cell, an edge or a face). A unit's type is the
residue of its point modulo `period`; translations of the lattice are the multiples of `period`.
People write units in *customary coordinates*: ``(x, y)`` for squares and hexagons, ``(x, y, z)``
for cubes, and ``(x, y, type)`` where one place holds several types of unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pickle import PicklingError

import numpy as np
import numpy.typing as npt

from exactile.doors import refuse_long
from exactile.errors import GeometryError, RegionError
from exactile.geometry.isometry import Matrices, Points, determinant, distinct, generate_group

Point = tuple[int, ...]
Corner = tuple[float, ...]
Coordinates = Sequence[Sequence[int]] | Points
Cells = list[Point]
Builder = Callable[..., Cells]
"""A function that takes the sizes of a region and returns the customary coordinates of its units.
The least coordinates are 0. A builder raises RegionError if sizes are impossible or too large."""

MAX_UNITS = 1_000_000
"""Largest number of units of a region: a larger one is probably a typing error."""


FARTHEST = 10**15
"""Largest coordinate of a point: sums and multiples of a few coordinates fit 64 bits."""


def integer_points(values: npt.ArrayLike, what: str) -> Points:
    """Convert integers, in lists or in an array, to an array of points.

    `what`: the subject of messages, such as ``"The units"``. Raise GeometryError unless the values
    are integers, at most `FARTHEST` from 0, in lists of equal length; PuzzleError if there are too
    many.

    Examples
    --------
    >>> integer_points([[0, 1], [2, 3]], "The units").shape
    (2, 2)
    """
    refuse_long(values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise GeometryError(f"{what} have different numbers of coordinates.") from None
    if array.ndim == 0 or (array.size and array.dtype.kind not in "iu"):
        raise GeometryError(f"{what} are not lists of integers.")
    if array.size and not -FARTHEST <= array.min() <= array.max() <= FARTHEST:
        raise GeometryError(f"{what} have integers beyond {FARTHEST:,}: write smaller ones.")
    return array.astype(np.int64, copy=False)


@dataclass(frozen=True)
class Frame:
    """A lattice of cells by which the regions of another lattice are described.

    The units of the other lattice surround or divide the cells. A region consists of all units
    around or in its cells.

    Attributes
    ----------
    lattice
        Name of the lattice of the cells.
    borders
        For each type of cell, the points of the units around or in the cell at the origin.
    """

    lattice: str
    borders: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class Expansion:
    """A way to build a region from a region of another lattice, such as a prism from a flat one.

    Attributes
    ----------
    lattice
        Name of the other lattice.
    size
        Name of the additional size, such as ``"height"``.
    build
        Returns customary coordinates, given those of the other lattice and the size.
    """

    lattice: str
    size: str
    build: Callable[[list[Point], int], list[Point]]


@dataclass(frozen=True)
class Sketch:
    """How a region is drawn in text, one character for each cell.

    The cell with customary coordinates ``(x, y[, type])`` stands in column
    ``columns . (x, y) + shifts[type][0]`` and in line ``lines . (x, y) + shifts[type][1]``. Lines
    are counted from the bottom, and a dot is a dot product. A third space coordinate, if any,
    counts layers.
    """

    columns: tuple[int, int]
    lines: tuple[int, int]
    shifts: tuple[tuple[int, int], ...] = ((0, 0),)


@dataclass(frozen=True)
class Stroke:
    """A short text that helps to draw one unit.

    The text starts `column` characters right of the unit's origin and `line` lines above it; blanks
    in the text cover nothing. `text` is a format string for the label of the unit's piece, such as
    ``-{:-<3}``; in a region without pieces the label is empty. A stroke with `across`, the offset
    of another unit, is a border between pieces: it is drawn only if that unit belongs to another
    piece, or to none.
    """

    column: int
    line: int
    text: str
    across: Point | None = None


@dataclass(frozen=True)
class Art:
    """How a solution is drawn as text.

    Attributes
    ----------
    columns, lines
        Two vectors. Their dot products with the customary coordinates of a unit, including the
        type, are the column and the line where the origin of the unit stands.
    strokes
        For each type of unit, its strokes. Later strokes overwrite earlier ones, even of other
        units. If there are borders, one unit of each piece has a label, otherwise every unit has.
    dots
        For each type of unit, the column and line of the dot for an uncovered unit, counted from
        the origin of the unit; by default, at this origin.
    label_width
        Length of the longest label that fits.
    layer_axis
        Index of the customary coordinate whose values are drawn as layers side by side; None for a
        single drawing.
    """

    columns: tuple[int, ...]
    lines: tuple[int, ...]
    strokes: tuple[tuple[Stroke, ...], ...]
    dots: tuple[tuple[int, int], ...] = ()
    label_width: int = 2
    layer_axis: int | None = None


@dataclass(frozen=True)
class Crossing:
    """The rule that two pieces may touch at a vertex but not cross.

    Attributes
    ----------
    rays
        Offsets from a vertex (any point that is 0 modulo the period) to the units that end there,
        in counter-clockwise order.
    items
        Maps the set of rays that a piece has at a vertex (a bit mask) to the secondary items it
        uses there, numbered from 0. Two pieces cross exactly when they share an item.
    """

    rays: tuple[Point, ...]
    items: Callable[[int], tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Lattice:
    """A lattice as data.

    Attributes
    ----------
    name, polyform, plural
        Names of the lattice and of its polyforms, such as ``"square"``, ``"polyomino"``,
        ``"polyominoes"``.
    period
        A translation is a vector whose coordinates are all multiples of this number.
    origins
        For each type of unit, the point of the unit with customary coordinates 0. The unit with
        coordinates (x, y) has the point (x, y) times the period, plus the origin.
    generators
        Matrices that generate the point group; M maps the point p, a column, to M p.
    neighbors
        For each type, the offsets to the units joined with it.
    faces
        For each type, polygons (or segments, for edges) as offsets of their corners from the point.
        Units that touch share whole sides: a side that lies along two other units is divided by a
        corner. Each side of a flat cell is a side of a neighbor.
    embedding
        Shape ``(d, 2)`` or ``(d, 3)``: a point times this matrix is its place in plane or space.
        The longest side of a unit, or the diameter of a ball, has length 1.
    art
        How a solution is drawn as text.
    flips
        Whether a reflection is a motion of a real piece, as it is for flat ones.
    sets
        The order of each customary set, such as ``{"pentominoes": 5}``.
    builders
        Region builders by name; each returns customary coordinates: those of units, or of the
        cells of the frame, if there is one.
    expansions
        Builders that take a region of another lattice, by name.
    sketch
        How a region is drawn as text with one character for each cell; None if this is impossible.
    frame
        The cells that units surround or divide; None if units are whole cells.
    crossing
        The rule for pieces at vertices; None if pieces cannot cross.
    customary
        False if there are no customary coordinates: units are then written as points.
    block
        The units of one cell of a polyform if a cell has several units: a tan has two quarters of a
        square. Orders count cells. Empty if each unit is a cell.
    slides
        Vectors that are not translations of the lattice but still map some sets of units to sets of
        units: one vector of each class under the point group.
    balls
        Whether units are balls. Then `faces` describes polyhedra in which the balls are inscribed.
    """

    name: str
    polyform: str
    plural: str
    period: int
    origins: tuple[Point, ...]
    generators: tuple[tuple[Point, ...], ...]
    neighbors: tuple[tuple[Point, ...], ...]
    faces: tuple[tuple[tuple[Corner, ...], ...], ...]
    embedding: tuple[tuple[float, ...], ...]
    art: Art
    flips: bool
    sets: Mapping[str, int]
    builders: Mapping[str, Builder]
    expansions: Mapping[str, Expansion] = field(default_factory=dict)
    sketch: Sketch | None = None
    frame: Frame | None = None
    crossing: Crossing | None = None
    customary: bool = True
    block: tuple[Point, ...] = ()
    slides: tuple[Point, ...] = ()
    balls: bool = False

    def __repr__(self) -> str:
        return f"<lattice {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Lattice], tuple[str]]:
        """Pickle only the name, since a process has a single lattice of each name.

        Raise PicklingError if this is not the installed lattice of its name.
        """
        from exactile.geometry import get_lattice  # it imports this module

        if get_lattice(self.name) is not self:
            raise PicklingError(f"The lattice {self.name} is not the installed one of this name.")
        return get_lattice, (self.name,)

    @property
    def dimension(self) -> int:
        """Number of coordinates of a point."""
        return len(self.origins[0])

    @cached_property
    def group(self) -> Matrices:
        """The point group, shape ``(g, d, d)``: identity, other proper elements, improper ones."""
        return generate_group(np.array(self.generators, dtype=np.int64))

    @cached_property
    def proper(self) -> Matrices:
        """The proper elements (determinant 1) of the point group."""
        return self.group[[determinant(m) > 0 for m in self.group]]

    @cached_property
    def residues(self) -> npt.NDArray[np.int64]:
        """For each residue of points modulo the period, the type of unit, -1 if there is none.

        The index of a residue with the coordinates r_i is ``sum(r_i * period**i)``.
        """
        table = np.full(self.period**self.dimension, -1, dtype=np.int64)
        for kind, origin in enumerate(self.origins):
            table[self._residue_index(np.array(origin))] = kind
        return table

    def _residue_index(self, points: Points) -> npt.NDArray[np.int64]:
        powers = self.period ** np.arange(self.dimension)
        return np.asarray((points % self.period * powers).sum(axis=-1))

    def types(self, points: Points) -> npt.NDArray[np.int64]:
        """Return the type of each point, -1 where the point is not a unit."""
        return self.residues[self._residue_index(points)]

    def quasi_neighbors(self) -> tuple[tuple[Point, ...], ...]:
        """Return, for each type of unit, the offsets to neighbors and to neighbors of neighbors."""
        result = []
        for origin, near in zip(self.origins, self.neighbors, strict=True):
            reach = set(near)
            for step in near:
                middle = np.add(origin, step)
                kind = int(self.types(middle))
                reach |= {tuple(np.add(step, s).tolist()) for s in self.neighbors[kind]}
            reach.discard((0,) * self.dimension)
            result.append(tuple(sorted(reach)))
        return tuple(result)

    def points(self, coordinates: Coordinates) -> Points:
        """Convert customary coordinates to points.

        Raises
        ------
        GeometryError
            If a unit does not exist, or has the wrong number of coordinates or a coordinate that is
            not an integer.

        Examples
        --------
        >>> from exactile.geometry import get_lattice
        >>> get_lattice("square-edges").points([(0, 0, 0), (2, 1, 1)]).tolist()
        [[1, 0], [4, 3]]
        """
        width = len(self.axes)
        for unit in coordinates if set(map(len, coordinates)) - {width} else ():
            if len(unit) != width:
                raise GeometryError(
                    f"{list(unit)} is not a unit of the {self.name} lattice: "
                    f"write {width} coordinates ({', '.join(self.axes)})."
                )
        array = np.array(integer_points(coordinates, "The units")).reshape(-1, width)
        if not self.customary:
            self._require_units(array)
            return array
        if len(self.origins) == 1:
            return np.asarray(array * self.period + np.array(self.origins[0]))
        kinds = array[:, -1]
        bad = (kinds < 0) | (kinds >= len(self.origins))
        if bad.any():
            raise GeometryError(
                f"{array[bad][0].tolist()} is not a unit of the {self.name} lattice: "
                f"the last coordinate must be 0 to {len(self.origins) - 1}."
            )
        return np.asarray(array[:, :-1] * self.period + np.array(self.origins)[kinds])

    def _require_units(self, points: Points) -> None:
        bad = self.types(points) < 0
        if bad.any():
            raise GeometryError(
                f"{points[bad][0].tolist()} is not a unit of the {self.name} lattice: "
                f"modulo {self.period} a unit is one of "
                f"{', '.join(str(list(o)) for o in self.origins)}."
            )

    def coordinates(self, points: Points) -> list[Point]:
        """Convert points to customary coordinates, in the same order.

        Raises
        ------
        GeometryError
            If a point is not a unit.
        """
        self._require_units(points)
        if not self.customary:
            return [tuple(p) for p in points.tolist()]
        kinds = self.types(points)
        places = (points - np.array(self.origins)[kinds]) // self.period
        if len(self.origins) == 1:
            return [tuple(p) for p in places.tolist()]
        return [(*p, k) for p, k in zip(places.tolist(), kinds.tolist(), strict=True)]

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the customary coordinates."""
        space = ("x", "y", "z")[: self.dimension]
        return space if len(self.origins) == 1 or not self.customary else (*space, "type")

    def units_around(self, cells: Coordinates, cell_types: int) -> Points:
        """Return the units around or in cells of the frame's lattice, each once, sorted.

        Raise GeometryError if the lattice has no frame.

        Parameters
        ----------
        cells
            Customary coordinates on the lattice named by the frame.
        cell_types
            Number of types of unit on that lattice.
        """
        if self.frame is None:
            raise GeometryError(f"The {self.name} lattice has no cells of another lattice.")
        places = np.array(cells, dtype=np.int64).reshape(-1, self.dimension + (cell_types > 1))
        kinds = np.zeros(len(places), dtype=np.int64)
        if cell_types > 1:
            places, kinds = places[:, :-1], places[:, -1]
        parts = [np.zeros((0, self.dimension), dtype=np.int64)]
        for kind, border in enumerate(self.frame.borders):
            around = self.period * places[kinds == kind, None] + np.array(border, dtype=np.int64)
            parts.append(around.reshape(-1, self.dimension))
        return distinct(np.concatenate(parts))[0]


def require_sizes(*sizes: int) -> None:
    """Raise RegionError if a size is not positive, or their product is above `MAX_UNITS`.

    Examples
    --------
    >>> require_sizes(3, 0)
    Traceback (most recent call last):
        ...
    exactile.errors.RegionError: A size of 0 makes an empty region: sizes start at 1.
    """
    for size in sizes:
        if size < 1:
            raise RegionError(f"A size of {size} makes an empty region: sizes start at 1.")
    if prod(sizes) > MAX_UNITS:
        raise RegionError(
            f"A region of {' x '.join(map(str, sizes))} = {prod(sizes):,} places is too large: "
            f"the limit is {MAX_UNITS:,} units."
        )


def require(condition: bool, message: str) -> None:
    """Raise RegionError with a message unless a condition holds."""
    if not condition:
        raise RegionError(message)
