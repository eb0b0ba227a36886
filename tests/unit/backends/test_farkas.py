"""Weights from linear programming: they prove something, and are missed only for good reason."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from threading import Event, Thread
from threading import enumerate as enumerate_threads

import numpy as np
import pytest

from exactile import load
from exactile.backends import farkas as module
from exactile.backends.farkas import alike, drained, farkas, inequalities, proves, whole
from exactile.classics.peg import load_board
from exactile.classics.peg.problem import PegProblem
from exactile.classics.peg.reasons import pagoda
from exactile.model import Model
from exactile.model.lower import lower
from exactile.model.model import Longs
from exactile.model.weights import merged_model, without_fixed
from exactile.puzzle import Placement, Puzzle
from exactile.reasons.colorings import find_linear
from exactile.search.limits import Limits
from support.few import examples
from support.random_models import brute_force, random_model
from support.random_puzzles import random_puzzle
from support.small import dominoes, mutilated
from support.waiting import PATIENCE


def weights_of(model: Model) -> Longs | None:
    *_, last = [None, *farkas(model)]
    return last


def verified(model: Model) -> Longs | None:
    *_, last = [None, *inequalities(model)]
    return last


def weighs(model: Model, weights: list[int]) -> tuple[int, int]:
    """Return the most that an option weighs, and the least that a solution does."""
    options = [sum(weights[i] for i in model.option(o).tolist()) for o in range(model.options)]
    bounds = zip(weights, model.lower.tolist(), model.upper.tolist(), strict=True)
    return max(options), sum(w * (low if w > 0 else high) for w, low, high in bounds)


@pytest.mark.parametrize("number", [35, pytest.param(50, marks=pytest.mark.slow)])
def test_random_models(number: int) -> None:
    found = 0
    for seed in range(number):
        model = random_model(seed)
        if model.colored or not model.options:
            continue
        weights = weights_of(model)
        folded = verified(model)
        assert (weights is None) == (folded is None), seed
        if weights is not None and folded is not None:
            found += 1
            for each in (weights, folded):
                most, total = weighs(model, each.tolist())
                assert most <= 0 < total
                assert proves(model, each)
            assert not brute_force(model), seed
    assert found > number // 12


def test_the_chessboard_in_orbits() -> None:
    model = lower(mutilated(6))
    color = [sum(map(int, label.split()[1].split(","))) % 2 for label in model.meaning.labels[1:]]
    merged = merged_model(model, np.array([0, *(1 + c for c in color)]))
    assert (merged.lower.tolist(), merged.upper.tolist()) == ([17, 16, 18], [17, 16, 18])
    assert [merged.option(o).tolist() for o in range(merged.options)] in ([[0, 1, 2]], [[0, 2, 1]])
    weights = weights_of(merged)
    assert weights is not None
    assert weights.tolist() in ([0, -1, 1], [-1, 0, 1])


def test_fixed_placements_are_in_place() -> None:
    board = dominoes(4, 1)
    fixed = (Placement("I2", ((1, 0), (2, 0))),)
    model = lower(Puzzle("fixed", board.region, board.pieces, fixed))
    rest = without_fixed(model)
    free = rest.upper > 0
    merged = merged_model(rest, np.where(free, np.cumsum(free) - 1, -1))
    assert (merged.items, merged.options) == (3, 0)
    assert weights_of(merged) is not None
    assert verified(model) is not None


def test_random_puzzles_folded_and_not() -> None:
    """Items that play the same role may share a weight: nothing is missed."""
    found = 0
    for seed in range(examples(150)):
        model = lower(random_puzzle(seed))
        if not model.colored:
            folded = verified(model)
            assert (weights_of(model) is None) == (folded is None), seed
            found += folded is not None
    assert found


def test_items_that_play_the_same_role() -> None:
    """On a square board those that symmetries map to each other: 16 units in three classes."""
    classes = drained(alike(lower(dominoes(4, 4))))
    board = classes[1:].reshape(4, 4)
    for image in (board.T, board[::-1], board[:, ::-1]):
        assert (board == image).all()
    assert len({board[0, 0], board[0, 1], board[1, 1], classes[0]}) == 4


def test_colored_items_have_no_weight() -> None:
    """Two options share an item of one color: its upper bound is no reason."""
    model = Model.of_options([[0, 2], [1, 2]], [1, 1, 0], [1, 1, 1], colors=[{2: 1}, {2: 1}])
    assert brute_force(model) == {frozenset({0, 1})}
    assert verified(model) is None
    assert not proves(model, np.array([1, 1, -1]))
    plain = Model.of_options([[0, 2], [1, 2]], [1, 1, 0], [1, 1, 1])
    assert verified(plain) is not None
    assert proves(plain, np.array([1, 1, -1]))


def test_wrong_weights_prove_nothing() -> None:
    model = lower(mutilated(6))
    found = verified(model)
    assert found is not None
    for item in np.flatnonzero(model.uses):
        changed = found.copy()
        changed[item] += 1
        assert not proves(model, changed)
    assert not proves(model, np.zeros_like(found))


def test_rounded_weights_are_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If rounding spoils a proof, there is none."""
    monkeypatch.setattr(module, "whole", lambda values: [round(v) + 1 for v in values])
    assert verified(lower(mutilated(6))) is None
    assert find_linear(Puzzle("odd", dominoes(3, 3).region, dominoes(3, 3).pieces)).finished


