"""Sudokus that tests share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import StringIO

from exactile.classics.grids.reader import Variant, read_sudokus
from exactile.classics.grids.search import SudokuSearch
from exactile.classics.grids.sudoku import Grid, Layout, Sudoku, boxed, jigsaw

SMALL = "1..4.4.223.1..2."
"""The example of the Polyform Puzzler FAQ, section 4.2."""

SMALL_SOLUTION = "1234341223414123"

DRAWN = """\
1 . | . 4
. 4 | . 2
----+----
2 3 | . 1
. . | 2 .
"""

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""Arto Inkala's of 2012."""

HARD_SOLUTION = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"

SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
"""One of Gordon Royle's collection: no sudoku with one solution has fewer givens."""

SEVENTEEN_SOLUTION = (
    "693784512487512936125963874932651487568247391741398625319475268856129743274836159"
)

REGIONS = "AAAABACBBBCCDDBCDDEECDEEE"
"""Of a jigsaw without any solution."""

TILTED = "AAABBACCBBACCDBEECDDEEEDD"
"""Of a jigsaw with solutions."""


def sudoku(text: str, variant: Variant | None = None) -> Sudoku:
    """Return the only sudoku of a text."""
    (found,) = read_sudokus(StringIO(text), variant)
    return found


def empty(layout: Layout) -> Sudoku:
    """Return a sudoku without givens."""
    return Sudoku(layout, (0,) * layout.size**2)


LAYOUTS = {
    "4x4": boxed(4, (2, 2)),
    "X": boxed(4, (2, 2), diagonals=True),
    "windows": boxed(4, (2, 2), windows=True),
    "jigsaw": jigsaw(TILTED),
    "6x6": boxed(6, (2, 3)),
}


def random_sudokus(layout: Layout, seed: int) -> Iterator[Sudoku]:
    """Yield sudokus with few givens, with nearly enough, and with a changed one."""
    rng = random.Random(seed)
    n = layout.size
    start = (*rng.sample(range(1, n + 1), n), *(0,) * (n * n - n))
    grids = SudokuSearch(Sudoku(layout, start), limit=1 + rng.randrange(20), backend="dlx")
    full: Grid = list(grids)[-1]
    for part in (0.35, 0.5, 0.65):
        givens = [d if rng.random() < part else 0 for d in full]
        yield Sudoku(layout, tuple(givens))
        cell = rng.choice([c for c, d in enumerate(givens) if d] or [0])
        givens[cell] = full[cell] % n + 1
        yield Sudoku(layout, tuple(givens))
