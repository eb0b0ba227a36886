"""SVG drawings, sheets that give elements their places, and colors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from textwrap import wrap

import numpy as np
import numpy.typing as npt

from exactile.puzzle.paint import Paint
from exactile.render.cover import Cover

PALETTE = (
    "#c1852b",
    "#9193fb",
    "#fee6ad",
    "#a5f1fd",
    "#6c9c88",
    "#bdc1c6",
    "#d4ebd3",
    "#9ac583",
    "#b481a5",
    "#e2aefc",
    "#9b966a",
    "#cab547",
    "#fb89a5",
    "#1bb1c7",
)
"""Colors of pieces, light enough for black letters and dark enough for a white ground.

Any two differ by at least 9.4 in CIEDE2000, also with red, green or blue blindness; the first few
differ by much more.
"""

PAPER = "#ffffff"
INK = "#2b2b2b"
EMPTY_FILL = "#e8e8e8"
BARE = "#d4d4d4"
FAINT = "#c4c4c4"
GHOST = "#f4f4f4"
RIM = "#707070"


GRAYS = ("#f2f2f2", "#bdbdbd", "#dadada", "#9a9a9a", "#cccccc", "#ababab", "#e6e6e6")
"""Grays for prints without colors, light enough for black letters."""


def assign_colors(cover: Cover, palette: Sequence[str] = PALETTE) -> list[str]:
    """Return the color of each placement: from `cover` if it has colors, else from `palette`.

    If there are enough colors, all placements have different ones. If, in addition, there are at
    least as many colors as pieces and no piece is used twice, the color of a piece is the same in
    all solutions. With too few colors, a placement gets the least used of the colors that no
    placement touching it has; if the placements touching it have all colors, the least used of all.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> len(set(assign_colors(Cover(puzzle, exactile.solve_one(puzzle)))))
    12
    """
    if cover.colors is not None:
        return list(cover.colors)
    count = len(palette)
    used = [0] * count
    chosen: list[int] = []
    for placement, touching in zip(cover.solution, cover.touching, strict=True):
        near = {chosen[other] for other in touching if other < len(chosen)}
        first = cover.puzzle.piece_index.get(placement.piece, 0)
        rotation = [(first + k) % count for k in range(count)]
        free = [c for c in rotation if c not in near] or rotation
        best = min(free, key=lambda c: used[c])
        used[best] += 1
        chosen.append(best)
    return [palette[c] for c in chosen]


def mixed(color: str, part: float) -> str:
    """Return a mixture of a color and white; `part`: the share of the color, from 0 to 1.

    >>> mixed("#000000", 0.38)
    '#9e9e9e'
    """
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - part * (255 - p)):02x}" for p in parts)


def shade(color: str, factor: float) -> str:
    """Return a color made darker by a factor below 1.

    >>> shade("#80ff00", 0.5)
    '#408000'
    """
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(p * factor):02x}" for p in parts)


SVG = 'xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True)
class Drawing:
    """SVG elements and the rectangle on which they are drawn.

    `width`, `height`: size of the rectangle in pixels or, for paper, in millimeters. `box`: left,
    top, width and height of the rectangle in the coordinates of the elements. `elements`: the
    elements in the order in which they are drawn. `style`: attributes of all elements, each
    preceded by a space. `unit`: pixels per unit of length; 0 if parts have different scales.
    `blank`: width of the blank on the left, equal to that on the right, besides the margin, in the
    coordinates of the elements.

    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1"/>',))
    >>> print(dot.svg(), end="")
    <svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 1 1">
    <circle r="1"/>
    </svg>
    """

    width: str
    height: str
    box: tuple[str, str, str, str]
    elements: tuple[str, ...]
    style: str = ""
    unit: float = 0.0
    blank: float = 0.0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as floats, in pixels or, for paper, in millimeters."""
        return float(self.width), float(self.height)

    def scaled(self, factor: float) -> Drawing:
        """Return the drawing enlarged by a factor."""
        width, height = (number(side * factor) for side in self.size)
        return replace(self, width=width, height=height, unit=self.unit * factor)

    def trimmed(self) -> Drawing:
        """Return the drawing without its blanks at the left and at the right, but with its margin.

        >>> wide = replace(Drawing("8", "4", ("0", "0", "8", "4"), ()), blank=2)
        >>> wide.trimmed().size, wide.trimmed().box
        ((4.0, 4.0), ('2', '0', '4', '4'))
        """
        left, top, wide, high = map(float, self.box)
        kept = wide - 2 * self.blank
        width = number(self.size[0] * kept / wide)
        box = (number(left + self.blank), number(top), number(kept), number(high))
        return replace(self, width=width, box=box, blank=0.0)

    def svg(self, measure: str = "") -> str:
        """Return the drawing as an SVG document; `measure`: ``"mm"``, or empty for pixels."""
        return f"<svg {SVG} {self._inner(self.width + measure, self.height + measure)}\n"

    def placed(self, x: float, y: float, scale: float = 1.0) -> str:
        """Return the scaled drawing as an element, with its upper left corner at ``(x, y)``."""
        large = self.scaled(scale)
        return f'<svg x="{number(x)}" y="{number(y)}" {self._inner(large.width, large.height)}'

    def _inner(self, width: str, height: str) -> str:
        view = f'width="{width}" height="{height}" viewBox="{" ".join(self.box)}"{self.style}>'
        return "\n".join([view, *filter(None, self.elements), "</svg>"])


