"""The paint of a region in drawings: a spot on each painted unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle
from exactile.render.colors import INK, PALETTE
from exactile.render.cover import Cover
from exactile.render.drawing import number
from exactile.render.paper import Paper, Place

FILLS = {
    "white": "#ffffff",
    "black": "#808080",
    "red": "#f28b82",
    "green": "#81c995",
    "yellow": "#fdd663",
    "blue": "#8ab4f8",
}
"""Colors of paints by name or first letter; letters on them are legible."""


def paint_fills(puzzle: Puzzle) -> dict[Point, str]:
    """Return the color of each painted unit of a region.

    >>> import exactile
    >>> sorted(set(paint_fills(exactile.load("checkered-pentominoes-8x8")).values()))
    ['#808080', '#ffffff']
    """
    fills: dict[str, str] = {}
    for name in sorted(set(puzzle.paint.units.values())) if puzzle.paint else ():
        own = [fill for word, fill in FILLS.items() if name.lower() in (word, word[0])]
        free = [fill for fill in (*own, *PALETTE) if fill not in fills.values()]
        fills[name] = (free or PALETTE)[0]
    return {unit: fills[name] for unit, name in puzzle.paint.units.items() if fills}


def spots(
    cover: Cover,
    paper: Paper,
    units: Iterable[int],
    place: Callable[[int], Place],
    radius: Callable[[int], float],
) -> list[str]:
    """Return a spot for each painted unit of those given.

    `cover`, `paper`: the solution and the sheet. `units`: numbers of units. `place`, `radius`: the
    place of a unit's spot, and its radius by the length of a unit.
    """
    fills, result = paint_fills(cover.puzzle), []
    for unit in units if fills else ():
        point = tuple(cover.region.units[unit].tolist())
        if point in fills:
            x, y = paper.at(place(unit)).split()
            result.append(
                f'<circle cx="{x}" cy="{y}" r="{number(radius(unit) * paper.scale)}" '
                f'fill="{fills[point]}" stroke="{INK}">'
                f"<title>{escape(cover.puzzle.paint.units[point])}</title></circle>"
            )
    return result
