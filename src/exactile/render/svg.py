"""Solutions as SVG with a legend, and explanations: marked units and pieces with words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

import numpy as np

from exactile.doors import door
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Point
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.render.cover import Cover, with_colors
from exactile.render.forms import draw_cover
from exactile.render.paper import (
    MARGIN,
    PALETTE,
    PAPER,
    WIDTH,
    Drawing,
    assign_colors,
    ground,
    lettering,
    paint_fills,
    with_words,
)
from exactile.render.svg_space import draw_exploded, is_cubic
from exactile.render.text import label
from exactile.render.thumbnail import SIZE, small_piece

GENERATED = re.compile(r"[PQ]\d+x\d+", re.IGNORECASE)
"""Pattern of generated names of pieces, such as ``P4x13``: an order and a rank."""

LETTERS = 3
"""Largest length of the label of a piece with a generated name."""

ZOOM = 0.6
"""Scale of pieces in a legend; smaller if one of them would not fit."""

MIXED = PAPER
"""Color that a legend gives to pieces whose copies differ in color: no piece has it."""

CELL, LINE, GAP = 66.0, 15.0, 10.0
"""Width of an entry of a legend, height of its text, and space around the legend, in pixels."""

LETTER = 6.5
"""Approximate width of a letter of words below a drawing, in pixels."""


@door
def draw_svg(
    puzzle: Puzzle, solution: Solution, *, width: int = 640, exploded: bool = False
) -> str:
    """Draw a solution as a standalone SVG document.

    Parameters
    ----------
    puzzle, solution
        A puzzle and placements in its region. Units that they do not cover are light gray; an empty
        solution draws the region.
    width
        Width of the drawing in pixels; the height follows from it.
    exploded
        Whether pieces in space are drawn whole and apart from each other, without the uncovered
        units. By default, they are drawn in place, and in layers, the lowest first. It has no
        effect in the plane.

    Returns
    -------
    str
        The document, with a white background and without scripts or style sheets. Names of pieces
        are tooltips. Pieces with generated names such as ``P4x13`` have numbers, which small
        pictures below explain. Equal arguments give equal documents.

    Raises
    ------
    PuzzleError
        If `width` is not positive, or `solution` does not consist of placements in the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> picture = draw_svg(puzzle, exactile.solve_one(puzzle))
    >>> picture.startswith("<svg "), picture.count("<title>")
    (True, 13)
    """
    shown = with_colors(puzzle, solution)
    return draw_noted(puzzle, shown, width, exploded=exploded).svg()


def draw_noted(
    puzzle: Puzzle, solution: Solution, width: int, *, exploded: bool = False
) -> Drawing:
    """Return `draw_alone`, with words below it about the wrap that it does not show."""
    drawing = draw_alone(puzzle, solution, width, exploded=exploded)
    wide, high = drawing.size
    room = wide - 2 * (MARGIN + drawing.blank)
    lines = wrap(hidden_wrap(puzzle.region), max(8, int(room / LETTER)))
    if not lines:
        return drawing
    _, _, *elements = drawing.elements
    elements += [lettering(wide / 2, high + (k + 0.5) * LINE, line) for k, line in enumerate(lines)]
    return ground(wide, high + len(lines) * LINE, puzzle.title or puzzle.name, elements)


def hidden_wrap(region: Region) -> str:
    """Return in words which units a wrap identifies; empty if drawings of the region show it.

    Dashed sides show in the plane that opposite sides of a box meet, but no reflection or shift.
    """
    found, flat = region.wrap, len(region.lattice.embedding[0]) == 2
    if found is None:
        return ""
    period = region.lattice.period
    extent = (np.ptp(region.places // period, axis=0) + 1) * period
    boxed = all(extent[k] == c for vector in found.normal_form for k, c in enumerate(vector) if c)
    return "" if flat and found.straight and boxed else found.words(period)


def draw_alone(
    puzzle: Puzzle,
    solution: Solution,
    width: int,
    *,
    exploded: bool = False,
    colors: Sequence[str] | None = None,
) -> Drawing:
    """Return the drawing of a single solution: see `draw_svg`.

    `colors`: the color of each placement as ``#rrggbb``; chosen automatically by default. Clues
    about colors are not shown: see `with_colors`.
    """
    named = Cover(puzzle, solution, colors)
    if not any(map(GENERATED.fullmatch, named.labels)):
        return draw_cover(named, width, exploded=exploded)
    several = len(set(named.labels)) > 1
    labels = label(named, LETTERS, copies_apart=False)[0] if several else [""] * len(solution)
    cover = Cover(puzzle, solution, colors, labels)
    drawing = draw_cover(cover, width, exploded=exploded)
    return _with_legend(drawing, cover) if several else drawing


UNPAINTED = Paint()
"""The paint of pieces without paint."""


def piece_drawing(
    piece: Piece, zoom: float, color: str = PALETTE[0], paint: Paint = UNPAINTED
) -> Drawing:
    """Return a small drawing of a piece in the given color, enlarged by the factor `zoom`.

    `paint`: the paint of a puzzle with this piece. A painted piece in space has its spots in a
    picture of each of its layers.

    >>> import exactile
    >>> piece_drawing(exactile.load("pentominoes-6x10").piece("I"), 1.0).size
    (90.0, 22.0)
    """
    cover = piece_cover(piece, color, paint)
    if len(piece.lattice.embedding[0]) == 3 and (
        cover.puzzle.paint.units or not is_cubic(piece.lattice)
    ):
        return draw_piece(cover, round(SIZE * zoom))
    return small_piece(cover, zoom)


def piece_cover(piece: Piece, color: str, paint: Paint) -> Cover:
    """Return a region that is covered by one piece and has the paint of the piece.

    `paint`: that of a puzzle with this piece; spots have the same colors as in the puzzle.
    """
    region = Region(piece.lattice, piece.units)
    placement = Placement(piece.name, tuple(tuple(u) for u in region.units.tolist()))
    puzzle = Puzzle("piece", region, (piece,), paint=Paint(paint.pieces.get(piece.name, {})))
    return Cover(puzzle, (placement,), [color], [""], paint_fills(paint))


def draw_piece(cover: Cover, width: int) -> Drawing:
    """Return the drawing of a piece as `piece_cover` returns it; `width`: in pixels.

    A piece in space is drawn as a whole if it has no paint, else also in layers, with its spots.
    """
    if len(cover.lattice.embedding[0]) == 3 and not cover.puzzle.paint.units:
        return draw_exploded(cover, width, apart=0.0)
    drawing = draw_cover(cover, width)
    # The captions of layers have the coordinates of a region, and pieces may be turned.
    kept = (element for element in drawing.elements if not element.startswith("<text "))
    return replace(drawing, elements=tuple(kept))


def _with_legend(drawing: Drawing, cover: Cover) -> Drawing:
    """Return a drawing with a legend below it: a small picture and the label of each piece.

    The legend leaves out placements that are not named like a piece, such as marked units.
    """
    shown = dict(zip((p.piece for p in cover.solution), cover.labels, strict=True))
    colors: dict[str, str] = {}
    for placement, color in zip(cover.solution, assign_colors(cover), strict=True):
        first = colors.setdefault(placement.piece, color)
        colors[placement.piece] = color if first == color else MIXED
    pieces = sorted(shown.items(), key=lambda entry: (len(entry[1]), entry[1]))
    known = cover.puzzle.piece_index
    listed = [(cover.puzzle.piece(n), colors[n], text) for n, text in pieces if n in known]
    if not listed:
        return drawing
    return with_pieces(drawing, listed, cover.title, cover.puzzle.paint)


def with_pieces(
    drawing: Drawing, pieces: Sequence[tuple[Piece, str, str]], title: str, paint: Paint
) -> Drawing:
    """Return a drawing with small pictures of pieces below it.

    `pieces`: triples of a piece, its color, and the word below its picture; at least one. `title`:
    the tooltip. `paint`: the paint of the puzzle.
    """
    width, height = drawing.size
    across = max(1, int((width - 2 * GAP) / CELL))
    pictures = [(piece_drawing(piece, ZOOM, color, paint), text) for piece, color, text in pieces]
    scale = min(1.0, *((CELL - 8) / side for picture, _ in pictures for side in picture.size))
    high = max(picture.size[1] for picture, _ in pictures) * scale + LINE + GAP
    rows = -(-len(pictures) // across)

    def entries() -> Iterator[str]:
        for k, (picture, text) in enumerate(pictures):
            w, h = (side * scale for side in picture.size)
            left = GAP + k % across * CELL + CELL / 2
            bottom = height + (k // across + 1) * high - LINE
            yield picture.placed(left - w / 2, bottom - h - 4, scale)
            yield lettering(left, bottom + 0.7 * LINE, text)

    _, _, *elements = drawing.elements
    whole = ground(width, height + rows * high + GAP, title, [*elements, *entries()])
    return replace(whole, unit=drawing.unit)


APART = 2
"""Distance in cells from a region to the pieces beside it; one column stays free."""

LOWEST = 8
"""Largest height in cells of a stack of pieces beside a region, unless the region is higher."""


def exhibit(
    puzzle: Puzzle, units: Iterable[Point] = (), pieces: Sequence[str] = (), *, mark: str = "#"
) -> tuple[Puzzle, Solution]:
    """Return a puzzle and placements that show marked units and pieces rather than a solution.

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
    numbers = region.index(np.array([*units], dtype=np.int64).reshape(-1, region.units.shape[1]))
    points = region.places if pieces else region.units
    marked = tuple(sorted(map(tuple, points[numbers].tolist())))
    shown: list[Placement] = [Placement(mark, marked)] if marked else []
    if not pieces:
        return puzzle, tuple(shown)
    places = _beside(region, [puzzle.piece(name) for name in pieces])
    shown += [
        Placement(name, tuple(sorted(tuple(u) for u in place.tolist())))
        for name, place in zip(pieces, places, strict=True)
    ]
    # Translations that identify units of the region would move pieces into it: they are omitted.
    wide = Region(puzzle.lattice, np.concatenate([region.places, *places]))
    return Puzzle(puzzle.name, wide, puzzle.pieces, title=puzzle.title), tuple(shown)