def number(value: float) -> str:
    """Return a number as text with at most two decimals.

    >>> number(2.5), number(1 / 3), number(-0.001)
    ('2.5', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def harmless(words: str) -> str:
    r"""Return words escaped for SVG; characters that cannot be printed become blanks.

    >>> harmless("a\x01 < b")
    'a  &lt; b'
    """
    return escape("".join(c if c.isprintable() else " " for c in words))


Place = Sequence[float] | npt.NDArray[np.float64]
"""A place in the plane, in units of the longest side of a cell, with y growing upwards."""

STYLE = ' font-family="sans-serif" role="img"'
"""Attributes of all drawings with words."""

WIDTH = 640
"""Default width of a drawing of one solution, in pixels."""

MM = 25.4 / 96
"""Millimeters in a pixel."""

MARGIN = 14.0
LARGEST_UNIT = 84.0
LEGIBLE = 6.0
LINE, WORD = 19.0, 7.6
"""Height of a line of words above a drawing, and approximate width of a letter, in pixels."""

TALLEST = 1.25
"""Largest height of a drawing relative to its width."""


class Paper:
    """A sheet of a given width, with the largest scale at which all of `places` fit on it.

    The scale is at most `LARGEST_UNIT`. `width`: in pixels. `tallest`: largest height relative to
    the width.
    """

    def __init__(self, places: Iterable[Place], width: int, tallest: float = TALLEST) -> None:
        array = np.array([[float(p[0]), float(p[1])] for p in places])
        low, high = array.min(axis=0), array.max(axis=0)
        extent = np.maximum(high - low, 1e-9)
        room = max(width - 2 * MARGIN, 1.0)
        # Pixels per unit of length
        self.scale = float(min(room / extent[0], tallest * width / extent[1], LARGEST_UNIT))
        self.width = width
        self.height = float(extent[1]) * self.scale + 2 * MARGIN
        self._left = (width - float(extent[0]) * self.scale) / 2 - float(low[0]) * self.scale
        self._top = MARGIN + float(high[1]) * self.scale
        self._blank = max(0.0, (width - float(extent[0]) * self.scale) / 2 - MARGIN)

    def at(self, place: Place) -> str:
        """Return a place in pixels from the upper left corner, as text such as ``30 64``."""
        x = self._left + float(place[0]) * self.scale
        y = self._top - float(place[1]) * self.scale
        return f"{number(x)} {number(y)}"

    def has_room(self, place: Place, wide: float, high: float) -> bool:
        """Return whether a rectangle around a place lies on the sheet, without its blank sides.

        `wide`, `high`: size of the rectangle in pixels.
        """
        x, y = (float(c) for c in self.at(place).split())
        left, top = x - wide / 2, y - high / 2
        across = self._blank <= left and left + wide <= self.width - self._blank
        return across and top >= 0 and top + high <= self.height

    def polygon(self, corners: Iterable[Place]) -> str:
        """Return the path data of a closed polygon."""
        return "M" + "L".join(self.at(c) for c in corners) + "Z"

    def line(self, places: Iterable[Place]) -> str:
        """Return the path data of an open line."""
        return "M" + "L".join(self.at(p) for p in places)

    def text(self, place: Place, content: str, size: float) -> str:
        """Return a text as an element centered at a place; empty if it is illegible or empty.

        `size`: height of the letters in pixels.
        """
        if size < LEGIBLE or not content:
            return ""
        x, y = self.at(place).split()
        return (
            f'<text x="{x}" y="{y}" dy="0.35em" text-anchor="middle" font-size="{number(size)}" '
            f'fill="{INK}" pointer-events="none">{harmless(content)}</text>'
        )

    def drawing(self, title: str, elements: Iterable[str]) -> Drawing:
        """Return a drawing of the whole sheet with these elements."""
        plain = ground(self.width, self.height, title, elements)
        return replace(plain, unit=self.scale, blank=self._blank)


def ground(width: float, height: float, title: str, elements: Iterable[str]) -> Drawing:
    """Return a drawing with a tooltip, a white ground, and the given elements."""
    wide, high = number(width), number(height)
    paper = f'<rect width="{wide}" height="{high}" rx="6" fill="{PAPER}"/>'
    body = (f"<title>{harmless(title)}</title>", paper, *elements)
    return Drawing(wide, high, ("0", "0", wide, high), body, STYLE)


def with_words(drawing: Drawing, words: str, title: str) -> Drawing:
    """Return a drawing with words above it, in as many lines as needed; `title`: the tooltip.

    >>> dot = ground(100, 50, "dot", ['<circle r="1"/>'])
    >>> below = with_words(dot, "This unit cannot be covered.", "dot")
    >>> below.size, below.svg().count("<text")
    ((100.0, 121.0), 3)
    """
    width, height = drawing.size
    lines = wrap(words, max(8, int((width - 2 * MARGIN) / WORD))) or [""]
    top = MARGIN + len(lines) * LINE
    said = [
        lettering(MARGIN, MARGIN + (k + 0.7) * LINE, line, "start", size=15)
        for k, line in enumerate(lines)
    ]
    return ground(width, height + top, title, [*said, drawing.placed(0, top)])


def lettering(
    x: float, y: float, content: str, anchor: str = "middle", color: str = INK, size: float = 12
) -> str:
    """Return words as an SVG element; empty if there are no words.

    `x`, `y`: position of the baseline. `anchor`: ``"start"``, ``"middle"`` or ``"end"``: the part
    of the words at `x`. `size`: height of the letters.
    """
    return content and (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{number(size)}" '
        f'fill="{color}">{harmless(content)}</text>'
    )


def path(data: Iterable[str], **attributes: str | float) -> str:
    """Return a path element; underscores in names of attributes stand for hyphens.

    >>> path(["M0 0", "L1 0"], stroke_width=1.5)
    '<path d="M0 0L1 0" stroke-width="1.5"/>'
    """
    words = [
        f' {name.replace("_", "-")}="{number(v) if isinstance(v, float) else v}"'
        for name, v in attributes.items()
    ]
    return f'<path d="{"".join(data)}"{"".join(words)}/>'


def group(title: str, elements: Iterable[str]) -> str:
    """Return elements as a group with a tooltip."""
    body = ["<g>", f"<title>{harmless(title)}</title>", *elements, "</g>"]
    return "\n".join(element for element in body if element)


FILLS = {
    "white": "#ffffff",
    "black": "#808080",
    "red": "#f28b82",
    "green": "#81c995",
    "yellow": "#fdd663",
    "blue": "#8ab4f8",
}
"""Colors of paints by name, on which text is legible.

