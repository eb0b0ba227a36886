"""Pages of paper: puzzles to be solved by hand, and pieces at actual size to be cut out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from math import ceil, floor
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from exactile.doors import Positive, door
from exactile.errors import PictureError
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Puzzle, Region, Solution
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.render.cover import with_colors
from exactile.render.layout import (
    GAP,
    LETTER,
    LINE,
    WORDS,
    Colors,
    PageLayout,
    Placed,
    Section,
    block_of,
    fitting_lines,
    inked,
    inks,
    paged,
    patterned,
    require_paper,
)
from exactile.render.paper import (
    INK,
    MM,
    PALETTE,
    WIDTH,
    Drawing,
    dot,
    lettering,
    number,
    painted,
    path,
    shade,
)
from exactile.render.paper import MARGIN as AROUND
from exactile.render.svg import UNPAINTED, draw_alone, draw_piece, hidden_wrap, piece_cover
from exactile.render.svg_plane import spot_radius
from exactile.render.thumbnail import EXACT, Node, boundary, cell_corners, seams

CUT, CREASE = 0.2, 0.1
"""Widths of the line to cut along, and of lines between cells, in millimeters."""

BORDER = 0.5
"""Width of the blank border around a piece to be cut out, in millimeters."""


@door
def draw_cutouts(
    pieces: Iterable[Piece],
    *,
    cell: float = 20.0,
    paper: str = "a4",
    title: str = "",
    colors: Colors = "palette",
    paint: Paint = UNPAINTED,
) -> list[str]:
    """Draw pieces at actual size on pages of paper, each with its name below it.

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
        ``"palette"``; ``"gray"`` or ``"patterns"`` for printers without colors. Patterns are for
        cells in the plane; edges and solids are gray instead.
    paint
        The paint of a puzzle with these pieces, `puzzle.paint`; by default, pieces have none.

    Returns
    -------
    list of str
        A standalone SVG document for each page, its size in millimeters; none without pieces.
        `write_pages` makes a PDF of them. Pieces of cells in the plane are outlined by a single
        line of 0.2 mm; other pieces are pictures. At the foot is a ruler of 100 mm.

    Raises
    ------
    PictureError
        If a piece does not fit a page, `cell` is not from 0.5 to 1000, or the paper is unknown.

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
        drawing = cutout(piece, cell, palette[number % len(palette)], paint)
        blocks.append(_named(drawing, piece.name))
    return PageLayout(paper, ruler=True, colors=colors).pages([Section(title, blocks)])


def _named(drawing: Drawing, name: str) -> Drawing:
    """Return the drawing of a piece with its name below it."""
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


def cutout(piece: Piece, cell: float, color: str = PALETTE[0], paint: Paint = UNPAINTED) -> Drawing:
    """Return the drawing of a piece at actual size, in millimeters.

    `cell`: the length of the longest side of a cell, or of an edge. `paint`: that of a puzzle with
    this piece.

    >>> import exactile
    >>> cutout(exactile.load("pentominoes-6x10").piece("I"), 20).size
    (101.0, 21.0)
    """
    if is_flat(piece.lattice):
        return _outlined(piece, cell, color, paint)
    drawing = draw_piece(piece_cover(piece, color, paint), WIDTH)
    return drawing.trimmed().scaled(cell / drawing.unit)


def is_flat(lattice: Lattice) -> bool:
    """Return whether the units of a lattice are cells in the plane."""
    return len(lattice.embedding[0]) == 2 and len(lattice.faces[0][0]) > 2


def _outlined(piece: Piece, cell: float, color: str, paint: Paint) -> Drawing:
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
    if paint.pieces.get(piece.name):
        cover = piece_cover(piece, color, paint)
        for unit, name, fill in painted(cover, range(len(corners))):
            center = at((cover.region.places[unit] * EXACT).tolist())
            radius = spot_radius(cover, unit) * cell
            # Only the line to cut along has the color of ink
            elements.append(dot(center, radius, name, fill, shade(fill, 0.6), CREASE))
    wide, high_ = (high - low).tolist()
    return patterned(block_of(wide, high_, elements), fine=True)


