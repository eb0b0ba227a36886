"""Reading the pieces of puzzle files.

Pieces are stated as a text such as ``"30xdomino, X"``, or as groups: a named set, all polyforms of
some orders, or pieces whose cells are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from operator import add
from typing import NamedTuple

import msgspec
import numpy as np

from exactile.errors import FileError, NotFoundError, PieceError, suggestion
from exactile.files.puzzles.structure import ChoiceTable, PieceTable, Range, Units
from exactile.files.puzzles.units import parse_drawing, parse_units
from exactile.files.sources import Place
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import Points, as_tuples
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Omission, Region
from exactile.puzzle.pieces.generate import is_chosen
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom
from exactile.puzzle.pieces.sets import PieceSet, key, order_set, piece_set, set_names, table

PART = re.compile(r"(?:(\d+)(?:\.\.(\d*))?\s*[x*×]\s*)?(\S.*)", re.IGNORECASE)
"""Matches a part of a text of pieces, such as ``0..2xdomino``: number of uses, then name."""

MOST_DIGITS = 6
"""Largest number of digits of a number of uses."""

GENERATED = re.compile(r"([PQ])([1-9]\d?)x\d+")
"""Matches a generated name, such as ``P7x001``, of a piece that has no customary name."""


class PieceWord(NamedTuple):
    """A part of a text of pieces, such as ``0..2xdomino``: a name and the bounds of its uses.

    The name is that of a set, of a piece, or both, as in ``pentominoes:X``. If the upper bound is
    None, only the size of the region limits the number of uses.
    """

    name: str
    bounds: tuple[int, int | None]  # None: as often as there is room

    @property
    def ranges(self) -> str | list[int]:
        """The bounds as a value of the key ``ranges`` in puzzle files: ``[0, 2]`` or ``"3.."``."""
        least, most = self.bounds
        return f"{least}.." if most is None else [least, most]


def parts(text: str) -> list[PieceWord]:
    """Return the parts of a text of pieces, which commas separate.

    Raise PieceError if a part is malformed. Whether its name exists is not checked.

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
    """Return the groups of pieces that a text stands for.

    Commas separate the parts of the text. Each part is the name of a set, of a piece, or both
    joined by a colon. A number of uses may precede it: ``3x``, ``0..3x``, or ``3..x`` for three or
    more. Raise NotFoundError if there is no such set or piece on the lattice, PieceError if a name
    belongs to several pieces or a part is malformed.

    >>> for group in piece_tables("30xdomino, X, one-sided-tetrominoes:l4", get_lattice("square")):
    ...     print(group.set, group.only, group.ranges)
    domino None [30, 30]
    pentominoes ['X'] [1, 1]
    one-sided-tetrominoes ['l4'] [1, 1]
    """
    return [_part_table(part, lattice) for part in parts(text)]


def lattice_of(text: str, sides: int = 2) -> str:
    """Return the name of the lattice that has all pieces that a text names.

    If several have them, the usual one is preferred: ``cube`` if `sides` is 3, then ``square``.
    `sides` is the number of sizes of the box that is the region. Raise NotFoundError if a piece is
    on no lattice, or if all pieces have generated names and the usual lattice lacks one. Raise
    PieceError if no lattice has all pieces, if several have them but not the usual one, if the
    usual one has several pieces with one of the names, or if the text is malformed.

    >>> lattice_of("tetrahexes"), lattice_of("2xP7x001"), lattice_of("2xP7x0001", sides=3)
    ('hexagon', 'square', 'cube')
    """
    usual = get_lattice("cube" if sides == 3 else "square")
    named = parts(text)
    if all(_known(part, usual.name) for part in named):
        return usual.name
    # All lattices have pieces with generated names.
    specific = [p for p in named if not GENERATED.match(p.name)]
    if not specific:
        raise _unknown(named[0].name, usual)
    common = [n for n in lattice_names() if all(_named(part, n) for part in specific)]
    if "square" in common:  # not in space, although the box is
        return "square"
    if len(common) == 1:
        return common[0]
    if common:
        *others, last = common
        raise PieceError(
            f"Several lattices have '{text}': {', '.join(others)} and {last}. Say which: "
            f"--lattice {common[0]} or, without this option, --set lattice={common[0]} "
            f"(in Python, lattice={common[0]!r})."
        )
    owners = {part.name: [n for n in lattice_names() if _named(part, n)] for part in specific}
    for name, found in owners.items():
        if not found:
            raise _unknown(name)
    raise _apart(owners, usual)


