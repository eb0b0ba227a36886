"""Solutions by unit: which placement covers each unit, and which placements touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import add

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.puzzle import Placement, as_placement, require_puzzle

OUTSIDE = -2
EMPTY = -1


def with_colors(puzzle: Puzzle, placements: Solution) -> Solution:
    """Return the placements, then further ones for uncovered cells whose color is a clue.

    Such a clue determines the piece that covers a cell, but not the placement. In a puzzle made by
    `challenge_puzzle`, a rule about used pieces demands that this piece covers the cell, and the
    cell's label is the name of the piece. An added placement consists of such cells, so that they
    are drawn in the color of the piece. If the piece can be used only once, one placement has all
    its cells.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> found = exactile.design_challenges(puzzle, given="colors").challenges[0]
    >>> shown = with_colors(exactile.challenge_puzzle(puzzle, found), ())
    >>> len(shown) <= len(found.colors) == sum(len(units) for _, units in shown)
    True
    """
    require_puzzle(puzzle)
    placed = tuple(as_placement(placement, puzzle.lattice) for placement in placements)
    covered = {unit for placement in placed for unit in placement.units}
    shown: dict[tuple[str, int], set[Point]] = {}
    for number, rule in enumerate(puzzle.use_rules):
        piece = rule.pieces[0]
        if not rule.lower or rule.pieces[1:] or not rule.places:
            continue
        common = set.intersection(*map(set, rule.places)) - covered
        if own := {unit for unit in common if puzzle.labels.get(unit) == piece}:
            shown.setdefault((piece, number * (puzzle.piece(piece).upper > 1)), set()).update(own)
            covered |= own
    cells = (Placement(piece, tuple(sorted(units))) for (piece, _), units in shown.items())
    return (*placed, *cells)


class Cover:
    """A solution, and for each unit of the region its *owner*.

    The owner is the index of the placement that covers the unit, or `EMPTY`.

    `puzzle`, `solution`: a puzzle and placements, which may leave units uncovered; PuzzleError is
    raised if a placement is not in the region.
    `colors`: the color of each placement as ``#rrggbb``; chosen automatically by default. `labels`:
    the text on each placement in an SVG drawing, possibly empty; by default the piece's name.
    `fills`: the color of each paint by its name; chosen automatically by default.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> sorted(set(Cover(puzzle, exactile.solve_one(puzzle)).owners))[-1]
    11
    """

    def __init__(
        self,
        puzzle: Puzzle,
        solution: Solution,
        colors: Sequence[str] | None = None,
        labels: Sequence[str] | None = None,
        fills: Mapping[str, str] | None = None,
    ) -> None:
        require_puzzle(puzzle)
        solution = tuple(as_placement(placement, puzzle.lattice) for placement in solution)
        self.colors = colors
        self.fills = fills
        self.labels = [p.piece for p in solution] if labels is None else labels
        self.puzzle = puzzle
        self.solution = solution
        self.region = puzzle.region
        self.lattice = puzzle.lattice
        # For each unit of the region, the number of its placement, or `EMPTY`
        self.owner = np.full(len(self.region), EMPTY, dtype=np.int64)
        units = np.array(
            [unit for placement in solution for unit in placement.units], dtype=np.int64
        )
        points = units.reshape(-1, self.lattice.dimension)
        places = self.region.index(points)
        if (places < 0).any():
            raise PuzzleError(
                f"A placement has the point {points[places < 0][0].tolist()}, which is not in the "
                f"region of {puzzle.name}."
            )
        sizes = [len(placement.units) for placement in solution]
        self.owner[places] = np.repeat(np.arange(len(solution)), sizes)

    @cached_property
    def owners(self) -> list[int]:
        """The owner of each unit of the region as a Python integer; `EMPTY` for uncovered units."""
        return list(self.owner.tolist())

    @property
    def title(self) -> str:
        """The title of the picture."""
        return self.puzzle.title or self.puzzle.name

    @cached_property
    def kinds(self) -> list[int]:
        """The type of each unit of the region at the place where the unit is drawn.

        It differs from the unit's type in `region` if the wrap reflects the place.
        """
        return list(self.lattice.types(self.region.places).tolist())

    @cached_property
    def unit_at(self) -> dict[Point, int]:
        """The index of each unit, by the place at which it is drawn; in increasing order."""
        return {tuple(place): unit for unit, place in enumerate(self.region.places.tolist())}

    def beside(self, unit: int, step: Point) -> int:
        """Return the index of the unit that is drawn at `step` from a unit; -1 if there is none.

        The wrap is disregarded: units are not beside each other across a seam.
        """
        place = map(add, self.region.places[unit].tolist(), step)
        return self.unit_at.get(tuple(place), -1)

    def unit_label(self, unit: int) -> str:
        """Return the text on a unit of the region, possibly empty."""
        labels = self.puzzle.labels
        return labels.get(tuple(self.region.units[unit].tolist()), "") if labels else ""

    def at(self, points: Points) -> npt.NDArray[np.int64]:
        """Return the owner of the unit at each point, `OUTSIDE` for points outside the region."""
        number = self.region.index(points)
        return np.where(number >= 0, self.owner[number], OUTSIDE)

    def across(self, kind: int, offset: Point) -> tuple[list[int], list[int]]:
        """Return the indices of all units of type `kind`, and the owners of the units beside them.

        The unit beside a unit is the one at `offset` from its place; if it is not in the region,
        its owner is `OUTSIDE`.
        """
        units = np.flatnonzero(np.array(self.kinds) == kind)
        return units.tolist(), self.at(self.region.places[units] + np.array(offset)).tolist()

    @cached_property
    def touching(self) -> list[set[int]]:
        """For each placement, the indices of the placements that touch it."""
        found: list[set[int]] = [set() for _ in self.solution]
        for kind, offsets in enumerate(self.lattice.neighbors):
            for offset in offsets:
                units, others = self.across(kind, offset)
                for unit, other in zip(units, others, strict=True):
                    mine = self.owners[unit]
                    if mine >= 0 and other >= 0 and mine != other:
                        found[mine].add(other)
        return found

    def center_unit(self, units: Sequence[int]) -> int:
        """Return the one of `units` that is nearest to their center.

        `units`: indices in the region.
        """
        places = self.region.places[list(units)] @ np.array(self.lattice.embedding)
        apart = np.square(places - places.mean(axis=0)).sum(axis=1).round(6)
        return units[int(np.argmin(apart))]

    @cached_property
    def parts(self) -> list[list[list[int]]]:
        """For each placement, the indices of its units, in groups that are connected in a drawing.

        A quasi-polyform may have several groups, and so may a piece across a seam of a wrapped
        region.
        """
        near, kinds, where = self.lattice.neighbors, self.kinds, list(self.unit_at)
        result = []
        for units in self.units_of:
            left = {where[unit]: unit for unit in units}
            found = []
            while left:
                part = [left.pop(next(iter(left)))]
                for unit in part:
                    for offset in near[kinds[unit]]:
                        beside = tuple(map(add, where[unit], offset))
                        if beside in left:
                            part.append(left.pop(beside))
                found.append(part)
            result.append(found)
        return result

    @cached_property
    def units_of(self) -> list[list[int]]:
        """For each placement, the indices of its units in the region, in increasing order."""
        found: list[list[int]] = [[] for _ in self.solution]
        for unit, owner in enumerate(self.owners):
            if owner >= 0:
                found[owner].append(unit)
        return found
