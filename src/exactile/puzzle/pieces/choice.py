"""A choice among polyforms: with holes or without, with some symmetries."""

from __future__ import annotations

import numpy as np

from exactile._native import encloses_units
from exactile.errors import PieceError
from exactile.geometry.isometry import Points, orientations
from exactile.geometry.lattice import Lattice
from exactile.geometry.recut import positions
from exactile.puzzle.pieces.generate import growth


def is_chosen(
    points: Points, lattice: Lattice, *, holes: bool | None = None, symmetric: int = 1
) -> bool:
    """Return whether a form has holes, or none, and at least a number of symmetries.

    Raise PieceError if `holes` is given for edges or faces.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> from exactile.puzzle.pieces.generate import generate
    >>> square = get_lattice("square")
    >>> sum(is_chosen(form, square, holes=True) for form in generate(square, 8))
    6
    >>> sum(is_chosen(form, square, symmetric=4) for form in generate(square, 5))
    2
    """
    if symmetric > 1 and symmetries(points, lattice) < symmetric:
        return False
    return holes is None or has_holes(points, lattice) == holes


def symmetries(points: Points, lattice: Lattice) -> int:
    """Return how many matrices of the lattice map a shape to itself, up to translation.

    Examples
    --------
    This rectangle consists of other units where it is turned:

    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("sixth-triangles")
    >>> around = [(0, 1, k) for k in (8, 9, 10)] + [(1, 0, k) for k in (2, 3, 4)]
    >>> symmetries(grid.points(around), grid)
    4
    """
    unmoved = np.eye(lattice.dimension, dtype=np.int64)[None]
    own = orientations(positions(points, lattice), unmoved, lattice.period)
    images = orientations(points, lattice.group, lattice.period)
    known = {units.tobytes() for units in own}
    return sum(units.tobytes() in known for units in images)


def has_holes(points: Points, lattice: Lattice) -> bool:
    """Return whether cells enclose others: a closed cavity in space, but not a tunnel."""
    faces = lattice.faces[0]
    if len(faces[0]) == 2 or (len(lattice.embedding[0]) == 3 and len(faces) == 1):
        raise PieceError(
            f"The {lattice.plural} have no cells that could enclose a hole: they cannot be chosen "
            "by holes."
        )
    return encloses_units(*growth(lattice), np.ascontiguousarray(points))
