"""Prunings never change the answer: each alone, all together, and none."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from exactile.backends.exploration import KERNELS, PRUNINGS, Exploration
from exactile.errors import BackendError, ModelError
from exactile.model import Model
from exactile.model.lower import lower, unbalanced
from exactile.model.model import Ints, Meaning
from exactile.puzzle import Puzzle
from support.few import examples, few
from support.random_models import Solutions, brute_force, random_model
from support.random_puzzles import puzzles, random_puzzle
from support.small import dominoes, mutilated

MODELS = 500
BLOCK = 50

CHOICES: list[tuple[str, ...]] = [(), *((p,) for p in PRUNINGS), PRUNINGS]


def solutions_of(model: Model, kernel: str, prunings: tuple[str, ...], workers: int) -> Solutions:
    rows = Exploration(model, kernel=kernel, prunings=prunings, workers=workers).run()
    found = [frozenset(o for o in row if o >= 0) for row in rows.tolist()]
    assert len(found) == len(set(found))
    return set(found)


def shaded(seed: int) -> Model:
    """Return a random model, some of whose items are called pieces and units, with any weights."""
    rng = random.Random(seed)
    model = random_model(seed)
    pieces = rng.randint(0, min(3, model.items))
    units = rng.randint(0, model.items - pieces)
    weights = [[rng.randint(-2, 2) for _ in range(units)] for _ in range(3)]
    return with_shades(model, pieces, np.array(weights, dtype=np.int32))


def with_shades(model: Model, pieces: int, shades: Ints) -> Model:
    """Return a model some of whose items are called pieces and units, with weights of these."""
    meaning = Meaning.of_labels(model.meaning.labels, pieces, shades.shape[1])
    return replace(model, meaning=replace(meaning, shades=shades))


@pytest.mark.parametrize("block", few(range(MODELS // BLOCK), 5))
def test_models_have_the_same_solutions(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        model = shaded(seed)
        expected = brute_force(model)
        for kernel, prunings, workers in product(KERNELS, CHOICES, (1, 2, 5)):
            assert solutions_of(model, kernel, prunings, workers) == expected, (seed, prunings)
        assert unbalanced(model) is None or not expected, seed


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=examples(150))
@given(puzzle=puzzles())
def test_puzzles_have_the_same_solutions(puzzle: Puzzle, kernel: str) -> None:
    model = lower(puzzle)
    expected = solutions_of(model, "bits", (), 1)
    for prunings in CHOICES[1:]:
        assert solutions_of(model, kernel, prunings, 1) == expected, prunings
    assert unbalanced(model) is None or not expected


@pytest.mark.slow
def test_prunings_prune() -> None:
    """Each of them spares nodes somewhere, so that the tests above test something."""
    spared = dict.fromkeys(PRUNINGS, 0)
    for seed in range(400):
        model = lower(random_puzzle(seed))
        nodes = {}
        for prunings in CHOICES[:3]:
            exploration = Exploration(model, prunings=prunings)
            exploration.run(keep=False)
            nodes[prunings] = exploration.nodes
        for pruning in PRUNINGS:
            assert nodes[pruning,] <= nodes[()]
            spared[pruning] += nodes[pruning,] < nodes[()]
    assert min(spared.values()) >= 20


def test_a_chessboard_is_given_up_at_its_root() -> None:
    model = lower(mutilated(8))
    exploration = Exploration(model, prunings=("balance",))
    exploration.run()
    assert (exploration.count, exploration.nodes) == (0, 1)
    assert unbalanced(model) == 2
    assert unbalanced(lower(dominoes(8, 8))) is None


def test_a_use_need_not_take_a_unit() -> None:
    """More uses than units, and weights that balance nevertheless."""
    model = Model.of_options([[0], [0], [0, 1]], lower=[2, 0], upper=[2, 1])
    shaded_model = with_shades(model, 1, np.array([[1]], dtype=np.int32))
    assert unbalanced(shaded_model) is None
    assert brute_force(model) == {frozenset({0, 1}), frozenset({0, 2}), frozenset({1, 2})}


def test_unknown_prunings_are_refused() -> None:
    with pytest.raises(BackendError, match="no pruning 'luck': take some of components, balance"):
        Exploration(random_model(2), prunings=("luck",))


def test_what_makes_no_sense_is_refused() -> None:
    model = Model.of_options([[0], [1], [2]], [1] * 3, [1] * 3)
    with pytest.raises(ValueError, match="within 1000"):
        Exploration(with_shades(model, 0, np.full((1, 3), 5000, dtype=np.int32)))
    with pytest.raises(ModelError, match="a weight for every unit"):
        Meaning(model.meaning.labels, shades=np.ones((1, 3), dtype=np.int32))
    with pytest.raises(ModelError, match="Pieces must be the first items"):
        Meaning(("unit a", "piece b"), np.array([1, 0], dtype=np.int8))
