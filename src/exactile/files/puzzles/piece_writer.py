"""Pieces as tables of puzzle files: named sets, with changes if needed, else cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from exactile.errors import FileError, PuzzleError
from exactile.files.puzzles.piece_groups import disconnected
from exactile.files.puzzles.units import parse_drawing, write_drawing, write_units
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Omission
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom
from exactile.puzzle.pieces.sets import piece_set, table

Table = dict[str, Any]

LARGEST_GENERATED = 8
"""Largest order of sets that are generated to recognize pieces."""

LEAST_DRAWN = 6
"""Pieces with at least this many cells are drawn."""

MOST_SPELLED = 6
"""Largest number of pieces with individual numbers of uses in one group."""

GENERATED = re.compile(r"[pPqQ][0-9]+x[0-9]+")
"""Generated names, of pieces that are in no table."""


def piece_tables(pieces: Sequence[Piece], omission: Omission | None) -> list[Table]:
    """Return the groups of a puzzle file that give these pieces in this order.

    Raise FileError if a piece is too scattered to be written.

    >>> import exactile
    >>> piece_tables(exactile.load("tetrasticks-5x5").pieces, None)
    [{'set': 'tetrasticks'}]
    """
    groups: list[Table] = []
    left = list(pieces)
    while left:
        name, run = _longest_run(left)
        if run and len(_spelled(_uses(left[:run]))) > MOST_SPELLED:
            run = _alike(left[:run])
            name, run = _longest_run(left[:run])
        if run:
            groups.append({"set": name} | _choice(name, left[:run]) | _uses(left[:run]))
        else:
            run = _own_run(left)
            groups.append(_own(left[:run]) | _uses(left[:run]))
        left = left[run:]
    if omission is not None:
        names = list(omission.names)
        choice = names if omission.count == 1 else {"from": names, "count": omission.count}
        groups[-1]["choose_omitted"] = choice
    return groups


Members = tuple[dict[str, tuple[Point, ...]], Freedom]
"""The pieces of a set, and how they may be moved."""


@cache
def _members(name: str, lattice: Lattice) -> Members | None:
    """Return the pieces of a set, None if there is no such set; cached."""
    try:
        found = piece_set(name, lattice)
    except PuzzleError:
        return None
    return {n: as_tuples(points) for n, points in found.pieces.items()}, found.freedom


def _longest_run(pieces: list[Piece]) -> tuple[str, int]:
    """Return a set with as many of the first pieces as possible, in its order, and their number.

    If there are several, the result is one in which the pieces have the same freedom, or else one
    without other pieces.
    """
    best: tuple[tuple[int, bool, bool], str] = ((0, False, False), "")
    for name in _set_names(pieces):
        found = _members(name, pieces[0].lattice)
        if found is None:
            continue
        run = _run(pieces, found[0])
        moves = found[1] is pieces[0].freedom
        rank = (run, moves, run == len(found[0]))
        if run and rank > best[0]:
            best = (rank, name)
        if moves and run == len(pieces) == len(found[0]):
            break
    return best[1], best[0][0]


def _run(pieces: list[Piece], members: dict[str, tuple[Point, ...]]) -> int:
    """Return the number of leading pieces that are members, in order and of one freedom."""
    places = {name: k for k, name in enumerate(members)}
    last, run = -1, 0
    for piece in pieces:
        place = places.get(piece.name, -1)
        if place <= last or piece.freedom is not pieces[0].freedom:
            break
        if members[piece.name] != tuple(sorted(piece.units)):
            break
        last, run = place, run + 1
    return run


def _set_names(pieces: list[Piece]) -> Iterator[str]:
    """Yield the names of sets that may contain the first piece, the likeliest first."""
    lattice = pieces[0].lattice
    flat = pieces[0].freedom is Freedom.ONE_SIDED and lattice.flips
    sides = ["", "one-sided-"] if flat else [""]
    samples: dict[int, Piece] = {}
    for piece in pieces:
        samples.setdefault(_order(piece), piece)
    for quasi, key, letter in (("", "order", "p"), ("quasi-", "quasi", "q")):
        cheap = list(takewhile(lambda p: _is_cheap(p, key, letter), samples.values()))  # noqa: B023
        for stem in _stems([_order(piece) for piece in cheap], lattice):
            yield from (side + quasi + stem for side in sides)
    yield from (side + stem for stem in table(lattice).get("set", {}) for side in sides)


def _stems(orders: list[int], lattice: Lattice) -> Iterator[str]:
    """Yield the names of sets of the first order, and of ascending first orders together."""
    yield from (name for name, order in lattice.sets.items() if orders[:1] == [order])
    for k in range(1, len(orders) + 1):
        if orders[:k] == sorted(orders[:k]) and orders[k - 1] <= 9:
            yield f"{lattice.plural}-{''.join(map(str, orders[:k]))}"


def _order(piece: Piece) -> int:
    """Return the number of cells of a piece, which may be blocks of units."""
    return piece.order // max(1, len(piece.lattice.block))


def _is_cheap(piece: Piece, key: str, letter: str) -> bool:
    """Return whether the pieces of this order are in a table, or can be generated and may fit."""
    order = _order(piece)
    if order == 1 or str(order) in table(piece.lattice).get(key, {}):
        return True
    fits = GENERATED.fullmatch(piece.name) and piece.name.lower().startswith(letter)
    return bool(fits) and order <= LARGEST_GENERATED


def _choice(name: str, pieces: list[Piece]) -> Table:
    """Return the keys that restrict a set to these pieces, and their freedom."""
    found = _members(name, pieces[0].lattice)
    assert found is not None
    members, freedom = found
    names = [piece.name for piece in pieces]
    missing = [member for member in members if member not in names]
    result: Table = {}
    if missing:
        result = {"omit": missing} if len(missing) <= len(names) else {"only": names}
    if pieces[0].freedom is not freedom:
        result["freedom"] = pieces[0].freedom.value
    return result


def _spelled(uses: Table) -> list[str]:
    """Return the pieces with individual numbers of uses."""
    return [name for value in uses.values() if isinstance(value, dict) for name in value]


def _alike(pieces: list[Piece]) -> int:
    """Return the number of leading pieces with equal numbers of uses."""
    bounds = [(piece.lower, piece.upper) for piece in pieces]
    return next((k for k, b in enumerate(bounds) if b != bounds[0]), len(bounds))


def _own_run(pieces: list[Piece]) -> int:
    """Return the number of leading pieces that belong to no set and have one freedom."""
    run = 1
    while run < len(pieces) and pieces[run].freedom is pieces[0].freedom:
        if _longest_run(pieces[run:])[1]:
            break
        run += 1
    return run


def _own(pieces: list[Piece]) -> Table:
    """Return a group that lists the cells of its pieces."""
    result: Table = {"cells": {piece.name: _cells(piece) for piece in pieces}}
    lattice = pieces[0].lattice
    if pieces[0].freedom is not customary_freedom(lattice):
        result["freedom"] = pieces[0].freedom.value
    scattered = [p for p in pieces if disconnected(p.points, lattice, quasi=False) is not None]
    if scattered:
        result["quasi"] = True
    for piece in scattered:
        if disconnected(piece.points, lattice, quasi=True) is not None:
            raise FileError(
                f"Piece {piece.name} cannot be written: its parts are more than one unit apart, "
                "and puzzle files have no such pieces."
            )
    return result


def _cells(piece: Piece) -> str:
    """Return a drawing of a large piece, if it reads as the same units, else runs of units."""
    coordinates = piece.lattice.coordinates(piece.points)
    if piece.order >= LEAST_DRAWN and piece.lattice.sketch is not None:
        text = write_drawing(coordinates, [], piece.lattice)
        if sorted(parse_drawing(text, piece.lattice)[0]) == sorted(coordinates):
            return text
    return write_units(coordinates)


def _uses(pieces: list[Piece]) -> Table:
    """Return the numbers of uses of the pieces in the shortest form."""
    bounds = {piece.name: (piece.lower, piece.upper) for piece in pieces}
    if len(set(bounds.values())) == 1:
        low, high = next(iter(bounds.values()))
        if (low, high) == (1, 1):
            return {}
        return {"copies": low} if low == high else {"ranges": _range(low, high)}
    exact = {n: low for n, (low, high) in bounds.items() if low == high and low != 1}
    ranges = {n: _range(low, high) for n, (low, high) in bounds.items() if low < high}
    return ({"copies": exact} if exact else {}) | ({"ranges": ranges} if ranges else {})


def _range(low: int, high: int) -> str | list[int]:
    return f"{low}..{high}" if high < 10**6 else [low, high]
