"""Cubes for small pictures: the faces visible from a corner, and the layers flat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import ceil, sqrt

import numpy as np

from exactile.render.cover import EMPTY, Cover
from exactile.render.outline import Node

STEPS = ((0, 0, 1), (1, 0, 0), (0, -1, 0))
"""Offsets to the cells beyond the three faces that the viewer sees."""

LIGHT = (1.0, 0.66, 0.83)

HALVES = (
    (((0, 0, 1), (1, 0, 1), (0, 1, 1)), ((1, 0, 1), (1, 1, 1), (0, 1, 1))),
    (((1, 0, 0), (1, 1, 0), (1, 0, 1)), ((1, 1, 0), (1, 1, 1), (1, 0, 1))),
    (((0, 0, 0), (1, 0, 0), (1, 0, 1)), ((0, 0, 0), (1, 0, 1), (0, 0, 1))),
)
"""Each face as two triangles, along the diagonal that looks like an edge of the third direction."""

GAP = 0.8
"""Space between the solid and its layers."""

SMALL = 0.62
"""Size of a cell in a layer relative to its size in the solid."""

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))

Label = tuple[int, int, int]
"""Owner, face, and plane of an area that is drawn as one."""


class Tower:
    """A solution in a region of cubes, to be drawn as a solid and as layers.

    A corner of the solid is drawn at ``(x + y, z - x)`` in oblique axes: all points on a line of
    sight have the same numbers. Each visible face is therefore two triangles of one triangular
    grid, and visibility is decided triangle by triangle.
    """

    def __init__(self, cover: Cover) -> None:
        units = cover.region.places
        self._low, self._high = units.min(axis=0), units.max(axis=0) + 1
        self._cells = [
            (tuple(unit), owner) for unit, owner in zip(units.tolist(), cover.owners, strict=True)
        ]
        self._seen = self._visible([c for c in self._cells if not cover.solution or c[1] != EMPTY])
        corners = np.array([_place(n) for cells in self._seen.values() for c in cells for n in c])
        self._corner = corners.min(axis=0)
        self._width, self._height = (float(e) for e in np.ptp(corners, axis=0))
        levels = int(self._high[2] - self._low[2])
        self._columns = min(range(1, levels + 1), key=lambda c: (max(self._whole(c)), c))

    def _visible(self, cells: list[tuple[Node, int]]) -> dict[Label, list[list[Node]]]:
        """Return the visible triangles, by owner, face and plane."""
        nearest: dict[tuple[Node, ...], tuple[int, Label, list[Node]]] = {}
        for cell, owner in cells:
            depth = cell[0] - cell[1] + cell[2]
            for face, halves in enumerate(HALVES):
                plane = sum(c * s for c, s in zip(cell, STEPS[face], strict=True))
                for half in halves:
                    corners = [_projected(cell, corner) for corner in half]
                    key = tuple(sorted(corners))
                    if key not in nearest or nearest[key][0] < depth:
                        nearest[key] = (depth, (owner, face, plane), corners)
        found: defaultdict[Label, list[list[Node]]] = defaultdict(list)
        for _, label, corners in nearest.values():
            found[label].append(corners)
        return dict(sorted(found.items()))

    def _flat_size(self, columns: int) -> tuple[int, int]:
        """Return width and height of the layers, in cells."""
        wide, deep, levels = (int(e) for e in self._high - self._low)
        return columns * (wide + 1) - 1, ceil(levels / columns) * (deep + 1) - 1

    def _whole(self, columns: int) -> tuple[float, float]:
        """Return width and height of everything."""
        wide, high = self._flat_size(columns)
        return max(self._width, wide * SMALL), self._height + GAP + high * SMALL

    def extent(self) -> list[tuple[float, float]]:
        """Return two corners of a rectangle around everything."""
        width, height = self._whole(self._columns)
        return [(0.0, 0.0), (width, height)]

    def shapes(self) -> Iterator[tuple[int, float, list[list[Node]]]]:
        """Yield the visible areas of the solid: owner, light, and cells for `standing`."""
        for (owner, face, _), cells in self._seen.items():
            yield owner, LIGHT[face], cells

    def layers(self) -> Iterator[tuple[int, list[list[Node]]]]:
        """Yield the layers: owners, and cells for `lying`."""
        found: defaultdict[int, list[list[Node]]] = defaultdict(list)
        wide, deep, _ = (int(e) + 1 for e in self._high - self._low)
        for (x, y, z), owner in self._cells:
            row, column = divmod(z - int(self._low[2]), self._columns)
            left, front = x - int(self._low[0]) + column * wide, y - int(self._low[1]) - row * deep
            found[owner].append([(left + i, front + j) for i, j in SQUARE])
        yield from sorted(found.items())

    def standing(self, node: Node) -> tuple[float, float]:
        """Return the place of a corner of the solid."""
        (left, bottom), (whole, high) = self._corner, self._whole(self._columns)
        x, y = _place(node)
        return x - left + (whole - self._width) / 2, y - bottom + high - self._height

    def lying(self, node: Node) -> tuple[float, float]:
        """Return the place of a corner of a layer."""
        wide, high = self._flat_size(self._columns)
        deep = int(self._high[1] - self._low[1])
        left = (self._whole(self._columns)[0] - wide * SMALL) / 2
        return node[0] * SMALL + left, (node[1] + high - deep) * SMALL


def _projected(cell: Node, corner: Node) -> Node:
    """Return the two numbers that all points on a line of sight share."""
    x, y, z = (a + b for a, b in zip(cell, corner, strict=True))
    return x + y, z - x


def _place(node: Node) -> tuple[float, float]:
    """Return the place of such a point, if the edges of cubes have the length 1."""
    return sqrt(0.75) * node[0], node[1] + node[0] / 2
