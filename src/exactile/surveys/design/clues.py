"""Clues of a puzzle: placements that are given, units that are said to stay open.

A clue is a number: below the number of options it is the option that is given, otherwise, beyond
it, the unit that stays open. A solution is a row of such numbers, padded with -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from exactile.backends.base import Left, Prefix
from exactile.model.decoder import PlacementIndex
from exactile.model.model import Longs
from exactile.model.orbits import Assignments
from exactile.puzzle.number_rules import OpenRule
from exactile.puzzle.puzzle import Placement, Puzzle
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search

Clues = tuple[int, ...]
"""Some clues, sorted."""


class GivenUpError(Exception):
    """A search has too many nodes."""


class Language:
    """What can be said about the solutions of a puzzle, and what follows from it.

    Examples
    --------
    >>> import exactile
    >>> language = Language(Case(exactile.load("tetrahexes-4x7")))
    >>> solution = language.some(2)[0]
    >>> len(solution), language.challenge(solution[:2]).fixed[0].piece
    (7, 'I4')
    """

    def __init__(self, case: Case) -> None:
        self.case, self.puzzle, self.model = case, case.puzzle, case.model
        self._given = set(
            PlacementIndex(self.puzzle, self.model).options(self.puzzle.fixed)
            if self.puzzle.fixed
            else ()
        )

    def clues(self, rows: Assignments) -> Assignments:
        """Return solutions of the model as rows of clues."""
        options = self.model.options
        said = np.append(self.model.places, False)
        said[[*self._given]] = False
        placed = np.where(said[rows], rows, -1)
        optional = np.flatnonzero(self.puzzle.region.optional)
        if not len(optional):
            return placed.astype(np.int32)
        covers = np.zeros((options + 1, len(optional)), dtype=bool)
        for column, unit in enumerate(optional.tolist()):
            covers[self.covering(unit), column] = True
        covered = np.zeros((len(rows), len(optional)), dtype=bool)
        for own in rows.T:
            covered |= covers[own]
        units = np.where(covered, -1, options + optional)
        return np.concatenate([placed, units], axis=1).astype(np.int32)

    def covering(self, unit: int) -> Longs:
        """Return the options that place a piece on a unit."""
        options = self.model.options_with(self.model.meaning.item_of(unit))
        return options[self.model.places[options]]

    def is_piece(self, clue: int) -> bool:
        """Return whether a clue gives a placement."""
        return clue < self.model.options

    def placements(self, clues: Iterable[int]) -> tuple[Placement, ...]:
        """Return the placements that are given."""
        found = (self.case.decoder.placement(clue) for clue in clues if self.is_piece(clue))
        return tuple(placement for placement in found if placement is not None)

    def open_units(self, clues: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of the units that are said to stay open."""
        return tuple(clue - self.model.options for clue in clues if not self.is_piece(clue))

    def challenge(self, clues: Sequence[int], name: str = "", title: str = "") -> Puzzle:
        """Return the puzzle with clues."""
        units = self.puzzle.region.units[list(self.open_units(clues))].tolist()
        said = tuple(OpenRule((tuple(unit),), 1, 1) for unit in units)
        return replace(
            self.puzzle,
            name=name or self.puzzle.name,
            title=title,
            aliases=(),
            known=(),
            fixed=(*self.puzzle.fixed, *self.placements(clues)),
            open_rules=(*self.puzzle.open_rules, *said),
        )

    def below(self, clues: Iterable[int]) -> Left:
        """Return the part of the search in which clues hold."""
        clues = list(clues)
        # Exclusions come first: what a placement rules out cannot be excluded again.
        path = {~option: None for unit in self.open_units(clues) for option in self.covering(unit)}
        path |= {clue: None for clue in clues if self.is_piece(clue)}
        return Left([Prefix(tuple(map(int, path)), 1.0)], [], self.case.digest)

    def some(
        self,
        number: int | None,
        clues: Iterable[int] = (),
        limits: Limits | None = None,
        nodes: int | None = None,
    ) -> list[Clues]:
        """Return up to a number of solutions with some clues.

        Raise TimeoutError if a limit is reached before all are known, GivenUpError after `nodes`.
        """
        limits = (limits or Limits()).rest(number)
        found: list[Clues] = []
        with Search(self.case, left=self.below(clues), limits=limits) as search:
            for rows in search.batches():
                found += self.solutions(rows)
                if nodes is not None and (search.counters.get("nodes") or 0) > nodes:
                    raise GivenUpError
        if not search.status.final and (number is None or search.found < number):
            raise TimeoutError(search.stopped or "")
        return found

    def solutions(self, rows: Assignments) -> list[Clues]:
        """Return solutions of the model, each as sorted clues."""
        ordered = np.sort(self.clues(rows), axis=1).tolist() if len(rows) else []
        return [tuple(clue for clue in row if clue >= 0) for row in ordered]

    @cached_property
    def _units(self) -> list[Longs]:
        """The image of every unit under each symmetry."""
        return [symmetry.units for symmetry in self.case.symmetries]

    def least_image(self, clues: Sequence[int]) -> Clues:
        """Return what clues that are equal up to symmetry have in common: their least image."""
        options = np.array([clue for clue in clues if self.is_piece(clue)], dtype=np.int64)
        units = np.array(self.open_units(clues), dtype=np.int64)
        return min(self._images(options, units))

    def _images(self, options: Longs, units: Longs) -> Iterator[Clues]:
        action, number = self.case.action, self.model.options
        for element, own in enumerate(self._units):
            images = action.images(element, options).tolist() if len(options) else []
            yield tuple(sorted([*images, *(number + own[units]).tolist()]))