PER_PAGE = 6
"""Default number of puzzles on a page, if they are not drawn at actual size."""

ANSWERS = (4, 12)
"""Least and largest number of solutions for which a page has room.

A larger `per_page` replaces the largest number.
"""

BANK, BANK_EDGE = 3.5, 6.0
"""Largest length of a cell's side, and of an edge, in pieces below a board, in millimeters."""

LEAST_BANK = 1.0
"""Least length of a cell's side, or of an edge, in pieces below a board, in millimeters."""

MOST_BANK = 0.45
"""Largest height of the pieces below a board, relative to that of caption, board and pieces."""

MOST_CAPTION = 0.4
"""Largest height of a caption, relative to that of caption and board; two lines may be higher."""

MOST_NOTE = 4
"""Largest number of lines below a board."""

LEAST = 10.0
"""Least width and height of a board, in millimeters."""

APART = 2.0
"""Space between pieces below a board, in millimeters."""

WIDTHS = (160, 240, 360, 540, 800, 1200, 1800, 2700)
"""Widths in pixels that are tried for a board at actual size.

The width determines how layers are arranged; the drawing is then scaled.
"""


class SheetBoard(NamedTuple):
    """A puzzle on paper.

    - `puzzle`: the puzzle.
    - `placements`: the placements drawn in its region: none, given pieces, or a solution.
    - `caption`: the words above the region; a line break in them begins a new line.
    """

    puzzle: Puzzle
    placements: Solution
    caption: str


class SheetHints(NamedTuple):
    """Hints for a puzzle on paper.

    - `caption`: the words above the hints.
    - `sentences`: the hints in the order in which they are needed.
    """

    caption: str
    sentences: Sequence[str]


@door
def draw_pages(
    boards: Sequence[SheetBoard],
    *,
    answers: Sequence[SheetBoard] = (),
    hints: Sequence[SheetHints] = (),
    title: str = "",
    paper: str = "a4",
    per_page: Positive | None = None,
    columns: Positive | None = None,
    cell: float | None = None,
    bank: bool = False,
    colors: Colors = "palette",
) -> list[str]:
    """Draw puzzles on pages of paper.

    Parameters
    ----------
    boards
        Triples of a puzzle, placements in its region, and a caption. The placements are ``()`` for
        an empty board, ``puzzle.fixed`` for the given placements, or a solution.
    answers
        Boards that are drawn smaller, on separate pages at the end.
    hints
        Pairs of a caption and sentences, printed upside down on separate pages before the answers:
        see `exactile.grade`.
    title
        The title of each page.
    paper
        ``"a4"`` or ``"letter"``.
    per_page
        Largest number of boards on a page: 6 by default or, with `cell`, as many as fit.
    columns
        Number of boards in a row; by default chosen so that boards are large. With `cell`, as many
        as fit.
    cell
        Length of the longest side of a cell, or of an edge, in millimeters: boards are drawn at
        this size. By default, they are as large as fits.
    bank
        Whether the pieces that are not on a board are drawn below it.
    colors
        ``"palette"``; ``"gray"`` or ``"patterns"`` for printers without colors. Patterns are for
        cells in the plane; edges and solids are gray instead.

    Returns
    -------
    list of str
        A standalone SVG document for each page, its size in millimeters; `write_pages` makes a PDF
        of them. With `cell`, there is a ruler of 100 mm at the foot, to check the printer.

    Raises
    ------
    PictureError
        If boards or the pieces below them do not fit a page, `cell` is not from 0.5 to 1000, or the
        paper is unknown.
    PuzzleError
        If a placement is not in the region of its board.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> pages = exactile.draw_pages([(puzzle, (), "Fill it.")], cell=15, bank=True)
    >>> len(pages), "100 mm" in pages[0]
    (1, True)
    """
    require_paper(paper, cell)
    sheet = PageLayout(paper, ruler=cell is not None, colors=colors)
    most = per_page
    if cell is None:
        number = min(per_page or PER_PAGE, max(1, len(boards)))
        most = number
        blocks = _in_grid(boards, sheet, number, columns, bank=bank)
    else:
        blocks = [_in_size(board, sheet, cell, bank=bank) for board in boards]
    sections = [Section(title, blocks, most)]
    if hints:
        written = [block for each in hints for block in _sentences(*each, sheet)]
        sections.append(Section(f"{title}: hints" if title else "Hints", written, turned=True))
    if answers:
        least, greatest = ANSWERS
        number = max(least, min(max(greatest, per_page or 0), len(answers)))
        small = _in_grid(answers, sheet, number, None, bank=False)
        sections.append(Section(f"{title}: solutions" if title else "Solutions", small))
    return sheet.pages(sections)


