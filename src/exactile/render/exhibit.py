"""A region with marked units and with pieces beside it, in the form of a solution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.puzzle.pieces.piece import Piece
from exactile.render.colors import PALETTE
from exactile.render.paper import WIDTH, Drawing, with_words
from exactile.render.svg import draw_alone, with_pieces

GAP = 2
"""Cells between the region and the pieces, and between any two of these."""

LOWEST = 8
"""Pieces are stacked as high as the region, and at least this many cells high."""


def exhibit(
    puzzle: Puzzle, units: Iterable[Point] = (), pieces: Sequence[str] = (), *, mark: str = "#"
) -> tuple[Puzzle, Solution]:
    """Return a solution for drawing only: it need not be valid.

    `units`: points of the units to be marked. `pieces`: names of the pieces to be put beside the
    region, on its right. `mark`: the name under which the marked units are drawn.

    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> print(exactile.draw_text(*exhibit(puzzle, [(0, 0), (1, 1)], ["O4", "T4"])), end="")
                  T
    . . . . .   T T T
    . . . . .
    . # . . .   O O
    # . . . .   O O
    <BLANKLINE>
    O: O4  T: T4
    """
    region = puzzle.region
    marked = tuple(sorted(units))
    shown: list[Placement] = [Placement(mark, marked)] if marked else []
    if not pieces:
        return puzzle, tuple(shown)
    places = _beside(region, [puzzle.piece(name) for name in pieces])
    shown += [
        Placement(name, tuple(sorted(tuple(u) for u in place.tolist())))
        for name, place in zip(pieces, places, strict=True)
    ]
    # Translations that identify units of the region would move pieces into it: they are omitted.
    wide = Region(puzzle.lattice, np.concatenate([region.units, *places]))
    return Puzzle(puzzle.name, wide, puzzle.pieces, title=puzzle.title), tuple(shown)


def _beside(region: Region, pieces: Iterable[Piece]) -> list[Points]:
    """Return positions for the pieces: in columns to the right of the region."""
    period = region.lattice.period
    low = region.units.min(axis=0) // period
    high = region.units.max(axis=0) // period
    top = max(int(high[1]), int(low[1]) + LOWEST - 1)
    corner = low.copy()
    corner[0] = right = int(high[0]) + GAP
    places = []
    for piece in pieces:
        aspect = _flattest(piece)
        least = aspect.min(axis=0) // period
        size = aspect.max(axis=0) // period - least + 1
        if corner[1] > low[1] and corner[1] + size[1] - 1 > top:
            corner[0], corner[1] = right, low[1]
        places.append(aspect + (corner - least) * period)
        corner[1] += size[1] + GAP - 1
        right = max(right, int(corner[0] + size[0]) + GAP - 1)
    return places


def _flattest(piece: Piece) -> Points:
    """Return the aspect with the least extents, compared from the last axis to the first."""
    spans = np.ptp(piece.aspects, axis=1)
    return np.asarray(piece.aspects[np.lexsort(spans.T)[0]])


def draw_explained(
    puzzle: Puzzle,
    units: Iterable[Point],
    pieces: Sequence[str],
    words: str,
    *,
    mark: str = "#",
) -> Drawing:
    """Draw some units of a region and some pieces, below words.

    - `units`: points of the units that are drawn in color.
    - `pieces`: names of pieces, drawn beside a region in the plane, below one in space.
    - `words`: the sentence.
    - `mark`: the tooltip of the units.


    >>> import exactile
    >>> puzzle = exactile.load("soma-w")
    >>> picture = draw_explained(puzzle, (), ["L", "T"], "These cannot both be placed.").svg()
    >>> picture.count("<svg"), ">These cannot both be placed.<" in picture
    (4, True)
    """
    if len(puzzle.lattice.embedding[0]) == 2:
        drawing = draw_alone(*exhibit(puzzle, units, pieces, mark=mark), WIDTH)
    else:
        drawing = draw_alone(*exhibit(puzzle, units, mark=mark), WIDTH)
        index = puzzle.piece_index
        shown = [(puzzle.piece(n), PALETTE[index[n] % len(PALETTE)], n) for n in pieces]
        if shown:
            drawing = with_pieces(drawing, shown, puzzle.title or puzzle.name)
    return with_words(drawing, words, f"{puzzle.title or puzzle.name}: {words}")
