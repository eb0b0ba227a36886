"""Rules about the numbers of uncovered units and of used pieces, and about the colors of pieces.

Two pieces touch if a unit of one is a neighbor of a unit of the other: cells that share a side,
edges that share an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from exactile.errors import PieceError, PuzzleError, RegionError
from exactile.geometry.lattice import Point, integer_points
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.region import Region
from exactile.wanted import seen, wanted, whole

MOST = 1_000_000
"""Largest number that a rule may have as a bound."""


@dataclass(frozen=True)
class OpenRule:
    """A rule about how many of the given units stay open, that is, are covered by no piece.

    Only optional units can stay open; required ones among `units` are always covered. `upper`: None
    for no upper bound. Raise PuzzleError if there are no units, if they are not points, if the
    bounds are not integers from 0 to `MOST`, or if the lower one exceeds the upper one.

    Examples
    --------
    >>> OpenRule(((0, 0), (1, 0)), 1, 1).bounds
    'exactly 1'
    """

    units: tuple[Point, ...]  # points of the lattice
    lower: int = 0
    upper: int | None = None

    def __post_init__(self) -> None:
        points = integer_points(self.units, "The units of a rule about open units")
        if points.ndim != 2 or not points.size:
            raise RegionError("A rule about open units names no units: name at least one.")
        object.__setattr__(self, "units", tuple(map(tuple, points.tolist())))
        _check_bounds(self)

    @property
    def bounds(self) -> str:
        """The bounds in words, such as ``"exactly 1"``."""
        return bounds_in_words(self.lower, self.upper)

    def most(self, region: Region) -> int:
        """Return the largest number of the rule's units that may stay open in the region."""
        free = int(region.optional[region.index(np.array(self.units, dtype=np.int64))].sum())
        return free if self.upper is None else min(free, self.upper)


@dataclass(frozen=True)
class UseRule:
    """A rule about how many pieces of a group are used, or lie in given places.

    If a piece is used several times, each use counts. `upper`: None for no upper bound. `places`:
    the points of each place in which pieces are counted; if empty, they are counted everywhere.
    Raise PuzzleError if there are no pieces, if a place has no units, or if the bounds are
    impossible, as for `OpenRule`.

    Examples
    --------
    >>> UseRule(("L4", "T4"), 1).bounds
    'at least 1'
    >>> UseRule(("I2",), 1, 1, [[(1, 0), (0, 0)]]).places
    (((0, 0), (1, 0)),)
    """

    pieces: tuple[str, ...]  # their names
    lower: int = 0
    upper: int | None = None
    places: tuple[tuple[Point, ...], ...] = ()

    def __post_init__(self) -> None:
        names = piece_names(self.pieces, "The pieces of a group")
        if not names:
            raise PieceError("A rule about used pieces names no piece: name at least one.")
        object.__setattr__(self, "pieces", names)
        if not isinstance(self.places, Iterable):
            raise PieceError(f"The places of a rule are a list, not {seen(self.places)}.")
        object.__setattr__(self, "places", tuple(map(_as_place, self.places)))
        _check_bounds(self)

    @property
    def bounds(self) -> str:
        """The bounds in words, such as ``"at least 1"``."""
        return bounds_in_words(self.lower, self.upper)

    def most(self, pieces: Sequence[Piece]) -> int:
        """Return the largest number of uses that the rule allows, given the puzzle's pieces."""
        there = sum(piece.upper for piece in pieces if piece.name in self.pieces)
        if self.places:
            there = min(there, len(self.places))
        return there if self.upper is None else min(there, self.upper)


