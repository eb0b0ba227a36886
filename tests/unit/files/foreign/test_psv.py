"""Files of PolySolver: read and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactile
from exactile.errors import FileError
from exactile.files.foreign.conversion import ForeignPuzzles, import_file
from exactile.files.foreign.psv import parse_psv
from exactile.puzzle import Puzzle
from exactile.puzzle.pieces.piece import Freedom

SQUARES = """Trominoes and a domino # no comment here
square
BOARD ( (4, 2) (0,0) (0 0) (4,2) (5,2) )   # one cell is moved
# three kinds of pieces
tile flip 4 ((0,0)(1,0)(1,1)) (255 0 10)
Tile 1 3((0,0)(1,0)(2,0))
tile fixed ((0,0)(0,1))
mode FillAll
solution (1 (0,0|3))
notes whatever
"""


def read(text: str) -> Puzzle:
    [puzzle] = parse_psv("folder/My board.psv", text).puzzles
    return puzzle


def test_all_parts_are_read() -> None:
    puzzle = read(SQUARES)
    assert (puzzle.name, puzzle.title) == ("my-board", "Trominoes and a domino # no comment here")
    cells = {(x, y) for x in range(5) for y in range(3)} - {(4, 2)} | {(5, 2)}
    assert {tuple(u) for u in puzzle.region.units.tolist()} == cells
    assert not puzzle.region.optional.any()
    assert [(p.name, p.units, p.freedom, p.lower, p.upper) for p in puzzle.pieces] == [
        ("T1", ((0, 0), (1, 0), (1, 1)), Freedom.FREE, 0, 4),
        ("T2", ((0, 0), (1, 0), (2, 0)), Freedom.ONE_SIDED, 1, 3),
        ("T3", ((0, 0), (0, 1)), Freedom.FIXED, 0, 1),
    ]


def test_every_tile_is_used_once_if_areas_say_so() -> None:
    puzzle = read("One of each\nBoard ((4,0))\ntile((0,0)(1,0))\ntile((0,0)(1,0)(2,0))")
    assert [(p.lower, p.upper) for p in puzzle.pieces] == [(1, 1), (1, 1)]
    assert exactile.count(puzzle).raw == 2


def test_all_tiles_in_a_larger_board() -> None:
    puzzle = read("Loose\nBoard ((2,1))\ntile ((0,0)(1,0))\nmode UseAll")
    assert puzzle.region.optional.all()
    assert [(p.lower, p.upper) for p in puzzle.pieces] == [(1, 1)]
    assert exactile.count(puzzle).raw == 7  # dominoes in a 3 by 2 rectangle


def test_a_file_may_begin_with_the_board() -> None:
    assert read("Board ((1,0))\ntile ((0,0)(1,0))").title == "my-board"


def test_cubes() -> None:
    puzzle = read("Cubes\nCube\nBoard ((1,1,1))\ntile 4 ((0,0,0)(0,0,1))")
    assert exactile.count(puzzle).raw == 9


def test_hexagons_keep_their_neighbors() -> None:
    ring = "(1,0)(2,1)(2,2)(1,2)(0,1)(0,0)"  # around (1,1), x and y at 120 degrees
    puzzle = read(f"Ring\nHexagon\nBoard ((2,2)(0,2)(2,0)(1,1))\ntile fixed ({ring})")
    assert len(puzzle.region) == 6
    assert exactile.count(puzzle).raw == 1
    steps = {tuple(s) for s in puzzle.lattice.neighbors[0]}
    units = [tuple(u) for u in puzzle.pieces[0].points.tolist()]
    touching = [
        tuple(a - b for a, b in zip(u, v, strict=True)) in steps for u in units for v in units
    ]
    assert sum(touching) == 12


def test_triangles_keep_their_neighbors() -> None:
    # Kind 1 points up from its left corner, kind 0 down to its lowest corner.
    puzzle = read("Strip\nTriangle\nBoard ((1,0:1))\ntile ((0,0:0)(0,0:1)(1,0:0)(1,0:1))")
    assert puzzle.region.coordinates == [(-1, 0, 1), (0, 0, 0), (0, 0, 1), (1, 0, 0)]
    assert exactile.count(puzzle).raw == 1
    hexagon = "(1,1:1)(1,1:0)(0,1:1)(0,0:1)(1,0:0)(0,0:0)"
    six = read(f"Six\nTriangle\nBoard ((1,1:1)(1,0:1)(0,1:0))\ntile fixed ({hexagon})")
    assert exactile.count(six).raw is not None


def test_forms_that_are_all_ways_to_turn_one() -> None:
    puzzle = read("Both ways\nBoard ((1,1))\ntile fixed 2 ((0,0)(1,0)+(0,0)(0,1))")
    assert puzzle.pieces[0].freedom is Freedom.FREE
    assert exactile.count(puzzle).raw == 2


WRONG = {
    "nothing": ("", "the file is empty"),
    "an unknown grid": (
        "a\nTan\nBoard ((1,1))",
        'line 2: expected one of the grids .*, found "tan"',
    ),
    "no board": ("a\nSquare\ntile ((0,0))", "there is no board in the file, found the end"),
    "no tiles": ("a\nBoard ((1,1))", "there is no tile in the file"),
    "no cells": ("a\nBoard (1,1)", 'line 2: expected \\(, found "1"'),
    "three numbers": ("a\nBoard ((1,1,1))", 'line 2: expected \\), found "1"'),
    "letters": ("a\nBoard ((1,x))", 'line 2: expected an integer, found "x"'),
    "a cut file": (
        "a\nBoard ((1,1))\ntile ((0,0)",
        "line 3: expected \\), found the end of the file",
    ),
    "a huge board": ("a\nBoard ((9999,9999))", "a board of 1 to 1,000,000 cells"),
    "an empty tile": ("a\nBoard ((1,1))\ntile ()", "line 3: expected the cells of a tile before"),
    "a cell twice": (
        "a\nBoard ((1,1))\ntile ((0,0)(0,0))",
        "expected the cells of a tile before, each once",
    ),
    "two forms": ("a\nBoard ((1,1))\ntile ((0,0)+(0,0)(0,1))", "tile 1 has 2 forms"),
    "placed tiles": ("a\nBoard ((1,1))\ntile ((0,0))\nplace (1 (0,0|0))", "placed tiles are not"),
    "another mode": (
        "a\nBoard ((1,1))\ntile ((0,0))\nmode x",
        "line 4: expected fillall or useall",
    ),
    "another word": (
        "a\nBoard ((1,1))\ntiles ((0,0))",
        'line 3: expected board or .*found "tiles"',
    ),
    "a wrong kind": ("a\nTriangle\nBoard ((1,1:2))", "line 3: expected a kind of cell up to 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_get_one_clear_error(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(FileError, match=f"^folder/My board.psv: .*{message}"):
        read(text)


def test_the_format_has_no_solutions(tmp_path: Path) -> None:
    (tmp_path / "a.psv").write_text(SQUARES, "utf-8")
    found = import_file(tmp_path / "a.psv")
    assert isinstance(found, ForeignPuzzles)
    with pytest.raises(FileError, match="no solutions are stored in it"):
        found.write_stored(tmp_path / "a.jsonl")
