"""A count by a front is the number of solutions, whatever the order, the threads, the memory."""

from __future__ import annotations

import random
from collections import Counter as Tally
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactile.backends.reference import algorithm_x
from exactile.counting import count
from exactile.counting.frontier import FRONT_ALIKE, Confirmed, Frontier
from exactile.counting.memo import Memo
from exactile.counting.method import Countable
from exactile.counting.plan import FrontierBudget
from exactile.errors import CheckFailedError, CountingError
from exactile.model.condense import CountProblem
from exactile.model.invariant import invariant
from exactile.model.lower import lower
from exactile.model.orbits import Action
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
from exactile.search.limits import Limits
from support.counts import assert_counts, sets
from support.few import few
from support.random_models import random_model
from support.random_problems import brute_force, random_problem
from support.random_puzzles import random_puzzle
from support.small import box_puzzle

BLOCK = 25


def shuffled(items: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(random.Random(seed).sample(range(items), items), dtype=np.int64)


def blocks(quick: int, all_of_them: int) -> list[Any]:
    return [pytest.param(k, marks=[pytest.mark.slow] * (k >= quick)) for k in range(all_of_them)]


@pytest.mark.parametrize("block", blocks(2, 1000 // BLOCK))
def test_models(block: int, tmp_path: Path) -> None:
    """Three orders, one and three threads, all lists on disk; every rule, lattice, kind of item."""
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        model = lower(random_puzzle(seed)) if seed % 3 else random_model(seed)
        expected = sum(s is not None for s in algorithm_x(model))
        for k in range(3):
            for workers in (1, 3):
                frontier = Frontier(
                    orders=[shuffled(model.items, seed + k)],
                    workers=workers,
                    condense=k < 2,
                    most_list_bytes=0,
                    scratch=tmp_path,
                )
                assert frontier.count(model) == expected, (seed, k)
                assert frontier.stats["bytes_written"] > 0 or frontier.stats["nodes"] == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", few(range(30), 3))
def test_orders_from_the_geometry(seed: int) -> None:
    puzzle = random_puzzle(seed)
    expected = sum(s is not None for s in algorithm_x(lower(puzzle)))
    assert Frontier().count(puzzle) == Frontier(condense=False).count(puzzle) == expected


@pytest.mark.parametrize("block", blocks(8, 40))
def test_problems(block: int, tmp_path: Path) -> None:
    """Whatever items are in supply; repeated items, empty options, colors, all kinds of bounds.

    Number, solutions by number, frequencies.
    """
    for seed in range(block * 25, (block + 1) * 25):
        problem = random_problem(seed)
        expected = brute_force(problem)
        rng = random.Random(seed)
        for k, condense in enumerate((True, False, True)):
            frontier = Frontier(
                condense=condense,
                orders=[shuffled(problem.items, seed + k)],
                supplied=np.array([rng.random() < 0.4 * k for _ in range(problem.items)]),
                workers=1 + 2 * k % 4,
                keep=True,
                most_list_bytes=100 * k,
                scratch=tmp_path,
            )
            assert_counts(frontier, problem, expected, problem.options)


@pytest.mark.parametrize("seed", few(range(0, 300, 5), 4))
def test_solutions_of_puzzles(seed: int) -> None:
    puzzle = random_puzzle(seed)
    model = lower(puzzle)
    expected = {frozenset(s) for s in algorithm_x(model) if s is not None}
    assert_counts(Frontier(keep=True), puzzle, expected, model.options)


def test_samples_are_uniform() -> None:
    """Pearson's chi-squared: more than 1,640 comes one time in a thousand."""
    puzzle = box_puzzle("pentominoes", 15, 4)
    with Search(puzzle) as search:
        listed = {s for rows in search.batches() for s in sets(rows)}
    frontier = Frontier(keep=True)
    assert len(listed) == frontier.count(puzzle) == 1472
    drawn = Tally(sets(frontier.sample(10 * len(listed), seed=1)))
    assert set(drawn) <= listed
    assert sum((drawn[s] - 10) ** 2 / 10 for s in listed) < 1640
    assert (frontier.sample(5, seed=2) == frontier.sample(9, seed=2)[:5]).all()


@pytest.mark.parametrize("seed", few(range(0, 300, 7), 3))
def test_what_a_symmetry_keeps(seed: int) -> None:
    """Options that use an item several times: the memo says the same."""
    puzzle = random_puzzle(seed)
    model = lower(puzzle)
    action = Action(model, symmetries(puzzle))
    for element in range(action.order):
        kept = invariant(model, action, element)
        assert Frontier(puzzle=puzzle).count(kept) == Memo(puzzle=puzzle).count(kept)


@pytest.mark.parametrize("n", [5, 46, 47, 93, 94, 1000])
def test_numbers_of_any_size(n: int) -> None:
    """Fibonacci: singles and pairs in a row, the pairs in supply or not."""
    options = [[0, 1 + i] for i in range(n)] + [[1 + i, 2 + i] for i in range(n - 1)]
    a, b = 1, 1
    for _ in range(n - 1):
        a, b = b, a + b
    for supplied in (False, True):
        problem = CountProblem(
            lower=np.array([0] + [1] * n, dtype=np.int32),
            upper=np.array([n] + [1] * n, dtype=np.int32),
            first=np.cumsum([0, *map(len, options)], dtype=np.int64),
            members=np.array([i for row in options for i in row], dtype=np.int32),
            colors=np.zeros(sum(map(len, options)), dtype=np.int32),
            kept=np.arange(n + 1),
            pieces=0,
        )
        chosen = np.arange(n + 1) < supplied
        assert Frontier(supplied=chosen, condense=False).count(problem) == b


def test_a_problem_too_large_is_an_error() -> None:
    puzzle = random_puzzle(0)
    with pytest.raises(CountingError, match="needs more than 1 nodes"):
        Frontier(budget=FrontierBudget(nodes=1)).count(puzzle)


@pytest.mark.parametrize("block", few(range(4), 4))
def test_orbits(block: int) -> None:
    """All three numbers are those of listing."""
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        puzzle = random_puzzle(seed)
        listed = count(puzzle, method="list")
        front = count(puzzle, method="frontier", workers=1 + seed % 2)
        assert (front.method, front.status) == ("frontier", listed.status)
        assert (front.raw, front.rotation, front.symmetry) == (
            listed.raw,
            listed.rotation,
            listed.symmetry,
        )


def test_two_orders_confirm_each_other() -> None:
    first, puzzle = Frontier(), box_puzzle("pentominoes", 12, 5)
    assert first.count(puzzle) == 4040
    second = first.otherwise()
    assert second.count(puzzle) == 4040
    assert first.order is not None
    assert second.order is not None
    assert (first.order.rank != second.order.rank).any()
    assert first.bound is not None
    assert second.bound is not None
    assert second.bound > first.bound * (1 + FRONT_ALIKE), "likely to be an image of it"


def test_fronts_that_differ_are_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second front of a pair counts one too many here."""
    confirmed, right = Confirmed(), Frontier.count

    def wrong(frontier: Frontier, problem: Countable, limits: Limits | None = None) -> int | None:
        number = right(frontier, problem, limits)
        return number and number + len(confirmed.runs)

    monkeypatch.setattr(Frontier, "count", wrong)
    with pytest.raises(CheckFailedError, match="Two frontiers count 4,040 and 4,041 solutions"):
        confirmed.count(box_puzzle("pentominoes", 12, 5))


def test_a_front_beyond_its_budget_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.counting.method.HEARTBEAT", 0.0)  # or it is done before
    confirmed = Confirmed(FrontierBudget(entries=100))
    with pytest.raises(CountingError, match="more than 100 entries"):
        confirmed.count(box_puzzle("pentominoes", 12, 5))
    assert confirmed.bound is not None
    assert confirmed.bound > 100
    assert not confirmed.runs


@pytest.mark.parametrize("small", [0, 10**5, 10**9])
def test_workers_choose_the_same_order(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the first one that is good enough ends the comparison."""
    monkeypatch.setattr("exactile.counting.frontier.FRONT_SMALL", small)
    frontiers, puzzle = [Frontier(workers=n) for n in (1, 2, 5)], box_puzzle("pentominoes", 12, 5)
    assert [frontier.count(puzzle) for frontier in frontiers] == [4040] * 3
    assert len({frontier.bound for frontier in frontiers}) == 1
    assert len({f.order.rank.tobytes() for f in frontiers if f.order is not None}) == 1


def test_what_does_not_tell_pieces_apart() -> None:
    for frontier, missing in (
        (Frontier(condense=False), "one_sided=True"),
        (Frontier(one_sided=True), "condense=False"),
    ):
        assert frontier.count(box_puzzle("pentominoes", 20, 3)) == 8
        with pytest.raises(CountingError, match=missing):
            frontier.by_pieces()
