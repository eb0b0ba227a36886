"""Colors in puzzle files: drawings and units, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exactile import load
from exactile.counting import count
from exactile.errors import PuzzleError
from exactile.files.puzzles.document import Document
from exactile.puzzle import Puzzle

HEAD = """
format = 1
[puzzle.a]
lattice = "square"
pieces = { set = "domino", copies = 2 }
region.box = [2, 2]
"""


def puzzle(text: str) -> Puzzle:
    return Document("my.toml", HEAD + text).puzzle("a")


def test_drawings_and_units_say_the_same() -> None:
    drawn = puzzle('paint = { region = "bw\\n#w", pieces = { I2 = "bw" } }')
    listed = puzzle(
        'paint = { region = { b = "0,1", w = "1,0..1" }, '
        'pieces = { I2 = { b = "0,0", w = "0,1" } } }'
    )
    assert drawn.paint == listed.paint
    assert count(drawn).raw == 1


def test_fits_replaces_what_fits_by_itself() -> None:
    text = 'paint = { region = "bw\\nwb", pieces = { I2 = "gg" }, fits = { g = ["b", "w"] } }'
    assert count(puzzle(text)).raw == 2
    assert count(puzzle(text.replace('"b", "w"', '"b"'))).raw == 0


def test_a_wrapped_region_is_painted_around() -> None:
    text = HEAD.replace("[2, 2]", "[2, 2]\nregion.wrap = [[2, 0]]")
    text += 'paint = { region = { b = "2,0", w = "3,0" }, pieces = { I2 = "bb" } }'
    units = Document("my.toml", text).puzzle("a").paint.units
    assert units == {(0, 0): "b", (1, 0): "w"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('paint = { region = "bw", pieces = { I2 = "b" } }', "is not piece I2"),
        ('paint = { region = "bw", pieces = { I3 = "bbb" } }', "no piece 'I3'"),
        ('paint = { region = "b!", pieces = { I2 = "bw" } }', "has no meaning"),
        ('paint = { region = "bwb", pieces = { I2 = "bw" } }', "not a unit of the region"),
        (
            'paint = { region = { b = "0,0", w = "0,0" }, pieces = { I2 = "bw" } }',
            "has two paints",
        ),
        ('paint = { region = "bw" }', r"'pieces' is missing: write pieces = \{ NAME ="),
        ('paint = { pieces = { I2 = "bw" } }', r"'region' is missing: write region = \{ red ="),
        ('separated = { red = ["I3"] }', "no such piece"),
        ('joined = { red = ["I2"] }', "it is used 2 times"),
        ('joined = { red = "I2" }', "my.toml"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        puzzle(text)


def test_painted_units_that_do_not_exist_are_named_by_their_coordinates(tmp_path: Path) -> None:
    text = 'format = 1\n[puzzle.a]\nlattice = "square-edges"\npieces = "tetrasticks"\n'
    path = tmp_path / "my.toml"
    for paint, message in [
        (
            'region = { a = "9,8,1" }\npaint.pieces.I = { a = "0,0,0" }',
            "region lies on [9, 8, 1],",
        ),
        ('region = { a = "0,0,0" }\npaint.pieces.I = { a = "9,8,1" }', "I lies on [9, 8, 1],"),
    ]:
        path.write_text(f"{text}region.box = [4, 4]\npaint.{paint}\n")
        with pytest.raises(PuzzleError, match=re.escape(message)):
            load(path)
