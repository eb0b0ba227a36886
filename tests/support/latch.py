"""A latch in a lock that has to be turned before it can be taken out."""

from __future__ import annotations

from pathlib import Path

import exactile
from exactile import Puzzle, Solution

TEXT = '''format = 1

[puzzle.latch]
lattice = "cube"
region.drawing = """
#####
#####
#####
#####
#####

##.##
#..##
...##
.####
##..#

##.##
##.##
##.##
##.##
##..#
"""

[puzzle.latch.pieces.cells]
latch = """
###

..#
"""
lock = """
#####
#####
#####
#####
#####

##.##
#..##
...##
....#
##..#

##.##
##.##
##.##
##..#
##..#
"""
'''


def latch_file(folder: Path) -> Path:
    """Write the puzzle into a folder, and return the file."""
    path = folder / "latch.toml"
    path.write_text(TEXT)
    return path


def latch(folder: Path) -> tuple[Puzzle, Solution]:
    """Return the puzzle and its solution; the latch is placement 0."""
    puzzle = exactile.load(str(latch_file(folder)))
    return puzzle, exactile.solve_one(puzzle) or ()
