"""Checks of what backends return: whole batches at once, in words where one is wrong."""

from __future__ import annotations

import numpy as np

from exactile.model.decoder import Decoder
from exactile.model.orbits import Assignments
from exactile.puzzle.check import Checker


def first_fault(
    checker: Checker, decoder: Decoder, rows: Assignments
) -> tuple[int, list[str]] | None:
    """Return the first of some assignments that is no solution, and why; None if all are right.

    This is how every search checks every solution: `Decoder.numbers` turns options into numbers of
    distinct placements, and `Checker.wrong` looks at all rows of numbers at once.

    Raises
    ------
    CheckFailedError
        If one is wrong, and there are no words for what is wrong with it.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> model = exactile.lower(puzzle)
    >>> first_fault(Checker(puzzle), Decoder(puzzle, model), np.array([[0, 150]]))[1][-1]
    'piece p is used 0 times, not 1 to 1'
    """
    numbers = decoder.numbers(rows)
    wrong = checker.wrong(decoder.placements, numbers)
    if not wrong.any():
        return None
    row = int(np.argmax(wrong))
    return row, checker.words(decoder.solution(rows[row].tolist()))