def test_large_programs_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_MEMBERS", 3)
    assert verified(lower(mutilated(6))) is None


def test_a_deadline_is_kept() -> None:
    goal = PegProblem.vacancy(load_board("triangle-4"), 5, end=5)
    assert pagoda(goal, goal.goals[0]) is not None
    with pytest.raises(TimeoutError):
        pagoda(goal, goal.goals[0], Limits().within(0))


def test_thin_models_are_not_refined_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a path, each round tells only the next two items apart from the middle ones."""
    path = Model.of_options([[k, k + 1] for k in range(400)], [1] * 401, [1] * 401)
    assert len({*drained(alike(path)).tolist()}) == 201
    rounds = [*alike(path)]
    assert len(rounds) == 200
    monkeypatch.setattr(module, "MOST_REFINED", 10 * len(path.members))
    assert [*alike(path)] == rounds[:10]
    assert drained(alike(path)).tolist() == [*range(401)]
    assert verified(path) is not None  # with a weight for each item


def test_fixed_placements_that_break_a_rule() -> None:
    """What is left has no negative bounds."""
    puzzle = load("hexiamonds-iamond-hex-separated")
    touching = {
        "H6": [(1, 3, 0), (1, 4, 0), (1, 2, 1), (1, 3, 1), (2, 3, 0), (2, 3, 1)],
        "I6": [(3, 3, 0), (3, 4, 0), (3, 5, 0), (3, 3, 1), (3, 4, 1), (3, 5, 1)],
    }
    fixed = tuple(
        Placement(name, tuple(map(tuple, puzzle.lattice.points(units).tolist())))
        for name, units in touching.items()
    )
    assert find_linear(replace(puzzle, fixed=fixed)).finished


def require_ended(before: list[Thread]) -> None:
    """Wait for all threads but those of `before`, which have only their last lines to run."""
    for thread in set(enumerate_threads()).difference(before):
        thread.join(PATIENCE)
        assert not thread.is_alive()


class Pressed(Event):
    """An event during whose first wait Ctrl-C is pressed."""

    def wait(self, timeout: float | None = None) -> bool:
        if not getattr(self, "pressed", False):
            self.pressed = True
            raise KeyboardInterrupt
        return super().wait(timeout)


def test_ctrl_c_ends_glop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Event", Pressed)
    before = enumerate_threads()
    with pytest.raises(KeyboardInterrupt):
        weights_of(lower(dominoes(20, 20)))
    require_ended(before)


def test_it_can_be_ended_at_any_time() -> None:
    """The thread of GLOP has ended when the iterator is closed."""
    model = lower(dominoes(20, 20))
    before = enumerate_threads()
    for steps in range(6):
        running = farkas(model)
        for _ in range(steps):
            next(running, None)
        running.close()
        require_ended(before)


def test_rounded_numbers_become_whole() -> None:
    for above, below in product(range(1, 8), repeat=2):
        ratio = whole([above / below + 1e-11, 1.0, 0.0])
        assert ratio[0] * below == ratio[1] * above
        assert ratio[2] == 0
    assert whole([0.0]) == [0]