The first letter of a name also stands for the paint.
"""


def paint_fills(paint: Paint) -> dict[str, str]:
    """Return the color of each paint on a region and on its pieces, by its name.

    >>> import exactile
    >>> paint_fills(exactile.load("checkered-pentominoes-8x8").paint)
    {'b': '#808080', 'w': '#ffffff'}
    """
    fills: dict[str, str] = {}
    for name in sorted({*paint.units.values(), *paint.names}):
        own = [fill for word, fill in FILLS.items() if name.lower() in (word, word[0])]
        free = [fill for fill in (*own, *PALETTE) if fill not in fills.values()]
        fills[name] = (free or PALETTE)[0]
    return fills


def painted(cover: Cover, units: Iterable[int]) -> Iterator[tuple[int, str, str]]:
    """Yield each painted unit among `units`, with the name and the color of its paint.

    `units`: indices of units in the region.
    """
    paint = cover.puzzle.paint.units
    fills = cover.fills or paint_fills(cover.puzzle.paint)
    for unit in units if paint else ():
        name = paint.get(tuple(cover.region.units[unit].tolist()))
        if name is not None:
            yield unit, name, fills[name]


def spots(
    cover: Cover,
    paper: Paper,
    units: Iterable[int],
    place: Callable[[int], Place],
    radius: Callable[[int], float],
) -> list[str]:
    """Return SVG elements: a spot in the color of its paint for each painted unit among `units`.

    `units`: indices of units in the region. `place`, `radius`: functions from the index of a unit
    to the place of its spot on `paper`, and to the radius of the spot on the same scale.
    """
    return [
        dot(paper.at(place(unit)), radius(unit) * paper.scale, name, fill)
        for unit, name, fill in painted(cover, units)
    ]


def dot(at: str, radius: float, paint: str, fill: str, stroke: str = INK, thick: float = 1) -> str:
    """Return a spot of paint as an SVG element.

    `at`: its center as text, such as ``30 64``. `paint`: the name of the paint, which becomes the
    tooltip. `fill`, `stroke`: colors of the spot and of its rim. `thick`: width of the rim.
    """
    x, y = at.split()
    width = f' stroke-width="{number(thick)}"' if thick != 1 else ""
    return (
        f'<circle cx="{x}" cy="{y}" r="{number(radius)}" fill="{fill}" stroke="{stroke}"{width}>'
        f"<title>{harmless(paint)}</title></circle>"
    )
