"""Boards: holes, jumps, symmetries, files."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from exactile.classics.peg import Board, PegProblem, load_board
from exactile.classics.peg.board import named_boards
from exactile.classics.peg.problem import image
from exactile.errors import FileError, NotFoundError, PuzzleError, RegionError

DOCUMENT = "124 456 631 259 987 742 36A A98 853"
"""The lines of jumps of the ten-hole board as its author writes them."""


def test_the_ten_hole_board_is_numbered_as_its_author_does() -> None:
    board = load_board("triangle-4")
    lines = [tuple(int(c, 16) for c in word) for word in DOCUMENT.split()]
    wanted = sorted([*lines, *(line[::-1] for line in lines)])
    assert (board.jumps + 1).tolist() == [list(line) for line in wanted]


@pytest.mark.parametrize(
    ("name", "holes", "jumps", "symmetries"),
    [
        ("english", 33, 76, 8),
        ("european", 37, 92, 8),
        ("wiegleb", 45, 108, 8),
        ("asymmetric", 39, 92, 2),
        ("triangle-5", 15, 36, 6),
        ("hexagon-3", 19, 54, 12),
        ("rhombus-4", 16, 40, 4),
        ("diamond-5", 41, 100, 8),
        ("square-4", 16, 32, 8),
        ("square-8", 64, 192, 8),
    ],
)
def test_boards(name: str, holes: int, jumps: int, symmetries: int) -> None:
    board = load_board(name)
    assert (board.size, len(board.jumps), len(board.symmetries)) == (holes, jumps, symmetries)
    assert board.symmetries[0].tolist() == list(range(holes))
    known = {tuple(jump) for jump in board.jumps.tolist()}
    for symmetry in board.symmetries:
        assert sorted(symmetry.tolist()) == list(range(holes))
        assert {tuple(jump) for jump in symmetry[board.jumps].tolist()} == known


def test_boards_of_the_package_have_titles() -> None:
    assert all(board.title for board in named_boards().values())


def test_goals_take_symmetries_away() -> None:
    board = load_board("english")
    middle = PegProblem.vacancy(board, 17, end=17)
    aside = PegProblem.vacancy(board, 17, end=2)
    assert (len(middle.group), len(aside.group)) == (8, 2)
    assert all(image(s, aside.goals[0]) == aside.goals[0] for s in aside.group)


FILE = '''
[board.cross]
grid = "square"
title = "Cross"
drawing = """
 #
#o#
 #
"""

[board.slope]
grid = "triangle"
drawing = """
  o
 # #
# o #
"""
goal = """
  #
 o #
o o o
"""
'''


def test_boards_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "boards.toml"
    path.write_text(FILE, "utf-8")
    cross = load_board(f"{path}#cross")
    assert cross.holes == ((1, 2), (0, 1), (1, 1), (2, 1), (1, 0))
    assert cross.start == 0b11011
    slope = load_board(f"{path}#slope")
    assert slope.start is not None
    assert slope.drawn(slope.start) == "  o\n # #\n# o #"
    assert slope.goal == 0b101
    with pytest.raises(FileError, match=r"it has 2 boards: write .*#NAME with one of cross, slope"):
        load_board(str(path))
    with pytest.raises(NotFoundError, match=r"no board 'slop'\. Did you mean 'slope'"):
        load_board(f"{path}#slop")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"key 'board' is missing: write a table \[board.NAME\]\.$"),
        (
            "[board.a]\ndrawing = '##o'",
            "board.a: the key 'grid' is missing: write grid =",
        ),
        ("[board]\ngrid = 'square'", 'board.grid: .* "square". Write a table .board.NAME'),
        ("[board.a]\ngrid = 'square'", 'key \'drawing\' is missing: write drawing = """'),
        ("[board.a]\ngrid = 'cube'\ndrawing = '#'", "'cube' is not allowed: write one of"),
        ("[board.a]\ngrid = 'square'\ndrawing = '#x'", "'x' has no meaning in a drawing"),
        ("[board.a]\ngrid = 'square'\ndrawing = '+#'", r"'\+' has no meaning in a drawing"),
        ("[board.a]\ngrid = 'square'\ndrawing = ' . '", "no hole in the drawing"),
        ("[board.a]\ngrid = 'square'\ndrawing = 'ooo'", "no peg in it"),
        ("[board.a]\ngrid = 'triangle'\ndrawing = '##'", "moves by 2 columns and 0 lines"),
        ("[board.a]\ngrid = 'square'\ndrawing = '###'\ngoal = '#o'", "must have the holes"),
        ("[board.a]\ngrid = 'square'\ndrawing = '##'\ngoal = 'oo'", "a peg in one of them"),
        (
            "[board.a]\ngrid = 'square'\ndrawing = '" + "#" * 65 + "'",
            "65 holes: a board has 1 to 64",
        ),
        ("[board.a]\ngrid = 'square'\ndrawing = '#'\nsize = 3", "unknown key 'size'"),
        ("format = 2\n[board.a]\ngrid = 'square'\ndrawing = '#'", "reads format 1, not 2"),
        ("board = 3", "expected a table"),
        ("[board]", "it has no board"),
        ("[board.a", "bad TOML"),
    ],
)
def test_damaged_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(PuzzleError, match=message) as caught:
        load_board(str(path))
    assert str(caught.value).startswith(str(path))


def test_no_such_board() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'english'"):
        load_board("englsh")
    with pytest.raises(NotFoundError, match="no board 'circle-3'"):
        load_board("circle-3")
    with pytest.raises(NotFoundError, match="no such file"):
        load_board("nothing.toml")
    for name in ("triangle-11", "triangle-0", "square-9", "triangle-999"):
        with pytest.raises(RegionError, match="1 to 64"):
            load_board(name)


def test_no_such_hole_or_position() -> None:
    board = load_board("english")
    with pytest.raises(PuzzleError, match="no hole 34: they are numbered from 1 to 33"):
        PegProblem.vacancy(board, 34)
    with pytest.raises(PuzzleError, match="no hole 0"):
        PegProblem.vacancy(board, 1, end=0)
    with pytest.raises(PuzzleError, match="the same number of pegs"):
        PegProblem(board, board.full, (1, 3))
    with pytest.raises(PuzzleError, match="a peg at least"):
        PegProblem(board, 0, (1,))
    with pytest.raises(PuzzleError, match="single hole"):
        PegProblem.vacancy(Board.of("one", "square", [(0, 0)]), 1)


@pytest.mark.parametrize("name", ["triangle-4", "english"])
def test_boards_can_be_pickled(name: str) -> None:
    board = load_board(name)
    again = pickle.loads(pickle.dumps(board))
    assert (again.name, again.holes, again.grid) == (board.name, board.holes, board.grid)
    assert copy.deepcopy(board).numbered() == board.numbered()
