"""A burr of six pieces with 30 assemblies, of which five come apart: by 2, 3, 4, 7 and 7 moves."""

from __future__ import annotations

from pathlib import Path

TEXT = """
format = 1

[puzzle.burr]
lattice = "cube"
region.units = "0..5,2..3,1..4"
region.plus = [{ units = "1..4,0..5,2..3" }, { units = "2..3,1..4,0..5" }]
region.optional = "1..4,2..3,2..3 2..3,1,2..3 2..3,4,2..3 2..3,2..3,1 2..3,2..3,4"

[puzzle.burr.pieces.cells]
A = '''
##..##
######

#....#
#...##
'''
B = '''
#....#
#....#

######
##.###
'''
C = '''
##..##
######

##..##
#.##.#
'''
D = '''
#.##.#
##..##

#..#.#
######
'''
E = '''
######
##.###

#....#
#....#
'''
F = '''
##...#
#....#

######
##.###
'''
"""


def burr(folder: Path) -> Path:
    """Write the burr to a file in a folder; return its path."""
    path = folder / "burr.toml"
    path.write_text(TEXT, "utf-8")
    return path
