"""Sets of pieces under their customary names.

A set is found by name on one lattice. Upper and lower case, hyphens and spaces do not matter, so
``one-sided-pentominoes`` and ``OneSidedPentominoes`` are the same, and so are singular and plural.
These names exist:

- the customary name of a complete order, such as ``pentominoes`` or ``tritrigs``;
- a family and its orders as digits, such as ``polyominoes-12345`` or ``polyiamonds-9``;
- the sets of the table that are not complete orders, such as ``soma-cubes``;
- any of these after ``quasi-``, ``one-sided-`` or both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from exactile.doors import door
from exactile.errors import NotFoundError, PieceError, suggestion
from exactile.geometry import as_lattice
from exactile.geometry.isometry import Points, as_tuples
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.names import named_order, one_sided, parse_units, table
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom


@dataclass(frozen=True)
class PieceSet:
    """A named set of pieces."""

    lattice: Lattice
    pieces: Mapping[str, Points]  # name to units (points, one orientation), in customary order
    freedom: Freedom  # how the pieces may be turned

    def piece(self, name: str, lower: int = 1, upper: int = 1) -> Piece:
        """Return one piece of the set, to be used `lower` to `upper` times.

        Raise PieceError if the set has no piece of this name.
        """
        if name not in self.pieces:
            raise PieceError(
                f"There is no piece '{name}' in the set.{suggestion(name, self.pieces)} "
                f"Its pieces: {' '.join(self.pieces)}."
            )
        return Piece(name, self.lattice, as_tuples(self.pieces[name]), self.freedom, lower, upper)


def simplified(name: str) -> str:
    """Return a set's name without case, hyphens and spaces.

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
        If the lattice has no such set.

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
    """Return all pieces of some orders.

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
    """Return the names of the sets of a lattice, complete orders first."""
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
    """Return the pieces of the set with this simplified name, None if there is no such set."""
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
    """Return a set of the table: other sets and orders, with pieces removed or added."""
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
