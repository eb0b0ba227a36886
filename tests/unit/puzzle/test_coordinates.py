"""Solutions in customary coordinates."""

from __future__ import annotations

import exactile
from exactile.puzzle.coordinates import all_in_coordinates, in_coordinates


def test_many_solutions_share_what_they_have_in_common() -> None:
    """A list of a million solutions takes the memory of their placements once."""
    puzzle = exactile.load("tetrominoes-5x4-tube")
    with exactile.Search(puzzle) as search:
        found = list(search)
    told = all_in_coordinates(puzzle, found)
    assert told == tuple(in_coordinates(puzzle, solution) for solution in found)
    placements = [placement for solution in found for placement in solution]
    objects = {id(placed) for solution in told for placed in solution}
    assert len(objects) == len(set(placements)) < len(placements)
