"""Many drawings on one sheet, in rows and columns, each with its caption; and sheets as pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, sqrt

from exactile.render.drawing import Drawing
from exactile.render.paper import ground, lettering

GAP = 18.0
"""Space between drawings and around all of them, in pixels."""

LINE = 16.0
"""Height of a caption."""

PAGE = (794, 1123)
"""A page of paper, A4 at 96 pixels to the inch."""

BROAD = 1.5
"""Approximate width of a sheet relative to its height."""

Picture = tuple[Drawing, str]
"""A drawing and its caption."""


def sheet(pictures: Sequence[Picture], title: str = "", columns: int | None = None) -> Drawing:
    """Put drawings on one sheet, as large as necessary.

    Parameters
    ----------
    pictures
        The drawings and their captions, row by row.
    title
        The tooltip of the sheet.
    columns
        Number of drawings in a row; by default chosen for a broad sheet.

    Examples
    --------
    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1"/>',))
    >>> sheet([(dot, "1"), (dot, "2"), (dot, "3")], columns=2).size
    (70.0, 102.0)
    """
    wide, high = _cell(pictures)
    if columns is None:
        columns = max(1, round(sqrt(BROAD * len(pictures) * (high + GAP) / (wide + GAP))))
    columns = min(columns, len(pictures))
    rows = ceil(len(pictures) / columns)
    body = _placed(pictures, columns, 1.0)
    return ground(columns * (wide + GAP) + GAP, rows * (high + GAP) + GAP, title, body)


def pages(pictures: Sequence[Picture], title: str = "", columns: int = 4) -> Iterator[Drawing]:
    """Put drawings on pages, `columns` in a row, all scaled alike.

    Examples
    --------
    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1"/>',))
    >>> [page.size for page in pages([(dot, "")] * 25, columns=4)]
    [(794.0, 1123.0), (794.0, 1123.0)]
    """
    width, height = PAGE
    columns = min(columns, len(pictures))
    wide, high = _cell(pictures)
    scale = min(((width - GAP) / columns - GAP) / wide, (height - 2 * GAP - LINE) / (high - LINE))
    row = (high - LINE) * scale + LINE + GAP
    number = columns * max(1, int((height - GAP) / row))
    for start in range(0, len(pictures), number):
        body = _placed(pictures[start : start + number], columns, scale, (wide, high))
        yield ground(width, height, title, body)


def _cell(pictures: Sequence[Picture]) -> tuple[float, float]:
    """Return width and height that fit every drawing with its caption."""
    sizes = [drawing.size for drawing, _ in pictures]
    return max(w for w, _ in sizes), max(h for _, h in sizes) + LINE


def _placed(
    pictures: Sequence[Picture],
    columns: int,
    scale: float,
    cell: tuple[float, float] | None = None,
) -> Iterator[str]:
    """Yield the elements of drawings in rows."""
    wide, high = cell or _cell(pictures)
    across, down = wide * scale + GAP, (high - LINE) * scale + LINE + GAP
    for k, (drawing, caption) in enumerate(pictures):
        left, top = GAP + k % columns * across, GAP + k // columns * down
        w, h = (side * scale for side in drawing.size)
        middle = left + wide * scale / 2
        yield drawing.placed(middle - w / 2, top + (high - LINE) * scale - h, scale)
        yield lettering(middle, top + (high - LINE) * scale + 0.8 * LINE, caption)
