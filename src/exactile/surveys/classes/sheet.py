"""Parts of the pictures of classes: names and lines of the kinds, and the sheet itself."""

from __future__ import annotations

from collections.abc import Sequence

from exactile.render.paper import PAPER, STYLE, Drawing, harmless, lettering, number
from exactile.surveys.classes.transformations import Kind

WORDS = {
    Kind.BLOCK: "blocks moved",
    Kind.EXCHANGE: "sets exchanged",
    Kind.PAIR: "pairs rearranged",
}
INKS = {Kind.BLOCK: "#1d72c4", Kind.EXCHANGE: "#d1495b", Kind.PAIR: "#2e8b57"}
DASHES = {Kind.BLOCK: "none", Kind.EXCHANGE: "9 4", Kind.PAIR: "2.5 3"}
"""Dash patterns of the kinds, for readers who cannot distinguish the colors."""

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


def line(start: Sequence[float], end: Sequence[float], color: str, width: float) -> str:
    """Return a line from one place to another."""
    (x, y), (u, v) = start, end
    ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(u)}" y2="{number(v)}"'
    return f'<line {ends} stroke="{color}" stroke-width="{width}"/>'


def stroke(kind: Kind) -> str:
    """Return the SVG attributes of lines that stand for transformations of a kind.

    Examples
    --------
    >>> stroke(Kind.PAIR)
    'stroke="#2e8b57" stroke-dasharray="2.5 3"'
    """
    return f'stroke="{INKS[kind]}" stroke-dasharray="{DASHES[kind]}"'


def sheet(parts: Sequence[str], box: Box, title: str, *, legend: bool = True) -> str:
    """Return the document: a heading, a key to the colors, and the parts."""
    x, y, width, height = box
    heading = [lettering(x + 16, y + 22, title, "start", size=14)]
    if legend:
        at = x + 16
        for kind, words in WORDS.items():
            ends = f'd="M{number(at)} {number(y + 38)}h26" stroke-width="2.4"'
            heading.append(f"<path {ends} {stroke(kind)}/>")
            heading.append(lettering(at + 32, y + 42, words, "start"))
            at += 56 + 6.6 * len(words)
    ground = f'<rect x="{number(x)}" y="{number(y)}" width="100%" height="100%" fill="{PAPER}"/>'
    elements = (f"<title>{harmless(title)}</title>", ground, *parts, *heading)
    view = (number(x), number(y), number(width), number(height))
    return Drawing(number(width), number(height), view, elements, STYLE).svg()