def _apart(owners: dict[str, list[str]], usual: Lattice) -> PieceError:
    """Return the error for pieces of different lattices.

    `owners`: for each piece, by its name, the lattices that have it. The message names the lattice
    that has most of the pieces, and the pieces that it lacks; `usual` wins a tie.
    """
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
        return bool(_part_table(part, get_lattice(lattice)))
    return False


def _named(part: PieceWord, lattice: str) -> bool:
    """Return whether a lattice has a set, or one or more pieces, of this name."""
    with suppress(PieceError):
        return _known(part, lattice)
    return True


def _unknown(name: str, lattice: Lattice | None = None) -> NotFoundError:
    """Return the error for an unknown name of a set or a piece.

    `lattice`: the lattice that lacks the name; None if all lattices lack it.
    """
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
        f"There is neither a set nor a piece '{name}' on {where}.{hint} docs/puzzle-files.md "
        "has the sets, and `exactile pieces SET` lists the pieces of one."
    )


def _hint(name: str, lattice: Lattice) -> str:
    """Return a suggestion for a misspelled name, " Did you mean 'P'?", or an empty string.

    The suggestion is a set or a piece of the lattice, perhaps one whose name states the order
    differently: O06 for O6, P for P5.
    """
    named = table(lattice).get("order", {})
    spelled = re.fullmatch(r"([A-Za-z]+)0*([1-9]\d?)", name)
    for piece in named.get(spelled[2], {}) if spelled else ():
        if spelled and piece.rstrip("0123456789") == spelled[1]:
            return f" Did you mean '{piece}'?"
    return suggestion(
        name, [*set_names(lattice), *(p for pieces in named.values() for p in pieces)]
    )


def _part_table(part: PieceWord, lattice: Lattice) -> PieceTable:
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
    """Return, for each different piece with this name, a group that contains it."""
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


Bounds = tuple[int, int]

WITHOUT_LIMIT = 1_000_000
"""The upper bound of ``"3.."`` until the region is known; files cannot state a larger number."""


def read_pieces(
    groups: str | PieceTable | list[PieceTable | str], lattice: Lattice, place: Place
) -> tuple[tuple[Piece, ...], Omission | None]:
    """Return the pieces of all groups, and the rule about omitted pieces.

    `groups`: the value of ``pieces`` in a puzzle file; a text stands for groups, see
    `piece_tables`. The rule is None if no group has ``choose_omitted``. Raise PuzzleError if a
    group is wrong; the message names its place in the file.

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
    """Return the pieces, with finite bounds instead of `WITHOUT_LIMIT`.

    Such a bound is the number of copies for which the region has enough units, but at least 1 and
    at least the lower bound.
    """
    return tuple(
        replace(p, upper=max(p.lower, len(region) // p.order, 1)) if p.upper == WITHOUT_LIMIT else p
        for p in pieces
    )


def _merged(text: str, lattice: Lattice, place: Place) -> tuple[Piece, ...]:
    """Return the pieces of a text; uses of a piece that occurs several times add up."""
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
    """Return the pieces from which a group selects: its set, its orders, or its listed pieces.

    Raise FileError unless the group states exactly one of these, and PuzzleError if that is wrong.
    """
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
    """Return the first unit that no path of neighbors joins to `points[0]`; None if all are joined.

    `quasi`: whether units across a gap of one unit also count as neighbors.
    """
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
    """Return the names of the pieces that a group selects by ``only``, ``omit`` and other keys.

    They are in the order of `source`, the pieces from which the group selects. Raise FileError if
    the group has both ``only`` and ``omit``, PieceError if a name is unknown or occurs twice, or if
    no piece is left.
    """
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
    """Return names as text for a message; of more than `limit`, the first ones and the total.

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
    """Return the least and largest number of uses for each of the named pieces of a group.

    Raise PieceError if the group states them for other pieces, or twice for one piece, FileError if
    a range is malformed.
    """
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
