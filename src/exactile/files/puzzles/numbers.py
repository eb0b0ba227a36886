"""Rules of puzzle files about numbers of open units, and of used pieces."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from exactile.errors import FileError
from exactile.files.puzzles.structure import NumberTable, OpenTable, UseTable
from exactile.files.puzzles.units import internal
from exactile.files.sources import Place
from exactile.geometry.lattice import Lattice
from exactile.puzzle import OpenRule, Region, UseRule
from exactile.puzzle.number_rules import in_region


def read_open(
    tables: Iterable[OpenTable], region: Region, place: Place
) -> tuple[tuple[OpenRule, ...], Region]:
    """Return the rules about open units, and the region, in which their units are optional.

    Raise FileError or RegionError if a rule is wrong; the message names the place in the file.
    """
    rules = []
    for number, table in enumerate(tables):
        with (place / f"open[{number}]").errors():
            rule = OpenRule(tuple(internal(table.units, region.lattice)), *_bounds(table))
            optional = region.optional.copy()
            inside = region.index(np.array(rule.units, dtype=np.int64))
            optional[inside[inside >= 0]] = True
            region = Region(region.lattice, region.places, optional, region.wrap)
            rules.append(in_region(rule, region))
    return tuple(rules), region


def read_use(tables: Iterable[UseTable], lattice: Lattice, place: Place) -> tuple[UseRule, ...]:
    """Return the rules about used pieces; raise FileError or PieceError, which name the place."""
    rules = []
    for number, table in enumerate(tables):
        with (place / f"use[{number}]").errors():
            places = tuple(tuple(internal(units, lattice)) for units in table.places)
            rules.append(UseRule(tuple(table.pieces), *_bounds(table), places))
    return tuple(rules)


def _bounds(table: NumberTable) -> tuple[int, int | None]:
    given = [table.exactly, table.at_least, table.at_most]
    if given == [None] * 3 or (table.exactly is not None and given[1:] != [None] * 2):
        raise FileError(
            "write how many: exactly = 1, or at_least = 1, or at_most = 2, or these two together."
        )
    if table.exactly is not None:
        return table.exactly, table.exactly
    return table.at_least or 0, table.at_most


def number_table(rule: OpenRule | UseRule) -> dict[str, int]:
    """Return the bounds of a rule as keys of a file.

    >>> number_table(UseRule(("L4",), 1, 1)), number_table(UseRule(("L4",), 0, 2))
    ({'exactly': 1}, {'at_most': 2})
    """
    if rule.lower == rule.upper:
        return {"exactly": rule.lower}
    least = {"at_least": rule.lower} if rule.lower or rule.upper is None else {}
    return least | ({} if rule.upper is None else {"at_most": rule.upper})
