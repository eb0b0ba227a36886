"""The symmetry group of a puzzle by trying every isometry, and what it does to placements.

Written for the verifier: it shares nothing with `exactile.puzzle.symmetry`, which searches use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from exactile.errors import CertificateError
from exactile.geometry.lattice import Point
from exactile.pieces.piece import Piece, motions
from exactile.puzzle.congruence import reduced
from exactile.puzzle.puzzle import Placement, Puzzle

MOST_UNITS = 20_000_000
"""Where the images of all units under all isometries are more, they are not listed."""


class Motion(NamedTuple):
    """An isometry: a matrix, then a translation."""

    matrix: tuple[Point, ...]
    shift: Point


class Symmetries:
    """The isometries that carry a puzzle onto itself; those that act alike on it count once.

    Attributes
    ----------
    motions
        One of each kind.
    proper
        Which of them do what a rotation or translation does.

    Raises
    ------
    CertificateError
        If there are too many.

    Examples
    --------
    >>> import exactile
    >>> group = Symmetries(exactile.load("pentominoes-6x10"))
    >>> group.motions[3], group.proper
    (Motion(matrix=((1, 0), (0, -1)), shift=(0, 5)), [True, True, False, False])
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.motions: list[Motion] = []
        self.proper: list[bool] = []
        self._optional = dict(
            zip(map(tuple, puzzle.region.units.tolist()), puzzle.region.optional, strict=True)
        )
        self._forms = [forms(piece) for piece in puzzle.pieces]
        self._names: list[dict[str, str]] = []
        self._fixed = set(puzzle.fixed)
        self._reduced: dict[Point, Point] = {}
        seen: set[tuple[object, ...]] = set()
        for matrix in puzzle.lattice.group.tolist():  # the proper ones come first
            self._try(tuple(map(tuple, matrix)), seen)

    def _try(self, matrix: tuple[Point, ...], seen: set[tuple[object, ...]]) -> None:
        """Add the motions that turn by a matrix, if they do what none so far does."""
        names = self._pieces_under(matrix)
        wrap = self.puzzle.region.wrap
        if names is None or any(
            any(reduced(turned(matrix, v), wrap)) for v in (wrap.vectors if wrap else ())
        ):
            return
        start = turned(matrix, next(iter(self._optional)))
        for goal in self._optional:
            shift = tuple(g - s for g, s in zip(goal, start, strict=True))
            motion = Motion(matrix, shift)
            action = self._units_under(motion)
            if action is None or (action, *names.items()) in seen:
                continue
            seen.add((action, *names.items()))
            if len(seen) * len(self._optional) > MOST_UNITS:
                raise CertificateError(
                    f"The puzzle {self.puzzle.name} has too many symmetries for a certificate."
                )
            self._names.append(names)
            self.motions.append(motion)
            self.proper.append(_determinant(matrix) > 0)
            if {self.image(len(self.motions) - 1, p) for p in self._fixed} != self._fixed:
                for track in (self._names, self.motions, self.proper):
                    track.pop()

    def _pieces_under(self, matrix: tuple[Point, ...]) -> dict[str, str] | None:
        """Return to which piece each piece is carried; None if one is carried to none."""
        choice = set(self.puzzle.omission.names) if self.puzzle.omission else set()
        period = self.puzzle.lattice.period
        names = {}
        for piece, own in zip(self.puzzle.pieces, self._forms, strict=True):
            images = {_at_origin([turned(matrix, u) for u in form], period) for form in own}
            twins = (o for o, f in zip(self.puzzle.pieces, self._forms, strict=True) if f == images)
            other = next(twins, None)
            if other is None or (piece.lower, piece.upper, piece.name in choice) != (
                other.lower,
                other.upper,
                other.name in choice,
            ):
                return None
            names[piece.name] = other.name
        return names

    def _units_under(self, motion: Motion) -> tuple[Point, ...] | None:
        """Return where the units go; None if out of the region or onto units of another kind."""
        if any(c % self.puzzle.lattice.period for c in motion.shift):
            return None
        images = []
        for unit, optional in self._optional.items():
            image = self._moved(motion, unit)
            if self._optional.get(image) != optional:
                return None
            images.append(image)
        return tuple(images)

    def _moved(self, motion: Motion, unit: Point) -> Point:
        there = turned(motion.matrix, unit)
        goal = tuple(c + s for c, s in zip(there, motion.shift, strict=True))
        if goal not in self._reduced:
            self._reduced[goal] = reduced(goal, self.puzzle.region.wrap)
        return self._reduced[goal]

    def image(self, number: int, placement: Placement) -> Placement:
        """Return where a motion carries a placement."""
        units = sorted(self._moved(self.motions[number], unit) for unit in placement.units)
        return Placement(self._names[number][placement.piece], tuple(units))


def turned(matrix: Sequence[Point], unit: Point) -> Point:
    """Return a matrix times a point."""
    return tuple(sum(m * c for m, c in zip(row, unit, strict=True)) for row in matrix)


def forms(piece: Piece) -> set[frozenset[Point]]:
    """Return the orientations of a piece, each moved to the origin.

    Examples
    --------
    >>> import exactile
    >>> pieces = exactile.piece_set("tetrominoes", exactile.get_lattice("square"))
    >>> len(forms(pieces.piece("L4")))
    8
    """
    period = piece.lattice.period
    return {
        _at_origin([turned(matrix, u) for u in piece.units], period)
        for matrix in motions(piece.lattice, piece.freedom).tolist()
    }


def _at_origin(units: Sequence[Point], period: int) -> frozenset[Point]:
    low = [min(axis) // period * period for axis in zip(*units, strict=True)]
    return frozenset(tuple(c - s for c, s in zip(u, low, strict=True)) for u in units)


def _determinant(matrix: tuple[Point, ...]) -> int:
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        return a * d - b * c
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
