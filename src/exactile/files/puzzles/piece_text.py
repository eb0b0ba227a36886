"""Pieces in one line of text, as on the command line: ``"30xdomino"``, ``"pentominoes, 2xO4"``."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

import msgspec

from exactile.errors import NotFoundError, PieceError, suggestion
from exactile.files.puzzles.structure import PieceTable
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.names import key, table
from exactile.puzzle.pieces.sets import PieceSet, order_set, piece_set, set_names

PART = re.compile(r"(?:(\d+)(?:\.\.(\d*))?\s*[x*×]\s*)?(\S.*)", re.IGNORECASE)
"""The bounds of the number of uses, and the name."""

MOST_DIGITS = 6
"""Largest number of digits of a number of uses."""

GENERATED = re.compile(r"([PQ])([1-9]\d?)x\d+")
"""The name of a piece that has no customary name."""


class PieceWord(NamedTuple):
    """A part of such a text: a set or a piece, with the least and greatest number of uses."""

    name: str
    bounds: tuple[int, int | None]  # None: as often as there is room

    @property
    def ranges(self) -> str | list[int]:
        """The bounds as in puzzle files."""
        least, most = self.bounds
        return f"{least}.." if most is None else [least, most]


def parts(text: str) -> list[PieceWord]:
    """Return the parts of a text; raise PieceError if a part is malformed.

    >>> parts("30xdomino, 0..2xpentominoes:X")
    [PieceWord(name='domino', bounds=(30, 30)), PieceWord(name='pentominoes:X', bounds=(0, 2))]
    """
    found = []
    for word in text.split(","):
        match = PART.fullmatch(word.strip())
        if match is None:
            raise PieceError(
                f"'{text}' names no pieces: write a set or pieces, such as pentominoes or "
                "30xdomino,X."
            )
        least, most, name = match.groups()
        if not name[0].isalpha():
            raise PieceError(
                f"'{word.strip()}' names no pieces: the number of uses is a number or a range "
                "before x, such as 10xY, 0..10xY or 3..xY."
            )
        if max(len(least or ""), len(most or "")) > MOST_DIGITS:
            raise PieceError(f"'{word.strip()}': a piece is used 999,999 times at most.")
        upper = None if most == "" else int(most or least or 1)
        found.append(PieceWord(name, (int(least or 1), upper)))
    return found


def piece_tables(text: str, lattice: Lattice) -> list[PieceTable]:
    """Return the groups of puzzle files that a text stands for.

    Parts are separated by commas. Each is the name of a set, of a piece, or both joined by a colon,
    with an optional number of uses in front: ``3x``, ``0..3x``, or ``3..x`` for three or more.
    Raise NotFoundError if there is no such set or piece, PieceError if several pieces have this
    name.

    >>> for group in piece_tables("30xdomino, X, one-sided-tetrominoes:l4", get_lattice("square")):
    ...     print(group.set, group.only, group.ranges)
    domino None [30, 30]
    pentominoes ['X'] [1, 1]
    one-sided-tetrominoes ['l4'] [1, 1]
    """
    return [_group(part, lattice) for part in parts(text)]


def lattice_of(text: str, sides: int = 2) -> str:
    """Return the lattice on which a text names pieces.

    If several lattices have the pieces: the square lattice, or for a box with three sides the cube
    lattice. Raise NotFoundError if no lattice has them, PieceError if several have them but not
    this one.

    >>> lattice_of("tetrahexes"), lattice_of("2xP7x001"), lattice_of("2xP7x0001", sides=3)
    ('hexagon', 'square', 'cube')
    """
    usual = get_lattice("cube" if sides == 3 else "square")
    named = parts(text)
    if all(_known(part, usual.name) for part in named):
        return usual.name
    specific = [p for p in named if not GENERATED.match(p.name)]  # others are on all lattices
    if not specific:
        raise _unknown(named[0].name, usual)
    common = [n for n in lattice_names() if all(_named(part, n) for part in specific)]
    if len(common) == 1:
        return common[0]
    if common:
        *others, last = common
        raise PieceError(
            f"Several lattices have '{text}': {', '.join(others)} and {last}. Say which."
        )
    owners = {part.name: [n for n in lattice_names() if _named(part, n)] for part in specific}
    for name, found in owners.items():
        if not found:
            raise _unknown(name)
    raise _apart(owners, usual)


def _apart(owners: dict[str, list[str]], usual: Lattice) -> PieceError:
    """Return the error that names the pieces that are not on the lattice of the others."""
    names = [n for found in owners.values() for n in found]
    most = max(names, key=lambda n: (names.count(n), n == usual.name))
    strangers = [name for name, found in owners.items() if most not in found]
    hints = (_hint(name, get_lattice(most)) for name in strangers)
    there = "; ".join(f"'{name}' is on {' and '.join(owners[name])}" for name in strangers)
    return PieceError(
        f"The {most} lattice has {', '.join(n for n in owners if n not in strangers)}, but not "
        f"{', '.join(strangers)}: pieces of one puzzle are on one lattice. {there}."
        f"{next(filter(None, hints), '')}"
    )


def _known(part: PieceWord, lattice: str) -> bool:
    with suppress(NotFoundError):
        return bool(_group(part, get_lattice(lattice)))
    return False


def _named(part: PieceWord, lattice: str) -> bool:
    """Return whether a name is known, even if it is ambiguous."""
    with suppress(PieceError):
        return _known(part, lattice)
    return True


def _unknown(name: str, lattice: Lattice | None = None) -> NotFoundError:
    """Return the error for a name of neither a set nor a piece, on this or any lattice."""
    stem, colon, number = name.partition(":")
    if number.strip().isdecimal():
        return NotFoundError(f"'{name}': the number of uses comes first: {number.strip()}x{stem}.")
    hint, where = "", "any lattice"
    if lattice is not None:
        where = f"the {lattice.name} lattice"
        homes = [n for n in lattice_names() if name.casefold() in set_names(get_lattice(n))]
        hint = f" It is a set of the {homes[0]} lattice." if homes else ""
        hint = hint or _hint(stem if colon else name, lattice)
    else:
        everything = {s for n in lattice_names() for s in set_names(get_lattice(n))}
        hint = suggestion(stem if colon else name, sorted(everything))
    return NotFoundError(
        f"There is neither a set nor a piece '{name}' on {where}.{hint} `exactile pieces` and "
        "docs/puzzle-files.md list what there is."
    )


def _hint(name: str, lattice: Lattice) -> str:
    """Return the most similar set or piece of a lattice.

    Names of pieces may contain their order or not: P5 may mean P, and O6 may mean O06.
    """
    named = table(lattice).get("order", {})
    spelled = re.fullmatch(r"([A-Za-z]+)0*([1-9]\d?)", name)
    for piece in named.get(spelled[2], {}) if spelled else ():
        if spelled and piece.rstrip("0123456789") == spelled[1]:
            return f" Did you mean '{piece}'?"
    return suggestion(
        name, [*set_names(lattice), *(p for pieces in named.values() for p in pieces)]
    )


def _group(part: PieceWord, lattice: Lattice) -> PieceTable:
    stem, colon, piece = (word.strip() for word in part.name.partition(":"))
    found = None if piece.isdecimal() else _set(stem, lattice)
    if found is not None:
        if colon and piece:
            found.piece(piece)  # raises an error that lists the pieces
        only = [piece] if colon and piece else None
        return PieceTable(set=stem, only=only, ranges=part.ranges)
    if not colon:
        owners = _owners(stem, lattice)
        if len(owners) > 1:
            raise PieceError(
                f"Several pieces are called '{stem}' on the {lattice.name} lattice: write "
                f"{' or '.join(f'{owner.set}:{stem}' for owner in owners)}."
            )
        for owner in owners:
            return msgspec.structs.replace(owner, only=[stem], ranges=part.ranges)
    raise _unknown(part.name, lattice)


def _set(name: str, lattice: Lattice) -> PieceSet | None:
    with suppress(NotFoundError):
        return piece_set(name, lattice)
    return None


def _owners(name: str, lattice: Lattice) -> list[PieceTable]:
    """Return the sets with a piece of a name, one for each distinct piece."""
    named = table(lattice)
    found = [
        (PieceTable(set=stem), piece_set(stem, lattice))
        for stem, order in lattice.sets.items()
        if name in named.get("order", {}).get(str(order), {})
    ]
    found += [
        (PieceTable(set=stem), piece_set(stem, lattice))
        for stem, entry in named.get("set", {}).items()
        if name in entry.get("add", {})
    ]
    made = GENERATED.fullmatch(name)
    if made is not None and int(made[2]) <= max(lattice.sets.values()):
        group = PieceTable(orders=[int(made[2])], quasi=made[1] == "Q")
        found += [(group, order_set(lattice, [int(made[2])], quasi=group.quasi))]
    owners = {
        key(pieces.pieces[name], lattice, pieces.freedom): group
        for group, pieces in reversed(found)
        if name in pieces.pieces
    }
    return [*owners.values()][::-1]
