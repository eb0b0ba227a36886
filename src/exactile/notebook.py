"""Pictures of puzzles, regions, pieces and solutions in notebooks.

IPython gets only the names of the types that are drawn: `Puzzle`, `Region`, `Piece` and some
answers. The modules that draw are loaded when the first picture is shown.
"""

from __future__ import annotations

import sys
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactile.answers import Packing, Sample, SolutionList, Verdict
    from exactile.puzzle import Puzzle, Region
    from exactile.puzzle.pieces.piece import Piece

WIDTH = 320
"""Width of pictures, in pixels."""

MOST_SHOWN = 12
"""Largest number of solutions of an answer that are drawn."""

ANSWERS = {
    "SolutionList": "solutions",
    "Sample": "solutions",
    "Verdict": "solution",
    "Packing": "placements",
}
"""The types of answers that are drawn, each with the name of its field that has the solutions."""


def register() -> None:
    """Let the running IPython, if any, show puzzles, regions, pieces and answers as pictures.

    The module ``IPython`` must have been imported.
    """
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        load_ipython_extension(shell)


def load_ipython_extension(shell: Any) -> None:
    """Let this IPython shell show puzzles, regions, pieces and answers as pictures.

    ``%load_ext exactile.notebook`` calls this function.
    """
    svg = shell.display_formatter.formatters["image/svg+xml"]
    svg.for_type_by_name("exactile.puzzle.puzzle", "Puzzle", puzzle_svg)
    svg.for_type_by_name("exactile.puzzle.region", "Region", region_svg)
    svg.for_type_by_name("exactile.puzzle.pieces.piece", "Piece", piece_svg)
    html = shell.display_formatter.formatters["text/html"]
    for name in ANSWERS:
        html.for_type_by_name("exactile.answers.search", name, answer_html)


def puzzle_svg(puzzle: Puzzle) -> str:
    """Return a picture of the empty region of a puzzle, as SVG.

    >>> import exactile
    >>> puzzle_svg(exactile.load("pentominoes-6x10")).startswith("<svg ")
    True
    """
    from exactile.render import draw_svg

    return draw_svg(puzzle, (), width=WIDTH)


def region_svg(region: Region) -> str:
    """Return a picture of a region, as SVG."""
    from exactile.puzzle import Puzzle
    from exactile.puzzle.pieces.piece import Freedom, Piece

    first = tuple(region.units[0].tolist())
    unit = Piece("unit", region.lattice, (first,), Freedom.FREE)  # a puzzle must have a piece
    return puzzle_svg(Puzzle("region", region, (unit,)))


def piece_svg(piece: Piece) -> str:
    """Return a picture of a piece, as SVG."""
    from exactile.puzzle import Placement, Puzzle, Region
    from exactile.render import draw_svg

    region = Region(piece.lattice, piece.units)
    units = tuple(tuple(unit) for unit in region.units.tolist())
    return draw_svg(
        Puzzle("piece", region, (piece,)), (Placement(piece.name, units),), width=WIDTH // 2
    )


def answer_html(answer: SolutionList | Sample | Verdict | Packing) -> str:
    """Return an answer as HTML: pictures of its solutions, at most `MOST_SHOWN`, then its table.

    The pictures need the puzzle, which an answer from a function such as `find_solutions` has. An
    answer that was read from a file has only the name of the puzzle, which is then looked up in the
    catalogue. The result is the table alone if the answer has no solutions, if there is no such
    puzzle, or if the solutions do not fit the puzzle.

    >>> import exactile
    >>> found = exactile.find_solutions(exactile.load("tetrahexes-4x7"))
    >>> answer_html(found).count("<svg ")  # a sheet with 12 pictures
    13
    """
    from exactile.answers.base import subject
    from exactile.errors import PuzzleError
    from exactile.files import load
    from exactile.files.puzzles import catalogue
    from exactile.puzzle.check import faults
    from exactile.puzzle.coordinates import from_coordinates
    from exactile.puzzle.relax import loosened, relax
    from exactile.render import write_pictures

    table = answer._repr_html_()
    field = ANSWERS[type(answer).__name__]
    value = getattr(answer, field) or ()
    drawn = value[:MOST_SHOWN] if field == "solutions" else [value] * bool(value)
    puzzle = subject(answer)
    if puzzle is None and catalogue.has(answer.puzzle):
        puzzle = load(answer.puzzle)
    if not drawn or puzzle is None:
        return table
    try:
        solutions = [from_coordinates(puzzle, placements) for placements in drawn]
    except PuzzleError:  # another puzzle has this name
        return table
    loose = relax(loosened(puzzle))  # a part of a solution need not keep these rules
    if any(faults(loose, solution) for solution in solutions):
        return table
    stream = BytesIO()
    write_pictures(puzzle, solutions, stream, "svg")
    return stream.getvalue().decode() + table
