"""Isometries that map units of a region to other units of the region, as arrays of unit numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.geometry.isometry import Matrices, Points
from exactile.puzzle import Region

Maps = npt.NDArray[np.int32]

BLOCKS, EXCHANGES = 1, 2
"""Possible uses of an isometry, as bits: to move blocks, and to exchange sets of pieces."""


@dataclass(frozen=True, eq=False)
class Isometries:
    """Isometries of the lattice and their action on the units of a region.

    Isometry k is ``matrices[k]`` followed by the translation ``shifts[k]``. It maps unit u to unit
    ``images[k, u]``; -1 if the image is outside the region. ``wanted[k]``: its possible uses,
    `BLOCKS`, `EXCHANGES` or their sum.
    """

    images: Maps
    wanted: npt.NDArray[np.uint8]
    matrices: Matrices
    shifts: Points

    def __len__(self) -> int:
        return len(self.images)

    @cached_property
    def inverses(self) -> Maps:
        """Entry [k, u] is the unit that isometry k maps to unit u; -1 if there is none."""
        return np.array([inverted(image) for image in self.images]).reshape(self.images.shape)


def isometries(
    region: Region, least: int, enough: Callable[[], object] = lambda: None
) -> Isometries:
    """Return the isometries that may move blocks of pieces or exchange sets of pieces in a region.

    An isometry and its inverse exchange the same sets, so only one of them is marked for exchanges.
    Blocks are moved only by isometries of finite order, which excludes translations unless the
    region wraps around. Isometries that have no use, or that fix every unit, are left out.

    `least`: least number of units that an isometry must map into the region. `enough`: called many
    times a second. If it returns a true value, the work ends, and the result is empty or
    incomplete. Raise PuzzleError if the region's ends are joined with a reflection.

    Examples
    --------
    >>> import exactile
    >>> found = isometries(exactile.load("pentominoes-6x10").region, 10)
    >>> len(found), int(found.wanted.max())
    (741, 3)
    """
    require_no_mirror(region)
    maps: dict[bytes, tuple[Maps, Matrices, Points]] = {}
    for images, matrix, shift in _candidates(region):
        if enough():
            maps.clear()  # stacking them would take long, and none is needed any more
            break
        if int((images >= 0).sum()) >= least and (images != np.arange(len(images))).any():
            maps.setdefault(images.tobytes(), (images, matrix, shift))
    stacked = np.array([m[0] for m in maps.values()], dtype=np.int32).reshape(-1, len(region))
    matrices = np.array([m[1] for m in maps.values()], dtype=np.int64)
    shifts = np.array([m[2] for m in maps.values()], dtype=np.int64)
    wanted = _wanted(stacked, enough)
    some = wanted > 0
    return Isometries(stacked[some], wanted[some], matrices[some], shifts[some])


def inverted(images: Maps) -> Maps:
    """Return the inverse of a map of unit numbers, in which -1 stands for no image.

    Examples
    --------
    >>> inverted(np.array([2, -1, 1], dtype=np.int32)).tolist()
    [-1, 2, 0]
    """
    inverse = np.full_like(images, -1)
    inside = np.flatnonzero(images >= 0)
    inverse[images[inside]] = inside
    return inverse


def require_no_mirror(region: Region) -> None:
    """Raise PuzzleError if a region's ends are joined with a reflection, as in a Moebius strip."""
    if region.wrap is not None and region.wrap.glide is not None:
        raise PuzzleError(
            "Solutions in a region that is joined with a reflection, such as a Moebius strip, have "
            "no classes: isometries that keep parts of it are not known."
        )


def _candidates(region: Region) -> Iterator[tuple[Maps, Matrices, Points]]:
    """Yield isometries that may map some units of a region into the region.

    Each is a tuple: for each unit, the number of its image, or -1 if that is outside the region;
    the matrix; and the translation.
    """
    for matrix in region.lattice.group:
        if region.wrap is None or region.wrap.kept_by(matrix):
            turned = region.units @ matrix.T
            for shift in _shifts(region, turned):
                yield region.index(turned + shift).astype(np.int32), matrix, shift


def _shifts(region: Region, turned: Points) -> Points:
    """Return the translations that may map some of the points `turned` into the region."""
    period = region.lattice.period
    low = -(-(region.units.min(axis=0) - turned.max(axis=0)) // period)
    high = (region.units.max(axis=0) - turned.min(axis=0)) // period
    steps = product(*(range(a, b + 1) for a, b in zip(low.tolist(), high.tolist(), strict=True)))
    shifts = np.array(list(steps), dtype=np.int64) * period
    return shifts if region.wrap is None else np.unique(region.wrap.reduce(shifts), axis=0)


def _wanted(images: Maps, enough: Callable[[], object]) -> npt.NDArray[np.uint8]:
    """Return the possible uses of each isometry: `BLOCKS`, `EXCHANGES`, their sum or 0.

    If `enough` returns a true value, the work ends, and the rest are 0.
    """
    wanted = np.zeros(len(images), dtype=np.uint8)
    seen: set[bytes] = set()
    for k, map_ in enumerate(images):
        if enough():
            break
        if _has_cycle(map_):
            wanted[k] |= BLOCKS
        if inverted(map_).tobytes() not in seen:
            wanted[k] |= EXCHANGES
        seen.add(map_.tobytes())
    return wanted


def _has_cycle(images: Maps) -> bool:
    """Return whether repeating a map takes some unit back to itself without leaving the region."""
    reached = np.append(images, -1)
    steps = 1
    while steps <= len(images):  # after as many steps as there are units, only cycles remain
        reached = np.append(reached[reached[:-1]], -1)
        steps *= 2
    return bool((reached[:-1] >= 0).any())
