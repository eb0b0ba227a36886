"""The sheet for SVG drawings: scale, numbers and elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from textwrap import wrap

import numpy as np
import numpy.typing as npt

from exactile.render.colors import INK, PAPER
from exactile.render.drawing import Drawing, number

Place = Sequence[float] | npt.NDArray[np.float64]
"""A place in the plane, in units of the longest side of a unit, the second coordinate upwards."""

STYLE = ' font-family="sans-serif" role="img"'
"""Attributes of all drawings with words."""

MARGIN = 14.0
LARGEST_UNIT = 84.0
LEGIBLE = 6.0
LINE, WORD = 19.0, 7.6
"""Height of a line of words above a drawing, and approximate width of a letter."""

TALLEST = 1.25
"""Largest height of a drawing relative to its width."""


class Paper:
    """A sheet of a given width that some places fit on.

    `width`: in pixels. `tallest`: largest height relative to the width.
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

    def at(self, place: Place) -> str:
        """Return the two numbers of a place."""
        x = self._left + float(place[0]) * self.scale
        y = self._top - float(place[1]) * self.scale
        return f"{number(x)} {number(y)}"

    def polygon(self, corners: Iterable[Place]) -> str:
        """Return the path data of a closed polygon."""
        return "M" + "L".join(self.at(c) for c in corners) + "Z"

    def line(self, places: Iterable[Place]) -> str:
        """Return the path data of an open line."""
        return "M" + "L".join(self.at(p) for p in places)

    def text(self, place: Place, content: str, size: float) -> str:
        """Return a text centred at a place, or nothing if it is empty or would not be legible.

        The size is in pixels.
        """
        if size < LEGIBLE or not content:
            return ""
        x, y = self.at(place).split()
        return (
            f'<text x="{x}" y="{y}" dy="0.35em" text-anchor="middle" font-size="{number(size)}" '
            f'fill="{INK}" pointer-events="none">{escape(content)}</text>'
        )

    def drawing(self, title: str, elements: Iterable[str]) -> Drawing:
        """Return the whole drawing."""
        return ground(self.width, self.height, title, elements)


def ground(width: float, height: float, title: str, elements: Iterable[str]) -> Drawing:
    """Return a drawing with a title and a white ground."""
    wide, high = number(width), number(height)
    paper = f'<rect width="{wide}" height="{high}" rx="6" fill="{PAPER}"/>'
    body = (f"<title>{escape(title)}</title>", paper, *elements)
    return Drawing(wide, high, ("0", "0", wide, high), body, STYLE)


def with_words(drawing: Drawing, words: str, title: str) -> Drawing:
    """Return a drawing below some words, in as many lines as needed.

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
    """Return words at a place in pixels, nothing if there are no words."""
    return content and (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{number(size)}" '
        f'fill="{color}">{escape(content)}</text>'
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
    """Return a group with a tooltip."""
    body = ["<g>", f"<title>{escape(title)}</title>", *elements, "</g>"]
    return "\n".join(element for element in body if element)
