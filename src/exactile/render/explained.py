"""A picture of a contradiction: a sentence, the units in color, the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle
from exactile.render.colors import PALETTE
from exactile.render.drawing import Drawing
from exactile.render.exhibit import exhibit
from exactile.render.paper import with_words
from exactile.render.svg import draw_alone, with_pieces


def draw_explained(
    puzzle: Puzzle,
    units: Iterable[Point],
    pieces: Sequence[str],
    words: str,
    *,
    mark: str = "#",
    width: int = 640,
) -> Drawing:
    """Draw some units of a region and some pieces, below words.

    Parameters
    ----------
    puzzle
        The puzzle.
    units
        Points of the units that are drawn in color.
    pieces
        Names of pieces, drawn beside a region in the plane, below one in space.
    words
        The sentence.
    mark
        The tooltip of the units.
    width
        Width of the drawing in pixels.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-w")
    >>> picture = draw_explained(puzzle, (), ["L", "T"], "These cannot both be placed.").svg()
    >>> picture.count("<svg"), ">These cannot both be placed.<" in picture
    (4, True)
    """
    if len(puzzle.lattice.embedding[0]) == 2:
        drawing = draw_alone(*exhibit(puzzle, units, pieces, mark=mark), width)
    else:
        drawing = draw_alone(*exhibit(puzzle, units, mark=mark), width)
        index = puzzle.piece_index
        shown = [(puzzle.piece(n), PALETTE[index[n] % len(PALETTE)], n) for n in pieces]
        if shown:
            drawing = with_pieces(drawing, shown, puzzle.title or puzzle.name)
    return with_words(drawing, words, f"{puzzle.title or puzzle.name}: {words}")
