"""Backends find the same solutions of models with any bounds and with colors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from exactile.backends import Request, get_backend
from exactile.model import Model
from support.cpsat_in_process import cpsat_solutions
from support.few import examples
from support.random_models import Solutions, brute_force, models, random_model
from support.sat_in_process import sat_solutions

MODELS = 400
BLOCK = 40

IN_PROCESS = ["reference", "dlx:bits", "dlx:sparse"]
"""Backends that search in this process and understand colors."""


def by_backend(model: Model, backend: str) -> Solutions:
    """Return all solutions, found as the rest of the package does it."""
    found: list[frozenset[int]] = []
    for batch in get_backend(backend).search(model, Request()):
        found += [frozenset(o for o in row if o >= 0) for row in batch.assignments.tolist()]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize("backend", IN_PROCESS)
@settings(max_examples=examples(MODELS))
@given(model=models())
def test_backends_find_what_trying_all_sets_finds(model: Model, backend: str) -> None:
    assert by_backend(model, backend) == brute_force(model)


@settings(max_examples=examples(MODELS))
@given(model=models())
def test_sat_finds_what_trying_all_sets_finds(model: Model) -> None:
    assert sat_solutions(model) == brute_force(model)


@settings(max_examples=examples(MODELS))
@given(model=models())
def test_cpsat_finds_what_trying_all_sets_finds(model: Model) -> None:
    expected = brute_force(model)
    if len(expected) <= 100:  # each costs a solve
        assert cpsat_solutions(model) == expected


@pytest.mark.parametrize("backend", ["cpsat", "sat:cadical195", "sat:kissat404"])
def test_child_processes_find_the_same(backend: str) -> None:
    for seed in (18, 60, 75):
        model = random_model(seed)
        assert model.colored
        assert by_backend(model, backend) == brute_force(model) != set()


@pytest.mark.slow
def test_random_models_are_worth_solving() -> None:
    """The generator reaches every kind of item, and both answers."""
    models = [random_model(seed) for seed in range(MODELS)]
    solutions = [len(brute_force(m)) for m in models]
    assert sum(s > 0 for s in solutions) > MODELS // 3
    assert sum(s == 0 for s in solutions) > MODELS // 10
    assert sum(s > 10 for s in solutions) > MODELS // 20
    assert sum(m.colored for m in models) > MODELS // 3
    assert sum(m.colored and s > 0 for m, s in zip(models, solutions, strict=True)) > MODELS // 10
    assert sum(m.pinned for m in models) > MODELS // 20
    assert sum(not m.options for m in models) > 0
    wide = [(m.lower == 0) & (m.upper > 1) for m in models]
    assert sum(bool(w.any()) for w in wide) > MODELS // 10
    assert sum(bool((m.lower > 1).any()) for m in models) > MODELS // 10


@pytest.mark.slow
def test_colors_make_a_difference() -> None:
    """Without its colors a model has other solutions, mostly: so the tests above test them."""
    differ = 0
    for seed in range(MODELS):
        model = random_model(seed)
        plain = Model(model.lower, model.upper, model.first, model.members)
        differ += brute_force(plain) != brute_force(model)
    assert differ > MODELS // 20


def test_brute_force_on_what_can_be_done_by_hand() -> None:
    """Two options of one color go together, with another color or none they do not."""
    model = Model.of_options([[0], [0], [0], [0]], [0], [1], colors=[{0: 1}, {0: 1}, {0: 2}, {}])
    hand = [(), (0,), (1,), (2,), (3,), (0, 1)]
    assert brute_force(model) == {frozenset(s) for s in hand}
    assert np.array_equal(model.colors, [1, 1, 2, 0])
