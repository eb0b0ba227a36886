"""The drawing function for each kind of lattice."""

from __future__ import annotations

from collections.abc import Callable

from exactile.errors import PuzzleError
from exactile.geometry.lattice import Lattice
from exactile.render.cover import Cover
from exactile.render.drawing import Drawing
from exactile.render.svg_cells import draw_cells
from exactile.render.svg_edges import draw_edges
from exactile.render.svg_pieces import draw_exploded
from exactile.render.svg_rods import draw_rods
from exactile.render.svg_sheets import draw_sheets
from exactile.render.svg_solids import draw_solids
from exactile.wanted import whole


def draw_cover(cover: Cover, width: int, *, exploded: bool = False) -> Drawing:
    """Draw a solution with its own colors and labels; see `exactile.render.draw_svg`."""
    if whole(width, "The width of a drawing") <= 0:
        raise PuzzleError(f"A drawing cannot be {width} pixels wide.")
    if exploded and len(cover.lattice.embedding[0]) == 3 and cover.solution:
        return draw_exploded(cover, width)
    return _drawing(cover.lattice)(cover, width)


def _drawing(lattice: Lattice) -> Callable[[Cover, int], Drawing]:
    """Return the function that draws units of a form."""
    edges = len(lattice.faces[0][0]) == 2
    if len(lattice.embedding[0]) == 2:
        return draw_edges if edges else draw_cells
    if edges:
        return draw_rods
    return draw_solids if len(lattice.faces[0]) > 1 else draw_sheets
