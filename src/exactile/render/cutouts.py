"""Pieces in true size, to be printed and cut out: drawings in millimeters."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from exactile.doors import door
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Placement, Puzzle, Region
from exactile.puzzle.pieces.piece import Piece
from exactile.render.colors import INK, PALETTE, shade
from exactile.render.cover import Cover
from exactile.render.forms import draw_cover
from exactile.render.inks import Colors, inks, patterned
from exactile.render.layout import LETTER, LINE, WORDS, PageLayout, Section, block_of, require_paper
from exactile.render.paper import WIDTH, Drawing, lettering, number, path
from exactile.render.svg_pieces import draw_exploded
from exactile.render.thumbnail import EXACT, Node, boundary, cell_corners, seams

CUT, CREASE = 0.2, 0.1
"""Widths of the line to cut along, and of lines between cells, in millimeters."""

BORDER = 0.5
"""Room around a piece, in millimeters."""


@door
def draw_cutouts(
    pieces: Iterable[Piece],
    *,
    cell: float = 20.0,
    paper: str = "a4",
    title: str = "",
    colors: Colors = "palette",
) -> list[str]:
    """Draw pieces in true size on pages of paper, each with its name below it.

    Parameters
    ----------
    pieces
        The pieces, one drawing for each.
    cell
        Length of the longest side of a cell, or of an edge, in millimeters.
    paper
        ``"a4"`` or ``"letter"``.
    title
        The title of each page.
    colors
        ``"palette"``; ``"gray"`` or ``"patterns"`` for printers without colors.

    Returns
    -------
    list of str
        A standalone SVG document for each page, its size in millimeters; `write_pages` makes a PDF
        of them. Pieces in the plane are outlined by a line of 0.2 mm, drawn once; pieces in space
        are pictures. At the foot is a ruler of 100 mm.

    Raises
    ------
    PictureError
        If a piece is larger than a page, or if there is no such paper.

    Examples
    --------
    >>> import exactile
    >>> pages = exactile.draw_cutouts(exactile.load("pentominoes-6x10").pieces, cell=20)
    >>> len(pages), pages[0].count('width="210mm"')
    (2, 1)
    """
    require_paper(paper, cell)
    numbers: dict[str, int] = {}
    blocks = []
    for piece in pieces:
        palette = inks(piece.lattice, colors)
        number = numbers.setdefault(piece.name, len(numbers))  # copies have one color
        blocks.append(_named(cutout(piece, cell, palette[number % len(palette)]), piece.name))
    return PageLayout(paper, ruler=True, colors=colors).pages([Section(title, blocks)])


def _named(drawing: Drawing, name: str) -> Drawing:
    """Return a piece with its name below it."""
    width, height = drawing.size
    wide = max(width, LETTER * WORDS * len(name))
    return block_of(
        wide,
        height + LINE,
        [
            drawing.placed((wide - width) / 2, 0),
            lettering(wide / 2, height + 0.8 * LINE, name, size=WORDS),
        ],
    )


def cutout(piece: Piece, cell: float, color: str = PALETTE[0]) -> Drawing:
    """Return a piece in millimeters.

    `cell`: the length of the longest side of a cell.

    >>> import exactile
    >>> cutout(exactile.load("pentominoes-6x10").piece("I"), 20).size
    (101.0, 21.0)
    """
    if is_flat(piece.lattice):
        return _outlined(piece, cell, color)
    region = Region(piece.lattice, piece.units)
    placement = Placement(piece.name, tuple(tuple(u) for u in region.units.tolist()))
    cover = Cover(Puzzle("piece", region, (piece,)), (placement,), [color], [""])
    if len(piece.lattice.embedding[0]) == 3:
        drawing = draw_exploded(cover, WIDTH, apart=0.0)
    else:
        drawing = draw_cover(cover, WIDTH)
    return drawing.trimmed().scaled(cell / drawing.unit)


def is_flat(lattice: Lattice) -> bool:
    """Return whether units are cells in the plane."""
    return len(lattice.embedding[0]) == 2 and len(lattice.faces[0][0]) > 2


def _outlined(piece: Piece, cell: float, color: str) -> Drawing:
    corners = cell_corners(Region(piece.lattice, piece.units))
    embedding = np.array(piece.lattice.embedding) * cell / EXACT
    places = np.array([c for polygon in corners for c in polygon]) @ embedding
    low, high = places.min(axis=0) - BORDER, places.max(axis=0) + BORDER

    def at(node: Node) -> str:
        x, y = np.array(node) @ embedding
        return f"{number(x - low[0])} {number(high[1] - y)}"

    outline = ["M" + "L".join(map(at, loop)) + "Z" for loop in boundary(corners)]
    between = [f"M{at(first)}L{at(second)}" for first, second in seams(corners)]
    elements = [path(outline, fill=color, stroke=INK, stroke_width=CUT, stroke_linejoin="round")]
    if between:
        elements.append(path(between, stroke=shade(color, 0.75), stroke_width=CREASE))
    wide, high_ = (high - low).tolist()
    return patterned(block_of(wide, high_, elements), fine=True)
