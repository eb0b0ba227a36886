"""The one complete statement of a puzzle, in canonical form: its identity.

A statement contains everything that solutions depend on, and nothing else. Two puzzles are equal
if their statements are. They then have the same solutions, in the same form, and the same models,
option for option: a count, a certificate, or an interrupted search is valid for both.

A statement contains: the lattice, by name; the units of the region that must be covered and those
that may stay uncovered; the wrap; the pieces, by name and in the order in which answers list them;
how often each may be used; fixed placements; pieces that may be left out; whether pieces may cross;
rules about colors, open units and used pieces, in the order of the model's items; and paint, with
the names of paints, because the order of options depends on them.

A statement does not contain: the name of the puzzle and remarks about it; labels; which pieces
disassembly leaves together; how pieces were turned and moved when they were written down; a freedom
that gives no more orientations than a smaller one; the order of units and of fixed placements;
which translations generate the wrap; names of the colors of rules; a crossing rule where nothing
can cross. Puzzles with different statements may still have the same solutions, for deeper reasons.

In a JSON document, units are points of the lattice; `docs/certificates.md` explains the keys.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

import msgspec
import numpy as np

from exactile.errors import ExactileError, PuzzleError
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Point
from exactile.geometry.wrap import Wrap
from exactile.puzzle.paint import Paint, oriented
from exactile.puzzle.pieces.piece import Freedom, Piece, motions_of
from exactile.puzzle.puzzle import Omission, Placement, Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.rules import ColorRule, OpenRule, RuleKind, UseRule

LARGEST = 2**31
"""Numbers in a statement must be less than this: larger coordinates could overflow 64 bits."""


class StatedPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece in the statement of a puzzle."""

    name: str
    units: tuple[Point, ...]  # its first orientation in lexicographic order, at the origin
    freedom: str  # the least freedom that gives all of its orientations
    # lower, upper: how often it must and may be used
    lower: int
    upper: int
    # The paint of each unit, None where there is none; empty if no unit has any
    paint: tuple[str | None, ...] = ()


class StatedRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule for the pieces of one color: see `exactile.puzzle.rules.ColorRule`."""

    kind: RuleKind
    pieces: tuple[str, ...]


class StatedOpen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule about open units: see `exactile.puzzle.rules.OpenRule`."""

    units: tuple[Point, ...]
    lower: int
    upper: int