def least_pages(boards: int, per_page: int | None, *, in_size: bool) -> int:
    """Return a lower bound on the number of pages for a number of puzzles, before they are drawn.

    `per_page`: largest number of puzzles on a page; None for the default of `draw_pages`.
    `in_size`: whether they are drawn at actual size.

    >>> least_pages(7, None, in_size=False), least_pages(7, None, in_size=True)
    (2, 1)
    """
    return ceil(boards / (per_page or (boards if in_size else PER_PAGE)))


def _in_grid(
    boards: Sequence[SheetBoard], sheet: PageLayout, number: int, columns: int | None, *, bank: bool
) -> list[Drawing]:
    """Return boards as drawings of one size, of which `number` fit on a page.

    `columns`: number of boards in a row, or None to make boards large. `bank`: whether to draw,
    below each board, the pieces that are not on it. Raise PictureError if the boards do not fit.
    """
    wide, high = sheet.body
    aspect = 1.0
    for puzzle, placements, _ in boards[:1]:  # others are taken to be similar
        across, down = draw_alone(puzzle, placements, 400).trimmed().size
        aspect = across / down

    def size(across: int) -> tuple[float, float]:
        down = ceil(number / across)
        sides = (wide - (across - 1) * GAP) / across, (high - (down - 1) * GAP) / down
        width, height = (floor(100 * side + 1e-6) / 100 for side in sides)  # as drawings round them
        return width, height

    def merit(across: int) -> float:
        width, height = size(across)
        return min(width, (height - 2 * LINE) * (0.6 if bank else 1.0) * aspect)

    width, height = size(min(columns or max(range(1, number + 1), key=merit), number))
    if min(width, height - 3 * LINE) < LEAST:
        raise PictureError(f"{number} boards do not fit a page: take fewer, or more columns.")
    alike = [
        list(same)
        for first in range(0, len(boards), number)
        for _, same in groupby(boards[first : first + number], lambda board: board.puzzle.region)
    ]
    return [d for same in alike for d in _fitted(same, width, height, sheet.colors, bank=bank)]


def _fitted(
    boards: Sequence[SheetBoard], width: float, height: float, colors: Colors, *, bank: bool
) -> Iterator[Drawing]:
    """Yield drawings of the given size, in millimeters, of boards that share one region.

    `bank`: whether to draw, below each board, the pieces that are not on it. Raise PictureError if
    they do not fit.
    """
    most = max(2, int(MOST_CAPTION * (1 - MOST_BANK * bank) * height / LINE))
    captions = [fitting_lines(board.caption, width, most) for board in boards]
    top = max(map(len, captions)) * LINE
    banks = _small_banks(boards, width, MOST_BANK * height, colors) if bank else [[]] * len(boards)
    low = max(map(_bank_height, banks))
    room = height - top - (low + APART if low else 0.0)
    note = _note(boards[0], width)
    note = note if room - len(note) * LINE >= LEAST else []
    room -= len(note) * LINE
    for board, lines, pieces in zip(boards, captions, banks, strict=True):
        drawing = _as_large_as(board, width, room, colors)
        left = (width - drawing.size[0]) / 2
        foot = top + drawing.size[1]
        below = foot + len(note) * LINE + APART
        elements = [
            *_words(lines),
            drawing.placed(left, top),
            *_words(note, foot),
            *(p.placed(x, below + y) for x, y, p in pieces),
        ]
        yield block_of(width, height, elements)


