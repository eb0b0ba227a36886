"""All placements of a puzzle's pieces, and its symmetries, for the verification of certificates.

They are computed from the definitions. A piece is turned and moved in all ways; a placement fits if
it lies within the region and no paint forbids it. Symmetries are found by trying every isometry.
This code is independent of `exactile.model.lower`, which makes models and numbers the units in
them, and of `exactile.puzzle.symmetry`, which searches use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product, repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.errors import CertificateError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point
from exactile.puzzle.congruence import laid
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.puzzle import Placement, Puzzle

Longs = npt.NDArray[np.int64]

MOST_UNITS = 20_000_000
"""Largest number of units of all placements together: this many take a few gigabytes."""

AT_ONCE = 1 << 20
"""Approximate number of units in one array operation."""

PROBES = 8
"""Approximate number of units of a piece that are tried at all places before the other units."""


def placements(
    puzzle: Puzzle, pulse: Callable[[], None] = lambda: None
) -> list[list[tuple[Point, ...]]]:
    """Return for each piece its placements, sorted; each is a sorted tuple of units.

    `pulse`: called repeatedly; an exception that it raises ends the work. Raise CertificateError if
    there are too many.

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
    """Yield the placements of a turned piece, as arrays of points.

    The shape of an array is (placements, units of the piece, coordinates). `turned`: the points of
    the piece after the turn. `painted`: for each of these points, the unit of the piece whose paint
    comes to lie there.
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


def numbered(units: Points, points: Points) -> Longs:
    """Return, for each point, its index in the sorted `units`; -1 if it is not among them.

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
    """Return the distinct placements of several arrays as one array.

    Placements, and the units of each, are sorted. Placements that have a unit twice, which a wrap
    may cause, are dropped.
    """
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
    """The units to be covered and the pieces to be placed after the fixed placements.

    - `units`: the remaining units, with 1 for each that must be covered, 0 for an optional one.
    - `uses`: for each piece, the least and the greatest number of further uses.
    - `placements`: for each piece, its placements on these units; none if it may not be used any
      more. They may cross fixed placements.
    - `choice`, `omitted`: the pieces that may be left out, except those of fixed placements, and
      the number of them to be left out. If that is all of them, they are not a choice: they may not
      be used.
    """

    units: dict[Point, int]
    uses: dict[str, tuple[int, int]]
    placements: dict[str, list[tuple[Point, ...]]]
    choice: tuple[str, ...]
    omitted: int


_kept: dict[Puzzle, Remainder] = {}
"""Cache of the last result of `remainder`, which is often requested several times in a row."""


