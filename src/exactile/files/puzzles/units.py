"""Units as a text of coordinates, with runs, or as lists."""

from __future__ import annotations

import re
from itertools import product
from math import prod

from exactile.errors import FileError, RegionError
from exactile.geometry.builders import MAX_UNITS
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Coordinates, Lattice, Point

LIMIT = 100_000
"""Largest coordinate: products of three spans fit into 64 bits."""

NUMBER = re.compile(r"(-?[0-9]+)(?:\.\.(-?[0-9]+))?")


def parse_units(units: str | Coordinates) -> list[Point]:
    """Read units, each written once, as lists of coordinates or as a text of words.

    A coordinate may be a run: ``0..9,0`` stands for ten units, ``0..9,0..5`` for sixty. Raise
    FileError if a word is not a unit, RegionError if a unit occurs twice, or runs make too many
    units.

    >>> parse_units("0..2,0 1,1")
    [(0, 0), (1, 0), (2, 0), (1, 1)]
    """
    if isinstance(units, str):
        words = [_parse_word(word) for word in units.split()]
        total = sum(prod(map(len, runs)) for runs in words)
        if total > MAX_UNITS:
            raise RegionError(
                f"These are {total:,} units, which is too many: the limit is {MAX_UNITS:,}."
            )
        result = [unit for runs in words for unit in product(*runs)]
    else:
        result = [tuple(unit) for unit in units]
    if len(set(result)) < len(result):
        seen: set[Point] = set()
        twice = next(u for u in result if u in seen or seen.add(u))  # type: ignore[func-returns-value]
        raise RegionError(f"The unit {list(twice)} occurs twice: write it once.")
    return result


def _parse_word(word: str) -> list[range]:
    runs = []
    for part in word.split(","):
        match = NUMBER.fullmatch(part)
        if match is None:
            raise FileError(
                f"'{word}' is not a unit: write integers joined by commas, such as 1,0; "
                "0..4 stands for a run of integers."
            )
        if any(len(number) > 7 or abs(int(number)) > LIMIT for number in match.groups("0")):
            raise FileError(f"'{word}' is not a unit: coordinates go from -{LIMIT} to {LIMIT}.")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise FileError(f"'{word}' is not a unit: in a run the smaller integer comes first.")
        runs.append(range(first, last + 1))
    return runs


def write_units(points: list[Point]) -> str:
    """Return units as words, with runs along the first coordinate.

    >>> write_units([(0, 0), (1, 0), (2, 0), (1, 1)])
    '0..2,0 1,1'
    """
    words: list[str] = []
    left = sorted(points, key=lambda u: (u[:0:-1], u[0]))
    while left:
        run = 1
        while run < len(left) and left[run] == (left[0][0] + run, *left[0][1:]):
            run += 1
        first = f"{left[0][0]}..{left[run - 1][0]}" if run > 1 else str(left[0][0])
        words.append(",".join([first, *map(str, left[0][1:])]))
        left = left[run:]
    return " ".join(words)


def internal_points(units: str | Coordinates, lattice: Lattice) -> Points:
    """Read units and return them as an array of points of a lattice, in the order written."""
    return lattice.points(parse_units(units)).reshape(-1, lattice.dimension)


def internal(units: str | Coordinates, lattice: Lattice) -> list[Point]:
    """Read units and return them as points of a lattice, in the order written."""
    return [tuple(p) for p in internal_points(units, lattice).tolist()]
