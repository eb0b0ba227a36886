"""A solution as SVG, with a legend if the names of its pieces are generated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from exactile.doors import door
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.puzzle.pieces.piece import Piece
from exactile.render.colors import PALETTE, assign_colors
from exactile.render.cover import Cover, with_colors
from exactile.render.facets import is_cubic
from exactile.render.forms import draw_cover
from exactile.render.labels import label
from exactile.render.paper import Drawing, ground, lettering
from exactile.render.svg_pieces import draw_exploded
from exactile.render.thumbnail import SIZE, small

GENERATED = re.compile(r"[PQ]\d+x\d+", re.IGNORECASE)
"""Generated names, which consist of an order and a rank."""

LETTERS = 3
"""Largest length of a label."""

ZOOM = 0.6
"""Size of pieces in a legend, unless one of them would not fit."""

MIXED = "#bdc1c6"
"""Color in the legend of pieces whose copies differ in color."""

CELL, LINE, GAP = 66.0, 15.0, 10.0
"""Width of an entry of a legend, height of its letters, space around it; in pixels."""


@door
def draw_svg(
    puzzle: Puzzle, solution: Solution, *, width: int = 640, exploded: bool = False
) -> str:
    """Draw a solution as a standalone SVG document.

    Parameters
    ----------
    puzzle
        The puzzle.
    solution
        Its placements. Units that they do not cover are light gray; an empty solution draws the
        region.
    width
        Width of the drawing in pixels; the height follows from it.
    exploded
        Whether pieces in space are drawn apart from each other, each whole, rather than in place
        and in layers. It has no effect in the plane.

    Returns
    -------
    str
        The document, with a white background and without scripts or style sheets. Names of pieces
        are tooltips of their cells or edges. Solids are drawn in place, and in layers, the lowest
        first. Pieces with generated names such as ``P4x13`` have numbers, which small pictures
        below explain. Equal arguments give equal documents.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> picture = draw_svg(puzzle, exactile.solve_one(puzzle))
    >>> picture.startswith("<svg "), picture.count("<title>")
    (True, 13)
    """
    shown = with_colors(puzzle, solution)
    return draw_alone(puzzle, shown, width, exploded=exploded).svg()


def draw_alone(
    puzzle: Puzzle,
    solution: Solution,
    width: int,
    *,
    exploded: bool = False,
    colors: Sequence[str] | None = None,
) -> Drawing:
    """Return the drawing of a single solution: see `draw_svg`; `colors`: see `Cover`."""
    named = Cover(puzzle, solution, colors)
    if not any(map(GENERATED.fullmatch, named.labels)):
        return draw_cover(named, width, exploded=exploded)
    several = len(set(named.labels)) > 1
    labels = label(named, LETTERS, copies_apart=False)[0] if several else [""] * len(solution)
    cover = Cover(puzzle, solution, colors, labels)
    drawing = draw_cover(cover, width, exploded=exploded)
    return _with_legend(drawing, cover) if several else drawing


def piece_drawing(piece: Piece, zoom: float, color: str = PALETTE[0]) -> Drawing:
    """Return a small drawing of a piece.

    >>> import exactile
    >>> piece_drawing(exactile.load("pentominoes-6x10").piece("I"), 1.0).size
    (90.0, 22.0)
    """
    region = Region(piece.lattice, piece.units)
    placement = Placement(piece.name, tuple(tuple(u) for u in region.units.tolist()))
    puzzle = Puzzle("piece", region, (piece,))
    if len(piece.lattice.embedding[0]) == 3 and not is_cubic(piece.lattice):
        nameless = Cover(puzzle, (placement,), colors=[color], labels=[""])
        return draw_exploded(nameless, round(SIZE * zoom), apart=0.0)
    return small(puzzle, (placement,), zoom=zoom, colors=[color])


def _with_legend(drawing: Drawing, cover: Cover) -> Drawing:
    """Return a drawing with a small picture of each piece below it, and its label.

    Placements of other names, such as marked units, are not in the legend.
    """
    shown = dict(zip((p.piece for p in cover.solution), cover.labels, strict=True))
    colors: dict[str, str] = {}
    for placement, color in zip(cover.solution, assign_colors(cover), strict=True):
        first = colors.setdefault(placement.piece, color)
        colors[placement.piece] = color if first == color else MIXED
    pieces = sorted(shown.items(), key=lambda entry: (len(entry[1]), entry[1]))
    known = cover.puzzle.piece_index
    listed = [(cover.puzzle.piece(n), colors[n], text) for n, text in pieces if n in known]
    return with_pieces(drawing, listed, cover.title) if listed else drawing


def with_pieces(drawing: Drawing, pieces: Sequence[tuple[Piece, str, str]], title: str) -> Drawing:
    """Return a drawing with small pictures of pieces below it, each in a color and with a word."""
    width, height = drawing.size
    across = max(1, int((width - 2 * GAP) / CELL))
    pictures = [(piece_drawing(piece, ZOOM, color), text) for piece, color, text in pieces]
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