class StatedUse(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule about used pieces: see `exactile.puzzle.rules.UseRule`."""

    pieces: tuple[str, ...]
    lower: int
    upper: int
    places: tuple[tuple[Point, ...], ...] = ()


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle in canonical form: everything that its solutions depend on, and nothing else."""

    lattice: str  # its name
    pieces: tuple[StatedPiece, ...]  # the pieces, congruent ones merged, in their order
    # units, optional: the units that must be covered, and those that may stay uncovered
    units: tuple[Point, ...]
    optional: tuple[Point, ...] = ()
    wrap: tuple[Point, ...] = ()  # translations that identify units, in Hermite normal form
    # Placements that every solution contains: pieces and units
    fixed: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    # may_be_omitted, omitted: pieces that may be left out, and how many of them are
    may_be_omitted: tuple[str, ...] = ()
    omitted: int = 0
    crossing: bool = False  # whether pieces must not cross at a vertex
    rules: tuple[StatedRule, ...] = ()  # each for the pieces of one color
    paint: tuple[tuple[Point, str], ...] = ()  # the paint of units of the region
    # For each paint of a piece, the paints of the region that it may lie on
    fits: tuple[tuple[str, tuple[str, ...]], ...] = ()
    # open, uses: rules about numbers of open units and of used pieces
    open: tuple[StatedOpen, ...] = ()
    uses: tuple[StatedUse, ...] = ()
    # A glide that also identifies units: the rows of its matrix, then its shift
    glide: tuple[Point, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the statement as JSON without blanks, in hexadecimal."""
        return sha256(msgspec.json.encode(self)).hexdigest()


def stated(puzzle: Puzzle) -> Statement:
    """Return the statement of a puzzle, its canonical form.

    Examples
    --------
    >>> import exactile
    >>> statement = stated(exactile.load("tetrominoes-5x4-tube"))
    >>> statement.lattice, len(statement.units), statement.wrap
    ('square', 20, ((5, 0),))
    """
    region, omission = puzzle.region, puzzle.omission
    units = [tuple(p) for p in region.units.tolist()]
    paint = puzzle.paint.units if any(puzzle.paint.pieces.values()) else {}
    there = set(paint.values())
    return Statement(
        lattice=puzzle.lattice.name,
        pieces=tuple(
            _stated_piece(piece, puzzle.paint)
            if puzzle.paint.pieces.get(piece.name)
            else _stated_unpainted(piece)
            for piece in puzzle.pieces
        ),
        units=tuple(u for u, free in zip(units, region.optional, strict=True) if not free),
        optional=tuple(u for u, free in zip(units, region.optional, strict=True) if free),
        wrap=() if region.wrap is None else region.wrap.normal_form,
        fixed=tuple((p.piece, p.units) for p in puzzle.fixed),
        may_be_omitted=tuple(p.name for p in puzzle.pieces if p.name in omission.names)
        if omission
        else (),
        omitted=omission.count if omission else 0,
        crossing=puzzle.crossing and puzzle.lattice.crossing is not None,
        rules=tuple(
            StatedRule(rule.kind, tuple(sorted(rule.pieces, key=puzzle.piece_index.__getitem__)))
            for rule in puzzle.color_rules
        ),
        paint=tuple(sorted(paint.items())),
        fits=tuple(
            (p, tuple(sorted(there & set(puzzle.paint.fits.get(p, (p,))))))
            for p in puzzle.paint.names
        ),
        open=tuple(
            StatedOpen(rule.units, rule.lower, rule.most(region)) for rule in puzzle.open_rules
        ),
        uses=tuple(
            StatedUse(
                tuple(sorted(rule.pieces, key=puzzle.piece_index.__getitem__)),
                rule.lower,
                rule.most(puzzle.pieces),
                rule.places,
            )
            for rule in puzzle.use_rules
        ),
        glide=() if region.wrap is None else region.wrap.normal_glide,
    )


@lru_cache(maxsize=4096)  # the puzzles of a catalogue share most of their pieces
def _stated_unpainted(piece: Piece) -> StatedPiece:
    return _stated_piece(piece, Paint())


def _stated_piece(piece: Piece, paint: Paint) -> StatedPiece:
    aspects, codes = paint.aspects(piece)
    return StatedPiece(
        piece.name,
        tuple(map(tuple, aspects[0].tolist())),
        _least_freedom(piece, paint).value,
        piece.lower,
        piece.upper,
        tuple((None, *paint.names)[code] for code in codes[0].tolist()) if codes.any() else (),
    )


def _least_freedom(piece: Piece, paint: Paint) -> Freedom:
    """Return the least freedom under which a piece has all of its aspects.

    For example, a square monomino is fixed, even if it was given as free.
    """
    number = len(paint.aspects(piece)[0])
    sets = paint.positions(piece)
    for freedom in (Freedom.FIXED, Freedom.ONE_SIDED):
        turns = motions_of(piece.points, piece.lattice, freedom)
        if len(oriented(*sets, turns, piece.lattice.period)[0]) == number:
            return freedom
    return Freedom.FREE


def puzzle_of(statement: Statement, name: str) -> Puzzle:
    """Return the puzzle that a statement describes, with a given name.

    Raise PuzzleError if the statement does not describe a puzzle.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrasticks-5x5")
    >>> puzzle_of(stated(puzzle), "mine") == puzzle
    True
    """
    _require_plain(statement)
    try:
        return _built(statement, name)
    except ExactileError:
        raise
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise PuzzleError(f"This does not state a puzzle: {error}.") from None


def _built(statement: Statement, name: str) -> Puzzle:
    lattice = get_lattice(statement.lattice)
    pieces = tuple(
        Piece(p.name, lattice, p.units, Freedom(p.freedom), p.lower, p.upper)
        for p in statement.pieces
    )
    units = [*statement.units, *statement.optional]
    region = Region(
        lattice,
        np.array(units, dtype=np.int64),
        np.arange(len(units)) >= len(statement.units),
        _wrap(statement),
    )
    chosen = statement.may_be_omitted
    return Puzzle(
        name,
        region,
        pieces,
        fixed=tuple(Placement(piece, units) for piece, units in statement.fixed),
        omission=Omission(chosen, statement.omitted) if chosen else None,
        crossing=statement.crossing,
        color_rules=tuple(
            ColorRule(rule.kind, f"color {number}", rule.pieces)
            for number, rule in enumerate(statement.rules, 1)
        ),
        paint=Paint(
            dict(statement.paint),
            {p.name: _painted(p) for p in statement.pieces if p.paint},
            dict(statement.fits),
        ),
        open_rules=tuple(OpenRule(r.units, r.lower, r.upper) for r in statement.open),
        use_rules=tuple(UseRule(r.pieces, r.lower, r.upper, r.places) for r in statement.uses),
    )


def _wrap(statement: Statement) -> Wrap | None:
    if not statement.wrap:
        return None
    *matrix, shift = statement.glide or (None,)
    return Wrap(statement.wrap, None if shift is None else (matrix, shift))


def _painted(piece: StatedPiece) -> dict[Point, str]:
    pairs = zip(piece.units, piece.paint, strict=True)
    return {unit: paint for unit, paint in pairs if paint is not None}


def _require_plain(statement: Statement) -> None:
    """Raise PuzzleError if a piece's name is not one printable word, or a number is too large."""
    for piece in statement.pieces:
        if not piece.name.isprintable() or " " in piece.name or not piece.name:
            raise PuzzleError(f"A piece has no plain name: {piece.name!r}.")
    points = [*statement.units, *statement.optional, *statement.wrap, *statement.glide]
    points += [unit for piece in statement.pieces for unit in piece.units]
    points += [unit for _, units in statement.fixed for unit in units]
    points += [unit for rule in statement.open for unit in rule.units]
    points += [unit for rule in statement.uses for place in rule.places for unit in place]
    points += [(p.lower, p.upper) for p in statement.pieces]
    if any(abs(c) >= LARGEST for point in points for c in point):
        raise PuzzleError("This does not state a puzzle: it has a number out of range.")
