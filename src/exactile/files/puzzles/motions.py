"""Motions of puzzle files: where each coordinate goes, such as ``["x + 10", "4 - y"]``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from exactile.errors import FileError

AXES = "xyz"

TERM = re.compile(r"\s*([+-]?)\s*(?:(\d{1,6})|([xyz]))\s*")
"""A sign, and a number or a coordinate."""

Matrix = list[list[int]]


def read_motion(entry: Sequence[int | str], dimension: int) -> tuple[Matrix, list[int]]:
    """Return the matrix and the shift of a motion; numbers alone are a translation.

    Raise FileError if a text is not a sum of coordinates and numbers.

    >>> read_motion([4, 0], 2)
    ([[1, 0], [0, 1]], [4, 0])
    >>> read_motion(["x + 10", "4 - y"], 2)
    ([[1, 0], [0, -1]], [10, 4])
    """
    matrix = [[int(i == k) for i in range(dimension)] for k in range(dimension)]
    if not any(isinstance(value, str) for value in entry):
        return matrix, [int(value) for value in entry]
    rows, shift = [], []
    for value in entry:
        row, number = _sum(str(value), dimension)
        rows.append(row)
        shift.append(number)
    return rows, shift


def _sum(text: str, dimension: int) -> tuple[list[int], int]:
    """Return the factors of the coordinates in a sum, and the number in it."""
    row, number, at = [0] * dimension, 0, 0
    while at < len(text):
        term = TERM.match(text, at)
        if term is None or (at and not term[1]) or (term[3] and AXES.index(term[3]) >= dimension):
            raise FileError(
                f"{text!r} is not a coordinate after a motion: write a sum such as 'x + 10' or "
                f"'4 - y', of numbers and {', '.join(AXES[:dimension])}."
            )
        sign = -1 if term[1] == "-" else 1
        if term[3]:
            row[AXES.index(term[3])] += sign
        else:
            number += sign * int(term[2])
        at = term.end()
    if not any(row):
        raise FileError(
            f"{text!r} is not a coordinate after a motion: it depends on no coordinate."
        )
    return row, number