def _note(board: SheetBoard, width: float) -> list[str]:
    """Return lines of words about a wrap that a drawing hides; none if there is no room for all."""
    lines = fitting_lines(hidden_wrap(board.puzzle.region), width, MOST_NOTE + 1)
    return lines if len(lines) <= MOST_NOTE else []


def _drawn(board: SheetBoard, width: int, colors: Colors) -> Drawing:
    """Return the drawing of a board in pixels."""
    shown = with_colors(board.puzzle, board.placements)
    chosen = inked(board.puzzle, shown, colors)
    return patterned(draw_alone(board.puzzle, shown, width, colors=chosen))


def _as_large_as(board: SheetBoard, width: float, height: float, colors: Colors) -> Drawing:
    """Return the drawing of a board in millimeters, as large as this width and height allow."""
    pixels = width / MM
    drawing = _drawn(board, round(pixels), colors)
    over = drawing.size[1] * MM / height
    if over > 1:  # drawn smaller, not scaled: lines and letters keep their size
        drawing = _drawn(board, max(60, round(pixels / over)), colors)
    drawing = drawing.trimmed()
    across, down = drawing.size
    return drawing.scaled(min(MM, width / across, height / down))


def _in_size(board: SheetBoard, sheet: PageLayout, cell: float, *, bank: bool) -> Drawing:
    """Return the drawing of a board at actual size with its caption and, with `bank`, its pieces.

    `cell`: length of the longest side of a cell, or of an edge, in millimeters. Raise PictureError
    if the board or a piece does not fit a page.
    """
    wide, high = sheet.body
    plain = [d for pixels in WIDTHS if (d := _drawn(board, pixels, sheet.colors)).unit]
    found = [d.trimmed().scaled(cell / d.unit) for d in plain]
    high -= 2 * LINE  # for the words above

    def tall(found: Drawing) -> float:
        return found.size[1] + len(_note(board, max(60.0, found.size[0]))) * LINE

    inside = [d for d in found if d.size[0] <= wide and tall(d) <= high]
    if not inside:
        pixels = [d.trimmed().size for d in plain]  # not of `found`, whose sizes are rounded
        high -= len(_note(board, wide)) * LINE
        largest = max(
            d.unit * min(wide / w, high / h) for d, (w, h) in zip(plain, pixels, strict=True)
        )
        around = [2 * AROUND * cell / d.unit for d in plain]  # its margins are not the board
        sizes = [(d.size[0] - m, d.size[1] - m) for d, m in zip(found, around, strict=True)]
        width, height = min(sizes, key=lambda size: size[0] * size[1])
        raise PictureError(
            f"{board.puzzle.name} measures {width:.0f} x {height:.0f} mm with cells of {cell:g} mm,"
            " more than a page has room for: take cells of at most "
            f"{floor(10 * largest + 1e-6) / 10:g} mm."
        )
    drawing = min(inside, key=lambda d: (round(d.size[0] * d.size[1]), d.size))
    cell = min(_bank_size(board), cell)
    left = _blocks(board, cell, sheet.colors) if bank else []
    width = max(drawing.size[0], min(wide, max([60.0, *(block.size[0] for block in left)])))
    lines = fitting_lines(board.caption, width)
    top = len(lines) * LINE
    pieces = _bank(left, width)
    noted, foot = _note(board, width), top + drawing.size[1]
    below = foot + len(noted) * LINE + APART
    low = _bank_height(pieces) if pieces else -APART
    elements = [
        *_words(lines),
        drawing.placed(0, top),
        *_words(noted, foot),
        *(p.placed(x, below + y) for x, y, p in pieces),
    ]
    return block_of(width, below + low, elements)


