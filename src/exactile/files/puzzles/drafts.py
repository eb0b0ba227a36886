"""Regions under construction: cells, and the units that surround them.

On lattices of edges and faces, most of a region is given in cells, which stand for all units around
them; cells and units are therefore kept apart until the end. On lattices of cells there are no
units.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from exactile.errors import RegionError
from exactile.geometry import get_lattice
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Matrices, Points, distinct, to_origin
from exactile.geometry.lattice import Coordinates, Lattice, Point
from exactile.geometry.wrap import Wrap


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
