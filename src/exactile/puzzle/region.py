"""A region: the units to be covered. Some may be optional, and the region may wrap around."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from exactile.doors import refuse_long
from exactile.errors import RegionError
from exactile.geometry import as_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import MAX_UNITS, Lattice, integer_points
from exactile.geometry.wrap import Glide, Wrap

Mask = npt.NDArray[np.bool_]


MAX_PLACES = 2**62
"""The bounding box of a region must have fewer places than this, so that a 64-bit integer can
number them."""

MOST_LISTED = 2**20, 16
"""Limits of a table with an entry for each place of the bounding box: number of entries, number of
entries per unit. The table is made unless both limits are exceeded."""


class Region:
    """The units that the pieces of a puzzle are to cover.

    Parameters
    ----------
    lattice
        The lattice of the units, or its name.
    units
        Points, each once: an array of shape ``(n, d)``, or plain lists.
    optional
        Mask of the units that may stay uncovered, shape ``(n,)``; by default, no unit may.
    wrap
        The motions that identify units: a `Wrap`, or translations as plain lists of integers. None
        by default.

    Attributes
    ----------
    units
        The points in lexicographic order, each replaced by its representative under the wrap. A
        unit's number is its index here.
    optional
        The mask of the optional units, in the order of `units`.
    places
        The points as they were given, in the order of `units`. Units are drawn there, for example
        in the box of a twisted torus. Regions that differ in `places` only are equal. All three
        arrays are read-only.

    Raises
    ------
    RegionError
        If there are no units or too many, a unit occurs twice, units are too far apart, or the
        arguments do not match.
    GeometryError
        If units or translations are not lists of integers, or the wrap is invalid; see `Wrap`.
    NotFoundError
        If no lattice has the given name.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> ring = Region(get_lattice("square"), np.array([[0, 0], [1, 0]]), wrap=Wrap([(2, 0)]))
    >>> ring.index(np.array([[2, 0], [1, 0], [0, 1]])).tolist()
    [0, 1, -1]
    """

    def __init__(
        self,
        lattice: Lattice | str,
        units: npt.ArrayLike,
        optional: npt.ArrayLike | None = None,
        wrap: Wrap | Sequence[Sequence[int]] | None = None,
    ) -> None:
        lattice = as_lattice(lattice)
        wrap = wrap if wrap is None or isinstance(wrap, Wrap) else Wrap(wrap)
        points = integer_points(units, "The units of a region")
        refuse_long(optional)
        try:
            mask = np.zeros(len(points), dtype=bool) if optional is None else np.asarray(optional)
        except ValueError:  # lists of different lengths
            mask = np.zeros(0)
        if mask.dtype != bool:
            raise RegionError("The mask of optional units is not a list of truth values.")
        if not len(points):
            raise RegionError("The region is empty: it needs at least one unit.")
        if len(points) > MAX_UNITS:
            raise RegionError(
                f"A region of {len(points):,} units is too large: the limit is {MAX_UNITS:,}."
            )
        _require_matching(lattice, points, mask, wrap)
        reduced = points if wrap is None else wrap.reduce(points)
        highs, lows = reduced.max(axis=0).tolist(), reduced.min(axis=0).tolist()
        spans = [high - low + 1 for high, low in zip(highs, lows, strict=True)]
        if prod(spans) >= MAX_PLACES:
            raise RegionError(
                f"The region spans {' x '.join(f'{s:,}' for s in spans)} places, too far apart: "
                "bring its parts closer together, or choose other translations for the wrap."
            )
        order = np.lexsort(reduced.T[::-1])
        self.lattice = lattice
        self.wrap = wrap
        self.units = reduced[order]
        self.places = points[order]
        self.optional: Mask = mask[order]
        twice = np.flatnonzero((self.units[1:] == self.units[:-1]).all(axis=1))
        if len(twice):
            unit = lattice.coordinates(self.units[twice[:1]])[0]
            cause = " (the wrap identifies two units)" if wrap is not None else ""
            raise RegionError(f"The region has the unit {list(unit)} twice{cause}: write it once.")
        for array in (self.units, self.places, self.optional):
            array.flags.writeable = False

    def __repr__(self) -> str:
        return f"<region of {len(self)} units, {self.lattice.name} lattice>"

    def __len__(self) -> int:
        return len(self.units)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Region) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[type[Region], tuple[Lattice, Points, Mask, Wrap | None]]:
        """Return the constructor, which makes arrays read-only, and its arguments, for pickling."""
        return Region, (self.lattice, self.places, self.optional, self.wrap)

    @property
    def _key(self) -> tuple[str, Wrap | None, bytes, bytes]:
        return self.lattice.name, self.wrap, self.units.tobytes(), self.optional.tobytes()

    @cached_property
    def types(self) -> npt.NDArray[np.int64]:
        """The type of each unit."""
        return self.lattice.types(self.units)

    @cached_property
    def coordinates(self) -> list[tuple[int, ...]]:
        """The customary coordinates of each unit."""
        return self.lattice.coordinates(self.units)

    @cached_property
    def coordinates_of(self) -> dict[tuple[int, ...], list[int]]:
        """The customary coordinates of each unit by its point."""
        points = (tuple(p) for p in self.units.tolist())
        return dict(zip(points, map(list, self.coordinates), strict=True))

    @cached_property
    def number_of(self) -> dict[tuple[int, ...], int]:
        """The number of each unit by its point; `index` is faster for many points."""
        return {tuple(p): i for i, p in enumerate(self.units.tolist())}

    @cached_property
    def _low(self) -> Points:
        return np.asarray(self.units.min(axis=0))

    @cached_property
    def _span(self) -> Points:
        return np.asarray(self.units.max(axis=0) - self._low + 1)

    @cached_property
    def _strides(self) -> Points:
        return np.append(np.cumprod(self._span[:0:-1])[::-1], 1)

    @cached_property
    def _numbers(self) -> npt.NDArray[np.int32] | None:
        """The number of the unit at each place of the bounding box, -1 where there is none.

        None if the box is far larger than the region.
        """
        places = prod(self._span.tolist())
        if places > max(MOST_LISTED[0], MOST_LISTED[1] * len(self)):
            return None
        numbers = np.full(places, -1, dtype=np.int32)
        numbers[self.keys] = np.arange(len(self))
        return numbers

    def steps(self, shifts: Points) -> npt.NDArray[np.int64]:
        """Return how much each shift increases the key of a unit that it moves.

        The key is the number of a place in the bounding box; the moved unit must stay in the box.
        Shape ``(..., d)`` gives ``(...)``.
        """
        return np.asarray(shifts @ self._strides)

    @cached_property
    def keys(self) -> npt.NDArray[np.int64]:
        """The key of each unit: the number of its place in the bounding box."""
        return self.steps(self.units - self._low)

    def at(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the number of the unit with each key, -1 if there is none; see `keys`.

        The keys must be those of places in the bounding box.
        """
        if self._numbers is not None:
            return np.asarray(self._numbers[keys], dtype=np.int64)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1)
        return np.where(self.keys[place] == keys, place, -1)

    def index(self, points: Points) -> npt.NDArray[np.int64]:
        """Return the number of the unit at each point, or -1 if there is none.

        Points are first reduced by the region's wrap. Shape ``(..., d)`` gives ``(...)``.
        """
        if self.wrap is not None:
            points = self.wrap.reduce(points)
        inside = np.ones(points.shape[:-1], dtype=bool)
        for own, low, span in zip(np.moveaxis(points, -1, 0), self._low, self._span, strict=True):
            inside &= (own >= low) & (own < low + span)
        return np.where(inside, self.at(np.where(inside, self.steps(points - self._low), 0)), -1)


