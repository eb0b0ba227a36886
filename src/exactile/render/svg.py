"""Solutions as SVG: which drawing suits which kind of lattice."""

from __future__ import annotations

from collections.abc import Callable

from exactile.errors import PuzzleError
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Puzzle, Solution
from exactile.render.cover import Cover
from exactile.render.drawing import Drawing
from exactile.render.svg_cells import draw_cells
from exactile.render.svg_edges import draw_edges
from exactile.render.svg_rods import draw_rods
from exactile.render.svg_sheets import draw_sheets
from exactile.render.svg_solids import draw_solids
from exactile.wanted import whole


def draw_svg(puzzle: Puzzle, solution: Solution, *, width: int = 640) -> str:
    """Draw a solution as a standalone SVG document.

    Parameters
    ----------
    puzzle
        The puzzle.
    solution
        Its placements. Units that they do not cover are light grey; no placements at all draw the
        region.
    width
        Width of the drawing in pixels; the height follows from it.

    Returns
    -------
    str
        The document, with its own white ground, without scripts and style sheets. Names of
        pieces appear when their cells or edges are pointed at. Solids are drawn layer by layer,
        the lowest first. Equal arguments give equal documents.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> picture = draw_svg(puzzle, exactile.solve_one(puzzle))
    >>> picture.startswith("<svg "), picture.count("<title>")
    (True, 13)
    """
    return draw_cover(Cover(puzzle, solution), width).svg()


def draw_cover(cover: Cover, width: int) -> Drawing:
    """Draw a solution that has colors and labels of its own; see `draw_svg`."""
    if whole(width, "The width of a drawing") <= 0:
        raise PuzzleError(f"A drawing cannot be {width} pixels wide.")
    return _drawing(cover.lattice)(cover, width)


def _drawing(lattice: Lattice) -> Callable[[Cover, int], Drawing]:
    """Return the function that draws units of such a form."""
    edges = len(lattice.faces[0][0]) == 2
    if len(lattice.embedding[0]) == 2:
        return draw_edges if edges else draw_cells
    if edges:
        return draw_rods
    return draw_solids if len(lattice.faces[0]) > 1 else draw_sheets
