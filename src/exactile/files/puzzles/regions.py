"""Regions of puzzle files: a base, additions, removals, moved, partly optional, wrapped.

On lattices of edges and faces, most of a region is given in cells, which stand for all units around
them; cells and units are therefore kept apart until the end. On lattices of cells there are no
units.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from exactile.errors import FileError, RegionError, suggestion
from exactile.files.puzzles.drawing import parse_drawing
from exactile.files.puzzles.motions import read_motion
from exactile.files.puzzles.structure import DraftTable, RegionTable, Sizes
from exactile.files.puzzles.units import internal
from exactile.files.sources import Place, T
from exactile.geometry import get_lattice
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Matrices, Points, distinct, to_origin
from exactile.geometry.lattice import Coordinates, Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Region


def read_region(table: dict[str, Any], lattice: Lattice, place: Place) -> Region:
    """Return the region that a table of a puzzle file describes.

    Raise FileError, RegionError, GeometryError with the place in the file.

    >>> square = get_lattice("square")
    >>> len(read_region({"box": [8, 8], "minus": [{"units": "3..4,3..4"}]}, square, Place("a")))
    60
    """
    reader = _RegionReader(lattice)
    with place.errors():
        draft, header = reader.draft(table, place, RegionTable)
        required, optional = reader.resolved(draft, place)
        if header.optional is not None:
            with (place / "optional").errors():
                optional |= set(internal(header.optional, lattice))
            required -= optional
        wrap = _wrap(header, lattice, place / "wrap")
        if wrap is not None and lattice.frame is not None:
            # The border of a cell may be another cell's border, seen around the wrap.
            required, optional = _reduced(required, wrap), _reduced(optional, wrap)
            optional -= required
        units = list(required | optional)
        mask = np.array([u in optional for u in units], dtype=bool)
        points = np.array(units, dtype=np.int64).reshape(-1, lattice.dimension)
        return Region(lattice, points, mask, wrap)


def _wrap(header: RegionTable, lattice: Lattice, place: Place) -> Wrap | None:
    if header.wrap is None:
        return None
    with place.errors():
        vectors, glide = [], None
        for entry in header.wrap:
            _require_dimension(entry, lattice)
            matrix, shift = read_motion(entry, lattice.dimension)
            shift = [lattice.period * c for c in shift]
            if all(matrix[k][k] == 1 and sum(map(abs, matrix[k])) == 1 for k in range(len(matrix))):
                vectors.append(shift)
            elif glide is None:
                glide = matrix, shift
            else:
                raise FileError("a wrap has at most one motion that reflects.")
        return Wrap(vectors, glide)


def _reduced(points: set[Point], wrap: Wrap) -> set[Point]:
    if not points:
        return points
    return {tuple(p) for p in wrap.reduce(np.array(sorted(points))).tolist()}


def _require_dimension(vector: Sequence[int | str], lattice: Lattice) -> None:
    if len(vector) != lattice.dimension:
        raise FileError(
            f"{vector} is no translation of the {lattice.name} lattice: "
            f"write {lattice.dimension} integers."
        )


def _builders(lattice: Lattice) -> list[str]:
    return [*lattice.builders, *lattice.expansions]


def region_keys(lattice: Lattice) -> list[str]:
    """Return the keys that regions of a lattice may have."""
    return [*_builders(lattice), *RegionTable.__struct_fields__]


class _RegionReader:
    """Reads the drafts of one region."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.grid = DraftGrid(lattice)
        self.names = _builders(lattice)

    def draft(self, table: dict[str, Any], place: Place, kind: type[T]) -> tuple[Draft, T]:
        """Return a draft and the checked rest of its table."""
        builders = {k: v for k, v in table.items() if k in self.names}
        rest = {k: v for k, v in table.items() if k not in builders}
        self._require_known_keys(rest, place, kind)
        header = place.convert(rest, kind)
        assert isinstance(header, DraftTable)
        draft = self._placed(self._base(builders, header, place), header, place)
        for i, part in enumerate(header.plus):
            self._add(draft, part, place / f"plus[{i}]")
        for i, part in enumerate(header.minus):
            self._remove(draft, part, place / f"minus[{i}]")
        if not header.border:
            draft = self._without_border(draft, header, place)
        return draft, header

    def _placed(self, draft: Draft, header: DraftTable, place: Place) -> Draft:
        if header.turn:
            draft = self.grid.turned(draft, header.turn)
        if header.shift is not None:
            with (place / "shift").errors():
                _require_dimension(header.shift, self.lattice)
            draft = self.grid.moved(draft, header.shift)
        return draft

    def _without_border(self, draft: Draft, header: DraftTable, place: Place) -> Draft:
        with (place / "border").errors():
            if self.grid.sides < 2:
                raise FileError(
                    f"the {self.lattice.name} lattice has no borders: "
                    "border is for lattices of edges and faces."
                )
            if draft.loose:
                raise FileError(
                    "a region without border has no optional cells: write its optional units."
                )
        wrap = None
        if isinstance(header, RegionTable):
            wrap = _wrap(header, self.lattice, place / "wrap")
        with place.errors():
            return self.grid.without_border(draft, wrap)

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

    def _base(self, builders: dict[str, Any], header: DraftTable, place: Place) -> Draft:
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
                return Draft(units=units) if self.grid.framed else Draft(cells=units)
            if header.drawing is not None:
                required, loose = parse_drawing(header.drawing, self.grid.cell_lattice)
                return Draft(cells=self.grid.cells(required), loose=self.grid.cells(loose))
            if base in self.lattice.expansions:
                return Draft(cells=self._expanded(base, builders[base], place / base))
            sizes = place.convert({base: builders[base]}, _sizes_table(base))
            return Draft(cells=self._built(base, getattr(sizes, base)))

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
        draft, _ = _RegionReader(flat).draft(rest, place, DraftTable)
        if draft.loose:
            raise FileError(f"a {name} has no optional cells: write them as optional = ...")
        cells = flat.coordinates(np.array(sorted(draft.cells)).reshape(-1, flat.dimension))
        return self.grid.cells(expansion.build(cells, getattr(size, key)))

    def _built(self, name: str, sizes: int | list[int]) -> set[Point]:
        builder = self.lattice.builders[name]
        given = [sizes] if isinstance(sizes, int) else sizes
        wanted = list(inspect.signature(builder).parameters)
        if len(given) != len(wanted):
            text = f"[{', '.join(wanted)}]" if len(wanted) > 1 else wanted[0]
            raise FileError(f"{sizes} are not the sizes of a {name}: write {name} = {text}.")
        return self.grid.cells(builder(*given))

    def _add(self, draft: Draft, table: dict[str, Any], place: Place) -> None:
        part = self._part(table, place)
        for mine, other in zip(draft.parts, part.parts, strict=True):
            mine |= other
        draft.loose -= draft.cells

    def _remove(self, draft: Draft, table: dict[str, Any], place: Place) -> None:
        part = self._part(table, place)
        if not (part.cells | part.loose) & (draft.cells | draft.loose) and not part.units & (
            set().union(*self.resolved(draft, place)) if part.units else set()
        ):
            raise place.error("it takes nothing away: no unit of it lies in the region.")
        draft.cells -= part.cells | part.loose
        draft.loose -= part.cells | part.loose
        draft.units -= part.units
        draft.removed |= part.units

    def _part(self, table: dict[str, Any], place: Place) -> Draft:
        """Return a draft from which no units are removed, converted to units if need be."""
        draft, _ = self.draft(table, place, DraftTable)
        return Draft(units=self.resolved(draft, place)[0]) if draft.removed else draft

    def resolved(self, draft: Draft, place: Place) -> tuple[set[Point], set[Point]]:
        """Return the points of the units to be covered and of the optional ones."""
        with place.errors():
            return self.grid.units(draft)


