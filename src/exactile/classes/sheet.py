"""What the pictures of classes are made of: lines, words, small pictures, the sheet itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from exactile.classes.transformations import Kind
from exactile.render.colors import INK, PAPER
from exactile.render.paper import number

WORDS = {
    Kind.BLOCK: "blocks moved",
    Kind.EXCHANGE: "sets exchanged",
    Kind.PAIR: "pairs rearranged",
}
INKS = {Kind.BLOCK: "#1d72c4", Kind.EXCHANGE: "#d1495b", Kind.PAIR: "#2e8b57"}

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


def size_of(picture: str) -> tuple[float, float]:
    """Return width and height of a small picture in pixels."""
    head = picture[: picture.index(">")]
    return float(head.split(' width="')[1].split('"')[0]), float(
        head.split(' height="')[1].split('"')[0]
    )


def nested(picture: str, x: float, y: float) -> str:
    """Return a small picture as a part of a larger one."""
    return picture.replace("<svg ", f'<svg x="{number(x)}" y="{number(y)}" ', 1)


def line(start: Sequence[float], end: Sequence[float], color: str, width: float) -> str:
    """Return a line from one place to another."""
    (x, y), (u, v) = start, end
    ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(u)}" y2="{number(v)}"'
    return f'<line {ends} stroke="{color}" stroke-width="{width}"/>'


def text(
    x: float, y: float, words: str, anchor: str = "middle", color: str = INK, size: float = 12
) -> str:
    """Return words at a place."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{number(size)}" '
        f'fill="{color}">{escape(words)}</text>'
    )


def label_box(x: float, y: float, words: str) -> Box:
    """Return the ground of words."""
    wide = 6.4 * len(words) + 6
    return x - wide / 2, y - 7, wide, 14


def label(x: float, y: float, words: str, color: str) -> str:
    """Return words on a ground of their own."""
    left, top, wide, high = label_box(x, y, words)
    ground = f'x="{number(left)}" y="{number(top)}" width="{number(wide)}" height="{number(high)}"'
    return f'<rect {ground} rx="3" fill="{PAPER}" fill-opacity="0.85"/>' + text(
        x, y + 3.6, words, color=color, size=10
    )


def sheet(parts: Sequence[str], box: Box, title: str, *, legend: bool = True) -> str:
    """Return the document: a heading, what the colors mean, and the parts."""
    x, y, width, height = box
    view = " ".join(number(v) for v in box)
    heading = [text(x + 16, y + 22, title, "start", size=14)]
    if legend:
        at = x + 16
        for kind, words in WORDS.items():
            heading.append(line((at, y + 38), (at + 18, y + 38), INKS[kind], 2.4))
            heading.append(text(at + 24, y + 42, words, "start"))
            at += 48 + 6.6 * len(words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" '
        f'height="{number(height)}" viewBox="{view}" role="img" font-family="sans-serif">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect x="{number(x)}" y="{number(y)}" width="100%" height="100%" fill="{PAPER}"/>\n'
        + "\n".join([*parts, *heading])
        + "\n</svg>\n"
    )