def piece_names(given: Any, what: str) -> tuple[str, ...]:
    """Return a list of names of pieces as a tuple; raise PieceError if it is anything else.

    `what`: the subject of the message, such as ``"The pieces of a group"``.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise PieceError(f"{what} are a list of names, not {seen(given)}.")
    return tuple(wanted(name, str, "The name of a piece", PieceError) for name in given)


def _as_place(units: Sequence[Point]) -> tuple[Point, ...]:
    points = integer_points(units, "The units of a place")
    if points.ndim != 2 or not points.size:
        raise PieceError("A rule about used pieces has a place without units: name its units.")
    return tuple(sorted(map(tuple, points.tolist())))


def _check_bounds(rule: OpenRule | UseRule) -> None:
    """Convert the bounds of a rule to integers; raise PuzzleError if they are impossible."""
    object.__setattr__(rule, "lower", whole(rule.lower, "The least number of a rule"))
    if rule.upper is not None:
        object.__setattr__(rule, "upper", whole(rule.upper, "The greatest number of a rule"))
    upper = MOST if rule.upper is None else rule.upper
    if not 0 <= rule.lower <= upper <= MOST:
        raise PuzzleError(
            f"A rule asks for {seen(rule.lower)} at least and {seen(rule.upper)} at most: give "
            f"numbers from 0 to {MOST:,}, the smaller one first."
        )


def bounds_in_words(lower: int, upper: int | None) -> str:
    """Return bounds in words; `upper` is None if there is no upper bound.

    >>> bounds_in_words(2, 2), bounds_in_words(0, 3), bounds_in_words(1, 3)
    ('exactly 2', 'at most 3', '1 to 3')
    """
    if upper is None:
        return f"at least {lower}"
    if lower == upper:
        return f"exactly {lower}"
    return f"{lower} to {upper}" if lower else f"at most {upper}"


def in_region(rule: OpenRule, region: Region) -> OpenRule | None:
    """Return a rule about open units, with its points reduced by the region's wrap and sorted.

    Units that must be covered are left out; None if no unit is left. Raise RegionError if a unit is
    not in the region or is named twice, or if too few of the units may stay open.
    """
    points = np.array(rule.units, dtype=np.int64)
    if points.shape[1] != region.lattice.dimension:
        raise RegionError(
            f"The units of a rule about open units have {points.shape[1]} coordinates each, but "
            f"the {region.lattice.name} lattice has {region.lattice.dimension}."
        )
    numbers = region.index(points)
    if (numbers < 0).any():
        where = list(points[numbers < 0][0].tolist())
        if int(region.lattice.types(np.array(where))) >= 0:
            where = list(region.lattice.coordinates(np.array([where]))[0])
        raise RegionError(f"The unit {where} of a rule about open units lies outside the region.")
    if len(set(numbers.tolist())) < len(numbers):
        raise RegionError("A rule about open units names a unit twice: name it once.")
    free = rule.most(region)
    if rule.lower > free:
        raise RegionError(
            f"A rule says that {rule.bounds} of {len(points)} units stay open, but at most {free} "
            "of these may."
        )
    ordered = region.units[np.sort(numbers[region.optional[numbers]])].tolist()
    return replace(rule, units=tuple(map(tuple, ordered))) if ordered else None


def require_names(what: str, given: Sequence[str], names: Sequence[str]) -> None:
    """Raise PieceError if a given name is not the name of a piece, or is given twice.

    `what`: the subject of the message, such as ``"A rule about used pieces"``. `names`: the names
    of the puzzle's pieces.
    """
    for name in given:
        if name not in names:
            raise PieceError(
                f"{what} names '{name}', but the puzzle has no such piece. Its pieces: "
                f"{' '.join(names)}."
            )
        if given.count(name) > 1:
            raise PieceError(f"{what} names '{name}' twice: name it once.")


def check_group(rule: UseRule, pieces: Sequence[Piece], choice: AbstractSet[str]) -> None:
    """Raise PieceError unless a rule about used pieces fits the pieces of a puzzle.

    The rule must name pieces of the puzzle, each once, and its bounds must be possible. `choice`:
    names of pieces that may be omitted.
    """
    require_names("A rule about used pieces", rule.pieces, [piece.name for piece in pieces])
    own = [piece for piece in pieces if piece.name in rule.pieces]
    required = () if rule.places else own  # with places, pieces may lie elsewhere
    least = sum(piece.lower for piece in required if piece.name not in choice)
    most = replace(rule, upper=None).most(pieces)
    if rule.lower > most or (rule.upper is not None and rule.upper < least):
        high = rule.lower > most
        bound = f"at most {most} of these can be" if high else f"at least {least} of these must be"
        where, hint = (" in places", "copies and places") if rule.places else ("", "copies")
        raise PieceError(
            f"A rule says that {rule.bounds} of {' '.join(rule.pieces)} are used{where}, but "
            f"{bound}: see their {hint}."
        )


RuleKind = Literal["separated", "joined"]

MOST_JOINED = 10
"""Largest number of joined pieces of one color. The model has items for each way to divide these
pieces into two parts, and each further piece doubles the number of ways."""


@dataclass(frozen=True)
class ColorRule:
    """A rule that the pieces of one color must not touch, or that they must be joined.

    `kind`: ``"separated"`` if no two of these pieces may touch; ``"joined"`` if they must be
    connected through pieces of the color that touch. `color`: the name of the color, which has no
    effect on solutions. `pieces`: the names of these pieces. Raise PieceError if the color is not a
    string, or the pieces are not a list of strings.

    Examples
    --------
    >>> ColorRule("joined", "red", ("C6", "F6")).text
    'red: C6 F6'
    """

    kind: RuleKind
    color: str
    pieces: tuple[str, ...]  # their names

    def __post_init__(self) -> None:
        wanted(self.color, str, "The name of a color", PieceError)
        names = piece_names(self.pieces, "The pieces of a color")
        object.__setattr__(self, "pieces", names)

    @property
    def text(self) -> str:
        """The color and the names of its pieces, such as ``"red: C6 F6"``."""
        return f"{self.color}: {' '.join(self.pieces)}"


PieceRule = TypeVar("PieceRule", "ColorRule", UseRule)


def rules_of(piece: str, rules: Iterable[ColorRule | UseRule]) -> frozenset[int]:
    """Return the indices of the rules that name a piece."""
    return frozenset(k for k, rule in enumerate(rules) if piece in rule.pieces)


def renamed(rules: Iterable[PieceRule], new_name: Mapping[str, str]) -> tuple[PieceRule, ...]:
    """Return the rules with pieces renamed; equal names in a rule become one."""
    return tuple(
        replace(rule, pieces=tuple(dict.fromkeys(new_name.get(p, p) for p in rule.pieces)))
        for rule in rules
    )


def check_names(rules: Iterable[ColorRule], names: Sequence[str]) -> None:
    """Raise PieceError unless color rules are of a known kind and name pieces, each once.

    `names`: the names of the puzzle's pieces.
    """
    for rule in rules:
        if rule.kind not in ("separated", "joined"):
            raise PieceError(f"There is no rule '{rule.kind}': write separated or joined.")
        require_names(f"{rule.kind}.{rule.color}", rule.pieces, names)


def check_joined(
    rules: Iterable[ColorRule], pieces: Mapping[str, Piece], may_be_omitted: Iterable[str]
) -> None:
    """Raise PieceError unless each piece that must be joined is used exactly once.

    Also raise it if a color has more than `MOST_JOINED` such pieces. `may_be_omitted`: names of
    pieces that may be omitted.
    """
    choice = set(may_be_omitted)
    for rule in (r for r in rules if r.kind == "joined"):
        if len(rule.pieces) > MOST_JOINED:
            raise PieceError(
                f"joined.{rule.color} has {len(rule.pieces)} pieces, which is too many: the limit "
                f"is {MOST_JOINED}."
            )
        for name in rule.pieces:
            low, high = pieces[name].lower, pieces[name].upper
            if not low == high == 1 or name in choice:
                uses = f"{low}" if low == high else f"{low} to {high}"
                why = (
                    "may be omitted"
                    if name in choice
                    else f"is used {uses} times, congruent ones taken together"
                )
                raise PieceError(
                    f"Piece '{name}' cannot be in joined.{rule.color}: it {why}. Pieces that are "
                    "joined must each be used exactly once."
                )
