"""Silhouettes: the unions of pieces that transformations of solutions move, up to congruence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from exactile.geometry.isometry import aspects
from exactile.geometry.lattice import Point
from exactile.search.limits import Limits
from exactile.surveys.classes.isometries import require_no_mirror
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Kind, Transformation

MOST_HALVED = 12
"""Largest number of pieces for which splits into congruent halves are tried; more take too long."""


@dataclass
class Silhouette:
    """A union of pieces, moved by transformations or exchanged with a congruent union.

    `kind`: the kind of the transformations. `points`: the canonical form of the union. `example`:
    options of some solution that form it; for an exchange, those of both halves. `pieces`: number
    of times that each set of pieces forms it; the names of two halves are separated by a space.
    """

    kind: Kind
    points: tuple[Point, ...]
    example: tuple[int, ...]
    pieces: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """The number of times that the silhouette was moved."""
        return self.pieces.total()


class Forms:
    """Computes canonical forms of the sets of units that options cover: equal for congruent sets.

    If the region wraps around, only isometries that preserve the wrap make sets congruent. Raise
    PuzzleError if the region's ends are joined with a reflection.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("tetrahexes-4x7")))
    >>> forms, row = Forms(solutions), solutions.rows[0].tolist()
    >>> len(forms.of(row[:2])), forms.names(row[:2])
    (8, 'I4J4')
    """

    def __init__(self, solutions: Solutions) -> None:
        self._solutions = solutions
        require_no_mirror(solutions.puzzle.region)
        lattice, wrap = solutions.puzzle.lattice, solutions.puzzle.region.wrap
        self._group = lattice.group if wrap is None else wrap.keepers(lattice.group)
        self._known: dict[tuple[int, ...], tuple[Point, ...]] = {}
        self._names = [piece.name for piece in solutions.puzzle.pieces]

    def of(self, options: Iterable[int]) -> tuple[Point, ...]:
        """Return the canonical form of the units that options cover."""
        key = tuple(sorted(options))
        if key not in self._known:
            region = self._solutions.puzzle.region
            period = region.lattice.period
            points = region.units[self._solutions.model.covered(np.array(key))[0]]
            if region.wrap is None:
                form = aspects(points, self._group, period)[0]
            else:
                form = region.wrap.canonical_form(points, self._group, period)
            self._known[key] = tuple(map(tuple, form.tolist()))
        return self._known[key]

    def names(self, options: Iterable[int]) -> str:
        """Return the sorted names of the options' pieces as one word, such as ``I4J4``."""
        numbers = self._solutions.model.piece_of[list(options)].tolist()
        return "".join(sorted(self._names[number] for number in numbers))

    def congruent_halves(
        self, options: Sequence[int]
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the ways to split options into two sets that cover congruent units.

        The result is empty if the number of options is odd, less than 4 or above `MOST_HALVED`.
        """
        if len(options) % 2 or not 4 <= len(options) <= MOST_HALVED:
            return []
        first, *others = options
        found = []
        for chosen in combinations(others, len(options) // 2 - 1):
            one = (first, *chosen)
            other = tuple(option for option in options if option not in one)
            if self.of(one) == self.of(other):
                found.append((one, other))
        return found


@dataclass(frozen=True)
class _Use:
    """A silhouette that one transformation moves, with the pieces and options that form it."""

    kind: Kind
    points: tuple[Point, ...]
    pieces: str
    example: tuple[int, ...]


def _uses(forms: Forms, change: Transformation) -> list[_Use]:
    """Return the silhouettes that a transformation moves.

    If it moves one block of pieces that splits into congruent halves, the result has, for each such
    split, the silhouette of one half.
    """
    halves = [change.halves] if change.halves else []
    if change.kind == Kind.BLOCK:
        halves = list(forms.congruent_halves(change.moved))
    if not halves:
        moved = change.moved
        return [_Use(change.kind, forms.of(moved), forms.names(moved), moved)]
    return [
        _Use(
            Kind.EXCHANGE,
            forms.of(one),
            " ".join(sorted([forms.names(one), forms.names(other)])),
            (*one, *other),
        )
        for one, other in halves
    ]


def _simplest(forms: Forms, changes: list[Transformation]) -> list[_Use]:
    """Return the silhouettes of one of the transformations between two solutions.

    The transformation is one that moves the fewest pieces. Of several such transformations, it is
    the one whose silhouettes come first in a fixed order, so that the order of the solutions has no
    effect.
    """
    fewest = min(len(change.moved) for change in changes)
    uses = [_uses(forms, change) for change in changes if len(change.moved) == fewest]
    return min(uses, key=lambda u: sorted((s.kind, s.points, s.pieces) for s in u))


def silhouette_table(
    solutions: Solutions, found: Iterable[Transformation], limits: Limits | None = None
) -> list[Silhouette]:
    """Return the silhouettes that transformations move, for each kind the most frequent first.

    Each pair of solutions counts once, with the transformation that moves the fewest pieces. As in
    Hansen's paper, pieces that split into two congruent sets are listed by the silhouette of one
    set, even if they move as one block. Two pieces that are rearranged are listed by their union.

    `limits`: when to stop; None for no limit. Raise TimeoutError if a limit is reached first: a
    table that counts only some of the pairs would be meaningless. Raise PuzzleError if the region's
    ends are joined with a reflection.

    Examples
    --------
    >>> import exactile
    >>> from exactile.surveys.classes.transformations import transformations
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    >>> table = silhouette_table(solutions, transformations(solutions))
    >>> [(silhouette.count, dict(silhouette.pieces)) for silhouette in table[:2]]
    [(74, {'LU': 74}), (49, {'NZ': 41, 'PT': 8})]
    """
    forms = Forms(solutions)
    between: dict[tuple[int, int], list[Transformation]] = {}
    for change in found:
        between.setdefault((change.first, change.second), []).append(change)
    silhouettes: dict[tuple[Kind, tuple[Point, ...]], Silhouette] = {}
    limits = limits or Limits()
    for changes in between.values():
        limits.require()
        for use in _simplest(forms, changes):
            mine = Silhouette(use.kind, use.points, use.example)
            silhouettes.setdefault((use.kind, use.points), mine).pieces[use.pieces] += 1
    return sorted(silhouettes.values(), key=lambda s: (s.kind, -s.count, len(s.points), s.points))
