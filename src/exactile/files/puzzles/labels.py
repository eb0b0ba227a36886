"""Labels of units in puzzle files: a grid with a word for each unit, or units by label."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import numpy as np

from exactile.errors import FileError, RegionError
from exactile.files.puzzles.drawing import mark_of
from exactile.files.puzzles.structure import Units
from exactile.files.puzzles.units import internal, write_units
from exactile.files.sources import Place
from exactile.geometry.lattice import Point
from exactile.puzzle import Region
from exactile.wanted import seen

NONE = "."
"""The word for a unit without a label."""


def read_labels(
    labels: str | Mapping[str, Units], region: Region, place: Place
) -> dict[Point, str]:
    r"""Return the labels of units by their points.

    A text has a line for each line of units, the top one first, and in it a word for each unit.
    Raise FileError or RegionError if it is wrong; the message names the place in the file.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> board = Region(square, square.points([(0, 0), (1, 0), (0, 1)]))
    >>> read_labels("Jan\n1 .", board, Place("my.toml"))
    {(0, 1): 'Jan', (0, 0): '1'}
    >>> read_labels({"Jan": "0..1,0"}, board, Place("my.toml"))
    {(0, 0): 'Jan', (1, 0): 'Jan'}
    """
    with place.errors():
        if not isinstance(labels, str):
            found: dict[Point, str] = {}
            for label, units in labels.items():
                for unit in map(tuple, internal(units, region.lattice)):
                    if found.setdefault(unit, label) != label:
                        raise FileError(
                            f"{seen(found[unit])} and {seen(label)} label the same unit: write "
                            "one label for each."
                        )
            return found
        rows = lines_of(region)
        lines = [line.split() for line in labels.splitlines() if line.strip()]
        if len(lines) != len(rows):
            raise FileError(
                f"they have {len(lines)} lines, and the region {len(rows)} lines of units: write "
                f"a word for each unit, or {NONE} for none, in lines that stand as the units do."
            )
        for number, (row, words) in enumerate(zip(rows, lines, strict=True), start=1):
            if len(row) != len(words):
                raise FileError(
                    f"line {number} has {len(words)} words for {len(row)} units: write a word for "
                    f"each unit from left to right, or {NONE} for none."
                )
        pairs = zip(chain(*rows), chain(*lines), strict=True)
        return {unit: word for unit, word in pairs if word != NONE}


def lines_of(region: Region) -> list[list[Point]]:
    """Return the units of a region as they stand in drawings: lines, the top one first.

    In space the lines of the lowest layer come first. Raise RegionError if the lattice has no
    drawings.
    """
    lattice = region.lattice
    lines: dict[tuple[int, int], list[tuple[int, Point]]] = {}
    cells = lattice.coordinates(region.units)
    for cell, unit in zip(cells, region.units.tolist(), strict=True):
        column, line, layer = mark_of(cell, lattice)
        lines.setdefault((layer, -line), []).append((column, tuple(unit)))
    return [[unit for _, unit in sorted(line)] for _, line in sorted(lines.items())]


def labels_value(labels: Mapping[Point, str], region: Region) -> str | dict[str, str]:
    """Return labels as the value of a key in puzzle files: a grid of words if possible, else units.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> board = Region(square, square.points([(0, 0), (1, 0), (0, 1)]))
    >>> print(labels_value({(0, 1): "Jan", (0, 0): "1"}, board))
    Jan
    1   .
    >>> labels_value({(0, 1): "Jan", (0, 0): "New Year"}, board)
    {'New Year': '0,0', 'Jan': '0,1'}
    """
    words = set(labels.values())
    try:
        rows = lines_of(region)
    except RegionError:
        words.add(" ")
    if all(word.split() == [word] for word in words) and NONE not in words:
        width = max(map(len, words))
        lines = (" ".join(f"{labels.get(u, NONE):{width}}" for u in row) for row in rows)
        return "\n".join(line.rstrip() for line in lines)
    units: dict[str, list[Point]] = {}
    for unit, word in sorted(labels.items()):
        units.setdefault(word, []).append(unit)
    return {
        word: write_units(region.lattice.coordinates(np.array(points, dtype=np.int64)))
        for word, points in units.items()
    }