def _require_matching(lattice: Lattice, units: Points, optional: Mask, wrap: Wrap | None) -> None:
    """Raise RegionError unless units, mask and wrap match the lattice and each other."""
    if units.ndim != 2 or units.shape[1] != lattice.dimension:
        raise RegionError(
            f"The units of a region of the {lattice.name} lattice are an array of shape "
            f"(n, {lattice.dimension}), not {units.shape}."
        )
    off = units[lattice.types(units) < 0]
    if len(off):
        point = off[0].tolist()
        raise RegionError(f"The point {point} is not a unit of the {lattice.name} lattice.")
    if optional.shape != (len(units),):
        raise RegionError(
            f"The mask of optional units has shape {optional.shape}, not ({len(units)},)."
        )
    if wrap is not None and any(len(v) != lattice.dimension for v in wrap.vectors):
        raise RegionError(f"The wrap {wrap} is not of dimension {lattice.dimension}.")
    if wrap is not None and any(c % lattice.period for v in wrap.vectors for c in v):
        raise RegionError(f"The wrap {wrap} is not a translation of the {lattice.name} lattice.")
    if wrap is not None and wrap.glide is not None:
        _require_mirror(lattice, wrap.glide)


def _require_mirror(lattice: Lattice, glide: Glide) -> None:
    """Raise RegionError unless a wrap by a glide reflection is possible on the lattice.

    The lattice must consist of whole cells, and the glide must map it to itself.
    """
    if lattice.crossing is not None or lattice.frame is not None:
        raise RegionError(
            f"Regions of the {lattice.name} lattice cannot be joined with a reflection: only those "
            "of squares, triangles, hexagons, their prisms, cubes, balls and tetrahedra can."
        )
    if len(glide.shift) != lattice.dimension:
        raise RegionError(f"The wrap is not of dimension {lattice.dimension}.")
    known = any(np.array_equal(glide.matrix, matrix) for matrix in lattice.group)
    if not known or any(c % lattice.period for c in glide.shift):
        raise RegionError(
            f"The reflection of the wrap does not map the {lattice.name} lattice to itself."
        )
