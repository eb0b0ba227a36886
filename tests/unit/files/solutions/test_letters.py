"""Drawings with one letter a piece: read as they are written, and as people write them."""

from __future__ import annotations

import io
from itertools import product
from math import prod
from pathlib import Path

import pytest

from exactile.errors import FileError, PuzzleError
from exactile.files import load, read_solutions, write_solutions
from exactile.files.letters import Letters, region_drawing
from exactile.files.puzzles.document import make_puzzle
from exactile.files.sources import lines_of
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle import Puzzle, Region, Solution
from exactile.puzzle.check import check
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.render import draw_text
from exactile.search import Search

DRAWN = [name for name in lattice_names() if get_lattice(name).sketch is not None]


def read(text: str, puzzle: Puzzle) -> list[Solution]:
    return list(read_solutions(io.StringIO(text), puzzle, "a.txt"))


def small_pieces(name: str, orders: tuple[int, ...]) -> Puzzle:
    """Return a box of a lattice, and pieces of some orders as often as needed."""
    lattice = get_lattice(name)
    sides = [4, 3] if lattice.dimension == 2 else [3, 2, 2]
    kinds = len(lattice.origins)
    spans = [*sides, kinds] if kinds > 1 else sides
    units = lattice.points(list(product(*map(range, spans))))
    pieces = []
    for order in orders:
        for number, form in enumerate(generate(lattice, order, Freedom.FREE)):
            points = tuple(map(tuple, form.tolist()))
            piece = Piece(f"P{order}x{number}", lattice, points, Freedom.FREE, 0, 99)
            pieces.append(piece)
    return Puzzle("small", Region(lattice, units), tuple(pieces))


@pytest.mark.parametrize("names", [("a red one", "a blue one"), (" I", "I "), ("y\nz", "y z")])
def test_names_with_blanks_are_drawn_only_if_forms_tell_them_apart(names: tuple[str, str]) -> None:
    for other, readable in (("0..2,0", True), ("0..1,0", False)):
        cells = {names[0]: "0..1,0", names[1]: other}
        puzzle = make_puzzle(
            {"cells": cells},
            lattice="square",
            drawing="#####" if readable else "####",
            separated={"red": [names[0]]},  # else equal forms would be one piece
        )
        with Search(puzzle, limit=1) as search:
            (solution,) = search
        if readable and "\n" not in names[0]:
            assert list(
                Letters(puzzle).read(lines_of(io.StringIO(Letters(puzzle).text(solution))))
            ) == [solution]
            continue
        with pytest.raises(PuzzleError, match="too many pieces whose names have blanks"):
            Letters(puzzle).text(solution)


def test_the_lattices_with_drawings() -> None:
    assert len(DRAWN) >= 8


@pytest.mark.parametrize("name", DRAWN)
def test_a_hundred_solutions_are_read_as_they_are_written(name: str) -> None:
    puzzle = small_pieces(name, (2, 3))
    with Search(puzzle, limit=100) as search:
        found = list(search)
    assert len(found) == 100
    stream = io.StringIO()
    write_solutions(puzzle, found, stream, "letters")
    assert read(stream.getvalue(), puzzle) == found


@pytest.mark.parametrize("name", ["dominoes-8x8", "tetrominoes-5x4-tube", "calendar", "soma-cube"])
def test_puzzles_with_copies_wraps_and_open_units(name: str) -> None:
    puzzle = load(name)
    with Search(puzzle, limit=10) as search:
        found = list(search)
    stream = io.StringIO()
    write_solutions(puzzle, found, stream, "letters", lambda: "stopped: solution limit")
    solutions = read_solutions(io.StringIO(stream.getvalue()), puzzle)
    assert list(solutions) == found
    assert solutions.end == "stopped: solution limit"


def test_more_pieces_than_letters_share_them_where_they_do_not_touch() -> None:
    puzzle = make_puzzle("72xdomino", box=[12, 12])
    with Search(puzzle, limit=1) as search:
        [solution] = search
    text = Letters(puzzle).text(solution)
    assert ":" not in text
    assert read(text, puzzle) == [solution]


PAPER = """
PPUUNNNZZI
PPUNNWWZVI
PXUUWWZZVI
XXXFWTVVVI
LXFFFTTTYI
LLLLFTYYYY
"""


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line,
        lambda line: "    " + line,
        lambda line: " ".join(line),
        lambda line: line.translate(str.maketrans("PUNZIWVXFTLY", "abcdefghijkl")),
        lambda line: line.translate(str.maketrans("PUNZ", "UNZP")),
    ],
)
def test_what_stands_on_paper(change: object) -> None:
    """Anywhere in the line, with blanks, with any letters, those of other pieces too."""
    assert callable(change)
    puzzle = load("pentominoes-6x10")
    text = "\n".join(map(change, PAPER.splitlines()))
    [solution] = read(text, puzzle)
    check(puzzle, solution)
    assert [solution] == read(PAPER, puzzle)


