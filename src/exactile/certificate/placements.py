"""All placements of a puzzle's pieces, from the definition: turn, move, look whether it fits.

It fits if it lies within the region and no paint forbids it.

Written for the verifier: it shares nothing with `exactile.model.lower`, which models are made by.
"""

from __future__ import annotations

from itertools import repeat

from exactile.errors import CertificateError
from exactile.geometry.lattice import Point
from exactile.pieces.piece import motions
from exactile.puzzle.congruence import reduced
from exactile.puzzle.puzzle import Puzzle

MOST_UNITS = 20_000_000
"""More units of placements are not listed: they would take some gigabytes."""


def placements(puzzle: Puzzle) -> list[list[tuple[Point, ...]]]:
    """Return for each piece its placements, sorted; each is a sorted tuple of units.

    Raises
    ------
    CertificateError
        If there are too many.

    Examples
    --------
    >>> import exactile
    >>> [len(found) for found in placements(exactile.load("tetrominoes-5x4-tube"))]
    [25, 100, 15, 50, 50]
    """
    region = puzzle.region
    inside = {tuple(u) for u in region.units.tolist()}
    period = puzzle.lattice.period
    allowed = puzzle.paint.allows
    result = []
    room = MOST_UNITS
    for piece in puzzle.pieces:
        found: set[tuple[Point, ...]] = set()
        for matrix in motions(puzzle.lattice, piece.freedom).tolist():
            turned = [
                tuple(sum(m * c for m, c in zip(row, unit, strict=True)) for row in matrix)
                for unit in piece.units
            ]
            for goal in inside:
                shift = [g - c for g, c in zip(goal, turned[0], strict=True)]
                if any(s % period for s in shift):
                    continue
                there = [
                    reduced(tuple(c + s for c, s in zip(u, shift, strict=True)), region.wrap)
                    for u in turned
                ]
                units = set(there)
                if (
                    len(units) == piece.order
                    and units <= inside
                    and all(map(allowed, repeat(piece.name), piece.units, there))
                ):
                    found.add(tuple(sorted(units)))
            if len(found) * piece.order > room:
                raise CertificateError(
                    f"The puzzle {puzzle.name} has too many placements for a certificate: those of "
                    f"its pieces have more than {MOST_UNITS:,} units."
                )
        room -= len(found) * piece.order
        result.append(sorted(found))
    return result
