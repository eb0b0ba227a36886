"""Reading the regions of puzzle files: a base, additions, removals, optional units and a wrap.

On lattices of edges and faces, most regions are described by cells, which stand for all units
around them. While a region is being read, it is a `Draft`, which has both cells and units. At the
end, its cells are replaced by the units around them. On lattices of cells a draft has only cells.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from exactile.errors import FileError, RegionError, suggestion
from exactile.files.puzzles.structure import DraftTable, RegionTable, Sizes
from exactile.files.puzzles.units import internal_points, parse_drawing
from exactile.files.sources import Place, T
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points, among, distinct, joined, to_origin
from exactile.geometry.lattice import MAX_UNITS, Coordinates, Lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Region
from exactile.puzzle.region import Mask

AXES = "xyz"

TERM = re.compile(r"\s*([+-]?)\s*(?:(\d{1,6})|([xyz]))\s*")
"""Matches a term of a sum such as ``4 - y``: a sign, then a number or a coordinate."""

Matrix = list[list[int]]


def read_region(table: dict[str, Any], lattice: Lattice, place: Place) -> Region:
    """Return the region that a table of a puzzle file describes.

    Raise FileError, RegionError or GeometryError if it is wrong; the message names the place in the
    file.

    >>> square = get_lattice("square")
    >>> len(read_region({"box": [8, 8], "minus": [{"units": "3..4,3..4"}]}, square, Place("a")))
    60
    """
    reader = _RegionReader(lattice)
    with place.errors():
        draft, header = reader.draft(table, place, RegionTable)
        required, optional = reader.resolved(draft, place)
        wrap = _wrap(header, lattice, place / "wrap")
        if wrap is not None and reader.grid.sides > 1:
            reader.grid.require_distinct_cells(draft, wrap)
            # A unit may be on the borders of two cells that are neighbors only by the wrap.
            required = _once(required[~_among(required, draft.removed, wrap)], wrap)
            optional = optional[~_among(optional, joined(draft.removed, required), wrap)]
            optional = _once(optional, wrap)
        if header.optional is not None:
            with (place / "optional").errors():
                given = internal_points(header.optional, lattice)
            free = _among(required, given, wrap)
            optional = joined(optional, required[free])
            optional = joined(optional, given[~_among(given, optional, wrap)])
            required = required[~free]
        mask = np.repeat([False, True], [len(required), len(optional)])
        return Region(lattice, np.concatenate([required, optional]), mask, wrap)


def _wrap(header: RegionTable, lattice: Lattice, place: Place) -> Wrap | None:
    if header.wrap is None:
        return None
    with place.errors():
        vectors, glide = [], None
        for entry in header.wrap:
            _require_dimension(entry, lattice)
            matrix, shift = _motion(entry, lattice.dimension)
            shift = [lattice.period * c for c in shift]
            if all(matrix[k][k] == 1 and sum(map(abs, matrix[k])) == 1 for k in range(len(matrix))):
                vectors.append(shift)
            elif glide is None:
                glide = matrix, shift
            else:
                raise FileError("a wrap has at most one motion that reflects.")
        return Wrap(vectors, glide)


def _motion(entry: Sequence[int | str], dimension: int) -> tuple[Matrix, list[int]]:
    """Return the matrix and the shift of a motion.

    `entry`: the image of the point (x, y, ...), with a text for each coordinate; for a translation,
    it may be the shift, as numbers. Raise FileError if a text is not a sum of coordinates and
    numbers, or has no coordinates.

    >>> _motion([4, 0], 2)
    ([[1, 0], [0, 1]], [4, 0])
    >>> _motion(["x + 10", "4 - y"], 2)
    ([[1, 0], [0, -1]], [10, 4])
    """
    matrix = [[int(i == k) for i in range(dimension)] for k in range(dimension)]
    if not any(isinstance(value, str) for value in entry):
        return matrix, [int(value) for value in entry]
    rows, shift = [], []
    for value in entry:
        row, number = _summed(str(value), dimension)
        rows.append(row)
        shift.append(number)
    return rows, shift


def _summed(text: str, dimension: int) -> tuple[list[int], int]:
    """Return the coefficients in a sum, and its constant term: [0, -1] and 4 for ``4 - y``.

    Raise FileError if the text is not such a sum, or if all coefficients are 0.
    """
    row, number, at = [0] * dimension, 0, 0
    while at < len(text):
        term = TERM.match(text, at)
        if term is None or (at and not term[1]) or (term[3] and AXES.index(term[3]) >= dimension):
            raise FileError(
                f"{text!r} is not a coordinate after a motion: write a sum such as 'x + 10' or "
                f"'4 - y', of numbers and {', '.join(AXES[:dimension])}."
            )
        sign = -1 if term[1] == "-" else 1
        if term[3]:
            row[AXES.index(term[3])] += sign
        else:
            number += sign * int(term[2])
        at = term.end()
    if not any(row):
        raise FileError(
            f"{text!r} is not a coordinate after a motion: it depends on no coordinate."
        )
    return row, number


def _among(points: Points, others: Points, wrap: Wrap | None) -> Mask:
    """Return, for each of the points, whether it is one of the others.

    With a wrap, points that it identifies count as equal.
    """
    return (
        among(points, others) if wrap is None else among(wrap.reduce(points), wrap.reduce(others))
    )


def _once(points: Points, wrap: Wrap) -> Points:
    """Return the first of each class of identified points, in the order of the given points."""
    return points[np.sort(np.unique(wrap.reduce(points), axis=0, return_index=True)[1])]


def _require_dimension(vector: Sequence[int | str], lattice: Lattice) -> None:
    if len(vector) != lattice.dimension:
        raise FileError(
            f"{vector} is not a translation of the {lattice.name} lattice: "
            f"write {lattice.dimension} integers."
        )


def _builders(lattice: Lattice) -> list[str]:
    return [*lattice.builders, *lattice.expansions]


def region_keys(lattice: Lattice) -> list[str]:
    """Return the keys that the table of a region may have on a lattice, such as ``box``."""
    return [*_builders(lattice), *RegionTable.__struct_fields__]


class _RegionReader:
    """Converts the table of a region, and the tables of its parts, to `Draft` objects."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.grid = DraftGrid(lattice)
        self.names = _builders(lattice)

    def draft(self, table: dict[str, Any], place: Place, kind: type[T]) -> tuple[Draft, T]:
        """Return the region that a table describes, as a `Draft`, and the table as a structure.

        `kind`: the type of the structure; it has all keys of the table except builders. Raise
        FileError, RegionError or GeometryError if the table is wrong; the message names the place.
        """
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
            if len(draft.loose):
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
                units = internal_points(header.units, self.lattice)
                return self.grid.draft(**{"units" if self.grid.framed else "cells": units})
            if header.drawing is not None:
                required, loose = parse_drawing(header.drawing, self.grid.cell_lattice)
                return self.grid.draft(
                    cells=self.grid.cells(required), loose=self.grid.cells(loose)
                )
            if base in self.lattice.expansions:
                return self.grid.draft(cells=self._expanded(base, builders[base], place / base))
            sizes = place.convert({base: builders[base]}, _sizes_table(base))
            return self.grid.draft(cells=self._built(base, getattr(sizes, base)))

    def _expanded(self, name: str, table: Any, place: Place) -> Points:
        """Return the cells that an expansion, such as a prism, makes from a flat region.

        `name`: the expansion. `table`: the region on the flat lattice, and the size. Raise
        FileError if the size is missing or the flat region has optional cells, RegionError or
        GeometryError if the region or the size is wrong.
        """
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
        if len(draft.loose):
            raise FileError(f"a {name} has no optional cells: write them as optional = ...")
        cells = flat.coordinates(draft.cells)
        return self.grid.cells(expansion.build(cells, getattr(size, key)))

    def _built(self, name: str, sizes: int | list[int]) -> Points:
        builder = self.lattice.builders[name]
        given = [sizes] if isinstance(sizes, int) else sizes
        wanted = list(inspect.signature(builder).parameters)
        if len(given) != len(wanted):
            text = f"[{', '.join(wanted)}]" if len(wanted) > 1 else wanted[0]
            raise FileError(f"{sizes} are not the sizes of a {name}: write {name} = {text}.")
        return self.grid.cells(builder(*given))

    def _add(self, draft: Draft, table: dict[str, Any], place: Place) -> None:
        part = self._part(table, place)
        for name, own in vars(part).items():
            setattr(draft, name, joined(getattr(draft, name), own))
        draft.loose = draft.loose[~among(draft.loose, draft.cells)]

    def _remove(self, draft: Draft, table: dict[str, Any], place: Place) -> None:
        part = self._part(table, place)
        cells = joined(part.cells, part.loose)
        before = joined(*self.resolved(draft, place)) if len(part.units) else part.units
        if (
            not among(cells, joined(draft.cells, draft.loose)).any()
            and not among(part.units, before).any()
        ):
            raise place.error("it takes nothing away: no unit of it lies in the region.")
        draft.cells = draft.cells[~among(draft.cells, cells)]
        draft.loose = draft.loose[~among(draft.loose, cells)]
        draft.units = draft.units[~among(draft.units, part.units)]
        draft.removed = joined(draft.removed, part.units)

    def _part(self, table: dict[str, Any], place: Place) -> Draft:
        """Return a part to add or to remove: a `Draft` whose own `removed` is empty.

        If the table removes units, the draft consists of the units that are left, without cells.
        """
        draft, _ = self.draft(table, place, DraftTable)
        if not len(draft.removed):
            return draft
        return self.grid.draft(units=self.resolved(draft, place)[0])

    def resolved(self, draft: Draft, place: Place) -> tuple[Points, Points]:
        """Return the points of a draft's units: those to be covered, and the optional ones.

        Raise RegionError if they are too many; the message names `place`.
        """
        with place.errors():
            return self.grid.units(draft)