def _words(lines: Sequence[str], top: float = 0.0) -> Iterator[str]:
    """Yield lines of text as SVG elements, from a place below the top of a drawing."""
    for k, line in enumerate(lines):
        yield lettering(0, top + (k + 0.75) * LINE, line, "start", size=WORDS)


def _sentences(caption: str, sentences: Sequence[str], sheet: PageLayout) -> Iterator[Drawing]:
    """Yield the hints for a puzzle as drawings of text, half as wide as a page.

    There are several if the text is higher than a page.
    """
    wide, high = sheet.body
    width, most = (wide - GAP) / 2, int(high / LINE) - 1
    letters = int(width / (LETTER * WORDS))
    lines = [line for words in sentences for line in wrap(words, letters, subsequent_indent="   ")]
    for first in range(0, max(1, len(lines)), most):
        text = [*fitting_lines(caption, width)[:1], *lines[first : first + most]]
        yield block_of(width, len(text) * LINE, list(_words(text)))


def _bank_size(board: SheetBoard) -> float:
    """Return the largest side of a cell, or the longest edge, for pieces below a board, in mm."""
    return BANK_EDGE if len(board.puzzle.lattice.faces[0][0]) == 2 else BANK


def _small_banks(
    boards: Sequence[SheetBoard], width: float, height: float, colors: Colors
) -> list[list[Placed]]:
    """For each board, return the pieces that are not on it, in rows, as small as needed.

    Raise PictureError if they do not fit even with cells of `LEAST_BANK`.
    """
    cell = _bank_size(boards[0])
    while cell >= LEAST_BANK:
        with suppress(PictureError):  # a piece is wider than the board
            banks = [_bank(_blocks(board, cell, colors), width) for board in boards]
            if max(map(_bank_height, banks)) <= height:
                return banks
        cell *= 0.85
    most = max(boards, key=lambda board: len(list(_left(board, colors))))
    raise PictureError(
        f"The pieces of {most.puzzle.name} do not fit below its board: take fewer boards to a "
        "page, or no bank."
    )


def _bank_height(pieces: Sequence[Placed]) -> float:
    """Return the height of the pieces below a board, in millimeters; 0 if there are none."""
    return max((y + each.size[1] for _, y, each in pieces), default=0.0)


def _blocks(board: SheetBoard, cell: float, colors: Colors) -> list[Drawing]:
    """Return the drawings of the pieces that are not on a board; `cell`: see `_bank_size`."""
    return [
        _with_name(
            cutout(piece, cell, color, board.puzzle.paint),
            f"{number} x {piece.name}" if number > 1 else "",
        )
        for piece, number, color in _left(board, colors)
    ]


def _bank(blocks: Sequence[Drawing], width: float) -> list[Placed]:
    """Place drawings in rows of a width in millimeters; raise PictureError if one is wider."""
    # No page is that high: all are on the first one
    return next(paged(blocks, width, 10_000.0, gap=APART), [])


def _left(board: SheetBoard, colors: Colors) -> Iterator[tuple[Piece, int, str]]:
    """Yield the pieces that are not on a board, each with its number of copies and its color."""
    palette = inks(board.puzzle.lattice, colors)
    used = Counter(placement.piece for placement in board.placements)
    for k, piece in enumerate(board.puzzle.pieces):
        room = len(board.puzzle.region) // len(piece.units)
        if (number := min(piece.upper, room) - used[piece.name]) > 0:
            yield piece, number, palette[k % len(palette)]


def _with_name(drawing: Drawing, words: str) -> Drawing:
    """Return the drawing of a piece with words below it, unchanged if there are no words."""
    if not words:
        return drawing
    width, height = drawing.size
    size = 0.8 * WORDS
    wide = max(width, LETTER * size * len(words))
    said = lettering(wide / 2, height + size, words, size=size)
    return block_of(wide, height + 1.3 * size, [drawing.placed((wide - width) / 2, 0), said])
