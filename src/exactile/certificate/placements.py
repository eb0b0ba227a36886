"""All placements of a puzzle's pieces, from the definition: turn, move, test the fit.

A placement fits if it lies within the region and no paint forbids it.

Written for the verifier: independent of `exactile.model.lower`, which makes models, down to the
numbering of units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product, repeat

import numpy as np
import numpy.typing as npt

from exactile.errors import CertificateError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point
from exactile.puzzle.outline import laid
from exactile.puzzle.puzzle import Puzzle

MOST_UNITS = 20_000_000
"""Limit of the units of all placements, which keeps them below some gigabytes."""

AT_ONCE = 1 << 20
"""Number of units that are moved at a time."""

PROBES = 8
"""Number of units of a piece that are tested in all places before the others are."""


def placements(
    puzzle: Puzzle, pulse: Callable[[], None] = lambda: None
) -> list[list[tuple[Point, ...]]]:
    """Return for each piece its placements, sorted; each is a sorted tuple of units.

    `pulse`: called repeatedly during the work; an exception that it raises ends it. Raise
    CertificateError if there are too many.

    >>> import exactile
    >>> [len(found) for found in placements(exactile.load("tetrominoes-5x4-tube"))]
    [25, 100, 15, 50, 50]
    """
    result = []
    room = MOST_UNITS
    for piece in puzzle.pieces:
        found = np.zeros((0, *piece.points.shape), dtype=np.int64)
        waiting: list[Points] = []
        ways = zip(*laid(piece, puzzle.paint), strict=True)
        for (way, owners), turn in product(ways, piece.motions):
            painted = [piece.units[owner] for owner in owners]
            for places in _moved(puzzle, piece.name, painted, way @ turn.T):
                pulse()
                waiting.append(places)
                if sum(map(len, waiting)) * piece.order > AT_ONCE:
                    found, waiting = _distinct(found, *waiting), []
                    _require_room(puzzle, found, room)
        found = _distinct(found, *waiting)
        _require_room(puzzle, found, room)
        room -= len(found) * piece.order
        result.append([tuple(map(tuple, units)) for units in found.tolist()])
    return result


def _moved(puzzle: Puzzle, piece: str, painted: list[Point], turned: Points) -> Iterator[Points]:
    """Yield all places of a turned piece, unit by unit: ``(places, n, d)``.

    The units have the paint of these units of the piece.
    """
    region = puzzle.region
    starts = region.units if region.wrap is None else region.wrap.sheets(region.units)
    shifts = starts - turned[0]
    shifts = shifts[(shifts % puzzle.lattice.period == 0).all(axis=1)]
    at_once = max(1, AT_ONCE // len(turned))
    for part in np.array_split(shifts, -(-len(shifts) // at_once) or 1):
        left = part
        for step in (-(-len(turned) // PROBES), 1):
            there = turned[::step] + left[:, None]
            if region.wrap is not None:
                there = region.wrap.reduce(there)
            fits = (numbered(region.units, there) >= 0).all(axis=1)
            left, there = left[fits], there[fits]
        if puzzle.paint:
            allowed = [
                all(map(puzzle.paint.allows, repeat(piece), painted, map(tuple, goals)))
                for goals in there.tolist()
            ]
            there = there[np.array(allowed, dtype=bool)]
        yield there


def numbered(units: Points, points: Points) -> npt.NDArray[np.int64]:
    """Return the number of each point among lexicographically sorted units, -1 if it is not there.

    >>> numbered(np.array([[0, 0], [0, 1], [2, 0]]), np.array([[2, 0], [1, 1], [0, 0]])).tolist()
    [2, -1, 0]
    """
    low, span = units.min(axis=0), np.ptp(units, axis=0) + 1
    within = np.ones(points.shape[:-1], dtype=bool)
    goal, own = np.zeros(points.shape[:-1], dtype=np.int64), np.zeros(len(units), dtype=np.int64)
    for axis in range(units.shape[1]):
        offset = points[..., axis] - low[axis]
        within &= (offset >= 0) & (offset < span[axis])
        goal = goal * span[axis] + offset
        own = own * span[axis] + units[:, axis] - low[axis]
    nearest = np.minimum(np.searchsorted(own, goal), len(own) - 1)
    return np.where(within & (own[nearest] == goal), nearest, -1)


def _distinct(*places: Points) -> Points:
    """Return the distinct sets of units, each sorted, in order; none has a unit twice."""
    every = np.concatenate(places)
    order = np.lexsort(np.moveaxis(every, -1, 0)[::-1], axis=-1)
    every = np.take_along_axis(every, order[..., None], axis=1)
    every = every[(every[:, 1:] != every[:, :-1]).any(axis=2).all(axis=1)]
    rows = np.unique(every.reshape(len(every), every.shape[1] * every.shape[2]), axis=0)
    return rows.reshape(-1, *every.shape[1:])


def _require_room(puzzle: Puzzle, found: Points, room: int) -> None:
    if found.shape[0] * found.shape[1] > room:
        raise CertificateError(
            f"The puzzle {puzzle.name} has too many placements for a certificate: those of its "
            f"pieces have more than {MOST_UNITS:,} units."
        )


@dataclass(frozen=True)
class Remainder:
    """The pieces and units that remain. Crossings are ignored."""

    units: dict[Point, int]  # the remaining units: 1 if it must be covered, 0 if it is optional
    uses: dict[str, tuple[int, int]]  # how often each piece must and may still be used
    # For each piece, its placements on these units; none if it may not be used any more
    placements: dict[str, list[tuple[Point, ...]]]
    # choice, omitted: the pieces of which some are left out, without the fixed ones, and the number
    # left out
    choice: tuple[str, ...]
    omitted: int


_kept: dict[Puzzle, Remainder] = {}
"""The last result: a coloring is verified, described and drawn in succession."""


def remainder(puzzle: Puzzle, pulse: Callable[[], None] = lambda: None) -> Remainder:
    """Put the fixed placements of a puzzle in place and return the remainder.

    `pulse`: called repeatedly during the work; an exception that it raises ends it.

    >>> import exactile
    >>> left = remainder(exactile.load("tetrasticks-5x5"))
    >>> len(left.units), left.uses["F"], left.choice, left.omitted
    (60, (1, 1), ('H', 'J', 'L', 'N', 'Y'), 1)
    """
    if puzzle in _kept:
        return _kept[puzzle]
    covered = {unit for placement in puzzle.fixed for unit in placement.units}
    used = Counter(placement.piece for placement in puzzle.fixed)
    units = {
        tuple(unit): 0 if optional else 1
        for unit, optional in zip(
            puzzle.region.units.tolist(), puzzle.region.optional.tolist(), strict=True
        )
        if tuple(unit) not in covered
    }
    uses = {p.name: (max(0, p.lower - used[p.name]), p.upper - used[p.name]) for p in puzzle.pieces}
    places = {
        piece.name: [p for p in found if units.keys() >= set(p)] if uses[piece.name][1] else []
        for piece, found in zip(puzzle.pieces, placements(puzzle, pulse), strict=True)
    }
    names = puzzle.omission.names if puzzle.omission else ()
    choice = tuple(name for name in names if not used[name])
    omitted = puzzle.omission.count if puzzle.omission else 0
    _kept.clear()
    _kept[puzzle] = Remainder(units, uses, places, choice, omitted)
    return _kept[puzzle]
