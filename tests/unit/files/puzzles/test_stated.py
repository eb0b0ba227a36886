"""Puzzles in one line of Python."""

from __future__ import annotations

from typing import Any

import pytest

from exactile import Puzzle, load, make_puzzle
from exactile.errors import PuzzleError


def test_it_is_the_puzzle_of_a_file() -> None:
    assert make_puzzle("pentominoes", box=(10, 6)) == load("pentominoes-6x10")
    assert make_puzzle("soma-cubes", region={"box": [3, 3, 3]}) == load("soma-cube")


@pytest.mark.parametrize(
    ("pieces", "keys", "text"),
    [
        ("pentominos", {"box": (3, 3)}, "no lattice has a set 'pentominos'"),
        ("pentominoes", {}, "a region starts from exactly one of box"),
        ("pentominoes", {"bix": (3, 3)}, "unknown key 'bix'. Did you mean 'box'?"),
        ("pentominoes", {"box": (3, 3), "fixed": 5}, "fixed"),
        ([{"set": "pentominoes"}, {"set": "tetrominoes"}], {"box": (4, 20)}, "on which lattice"),
        ({"cells": {"I": [(0, 0)]}}, {"box": (4, 20)}, "on which lattice"),
    ],
)
def test_what_is_wrong_is_one_clear_error(pieces: Any, keys: dict[str, Any], text: str) -> None:
    with pytest.raises(PuzzleError, match=r"^puzzle: ") as caught:
        make_puzzle(pieces, **keys)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pieces_of_ones_own() -> None:
    puzzle = make_puzzle(
        {"cells": {"I": [(0, 0), (1, 0)]}, "copies": 8}, lattice="square", name="mine", box=(4, 4)
    )
    assert isinstance(puzzle, Puzzle)
    assert (puzzle.name, puzzle.pieces[0].lower) == ("mine", 8)
