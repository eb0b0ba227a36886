"""Ten puzzles of all families with every kind of item, and colored models, to be exported."""

from __future__ import annotations

from functools import cache
from io import StringIO

from exactile.files import Document, load
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import model_of, read_model
from exactile.puzzle import Puzzle
from support import cover_files

CATALOGUE = (
    "dominoes-4x4",
    "soma-cornerstone",
    "tetrahexes-holey-star-1",
    "quasi-ditrigs-two-triangles-3",
    "one-sided-tetratwigs-triangle-1",
    "dominoids-two-cubes",
)
"""Five families and polyominoids: copies, secondary items on a trig grid, pieces with ranges."""

OWN = '''
format = 1

[puzzle.iamonds]
lattice = "triangle"
pieces = { set = "tetriamonds", ranges = "0..3" }
region = { hexagon = 2 }

[puzzle.sticks]
lattice = "square-edges"
pieces = { set = "polysticks-123" }
region.drawing = """
##
###
.##
"""
fixed = [{ piece = "I1", units = "0,1,0" }]

[puzzle.loose]
lattice = "square"
pieces = { set = "domino", ranges = "1..3" }
region = { box = [3, 2], optional = "0..1,0..1" }

[puzzle.omitted]
lattice = "square"
region = { box = [6, 3] }
fixed = [{ piece = "V3", units = "0,0 1,0 0,1" }]

[puzzle.omitted.pieces]
orders = [1, 2, 3, 4]
omit = ["O1", "I2"]
choose_omitted = { from = ["I4", "L4", "O4", "T4", "Z4"], count = 2 }
'''
"""Two more families; ranges and optional units; fixed placements; pieces left out by choice."""

COLORED = {
    "colors": cover_files.COLORS,
    "bounds": cover_files.BOUNDS,
    "de-bruijn": cover_files.de_bruijn(3),
    "queens": cover_files.queens(6),
}
"""Models that belong to no puzzle."""

PUZZLES = (*CATALOGUE, *Document("own.toml", OWN).ids)


@cache
def puzzle(name: str) -> Puzzle:
    """Return one of `PUZZLES`, or an unsolvable one."""
    if name == "mutilated":
        return load("mutilated-chessboard-6x6")
    if name == "no-room":
        return load("tetrominoes-5x4")
    return load(name) if name in CATALOGUE else Document("own.toml", OWN).puzzle(name)


@cache
def problem(name: str) -> ExactCover:
    """Return the model of one of `PUZZLES` or `COLORED`."""
    if name in COLORED:
        return read_model(StringIO(COLORED[name]))
    return model_of(puzzle(name), placements=True)
