"""Paint: units of pieces and of the region have colors, and not all colors match.

Paint is a rule about single placements: a painted unit of a piece may lie only on units of the
region with a matching paint; an unpainted unit matches everything.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactile.errors import GeometryError, PieceError, PuzzleError
from exactile.geometry.isometry import Matrices, Points, distinct_rows, row_keys, to_origin
from exactile.geometry.lattice import Lattice, Point, integer_points
from exactile.geometry.recut import positions
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.region import Region
from exactile.wanted import seen

T = TypeVar("T")

Codes = npt.NDArray[np.int64]
"""The paint of each unit as a number."""


@dataclass(frozen=True)
class Paint:
    """The paint of a puzzle: on units of the region, on units of pieces, and which paints match.

    Attributes
    ----------
    units
        The paint of units of the region, by their points; other units have none.
    pieces
        The paint of pieces: by name, then by the points of the piece's own units.
    fits
        For each paint of pieces, the paints of the region on which it may lie; by default, only
        the same paint.

    Raises
    ------
    PuzzleError
        If a paint is not a printable name, or an argument has another form.

    Examples
    --------
    >>> paint = Paint({(0, 0): "black", (1, 0): "white"}, {"I2": {(0, 0): "black"}})
    >>> paint.allows("I2", (0, 0), (1, 0)), paint.allows("I2", (1, 0), (1, 0))
    (False, True)
    """

    units: Mapping[Point, str] = field(default_factory=dict)
    pieces: Mapping[str, Mapping[Point, str]] = field(default_factory=dict)
    fits: Mapping[str, Collection[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Copy the mappings; raise PuzzleError if one of them has another form."""
        pieces = _mapping(self.pieces, "The paint of pieces")
        fits = _mapping(self.fits, "The paints that fit")
        for paint, there in fits.items():
            if isinstance(there, str) or not isinstance(there, Collection):
                raise PuzzleError(f"The paints that {paint} fits are a list, not {seen(there)}.")
        own = {
            name: _painted(units, f"The painted units of {name}") for name, units in pieces.items()
        }
        object.__setattr__(self, "units", _painted(self.units, "The painted units of a region"))
        object.__setattr__(self, "pieces", own)
        object.__setattr__(self, "fits", {paint: tuple(there) for paint, there in fits.items()})

    def __bool__(self) -> bool:
        return bool(self.units) and any(self.pieces.values())

    def allows(self, piece: str, unit: Point, goal: Point) -> bool:
        """Return whether a unit of a piece may lie on a unit of the region."""
        own = self.pieces.get(piece, {}).get(unit)
        there = self.units.get(goal)
        return own is None or there is None or there in self.fits.get(own, (own,))

    def without(self, pieces: Collection[str]) -> Paint:
        """Return the paint with some pieces unpainted."""
        kept = {name: own for name, own in self.pieces.items() if name not in pieces}
        left = {paint for own in kept.values() for paint in own.values()}
        fits = {paint: there for paint, there in self.fits.items() if paint in left}
        return Paint(self.units, kept, fits)

    def codes(self, piece: Piece) -> Codes:
        """Return the paint of each unit of a piece as a number.

        Paint number 1 is the first one in `names`; 0 stands for unpainted units.
        """
        own = self.pieces.get(piece.name)
        if own is None:
            return np.zeros(piece.order, dtype=np.int64)
        return np.array([self._number(own.get(u)) for u in piece.units], dtype=np.int64)

    def _number(self, paint: str | None) -> int:
        return 0 if paint is None else 1 + self.names.index(paint)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The paints that are on pieces, sorted; their numbers are 1, 2, ..."""
        return tuple(sorted({paint for own in self.pieces.values() for paint in own.values()}))

    def table(self, units: Points) -> npt.NDArray[np.bool_]:
        """Return whether each paint of pieces may lie on each unit: shape ``(paints + 1, units)``.

        Row k is for paint number k, row 0 for unpainted units of pieces.
        """
        if not self.units:
            return np.ones((1 + len(self.names), len(units)), dtype=bool)
        there, numbers = self.of(units)
        rows = [[t is None or t in self.fits.get(own, (own,)) for t in there] for own in self.names]
        return np.array([[True] * len(there), *rows], dtype=bool)[:, numbers]

    def of(self, units: Points) -> tuple[list[str | None], Codes]:
        """Return the distinct paints of units of the region, and the index of each unit's paint.

        None stands for no paint. The last result is cached, since all pieces need the same one.
        """
        known = self._last.get("units")
        if known is None or known[0] is not units:
            paints = [self.units.get(tuple(unit)) for unit in units.tolist()]
            number = {paint: k for k, paint in enumerate(dict.fromkeys(paints))}
            known = units, list(number), np.array([number[paint] for paint in paints])
            self._last["units"] = known
        return known[1:]

    @cached_property
    def _last(self) -> dict[str, tuple[Points, list[str | None], Codes]]:
        """The last argument and result of `of`; empty before the first call."""
        return {}

    def aspects(self, piece: Piece) -> tuple[Points, Codes]:
        """Return the aspects of a piece, ``(a, n, d)``, and the paint of their units, ``(a, n)``.

        Paint is given as numbers. Aspects with the same units but different paint are distinct.
        """
        if not self.pieces.get(piece.name):
            return piece.aspects, np.zeros(piece.aspects.shape[:2], dtype=np.int64)
        known, found = self._oriented.get(piece.name, (None, None))
        if found is None or known is not piece:
            found = oriented(*self.positions(piece), piece.motions, piece.lattice.period)
            self._oriented[piece.name] = piece, found
        return found

    @cached_property
    def _oriented(self) -> dict[str, tuple[Piece, tuple[Points, Codes]]]:
        """The painted aspects computed so far, with their pieces, by the names of the pieces."""
        return {}

    def positions(self, piece: Piece) -> tuple[Points, Codes]:
        """Return the sets of units that a piece can cover without being turned, and their paint.

        Shapes ``(k, n, d)`` and ``(k, n)``. See `exactile.geometry.recut.positions`.
        """
        painted = positions(np.column_stack([piece.points, self.codes(piece)]), piece.lattice)
        return painted[..., :-1], painted[..., -1]


def _mapping(given: T, what: str) -> T:
    if not isinstance(given, Mapping):
        raise PuzzleError(f"{what} must be a dict, not {seen(given)}.")
    return given


def _painted(given: Mapping[Point, str], what: str) -> dict[Point, str]:
    """Return a copy of the paint of units; raise PuzzleError if points or paints are impossible.

    `what`: the subject of messages.
    """
    points = integer_points(list(_mapping(given, what)), what)
    if given and points.ndim != 2:
        raise GeometryError(f"{what} are not points, which are lists of integers.")
    for paint in given.values():
        if not isinstance(paint, str) or not paint or not paint.isprintable():
            raise PuzzleError(f"A paint has no plain name: {paint!r}.")
    return dict(zip(map(tuple, points.tolist()), given.values(), strict=True))


def oriented(sets: Points, codes: Codes, matrices: Matrices, period: int) -> tuple[Points, Codes]:
    """Return the distinct images of painted sets under matrices, moved to the origin.

    `sets`: k sets of n points, shape ``(k, n, d)``. `codes`: the paint of each point, ``(k, n)``.
    `matrices`: shape ``(g, d, d)``. `period`: that of the lattice. The result: points and paint of
    the images in lexicographic order, shapes ``(a, n, d)`` and ``(a, n)``.

    Examples
    --------
    >>> turn = np.array([[[1, 0], [0, 1]], [[-1, 0], [0, -1]]])
    >>> domino = np.array([[[0, 0], [1, 0]]])
    >>> [codes.tolist() for codes in oriented(domino, np.array([[0, 1]]), turn, 1)[1]]
    [[0, 1], [1, 0]]
    """
    n, d = sets.shape[1:]
    images = np.einsum("gij,knj->gkni", matrices, sets).reshape(-1, n, d)
    images = to_origin(images, period)
    order = np.argsort(row_keys(images), axis=1)
    points = np.take_along_axis(images, order[:, :, None], axis=1)
    paints = np.take_along_axis(np.tile(codes, (len(matrices), 1)), order, axis=1)
    flat = np.concatenate([points.reshape(len(points), -1), paints], axis=1)
    chosen = distinct_rows(flat)
    return points[chosen], paints[chosen]


def key(aspects: tuple[Points, Codes]) -> bytes:
    """Return painted aspects as bytes, which are equal exactly if the painted aspects are."""
    points, codes = aspects
    return f"{points.shape} ".encode() + points.tobytes() + codes.tobytes()


def by_unit(units: Mapping[Point, str], region: Region) -> Mapping[Point, str]:
    """Return the paint of some points as paint of the units that these points stand for.

    On a wrapped region, several points can stand for the same unit. Raise PuzzleError if two of
    them have different paints. Without a wrap, return `units` unchanged.

    Examples
    --------
    >>> ring = Region("square", [(0, 0), (1, 0)], wrap=[(2, 0)])
    >>> by_unit({(2, 0): "red"}, ring)
    {(0, 0): 'red'}
    """
    if region.wrap is None or not units:
        return units
    points = integer_points(list(units), "The painted units")
    if points.shape[1:] != (region.lattice.dimension,):
        return units  # refused by `check_paint`
    found: dict[Point, str] = {}
    reduced = map(tuple, region.wrap.reduce(points).tolist())
    for unit, paint in zip(reduced, units.values(), strict=True):
        if found.setdefault(unit, paint) != paint:
            [where] = region.lattice.coordinates(np.array([unit]))
            raise PuzzleError(
                f"The unit {list(where)} of the region is painted {found[unit]} and {paint}: "
                "the wrap makes one unit of these."
            )
    return found


def check_paint(paint: Paint, pieces: Mapping[str, Piece], region: Region) -> None:
    """Raise PuzzleError unless all paint is on units of the pieces or of the region.

    The keys of `fits` must be paints that are on pieces. `pieces`: the pieces by name.
    """
    for name, own in paint.pieces.items():
        if name not in pieces:
            raise PieceError(
                f"The paint is for a piece '{name}', which the puzzle does not have. Its pieces: "
                f"{' '.join(pieces)}."
            )
        strange = set(own) - set(pieces[name].units)
        if strange:
            raise PieceError(
                f"The paint of piece {name} lies on {_place(min(strange), region.lattice)}, which "
                "is not a unit of the piece."
            )
    outside = set(paint.units) - region.number_of.keys() if paint.units else set()
    if outside:
        raise PuzzleError(
            f"The paint of the region lies on {_place(min(outside), region.lattice)}, which is not "
            "a unit of the region."
        )
    known = {p for own in paint.pieces.values() for p in own.values()}
    strange_names = sorted(set(paint.fits) - known)
    if strange_names:
        raise PuzzleError(
            f"The paint '{strange_names[0]}' in fits is on no piece. On pieces: "
            f"{' '.join(sorted(known))}."
        )


def _place(point: Point, lattice: Lattice) -> str:
    """Return the coordinates of a unit as text; the point itself where the lattice has no unit."""
    try:
        return str(list(lattice.coordinates(np.array([point]))[0]))
    except (GeometryError, ValueError):  # ValueError: a point of the wrong dimension
        return f"{list(point)} (a point)"
