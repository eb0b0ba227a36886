"""The remainder of a puzzle after its fixed placements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from exactile.certificate.placements import placements
from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import Puzzle


@dataclass(frozen=True)
class Remainder:
    """What remains to be placed. Crossings are ignored."""

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
