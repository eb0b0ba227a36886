"""Pictures of puzzles, regions and pieces in notebooks.

IPython is told by the names of their types, so that nothing is loaded before one is shown. That
they can be drawn is no matter of the types themselves, which lie below all drawing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactile.pieces.piece import Piece
    from exactile.puzzle import Puzzle, Region

WIDTH = 320
"""Of pictures, in pixels."""


def register() -> None:
    """Tell the IPython that runs, if one does, how puzzles, regions and pieces are drawn."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        load_ipython_extension(shell)


def load_ipython_extension(shell: Any) -> None:
    """Do so for a given shell; ``%load_ext exactile.notebook`` calls this."""
    svg = shell.display_formatter.formatters["image/svg+xml"]
    svg.for_type_by_name("exactile.puzzle.puzzle", "Puzzle", puzzle_svg)
    svg.for_type_by_name("exactile.puzzle.region", "Region", region_svg)
    svg.for_type_by_name("exactile.pieces.piece", "Piece", piece_svg)


def puzzle_svg(puzzle: Puzzle) -> str:
    """Return the picture of a puzzle's empty region.

    Examples
    --------
    >>> import exactile
    >>> puzzle_svg(exactile.load("pentominoes-6x10")).startswith("<svg ")
    True
    """
    from exactile.render import draw_svg

    return draw_svg(puzzle, (), width=WIDTH)


def region_svg(region: Region) -> str:
    """Return the picture of a region."""
    from exactile.pieces.piece import Freedom, Piece
    from exactile.puzzle import Puzzle

    first = tuple(region.units[0].tolist())
    unit = Piece("unit", region.lattice, (first,), Freedom.FREE)  # a puzzle must have a piece
    return puzzle_svg(Puzzle("region", region, (unit,)))


def piece_svg(piece: Piece) -> str:
    """Return the picture of a piece."""
    from exactile.puzzle import Placement, Puzzle, Region
    from exactile.render import draw_svg

    region = Region(piece.lattice, piece.units)
    units = tuple(tuple(unit) for unit in region.units.tolist())
    return draw_svg(
        Puzzle("piece", region, (piece,)), (Placement(piece.name, units),), width=WIDTH // 2
    )
