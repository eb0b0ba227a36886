"""The puzzle of a certificate, written out: every unit and every piece as points, nothing by name.

A certificate carries its puzzle, so that it can be read without a catalogue. The document is JSON;
`docs/certificates.md` explains its keys.
"""

from __future__ import annotations

import msgspec
import numpy as np

from exactile.errors import CertificateError, ExactileError
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Point
from exactile.geometry.wrap import Wrap
from exactile.pieces.piece import Freedom, Piece
from exactile.puzzle.puzzle import IDENTIFIER, Omission, Placement, Puzzle
from exactile.puzzle.region import Region


class PieceStatement(msgspec.Struct, forbid_unknown_fields=True):
    """A piece: its units in one orientation, how it may be turned, how often it is used."""

    name: str
    units: tuple[Point, ...]
    freedom: str
    lower: int
    upper: int


class Statement(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle. Units are points of the lattice."""

    puzzle: str
    lattice: str
    pieces: tuple[PieceStatement, ...]
    units: tuple[Point, ...]
    optional: tuple[Point, ...] = ()
    wrap: tuple[Point, ...] = ()
    fixed: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    may_be_omitted: tuple[str, ...] = ()
    omitted: int = 0
    crossing: bool = False


LARGEST = 2**31
"""Coordinates beyond could overflow somewhere in 64 bits."""


def stated(puzzle: Puzzle) -> Statement:
    """Return the statement of a puzzle.

    Raises
    ------
    CertificateError
        If it has rules that statements have no words for: see `require_statable`.

    Examples
    --------
    >>> import exactile
    >>> statement = stated(exactile.load("tetrominoes-5x4-tube"))
    >>> statement.lattice, len(statement.units), statement.wrap
    ('square', 20, ((5, 0),))
    """
    require_statable(puzzle)
    region = puzzle.region
    units = [tuple(p) for p in region.units.tolist()]
    return Statement(
        puzzle=puzzle.name,
        lattice=puzzle.lattice.name,
        pieces=tuple(
            PieceStatement(p.name, p.units, p.freedom.value, p.lower, p.upper)
            for p in puzzle.pieces
        ),
        units=tuple(u for u, free in zip(units, region.optional, strict=True) if not free),
        optional=tuple(u for u, free in zip(units, region.optional, strict=True) if free),
        wrap=() if region.wrap is None else region.wrap.vectors,
        fixed=tuple((p.piece, p.units) for p in puzzle.fixed),
        may_be_omitted=puzzle.omission.names if puzzle.omission else (),
        omitted=puzzle.omission.count if puzzle.omission else 0,
        crossing=puzzle.crossing and puzzle.lattice.crossing is not None,
    )


def require_statable(puzzle: Puzzle) -> None:
    """Raise if a puzzle has rules about colors or paint, which certificates cannot state.

    Raises
    ------
    CertificateError
        If it has: what a certificate claimed would be about another puzzle.
    """
    rules: list[str] = list(dict.fromkeys(rule.kind for rule in puzzle.color_rules))
    rules += ["paint"] * bool(puzzle.paint)
    if rules:
        raise CertificateError(
            f"{puzzle.name} has a rule that certificates do not know yet ({', '.join(rules)}): "
            "count or prove it without a certificate."
        )


def _require_plain(statement: Statement) -> None:
    """Raise if a name could deceive, or a coordinate overflow."""
    if not IDENTIFIER.fullmatch(statement.puzzle):
        raise CertificateError(
            f"The certificate gives the puzzle no plain name: {statement.puzzle!r}."
        )
    for piece in statement.pieces:
        if not piece.name.isprintable() or " " in piece.name or not piece.name:
            raise CertificateError(f"The certificate gives a piece no plain name: {piece.name!r}.")
    points = [*statement.units, *statement.optional, *statement.wrap]
    for units in (*(p.units for p in statement.pieces), *(units for _, units in statement.fixed)):
        points += units
    numbers = [n for p in statement.pieces for n in (p.lower, p.upper)]
    if any(abs(c) >= LARGEST for point in (*points, numbers) for c in point):
        raise CertificateError("The certificate states no puzzle: it has a number out of range.")


def puzzle_of(statement: Statement) -> Puzzle:
    """Return the puzzle that a statement is about.

    Raises
    ------
    CertificateError
        If it is about none.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrasticks-5x5")
    >>> stated(puzzle_of(stated(puzzle))) == stated(puzzle)
    True
    """
    _require_plain(statement)
    try:
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
            Wrap(statement.wrap) if statement.wrap else None,
        )
        return Puzzle(
            statement.puzzle,
            region,
            pieces,
            tuple(Placement(name, units) for name, units in statement.fixed),
            Omission(statement.may_be_omitted, statement.omitted)
            if statement.may_be_omitted
            else None,
            statement.crossing,
        )
    except (ExactileError, ValueError, TypeError, IndexError) as error:
        raise CertificateError(f"The certificate states no puzzle: {error}") from None