def _sizes_table(name: str, kind: Any = Sizes) -> type[msgspec.Struct]:
    """Return a type for a table whose only key is `name`, so that error messages have this key."""
    return msgspec.defstruct("SizesTable", [(name, kind)])


@dataclass
class Draft:
    """A region that is being read.

    `cells` are the cells to be covered and `loose` the optional cells, as points of the lattice of
    cells. `units` are single units to be covered and `removed` units to be left out, as points of
    the region's lattice.
    """

    # cells, loose: cells to be covered and optional ones, as points of the lattice of cells
    cells: Points
    loose: Points
    # units, removed: units added and units removed
    units: Points
    removed: Points


class DraftGrid:
    """The lattice of a region, and the lattice of the cells that describe the region.

    They differ on lattices of edges, faces or parts of cells; then `framed` is true. `sides` is the
    number of cells that a unit belongs to: 2 for an edge between squares, 1 for a part of a cell, 0
    if not `framed`.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.framed = lattice.frame is not None
        self.cell_lattice = get_lattice(lattice.frame.lattice) if lattice.frame else lattice
        borders = lattice.frame.borders if lattice.frame else ()
        self.sides = sum(map(len, borders)) // len(lattice.origins)

    def draft(self, **parts: Points) -> Draft:
        """Return a draft with the given parts, such as `cells`; the other parts are empty."""
        none = np.zeros((0, self.lattice.dimension), dtype=np.int64)
        return Draft(**(dict.fromkeys(Draft.__dataclass_fields__, none) | parts))

    def cells(self, coordinates: Coordinates) -> Points:
        """Return the points of cells from their customary coordinates, sorted and each once."""
        return distinct(self.cell_lattice.points(coordinates))[0]

    def moved(self, draft: Draft, shift: list[int]) -> Draft:
        """Return a draft after a translation, in multiples of the lattice's period."""
        cell, unit = (
            lattice.period * np.array(shift) for lattice in (self.cell_lattice, self.lattice)
        )
        return Draft(
            draft.cells + cell, draft.loose + cell, draft.units + unit, draft.removed + unit
        )

    def turned(self, draft: Draft, turn: int) -> Draft:
        """Return a draft after `turn` turns by the smallest angle, moved to the origin.

        If `draft` has single units, only they are kept, otherwise its cells.
        """
        framed = len(draft.units) > 0
        lattice = self.lattice if framed else self.cell_lattice
        matrix = np.linalg.matrix_power(np.array(lattice.generators[0], dtype=np.int64), turn)
        points = draft.units if framed else np.concatenate([draft.cells, draft.loose])
        points = to_origin(points @ matrix.T, lattice.period)
        if framed:
            return self.draft(units=points)
        cells, loose = np.split(points, [len(draft.cells)])
        return self.draft(cells=cells, loose=loose)

    def units(self, draft: Draft) -> tuple[Points, Points]:
        """Return the points of a draft's units: those to be covered, and the optional ones.

        On a lattice of cells, these are its cells. On other lattices, raise RegionError if there
        are more than about `MAX_UNITS` units.
        """
        if not self.framed:
            return draft.cells, draft.loose
        self._require_few(draft)
        required = joined(self._around(draft.cells), draft.units)
        required = required[~among(required, draft.removed)]
        loose = self._around(draft.loose)
        return required, loose[~among(loose, joined(draft.removed, required))]

    def require_distinct_cells(self, draft: Draft, wrap: Wrap) -> None:
        """Raise RegionError if the translations of a wrap identify two cells of a draft."""
        if not wrap.vectors:
            return
        steps = np.array(wrap.vectors) // self.lattice.period
        cells = np.concatenate([draft.cells, draft.loose])
        reduced = Wrap((self.cell_lattice.period * steps).tolist()).reduce(cells)
        _, first = np.unique(reduced, axis=0, return_index=True)
        if len(first) < len(cells):
            second = np.delete(cells, first, axis=0)[:1]
            raise RegionError(
                f"The wrap identifies the cell {list(self.cell_lattice.coordinates(second)[0])} "
                "with another cell of the region: leave one of them out."
            )

    def _require_few(self, draft: Draft) -> None:
        number = (len(draft.cells) + len(draft.loose)) * len(self.lattice.origins)
        number //= len(self.cell_lattice.origins)
        if number > MAX_UNITS:
            raise RegionError(
                f"a region of about {number:,} units is too large: the limit is {MAX_UNITS:,}."
            )

    def _around(self, cells: Points) -> Points:
        return distinct(self._borders(cells))[0]

    def without_border(self, draft: Draft, wrap: Wrap | None) -> Draft:
        """Return a draft of single units: those with cells on all sides, and those of `draft`.

        Units that `draft` removes are left out. Raise RegionError if there are more than about
        `MAX_UNITS` units around the cells. `wrap`: identifies units; None for no wrap.
        """
        self._require_few(draft)
        units = joined(self.inner(draft.cells, wrap), draft.units)
        return self.draft(units=units[~among(units, draft.removed)], removed=draft.removed)

    def inner(self, cells: Points, wrap: Wrap | None) -> Points:
        """Return the units that have cells of `cells` on all sides, such as inner edges.

        With a wrap, only one of several units that it identifies is returned.
        """
        units, times = distinct(self._borders(cells))
        if wrap is not None:
            _, first, number = np.unique(
                wrap.reduce(units), axis=0, return_index=True, return_inverse=True
            )
            units, times = units[first], np.bincount(number.ravel(), times)
        return np.asarray(units[times >= self.sides])

    def _borders(self, points: Points) -> Points:
        """Return the units around each cell in turn; a unit between two cells occurs twice."""
        assert self.lattice.frame is not None
        types = self.cell_lattice.types(points)
        parts = [np.zeros((0, self.lattice.dimension), dtype=np.int64)]
        for kind, border in enumerate(self.lattice.frame.borders):
            places = points[types == kind] // self.cell_lattice.period * self.lattice.period
            around = places[:, None] + np.array(border, dtype=np.int64)
            parts.append(around.reshape(-1, self.lattice.dimension))
        return np.concatenate(parts)
