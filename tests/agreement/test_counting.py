"""Counting without listing gives what listing gives: solutions, numbers, frequencies, orbits."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from exactile.backends.reference import algorithm_x
from exactile.counting import count
from exactile.counting.memo import Memo
from exactile.counting.orbits import OrbitCount
from exactile.model import Model
from exactile.model.condense import CountProblem
from exactile.model.invariant import classes, invariant
from exactile.model.lower import lower
from exactile.model.orbits import Action
from exactile.puzzle import Puzzle
from exactile.puzzle.symmetry import symmetries
from support.counts import assert_counts
from support.few import examples, few
from support.random_problems import brute_force, random_problem
from support.random_puzzles import puzzles, random_puzzle

BLOCK = 20


def reference(model: Model) -> set[frozenset[int]]:
    """Return all solutions, found by the oracle."""
    return {frozenset(s) for s in algorithm_x(model) if s is not None}


@settings(max_examples=examples(300))
@given(puzzle=puzzles())
def test_puzzles(puzzle: Puzzle) -> None:
    model = lower(puzzle)
    assert_counts(Memo(keep=True), puzzle, reference(model), model.options)


@pytest.mark.parametrize("block", few(range(40), 5))
def test_problems(block: int) -> None:
    """Every feature; dropping items and the order of the items change nothing."""
    for seed in range(block * 25, (block + 1) * 25):
        problem = random_problem(seed)
        expected = brute_force(problem)
        order = np.array(random.Random(seed).sample(range(problem.items), problem.items))
        for condense in (True, False):
            for chosen in (None, order):
                memo = Memo(keep=True, condense=condense, order=chosen)
                assert_counts(memo, problem, expected, problem.options)


@pytest.mark.slow
def test_random_problems_are_worth_counting() -> None:
    problems = [random_problem(seed) for seed in range(1000)]
    counts = [len(brute_force(p)) for p in problems]
    assert sum(n > 0 for n in counts) > 300
    assert sum(n > 10 for n in counts) > 50
    assert sum(bool(p.colors.any()) for p in problems) > 200
    assert sum((np.diff(p.first) == 0).any() for p in problems) > 50
    kept = [p.without_idle_items().items for p in problems]
    assert sum(k < p.items for k, p in zip(kept, problems, strict=True)) > 300


@settings(max_examples=examples(100))
@given(puzzle=puzzles())
def test_orbits(puzzle: Puzzle) -> None:
    """Burnside's lemma on problems gives what it gives on solutions that were listed."""
    listed = count(puzzle, method="list")
    memo = count(puzzle, method="memo")
    assert (memo.method, memo.status) == ("memo", listed.status)
    assert (memo.raw, memo.rotation, memo.symmetry) == (
        listed.raw,
        listed.rotation,
        listed.symmetry,
    )
    automatic = count(puzzle)
    assert (automatic.raw, automatic.symmetry) == (listed.raw, listed.symmetry)


@settings(max_examples=examples(43))
@given(puzzle=puzzles())
def test_what_a_symmetry_keeps(puzzle: Puzzle) -> None:
    """Each symmetry keeps as many solutions as its problem has, and its conjugates keep as many."""
    model = lower(puzzle)
    action = Action(model, symmetries(puzzle))
    solutions = reference(model)
    every = np.arange(model.options)
    kept = []
    for element in range(action.order):
        image = action.images(element, every).tolist()
        kept.append(sum(frozenset(image[o] for o in s) == s for s in solutions))
        assert Memo(puzzle=puzzle).count(invariant(model, action, element)) == kept[-1]
    found = classes(action)
    assert sum(size for _, size in found) == action.order
    assert sum(size * kept[element] for element, size in found) == sum(kept)


def test_colored_models() -> None:
    """A model with colors goes through the same door."""
    model = Model.of_options(
        [[0, 2], [0, 2], [1, 2], [1]],
        lower=[1, 1, 0],
        upper=[1, 1, 1],
        colors=[{2: 1}, {2: 2}, {2: 2}, {}],
    )
    expected = brute_force(CountProblem.of_model(model))
    assert len(expected) == 3
    assert_counts(Memo(keep=True), model, expected, 4)


def test_states_are_forgotten_without_harm() -> None:
    for seed in range(0, examples(300), 11):
        puzzle = random_puzzle(seed)
        assert Memo().count(puzzle) == Memo(keep=True).count(puzzle)
        assert OrbitCount(puzzle, Memo(most_states=None)).run().raw == Memo().count(puzzle)


def test_states_without_a_future_do_not_matter() -> None:
    """Dropping them early saves states, and changes neither numbers nor solutions."""
    saved = 0
    for seed in range(3, examples(300), 7):
        puzzle = random_puzzle(seed)
        early, late = Memo(keep=True), Memo(keep=True, prune=False)
        assert early.count(puzzle) == late.count(puzzle)
        assert early.frequencies().tolist() == late.frequencies().tolist()
        saved += late.stats["states"] - early.stats["states"]
        assert late.stats["states"] >= early.stats["states"]
    assert saved > 0
