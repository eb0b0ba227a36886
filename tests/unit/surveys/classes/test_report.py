"""Numbers of the report on classes."""

from __future__ import annotations

from dataclasses import replace

import pytest

import exactile
from exactile.puzzle import Puzzle, Region
from exactile.surveys.classes import Solutions, pairs_sharing


@pytest.mark.parametrize(
    ("units", "number", "sharing_none"),
    [([(0, 0), (1, 0), (0, 1)], 2, 2), ([(0, 0)], 1, 0)],
)
def test_a_solution_without_pieces_shares_none(
    units: list[tuple[int, int]], number: int, sharing_none: int
) -> None:
    """The domino need not be used, and no unit has to be covered."""
    domino = replace(exactile.load("dominoes-4x4").pieces[0], lower=0, upper=1)
    region = Region("square", units, optional=[True] * len(units))
    solutions = Solutions.of_search(exactile.Search(Puzzle("few", region, (domino,))))
    assert len(solutions) == number
    assert pairs_sharing(solutions, 1) == 0
    assert pairs_sharing(solutions, 0) == sharing_none