def _beside(region: Region, pieces: Iterable[Piece]) -> list[Points]:
    """Return the points of each piece; the pieces stand in columns on the right of a region."""
    period = region.lattice.period
    low = region.places.min(axis=0) // period
    high = region.places.max(axis=0) // period
    top = max(int(high[1]), int(low[1]) + LOWEST - 1)
    corner = low.copy()
    corner[0] = right = int(high[0]) + APART
    places = []
    for piece in pieces:
        aspect = _flattest(piece)
        least = aspect.min(axis=0) // period
        size = aspect.max(axis=0) // period - least + 1
        if corner[1] > low[1] and corner[1] + size[1] - 1 > top:
            corner[0], corner[1] = right, low[1]
        places.append(aspect + (corner - least) * period)
        corner[1] += size[1] + APART - 1
        right = max(right, int(corner[0] + size[0]) + APART - 1)
    return places


def _flattest(piece: Piece) -> Points:
    """Return the points of the aspect with the least extents, the last axis compared first."""
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
    """Return a drawing of a region with marked units, some of the pieces, and words above.

    - `units`: points of the units that are drawn in color.
    - `pieces`: names of pieces, drawn beside a region in the plane and below one in space.
    - `words`: the sentence above the drawing.
    - `mark`: the tooltip of the marked units.

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
            drawing = with_pieces(drawing, shown, puzzle.title or puzzle.name, puzzle.paint)
    return with_words(drawing, words, f"{puzzle.title or puzzle.name}: {words}")