def test_units_that_stay_open_are_dots_or_nothing() -> None:
    puzzle = load("calendar-01-01")
    [solution] = read(text_of_one(puzzle), puzzle)
    check(puzzle, solution)
    two_left = load("calendar")
    [open_] = read(text_of_one(two_left).replace("+", "."), two_left)
    check(two_left, open_)


def text_of_one(puzzle: Puzzle) -> str:
    with Search(puzzle, limit=1) as search:
        return Letters(puzzle).text(next(iter(search)))


def test_a_part_of_a_solution() -> None:
    puzzle = load("pentominoes-6x10")
    [given] = read(PAPER.translate(str.maketrans("PUNZIWVFTY", "##########")), puzzle)
    assert [placement.piece for placement in given] == ["L", "X"]
    assert read(Letters(puzzle).text(given), puzzle) == [given]


def test_legends_name_pieces_of_one_form(tmp_path: Path) -> None:
    file = tmp_path / "painted.toml"
    file.write_text(
        'format = 1\n[puzzle.a]\nlattice = "square"\nregion.box = [2, 1]\n'
        'pieces = { cells = { red = "0,0", one = "0,0" } }\n'
        'paint = { region = { g = "1,0" }, pieces = { red = { r = "0,0" } } }\n'
    )
    puzzle = load(file)
    with pytest.raises(PuzzleError, match="'a' may be red or one: write a line such as a: "):
        read("ab", puzzle)
    [solution] = read("ab\n\na: red  b: one", puzzle)
    assert [p.piece for p in solution] == ["red", "one"]
    check(puzzle, solution)
    assert read(Letters(puzzle).text(solution), puzzle) == [solution]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            PAPER + "\nABC",
            "a.txt: line 9: the cells of 'A' are not a piece of pentominoes-6x10: 0,0",
        ),
        (PAPER.replace("LLLLFT", "LLLLFTT"), "there is no place for 'Y', column 11 of the line"),
        ("Solutions of pentominoes-6x10, one letter a piece:\n" + PAPER, "the file is truncated"),
    ],
)
def test_errors_name_the_place(text: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        read(text, load("pentominoes-6x10"))


def test_an_error_shows_the_line_as_it_is() -> None:
    with pytest.raises(PuzzleError) as error:
        read("\\/\\", load("tetrahexes-4x7"))
    assert str(error.value).endswith("no place for '/', column 2 of the line '\\/\\'.")


@pytest.mark.parametrize("box", [(3, 2, 2), (4, 2, 12), None])
def test_layers_side_by_side_are_read_as_the_terminal_shows_them(
    box: tuple[int, int, int] | None,
) -> None:
    if box is None:
        puzzle = load("tetracubes-2x2x2x4")  # two boxes, with a blank line between them
    else:
        puzzle = make_puzzle(f"{prod(box) // 2}xdicube", box=box)
    with Search(puzzle, limit=2) as search:
        found = list(search)
    drawn = [f"{number}.\n{draw_text(puzzle, each)}\n\n" for number, each in enumerate(found, 1)]
    assert read("".join(drawn), puzzle) == found
    with pytest.raises(FileError, match=r"has 1 of \d+ layers"):
        read("z=0\nabb\nacc\n", puzzle)


def test_layers_may_begin_below_zero_and_be_left_out() -> None:
    puzzle = make_puzzle("2xdicube", units="0..1,0,-2 0..1,0,1")
    with Search(puzzle) as search:
        [solution] = search
    drawn = draw_text(puzzle, solution)
    assert drawn.startswith("z=-2  z=1\n")
    assert read(drawn, puzzle) == [solution]


def test_dots_of_a_spread_drawing_are_places() -> None:
    puzzle = make_puzzle([{"set": "monomino", "ranges": "0..1"}], box=(3, 1), optional="0..2,0")
    with Search(puzzle) as search:
        found = [solution for solution in search if solution]
    assert len(found) == 3
    assert [read(draw_text(puzzle, each), puzzle) for each in found] == [[each] for each in found]


def test_layers_are_complete() -> None:
    with pytest.raises(FileError, match="line 1: the drawing has 2 of 3 layers"):
        read("aaa\naaa\naaa\n\nbbb\nbbb\nbbb\n", load("soma-cube"))


def test_digits_before_a_dot_are_letters_inside_a_drawing() -> None:
    text = "1.\n211\n21.\n2#.\n"
    assert region_drawing(text) == "###\n##.\n##."
    puzzle = make_puzzle("I3,V3,O1", lattice="square", drawing=region_drawing(text))
    [given] = read(text, puzzle)
    assert [placement.piece for placement in given] == ["I3", "V3"]
    assert read(f"{text}2.\n211\n21.\n2#.\n", puzzle) == [given, given]
    drawn = text.removeprefix("1.\n")
    for first in (0, 7, 1023):
        numbered = "".join(f"{first + k}.\n{drawn}" for k in range(3))
        assert read(numbered, puzzle) == [given] * 3


def test_lattices_without_drawings() -> None:
    puzzle = load("tritrigs-heart-2")
    with pytest.raises(PuzzleError, match="no drawings in letters on the triangle-edges"):
        write_solutions(puzzle, [], io.StringIO(), "letters")
