"""The best packings of random puzzles, against a search that tries them all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from exactile.backends import Request, packing
from exactile.backends.child import Task
from exactile.model import Model, lower
from exactile.model.verify import fault
from exactile.puzzle import Puzzle
from exactile.solve.packing import _goals, pack, packing_model
from random_puzzles import random_puzzle

PUZZLES = range(0, 300, 4)


def best_packing(model: Model, goals: list[int]) -> int | None:
    """Return the most that a packing can be worth: every option is taken or left."""
    options = [model.option(o).tolist() for o in range(model.options)]
    left = model.upper.tolist()
    short = model.lower.tolist()
    last = {item: o for o, items in enumerate(options) for item in items}
    worth = [sum(item in goals for item in items) for items in options]
    ahead = np.cumsum([0, *worth[::-1]])[::-1].tolist()
    best: int | None = None

    def visit(o: int, value: int) -> None:
        nonlocal best
        if best is not None and value + ahead[o] <= best:
            return
        if o == len(options):
            if all(s <= 0 for s in short):
                best = value
            return
        items = options[o]
        if all(left[i] > 0 for i in items):
            for i in items:
                left[i] -= 1
                short[i] -= 1
            visit(o + 1, value + worth[o])
            for i in items:
                left[i] += 1
                short[i] += 1
        if all(last[i] > o or short[i] <= 0 for i in items):
            visit(o + 1, value)

    visit(0, 0)
    return best


@cache
def small_puzzles() -> dict[int, tuple[Puzzle, Model]]:
    """Return random puzzles that are small enough to try everything."""
    puzzles = {seed: random_puzzle(seed) for seed in PUZZLES}
    models = {seed: (p, packing_model(p, lower(p))) for seed, p in puzzles.items()}
    return {seed: (p, m) for seed, (p, m) in models.items() if m.options <= 40}


def by_work(model: Model, goals: list[int], backend: str) -> tuple[int | None, int | None]:
    """Return what the child process would find, found here: the best packing, and the bound."""
    worth = np.zeros((1, model.items), dtype=np.int32)
    worth[0, goals] = 1
    task_model = Model(
        model.lower, model.upper, model.first, model.members, model.labels, shades=worth
    )
    best: int | None = None
    bound: int | None = None

    def report(row: list[int], stats: Mapping[str, int]) -> None:
        nonlocal best, bound
        _, limit, found, *options = row
        bound = limit if bound is None else min(bound, limit)
        if found:
            assert fault(model, np.array([options], dtype=np.int32)) is None
            value = sum(i in goals for o in options for i in model.option(o).tolist())
            best = value if best is None else max(best, value)

    packing.work(Task(task_model, Request(workers=1), backend), report)
    return best, bound


def test_there_are_enough_of_all_kinds() -> None:
    puzzles = [p for p, _ in small_puzzles().values()]
    assert len(puzzles) > 30
    assert len({p.lattice.name for p in puzzles}) == 9
    assert sum(p.omission is not None for p in puzzles) > 2
    assert sum(bool(p.fixed) for p in puzzles) > 2
    assert sum(bool(p.region.optional.any()) for p in puzzles) > 2


@pytest.mark.parametrize("objective", ["units", "pieces"])
@pytest.mark.parametrize("backend", packing.PACKERS)
def test_packers_find_the_best(backend: str, objective: str) -> None:
    incomplete = 0
    for puzzle, model in small_puzzles().values():
        goals = _goals(lower(puzzle), objective).tolist()
        expected = best_packing(model, goals)
        best, bound = by_work(model, goals, backend)
        assert best == expected, puzzle
        if expected is not None:
            assert bound == expected, puzzle
            incomplete += expected < len(goals)
    assert incomplete > 5


@pytest.mark.parametrize("backend", packing.PACKERS)
def test_the_verb_says_the_same_with_and_without_a_first_look(backend: str) -> None:
    for seed in list(small_puzzles())[::8]:
        puzzle, model = small_puzzles()[seed]
        goals = _goals(lower(puzzle), "units").tolist()
        expected = best_packing(model, goals)
        for look in (True, False):
            found = pack(puzzle, backend=backend, workers=1, first_look=look)
            if expected is None:
                assert (found.placements, found.stopped) == (None, None)
            else:
                assert (found.value, found.bound, found.optimal) == (expected, expected, True)
