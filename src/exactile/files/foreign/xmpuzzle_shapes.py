"""Shapes in files of BurrTools: boxes of voxels as text, x first, then y, then z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactile.files.foreign.xml_nodes import Node
from exactile.files.foreign.xmpuzzle_grids import Grid
from exactile.files.sources import shown
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point

SIGNS = "#+_"
DIGITS = "0123456789"
LONGEST_COLOR = 9


@dataclass(frozen=True)
class Shape:
    """A shape: the voxels that are cells, the optional ones, and their colors (0 is none)."""

    name: str
    node: Node
    grid: Grid
    voxels: Points
    optional: npt.NDArray[np.bool_]
    colors: npt.NDArray[np.int64]

    @property
    def flat(self) -> bool:
        """Whether it lies in the lowest layer."""
        return not self.voxels[:, 2].any()

    @property
    def hot_spot(self) -> Points:
        """The voxel whose place assemblies give."""
        return np.array([self.node.integer(axis, 0) for axis in ("hx", "hy", "hz")])

    def points(self, dimension: int) -> Points:
        """Return the cells as points of the lattice, or of the lattice in the plane."""
        return self.grid.points(self.voxels)[:, :dimension]

    def colored(self, dimension: int) -> dict[Point, int]:
        """Return the color of each cell."""
        cells = (tuple(point) for point in self.points(dimension).tolist())
        return dict(zip(cells, self.colors.tolist(), strict=True))


def read_shape(node: Node, number: int, grid: Grid, room: int) -> Shape:
    """Return the shape of an element; `number` counts from 1, `room` is the limit of cells.

    Raises
    ------
    FileError
        If there are too many voxels, another number than stated, or some that are not cells.
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
