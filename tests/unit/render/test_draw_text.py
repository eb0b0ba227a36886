"""Text drawings are exactly those that people of the field expect."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from exactile import load
from exactile.errors import PuzzleError
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.render import draw_text
from support.random_puzzles import PUZZLE_LATTICES
from unit.render.examples import ALL, dominoes, solved

DRAWINGS = {
    "squares": r"""
P P P .
L P P
L L L
""",
    "cubes": r"""
z=0  z=1
F V  F F
V V  F F

F: F5
""",
    "hexagons": r"""
 __
/  \
\  /
/I3\__
\  /  \__
/  \  /. \
\__/V3\__/
/   __/
\__/
""",
    "triangles": r"""
    ____
   / T4 \
  /___   \
 / I3 \  /
/______\/
""",
    "sticks": r"""
 -U--  .
U    U    J
|    |    |
 -J-- -J--
""",
    "trigs": r"""
      S14
       \
    _S14\
  /O3    S14
O3  \     \
/_O3_\  .  \
""",
    "twigs": r"""
  _S3_
 S3   S3
/      \
C3
 \_C3_
 C3
/
""",
    "sheets": r"""
z=0      z=1/2    z=1
          -B---
  [A ]   B     A    [C ]
          -B---
""",
    "rods": r"""
z=0      z=1/2    z=1
         V
V
 -U---   .     U   -U---
""",
    "quarters": r"""
      /|
     / |
    /  |
   /   |
  /    |
 /     |______
|\     |\    /
| \B   | \. /
|A \   |A \/
|   \  |   \
|    \ |    \
|_____\|_____\
""",
    "sixths": r"""
           B
         B
  A  B

           B  .
A      B
  A  B
""",
    "kites": r"""
       C

            C

  A    A      C

B         A

  B    .
""",
}
"""After the line break at the start of each."""

REGIONS = {
    "squares": r"""
. . . .
. . .
. . .
""",
    "hexagons": r"""
 __
/  \
\__/
/  \__
\__/  \__
/  \__/  \
\__/  \__/
/  \__/
\__/
""",
    "triangles": r"""
    ____
   /\  /\
  /__\/__\
 /\  /\  /
/__\/__\/
""",
    "sticks": r"""
 ---- ----
|    |    |
|    |    |
 ---- ----
""",
    "trigs": r"""
      \
       \
    ____\
  /\     \
 /  \     \
/____\ ____\
""",
    "twigs": r"""
  ____
 /    \
/      \
\
 \____
 /
/
""",
    "cubes": r"""
z=0  z=1
. .  . .
. .  . .
""",
    "sheets": r"""
z=0      z=1/2    z=1
          -----
  [  ]   |     |    [  ]
          -----
""",
    "quarters": r"""
      /|
     / |
    /  |
   /\  |
  /  \ |
 /____\|______
|\    /|\    /
| \  / | \  /
|  \/  |  \/
|  /\  |  /\
| /  \ | /  \
|/____\|/____\
""",
    "sixths": r"""
           .
         .
  .  .

           .  .
.      .
  .  .
""",
    "kites": r"""
       .

            .

  .    .      .

.         .

  .    .
""",
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_solution_is_drawn_in_the_manner_of_its_lattice(name: str) -> None:
    assert "\n" + draw_text(*ALL[name]) == DRAWINGS[name]


@pytest.mark.parametrize("name", REGIONS)
def test_no_placements_draw_the_region(name: str) -> None:
    assert "\n" + draw_text(ALL[name][0], ()) == REGIONS[name]


def test_every_lattice_has_an_example() -> None:
    assert sorted(puzzle.lattice.name for puzzle, _ in ALL.values()) == PUZZLE_LATTICES


@pytest.mark.parametrize(("puzzle", "solution"), ALL.values(), ids=ALL)
def test_drawings_have_no_empty_margin(puzzle: Puzzle, solution: Solution) -> None:
    for drawn in (solution, solution[:1], ()):
        text = draw_text(puzzle, drawn)
        lines = text.removesuffix("\n").split("\n")
        assert text.endswith("\n")
        assert all(line == line.rstrip() for line in lines)
        assert lines[0]
        assert lines[-1]
        assert any(line[:1].strip() for line in lines)


def test_equal_arguments_give_equal_drawings_in_every_process() -> None:
    program = (
        "from unit.render.examples import ALL\n"
        "from exactile.render import draw_svg, draw_text\n"
        "for puzzle, solution in ALL.values():\n"
        "    print(draw_text(puzzle, solution), draw_svg(puzzle, solution))\n"
    )
    tests = Path(__file__).parents[2]
    drawings = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": str(tests), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawings) == 1


def test_copies_are_told_apart() -> None:
    assert draw_text(*dominoes(4, 2)) == "b b d d\na a c c\n\na-d: I2\n"


def test_a_piece_with_border_lines_needs_no_label_for_each_copy() -> None:
    text = draw_text(*solved("hexagon", [("I2", [(0, 0), (0, 1)]), ("I2", [(1, 0), (1, 1)])]))
    assert text.count("I2") == 2
    assert ":" not in text


def test_layers_that_do_not_fit_on_the_page_continue_below() -> None:
    tower = solved("cube", [("I9", [(x, 0, z) for x in range(9)]) for z in range(7)])
    lines = draw_text(*tower).split("\n")
    assert lines[0] == "z=0                z=1                z=2                z=3"
    assert lines[1].startswith("a a a a a a a a a  b b b")
    assert lines[3] == "z=4                z=5                z=6"
    assert max(map(len, lines)) <= 80


def test_the_seam_of_a_torus_is_no_border() -> None:
    placements = [
        ("A3", [(0, 0), (3, 0), (0, 1)]),
        ("P5", [(1, 0), (2, 0), (1, 1), (2, 1), (3, 1)]),
    ]
    torus = draw_text(*solved("hexagon", placements, wrap=[(4, 0)]))
    plane = draw_text(*solved("hexagon", placements))
    assert torus.count("\\") == plane.count("\\") - 2


def test_a_piece_in_several_parts_has_a_label_on_each() -> None:
    text = draw_text(*solved("hexagon", [("I2", [(0, 0), (0, 2)]), ("A1", [(0, 1)])]))
    assert text.count("I2") == 2


def test_placements_outside_the_region_are_refused() -> None:
    away = (Placement("I2", ((1, 0), (9, 9))),)
    with pytest.raises(PuzzleError, match=r"the point \[9, 9\], which is not in the region"):
        draw_text(load("dominoes-4x4"), away)
