"""Regions of puzzle files: a base, more and less of it, moved, partly optional, wrapped around."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec
import numpy as np

from exactile.errors import FileError, suggestion
from exactile.files.io.place import Place, T
from exactile.files.puzzles.drawing import parse_drawing
from exactile.files.puzzles.shapes import Grid, Shape
from exactile.files.puzzles.structure import RegionTable, ShapeTable, Sizes
from exactile.files.puzzles.units import internal
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Region


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
        self.grid = Grid(lattice)
        self.names = [*lattice.builders, *lattice.expansions]

    def shape(self, table: dict[str, Any], place: Place, kind: type[T]) -> tuple[Shape, T]:
        """Return a shape and the checked rest of its table."""
        builders = {k: v for k, v in table.items() if k in self.names}
        rest = {k: v for k, v in table.items() if k not in builders}
        self._require_known_keys(rest, place, kind)
        header = place.convert(rest, kind)
        assert isinstance(header, ShapeTable)
        shape = self._placed(self._base(builders, header, place), header, place)
        for i, part in enumerate(header.plus):
            self._add(shape, part, place / f"plus[{i}]")
        for i, part in enumerate(header.minus):
            self._remove(shape, part, place / f"minus[{i}]")
        if not header.border:
            shape = self._without_border(shape, header, place)
        return shape, header

    def _placed(self, shape: Shape, header: ShapeTable, place: Place) -> Shape:
        if header.turn:
            shape = self.grid.turned(shape, header.turn)
        if header.shift is not None:
            with (place / "shift").errors():
                _require_dimension(header.shift, self.lattice)
            shape = self.grid.moved(shape, header.shift)
        return shape

    def _without_border(self, shape: Shape, header: ShapeTable, place: Place) -> Shape:
        with (place / "border").errors():
            if self.grid.sides < 2:
                raise FileError(
                    f"the {self.lattice.name} lattice has no borders: "
                    "border is for lattices of edges and faces."
                )
            if shape.loose:
                raise FileError(
                    "a region without border has no optional cells: write its optional units."
                )
        wrap = None
        if isinstance(header, RegionTable):
            wrap = _wrap(header, self.lattice, place / "wrap")
        with place.errors():
            return self.grid.without_border(shape, wrap)

    def _require_known_keys(
        self, rest: dict[str, Any], place: Place, kind: type[msgspec.Struct]
    ) -> None:
        known = [*self.names, *kind.__struct_fields__]
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
                f"a region starts from exactly one of {', '.join(self.names)}, "
                f"drawing, units, {found}; more goes into plus = [{{...}}]."
            )
        base = bases[0]
        with (place / base).errors():
            if header.units is not None:
                units = set(internal(header.units, self.lattice))
                return Shape(units=units) if self.grid.framed else Shape(cells=units)
            if header.drawing is not None:
                required, loose = parse_drawing(header.drawing, self.grid.cell_lattice)
                return Shape(cells=self.grid.cells(required), loose=self.grid.cells(loose))
            if base in self.lattice.expansions:
                return Shape(cells=self._expanded(base, builders[base], place / base))
            sizes = place.convert({base: builders[base]}, _sizes_table(base))
            return Shape(cells=self._built(base, getattr(sizes, base)))

    def _expanded(self, name: str, table: Any, place: Place) -> set[Point]:
        """Return the cells that a region of another lattice expands to."""
        expansion = self.lattice.expansions[name]
        flat, key = get_lattice(expansion.lattice), expansion.size
        if not isinstance(table, dict) or key not in table:
            raise FileError(
                f"a {name} takes a region of the {flat.name} lattice and its {key}: "
                f"write {name} = {{ box = [4, 3], {key} = 2 }}."
            )
        size = place.convert({key: table[key]}, _sizes_table(key, int))
        rest = {k: v for k, v in table.items() if k != key}
        shape, _ = _Reader(flat).shape(rest, place, ShapeTable)
        if shape.loose:
            raise FileError(f"a {name} has no optional cells: write them as optional = ...")
        cells = flat.coordinates(np.array(sorted(shape.cells)).reshape(-1, flat.dimension))
        return self.grid.cells(expansion.build(cells, getattr(size, key)))

    def _built(self, name: str, sizes: int | list[int]) -> set[Point]:
        builder = self.lattice.builders[name]
        given = [sizes] if isinstance(sizes, int) else sizes
        wanted = list(inspect.signature(builder).parameters)
        if len(given) != len(wanted):
            text = f"[{', '.join(wanted)}]" if len(wanted) > 1 else wanted[0]
            raise FileError(f"{sizes} are not the sizes of a {name}: write {name} = {text}.")
        return self.grid.cells(builder(*given))

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

    def resolved(self, shape: Shape, place: Place) -> tuple[set[Point], set[Point]]:
        """Return the points of the units to be covered and of the optional ones."""
        with place.errors():
            return self.grid.units(shape)


def _sizes_table(name: str, kind: Any = Sizes) -> type[msgspec.Struct]:
    """Return a structure with the builder's name as its one key, so that messages name it."""
    return msgspec.defstruct("SizesTable", [(name, kind)])
