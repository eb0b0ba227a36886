"""The verifier's symmetries are those of the searches, though found in another way."""

import numpy as np
import pytest
from hypothesis import given, settings

import exactile
from exactile.certificate.placements import Symmetries
from exactile.puzzle import Placement, Puzzle
from exactile.puzzle.symmetry import symmetries
from support.few import examples
from support.random_puzzles import puzzles

SOME = [
    "pentominoes-6x10",
    "soma-cube",
    "tetrominoes-5x4-tube",
    "pentominoes-torus-5x5",
    "tetrasticks-5x5",
    "dominoids-two-cubes",
]


def actions(puzzle: Puzzle) -> set[tuple[object, ...]]:
    """Return what the searches' symmetries do to units and pieces."""
    names = [p.name for p in puzzle.pieces]
    return {
        (*s.units.tolist(), *(names[k] for k in s.pieces), bool(s.proper))
        for s in symmetries(puzzle)
    }


def verifiers_actions(puzzle: Puzzle) -> set[tuple[object, ...]]:
    """Return what the verifier's symmetries do, by the images of single units."""
    group = Symmetries(puzzle)
    units = [tuple(u) for u in puzzle.region.units.tolist()]
    number = {u: i for i, u in enumerate(units)}
    first = puzzle.pieces[0].name
    found = set()
    for g, proper in enumerate(group.proper):
        moved = [number[group.image(g, Placement(first, (u,))).units[0]] for u in units]
        pieces = [group.image(g, Placement(p.name, ())).piece for p in puzzle.pieces]
        found.add((*moved, *pieces, proper))
    assert len(found) == len(group.motions)
    return found


@pytest.mark.parametrize("name", SOME)
def test_same_group_as_the_searches(name: str) -> None:
    puzzle = exactile.load(name)
    assert verifiers_actions(puzzle) == actions(puzzle)


def test_bounds_that_allow_the_same_are_equal() -> None:
    """The left end may stay open, by a bound; the right end, without one. So may the places."""
    opened = [{"units": "0,0", "at_most": 1}, {"units": "2,0", "at_least": 0}]
    placed = [
        {"pieces": ["O1"], "places": [place], **bound}
        for place, bound in (("0,0", {"at_most": 1}), ("2,0", {"at_least": 0}))
    ]
    puzzle = exactile.make_puzzle("2xO1", lattice="square", drawing="+#+", open=opened, use=placed)
    assert len(actions(puzzle)) == 2
    assert verifiers_actions(puzzle) == actions(puzzle)


@settings(max_examples=examples(60))
@given(puzzle=puzzles())
def test_same_group_on_random_puzzles(puzzle: Puzzle) -> None:
    assert verifiers_actions(puzzle) == actions(puzzle)


def test_motions_are_isometries_that_keep_the_region() -> None:
    puzzle = exactile.load("pentominoes-8x8-center-hole")
    units = {tuple(u) for u in puzzle.region.units.tolist()}
    for motion in Symmetries(puzzle).motions:
        matrix, shift = np.array(motion.matrix), np.array(motion.shift)
        assert {tuple(matrix @ u + shift) for u in np.array(sorted(units))} == units
