"""The boards of a puzzle: its region, with one choice of the units that stay open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exactile.errors import PuzzleError
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.symmetry import symmetries
from exactile.search.case import areas
from exactile.surveys.subsets.blocks import whole

MOST_BOARDS = 200_000
"""Largest number of boards, up to symmetry."""


class OpenBoard(NamedTuple):
    """A region to be filled."""

    puzzle: int  # index of its puzzle
    left_open: tuple[int, ...]  # numbers of the units of its region that stay open
    alike: int = 1  # number of boards that are equal to it up to symmetry, itself included


def boards_of(puzzles: Sequence[Puzzle]) -> list[OpenBoard]:
    """Return the boards of puzzles, one of those that are equal up to symmetry.

    Raise PuzzleError if there are none, or more than `MOST_BOARDS`.

    Examples
    --------
    >>> import exactile
    >>> rule = {"units": "0..2,0..2", "exactly": 1}
    >>> puzzle = exactile.make_puzzle("2xI4", box=(3, 3), open=[rule])
    >>> [(board.left_open, board.alike) for board in boards_of([puzzle])]
    [((0,), 4), ((1,), 4), ((4,), 1)]
    """
    found: list[OpenBoard] = []
    for number, puzzle in enumerate(puzzles):
        _require_plain(puzzle)
        low, high = whole(puzzle)
        total = len(puzzle.region)
        covered = areas([piece.order for piece in puzzle.pieces], low, high, total)
        sizes = {total - area for area in range(total + 1) if covered >> area & 1}
        own = np.arange(len(puzzle.pieces))
        group = [s.units for s in symmetries(puzzle) if np.array_equal(s.pieces, own)]
        for left_open in open_choices(puzzle, sizes):
            images = {tuple(sorted(units[list(left_open)].tolist())) for units in group}
            if left_open == min(images):
                found.append(OpenBoard(number, left_open, len(images)))
            if len(found) > MOST_BOARDS:
                raise PuzzleError(
                    f"{puzzle.name} has more than {MOST_BOARDS:,} boards: say which units stay "
                    "open, see `open` in puzzle files."
                )
    if not found:
        raise PuzzleError(
            f"{puzzles[0].name} has no board: no choice of its pieces has the area of its region "
            "without the units that stay open."
        )
    return found


def open_choices(puzzle: Puzzle, sizes: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield the choices of units that stay open by the rules of a puzzle, as sorted numbers.

    `sizes`: the possible numbers of open units.
    """
    region = puzzle.region
    given = {unit for placement in puzzle.fixed for unit in placement.units}
    points = map(tuple, region.units.tolist())
    units = [k for k, point in enumerate(points) if region.optional[k] and point not in given]
    rules = [set(region.index(np.array(r.units)).tolist()) for r in puzzle.open_rules]
    bounds = [(rule.lower, rule.most(region)) for rule in puzzle.open_rules]
    most = max(sizes, default=-1)

    def chosen(
        place: int, left_open: tuple[int, ...], room: list[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the choices that continue from a unit; `room`: how many each rule still allows."""
        rest = units[place:]
        for (lower, upper), left, own in zip(bounds, room, rules, strict=True):
            missing = lower - (upper - left)
            if missing > 0 and missing > min(len(own.intersection(rest)), most - len(left_open)):
                return
        if len(left_open) in sizes and all(
            upper - left >= lower for (lower, upper), left in zip(bounds, room, strict=True)
        ):
            yield left_open
        if len(left_open) >= most:
            return
        for k, unit in enumerate(rest, place + 1):
            less = [n - (unit in own) for n, own in zip(room, rules, strict=True)]
            if min(less, default=0) >= 0:
                yield from chosen(k, (*left_open, unit), less)

    return chosen(0, (), [upper for _, upper in bounds])


def board_name(puzzle: Puzzle, board: OpenBoard) -> str:
    """Return the name of a board: that of its puzzle, and the open units by label or place."""
    if not board.left_open:
        return puzzle.name
    points = [tuple(point) for point in puzzle.region.units[list(board.left_open)].tolist()]
    about = [unit for rule in puzzle.open_rules for unit in rule.units]
    first = {unit: place for place, unit in enumerate(about)}  # a month comes before its day
    points.sort(key=lambda point: first.get(point, len(first)))
    places = puzzle.lattice.coordinates(np.array(points, dtype=np.int64))
    named = [
        puzzle.labels.get(point) or ",".join(map(str, place))
        for point, place in zip(points, places, strict=True)
    ]
    return f"{puzzle.name} open {' '.join(named)}"


def board_puzzle(puzzle: Puzzle, board: OpenBoard, name: str = "") -> Puzzle:
    """Return a board as a puzzle of its own, without the open units and the rules about them."""
    if not puzzle.region.optional.any():
        return replace(puzzle, name=name or puzzle.name, known=())
    kept = np.setdiff1d(np.arange(len(puzzle.region)), board.left_open)
    region = Region(puzzle.lattice, puzzle.region.places[kept], None, puzzle.region.wrap)
    points = set(map(tuple, region.units.tolist()))
    labels = {point: label for point, label in puzzle.labels.items() if point in points}
    painted = {point: paint for point, paint in puzzle.paint.units.items() if point in points}
    return replace(
        puzzle,
        name=name or puzzle.name,
        region=region,
        open_rules=(),
        labels=labels,
        paint=replace(puzzle.paint, units=painted),
        aliases=(),
        known=(),
    )


def _require_plain(puzzle: Puzzle) -> None:
    """Raise PuzzleError if a puzzle has rules that boards do not support."""
    if any(rule.places for rule in puzzle.use_rules):
        raise PuzzleError(
            f"{puzzle.name} has a rule `use` with places, which boards do not support: leave it "
            "out."
        )