def _sizes_table(name: str, kind: Any = Sizes) -> type[msgspec.Struct]:
    """Return a structure with the builder's name as its one key, so that messages name it."""
    return msgspec.defstruct("SizesTable", [(name, kind)])


@dataclass
class Draft:
    """A region under construction."""

    # cells, loose: cells to be covered and optional ones, as points of the lattice of cells
    cells: set[Point] = field(default_factory=set)
    loose: set[Point] = field(default_factory=set)
    # units, removed: units added and units removed, as points
    units: set[Point] = field(default_factory=set)
    removed: set[Point] = field(default_factory=set)

    @property
    def parts(self) -> tuple[set[Point], ...]:
        """The four sets."""
        return self.cells, self.loose, self.units, self.removed


class DraftGrid:
    """The lattice of a region, and the lattice of the cells that its drafts are made of.

    A unit of the former is a border, or a part, of `sides` cells; or it is a cell.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.framed = lattice.frame is not None
        self.cell_lattice = get_lattice(lattice.frame.lattice) if lattice.frame else lattice
        borders = lattice.frame.borders if lattice.frame else ()
        self.sides = sum(map(len, borders)) // len(lattice.origins)

    def cells(self, coordinates: Coordinates) -> set[Point]:
        """Return the points of cells."""
        return _tuples(self.cell_lattice.points(coordinates))

    def moved(self, draft: Draft, shift: list[int]) -> Draft:
        """Move a draft by steps of the lattice."""
        steps = [self.cell_lattice.period] * 2 + [self.lattice.period] * 2
        return Draft(
            *(
                {tuple(c + step * s for c, s in zip(p, shift, strict=True)) for p in points}
                for points, step in zip(draft.parts, steps, strict=True)
            )
        )

    def turned(self, draft: Draft, turn: int) -> Draft:
        """Turn a draft by the smallest angle of the lattice, `turn` times, back to the origin."""
        lattice = self.lattice if draft.units else self.cell_lattice
        matrix = np.array(lattice.generators[0], dtype=np.int64)
        groups = [draft.units] if draft.units else [draft.cells, draft.loose]
        turned = self._turned(groups, np.linalg.matrix_power(matrix, turn), lattice)
        return Draft(units=turned[0]) if draft.units else Draft(*turned)

    def _turned(
        self, groups: list[set[Point]], matrix: Matrices, lattice: Lattice
    ) -> list[set[Point]]:
        points = _array([p for group in groups for p in sorted(group)], lattice)
        points = to_origin(points @ matrix.T, lattice.period)
        ends = np.cumsum([len(group) for group in groups])[:-1]
        return [_tuples(part) for part in np.split(points, ends)]

    def units(self, draft: Draft) -> tuple[set[Point], set[Point]]:
        """Return the points of the units to be covered and of the optional ones.

        Raise RegionError if they are too many.
        """
        if not self.framed:
            return set(draft.cells), set(draft.loose)
        self._require_few(draft)
        required = (self._around(draft.cells) | draft.units) - draft.removed
        return required, self._around(draft.loose) - draft.removed - required

    def _require_few(self, draft: Draft) -> None:
        number = len(draft.cells | draft.loose) * len(self.lattice.origins)
        number //= len(self.cell_lattice.origins)
        if number > MAX_UNITS:
            raise RegionError(
                f"a region of about {number:,} units is too large: the limit is {MAX_UNITS:,}."
            )

    def _around(self, cells: set[Point]) -> set[Point]:
        return _tuples(
            self.lattice.units_around(self._coordinates(cells), len(self.cell_lattice.origins))
        )

    def without_border(self, draft: Draft, wrap: Wrap | None) -> Draft:
        """Return the units of a draft that have cells of it on all sides, and its own units."""
        self._require_few(draft)
        inner = _tuples(self.inner(_array(sorted(draft.cells), self.cell_lattice), wrap))
        return Draft(units=(inner | draft.units) - draft.removed)

    def inner(self, cells: Points, wrap: Wrap | None) -> Points:
        """Return the units that have given cells on all sides, sorted."""
        units = self._borders(cells)
        found, numbers = distinct(wrap.reduce(units) if wrap else units)
        return np.asarray(found[numbers >= self.sides])

    def _borders(self, points: Points) -> Points:
        """Return the units around each cell, repeated for each cell."""
        assert self.lattice.frame is not None
        types = self.cell_lattice.types(points)
        parts = [np.zeros((0, self.lattice.dimension), dtype=np.int64)]
        for kind, border in enumerate(self.lattice.frame.borders):
            places = points[types == kind] // self.cell_lattice.period * self.lattice.period
            around = places[:, None] + np.array(border, dtype=np.int64)
            parts.append(around.reshape(-1, self.lattice.dimension))
        return np.concatenate(parts)

    def _coordinates(self, cells: set[Point]) -> list[Point]:
        return self.cell_lattice.coordinates(_array(list(cells), self.cell_lattice))


def _array(points: list[Point], lattice: Lattice) -> Points:
    return np.array(points, dtype=np.int64).reshape(-1, lattice.dimension)


def _tuples(points: Points) -> set[Point]:
    return {tuple(p) for p in points.tolist()}
