"""Customary names of polyforms, read from the tables in this folder, and generated ones.

A table is a TOML file per lattice: ``[order.5]`` gives the named pieces of order 5, ``[quasi.2]``
the quasi-polyforms, ``[set.soma]`` a set that is not a complete order. If no table names an order,
the rule is: ``P``, the order, ``x``, and the rank (from 1, zero-padded) of the polyform among the
free ones in lexicographic order of canonical forms, so ``P7x001``; quasi-polyforms have ``Q`` for
``P``. The mirror image of a named piece is written in lower case.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from exactile.errors import FileError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.geometry.recut import shape_aspects
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, customary_freedom, motions_of

MOST_LOOKED_UP = 5000
"""Largest number of forms whose names are looked up, at some tenths of a millisecond each."""


@cache
def table(lattice: Lattice) -> dict[str, Any]:
    """Return the parsed table of a lattice; empty if it has none."""
    source = Path(__file__).with_name("tables") / f"{lattice.name}.toml"
    return tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}


def parse_units(text: str, lattice: Lattice) -> Points:
    """Read units written as ``"0,0 1,0 1,1"`` in customary coordinates.

    Raise FileError if a word is not a list of integers.
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
    """Return the canonical form as bytes: equal exactly for congruent shapes of equal order."""
    canonical: bytes = shape_aspects(points, motions_of(points, lattice, freedom), lattice)[
        0
    ].tobytes()
    return canonical


@cache
def named_order(lattice: Lattice, order: int, *, quasi: bool = False) -> dict[str, Points]:
    """Return the named pieces of an order, as real pieces: mirror twins differ only in space.

    `lattice`, `order`, `quasi`: as in `exactile.puzzle.pieces.generate.generate`.

    The result: name to units (points, one orientation), in the order of the table or of generation.

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
    """Add to each piece its mirror twin, in lower case, if the two differ.

    In space, pieces are already one-sided, and nothing is added.
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
    """Return the name of each one-sided canonical form (see `key`) of an order."""
    pieces = one_sided(named_order(lattice, order, quasi=quasi), lattice)
    return {key(points, lattice): name for name, points in pieces.items()}


def names_of(
    forms: Points, lattice: Lattice, freedom: Freedom, *, quasi: bool = False
) -> list[str | None]:
    """Return the names of all forms of an order, in the order of `generate`.

    Large orders that no table names have names only for the forms of customary pieces.
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
