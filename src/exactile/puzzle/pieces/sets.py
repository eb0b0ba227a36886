"""Customary names of polyforms, and sets of pieces under their customary names.

Names are read from the tables in this folder, or generated. A table is a TOML file per lattice:
``[order.5]`` gives the named pieces of order 5, ``[quasi.2]`` the quasi-polyforms, ``[set.soma]`` a
set that is not a complete order. If no table names an order, a name consists of ``P``, the order,
``x``, and the rank of the polyform (from 1, zero-padded), as in ``P7x001``; names of
quasi-polyforms begin with ``Q``. The rank is that of the canonical form in lexicographic order,
among the free forms on a flat lattice or the one-sided forms on a solid one. The mirror image of a
named flat piece has the same name in lower case.

A set is found by name on one lattice. Upper and lower case, hyphens and spaces do not matter, so
``one-sided-pentominoes`` and ``OneSidedPentominoes`` are the same, and so are singular and plural.
These names exist:

- the customary name of a complete order, such as ``pentominoes`` or ``tritrigs``;
- a family and its orders as digits, such as ``polyominoes-12345`` or ``polyiamonds-9``;
- the sets of the table that are not complete orders, such as ``soma-cubes``;
- any of these with the prefix ``one-sided-``;
- the first two kinds with the prefix ``quasi-`` or ``one-sided-quasi-``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from exactile.doors import door
from exactile.errors import FileError, NotFoundError, PieceError, suggestion
from exactile.geometry import as_lattice
from exactile.geometry.isometry import Points, as_tuples
from exactile.geometry.lattice import Lattice
from exactile.geometry.recut import shape_aspects
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom, motions_of

MOST_LOOKED_UP = 5000
"""Largest number of forms whose names are looked up one by one, which is slow."""


@cache
def table(lattice: Lattice) -> dict[str, Any]:
    """Return the parsed table of names for a lattice; empty if there is none.

    The dict is cached: it must not be changed.
    """
    source = Path(__file__).with_name("tables") / f"{lattice.name}.toml"
    return tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}


def parse_units(text: str, lattice: Lattice) -> Points:
    """Return the points of units written as ``"0,0 1,0 1,1"`` in customary coordinates.

    Raise FileError if a word is not a list of integers, GeometryError if it is not a unit.
    """
    units = []
    for word in text.split():
        try:
            units.append([int(c) for c in word.split(",")])
        except ValueError:
            raise FileError(f"'{word}' is not a unit: write integers joined by commas.") from None
    return lattice.points(units)


def mirror(points: Points, lattice: Lattice) -> Points:
    """Return a mirror image of a set of units."""
    return np.asarray(points @ lattice.group[-1].T)


def key(points: Points, lattice: Lattice, freedom: Freedom = Freedom.ONE_SIDED) -> bytes:
    """Return the canonical form of a set of units as bytes.

    Sets of equal size have equal bytes exactly if their shapes are congruent. `freedom`: determines
    which isometries make shapes congruent.
    """
    canonical: bytes = shape_aspects(points, motions_of(points, lattice, freedom), lattice)[
        0
    ].tobytes()
    return canonical


@cache
def named_order(lattice: Lattice, order: int, *, quasi: bool = False) -> dict[str, Points]:
    """Return the named pieces of an order; mirror images are different pieces only in space.

    `lattice`, `order`, `quasi`: as in `exactile.puzzle.pieces.generate.generate`.

    The result maps each name to units (points in one orientation). Pieces are in the order of the
    table of names, or, if the table does not name them, in the order of `generate`. The dict is
    cached: it must not be changed. Raise PieceError as `generate` does.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> " ".join(named_order(get_lattice("square"), 5))
    'F I L N P T U V W X Y Z'
    >>> list(named_order(get_lattice("square"), 7))[:2]
    ['P7x001', 'P7x002']
    """
    if order == 1:
        quasi = False  # one unit has no gaps
    entries = table(lattice).get("quasi" if quasi else "order", {}).get(str(order))
    if entries is not None:
        return {name: parse_units(text, lattice) for name, text in entries.items()}
    forms = generate(lattice, order, customary_freedom(lattice), quasi=quasi)
    letter, width = ("Q" if quasi else "P"), len(str(len(forms)))
    return {f"{letter}{order}x{rank:0{width}}": form for rank, form in enumerate(forms, start=1)}


def one_sided(pieces: dict[str, Points], lattice: Lattice) -> dict[str, Points]:
    """Return the pieces and, under names in lower case, the mirror images that differ from them.

    On solid lattices, pieces are already one-sided, and nothing is added.
    """
    if not lattice.flips:
        return dict(pieces)
    result = dict(pieces)
    for name, points in pieces.items():
        twin = mirror(points, lattice)
        if key(points, lattice) != key(twin, lattice):
            result[name.lower()] = twin
    return result


def name_index(lattice: Lattice, order: int, *, quasi: bool = False) -> dict[bytes, str]:
    """Return the names of all one-sided forms of an order, by their canonical forms (see `key`).

    The parameters are those of `named_order`.
    """
    pieces = one_sided(named_order(lattice, order, quasi=quasi), lattice)
    return {key(points, lattice): name for name, points in pieces.items()}


def names_of(
    forms: Points, lattice: Lattice, freedom: Freedom, *, quasi: bool = False
) -> list[str | None]:
    """Return the name of each form of an order; None for a form without a name.

    `forms`: all forms of the order, as `generate` returns them. `quasi`: whether they are
    quasi-polyforms. All names are None if there are more than `MOST_LOOKED_UP` forms, no table
    names them, and the freedom is not the customary one.
    """
    order = forms.shape[1] // max(1, len(lattice.block))
    named = named_order(lattice, order, quasi=quasi)
    if str(order) not in table(lattice).get("quasi" if quasi and order > 1 else "order", {}):
        if freedom is customary_freedom(lattice):
            return list(named)
        if len(forms) > MOST_LOOKED_UP:
            return [None] * len(forms)
    if freedom is Freedom.FREE:
        index: dict[bytes, str] = {}
        for name, points in named.items():
            index.setdefault(key(points, lattice, freedom), name)
    else:
        index = name_index(lattice, order, quasi=quasi)
    sided = Freedom.FREE if freedom is Freedom.FREE else Freedom.ONE_SIDED
    return [index.get(key(form, lattice, sided)) for form in forms]


@dataclass(frozen=True, eq=False)  # arrays have no single truth value
class PieceSet:
    """Pieces by name, with their lattice and freedom.

    `pieces`: maps each name to units (points in one orientation), in customary order. `freedom`:
    how the pieces may be turned.
    """

    lattice: Lattice
    pieces: Mapping[str, Points]
    freedom: Freedom

    def piece(self, name: str, lower: int = 1, upper: int = 1) -> Piece:
        """Return one piece of the set, to be used `lower` to `upper` times.

        Raise PieceError if the set has no piece of this name, or the bounds are impossible.
        """
        if name not in self.pieces:
            raise PieceError(
                f"There is no piece '{name}' in the set.{suggestion(name, self.pieces)} "
                f"Its pieces: {' '.join(self.pieces)}."
            )
        return Piece(name, self.lattice, as_tuples(self.pieces[name]), self.freedom, lower, upper)


def simplified(name: str) -> str:
    """Return the name of a set in lower case, with only its letters and digits.

    Examples
    --------
    >>> simplified("One-sided Pentominoes")
    'onesidedpentominoes'
    """
    return "".join(c for c in name.lower() if c.isalnum())


@door
@cache
def piece_set(name: str, lattice: Lattice | str) -> PieceSet:
    """Return a set of pieces by its customary name.

    Raises
    ------
    NotFoundError
        If the lattice has no such set, or there is no such lattice.
    PieceError
        If the set is too large, or consists of quasi-polyforms and a cell is several units.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> len(piece_set("one-sided-pentominoes", get_lattice("square")).pieces)
    18
    >>> list(piece_set("soma", get_lattice("cube")).pieces)
    ['L', 'T', 'V', 'Z', 'a', 'b', 'p']
    """
    lattice = as_lattice(lattice)
    stem = simplified(name)
    sided = stem.startswith("onesided")
    stem = stem.removeprefix("onesided")
    quasi = stem.startswith("quasi")
    stem = stem.removeprefix("quasi")
    pieces = _members(stem, lattice, quasi=quasi)
    if pieces is None:
        known = set_names(lattice)
        raise NotFoundError(
            f"There is no piece set '{name}' on the {lattice.name} lattice."
            f"{suggestion(name, known)} Known: {', '.join(known)}; before each 'quasi-' or "
            "'one-sided-' may stand."
        )
    if sided:
        return PieceSet(lattice, one_sided(pieces, lattice), Freedom.ONE_SIDED)
    return PieceSet(lattice, pieces, customary_freedom(lattice))


def order_set(lattice: Lattice, orders: list[int], *, quasi: bool = False) -> PieceSet:
    """Return all pieces of some orders as one set; raise PieceError as `generate` does.

    `quasi`: whether the pieces are quasi-polyforms.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> len(order_set(get_lattice("square"), [1, 2, 3]).pieces)
    4
    """
    pieces: dict[str, Points] = {}
    for order in orders:
        pieces |= named_order(lattice, order, quasi=quasi)
    return PieceSet(lattice, pieces, customary_freedom(lattice))


def set_names(lattice: Lattice) -> list[str]:
    """Return the names of the sets of a lattice, complete orders first.

    The last name is a pattern, such as ``polyominoes-<orders>``.
    """
    return [
        *lattice.sets,
        *table(lattice).get("set", {}),
        f"{lattice.plural}-<orders>",
    ]


def singular(stem: str) -> str:
    """Return a simplified name without the ending of the plural.

    Examples
    --------
    >>> singular("dominoes"), singular("dominos"), singular("tetrahexes"), singular("somacubes")
    ('domino', 'domino', 'tetrahex', 'somacube')
    """
    return re.sub(r"(?<=[ox])es$|s$", "", stem)


def _members(stem: str, lattice: Lattice, *, quasi: bool) -> dict[str, Points] | None:
    """Return the pieces of the set with a simplified name; None if there is no such set."""
    one = singular(stem)
    for name, order in lattice.sets.items():
        if singular(simplified(name)) == one:
            return dict(named_order(lattice, order, quasi=quasi))
    family = re.fullmatch(r"(\D+)([1-9]+)", stem)
    if family and singular(family[1]) == singular(simplified(lattice.plural)):
        return dict(order_set(lattice, [int(d) for d in family[2]], quasi=quasi).pieces)
    for name, entry in table(lattice).get("set", {}).items():
        names = {singular(simplified(s)) for s in (name, *entry.get("aliases", []))}
        if one in names and not quasi:
            return _special(entry, lattice)
    return None


def _special(entry: Mapping[str, Any], lattice: Lattice) -> dict[str, Points]:
    """Return the pieces of a set that a table defines: other sets, with pieces removed or added."""
    pieces: dict[str, Points] = {}
    for base in entry.get("sets", []):
        pieces |= piece_set(base, lattice).pieces
    for base, names in entry.get("some", {}).items():
        source = piece_set(base, lattice)
        pieces |= {name: source.piece(name).points for name in names.split()}
    for name in entry.get("without", "").split():
        del pieces[name]
    pieces |= {name: parse_units(text, lattice) for name, text in entry.get("add", {}).items()}
    return dict(sorted(pieces.items()))
