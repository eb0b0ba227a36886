"""Burrs of six pieces: those that Cutler counted, and some that are known by the numbers of pieces.

Cutler counted the burrs of notchable pieces, solid ones in 1977, with holes in 1987.
"""

from __future__ import annotations

import runpy
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import exactile
from exactile import Freedom, Piece, Puzzle, Region

burr = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "notchable_burrs.py"))["burr"]


def test_solid_burrs_of_notchable_pieces() -> None:
    answer = exactile.count_assemblable(burr(holes=False))
    assert answer.rotation == 314  # mirror images are two
    assert (answer.assemblies_symmetry, answer.symmetry) == (588, 179)  # counted by us


def test_burrs_with_holes() -> None:
    puzzle = burr(holes=True)
    assert len(puzzle.pieces) == 59
    assert exactile.count(puzzle).symmetry == 13_354_991


CUBES = [(x, y, 1) for y in (0, 1) for x in range(1, 5)]
CUBES += [(x, y, 0) for y in (0, 1) for x in (2, 3)]
"""The cubes of a stick that may be missing, in the order of the bits of a number."""


def numbered(numbers: tuple[int, ...], length: int) -> Puzzle:
    """Return the burr of pieces with the customary numbers: 1 plus the bits of missing cubes."""
    lattice = exactile.get_lattice("cube")
    more = (length - 4) // 2
    along = range(1 - more, 5 + more)
    bars = Counter(
        tuple(place[(k - axis) % 3] for k in range(3))
        for place in product(along, (2, 3), range(1, 5))
        for axis in range(3)
    )
    cells = sorted(bars)
    stick = {*product(along, (0, 1), (0, 1))}
    pieces = []
    for number, copies in Counter(numbers).items():
        missing = {cube for bit, cube in enumerate(CUBES) if number - 1 >> bit & 1}
        cubes = tuple(sorted(stick - missing))
        pieces.append(Piece(f"N{number}", lattice, cubes, Freedom.ONE_SIDED, copies, copies))
    region = Region(lattice, cells, optional=[bars[cell] > 1 for cell in cells])
    return Puzzle("burr", region, tuple(pieces))


@pytest.mark.parametrize(
    ("numbers", "length", "assemblies", "levels"),
    [
        # Love's Dozen: the greatest level of all, 12, but not unique
        ((88, 512, 704, 960, 992, 1008), 6, 154, ["6.2", "12.3"]),
        # Computer's Choice Unique 10, with pieces of length 8
        ((624, 702, 768, 883, 1015, 1024), 8, 7, ["10"]),
        ((88, 512, 768, 922, 1008, 1008), 6, 10, ["9.3"]),  # Marineau's Piston Burr
        ((120, 160, 256, 512, 880, 960), 6, 2, ["6.4"]),  # by Dubois
        ((412, 480, 512, 704, 704, 960), 6, 144, ["5.4"]),  # Artifactory 5/4
        ((103, 760, 960, 992, 996, 1024), 6, 24, ["5"]),  # Bill's Baffling Burr
        ((369, 871, 928, 956, 1000, 1024), 6, 5, ["8.3"]),  # Computer's Choice 4-Hole
        ((359, 871, 928, 943, 1007, 1024), 6, 37, ["3"]),  # Curfs' Monster
        ((256, 824, 911, 928, 943, 1024), 6, 3, ["4"]),  # by Curfs
        ((871, 911, 943, 960, 1007, 1024), 6, 8, ["4"]),  # by Curfs
        # Chosen by Siegel for his Starter Burr Set: the highest of notchable pieces, then others
        ((103, 188, 256, 928, 975, 1024), 6, 7, ["5.2"]),
        ((369, 871, 956, 960, 992, 1000), 6, 5, ["6"]),
        ((824, 928, 992, 996, 1000, 1024), 6, 20, ["6"]),
        ((359, 615, 928, 956, 992, 1024), 6, 80, ["4.2"]),
        # The greatest levels of notchable pieces; BurrTools gives the same
        ((154, 344, 512, 1007, 1024, 1024), 6, 26, ["3", "9.2"]),
        ((344, 412, 512, 1007, 1024, 1024), 6, 52, ["9", "9.2"]),
        ((188, 512, 687, 768, 992, 1024), 6, 416, ["8", "9"]),
        ((256, 512, 704, 943, 992, 1024), 6, 288, ["8", "9"]),
        # Solid ones are of level 1, some need a second move for the second piece.
        ((1, 256, 824, 928, 975, 1024), 6, 1, ["1"]),  # Chinese Cross
        ((1, 256, 256, 256, 928, 928), 6, 1, ["1.2"]),  # Diabolical Structure
        ((52, 792, 824, 911, 975, 1024), 6, 4, ["1"]),  # Six Way Set
        ((1, 188, 824, 975, 1024, 1024), 6, 1, ["1"]),  # Yamato Block
        ((1, 188, 256, 960, 975, 1024), 6, 2, ["1", "1.2"]),  # Hoffmann's burr
        ((52, 615, 792, 960, 975, 992), 6, 1, ["1"]),  # Baffling Burr, Cutler's number 305
        ((52, 615, 871, 960, 975, 992), 6, 1, ["1"]),  # Cutler's number 306
        ((463, 564, 760, 909, 927, 1016), 6, 1, ["1"]),  # Tenyo Brother
        ((1, 154, 256, 256, 1024, 1024), 6, 1, ["1"]),  # Double Cross
    ],
)
def test_known_burrs_have_their_levels(
    numbers: tuple[int, ...], length: int, assemblies: int, levels: list[str]
) -> None:
    answer = exactile.count_assemblable(numbered(numbers, length))
    assert answer.assemblies_symmetry == assemblies
    assert [tally.level for tally in answer.levels][-len(levels) :] == levels
    if len(levels) == 1 and levels != ["1"]:
        assert answer.symmetry == 1
