"""Pages of paper with drawings in rows, and fill patterns for printing; lengths in millimeters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Literal, NamedTuple

from exactile.errors import PictureError
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Puzzle, Solution
from exactile.render.cover import Cover
from exactile.render.paper import (
    GRAYS,
    INK,
    MM,
    PALETTE,
    PAPER,
    STYLE,
    Drawing,
    assign_colors,
    lettering,
    number,
    path,
)

Colors = Literal["palette", "gray", "patterns"]

STROKES = (
    "",
    "M0 4H8",
    "M4 0V8",
    "M-2 2L2-2M0 8L8 0M6 10L10 6",
    "M-2 6L2 10M0 0L8 8M6-2L10 2",
    "M1.5 1.5h1M5.5 5.5h1",
    "M0 4H8M4 0V8",
    "M0 2H8M0 6H8",
    "M2 0V8M6 0V8",
    "M0 8L8 0M0 0L8 8",
    "M0 0L4 4L8 0M0 4L4 8L8 4",
    "M2 4H6M4 2V6",
    "M-2 2L2-2M-2 6L6-2M0 8L8 0M2 10L10 2M6 10L10 6",
    "M0 4h2v-2h4v2h2",
)
"""Path data of the lines of each fill pattern, on a square of 8 by 8 pixels."""

MARKS = tuple(f"#f{k:x}ffff" for k in range(len(STROKES)))
"""Placeholder colors, one for each fill pattern; `patterned` replaces them by the patterns."""


HALO = f'stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
"""SVG attributes of letters on fill patterns: a white border that keeps them legible."""


def inks(lattice: Lattice, colors: Colors) -> Sequence[str]:
    """Return the colors for pieces: the palette, grays, or placeholders for fill patterns.

    Fill patterns are for cells in the plane; edges and solids are gray instead.
    """
    if colors == "palette":
        return PALETTE
    flat = len(lattice.embedding[0]) == 2 and len(lattice.faces[0][0]) > 2
    return MARKS if colors == "patterns" and flat else GRAYS


def inked(puzzle: Puzzle, placements: Solution, colors: Colors) -> list[str]:
    """Return the color or placeholder of each placement: see `inks`."""
    return assign_colors(Cover(puzzle, placements), inks(puzzle.lattice, colors))


def patterned(drawing: Drawing, *, fine: bool = False) -> Drawing:
    """Return a drawing with fill patterns in place of the placeholder colors in `MARKS`.

    Letters on fill patterns get a white border. `fine`: whether the drawing is in millimeters, not
    in pixels.

    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1" fill="#f2ffff"/>',))
    >>> patterned(dot).elements
    ('<circle r="1" fill="url(#pattern-2)"/>',)
    """
    family = "fine" if fine else "pattern"

    def replaced(element: str) -> str:
        for k, mark in enumerate(MARKS):
            if mark in element:
                element = element.replace(f'fill="{mark}"', f'fill="url(#{family}-{k})"')
                element = element.replace("<text ", f"<text {HALO} ")
        return element

    return replace(drawing, elements=tuple(map(replaced, drawing.elements)))


def definitions(colors: Colors) -> list[str]:
    """Return the SVG definitions of all fill patterns; none unless `colors` is ``"patterns"``.

    A page has them before its drawings.
    """
    if colors != "patterns":
        return []
    found = ["<defs>"]
    for family, scale in (("pattern", 1.0), ("fine", MM)):
        for k, lines in enumerate(STROKES):
            found.append(
                f'<pattern id="{family}-{k}" width="8" height="8" patternUnits="userSpaceOnUse" '
                f'patternTransform="scale({scale:.4f})"><rect width="8" height="8" '
                f'fill="{PAPER}"/><path d="{lines or "M0 0"}" fill="none" stroke="{INK}" '
                'stroke-opacity="0.55" stroke-width="0.8"/></pattern>'
            )
    return [*found, "</defs>"]


PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of each paper size, in millimeters."""

MARGIN = 12.0
"""Width of the margin of a page, in millimeters: a little more than most printers need."""

GAP = 6.0
"""Space between drawings on a page, in millimeters."""

HEAD, FOOT = 10.0, 12.0
"""Height of the title, and of the foot with the ruler and the page number, in millimeters."""

TITLE, WORDS, LINE = 5.0, 3.4, 4.6
"""Sizes of letters in titles and in other words, and height of a line, in millimeters."""

LETTER = 0.55
"""Approximate width of a letter relative to its size."""

RULER = 100
"""Length of the ruler, in millimeters."""

LARGEST = 1000.0
"""Largest length of the side of a cell, in millimeters."""

Placed = tuple[float, float, Drawing]
"""Left and top of a drawing within the area for drawings, in millimeters, and the drawing."""


class Section(NamedTuple):
    """Drawings under one title, on pages of their own.

    `most`: largest number of drawings on a page; None for as many as fit. `turned`: whether the
    drawings are upside down.
    """

    title: str
    blocks: Sequence[Drawing]
    most: int | None = None
    turned: bool = False


