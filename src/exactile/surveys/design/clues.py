"""Clues of a puzzle: given placements, units that stay open, or the piece that covers a unit.

A clue is a number: first come the options of the model, then the units that stay open, then the
pairs of a piece and a unit that shows its color. A solution is a row of clues, padded with -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from exactile.backends.base import Left, Prefix
from exactile.backends.dlx import DlxBackend
from exactile.geometry.lattice import Point
from exactile.model.decoder import PlacementIndex
from exactile.model.lower import placements
from exactile.model.model import Longs
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Placement, Puzzle
from exactile.puzzle.rules import OpenRule, UseRule
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search

Clues = tuple[int, ...]
"""A set of clues, in increasing order."""

BY_NODES = DlxBackend(nodes=20_000)
"""The native search, with batches that end after a number of nodes instead of seconds.

This way, equal seeds give equal challenges.
"""


class GivenUpError(Exception):
    """A search has taken too many nodes or steps."""


class Language:
    """The clues that are possible in a puzzle, and their meaning: placements, units and colors.

    `case`: the puzzle with its model. `colored`: whether the color of a unit can be a clue.

    Examples
    --------
    >>> import exactile
    >>> language = Language(Case(exactile.load("tetrahexes-4x7")))
    >>> solution = language.some(2)[0]
    >>> len(solution), language.challenge(solution[:2]).fixed[0].piece
    (7, 'I4')
    """

    def __init__(self, case: Case, *, colored: bool = False) -> None:
        self.colored = colored  # whether units show the colors of pieces
        self.case, self.puzzle, self.model = case, case.puzzle, case.model
        self._given = set(
            PlacementIndex(self.puzzle, self.model).options(self.puzzle.fixed)
            if self.puzzle.fixed
            else ()
        )

    def clues(self, rows: Assignments) -> Assignments:
        """Return, for each solution, a row with all clues that hold in it; -1 fills the gaps.

        The puzzle's fixed placements are not clues. `rows`: the options of each solution, padded
        with -1.
        """
        said = np.append(self.model.places, False)
        said[[*self._given]] = False
        placed = np.where(said[rows], rows, -1)
        # Units that stay open are clues, too: other solutions may have all of these placements.
        columns = [placed, self._open(rows)]
        if self.colored:
            columns.append(self._colors(rows))
        return np.concatenate(columns, axis=1).astype(np.int32)

    def _open(self, rows: Assignments) -> Longs:
        """Return, for each solution and optional unit, the clue that the unit stays open.

        The entry is -1 if the unit is covered.
        """
        options = self.model.options
        optional = np.flatnonzero(self.puzzle.region.optional)
        covers = np.zeros((options + 1, len(optional)), dtype=bool)
        for column, unit in enumerate(optional.tolist()):
            covers[self.covering(unit), column] = True
        covered = np.zeros((len(rows), len(optional)), dtype=bool)
        for own in rows.T:
            covered |= covers[own]
        return np.where(covered, -1, options + optional)

    def _colors(self, rows: Assignments) -> Longs:
        """Return, for each solution and unit, the clue that shows which piece covers the unit.

        The entry is -1 if the unit is optional or covered by a fixed placement of the puzzle.
        """
        units = len(self.puzzle.region)
        on = np.full((self.model.options + 1, units), -1, dtype=np.int64)
        for unit in np.flatnonzero(~self.puzzle.region.optional).tolist():
            covering = self.covering(unit)
            kinds = self.model.piece_of[covering]
            on[covering, unit] = self.model.options + units + kinds * units + unit
        on[[*self._given]] = -1
        found = np.full((len(rows), units), -1, dtype=np.int64)
        for own in rows.T:
            found = np.maximum(found, on[own])
        return found

    @property
    def size(self) -> int:
        """An upper bound of the clues: each is a number below it."""
        units = len(self.puzzle.region)
        return self.model.options + units + len(self.puzzle.pieces) * units * self.colored

    def color(self, clue: int) -> tuple[int, int] | None:
        """Return the numbers of the piece and the unit of a clue about a color.

        The result is None if the clue is of another kind.
        """
        units = len(self.puzzle.region)
        number = clue - self.model.options - units
        return divmod(number, units) if number >= 0 else None

    def covering(self, unit: int) -> Longs:
        """Return the options that place a piece on a unit."""
        options = self.model.options_with(self.model.meaning.item_of(unit))
        return options[self.model.places[options]]

    def is_piece(self, clue: int) -> bool:
        """Return whether a clue gives a placement."""
        return clue < self.model.options

    def placements(self, clues: Iterable[int]) -> tuple[Placement, ...]:
        """Return the placements that some clues give; other clues are ignored."""
        found = (self.case.decoder.placement(clue) for clue in clues if self.is_piece(clue))
        return tuple(placement for placement in found if placement is not None)

    def open_units(self, clues: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of the units that stay open according to some clues."""
        first, units = self.model.options, len(self.puzzle.region)
        return tuple(clue - first for clue in clues if first <= clue < first + units)

    def colors(self, clues: Iterable[int]) -> tuple[tuple[str, Point], ...]:
        """Return, for each clue about a color, the name of the piece and the colored unit."""
        found = filter(None, map(self.color, clues))
        points = list(map(tuple, self.puzzle.region.units.tolist()))
        return tuple((self.puzzle.pieces[piece].name, points[unit]) for piece, unit in found)

    def challenge(self, clues: Sequence[int]) -> Puzzle:
        """Return the puzzle with the given clues."""
        units = self.puzzle.region.units[list(self.open_units(clues))].tolist()
        return with_clues(
            self.puzzle, self.placements(clues), map(tuple, units), self.colors(clues)
        )

    def below(self, clues: Iterable[int]) -> Left:
        """Return the part of the search that finds the solutions in which the given clues hold."""
        clues = list(clues)
        # Exclusions come first: an option that a placement rules out cannot be excluded again.
        path = {~option: None for unit in self.open_units(clues) for option in self.covering(unit)}
        for piece, unit in filter(None, map(self.color, clues)):
            covering = self.covering(unit)
            path |= {~option: None for option in covering[self.model.piece_of[covering] != piece]}
        path |= {clue: None for clue in clues if self.is_piece(clue)}
        return Left([Prefix(tuple(map(int, path)), 1.0)], [], self.case.digest)

    def some(
        self,
        number: int | None,
        clues: Iterable[int] = (),
        limits: Limits | None = None,
        nodes: int | None = None,
    ) -> list[Clues]:
        """Return at most `number` solutions in which the given clues hold; all if `number` is None.

        Raise TimeoutError if a limit is reached first, and GivenUpError if the search takes more
        than `nodes` nodes. `limits`, `nodes`: None for no limit.
        """
        limits = (limits or Limits()).rest(number)
        found: list[Clues] = []
        left = self.below(clues)
        with Search(self.case, left=left, limits=limits, backend=BY_NODES) as search:
            for rows in search.batches():
                found += self.solutions(rows)
                if nodes is not None and (search.counters.get("nodes") or 0) > nodes:
                    raise GivenUpError
        if not search.status.final and (number is None or search.found < number):
            raise TimeoutError(search.stopped or "")
        return found

    def solutions(self, rows: Assignments) -> list[Clues]:
        """Return, for each solution, all clues that hold in it, sorted.

        `rows`: the options of each solution, padded with -1.
        """
        ordered = np.sort(self.clues(rows), axis=1).tolist() if len(rows) else []
        return [tuple(clue for clue in row if clue >= 0) for row in ordered]

    def least_image(self, clues: Sequence[int]) -> Clues:
        """Return the least image of a set of clues under the symmetries of the puzzle.

        It is the same for sets of clues that are equal up to symmetry.
        """
        options = np.array([clue for clue in clues if self.is_piece(clue)], dtype=np.int64)
        units = np.array(self.open_units(clues), dtype=np.int64)
        colors = np.array([*filter(None, map(self.color, clues))], dtype=np.int64).reshape(-1, 2)
        return min(self._images(options, units, colors))

    def _images(self, options: Longs, units: Longs, colors: Longs) -> Iterator[Clues]:
        action, number, size = self.case.action, self.model.options, len(self.puzzle.region)
        for element, symmetry in enumerate(self.case.symmetries):
            images = action.images(element, options).tolist() if len(options) else []
            shown = symmetry.pieces[colors[:, 0]] * size + symmetry.units[colors[:, 1]]
            opened = number + symmetry.units[units]
            yield tuple(sorted([*images, *opened.tolist(), *(number + size + shown).tolist()]))


