"""The check of assignments against a model."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from exactile.model import Model
from exactile.model.decoder import fault
from exactile.tuning import TUNING
from support.few import examples
from support.random_models import brute_force, models


def rows(*assignments: list[int]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    width = max(map(len, assignments), default=0)
    return np.array([a + [-1] * (width - len(a)) for a in assignments], dtype=np.int32)


@settings(max_examples=examples(100))
@given(model=models(most_options=8))
def test_it_says_what_trying_all_sets_says(model: Model) -> None:
    """Of every set of options, one by one, and of all solutions together."""
    solutions = brute_force(model)
    for code in range(1 << model.options):
        chosen = [o for o in range(model.options) if code >> o & 1]
        assert (fault(model, rows(chosen)) is None) == (frozenset(chosen) in solutions)
    shuffled = [random.Random(len(s)).sample(sorted(s), len(s)) for s in solutions]
    if shuffled:
        assert fault(model, rows(*shuffled)) is None


def test_one_wrong_assignment_among_others_is_named() -> None:
    model = Model.of_options([[0], [0], [1]], [1, 0], [1, 1])
    assert fault(model, rows([0, 2], [1], [2, 0, 1])) == (
        "options 0, 1, 2: 2 of them contain item 0, not 1..1"
    )
    assert fault(model, rows([2])) == "options 2: 0 of them contain item 0, not 1..1"


def test_large_batches_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model.of_options([[0], [0], [1]], [1, 0], [1, 1])
    right, wrong = [[0], [1], [0, 2], [1, 2]], [[0], [1], [0, 1]]
    for most in (1, 2, 4, 5, 100):
        monkeypatch.setattr(TUNING, "checked_cells", most)
        assert fault(model, rows(*right)) is None
        assert str(fault(model, rows(*wrong))).startswith("options 0, 1: 2 of them")


def test_options_are_distinct_and_exist() -> None:
    model = Model.of_options([[0], [0]], [0], [2])
    assert fault(model, rows([0, 1])) is None
    for wrong in ([1, 1], [0, 2]):
        assert "an option twice, or one that does not exist" in str(fault(model, rows(wrong)))
    text = "options 1, 1: an option twice, or one that does not exist"
    assert fault(model, rows([0, 1], [0], [1, 1])) == text


def test_colors_agree() -> None:
    model = Model.of_options([[0]] * 4, [0], [1], colors=[{0: 1}, {0: 1}, {0: 2}, {}])
    assert fault(model, rows([0, 1])) is None
    for wrong in ([0, 2], [0, 3], [0, 1, 2]):
        assert fault(model, rows(wrong)) is not None
