"""Converts solutions to the customary coordinates of answers, and back."""

from __future__ import annotations

from collections.abc import Iterable

from exactile.answers import Coordinates, Placed, Placements
from exactile.errors import PuzzleError
from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import Placement, Puzzle, Solution


def in_coordinates(puzzle: Puzzle, solution: Solution) -> Placements:
    """Return the placements of a solution with the customary coordinates of their units.

    Raise PuzzleError if a unit is not in the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tritrigs-heart-2")
    >>> solution = exactile.solve_one(puzzle)
    >>> from_coordinates(puzzle, in_coordinates(puzzle, solution)) == solution
    True
    """
    return tuple(Placed(p.piece, units_in_coordinates(puzzle, p.units)) for p in solution)


def all_in_coordinates(puzzle: Puzzle, solutions: Iterable[Solution]) -> tuple[Placements, ...]:
    """Convert many solutions like `in_coordinates`; each distinct placement is converted once."""
    known: dict[Placement, Placed] = {}

    def placed(placement: Placement) -> Placed:
        if (found := known.get(placement)) is None:
            units = units_in_coordinates(puzzle, placement.units)
            found = known[placement] = Placed(placement.piece, units)
        return found

    return tuple(tuple(map(placed, solution)) for solution in solutions)


def units_in_coordinates(puzzle: Puzzle, units: Iterable[Point]) -> tuple[Coordinates, ...]:
    """Return the customary coordinates of units of the region, given as points.

    Raise PuzzleError if a point is not in the region.
    """
    known = puzzle.region.coordinates_of
    try:
        return tuple(tuple(known[u]) for u in units)
    except KeyError as error:
        raise PuzzleError(
            f"The region of {puzzle.name} has no point {error}: is it a solution of another puzzle?"
        ) from None


def from_coordinates(puzzle: Puzzle, placements: Iterable[Placed]) -> Solution:
    """Return the placements of an answer as a solution of its puzzle.

    Raise PuzzleError if a unit is not in the region.
    """
    placements = tuple(placements)
    known = _points(puzzle) if placements else {}  # slow in a large region
    return tuple(
        Placement(name, tuple(_found(puzzle, known, u) for u in units))
        for name, units in placements
    )


def units_from_coordinates(puzzle: Puzzle, units: Iterable[Coordinates]) -> tuple[Point, ...]:
    """Return the points of units of the region, given in customary coordinates.

    Raise PuzzleError if a unit is not in the region.
    """
    units = tuple(units)
    known = _points(puzzle) if units else {}
    return tuple(_found(puzzle, known, u) for u in units)


def _points(puzzle: Puzzle) -> dict[Coordinates, Point]:
    """Return the points of the region's units, by customary coordinates."""
    region = puzzle.region
    return dict(zip(region.coordinates, map(tuple, region.units.tolist()), strict=True))


def _found(puzzle: Puzzle, known: dict[Coordinates, Point], unit: Coordinates) -> Point:
    """Return the point of a unit given in customary coordinates.

    Raise PuzzleError if the unit is not in the region.
    """
    point = known.get(tuple(unit))
    if point is None:
        raise PuzzleError(f"The region of {puzzle.name} has no unit {','.join(map(str, unit))}.")
    return point
