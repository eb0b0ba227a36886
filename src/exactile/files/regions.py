"""Regions of puzzle files: a base, more and less of it, moved, partly optional, wrapped around."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from exactile.errors import FileError, RegionError, suggestion
from exactile.files.drawing import parse_drawing
from exactile.files.place import Place, T
from exactile.files.structure import RegionTable, ShapeTable, Sizes
from exactile.files.units import internal
from exactile.geometry import get_lattice
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Coordinates, Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Region


@dataclass
class Shape:
    """A region while it is put together.

    On lattices of edges and faces most of it is said in cells, which stand for all units around
    them; so cells and units are kept apart until the end. On lattices of cells there are no units.

    Attributes
    ----------
    cells, loose
        Cells to be covered and optional ones, as points of the lattice of cells.
    units, removed
        Units added and units taken away, as points.
    """

    cells: set[Point] = field(default_factory=set)
    loose: set[Point] = field(default_factory=set)
    units: set[Point] = field(default_factory=set)
    removed: set[Point] = field(default_factory=set)

    @property
    def parts(self) -> tuple[set[Point], ...]:
        """The four sets."""
        return self.cells, self.loose, self.units, self.removed


def read_region(table: dict[str, Any], lattice: Lattice, place: Place) -> Region:
    """Return the region that a table of a puzzle file describes.

    Raises
    ------
    FileError, RegionError, GeometryError
        With the place in the file.

    Examples
    --------
    >>> square = get_lattice("square")
    >>> len(read_region({"box": [8, 8], "minus": [{"units": "3..4,3..4"}]}, square, Place("a")))
    60
    """
    reader = _Reader(lattice)
    with place.errors():
        shape, header = reader.shape(table, place, RegionTable)
        required, optional = reader.resolved(shape, place)
        if header.optional is not None:
            with (place / "optional").errors():
                optional |= set(internal(header.optional, lattice))
            required -= optional
        wrap = _wrap(header, lattice, place / "wrap")
        if wrap is not None and lattice.frame is not None:
            # The border of a cell may be another cell's border, seen around the wrap.
            required, optional = _reduced(required, wrap), _reduced(optional, wrap)
            optional -= required
        units = sorted(required | optional)
        mask = np.array([u in optional for u in units], dtype=bool)
        points = np.array(units, dtype=np.int64).reshape(-1, lattice.dimension)
        return Region(lattice, points, mask, wrap)


def _wrap(header: RegionTable, lattice: Lattice, place: Place) -> Wrap | None:
    if header.wrap is None:
        return None
    with place.errors():
        for vector in header.wrap:
            _require_dimension(vector, lattice)
        return Wrap([[lattice.period * c for c in vector] for vector in header.wrap])


def _reduced(points: set[Point], wrap: Wrap) -> set[Point]:
    if not points:
        return points
    return {tuple(p) for p in wrap.reduce(np.array(sorted(points))).tolist()}


def _require_dimension(vector: list[int], lattice: Lattice) -> None:
    if len(vector) != lattice.dimension:
        raise FileError(
            f"{vector} is no translation of the {lattice.name} lattice: "
            f"write {lattice.dimension} integers."
        )


class _Reader:
    """Reads the shapes of one region."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.framed = lattice.frame is not None
        self.cell_lattice = get_lattice(lattice.frame.lattice) if lattice.frame else lattice

    def shape(self, table: dict[str, Any], place: Place, kind: type[T]) -> tuple[Shape, T]:
        """Return a shape and the checked rest of its table."""
        builders = {k: v for k, v in table.items() if k in self.lattice.builders}
        rest = {k: v for k, v in table.items() if k not in builders}
        self._require_known_keys(rest, place, kind)
        header = place.convert(rest, kind)
        assert isinstance(header, ShapeTable)
        shape = self._base(builders, header, place)
        if header.shift is not None:
            with (place / "shift").errors():
                _require_dimension(header.shift, self.lattice)
            shape = self._moved(shape, header.shift)
        for i, part in enumerate(header.plus):
            self._add(shape, part, place / f"plus[{i}]")
        for i, part in enumerate(header.minus):
            self._remove(shape, part, place / f"minus[{i}]")
        return shape, header

    def _require_known_keys(
        self, rest: dict[str, Any], place: Place, kind: type[msgspec.Struct]
    ) -> None:
        known = [*self.lattice.builders, *kind.__struct_fields__]
        for key in rest:
            if key not in known:
                raise place.error(
                    f"unknown key '{key}'.{suggestion(key, known)} Known on the "
                    f"{self.lattice.name} lattice: {', '.join(known)}."
                )

    def _base(self, builders: dict[str, Any], header: ShapeTable, place: Place) -> Shape:
        bases = [*builders, *(k for k in ("drawing", "units") if getattr(header, k) is not None)]
        if len(bases) != 1:
            found = f"not {' and '.join(bases)} together" if bases else "not none"
            raise place.error(
                f"a region starts from exactly one of {', '.join(self.lattice.builders)}, "
                f"drawing, units, {found}; more goes into plus = [{{...}}]."
            )
        base = bases[0]
        with (place / base).errors():
            if header.units is not None:
                units = set(internal(header.units, self.lattice))
                return Shape(units=units) if self.framed else Shape(cells=units)
            if header.drawing is not None:
                required, loose = parse_drawing(header.drawing, self.cell_lattice)
                return Shape(cells=self._cells(required), loose=self._cells(loose))
            sizes = place.convert({base: builders[base]}, _sizes_table(base))
            return Shape(cells=self._cells(self._built(base, getattr(sizes, base))))

    def _built(self, name: str, sizes: int | list[int]) -> Coordinates:
        builder = self.lattice.builders[name]
        given = [sizes] if isinstance(sizes, int) else sizes
        wanted = list(inspect.signature(builder).parameters)
        if len(given) != len(wanted):
            text = f"[{', '.join(wanted)}]" if len(wanted) > 1 else wanted[0]
            raise FileError(f"{sizes} are not the sizes of a {name}: write {name} = {text}.")
        return builder(*given)

    def _cells(self, cells: Coordinates) -> set[Point]:
        return {tuple(p) for p in self.cell_lattice.points(cells).tolist()}

    def _add(self, shape: Shape, table: dict[str, Any], place: Place) -> None:
        part = self._part(table, place)
        for mine, other in zip(shape.parts, part.parts, strict=True):
            mine |= other
        shape.loose -= shape.cells

    def _remove(self, shape: Shape, table: dict[str, Any], place: Place) -> None:
        part = self._part(table, place)
        if not (part.cells | part.loose) & (shape.cells | shape.loose) and not part.units & (
            set().union(*self.resolved(shape, place)) if part.units else set()
        ):
            raise place.error("it takes nothing away: no unit of it lies in the region.")
        shape.cells -= part.cells | part.loose
        shape.loose -= part.cells | part.loose
        shape.units -= part.units
        shape.removed |= part.units

    def _part(self, table: dict[str, Any], place: Place) -> Shape:
        """Return a shape from which no units are removed: it has been made units if need be."""
        shape, _ = self.shape(table, place, ShapeTable)
        return Shape(units=self.resolved(shape, place)[0]) if shape.removed else shape

    def _moved(self, shape: Shape, shift: list[int]) -> Shape:
        steps = [self.cell_lattice.period] * 2 + [self.lattice.period] * 2
        return Shape(
            *(
                {tuple(c + step * s for c, s in zip(p, shift, strict=True)) for p in points}
                for points, step in zip(shape.parts, steps, strict=True)
            )
        )

    def resolved(self, shape: Shape, place: Place) -> tuple[set[Point], set[Point]]:
        """Return the points of the units to be covered and of the optional ones."""
        if not self.framed:
            return set(shape.cells), set(shape.loose)
        kinds = len(self.cell_lattice.origins)
        units = len(shape.cells | shape.loose) * len(self.lattice.origins) // kinds
        if units > MAX_UNITS:
            raise place.error(
                f"a region of about {units:,} units is too large: the limit is {MAX_UNITS:,}.",
                RegionError,
            )
        required = (self._around(shape.cells) | shape.units) - shape.removed
        return required, self._around(shape.loose) - shape.removed - required

    def _around(self, cells: set[Point]) -> set[Point]:
        points: Points = np.array(sorted(cells), dtype=np.int64)
        coordinates = self.cell_lattice.coordinates(points.reshape(-1, self.cell_lattice.dimension))
        around = self.lattice.units_around(coordinates, len(self.cell_lattice.origins))
        return {tuple(p) for p in around.tolist()}


def _sizes_table(builder: str) -> type[msgspec.Struct]:
    """Return a structure with the builder's name as its one key, so that messages name it."""
    return msgspec.defstruct("SizesTable", [(builder, Sizes)])
