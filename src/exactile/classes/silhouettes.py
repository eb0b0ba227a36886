"""The silhouettes of what is moved, and which sets of pieces make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from exactile.classes.solutions import Solutions
from exactile.classes.transformations import Kind, Transformation
from exactile.geometry.isometry import aspects
from exactile.geometry.lattice import Point

MOST_HALVED = 12
"""Larger sets of pieces are not tried for being two congruent ones: there are too many halves."""


@dataclass
class Silhouette:
    """A silhouette that was moved, or two of which were exchanged.

    Attributes
    ----------
    kind
        What was done with it.
    points
        Its canonical form.
    example
        Options that make it, from some solution; for exchanges those of both halves.
    pieces
        How often it was made of which pieces; those of two halves are separated by a space.
    """

    kind: Kind
    points: tuple[Point, ...]
    example: tuple[int, ...]
    pieces: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """How often it was moved."""
        return self.pieces.total()


class Forms:
    """The canonical forms of sets of options: equal if the units they cover are congruent.

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
        self._known: dict[tuple[int, ...], tuple[Point, ...]] = {}
        self._names = [piece.name for piece in solutions.puzzle.pieces]

    def of(self, options: Iterable[int]) -> tuple[Point, ...]:
        """Return the canonical form of the units that options cover."""
        key = tuple(sorted(options))
        if key not in self._known:
            lattice = self._solutions.puzzle.lattice
            units = [unit for option in key for unit in self._solutions.units_of(option)]
            form = aspects(
                self._solutions.puzzle.region.units[units], lattice.group, lattice.period
            )[0]
            self._known[key] = tuple(map(tuple, form.tolist()))
        return self._known[key]

    def names(self, options: Iterable[int]) -> str:
        """Return the names of the options' pieces in the order of the alphabet, in one word."""
        numbers = [k for option in options for k in self._solutions.pieces_of(option)]
        return "".join(sorted(self._names[number] for number in numbers))

    def congruent_halves(
        self, options: Sequence[int]
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the ways to split options into two sets that are congruent."""
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


def simplest(found: Iterable[Transformation]) -> list[Transformation]:
    """Return one transformation between any two solutions: of those that move fewest the first."""
    best: dict[tuple[int, int], Transformation] = {}
    for change in found:
        place = (change.first, change.second)
        if place not in best or len(change.moved) < len(best[place].moved):
            best[place] = change
    return list(best.values())


def silhouette_table(solutions: Solutions, found: Iterable[Transformation]) -> list[Silhouette]:
    """Return the silhouettes that transformations move, for each kind the most frequent first.

    Each pair of solutions counts once, with the transformation that moves the fewest pieces. As in
    Hansen's paper, what splits into two congruent sets is listed by the silhouette of these, even
    if it is moved as one block; and pairs that are neither are listed by their union.

    Examples
    --------
    >>> import exactile
    >>> from exactile.classes.transformations import transformations
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    >>> table = silhouette_table(solutions, transformations(solutions))
    >>> [(silhouette.count, dict(silhouette.pieces)) for silhouette in table[:2]]
    [(74, {'LU': 74}), (49, {'NZ': 41, 'PT': 8})]
    """
    forms = Forms(solutions)
    silhouettes: dict[tuple[Kind, tuple[Point, ...]], Silhouette] = {}

    def note(kind: Kind, options: Sequence[int], example: Sequence[int], names: str) -> None:
        key = (kind, forms.of(options))
        silhouettes.setdefault(key, Silhouette(kind, key[1], tuple(example))).pieces[names] += 1

    for change in simplest(found):
        halves = [change.halves] if change.halves else []
        if change.kind == Kind.BLOCK:
            halves = list(forms.congruent_halves(change.moved))
        for one, other in halves:
            words = sorted([forms.names(one), forms.names(other)])
            note(Kind.EXCHANGE, one, (*one, *other), " ".join(words))
        if not halves:
            note(change.kind, change.moved, change.moved, forms.names(change.moved))
    return sorted(silhouettes.values(), key=lambda s: (s.kind, -s.count, len(s.points), s.points))
