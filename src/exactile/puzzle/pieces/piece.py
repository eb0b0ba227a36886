"""A piece: a named polyform, how it may be turned, and how often it is used."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from exactile.errors import PieceError
from exactile.geometry import as_lattice
from exactile.geometry.isometry import Matrices, Points
from exactile.geometry.lattice import MAX_UNITS, Lattice, Point, integer_points
from exactile.geometry.recut import shape_aspects
from exactile.wanted import seen, wanted, whole


class Freedom(Enum):
    """How a piece may be moved, or which forms count as equal."""

    FREE = "free"
    """Pieces may be moved by all isometries of the lattice, including reflections."""

    ONE_SIDED = "one-sided"
    """Pieces may be moved by proper isometries only: turned, but not reflected."""

    FIXED = "fixed"
    """Pieces may be moved by translations only."""

    @classmethod
    def _missing_(cls, value: object) -> Freedom:
        raise PieceError(f"There is no freedom {seen(value)}: write {_freedoms()}.")


def as_freedom(freedom: Freedom | str, what: str = "A piece") -> Freedom:
    """Return the freedom that a word names; a `Freedom` is returned as it is.

    `what`: the subject of the message of the PieceError that is raised if there is no such freedom.

    Examples
    --------
    >>> as_freedom("one-sided")
    <Freedom.ONE_SIDED: 'one-sided'>
    """
    if isinstance(freedom, str | Freedom):
        with suppress(PieceError):
            return Freedom(freedom)
    raise PieceError(f"{what} cannot be {seen(freedom)}: write {_freedoms()}.")


def _freedoms() -> str:
    return " or ".join(repr(freedom.value) for freedom in Freedom)


def motions(lattice: Lattice, freedom: Freedom) -> Matrices:
    """Return the matrices of the isometries that a freedom allows: shape ``(g, d, d)``."""
    if freedom is Freedom.FREE:
        return lattice.group
    if freedom is Freedom.ONE_SIDED:
        return lattice.proper
    return lattice.group[:1]


def motions_of(points: Points, lattice: Lattice, freedom: Freedom) -> Matrices:
    """Return the matrices by which a set of units may be turned, shape ``(g, d, d)``.

    These are the `motions` of the freedom, with an exception: a one-sided set of balls in one plane
    may also be reflected, since turning it over in space has the same effect. The turn need not map
    the lattice to itself, but it maps these balls to balls of the lattice.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> spheres, bent = get_lattice("spheres"), np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0)])
    >>> [len(motions_of(bent[:k], spheres, Freedom.ONE_SIDED)) for k in (1, 2, 3)]
    [48, 48, 48]
    """
    if freedom is Freedom.ONE_SIDED and lattice.balls and is_flat(points):
        return lattice.group
    return motions(lattice, freedom)


def is_flat(points: Points) -> bool:
    """Return whether points lie in one plane."""
    return bool(np.linalg.matrix_rank(points - points[0]) <= 2)


def customary_freedom(lattice: Lattice) -> Freedom:
    """Return the freedom of real pieces: flat ones can be flipped, solid ones cannot."""
    return Freedom.FREE if lattice.flips else Freedom.ONE_SIDED


@dataclass(frozen=True)
class Piece:
    """A piece of a puzzle.

    Attributes
    ----------
    name
        The name of the piece, unique in the puzzle.
    lattice
        The lattice of the units, or its name.
    units
        Points of the units in one orientation; any lists of integers are accepted.
    freedom
        How the piece may be turned: a `Freedom`, or a word such as ``"free"``.
    lower, upper
        The least and greatest number of times that the piece is used.

    Raises
    ------
    PieceError
        If the name is empty, if `units` are not distinct units of the lattice, or if the freedom or
        the bounds are impossible.
    GeometryError
        If `units` are not lists of integers, or `lattice` is neither a lattice nor a name.
    NotFoundError
        If no lattice has the given name.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> domino = Piece("I2", square, ((0, 0), (1, 0)), Freedom.FREE)
    >>> len(domino.aspects), domino.order
    (2, 2)
    """

    name: str
    lattice: Lattice = field(repr=False)
    units: tuple[Point, ...]
    freedom: Freedom
    lower: int = 1
    upper: int = 1

    def __post_init__(self) -> None:
        if not wanted(self.name, str, "The name of a piece", PieceError):
            raise PieceError("The name of a piece is empty: write at least one character.")
        object.__setattr__(self, "lattice", as_lattice(self.lattice))
        points = integer_points(self.units, f"The units of piece {self.name}")
        if not len(points):
            raise PieceError(f"Piece {self.name} has no units.")
        if points.ndim != 2 or points.shape[1] != self.lattice.dimension:
            raise PieceError(
                f"Piece {self.name} has no points of the {self.lattice.name} lattice: each has "
                f"{self.lattice.dimension} coordinates."
            )
        object.__setattr__(self, "units", tuple(map(tuple, points.tolist())))
        off = points[self.lattice.types(points) < 0]
        if len(off):
            raise PieceError(
                f"Piece {self.name} has the point {off[0].tolist()}, which is not a unit of the "
                f"{self.lattice.name} lattice."
            )
        if len(set(self.units)) != len(self.units):
            twice = next(u for u, number in Counter(self.units).items() if number > 1)
            raise PieceError(
                f"Piece {self.name} has the unit "
                f"{list(self.lattice.coordinates(np.array([twice]))[0])} twice."
            )
        object.__setattr__(self, "freedom", as_freedom(self.freedom, f"Piece {self.name}"))
        for bound in ("lower", "upper"):
            uses = whole(getattr(self, bound), f"How often piece {self.name} is used", PieceError)
            object.__setattr__(self, bound, uses)
        if self.upper > MAX_UNITS:
            raise PieceError(
                f"Piece {self.name} cannot be used {self.upper:,} times: "
                f"the limit is {MAX_UNITS:,}."
            )
        if not 0 <= self.lower <= self.upper:
            raise PieceError(
                f"Piece {self.name} cannot be used {self.lower} to {self.upper} times: "
                "the first number must be at least 0 and at most the second."
            )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: the fields, without cached values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def order(self) -> int:
        """Number of units."""
        return len(self.units)

    @cached_property
    def points(self) -> Points:
        """The units as an array, shape ``(order, d)``."""
        return np.array(self.units, dtype=np.int64)

    @cached_property
    def motions(self) -> Matrices:
        """The matrices by which the piece may be turned, shape ``(g, d, d)``; see `motions_of`."""
        return motions_of(self.points, self.lattice, self.freedom)

    @cached_property
    def aspects(self) -> Points:
        """The distinct orientations, shape ``(a, order, d)``, in lexicographic order.

        On some lattices, the same shape can consist of different sets of units. Each such set is an
        aspect of its own.
        """
        return shape_aspects(self.points, self.motions, self.lattice)

    @cached_property
    def shape(self) -> bytes:
        """The aspects as bytes: equal for two pieces exactly if their aspects are equal."""
        return f"{self.aspects.shape} ".encode() + self.aspects.tobytes()
