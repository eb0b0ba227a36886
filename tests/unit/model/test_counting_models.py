"""What the passes before counting do: items dropped, orders, problems of what is kept."""

from __future__ import annotations

import numpy as np
import pytest

import exactile
from exactile.counting.memo import Memo
from exactile.geometry import get_lattice
from exactile.model.condense import CountProblem
from exactile.model.invariant import classes, invariant
from exactile.model.item_order import load, ranks
from exactile.model.lower import lower
from exactile.model.orbits import Action
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.symmetry import symmetries
from support.random_problems import problem_of
from support.small import box_puzzle, dominoes


def kept(problem: CountProblem) -> list[int]:
    return [int(i) for i in problem.without_idle_items().kept]


def test_a_piece_that_must_cover_all_needs_no_item() -> None:
    problem = CountProblem.of_model(lower(dominoes(4, 3)))
    assert kept(problem) == list(range(1, 13))


def test_pieces_in_free_supply_need_no_items() -> None:
    problem = CountProblem.of_model(lower(exactile.load("polyominoes-123-8x8")))
    assert problem.pieces == 4
    assert kept(problem) == list(range(4, 68))


def test_a_bound_that_can_be_broken_stays() -> None:
    rows = [[0, 1], [0, 2], [0, 3]]
    assert kept(problem_of(rows, [0, 0, 0, 0], [2, 1, 1, 1])) == [0]
    assert kept(problem_of(rows, [0, 0, 0, 0], [3, 1, 1, 1])) == []
    assert kept(problem_of(rows, [1, 0, 0, 0], [3, 1, 1, 1])) == [0]


def test_a_number_that_follows_must_be_the_right_one() -> None:
    """Two options with two items each fill four: 2 follows, 1 or 3 is impossible and stays."""
    rows = [[0, 1, 2], [0, 3, 4], [0, 1, 3], [0, 2, 4]]
    for number, stays in ((2, False), (1, True), (3, True)):
        problem = problem_of(rows, [number, 1, 1, 1, 1], [number, 1, 1, 1, 1])
        assert (0 in kept(problem)) is stays
        assert Memo().count(problem) == (0 if stays else 2)


def test_room_bounds_uses() -> None:
    """Each option takes two of four places: more than two fit nowhere, so 0..2 forbids nothing."""
    rows = [[0, a, b] for a in range(1, 5) for b in range(a + 1, 5)]
    places = [0, 0, 0, 0]
    assert kept(problem_of(rows, [0, *places], [2, 1, 1, 1, 1])) == [1, 2, 3, 4]
    assert kept(problem_of(rows, [0, *places], [1, 1, 1, 1, 1])) == [0, 1, 2, 3, 4]


def test_twins_are_one() -> None:
    rows = [[0, 1, 2], [3], [0, 1], [2, 3]]
    assert kept(problem_of(rows, [1] * 4, [1] * 4)) == [0, 2, 3]
    assert kept(problem_of(rows, [1, 0, 1, 1], [1] * 4)) == [0, 1, 2, 3]
    colors = [{0: 1, 1: 2}, {}, {0: 1, 1: 1}, {}]
    assert kept(problem_of(rows, [0, 0, 1, 1], [1] * 4, colors)) == [0, 1, 2, 3]


def test_orders_run_along_the_long_side() -> None:
    """Whichever side is the long one, the counter has as much to do."""
    wide, high = Memo(most_states=10**6), Memo(most_states=10**6)
    assert wide.count(box_puzzle("pentominoes", 20, 3)) == 8
    assert high.count(box_puzzle("pentominoes", 3, 20)) == 8
    assert wide.stats == high.stats


def test_an_order_without_coordinates() -> None:
    """A long box with its items shuffled: the neighborhoods suggest a good order."""
    model = lower(dominoes(30, 4))
    rng = np.random.default_rng(1)
    shuffle = rng.permutation(model.items)
    problem = CountProblem(
        model.lower[np.argsort(shuffle)],
        model.upper[np.argsort(shuffle)],
        model.first,
        shuffle[model.members].astype(np.int32),
        model.colors,
        np.arange(model.items),
        0,
    )
    assert Memo(most_states=20_000).count(problem) == Memo().count(model)
    condensed = problem.without_idle_items()
    natural = np.arange(condensed.items, dtype=np.int32)
    assert min(ranked.load for ranked in ranks(condensed)) < load(condensed, natural) / 1e6


def test_parts_that_do_not_touch_are_counted_one_after_the_other() -> None:
    """States add up while numbers multiply, without any special treatment."""
    grid = get_lattice("square")
    box = grid.builders["box"](6, 6)
    cells = [*box, *[(x, y + 10) for x, y in box]]
    domino = piece_set("domino", grid).piece("I2", 36, 36)
    both, one = Memo(), Memo()
    number = both.count(Puzzle("two", Region(grid, grid.points(cells)), (domino,)))
    assert number == (one.count(dominoes(6, 6)) or 0) ** 2 > 0
    assert both.stats["states"] == 2 * one.stats["states"]


def test_an_order_of_nothing() -> None:
    assert [ranked.rank.tolist() for ranked in ranks(problem_of([], [], []))] == [[], []]
    assert Memo().count(problem_of([[], []], [], [])) == 4


def test_what_the_half_turn_keeps() -> None:
    """By hand: of the 3 coverings of a 2 by 3 box one, all upright, is kept by the half turn."""
    puzzle = dominoes(3, 2)
    model = lower(puzzle)
    action = Action(model, symmetries(puzzle))
    turn = next(g for g in range(1, 4) if action.proper[g])
    problem = invariant(model, action, turn)
    first = [
        sorted(problem.members[a:b].tolist())
        for a, b in zip(problem.first[:-1], problem.first[1:], strict=True)
    ]
    # The outer upright ones together; the middle one; flat pairs at opposite corners.
    assert first == [[0, 0, 1, 2, 5, 6], [0, 3, 4], [0, 0, 1, 3, 4, 6], [0, 0, 2, 3, 4, 5]]
    assert Memo().count(problem) == 1


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("dominoes-4x4", [1, 1, 2, 2, 2]),
        ("pentominoes-6x10", [1, 1, 1, 1]),
        ("soma-cube", [1, 3, 6, 6, 8]),
    ],
)
def test_classes(name: str, sizes: list[int]) -> None:
    """The dihedral groups of order 8 and 4; the rotations of the cube."""
    puzzle = exactile.load(name)
    action = Action(lower(puzzle), symmetries(puzzle))
    found = classes(action)
    if name == "soma-cube":  # reflections too: they swap two pieces
        assert sorted(s for g, s in found if action.proper[g]) == sizes
    else:
        assert sorted(s for _, s in found) == sizes
