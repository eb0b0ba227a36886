"""The moves of pieces: the translations of a lattice, and quarter turns as matrices.

For one step of each translation, the module computes the units that a moving unit meets. Units are
convex polyhedra (in the plane, polygons), or balls. Two bodies overlap at a moment if and only if
the displacement of the moving body is inside their Minkowski difference. For polyhedra, each plane
that bounds this difference is parallel to a face of one body, or to one edge of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.answers.assembly import Move
from exactile.errors import PuzzleError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.puzzle.puzzle import Puzzle

TOLERANCE = 1e-6
"""Overlaps of at most this depth count as contact, because coordinates of corners are rounded."""

LONGEST = 4
"""Largest coordinate of a step parallel to an edge of a cell, in periods of the lattice."""

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Motions:
    """The translations of a lattice by which pieces may be moved.

    Attributes
    ----------
    steps
        The displacements of single steps in periods of the lattice, shape ``(directions, d)``. Of
        two opposite ones, only one is listed.
    swept
        For each direction and each type of unit: the offsets of the units that a unit of this type
        meets during one step, shape ``(n, d)``.
    """

    steps: Points
    swept: tuple[tuple[Points, ...], ...]


@lru_cache
def motions(lattice: Lattice) -> Motions:
    """Return the translations by which pieces of a lattice of cells are moved.

    There are translations along the images of the unit vectors under the point group. Unless cells
    are balls, there are also translations parallel to two faces of cells (in the plane, to a side):
    the extreme directions in which touching pieces can separate are of this kind. For cubes and
    triangular prisms, these translations are not new.

    Raise PuzzleError if the units are not cells.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> cubes = motions(get_lattice("cube"))
    >>> cubes.steps.tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> triangles = motions(get_lattice("triangle"))
    >>> triangles.steps.tolist(), triangles.swept[0][0].tolist()
    ([[1, 0], [0, 1], [-1, 1]], [[3, 0], [1, 1]])
    """
    flat = lattice.dimension == 2
    least = 3 if flat else 4
    if any(len(faces[0] if flat else faces) < least for faces in lattice.faces):
        raise PuzzleError(
            f"Pieces of the {lattice.name} lattice have no volume: only cells are taken apart."
        )
    vectors = lattice.group @ np.eye(lattice.dimension, dtype=np.int64)
    found = {tuple(column) for matrix in vectors for column in matrix.T.tolist()}
    if not lattice.balls:
        found |= _along_edges(lattice)
    orbits = {s: len({tuple(image) for image in (lattice.group @ s).tolist()}) for s in found}
    forward = (s for s in found if s[::-1] > tuple(-c for c in s[::-1]))
    steps = np.array(sorted(forward, key=lambda s: (orbits[s], sum(map(abs, s)), s[::-1])))
    far = int(np.abs(steps).max()) + 2
    places = product(range(-far, far + 1), repeat=lattice.dimension)
    reach = np.array(list(places)) * lattice.period
    overlap = _balls if lattice.balls else _bodies
    swept = tuple(
        tuple(
            np.concatenate(
                [
                    near[overlap(lattice, kind, other, near, lattice.period * step)]
                    for other, at in enumerate(lattice.origins)
                    for near in [reach + np.array(at) - np.array(origin)]
                ]
            )
            for kind, origin in enumerate(lattice.origins)
        )
        for step in steps
    )
    return Motions(steps, swept)


def _along_edges(lattice: Lattice) -> set[tuple[int, ...]]:
    """Return the shortest translations parallel to two faces of units or, in the plane, to a side.

    The translations are in periods of the lattice. Each is returned together with the opposite
    one. Translations with a coordinate above `LONGEST` are left out.
    """
    kinds = range(len(lattice.origins))
    if lattice.dimension == 2:
        sides = np.concatenate([_sides(lattice, kind) for kind in kinds])
    else:
        normals = np.unique(np.concatenate([_face_normals(lattice, k) for k in kinds]), axis=0)
        sides = np.cross(normals[:, None], normals[None]).reshape(-1, 3)
    sides = sides[np.abs(sides).max(axis=1) > TOLERANCE]
    sides = sides / np.abs(sides).max(axis=1, keepdims=True)
    found = set()
    for side in np.unique(sides.round(6), axis=0):
        for length in range(1, LONGEST + 1):
            step = np.rint(length * side).astype(int)
            if np.abs(step - length * side).max() < length * 2 * TOLERANCE:
                found |= {tuple(step.tolist()), tuple((-step).tolist())}
                break
    return found


@lru_cache
def _sides(lattice: Lattice, kind: int) -> Reals:
    """Return the distinct sides of a type of unit as vectors, shape ``(n, d)``."""
    faces = [np.array(face, dtype=float) for face in lattice.faces[kind]]
    sides = np.concatenate([face - np.roll(face, 1, axis=0) for face in faces])
    return np.unique(sides.round(9) + 0.0, axis=0)


@lru_cache
def _face_normals(lattice: Lattice, kind: int) -> Reals:
    """Return unit normals of the faces of a type of unit in space."""
    faces = [np.array(face, dtype=float) for face in lattice.faces[kind]]
    normals = np.array([np.cross(face[1] - face[0], face[2] - face[1]) for face in faces])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray((normals / lengths).round(9) + 0.0)


def _bodies(
    lattice: Lattice, kind: int, other: int, offsets: Points, step: Points
) -> npt.NDArray[np.bool_]:
    """Return a mask of the units of type `other` that a unit of type `kind` meets in a step.

    `offsets`: positions of the units relative to the moving one. Two units meet if they overlap at
    some moment of the step.
    """
    mine, theirs = (np.array([c for f in lattice.faces[k] for c in f]) for k in (kind, other))
    margin = np.abs(mine).max(axis=0) + np.abs(theirs).max(axis=0)
    low, high = np.minimum(step, 0) - margin, np.maximum(step, 0) + margin
    near = ((offsets > low) & (offsets < high) & offsets.any(axis=1, keepdims=True)).all(axis=1)
    normals = _normals(lattice, kind, other)
    # The displacement t * step is inside if normal . (t * step) < bound for every normal.
    bounds = (theirs @ normals.T).max(axis=0) - (mine @ normals.T).min(axis=0)
    bounds = bounds + offsets[near] @ normals.T
    speed = normals @ step
    still = abs(speed) < TOLERANCE
    times = bounds[:, ~still] / speed[~still]
    end = np.where(speed[~still] > 0, times, np.inf).min(axis=1)
    begin = np.where(speed[~still] < 0, times, -np.inf).max(axis=1)
    inside = (bounds[:, still] > TOLERANCE).all(axis=1)
    begin, end = np.maximum(begin, 0), np.minimum(end, 1)
    near[near] = inside & (end - begin > TOLERANCE)
    return np.asarray(near)


@lru_cache
def _normals(lattice: Lattice, kind: int, other: int) -> Reals:
    """Return unit normals of the planes that may separate units of types `kind` and `other`.

    With each normal, its opposite is returned.
    """
    sides = [_sides(lattice, k) for k in (kind, other)]
    if lattice.dimension == 2:
        both = np.concatenate(sides)
        normals = np.stack([-both[:, 1], both[:, 0]], axis=1)
    else:
        across = np.cross(sides[0][:, None], sides[1][None]).reshape(-1, 3)
        own = [_face_normals(lattice, k) for k in (kind, other)]
        normals = np.concatenate([*own, across])
    length = np.linalg.norm(normals, axis=1)
    normals = normals[length > TOLERANCE] / length[length > TOLERANCE, None]
    return np.concatenate([normals, -normals])


def _balls(
    lattice: Lattice, kind: int, other: int, offsets: Points, step: Points
) -> npt.NDArray[np.bool_]:
    """Return a mask of the balls that a ball meets in a step.

    `offsets`: positions of the other balls relative to the moving one. Balls of neighboring units
    touch; two balls meet if they overlap at some moment of the step.
    """
    places = np.array(lattice.embedding)
    nearest = np.linalg.norm(np.array(lattice.neighbors[kind]) @ places, axis=1).min()
    way, ends = step @ places, offsets @ places
    moment = np.clip(ends @ way / (way @ way), 0, 1)
    gaps = np.linalg.norm(ends - moment[:, None] * way, axis=1)
    return np.asarray((gaps < nearest - TOLERANCE) & offsets.any(axis=1))


WIDEST = 64
"""Largest number of cells of an assembly along an axis, if pieces may be turned."""


def require_turns(puzzle: Puzzle) -> None:
    """Raise PuzzleError unless pieces of a puzzle can be turned while they are taken apart."""
    if puzzle.lattice.name != "cube":
        raise PuzzleError(
            f"Pieces of the {puzzle.lattice.name} lattice are not rotated, only those of the cube "
            "lattice: take them apart without rotations."
        )
    if (np.ptp(puzzle.region.units, axis=0) >= WIDEST).any():
        raise PuzzleError(
            f"The region of {puzzle.name} is more than {WIDEST} cells wide: take its solutions "
            "apart without rotations."
        )


def quarter(axis: Points) -> Points:
    """Return the matrix of a quarter turn about a unit vector, counter-clockwise seen from its tip.

    Examples
    --------
    >>> quarter(np.array((0, 0, 1))) @ np.array((1, 0, 0))
    array([0, 1, 0])
    """
    return np.outer(axis, axis) + np.cross(axis, np.eye(3, dtype=np.int64)).T


def moved(units: Points, move: Move, period: int) -> Points:
    """Return the positions of units after a move.

    The positions stay the same if the move leads away from all other pieces (`Move.steps` is None).
    """
    if move.about is None:
        return np.asarray(units + (move.steps or 0) * period * np.array(move.direction))
    axis = np.rint(2 * np.array(move.about)).astype(np.int64)
    return np.asarray(((2 * units - axis) @ quarter(np.array(move.direction)).T + axis) // 2)


class RestFrame(NamedTuple):
    """The isometry from positions in a search to actual positions; `shift`: twice its translation.

    The search keeps one piece at rest. Whenever that piece should move, the other pieces make the
    opposite move instead, so positions in the search differ from the actual ones.
    """

    matrix: Points
    shift: Points

    @staticmethod
    def about(direction: Points, twice: Points) -> RestFrame:
        """Return the frame of a quarter turn about an axis.

        The turn is counter-clockwise, seen from the tip of `direction`, the unit vector along the
        axis. `twice`: twice a point of the axis.
        """
        matrix = quarter(direction)
        return RestFrame(matrix, twice - matrix @ twice)

    def move(self, pieces: tuple[int, ...], direction: Points, steps: int | None) -> Move:
        """Return the actual move for a translation in the coordinates of the search."""
        along = tuple((self.matrix @ direction).tolist())
        return Move(pieces=pieces, direction=along, steps=steps)

    def turn(self, pieces: tuple[int, ...], direction: Points, twice: Points) -> Move:
        """Return the actual move for a quarter turn in the coordinates of the search.

        `twice`: twice a point of the axis.
        """
        along = self.matrix @ direction
        point = np.where(along == 0, self.matrix @ twice + self.shift, 0) / 2
        about = tuple(point.tolist())
        return Move(pieces=pieces, direction=tuple(along.tolist()), steps=1, about=about)

    def after(self, seen: RestFrame) -> RestFrame:
        """Return the frame after a move of the piece at rest.

        `seen`: this move, in the coordinates of the search.
        """
        return RestFrame(self.matrix @ seen.matrix, self.matrix @ seen.shift + self.shift)
