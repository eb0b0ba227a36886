"""Busche's text format: read and refused."""

from __future__ import annotations

import pytest

import exactile
from exactile.errors import FileError
from exactile.files.foreign.polycube_text import parse_polycube
from exactile.puzzle import Puzzle
from exactile.puzzle.pieces.piece import Freedom

FLAT = """# a comment
D : xDim=5 : yDim=3                # one layer
L
A A .
. A B
  ~L
C:name=C:layout=0 0 0, 1 0 0, 2 0 0, 2 1 0
L:stationary=* X
* . . . .
* . . . .
. . X X X
~L
C:name=D:type=M:layout=4 -1 0
~D
"""


def read(text: str) -> list[Puzzle]:
    return parse_polycube("folder/My box.txt", text).puzzles


def test_all_parts_are_read() -> None:
    text = FLAT.replace("D:type=M:layout=4 -1 0", "D:layout=4 -1 0,5 -1 0")
    [puzzle] = read(text)
    assert (puzzle.name, puzzle.title, puzzle.lattice.name) == ("my-box", "My box", "square")
    taken = {(0, 2), (0, 1), (2, 0), (3, 0), (4, 0)}
    assert {tuple(u) for u in puzzle.region.units.tolist()} == {
        (x, y) for x in range(5) for y in range(3)
    } - taken
    assert [(p.name, p.units, p.freedom) for p in puzzle.pieces] == [
        ("A", ((0, 2), (1, 1), (1, 2)), Freedom.FREE),
        ("B", ((2, 1),), Freedom.FREE),
        ("C", ((0, 0), (1, 0), (2, 0), (2, 1)), Freedom.FREE),
        ("D", ((4, -1), (5, -1)), Freedom.FREE),
    ]


def test_one_side_forbids_turning_over() -> None:
    free = "D:xDim=3:yDim=2\nL\nL L L\nL . .\n~L\nC:name=M:layout=0 0 0,1 0 0\n~D"
    assert {p.freedom for p in read(free)[0].pieces} == {Freedom.FREE}
    [puzzle] = read(free.replace("yDim=2", "yDim=2:oneSide"))
    assert {p.freedom for p in puzzle.pieces} == {Freedom.ONE_SIDED}
    assert [exactile.count(p).raw for p in (read(free)[0], puzzle)] == [4, 2]
    raised = "D:xDim=3:yDim=2:oneSide\nC:name=L:layout=0 0 1,0 1 1,1 1 1,2 1 1\n"
    assert read(f"{raised}C:name=M:layout=0 0 0,1 0 0\n~D")[0] == puzzle


def test_layers_and_equal_pieces() -> None:
    text = "D:xDim=2:yDim=2:zDim=2\nL\nA A, C D\nB B, C D\n~L\n~D"
    [puzzle] = read(text)
    assert puzzle.lattice.name == "cube"
    assert [(p.name, p.upper) for p in puzzle.pieces] == [("A", 4)]
    assert exactile.count(puzzle).raw == 9


def test_a_piece_that_stands_up_makes_a_solid_puzzle() -> None:
    [puzzle] = read("D:xDim=2:yDim=1\nC:name=I:layout=0 0 0, 0 0 1\n~D")
    assert puzzle.lattice.name == "cube"
    assert exactile.count(puzzle).raw == 1


def test_several_puzzles_in_a_file() -> None:
    one = "D:xDim=2:yDim=1\nC:name=I:layout=0 0 0, 1 0 0\n~D\n"
    assert [p.name for p in read(one + one)] == ["my-box", "my-box-2"]


BOX = "D:xDim=2:yDim=1\n"
WRONG = {
    "nothing": ("# only this\n", "there is no puzzle in it"),
    "no box": ("L\n", 'line 1: "L" is outside a puzzle'),
    "no end": (BOX, "line 1: the file ends before ~D"),
    "no end of a drawing": (BOX + "L\nA A\n", "line 3: the file ends before ~L"),
    "a missing size": ("D:xDim=2\n", 'line 1: yDim="" is not an integer'),
    "a bad size": ("D:xDim=2:yDim=y\n", 'line 1: yDim="y" is not an integer'),
    "no size": ("D:xDim=0:yDim=1\n", "line 1: a box of 0 x 1 x 1 is impossible"),
    "a size beyond 64 bits": (
        "D:xDim=2097152:yDim=2097152:zDim=2097152\n",
        "line 1: a box of 2097152 x 2097152 x 2097152 is impossible",
    ),
    "a huge size": ("D:xDim=999999:yDim=999999\n", "line 1: a box of 999999 x 999999 x 1 is"),
    "an unknown setting": ("D:xDim=2:dim=2\n", 'line 1: unknown setting "dim=2"'),
    "a repeated setting": ("D:xDim=2:xDim=2\n", "line 1: the setting xDim occurs twice"),
    "one side of a solid": ("D:xDim=2:yDim=2:zDim=2:oneSide", "line 1: oneSide is for puzzles of"),
    "an unknown directive": (BOX + "X\n", 'line 2: "X" is not a directive'),
    "a box in a box": (BOX + BOX, 'line 2: "D:xDim=2:yDim=1" is not a directive'),
    "no layout": (BOX + "C:name=A\n", "line 2: the setting layout is missing"),
    "half a cell": (BOX + "C:name=A:layout=0 0\n", 'line 2: "0 0" is not a cell'),
    "letters": (BOX + "C:name=A:layout=0 0 x\n", 'line 2: layout="x" is not an integer'),
    "a wrong type": (BOX + "C:name=A:type=Q:layout=0 0 0\n", 'line 2: type="Q" is neither M'),
    "a cell twice": (BOX + "C:name=A:layout=0 0 0,0 0 0\n", "has the cell \\[0, 0, 0\\] twice"),
    "a piece twice": (BOX + "L\nA A\n~L\nL\nA\n~L\n", 'line 7: there already is a piece "A"'),
    "a missing piece": (BOX + "L:stationary=B\nA A\n~L\n", 'stationary piece "B" is not in'),
    "outside": (BOX + "C:name=A:type=S:layout=5 0 0\n", "\\[5, 0, 0\\], which is outside the box"),
    "an overlap": (
        BOX + "C:name=A:type=S:layout=0 0 0\nC:name=B:type=S:layout=0 0 0\n~D",
        "line 1: two stationary pieces have the cell \\[0, 0, 0\\]",
    ),
    "a wrong area": (BOX + "C:name=A:layout=0 0 0\n~D", "the pieces have 1 cells, but 2 are to"),
    "one side of a piece that stands up": (
        "D:xDim=2:yDim=1:oneSide\nC:name=I:layout=0 0 0, 0 0 1\n~D",
        "line 1: oneSide is for flat pieces",
    ),
    "no pieces": (BOX + "~D", "this puzzle has nothing to be placed"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_get_one_clear_error(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(FileError, match=f"^folder/My box.txt: .*{message}"):
        read(text)
