"""A puzzle: pieces to be placed in a region, and the rules they follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from io import IOBase
from typing import Any, NamedTuple

import numpy as np

from exactile.doors import refuse_long
from exactile.errors import PieceError, PuzzleError, RegionError
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Lattice, Point, integer_points
from exactile.puzzle.congruence import is_placement
from exactile.puzzle.paint import Paint, by_unit, check_paint, key, oriented
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.region import Region
from exactile.puzzle.rules import (
    ColorRule,
    OpenRule,
    UseRule,
    check_group,
    check_joined,
    check_names,
    in_region,
    piece_names,
    renamed,
    rules_of,
)
from exactile.wanted import seen, wanted, whole

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""Pattern of the names of puzzles in files: letters, digits, dots, underscores and hyphens."""


LONGEST_LABEL = 20
"""Largest number of characters in the label of a unit."""


class Placement(NamedTuple):
    """A piece in its place: its name and its units (points, sorted)."""

    piece: str
    units: tuple[Point, ...]


Solution = tuple[Placement, ...]
"""The placements of a solution, sorted by the puzzle's order of pieces, then by units."""


Kind = tuple[bytes, frozenset[int]]
"""A key that interchangeable pieces share: the aspects with paint as bytes, and the indices of the
rules that name the piece."""


@dataclass(frozen=True)
class Omission:
    """The rule that each solution leaves out exactly `count` of the pieces called `names`.

    Raise PieceError if `names` is a string or contains anything else, or if `count` is not an
    integer.
    """

    names: tuple[str, ...]
    count: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", piece_names(self.names, "The pieces to omit"))
        object.__setattr__(self, "count", whole(self.count, "The number to omit", PieceError))


OURS = "counted by us"
"""The source of a number that is not published, but was counted for the catalogue."""


@dataclass(frozen=True)
class Known:
    """A published number of solutions.

    Attributes
    ----------
    count
        The number.
    up_to
        How solutions are counted: ``"raw"``, or up to ``"rotation"`` or ``"symmetry"``.
    source
        Where the number was published.
    refuted
        Why the number is wrong, in words; empty if it is not known to be wrong.

    Raises
    ------
    PuzzleError
        If `count` is not an integer, `up_to` is none of the three words, or another value is not a
        string.
    """

    count: int
    up_to: str
    source: str
    refuted: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", whole(self.count, "A published number"))
        if self.up_to not in ("raw", "rotation", "symmetry"):
            raise PuzzleError(
                f"A published number is raw, or up to rotation or symmetry, not {self.up_to!r}."
            )
        wanted(self.source, str, "The source of a published number")
        wanted(self.refuted, str, "The reason against a published number")