class PageLayout(NamedTuple):
    """The layout of pages: the paper, the colors, and whether a ruler shows the printed size.

    >>> PageLayout("letter").body
    (191.9, 233.4)
    """

    paper: str = "a4"
    ruler: bool = False
    colors: Colors = "palette"

    @property
    def body(self) -> tuple[float, float]:
        """Width and height of the area for drawings on a page, in millimeters."""
        wide, high = PAPERS[self.paper]
        return round(wide - 2 * MARGIN, 2), round(high - 2 * MARGIN - HEAD - FOOT, 2)

    def pages(self, sections: Iterable[Section]) -> list[str]:
        """Return pages with the drawings of all sections, each page as an SVG document.

        Raise PictureError if a drawing does not fit a page.
        """
        found = [
            (section, placed)
            for section in sections
            for placed in paged(section.blocks, *self.body, section.most)
        ]
        return [
            self._page(section, placed, f"{k} / {len(found)}" if found[1:] else "")
            for k, (section, placed) in enumerate(found, 1)
        ]

    def _page(self, section: Section, placed: Iterable[Placed], page: str) -> str:
        wide, high = PAPERS[self.paper]
        body = [each.placed(MARGIN + x, MARGIN + HEAD + y) for x, y, each in placed]
        if section.turned:
            middle = MARGIN + HEAD + self.body[1] / 2
            turn = f'<g transform="rotate(180 {number(wide / 2)} {number(middle)})">'
            body = [turn, *body, "</g>"]
        elements = [
            *definitions(self.colors),
            f'<rect width="{number(wide)}" height="{number(high)}" fill="{PAPER}"/>',
            lettering(MARGIN, MARGIN + TITLE, section.title, "start", size=TITLE),
            *body,
            lettering(wide - MARGIN, high - MARGIN, page, "end", size=WORDS),
            *(_ruler(MARGIN, high - MARGIN) if self.ruler else ()),
        ]
        box = ("0", "0", number(wide), number(high))
        return Drawing(number(wide), number(high), box, tuple(elements), STYLE).svg("mm")


def _ruler(x: float, y: float) -> Iterator[str]:
    """Yield the elements of a ruler with its left end at ``(x, y)``."""
    lines = [f"M{number(x)} {number(y)}h{RULER}"]
    lines += [
        f"M{number(x + k)} {number(y)}v-{3 if k % 50 == 0 else 2 if k % 10 == 0 else 1}"
        for k in range(0, RULER + 1, 5)
    ]
    yield path(lines, fill="none", stroke=INK, stroke_width=0.2, data_ruler=f"{RULER}mm")
    yield lettering(x + RULER + 2, y, f"{RULER} mm: print at 100 %", "start", size=WORDS)


def paged(
    blocks: Sequence[Drawing],
    width: float,
    height: float,
    most: int | None = None,
    gap: float = GAP,
) -> Iterator[list[Placed]]:
    """Yield the drawings of each page with their places, in rows from left to right.

    `width`, `height`: size of the area for drawings on a page. `most`: largest number of drawings
    on a page; None for as many as fit. `gap`: space between drawings. Raise PictureError if a
    drawing is larger than the area.

    >>> block = Drawing("40", "30", ("0", "0", "40", "30"), ())
    >>> [len(page) for page in paged([block] * 7, 90, 70)]
    [4, 3]
    """
    page: list[Placed] = []
    x = y = low = 0.0
    for block in blocks:
        wide, high = block.size
        if wide > width + 0.01 or high > height + 0.01:
            raise PictureError(
                f"A drawing of {wide:.0f} x {high:.0f} mm does not fit a page, which has "
                f"{width:.0f} x {height:.0f} mm: make cells smaller."
            )
        if x and x + wide > width + 0.01:
            x, y = 0.0, low + gap
        if page and (y + high > height + 0.01 or len(page) == most):
            yield page
            page, x, y, low = [], 0.0, 0.0, 0.0
        page.append((x, y, block))
        x, low = x + wide + gap, max(low, y + high)
    if page:
        yield page


def require_paper(paper: str, cell: float | None = None) -> None:
    """Raise PictureError if the paper is unknown, or `cell` is not from 0.5 to `LARGEST`.

    `cell`: length of the side of a cell, in millimeters; None if there is no such length.
    """
    if paper not in PAPERS:
        raise PictureError(f"There is no paper '{paper}': take {' or '.join(PAPERS)}.")
    if cell is not None and not 0.5 <= cell <= LARGEST:
        raise PictureError(f"A cell cannot measure {cell:g} mm: from 0.5 to {LARGEST:g} mm.")


def block_of(width: float, height: float, elements: Iterable[str]) -> Drawing:
    """Return SVG elements as a drawing with a width and a height in millimeters."""
    wide, high = number(width), number(height)
    return Drawing(wide, high, ("0", "0", wide, high), tuple(elements))


def fitting_lines(words: str, width: float, most: int = 2) -> list[str]:
    r"""Return words in lines that fit a width in millimeters.

    A line break in the words begins a new line. `most`: largest number of lines; dots replace words
    that do not fit these.

    >>> fitting_lines("Ring\n1. I on 0,0 1,0: no other placement.", 40, 3)
    ['Ring', '1. I on 0,0 1,0: no', 'other placement.']
    """
    letters = max(6, int(width / (LETTER * WORDS)))
    lines: list[str] = []
    for part in words.splitlines():
        if (left := most - len(lines)) > 0:
            lines += wrap(part, letters, max_lines=left, placeholder=" ...")
        else:
            lines[-1:] = wrap(f"{lines[-1]} {part}", letters, max_lines=1, placeholder=" ...")
    return lines
