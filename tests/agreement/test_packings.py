"""The best packings of random puzzles, against a search that tries them all."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from exactile.model import Model
from exactile.model.decoder import fault
from exactile.model.lower import lower
from exactile.puzzle import Puzzle
from exactile.reasons.adapters.packing import PACKERS, Maximize, PackingProgress
from exactile.reasons.packing import _goals, pack, packing_model
from support.few import examples
from support.random_puzzles import random_puzzle

PUZZLES = range(90)


def worth_of(puzzle: Puzzle, objective: str) -> list[int]:
    """Return what each option is worth: a piece, or its units that must be covered."""
    model = lower(puzzle)
    result = []
    for o in range(model.options):
        units = model.units_of(o)
        required = sum(not puzzle.region.optional[u] for u in units)
        result.append(int(bool(units)) if objective == "pieces" else required)
    return result


def best_packing(model: Model, worth: list[int]) -> int | None:
    """Return the most that a packing can be worth: every option is taken or left."""
    options = [model.option(o).tolist() for o in range(model.options)]
    left = model.upper.tolist()
    short = model.lower.tolist()
    last = {item: o for o, items in enumerate(options) for item in items}
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


def by_work(
    puzzle: Puzzle, model: Model, objective: str, backend: str
) -> tuple[int | None, int | None]:
    """Return what the child process would find, found here: the best packing, and the bound."""
    worth = worth_of(puzzle, objective)
    best: int | None = None
    bound: int | None = None

    def hear(news: PackingProgress) -> None:
        nonlocal best, bound
        bound = news.bound if bound is None else min(bound, news.bound)
        if news.options is not None:
            assert fault(model, np.array([news.options], dtype=np.int32)) is None
            value = sum(worth[o] for o in news.options)
            best = value if best is None else max(best, value)

    Maximize(model, _goals(lower(puzzle), objective), backend, workers=1).run(hear)
    return best, bound


def test_there_are_enough_of_all_kinds() -> None:
    puzzles = [p for p, _ in small_puzzles().values()]
    assert len(puzzles) > 30
    assert len({p.lattice.name for p in puzzles}) == 12
    assert sum(p.omission is not None for p in puzzles) > 2
    assert sum(bool(p.fixed) for p in puzzles) > 2
    assert sum(bool(p.region.optional.any()) for p in puzzles) > 2


@pytest.mark.parametrize("objective", ["units", "pieces"])
@pytest.mark.parametrize("backend", PACKERS)
def test_packers_find_the_best(backend: str, objective: str) -> None:
    incomplete = 0
    for puzzle, model in small_puzzles().values():
        worth = worth_of(puzzle, objective)
        expected = best_packing(model, worth)
        best, bound = by_work(puzzle, model, objective, backend)
        assert best == expected, puzzle
        if expected is not None:
            assert bound == expected, puzzle
            incomplete += expected < (len(puzzle.region) if objective == "units" else 3)
    assert incomplete > 5


@pytest.mark.parametrize(
    ("backend", "objective"),
    [
        ("rc2", "units"),
        pytest.param("cpsat", "pieces", marks=pytest.mark.slow),
        pytest.param("cpsat", "units", marks=pytest.mark.slow),
        pytest.param("rc2", "pieces", marks=pytest.mark.slow),
    ],
)
def test_the_verb_says_the_same_with_and_without_a_first_look(backend: str, objective: str) -> None:
    for seed in list(small_puzzles())[::8][: examples(8)]:
        puzzle, model = small_puzzles()[seed]
        expected = best_packing(model, worth_of(puzzle, objective))
        for look in (True, False):
            found = pack(puzzle, objective=objective, backend=backend, workers=1, first_look=look)
            if expected is None:
                assert (found.placements, found.stopped) == (None, None)
            else:
                assert (found.value, found.bound, found.optimal) == (expected, expected, True)
