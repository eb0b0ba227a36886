"""Puzzles in one line of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from exactile import Puzzle, load, make_puzzle
from exactile.errors import PuzzleError


def test_it_is_the_puzzle_of_a_file() -> None:
    assert make_puzzle("pentominoes", box=(10, 6)) == load("pentominoes-6x10")
    assert make_puzzle("soma-cubes", region={"box": [3, 3, 3]}) == load("soma-cube")


@pytest.mark.parametrize(
    ("pieces", "keys", "text"),
    [
        ("pentominis", {"box": (3, 3)}, "on any lattice. Did you mean 'pentominoes'?"),
        ("2xpentominoes", {"lattice": "cube", "box": (3, 3, 3)}, "on the cube lattice"),
        ("pentominoes", {}, "a region starts from exactly one of box"),
        ("pentominoes", {"bix": (3, 3)}, "unknown key 'bix'. Did you mean 'box'?"),
        ("pentominoes", {"box": (3, 3), "fixed": 5}, "fixed"),
        ([{"set": "pentominoes"}, {"orders": [4]}], {"box": (4, 20)}, "give the lattice"),
        ({"cells": {"I": [(0, 0)]}}, {"box": (4, 20)}, "give the lattice"),
    ],
)
def test_what_is_wrong_is_one_clear_error(pieces: Any, keys: dict[str, Any], text: str) -> None:
    with pytest.raises(PuzzleError, match=r"^puzzle: ") as caught:
        make_puzzle(pieces, **keys)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("30xdomino", {"set": "domino", "copies": 30}),
        ("30 × Dominoes", {"set": "domino", "copies": 30}),
        ("0..3xtetrominoes", {"set": "tetrominoes", "ranges": "0..3"}),
        ("X,2*Y", {"set": "pentominoes", "only": ["X", "Y"], "copies": {"Y": 2}}),
        ("pentominoes, X, Y", {"set": "pentominoes", "copies": {"X": 2, "Y": 2}}),
        ("X, Y, Y", {"set": "pentominoes", "only": ["X", "Y"], "copies": {"Y": 2}}),
        ("2xP7x003", {"set": "heptominoes", "only": ["P7x003"], "copies": 2}),
        ("one-sided-tetrominoes:l4", {"set": "one-sided-tetrominoes", "only": ["l4"]}),
    ],
)
def test_pieces_in_a_line_of_text(text: str, table: dict[str, Any]) -> None:
    expected = make_puzzle(table, lattice="square", box=(6, 5))
    assert make_puzzle(text, box=(6, 5)) == expected
    file = (
        f"format = 1\n[puzzle.puzzle]\nlattice = 'square'\npieces = '{text}'\nregion.box = [6, 5]"
    )
    assert load(file) == expected


def test_several_sets_tell_their_lattice() -> None:
    puzzle = make_puzzle([{"set": "tetrahexes"}, {"set": "trihexes"}], box=(4, 20))
    assert puzzle.lattice.name == "hexagon"


def test_texts_stand_between_tables() -> None:
    stated = make_puzzle(["2xI4, X", {"set": "trominoes", "only": ["V3"]}], box=(4, 4))
    assert [(piece.name, piece.lower) for piece in stated.pieces] == [
        ("I4", 2),
        ("X", 1),
        ("V3", 1),
    ]
    assert make_puzzle(["30xdomino"], box=(10, 6)) == make_puzzle("30xdomino", box=(10, 6))


def test_pieces_of_ones_own() -> None:
    puzzle = make_puzzle(
        {"cells": {"I": [(0, 0), (1, 0)]}, "copies": 8}, lattice="square", name="mine", box=(4, 4)
    )
    assert isinstance(puzzle, Puzzle)
    assert (puzzle.name, puzzle.pieces[0].lower) == ("mine", 8)


@pytest.mark.parametrize(
    ("pieces", "region", "message"),
    [
        ("Q7x99999", {"box": (9, 9)}, "neither a set nor a piece 'Q7x99999' on the square lattice"),
        (
            "pentominoes",
            {"lattice": "hexagon", "hexagon": 3},
            "'pentominoes' on the hexagon lattice. It is a set of the square lattice",
        ),
        ("30xdomino", {"box": 5}, "are not the sizes of a box"),
        ([30], {"box": (6, 10)}, "`pieces` must be a string or a dict"),
        (["2xI4", "Q"], {"lattice": "square", "box": (6, 9)}, r"puzzle: pieces\[1\]: .*'Q'"),
        (5, {"box": (6, 10)}, "`pieces` must be a string or a dict"),
        ("domino", {"region": 5}, "A region must be a dict"),
        ("domino", {"box": (2, 1), "latice": "cube"}, "'latice'. Did you mean 'lattice'"),
        ("domino", {"box": (2, 1), "foo": 1}, "Those of a puzzle are aliases, .* region box, "),
        (
            "domino",
            {"box": (2, 1), "fixed": [{"piece": "Q", "units": [(0, 0)]}]},
            r"puzzle: fixed\[0\]: The puzzle has no piece 'Q'",
        ),
        ("domino", {"box": (2, 1), "title": object()}, "an object cannot stand in a puzzle"),
    ],
)
def test_mistakes_in_a_line_are_one_plain_error(
    pieces: Any, region: dict[str, Any], message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        make_puzzle(pieces, **region)


def test_the_box_of_a_region_tells_the_lattice_too() -> None:
    assert make_puzzle("P7x0001", region={"box": (7, 7, 1)}).lattice.name == "cube"
    assert make_puzzle("9xI3", box=np.array([3, 3, 3])).lattice.name == "cube"
