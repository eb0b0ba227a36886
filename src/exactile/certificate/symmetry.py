"""The symmetry group of a puzzle, found by trying every isometry, and its action on placements.

This code is the verifier's own; searches use `exactile.puzzle.symmetry`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.certificate.placements import AT_ONCE, numbered
from exactile.errors import CertificateError
from exactile.geometry.lattice import Point
from exactile.puzzle.outline import laid
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.puzzle import Placement, Puzzle

Longs = npt.NDArray[np.int64]

MOST_UNITS = 20_000_000
"""Limit of the number of images of units under all isometries."""


class Motion(NamedTuple):
    """An isometry: a matrix, then a translation."""

    matrix: tuple[Point, ...]
    shift: Point


class Symmetries:
    """The isometries that map a puzzle to itself; those that act in the same way count once.

    Raise CertificateError if there are too many.

    >>> import exactile
    >>> group = Symmetries(exactile.load("pentominoes-6x10"))
    >>> group.motions[3], group.proper
    (Motion(matrix=((1, 0), (0, -1)), shift=(0, 5)), [True, True, False, False])
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.motions: list[Motion] = []  # one of each kind
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
                if len(seen) * len(self._points) > MOST_UNITS:
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
        """Return the rules about open units, and pieces in some places, the units moved."""

        def moved(units: Iterable[Point]) -> frozenset[int]:
            return frozenset(goals[self._number[unit]] for unit in units)

        found: Counter[tuple[object, ...]] = Counter()
        for rule in self.puzzle.open_rules:
            found[moved(rule.units), rule.lower, rule.upper] += 1
        for group in self.puzzle.use_rules:
            places = frozenset(map(moved, group.places))
            found[frozenset(group.pieces), places, group.lower, group.upper] += 1
        return found

    def _pieces_under(self, matrix: Longs) -> dict[str, str] | None:
        """Return the image of each piece; None if a piece has none."""
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
        """Return the images of a piece's orientations, see `forms`; many matrices act alike."""
        turns = matrix @ piece.motions
        turns = np.unique(turns.reshape(len(turns), -1), axis=0).reshape(turns.shape)
        key = (piece.name, turns.tobytes())
        if key not in self._forms:
            self._forms[key] = forms(piece, turns, self.puzzle.paint)
        return self._forms[key]

    def _units_under(self, matrix: Longs) -> Iterator[tuple[Longs, Longs]]:
        """Yield the translations that map the turned units to the region.

        With each comes the number of each unit's image, which is of the same kind and paint.
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
        """Return the image of a placement under a motion."""
        goals = self._goals[number]
        units = sorted(self._points[goals[self._number[unit]]] for unit in placement.units)
        return Placement(self._names[number][placement.piece], tuple(units))


def forms(piece: Piece, turns: Longs, paint: Paint) -> frozenset[bytes]:
    """Return a painted piece in all its positions, turned and moved to the origin, as bytes.

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