def remainder(puzzle: Puzzle, pulse: Callable[[], None] = lambda: None) -> Remainder:
    """Return the units and pieces of a puzzle that remain after its fixed placements.

    `pulse`: called repeatedly; an exception that it raises ends the work. The last result is cached
    for its puzzle. Raise CertificateError if there are too many placements.

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
    names = puzzle.omission.names if puzzle.omission else ()
    choice = tuple(name for name in names if not used[name])
    omitted = puzzle.omission.count if puzzle.omission else 0
    if len(choice) == omitted:  # all of these pieces are left out
        uses |= dict.fromkeys(choice, (0, 0))
        choice, omitted = (), 0
    places = {
        piece.name: [p for p in found if units.keys() >= set(p)] if uses[piece.name][1] else []
        for piece, found in zip(puzzle.pieces, placements(puzzle, pulse), strict=True)
    }
    _kept.clear()
    _kept[puzzle] = Remainder(units, uses, places, choice, omitted)
    return _kept[puzzle]


MOST_IMAGES = 20_000_000
"""Limit of the number of symmetries of a puzzle times the number of its units."""


class Motion(NamedTuple):
    """An isometry: a matrix, then a translation."""

    matrix: tuple[Point, ...]
    shift: Point


class Symmetries:
    """The symmetries of a puzzle: the isometries that map it to itself.

    Isometries that act in the same way on units and pieces count once. `motions` are the
    symmetries; `proper` states for each whether it acts like a rotation or a translation. Raise
    CertificateError if there are too many.

    >>> import exactile
    >>> group = Symmetries(exactile.load("pentominoes-6x10"))
    >>> group.motions[3], group.proper
    (Motion(matrix=((1, 0), (0, -1)), shift=(0, 5)), [True, True, False, False])
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.motions: list[Motion] = []  # one for each action on units and pieces
        self.proper: list[bool] = []  # which of them act like a rotation or translation
        self._points = [tuple(unit) for unit in puzzle.region.units.tolist()]
        self._number = {unit: number for number, unit in enumerate(self._points)}
        paint = puzzle.paint.units if puzzle.paint else {}
        kinds: dict[str | None, int] = {None: 0}
        painted = [kinds.setdefault(paint.get(unit), len(kinds)) for unit in self._points]
        self._paint = np.array(painted)
        self._forms: dict[tuple[str, bytes], frozenset[bytes]] = {}
        self._names: list[dict[str, str]] = []
        self._goals: list[list[int]] = []
        fixed, seen = set(puzzle.fixed), set[tuple[object, ...]]()
        rules = self._rules_under(range(len(self._points)))
        for matrix in puzzle.lattice.group:  # the proper ones come first
            names = self._pieces_under(matrix)
            for shift, goals in self._units_under(matrix) if names is not None else ():
                action = (goals.tobytes(), *(names or {}).items())
                if action in seen:
                    continue
                seen.add(action)
                if len(seen) * len(self._points) > MOST_IMAGES:
                    raise CertificateError(
                        f"The puzzle {puzzle.name} has too many symmetries for a certificate."
                    )
                self._names.append(names or {})
                self._goals.append(goals.tolist())
                moved = self._rules_under(self._goals[-1])
                if {self.image(-1, p) for p in fixed} != fixed or moved != rules:
                    self._names.pop()
                    self._goals.pop()
                    continue
                rows = tuple(map(tuple, matrix.tolist()))
                self.motions.append(Motion(rows, tuple(shift.tolist())))
                self.proper.append(_determinant(rows) > 0)

    def _rules_under(self, goals: Sequence[int]) -> Counter[tuple[object, ...]]:
        """Return the rules about uncovered units and used pieces after a motion of their units.

        `goals`: for each unit of the region, the index of its image. The keys of the result are
        rules; the values are the numbers of equal rules.
        """

        def moved(units: Iterable[Point]) -> frozenset[int]:
            return frozenset(goals[self._number[unit]] for unit in units)

        found: Counter[tuple[object, ...]] = Counter()
        for rule in self.puzzle.open_rules:
            found[moved(rule.units), rule.lower, rule.most(self.puzzle.region)] += 1
        for group in self.puzzle.use_rules:
            places = frozenset(map(moved, group.places))
            most = group.most(self.puzzle.pieces)
            found[frozenset(group.pieces), places, group.lower, most] += 1
        return found

    def _pieces_under(self, matrix: Longs) -> dict[str, str] | None:
        """Return the name of each piece's image under a matrix; None if a piece has no image."""
        choice = set(self.puzzle.omission.names) if self.puzzle.omission else set()
        pieces = self.puzzle.pieces
        unmoved = np.eye(len(matrix), dtype=np.int64)
        own = [self._forms_under(piece, unmoved) for piece in pieces]
        named = [rule.pieces for rule in self.puzzle.use_rules]
        named += [rule.pieces for rule in self.puzzle.color_rules]
        groups = {p.name: [p.name in names for names in named] for p in pieces}
        names = {"": ""}  # of units that stay open
        for piece in pieces:
            images = self._forms_under(piece, matrix)
            twins = (
                other
                for other, form in zip(pieces, own, strict=True)
                if form == images and groups[other.name] == groups[piece.name]
            )
            other = next(twins, None)
            if other is None or (piece.lower, piece.upper, piece.name in choice) != (
                other.lower,
                other.upper,
                other.name in choice,
            ):
                return None
            names[piece.name] = other.name
        return names

    def _forms_under(self, piece: Piece, matrix: Longs) -> frozenset[bytes]:
        """Return the result of `forms` for the image of a piece under a matrix; it is cached."""
        turns = matrix @ piece.motions
        turns = np.unique(turns.reshape(len(turns), -1), axis=0).reshape(turns.shape)
        key = (piece.name, turns.tobytes())
        if key not in self._forms:
            self._forms[key] = forms(piece, turns, self.puzzle.paint)
        return self._forms[key]

    def _units_under(self, matrix: Longs) -> Iterator[tuple[Longs, Longs]]:
        """Yield the translations that, after a matrix, map the region to itself.

        Each comes with an array that has, for each unit, the index of its image. The image has the
        same paint, and is optional if and only if the unit is.
        """
        region, period = self.puzzle.region, self.puzzle.lattice.period
        turned = region.units @ matrix.T
        if region.wrap is not None and not region.wrap.kept_by(matrix):
            return
        # Without wrap, the first unit goes to the first unit: translations keep the order.
        if region.wrap is None:
            shifts = region.units[:1] - turned[np.lexsort(turned.T[::-1])[0]]
        else:
            starts = region.wrap.sheets(region.units)
            shifts = region.wrap.kept_shifts(matrix, starts - turned[0])
        shifts = shifts[(shifts % period == 0).all(axis=1)]
        for part in np.array_split(shifts, -(-len(shifts) * len(turned) // AT_ONCE) or 1):
            there = turned + part[:, None]
            if region.wrap is not None:
                there = region.wrap.reduce(there)
            goals = numbered(region.units, there)
            alike = (goals >= 0) & (region.optional[goals] == region.optional)
            alike &= self._paint[goals] == self._paint
            for k in np.flatnonzero(alike.all(axis=1)):
                yield part[k], goals[k]

    def image(self, number: int, placement: Placement) -> Placement:
        """Return the image of a placement under ``motions[number]``."""
        goals = self._goals[number]
        units = sorted(self._points[goals[self._number[unit]]] for unit in placement.units)
        return Placement(self._names[number][placement.piece], tuple(units))


def forms(piece: Piece, turns: Longs, paint: Paint) -> frozenset[bytes]:
    """Return all orientations of a painted piece, each moved to the origin and encoded as bytes.

    `turns`: the matrices by which the piece is turned.

    >>> import exactile
    >>> pieces = exactile.piece_set("tetrominoes", exactile.get_lattice("square"))
    >>> turns, paint = exactile.get_lattice("square").group, {"I4": {(0, 0): "b"}}
    >>> [len(forms(pieces.piece("I4"), turns, Paint({}, own))) for own in ({}, paint)]
    [2, 4]
    """
    period, own = piece.lattice.period, paint.pieces.get(piece.name, {})
    ways, owners = laid(piece, paint)
    number = {name: k for k, name in enumerate((None, *paint.names))}
    colors = np.array([number[own.get(unit)] for unit in piece.units])[owners]
    there = ways[:, None] @ turns.transpose(0, 2, 1)
    there = there - there.min(axis=2, keepdims=True) // period * period
    painted = np.broadcast_to(colors[:, None, :, None], (*there.shape[:3], 1))
    there = np.concatenate([there, painted], axis=3)
    there = there.reshape(-1, *there.shape[2:])
    order = np.lexsort(np.moveaxis(there, -1, 0)[::-1], axis=-1)
    there = np.take_along_axis(there, order[..., None], axis=1)
    return frozenset(units.tobytes() for units in there)


def _determinant(matrix: tuple[Point, ...]) -> int:
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        return a * d - b * c
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