@dataclass(frozen=True, eq=False)
class Puzzle:
    """Pieces, a region, and rules.

    Attributes
    ----------
    name
        Identifier, as in the catalogue.
    region
        The units to be covered.
    pieces
        The pieces, with the bounds of their use. Congruent pieces (equal aspects, paint, and
        rules) are interchangeable: they are merged into the first of them, and their bounds are
        added.
    fixed
        Placements that every solution contains.
    omission
        The rule that some pieces are left out, or None.
    crossing
        Whether pieces must not cross at a vertex. It has no effect on lattices of cells.
    title, aliases, known, source
        A title, other names, published numbers of solutions, and where the puzzle comes from. They
        have no effect on solutions.
    color_rules
        Rules for the pieces of one color; those about separated pieces come first.
    paint
        The paint of single units.
    together
        Groups of pieces, by name, that need not be separated from each other in disassembly.
        Congruent pieces belong to a group only if all of them do.
    open_rules
        Rules about how many of some units stay open (uncovered). Units that must be covered are
        left out of them.
    use_rules
        Rules about how many pieces of a group are used.
    labels
        Texts on units, such as ``"Jan"``, by the units' points. They have no effect on solutions.

    Raises
    ------
    PuzzleError
        If a part has a wrong type, or if the parts do not fit together.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> len(puzzle.pieces), len(puzzle.region)
    (12, 60)
    """

    name: str
    region: Region = field(repr=False)
    pieces: tuple[Piece, ...] = field(repr=False)
    fixed: tuple[Placement, ...] = field(default=(), repr=False)
    omission: Omission | None = field(default=None, repr=False)
    crossing: bool = field(default=True, repr=False)
    title: str = field(default="", repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)
    known: tuple[Known, ...] = field(default=(), repr=False)
    source: str = field(default="", repr=False)
    color_rules: tuple[ColorRule, ...] = field(default=(), repr=False)
    paint: Paint = field(default_factory=Paint, repr=False)
    together: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    open_rules: tuple[OpenRule, ...] = field(default=(), repr=False)
    use_rules: tuple[UseRule, ...] = field(default=(), repr=False)
    labels: Mapping[Point, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._check_kinds()
        if not self.pieces:
            raise PieceError("The puzzle has no pieces: it needs at least one.")
        names = [p.name for p in self.pieces]
        for name in names:
            if names.count(name) > 1:
                raise PieceError(
                    f"Two pieces are called '{name}': rename one, or write copies = {{{name} = 2}}."
                )
        for piece in self.pieces:
            if piece.lattice is not self.lattice:
                raise PieceError(
                    f"Piece {piece.name} lies on the {piece.lattice.name} lattice, "
                    f"the region on the {self.lattice.name} lattice."
                )
        self._check_omission()
        check_names(self.color_rules, names)
        for rule in self.use_rules:
            check_group(rule, self.pieces, set(self.omission.names) if self.omission else set())
        opened = (in_region(rule, self.region) for rule in self.open_rules)
        object.__setattr__(self, "open_rules", tuple(filter(None, opened)))
        for name in (name for group in self.together for name in group):
            if name not in names:
                raise PieceError(f"The pieces that stay together have no '{name}' among them.")
        on_region = by_unit(self.paint.units, self.region)
        object.__setattr__(self, "paint", replace(self.paint, units=on_region))
        check_paint(self.paint, {p.name: p for p in self.pieces}, self.region)
        self._check_turned_over()
        merged, new_name = self._merged()
        object.__setattr__(self, "pieces", merged)
        rules = sorted(self.color_rules, key=lambda rule: rule.kind, reverse=True)  # as in files
        object.__setattr__(self, "color_rules", renamed(rules, new_name))
        object.__setattr__(self, "paint", self.paint.without(new_name))
        used = renamed(self.use_rules, new_name)
        object.__setattr__(self, "use_rules", tuple(map(self._in_places, used)))
        kept = (_whole_pieces(group, names, new_name) for group in self.together)
        object.__setattr__(self, "together", tuple(filter(None, kept)))
        object.__setattr__(self, "labels", self._checked_labels())
        chosen = self.omission.names if self.omission else ()
        check_joined(self.color_rules, {p.name: p for p in merged}, chosen)
        given = map(self.in_place, self.fixed)
        fixed = [Placement(new_name.get(p.piece, p.piece), p.units) for p in given]
        object.__setattr__(self, "fixed", sorted_solution(fixed, self.piece_index))
        self._check_fixed()

    def _check_kinds(self) -> None:
        """Convert lists to tuples; raise PuzzleError if a part has the wrong type."""
        for name in ("name", "title", "source"):
            wanted(getattr(self, name), str, f"The {name} of a puzzle")
        wanted(self.region, Region, "The region of a puzzle", RegionError)
        for name, kind in PARTS.items():
            given = getattr(self, name)
            if isinstance(given, str | IOBase) or not isinstance(given, Iterable):
                raise PuzzleError(f"The {name.replace('_', ' ')} of a puzzle are not a list.")
            refuse_long(given)
            object.__setattr__(self, name, tuple(given))
            for part in getattr(self, name):
                wanted(part, kind, f"Each of the {name.replace('_', ' ')} of a puzzle")
        if self.omission is not None:
            wanted(self.omission, Omission, "The omission of a puzzle")
        wanted(self.crossing, bool, "The crossing rule of a puzzle")
        wanted(self.paint, Paint, "The paint of a puzzle")
        if not isinstance(self.labels, Mapping):
            raise PuzzleError(
                f"The labels of a puzzle are a dict of points, not {seen(self.labels)}."
            )

    def __eq__(self, other: object) -> bool:
        """Return whether the puzzles have equal digests, and therefore the same solutions."""
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: the fields, without cached values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that solutions depend on, in hexadecimal.

        The name has no effect on it. See `exactile.puzzle.statement`.

        Examples
        --------
        >>> import exactile
        >>> exactile.load("soma-cube").digest[:16]
        '392f3e10cd2b091e'
        """
        from exactile.puzzle.statement import stated  # it imports this module

        return stated(self).digest

    @property
    def lattice(self) -> Lattice:
        """The lattice of the region and the pieces."""
        return self.region.lattice

    @cached_property
    def piece_index(self) -> dict[str, int]:
        """The index of each piece in `pieces`, by its name."""
        return {piece.name: i for i, piece in enumerate(self.pieces)}

    def piece(self, name: str) -> Piece:
        """Return a piece by name.

        Raises
        ------
        PieceError
            If the puzzle has no piece of this name.
        """
        if not isinstance(name, str) or name not in self.piece_index:
            raise PieceError(
                f"The puzzle has no piece {seen(name)}. Its pieces: {' '.join(self.piece_index)}."
            )
        return self.pieces[self.piece_index[name]]

    def _in_places(self, rule: UseRule) -> UseRule:
        """Return a rule about used pieces, with its places reduced by the wrap and sorted.

        Raise PuzzleError if none of its pieces fits a place, PieceError if a place occurs twice.
        """
        found = []
        for place in rule.places:
            units = as_placement((rule.pieces[0], place), self.lattice).units
            if not any(
                is_placement(self.piece(name), units, self.region, self.paint)
                for name in rule.pieces
            ):
                where = self.lattice.coordinates(np.array(units, dtype=np.int64))
                words = " ".join(",".join(map(str, c)) for c in where)
                raise PuzzleError(
                    f"These units are not a place of {' '.join(rule.pieces)}: {words}."
                )
            found.append(self._in_order(units))
        if len(set(found)) < len(found):
            raise PieceError("A rule about used pieces names a place twice: name it once.")
        return replace(rule, places=tuple(sorted(found)))

    def in_place(self, given: Any) -> Placement:
        """Return a pair of a piece's name and its units as a placement, reduced by the wrap.

        The units are sorted. Raise PuzzleError as `as_placement` does. Whether the puzzle has such
        a placement is not checked.
        """
        piece, units = as_placement(given, self.lattice)
        return Placement(piece, self._in_order(units))

    def _in_order(self, units: tuple[Point, ...]) -> tuple[Point, ...]:
        """Return the units of a placement, reduced by the wrap and sorted."""
        points = np.array(units, dtype=np.int64)
        return as_tuples(points if self.region.wrap is None else self.region.wrap.reduce(points))

    def _checked_labels(self) -> dict[Point, str]:
        """Return the labels by the points of the region's units, in the order given.

        Raise PuzzleError if a label is empty, too long or not printable, if its point has a wrong
        number of coordinates or is not in the region, or if a unit has two different labels.
        """
        if not self.labels:
            return {}
        points = integer_points(list(self.labels), "The labeled units")
        if points.ndim != 2 or points.shape[1] != self.lattice.dimension:
            raise PuzzleError(
                f"Labels of this lattice are at points of {self.lattice.dimension} numbers."
            )
        units = self.region.index(points)
        if (units < 0).any():
            [unit] = self.lattice.coordinates(points[units < 0][:1])
            raise PuzzleError(f"The label of {list(unit)} is outside the region.")
        texts = [wanted(text, str, "A label") for text in self.labels.values()]
        for text in texts:
            if not text.isprintable() or not 1 <= len(text.strip()) <= LONGEST_LABEL:
                raise PuzzleError(
                    f"{seen(text)} is not a label: write 1 to {LONGEST_LABEL} printable characters."
                )
        found: dict[Point, str] = {}
        for unit, text in zip(map(tuple, self.region.units[units].tolist()), texts, strict=True):
            if found.setdefault(unit, text) != text:
                raise PuzzleError(
                    f"{seen(found[unit])} and {seen(text)} label the same unit: write one label "
                    "for each."
                )
        return found

    def _check_turned_over(self) -> None:
        """Raise PieceError if the wrap reflects pieces and some piece must not be reflected."""
        glide = self.region.wrap.glide if self.region.wrap is not None else None
        if glide is None:
            return
        mirror = np.array([glide.matrix])
        for piece in self.pieces:
            sets = self.paint.aspects(piece)
            if key(oriented(*sets, mirror, self.lattice.period)) != key(sets):
                raise PieceError(
                    f"Piece {piece.name} would be turned over by the wrap, which reflects, but may "
                    "not be: let it be free."
                )

    def kind(self, piece: Piece) -> Kind:
        """Return a key that pieces share if they have the same aspects, paint and rules."""
        rules: tuple[ColorRule | UseRule, ...] = (*self.color_rules, *self.use_rules)
        return key(self.paint.aspects(piece)), rules_of(piece.name, rules)

    def _merged(self) -> tuple[tuple[Piece, ...], dict[str, str]]:
        """Return the pieces after merging congruent ones, and the new name of each merged piece.

        A piece is merged into the first piece congruent to it, and gets its name. Raise PieceError
        if the rule about omitted pieces names either of the two.
        """
        found: dict[Kind, Piece] = {}
        new_name: dict[str, str] = {}
        chosen = set(self.omission.names) if self.omission else set()
        for piece in self.pieces:
            kind = self.kind(piece)
            twin = found.get(kind)
            if twin is None:
                found[kind] = piece
            elif chosen & {twin.name, piece.name}:
                raise PieceError(
                    f"Pieces {twin.name} and {piece.name} are congruent: neither can be omitted by "
                    "choice. Give them ranges instead."
                )
            else:
                found[kind] = replace(
                    twin, lower=twin.lower + piece.lower, upper=twin.upper + piece.upper
                )
                new_name[piece.name] = twin.name
        return tuple(found.values()), new_name

    def _check_omission(self) -> None:
        if self.omission is None:
            return
        names, count = self.omission.names, self.omission.count
        bounds = {p.name: (p.lower, p.upper) for p in self.pieces}
        for name in names:
            if name not in bounds:
                raise PieceError(f"Piece '{name}' cannot be omitted: the puzzle has no such piece.")
            if bounds[name] != (1, 1):
                raise PieceError(
                    f"Piece '{name}' cannot be omitted by choice: it is not used exactly once."
                )
        if len(set(names)) < len(names):
            raise PieceError(f"The pieces to omit are named twice: {' '.join(names)}.")
        if not 1 <= count <= len(names):
            raise PieceError(
                f"{count} of {len(names)} pieces cannot be omitted: choose 1 to {len(names)}."
            )

    def _check_fixed(self) -> None:
        seen: set[Point] = set()
        for piece, units in self.fixed:
            self.piece(piece)
            points = np.array(units, dtype=np.int64)
            outside = self.region.index(points) < 0
            if outside.any():
                unit = self.lattice.coordinates(points[outside][:1])[0]
                raise PuzzleError(
                    f"The fixed placement of {piece} has the unit {list(unit)} outside the region."
                )
            if seen & set(units):
                unit = self.lattice.coordinates(np.array([min(seen & set(units))]))[0]
                raise PuzzleError(f"Two fixed placements overlap in the unit {list(unit)}.")
            seen |= set(units)
            if not is_placement(self.piece(piece), units, self.region, self.paint):
                where = " ".join(",".join(map(str, c)) for c in self.lattice.coordinates(points))
                raise PuzzleError(f"These units are not a placement of piece {piece}: {where}.")
        for piece, number in Counter(p.piece for p in self.fixed).items():
            upper = self.piece(piece).upper
            if number > upper:
                raise PieceError(
                    f"Piece {piece} is fixed {number} times but used at most {upper} times: "
                    "leave out a fixed placement or write copies."
                )


def _whole_pieces(
    group: Iterable[str], names: Iterable[str], new_name: Mapping[str, str]
) -> tuple[str, ...]:
    """Return a group of pieces after merging, without those that are only partly in the group.

    A merged piece stays in the group if all pieces that were merged into it are in the group.
    `names`: the names of all pieces before merging. `new_name`: the new names of merged pieces.
    """
    inside = set(group)
    partly = {new_name.get(name, name) for name in names if name not in inside}
    return tuple(n for n in dict.fromkeys(new_name.get(n, n) for n in group) if n not in partly)


def require_puzzle(given: Puzzle) -> Puzzle:
    """Return `given` if it is a puzzle; raise PuzzleError for anything else, such as a name."""
    if isinstance(given, Puzzle):
        return given
    raise PuzzleError(f"{given!r} is not a puzzle: `exactile.load` makes one from a name or file.")


PARTS: dict[str, type] = {
    "pieces": Piece,
    "aliases": str,
    "known": Known,
    "color_rules": ColorRule,
    "fixed": tuple,
    "together": Iterable,
    "open_rules": OpenRule,
    "use_rules": UseRule,
}
"""The attributes of a puzzle that are lists, and the types of their elements."""


def as_placement(given: Any, lattice: Lattice) -> Placement:
    """Return a pair of a piece's name and its units as a placement on a lattice.

    Raise PuzzleError if `given` is not such a pair, if there are no units, or if their points have
    a wrong number of coordinates.
    """
    match given:
        case (str() as piece, units):
            points = integer_points(units, f"The units of {piece}")
        case _:
            raise PuzzleError(
                f"A placement is the name of a piece and its units, not {seen(given)}."
            )
    if not points.size:
        raise PuzzleError(f"The placement of {piece} has no units.")
    if points.ndim != 2 or points.shape[1] != lattice.dimension:
        raise PuzzleError(
            f"The units of {piece} are not points of the {lattice.name} lattice, which have "
            f"{lattice.dimension} coordinates each: is it a placement of another puzzle?"
        )
    return Placement(piece, tuple(map(tuple, points.tolist())))


def sorted_solution(placements: Iterable[Placement], piece_index: dict[str, int]) -> Solution:
    """Return placements sorted by the puzzle's order of pieces, then by units."""
    return tuple(sorted(placements, key=lambda p: (piece_index.get(p.piece, -1), p.units)))


def with_pieces(
    puzzle: Puzzle,
    pieces: tuple[Piece, ...],
    omission: Omission | None,
    use_rules: Iterable[UseRule],
) -> Puzzle:
    """Return a puzzle with only the given pieces, and its rules and paint restricted to these.

    Known counts are dropped, and so are rules that name none of the pieces. `omission`: the new
    rule about omitted pieces, if any. `use_rules`: the rules about used pieces that are kept.

    Raise PuzzleError if a fixed placement has a piece that is not given, or if a rule about used
    pieces cannot be met any more.
    """
    names = {piece.name for piece in pieces}
    colors = (
        replace(rule, pieces=tuple(name for name in rule.pieces if name in names))
        for rule in puzzle.color_rules
    )
    together = (tuple(name for name in group if name in names) for group in puzzle.together)
    return replace(
        puzzle,
        pieces=pieces,
        omission=omission,
        use_rules=_used_among(use_rules, pieces, puzzle),
        color_rules=tuple(rule for rule in colors if rule.pieces),
        paint=puzzle.paint.without({piece.name for piece in puzzle.pieces} - names),
        together=tuple(filter(None, together)),
        known=(),
    )


def _used_among(
    rules: Iterable[UseRule], pieces: Sequence[Piece], puzzle: Puzzle
) -> tuple[UseRule, ...]:
    """Return rules about used pieces, restricted to some pieces of a puzzle.

    A piece counts for a rule that names it, provided that it fits a place of the rule if the rule
    has places. A rule for which none of `pieces` counts is dropped. Raise PuzzleError if the lower
    bound of such a rule is not 0.
    """
    found = []
    for rule in rules:
        own = [piece for piece in pieces if piece.name in rule.pieces]
        places = tuple(
            place
            for place in rule.places
            if any(is_placement(piece, place, puzzle.region, puzzle.paint) for piece in own)
        )
        if rule.lower and not (places if rule.places else own):
            what = (
                "lie in some places, but no piece is left that does"
                if rule.places
                else "are used, but none of them is left"
            )
            raise PuzzleError(
                f"{puzzle.name} has a rule that {rule.bounds} of {' '.join(rule.pieces)} {what}: "
                "keep one."
            )
        if own and (places or not rule.places):
            found.append(replace(rule, pieces=tuple(p.name for p in own), places=places))
    return tuple(found)
