"""Prototiles: pieces on one lattice with the same freedom, and their form for the native module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from exactile import _native
from exactile.errors import PieceError
from exactile.files.puzzles.piece_groups import disconnected
from exactile.geometry.isometry import Points, aspects
from exactile.geometry.lattice import Lattice
from exactile.geometry.recut import shape_aspects
from exactile.puzzle.pieces.piece import Freedom, Piece

MOST_UNITS = 256
"""Largest number of units of a prototile."""

MOST_EXTENT = 128
"""Largest span of a prototile along an axis, in periods."""

MOST_ASPECTS = 512
"""Largest number of aspects of all prototiles together."""


@dataclass(frozen=True)
class Prototiles:
    """One or more prototiles: shapes whose copies are to tile the plane or space.

    Attributes
    ----------
    pieces
        The prototiles; their ranges of uses are ignored.
    crossing
        Whether copies must not cross at vertices, if the lattice has a crossing rule.
    each
        Whether each prototile must be used in a tiling.

    Raises
    ------
    PieceError
        If there are none, they differ in lattice or freedom, two are congruent, one is too large,
        they have more than `MOST_ASPECTS` aspects together, or `each` is set and several sets of
        units have the shape of the same prototile (see `ways`).

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> Prototiles((Piece("I3", square, ((0, 0), (1, 0), (2, 0)), Freedom.FREE),)).is_connected
    True
    """

    pieces: tuple[Piece, ...]
    crossing: bool = True
    each: bool = False

    def __post_init__(self) -> None:
        if not self.pieces:
            raise PieceError("There are no prototiles: name a piece, or give its units.")
        names = {piece.lattice.name for piece in self.pieces}
        if len(names) > 1:
            raise PieceError(
                f"Prototiles are of one lattice, not of {' and '.join(sorted(names))}."
            )
        if len({piece.freedom for piece in self.pieces}) > 1:
            raise PieceError(
                "All prototiles must be turned in the same way: give them the same freedom."
            )
        seen: dict[bytes, str] = {}
        total = 0
        for piece in self.pieces:
            self._require_small(piece)
            forms = shape_aspects(np.array(piece.units), piece.motions, self.lattice)
            total += len(forms)
            key = forms[0].tobytes()
            if key in seen:
                raise PieceError(
                    f"The prototiles {seen[key]} and {piece.name} are congruent: leave one out."
                )
            seen[key] = piece.name
        if self.each and len(self.units) > len(self.pieces):
            raise PieceError(
                "A prototile can lie on the lattice in several ways; --each is for others only."
            )
        if total > MOST_ASPECTS:
            raise PieceError(
                f"The prototiles have {total:,} aspects together, which is too many: the limit is "
                f"{MOST_ASPECTS}."
            )

    def _require_small(self, piece: Piece) -> None:
        if piece.order > MOST_UNITS:
            raise PieceError(
                f"The prototile {piece.name} has {piece.order:,} units: the limit is {MOST_UNITS}."
            )
        places = as_units(self.lattice, np.array(piece.units))[:, :-1].astype(object)  # may be huge
        extent = np.ptp(places, axis=0).max() + 1
        if extent > MOST_EXTENT:
            raise PieceError(
                f"The prototile {piece.name} spans {extent:,} places: the limit is {MOST_EXTENT}."
            )

    @property
    def lattice(self) -> Lattice:
        """The lattice of the prototiles."""
        return self.pieces[0].lattice

    @property
    def freedom(self) -> Freedom:
        """How copies of the prototiles may be turned."""
        return self.pieces[0].freedom

    @cached_property
    def matrices(self) -> Points:
        """The matrices by which copies of all prototiles may be turned.

        One-sided balls in one plane may also be reflected; if other prototiles may not, `units` has
        the reflected balls, too.
        """
        return min((piece.motions for piece in self.pieces), key=len)

    @property
    def rule(self) -> bool:
        """Whether the crossing rule applies: it is requested, and the lattice has one."""
        return self.crossing and self.lattice.crossing is not None

    @cached_property
    def units(self) -> list[Units]:
        """All sets of units that have the shape of a prototile: see `ways`.

        Each set is moved so that its least coordinates are 0. `owners` has the prototile of each.
        """
        return [units for each in self._ways for units in each]

    @cached_property
    def owners(self) -> list[Piece]:
        """For each entry of `units`, the prototile that has its shape."""
        return [p for p, each in zip(self.pieces, self._ways, strict=True) for _ in each]

    @cached_property
    def _ways(self) -> list[list[Units]]:
        grid = self.lattice
        return [
            ways(grid, as_units(grid, np.array(p.units)), self.matrices, p.motions)
            for p in self.pieces
        ]

    @cached_property
    def native(self) -> _native.TilingDecider:
        """The object of the native module that decides whether the prototiles tile."""
        return decider(self.lattice, self.matrices, self.rule)

    @property
    def has_heesch_numbers(self) -> bool:
        """Whether there is only one prototile, connected and with only one entry in `units`."""
        return len(self.units) == 1 and self.is_connected

    @property
    def is_connected(self) -> bool:
        """Whether the units of each prototile are connected."""
        return all(
            disconnected(piece.points, self.lattice, quasi=False) is None for piece in self.pieces
        )


def ways(
    lattice: Lattice, units: Units, matrices: Points, allowed: Points | None = None
) -> list[Units]:
    """Return all sets of units that have the shape of the polyform `units`, which comes first.

    All sets are moved so that their least coordinates are 0. Sets that differ only by one of
    `matrices` and a translation count once. So on most lattices, `units` is the only set; on a few,
    other units can make up the same shape. `allowed`: the matrices by which this polyform may be
    turned, if these are more than `matrices`.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> len(ways(square, np.array([[0, 0, 0], [1, 0, 0]]), square.group))
    1
    """
    result = [to_place(units)]
    allowed = matrices if allowed is None else allowed
    if lattice.slides or len(allowed) > len(matrices):
        points = as_points(lattice, units)
        known = {form.tobytes() for form in aspects(points, matrices, lattice.period)}
        for form in shape_aspects(points, allowed, lattice):
            if form.tobytes() not in known:
                known |= {each.tobytes() for each in aspects(form, matrices, lattice.period)}
                result.append(to_place(as_units(lattice, form)))
    return result


def decided(
    native: _native.TilingDecider,
    ways: list[Units],
    wishes: _native.TilingWishes,
    goes_on: Callable[[], bool],
) -> dict[str, Any]:
    """Return the native module's result for one prototile.

    `ways`: the sets of units with the shape of the prototile, from the function `ways`. The first
    set is tried alone at first, because the result is more precise if this set tiles.
    """
    if len(ways) > 1:
        found = native.decide(ways[:1], wishes, goes_on)
        if found["verdict"] == "tiles" or found["error"] is not None:
            return found
    return native.decide(ways, wishes, goes_on)


def is_flat(lattice: Lattice) -> bool:
    """Return whether the units of a lattice are cells of the plane, which can enclose others."""
    return lattice.dimension == 2 and all(len(f) > 2 for faces in lattice.faces for f in faces)


def encloses(lattice: Lattice, points: Sequence[tuple[int, ...]]) -> bool:
    """Return whether the units at some points enclose other units.

    The result is False unless the units are cells of the plane.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> encloses(get_lattice("square"), [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)])
    False
    """
    if not is_flat(lattice):
        return False
    cells = set(points)
    steps = [np.array(step) for step in lattice.neighbors]
    period = lattice.period
    low = np.array(points).min(axis=0) - 2 * period
    high = np.array(points).max(axis=0) + 2 * period
    box = np.stack(np.meshgrid(*map(np.arange, low, high + 1), indexing="ij"), axis=-1)
    every = box.reshape(-1, 2)[lattice.types(box.reshape(-1, 2)) >= 0]
    kinds = lattice.types(every).tolist()
    outside = {
        tuple(p): k for p, k in zip(every.tolist(), kinds, strict=True) if tuple(p) not in cells
    }
    rim = ((every < low + period) | (every > high - period)).any(axis=1)
    waiting = [tuple(p) for p in every[rim].tolist()]
    reached = set(waiting)
    for point in waiting:
        for near in (steps[outside[point]] + np.array(point)).tolist():
            if tuple(near) in outside and tuple(near) not in reached:
                reached.add(tuple(near))
                waiting.append(tuple(near))
    return len(reached) < len(outside)


Units = npt.NDArray[np.int64]
"""Units as rows: the translation from the origin in periods, then the type of the unit."""


def as_units(lattice: Lattice, points: Points) -> Units:
    """Return points, shape ``(..., n, d)``, as `Units`, shape ``(..., n, d + 1)``.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> as_units(get_lattice("square-edges"), np.array([[3, 0], [2, 5]])).tolist()
    [[1, 0, 0], [1, 2, 1]]
    """
    kinds = lattice.types(points)
    places = (points - np.array(lattice.origins)[kinds]) // lattice.period
    return np.concatenate([places, kinds[..., None]], axis=-1)


def as_points(lattice: Lattice, units: Units) -> Points:
    """Return units as points; the inverse of `as_units`."""
    origins = np.array(lattice.origins)[units[..., -1]]
    return np.asarray(units[..., :-1] * lattice.period + origins)


def to_place(units: Units) -> Units:
    """Return each set of units moved so that its least coordinates are 0."""
    moved = units.copy()
    moved[..., :-1] -= units[..., :-1].min(axis=-2, keepdims=True)
    return moved


def decider(lattice: Lattice, matrices: Points, crossing: bool) -> _native.TilingDecider:
    """Return an object of the native module that decides whether prototiles of a lattice tile.

    Parameters
    ----------
    lattice
        The lattice.
    matrices
        The matrices by which prototiles may be turned.
    crossing
        Whether copies must not cross at vertices.
    """
    origins = np.array(lattice.origins)
    images = np.stack([as_units(lattice, origins @ m.T) for m in matrices])
    rule = lattice.crossing if crossing else None
    rays = rule.rays if rule else ()
    width = lattice.dimension
    items = [sum(1 << i for i in rule.items(m)) for m in range(1 << len(rays))] if rule else []
    return _native.TilingDecider(
        turns=np.ascontiguousarray(matrices),
        images=np.ascontiguousarray(images),
        touching=_offsets(lattice, touching(lattice)),
        joined=_offsets(lattice, lattice.neighbors),
        rays=as_units(lattice, np.array(rays, dtype=np.int64).reshape(-1, width)),
        items=items,
    )


def _offsets(lattice: Lattice, steps: Any) -> list[Units]:
    """Return, for each type, the units at offsets `steps[type]` from a unit of this type."""
    return [
        as_units(lattice, np.array(origin) + np.array(each, dtype=np.int64))
        for origin, each in zip(lattice.origins, steps, strict=True)
    ]


def touching(lattice: Lattice) -> list[list[tuple[int, ...]]]:
    """Return, for each type of unit, the offsets to the units that share a corner with it.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> len(touching(get_lattice("square"))[0]), len(touching(get_lattice("kites"))[0])
    (8, 9)
    """
    places = np.array(list(product(range(-2, 3), repeat=lattice.dimension)))
    corners: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for kind, origin in enumerate(lattice.origins):
        for point in (places * lattice.period + np.array(origin)).tolist():
            for corner in _corners(lattice, kind, point):
                corners.setdefault(corner, []).append(tuple(point))
    result = []
    for kind, origin in enumerate(lattice.origins):
        near = {p for c in _corners(lattice, kind, list(origin)) for p in corners[c]} - {origin}
        result.append(sorted(tuple(np.subtract(p, origin).tolist()) for p in near))
    return result


def _corners(lattice: Lattice, kind: int, point: list[int]) -> set[tuple[int, ...]]:
    """Return the corners of the unit at `point`, in millionths so that they are integers."""
    corners = {corner for face in lattice.faces[kind] for corner in face}
    return {
        tuple(round(1e6 * (p + c)) for p, c in zip(point, corner, strict=True))
        for corner in corners
    }
