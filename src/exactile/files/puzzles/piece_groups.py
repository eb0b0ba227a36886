"""Pieces of puzzle files: named sets, whole orders, or lists of cells; and their uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from operator import add

import numpy as np

from exactile.errors import FileError, PieceError, suggestion
from exactile.files.puzzles.drawing import parse_drawing
from exactile.files.puzzles.piece_text import piece_tables
from exactile.files.puzzles.structure import ChoiceTable, PieceTable, Range, Units
from exactile.files.puzzles.units import parse_units
from exactile.files.sources import Place
from exactile.geometry.isometry import Points, as_tuples
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Omission, Region
from exactile.puzzle.pieces.choice import is_chosen
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom
from exactile.puzzle.pieces.sets import PieceSet, order_set, piece_set

Bounds = tuple[int, int]

WITHOUT_LIMIT = 1_000_000
"""Largest number of uses that a file can state: the upper bound of ``"3.."`` until the region is
known.
"""


def read_pieces(
    groups: str | PieceTable | list[PieceTable | str], lattice: Lattice, place: Place
) -> tuple[tuple[Piece, ...], Omission | None]:
    """Return the pieces of all groups, and the omission, if there is one.

    A text is a short form of groups: see `exactile.files.puzzles.piece_text`. Raise FileError or
    PieceError if a group is wrong; the message names the place in the file.

    >>> from exactile.geometry import get_lattice
    >>> table = PieceTable(set="pentominoes", only=["Y", "X"], copies={"Y": 9})
    >>> pieces, _ = read_pieces(table, get_lattice("square"), Place("my.toml", "pieces"))
    >>> [(p.name, p.upper) for p in pieces]
    [('X', 1), ('Y', 9)]
    """
    placed = (
        [(group, Place(place.file, f"{place.key}[{i}]")) for i, group in enumerate(groups)]
        if isinstance(groups, list)
        else [(groups, place)]
    )
    pieces: list[Piece] = []
    omission: Omission | None = None
    for group, where in placed:
        with where.errors():
            if isinstance(group, str):
                pieces += _merged(group, lattice, where)
                continue
            pieces += _group(group, lattice, where)
            if group.choose_omitted is not None:
                if omission is not None:
                    raise FileError("choose_omitted can be in one group only.")
                omission = _omission(group.choose_omitted)
    if omission is not None:
        with place.errors():
            _require_names(omission.names, [p.name for p in pieces], "choose_omitted")
    return tuple(pieces), omission


def limited(pieces: Iterable[Piece], region: Region) -> tuple[Piece, ...]:
    """Return pieces; those without an upper bound get one from the size of the region."""
    return tuple(
        replace(p, upper=max(p.lower, len(region) // p.order, 1)) if p.upper == WITHOUT_LIMIT else p
        for p in pieces
    )


def _merged(text: str, lattice: Lattice, place: Place) -> tuple[Piece, ...]:
    """Return the pieces of a text; uses of a piece that occurs twice add up."""
    merged: dict[Piece, tuple[int, int]] = {}
    with place.errors():
        for group in piece_tables(text, lattice):
            for piece in _group(group, lattice, place):
                alike = replace(piece, lower=0, upper=1)
                least, most = merged.get(alike, (0, 0))
                merged[alike] = least + piece.lower, most + piece.upper
    return tuple(replace(piece, lower=a, upper=b) for piece, (a, b) in merged.items())


def _omission(choice: list[str] | ChoiceTable) -> Omission:
    if isinstance(choice, ChoiceTable):
        return Omission(tuple(choice.names), choice.count)
    return Omission(tuple(choice), 1)


def _group(group: PieceTable, lattice: Lattice, place: Place) -> list[Piece]:
    source = _source(group, lattice, place)
    names = _chosen(group, source)
    bounds = _bounds(group, names)
    freedom = source.freedom if group.freedom is None else Freedom(group.freedom)
    return [
        _piece(name, lattice, as_tuples(source.pieces[name]), freedom, *bounds[name])
        for name in names
    ]


# Puzzles share pieces, so that the aspects of each are computed once.
_piece = lru_cache(maxsize=10_000)(Piece)


def _source(group: PieceTable, lattice: Lattice, place: Place) -> PieceSet:
    """Return the set, the orders or the own pieces of a group."""
    bases = [key for key in ("set", "orders", "cells") if getattr(group, key) is not None]
    if len(bases) != 1:
        found = f"not {' and '.join(bases)} together" if bases else "not none"
        raise FileError(
            f"pieces come from exactly one of set, orders and cells, {found}; "
            "several groups are written as a list of tables."
        )
    if group.set is not None:
        if group.quasi:
            raise FileError(f'instead of quasi write set = "quasi-{group.set}".')
        with (place / "set").errors():
            return piece_set(group.set, lattice)
    if group.orders is not None:
        return order_set(lattice, group.orders, quasi=group.quasi)
    own = group.cells or {}
    pieces = {}
    for name, cells in own.items():
        with (place / f"cells.{name}").errors():
            pieces[name] = _own_piece(name, cells, lattice, quasi=group.quasi)
    return PieceSet(lattice, pieces, customary_freedom(lattice))


def _own_piece(name: str, cells: Units, lattice: Lattice, *, quasi: bool) -> Points:
    if isinstance(cells, str) and set(cells) & set("#+"):
        required, optional = parse_drawing(cells, lattice)
        if optional:
            raise PieceError(f"Piece {name} cannot have optional units: write # instead of +.")
        points = lattice.points(required)
    elif isinstance(cells, str) and cells.strip() and not any(map(str.isdigit, cells)):
        raise PieceError(
            f"Piece {name} is neither drawn nor listed: in a drawing write # for each of its "
            "cells, else write units such as 0,0 1,0."
        )
    else:
        points = lattice.points(parse_units(cells))
    if not len(points):
        raise PieceError(f"Piece {name} has no units: write at least one.")
    loose = disconnected(points, lattice, quasi=quasi)
    if loose is not None:
        first, other = (list(c) for c in lattice.coordinates(np.array([points[0], loose])))
        hint = "" if quasi else ", or write quasi = true to allow gaps of one unit"
        raise PieceError(
            f"Piece {name} is not connected: {first} and {other} are apart. Join them{hint}."
        )
    return points


def disconnected(points: Points, lattice: Lattice, *, quasi: bool) -> Points | None:
    """Return a unit that is not joined to the first one, None if there is none."""
    steps = lattice.quasi_neighbors() if quasi else lattice.neighbors
    units = [tuple(p) for p in points.tolist()]
    apart = dict(zip(units, lattice.types(points).tolist(), strict=True))
    reached = [(units[0], apart.pop(units[0]))]
    while reached and apart:
        unit, kind = reached.pop()
        for step in steps[kind]:
            other = tuple(map(add, unit, step))
            if other in apart:
                reached.append((other, apart.pop(other)))
    return next((np.array(u) for u in units if u in apart), None)


def _chosen(group: PieceTable, source: PieceSet) -> list[str]:
    """Return the names of the pieces that a group keeps, in the order of the set."""
    known = list(source.pieces)
    if group.only is not None and group.omit:
        raise FileError("only and omit exclude each other: write one of them.")
    _require_names(group.omit, known, "omit")
    _require_names(group.only or [], known, "only")
    kept = [n for n in known if n not in group.omit and (group.only is None or n in group.only)]
    holes, symmetric = group.holes, group.symmetric
    kept = [
        name
        for name in kept
        if is_chosen(source.pieces[name], source.lattice, holes=holes, symmetric=symmetric)
    ]
    if not kept:
        raise PieceError("No piece is left: the group needs at least one.")
    return kept


def listed(names: Iterable[str], limit: int = 40) -> str:
    """Return names for a message, shortened if they are many.

    >>> listed("FILN", limit=2)
    'F I ... (4 in all)'
    """
    names = list(names)
    more = f" ... ({len(names)} in all)" if len(names) > limit else ""
    return " ".join(names[:limit]) + more


def _require_names(names: Iterable[str], known: list[str], key: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name not in known:
            raise PieceError(
                f"There is no piece '{name}' for {key}.{suggestion(name, known)} "
                f"The pieces: {listed(known)}."
            )
        if name in seen:
            raise PieceError(f"Piece '{name}' occurs twice in {key}: write it once.")
        seen.add(name)


def _bounds(group: PieceTable, names: list[str]) -> dict[str, Bounds]:
    """Return the least and greatest number of uses of each piece."""
    copies = group.copies
    if isinstance(copies, int):
        copies = dict.fromkeys(names, copies)
    ranges = group.ranges
    if not isinstance(ranges, dict):
        ranges = dict.fromkeys(names, ranges)
    _require_names(copies, names, "copies")
    _require_names(ranges, names, "ranges")
    both = sorted(set(copies) & set(ranges))
    if both:
        raise PieceError(f"Piece '{both[0]}' has both copies and a range: write one of them.")
    result = dict.fromkeys(names, (1, 1))
    result |= {name: (number, number) for name, number in copies.items()}
    result |= {name: _parse_range(name, text) for name, text in ranges.items()}
    return result


def _parse_range(name: str, text: Range) -> Bounds:
    if not isinstance(text, str):
        return text[0], text[1]
    match = re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})?", text)
    if match is None:
        raise FileError(f'ranges.{name}: \'{text}\' is not a range: write "0..3", [0, 3] or "3..".')
    return int(match[1]), WITHOUT_LIMIT if match[2] is None else int(match[2])
