"""From placements to options, and implied bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import exactile
from exactile.errors import PuzzleError
from exactile.model import Model, decode
from exactile.model.condense import without_implied_bounds
from exactile.model.decoder import PlacementIndex, _ranks
from exactile.model.lower import lower
from exactile.model.model import Meaning
from exactile.puzzle import Placement, Puzzle
from support.few import examples
from support.random_puzzles import puzzles
from support.small import dominoes


@settings(max_examples=examples(60))
@given(puzzle=puzzles())
def test_solutions_go_there_and_back(puzzle: Puzzle) -> None:
    model = lower(puzzle)
    solution = exactile.solve_one(puzzle)
    if solution is not None:
        assert decode(puzzle, model, PlacementIndex(puzzle, model).options(solution)) == solution


@pytest.mark.parametrize(
    "placement",
    [
        Placement("I2", ((0, 0), (2, 0))),
        Placement("I2", ((3, 3), (4, 3))),
        Placement("I3", ((0, 0), (1, 0))),
    ],
)
def test_what_is_no_placement_is_named(placement: Placement) -> None:
    puzzle = dominoes(4, 4)
    with pytest.raises(PuzzleError, match=rf"no placement of {placement.piece} on \d,\d \d,\d"):
        PlacementIndex(puzzle, lower(puzzle)).options([placement])


def test_the_number_of_copies_follows_from_the_area() -> None:
    loose = without_implied_bounds(lower(dominoes(4, 4)))
    assert (loose.lower[0], loose.upper[0]) == (0, loose.options)


@pytest.mark.parametrize(
    ("options", "lower", "upper"),
    [
        ([[0, 1, 2], [0, 3, 4]], [3, 1, 1, 1, 1], [3, 1, 1, 1, 1]),  # forbids what fits
        ([[0, 1, 2], [0, 3]], [2, 1, 1, 1], [2, 1, 1, 1]),  # of different sizes
        ([[0, 1, 2], [1, 2]], [2, 1, 1], [2, 1, 1]),  # not in every option
        ([[0, 1], [0, 1]], [2, 0], [2, 1]),  # nothing has to be covered
        ([[0, 1, 2]], [2, 1, 1, 1], [2, 1, 1, 1]),  # an item in no option
    ],
)
def test_other_bounds_stay(options: list[list[int]], lower: list[int], upper: list[int]) -> None:
    loose = without_implied_bounds(Model.of_options(options, lower, upper))
    assert (loose.lower.tolist(), loose.upper.tolist()) == (lower, upper)


def test_placements_of_many_pieces_are_in_order() -> None:
    """With 50,000 pieces and units each, the ranks of the last pieces exceed 32 bits."""
    number = 50_000
    ones = np.ones(2 * number, dtype=np.int32)
    members = np.arange(2 * number, dtype=np.int32).reshape(2, number).T.ravel()
    meaning = Meaning.of_labels(["a"] * (2 * number), pieces=number, units=number)
    model = Model(ones, ones, np.arange(0, 2 * number + 1, 2), members, meaning=meaning)
    assert (np.diff(_ranks(model)) > 0).all()