def with_clues(
    puzzle: Puzzle,
    placements: Iterable[Placement] = (),
    open_units: Iterable[Point] = (),
    colors: Iterable[tuple[str, Point]] = (),
    name: str = "",
    title: str = "",
) -> Puzzle:
    """Return a puzzle with clues: given placements, units that stay open, and colors of units.

    `colors`: pairs of a piece's name and a unit that this piece must cover; the unit gets the
    piece's name as its label. `name`: name of the result; by default, that of the puzzle. `title`:
    title of the result; none by default. Aliases and known numbers of solutions are dropped.

    Raise PuzzleError if the clues do not fit the puzzle or contradict each other in an obvious way.
    """
    shown = list(colors)
    return replace(
        puzzle,
        name=name or puzzle.name,
        title=title,
        aliases=(),
        known=(),
        fixed=(*puzzle.fixed, *placements),
        open_rules=(*puzzle.open_rules, *(OpenRule((unit,), 1, 1) for unit in open_units)),
        use_rules=(
            *puzzle.use_rules,
            *(UseRule((piece,), 1, None, _places_on(puzzle, piece, unit)) for piece, unit in shown),
        ),
        labels={**puzzle.labels, **{unit: piece for piece, unit in shown}},
    )


def _places_on(puzzle: Puzzle, name: str, unit: Point) -> tuple[tuple[Point, ...], ...]:
    """Return all placements of a piece that cover a unit; each is a tuple of units."""
    rows = placements(puzzle.piece(name), puzzle.region, puzzle.paint)
    number = int(puzzle.region.index(np.array([unit], dtype=np.int64))[0])
    points = puzzle.region.units[rows[(rows == number).any(axis=1)]]
    return tuple(tuple(map(tuple, place)) for place in points.tolist())
