"""The grids of BurrTools: their lattices, voxels as points, and numbered turns.

A stored assembly gives for each piece a voxel and the number of a turn: the piece is turned, and
its hot spot comes to this voxel. The turns were found by observing the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.geometry.lattices.spheres import AXES
from exactile.geometry.lattices.tetrahedra_octants import from_cube

Turns = npt.NDArray[np.float64]
"""Matrices for columns of coordinates, shape ``(turns, 3, 3)``."""


@dataclass(frozen=True)
class Grid:
    """A grid: its number in files, its name, and how voxels become points of a lattice.

    `flat` is the lattice of puzzles in one layer, None if layers are not flat. `turns` are
    matrices; the second half are those of the first half after a reflection. They apply to voxels,
    those of prisms to points, because voxels of prisms do not form a lattice.
    """

    number: int
    name: str
    lattice_name: str
    flat: str | None
    points: Callable[[Points], Points]
    voxels: Callable[[Points], Points]
    make_turns: Callable[[], Turns]

    @property
    def lattice(self) -> Lattice:
        """The lattice in space."""
        return get_lattice(self.lattice_name)

    @cached_property
    def turns(self) -> Turns:
        """The matrices of all turns by number."""
        return self.make_turns()

    def placed(self, voxels: Points, hot_spot: Points, turn: int, place: Points) -> Points | None:
        """Return the points of voxels after a turn that brings the hot spot to a voxel.

        None if some of them are not units of the lattice.
        """
        linear = self.number != 1
        here, center, goal = (v if linear else self.points(v) for v in (voxels, hot_spot, place))
        there = (here - center) @ self.turns[turn].T + goal
        moved = np.rint(there).astype(np.int64)
        if np.abs(moved - there).max() > CLOSE:
            return None
        points = self.points(moved) if linear else moved
        return points if self.are_units(points).all() else None

    def are_units(self, points: Points) -> npt.NDArray[np.bool_]:
        """Return which points of voxels are units of the lattice."""
        return np.asarray((self.lattice.types(points) >= 0) & (points[..., 0] != OFF))


def cube_turns() -> Turns:
    """Return the rotations of a cube in the order of the program, then those after x becomes -x.

    Examples
    --------
    >>> cube_turns().shape, cube_turns()[5].astype(int).tolist()
    ((48, 3, 3), [[0, -1, 0], [0, 0, -1], [1, 0, 0]])
    """
    about_x = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    about_y = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    about_z = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    power = np.linalg.matrix_power
    first = [*(power(about_y, k) for k in range(4)), about_z, power(about_z, 3)]
    rotations = np.array([f @ power(about_x, k) for f in first for k in range(4)], dtype=float)
    return np.concatenate([rotations, rotations @ np.diag((-1, 1, 1))])


def triangle_turns() -> Turns:
    """Return the turns by multiples of 60 degrees, these turned over, and the reflections."""
    sixth = np.array([[0, -1, 0], [1, 1, 0], [0, 0, 1]])
    mirror = np.array([[-1, -1, 0], [0, 1, 0], [0, 0, 1]])
    sixths = [np.linalg.matrix_power(sixth, k) for k in range(6)]
    over = mirror @ np.diag((1, 1, -1))
    rotations = np.array([s @ o for o in (np.eye(3), over) for s in sixths])
    return np.concatenate([rotations, rotations @ mirror])


NORMALS = {"A": (1, 1, 1), "B": (1, 1, -1), "C": (1, -1, 1), "D": (-1, 1, 1)}

SPHERE_TURNS = """
0 6 16 7 10 4 20 5 17 3 11 19 21 9 1 23 12 2 15 18 14 8 13 22
8D 14D 8B 14B 2C 9C 2B 9B 8A 6A 8C 6C 2A 11A 2D 11D 22C 10C 22D 10D 18A 10A 18B 10B
4A 5A 22A 7A 1A 19A 17A 9A 23A 21A 3A 14A 0A 13A 16A 12A 15A 20A
19C 18C 23C 3C 5C 14C 13C 7C 12C 4C 15C 21C 16C 1C 17C 20C 11C 0C
13D 12D 18D 15D 21D 9D 1D 23D 17D 3D 19D 4D 5D 20D 6D 0D 7D 16D
22B 13B 12B 15B 21B 23B 1B 3B 17B 19B 11B 4B 5B 20B 6B 0B 7B 16B
"""
"""Numbers of rotations of a cube; a letter is for half a turn about a normal before it."""


def sphere_turns() -> Turns:
    """Return the turns that keep all spheres, or those of a plane, on the lattice."""
    rotations, made = cube_turns()[:24], []
    for word in SPHERE_TURNS.split():
        turn = rotations[int(word.rstrip("ABCD"))]
        if word[-1] in NORMALS:
            normal = np.array(NORMALS[word[-1]])
            turn = turn @ (2 * np.outer(normal, normal) / 3 - np.eye(3))
        made.append(turn)
    turns = np.array(made)
    return np.concatenate([turns, turns @ np.diag((-1, 1, 1))])


def _prisms(voxels: Points) -> Points:
    x, y, z = np.moveaxis(voxels, -1, 0)
    down = (x + y) % 2
    return np.stack([3 * ((x - y - down) // 2) + 1 + down, 3 * y + 1 + down, 3 * z], axis=-1)


def _of_prisms(points: Points) -> Points:
    down = points[..., 0] % 3 - 1
    x, y = ((points[..., k] - 1 - down) // 3 for k in (0, 1))
    return np.stack([2 * x + y + down, y, points[..., 2] // 3], axis=-1)


def _spheres(voxels: Points) -> Points:
    x, y, z = np.moveaxis(voxels, -1, 0)
    odd = (x + y + z) % 2
    places = np.stack([x + y - z, x - y + z, y + z - x], axis=-1)
    return np.where(odd[..., None], OFF, places // 2)


def _of_spheres(points: Points) -> Points:
    return np.asarray(points @ AXES)


CLOSE = 1e-6
"""Coordinates that differ by less are equal."""

OFF = 2**40
"""The coordinates of voxels without a unit of the lattice."""


def _octants(voxels: Points) -> Points:
    places = voxels // 3 * 4 + voxels % 3 + 1
    return np.rint(from_cube(places)).astype(np.int64)


def _of_octants(points: Points) -> Points:
    places = points @ AXES // 2
    return np.asarray(places // 4 * 3 + places % 4 - 1)


GRIDS = (
    Grid(0, "cubes", "cube", "square", lambda v: v, lambda p: p, cube_turns),
    Grid(
        1, "triangular prisms", "triangle-prisms", "triangle", _prisms, _of_prisms, triangle_turns
    ),
    Grid(2, "spheres", "spheres", None, _spheres, _of_spheres, sphere_turns),
    Grid(
        3,
        "rhombic tetrahedra",
        "rhombic-tetrahedra",
        None,
        lambda v: v - 2,
        lambda p: p + 2,
        cube_turns,
    ),
    Grid(
        4,
        "tetrahedra and octahedra",
        "tetrahedra-octants",
        None,
        _octants,
        _of_octants,
        cube_turns,
    ),
)
"""The grids, by number."""


def grid_of(lattice: Lattice) -> Grid | None:
    """Return the grid whose puzzles are on a lattice, None if there is none.

    Examples
    --------
    >>> [grid_of(get_lattice(name)).number for name in ("square", "triangle-prisms", "spheres")]
    [0, 1, 2]
    """
    return next((g for g in GRIDS if lattice.name in (g.lattice_name, g.flat)), None)
