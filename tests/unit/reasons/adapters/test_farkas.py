"""Weights from linear programming: they prove something, and are missed only for good reason."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactile.errors import BackendCrashedError
from exactile.model import Model
from exactile.model.lower import lower
from exactile.model.weights import remaining
from exactile.puzzle import Placement, Puzzle
from exactile.reasons.adapters.farkas import farkas, whole
from exactile.reasons.colorings import find_linear
from exactile.reasons.weights import merged_model
from exactile.search.limits import Limits
from support.random_models import brute_force, random_model
from support.small import dominoes, mutilated


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
        weights = farkas(model)
        if weights is not None:
            found += 1
            most, total = weighs(model, weights.tolist())
            assert most <= 0 < total
            assert not brute_force(model), seed
    assert found > number // 12


def test_the_chessboard_in_orbits() -> None:
    model = lower(mutilated(6))
    color = [sum(map(int, label.split()[1].split(","))) % 2 for label in model.meaning.labels[1:]]
    merged = merged_model(model, np.array([0, *(1 + c for c in color)]))
    assert (merged.lower.tolist(), merged.upper.tolist()) == ([17, 16, 18], [17, 16, 18])
    assert [merged.option(o).tolist() for o in range(merged.options)] in ([[0, 1, 2]], [[0, 2, 1]])
    weights = farkas(merged)
    assert weights is not None
    assert weights.tolist() in ([0, -1, 1], [-1, 0, 1])


def test_fixed_placements_are_in_place() -> None:
    board = dominoes(4, 1)
    fixed = (Placement("I2", ((1, 0), (2, 0))),)
    model = lower(Puzzle("fixed", board.region, board.pieces, fixed))
    _, high, _ = remaining(model)
    merged = merged_model(model, np.where(high > 0, np.cumsum(high > 0) - 1, -1))
    assert (merged.items, merged.options) == (3, 0)
    assert farkas(merged) is not None


def test_a_deadline_is_kept() -> None:
    with pytest.raises(TimeoutError):
        farkas(lower(dominoes(8, 8)), Limits().within(0))


def test_rounded_numbers_become_whole() -> None:
    for above, below in product(range(1, 8), repeat=2):
        ratio = whole([above / below + 1e-11, 1.0, 0.0])
        assert ratio[0] * below == ratio[1] * above
        assert ratio[2] == 0
    assert whole([0.0]) == [0]


def test_a_process_that_dies_leaves_the_search_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(model: Model, deadline: float | None) -> None:
        raise BackendCrashedError("The process of GLOP died.")

    monkeypatch.setattr("exactile.reasons.colorings.farkas", dies)
    found = find_linear(dominoes(4, 4))
    assert (found.certificate, found.finished) == (None, False)
    assert find_linear(mutilated(6)).certificate is not None
