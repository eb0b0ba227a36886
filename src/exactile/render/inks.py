"""Fills that distinguish pieces on paper: colors, gray, or patterns of lines and dots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from exactile.geometry.lattice import Lattice
from exactile.puzzle import Puzzle, Solution
from exactile.render.colors import GRAYS, INK, PALETTE, PAPER, assign_colors
from exactile.render.cover import Cover
from exactile.render.paper import MM, Drawing

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
"""The lines of each pattern, on a square of 8 pixels."""

MARKS = tuple(f"#f{k:x}ffff" for k in range(len(STROKES)))
"""Colors that stand for the patterns in a drawing until `patterned` replaces them."""


HALO = f'stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
"""Attributes of a border around letters that are on patterns."""


def inks(lattice: Lattice, colors: Colors) -> Sequence[str]:
    """Return the colors of pieces; patterns are for cells in the plane, others are gray instead."""
    if colors == "palette":
        return PALETTE
    flat = len(lattice.embedding[0]) == 2 and len(lattice.faces[0][0]) > 2
    return MARKS if colors == "patterns" and flat else GRAYS


def inked(puzzle: Puzzle, placements: Solution, colors: Colors) -> list[str]:
    """Return the color of each placement."""
    return assign_colors(Cover(puzzle, placements), inks(puzzle.lattice, colors))


def patterned(drawing: Drawing, *, fine: bool = False) -> Drawing:
    """Return a drawing with patterns in place of the colors that stand for them.

    `fine`: whether it is in millimeters, not in pixels.

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
    """Return the definitions that a page needs before drawings with patterns."""
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
