"""Solutions in space as SVG: an oblique view of each layer, the layers next to each other."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from exactile.render.cover import Cover
from exactile.render.paper import LARGEST_UNIT, LEGIBLE, MARGIN, TALLEST, Paper

Array = npt.NDArray[np.float64]
Faces = list[Array]
"""The corners of each face of a unit."""

Axes = tuple[tuple[float, float], ...]

ISOMETRIC = ((sqrt(0.75), -0.5), (sqrt(0.75), 0.5), (0.0, 1.0))
"""Directions of the axes of space in the plane: the faces to +x, -y and +z are visible."""

TRIMETRIC = ((0.92, -0.26), (0.6, 0.42), (0.0, 0.62))
"""The same from a direction in which no edge hides another."""

FLATTENED = ((0.92, -0.26), (0.6, 0.42), (0.0, 0.4))
"""The same with heights shortened until no wall hides the foot of the next."""

TALL_WITH_WHOLE = 1.3
"""Largest height relative to the width of a drawing with the whole beside or above its layers."""

UNEVEN = 0.85
"""Factor on the scale of an arrangement whose last row is not full, when arrangements compete."""

TOWARD_VIEWER = np.array([1.0, -1.0, 1.0])

GAP = 0.5
CAPTION = 0.55


class Layers:
    """The layers of a region in space, each with its own place on one sheet.

    A layer is a floor with the units that stand on it; with `halves`, these are separate layers.

    - `cover`: the solution.
    - `width`: width of the sheet in pixels.
    - `axes`: directions of the axes of space in the plane.
    - `halves`: whether upright units form layers of their own.
    - `whole`: directions of the axes in a drawing of the whole, which precedes several layers; None
      for no such drawing.
    - `together`: whether a piece is drawn whole, in its lowest layer.
    """

    def __init__(
        self,
        cover: Cover,
        width: int,
        axes: Axes,
        *,
        halves: bool = False,
        whole: Axes | None = None,
        together: bool = False,
    ) -> None:
        region, lattice = cover.region, cover.lattice
        axis = lattice.art.layer_axis or 0
        parts = lattice.period if halves else 1
        slices, level = np.unique(
            region.places[:, axis] * parts // lattice.period, return_inverse=True
        )
        self.own: list[int] = level.tolist()  # for each unit, the number of the layer where it is
        # For each unit, the number of the layer where it is drawn, from the lowest
        self.level = list(self.own)
        for units in cover.units_of if together else ():
            lowest = min(self.own[unit] for unit in units)
            for unit in units:
                self.level[unit] = lowest
        self.titles = [f"{lattice.axes[axis]} = {Fraction(s, parts)}" for s in slices.tolist()]
        embedding = np.array(lattice.embedding)
        # For each unit, the corners of its faces in space, each of shape `(corners, 3)`
        self.corners: list[Faces] = [
            [(unit + np.array(face)) @ embedding for face in lattice.faces[kind]]
            for unit, kind in zip(region.places, region.types.tolist(), strict=True)
        ]
        self._axes = np.array(axes)
        # The number of the layer that lies directly on a layer, if there is one
        self.next_level = {int(k): int(k) + 1 for k in np.flatnonzero(np.diff(slices) == 1)}
        self._floors = (slices // parts)[:, None] * lattice.period * embedding[axis]
        flat = np.concatenate(
            [
                (face - self._floors[where]) @ self._axes
                for faces, where in zip(self.corners, self.level, strict=True)
                for face in faces
            ]
        )
        self._low, high = flat.min(axis=0), flat.max(axis=0)
        self._size = high - self._low
        self.has_whole = whole is not None and len(slices) > 1
        self._whole_axes = np.array(whole or axes)
        self._standing = np.zeros((2, 2))
        if self.has_whole:
            ends = np.concatenate([f @ self._whole_axes for faces in self.corners for f in faces])
            self._standing = np.array([ends.min(axis=0), ends.max(axis=0)])
        self._wide, self._high = (float(e) for e in np.ptp(self._standing, axis=0))
        self._columns, self._beside = self._best_order(len(slices), width)
        lows = [self._corner(i) for i in range(len(slices))]
        highs = [low + self._size + (0, CAPTION) for low in lows]
        if self.has_whole:
            lows.append(self._foot())
            highs.append(self._foot() + np.array([self._wide, self._high]))
        self.paper = Paper([*lows, *highs], width, self._tallest)

    @property
    def _tallest(self) -> float:
        return TALL_WITH_WHOLE if self.has_whole else TALLEST

    def _best_order(self, count: int, width: int) -> tuple[int, bool]:
        """Return the number of drawings in a row, and whether the whole is one of them.

        Drawings should be large, and rows full.
        """

        def merit(order: tuple[int, bool]) -> tuple[float, int, bool]:
            columns, beside = order
            across = columns * (self._size[0] + GAP) - GAP
            rows = ceil((count + beside) / columns)
            down = rows * (self._size[1] + GAP + CAPTION) - GAP
            if beside:
                across += max(0.0, self._wide - self._size[0])
                down += max(0.0, self._high - self._size[1] - CAPTION)
            else:
                across, down = max(across, self._wide), down + self._high
            scale = min((width - 2 * MARGIN) / across, self._tallest * width / down, LARGEST_UNIT)
            full = (count + beside) % columns == 0
            return round(float(scale) * (1.0 if full else UNEVEN), 6), columns, beside

        orders = [(columns, False) for columns in range(1, count + 1)]
        if self.has_whole:
            orders += [(columns, True) for columns in range(2, count + 2)]
        return max(orders, key=merit)

    def _corner(self, level: int) -> Array:
        """Return the lower left corner of a layer on the sheet, its caption included."""
        row, column = divmod(level + self._beside, self._columns)
        across, down = self._size + np.array([GAP, GAP + CAPTION])
        left = column * across
        if self._beside:
            wider = max(0.0, self._wide - float(self._size[0]))
            left += wider if column else wider / 2
        return np.array([left, -row * down - CAPTION])

    def _foot(self) -> Array:
        """Return the lower left corner of the whole: first in a row, or centered above the rows."""
        if self._beside:
            wide = max(self._wide, float(self._size[0]))
            return np.array([(wide - self._wide) / 2, -CAPTION])
        across = self._columns * (self._size[0] + GAP) - GAP
        return np.array([(across - self._wide) / 2, self._size[1] + GAP])

    def standing(self, points: Array) -> Array:
        """Return the places of points in space on the sheet, as part of the whole."""
        return np.asarray(points @ self._whole_axes + self._foot() - self._standing[0])

    def flat(self, points: Array, level: int) -> Array:
        """Return the places of points in space on the sheet, as part of a layer."""
        shift = self._corner(level) + np.array([0.0, CAPTION]) - self._low
        return np.asarray((points - self._floors[level]) @ self._axes + shift)

    def captions(self) -> list[str]:
        """Return the names of the layers as elements."""
        middle = (float(self._size[0]) / 2, CAPTION / 3)
        scale = self.paper.scale
        size = min(14.0, max(LEGIBLE, min(8.0, 0.6 * scale), 0.3 * scale))  # below a small layer
        return [
            self.paper.text(self._corner(level) + middle, title, size)
            for level, title in enumerate(self.titles)
        ]


def side_key(first: Array, second: Array) -> frozenset[tuple[int, ...]]:
    """Return a key that a side shares with the same side of another face."""
    return frozenset(tuple(np.rint(12 * end).astype(int).tolist()) for end in (first, second))
