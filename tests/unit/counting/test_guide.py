"""Guides: whatever they think states are worth, the expected number is the number of solutions."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

import exactile
from exactile import _native
from exactile.counting.sampled import GUIDE_BUILDING, GUIDE_DONE, GUIDE_TOO_LARGE
from exactile.counting.stage import value_of
from exactile.model import Model
from exactile.model.condense import CountProblem
from exactile.model.model import Ints
from support.few import examples
from support.random_models import brute_force, random_model
from support.small import dominoes

ROOM = 10**9


def guide_of(
    model: Model,
    supplied: list[int],
    rank: Ints | None = None,
    *,
    nodes: int = 10**6,
    memory: int = ROOM,
    endings: int = 0,
) -> _native.Guide:
    """Return a guide that is not built."""
    problem = CountProblem.of_model(model)
    if rank is None:
        rank = np.arange(problem.items, dtype=np.int32)
    return _native.Guide(
        problem.lower,
        problem.upper,
        problem.first,
        problem.members,
        problem.colors,
        rank,
        np.isin(np.arange(problem.items), supplied),
        nodes,
        memory,
        endings,
    )


def built(guide: _native.Guide, seconds: float = 1e9) -> _native.Guide:
    while (status := guide.build(seconds)) == GUIDE_BUILDING:
        pass
    assert status == GUIDE_DONE
    return guide


def run_of(guide: _native.Guide, seed: int, states: int, most: int = 10**6) -> _native.GuidedRun:
    run = _native.GuidedRun(guide, seed, states, most)
    assert run.advance(1e9)
    return run


def assert_expected(guide: _native.Guide, truth: int, states: int, runs: int, most: int) -> bool:
    """Return whether there was anything to estimate."""
    made = [run_of(guide, seed, states, most) for seed in range(runs)]
    values = [float(value_of(run)) for run in made]
    if not any(run.thinned for run in made):
        assert values == [truth] * runs
        return False
    error = stdev(values) / sqrt(runs)
    # Where all runs but a few find the same, the error is not known well.
    assert abs(fmean(values) - truth) <= max(4 * error, 1e-9, truth * 3 / runs)
    return True


@pytest.mark.parametrize("endings", [0, 6])
def test_random_models_with_anything_in_supply(endings: int) -> None:
    """Bounds, copies, colors, what may be left out; a level keeps one state or two."""
    thinned = 0
    for seed in range(examples(800)):
        rng, model = Random(seed), random_model(seed)
        problem = CountProblem.of_model(model)
        plain = np.flatnonzero(~problem.painted).tolist()
        supplied = rng.sample(plain, rng.randint(0, len(plain)))
        rank = np.array(rng.sample(range(problem.items), problem.items), dtype=np.int32)
        guide = guide_of(model, supplied, rank, endings=endings)
        if guide.build(1e9) == GUIDE_TOO_LARGE:  # too many ways to leave something over
            continue
        most = rng.choice([2, 10**6])
        truth = len(brute_force(model))
        thinned += assert_expected(guide, truth, rng.choice([1, 2]), 200, most)
    assert thinned >= examples(100)


PUZZLES = {
    "soma-cube": (11_520, 40),
    "pentominoes-5x12": (4040, 100),
    "pentominoes-6x10": (9356, 100),
    "tetrahexes-4x7": (18, 10),
    "shader-hexagon": (108, 5),
}


def guide_of_puzzle(name: str, endings: int) -> _native.Guide:
    model = exactile.lower(exactile.load(name))
    return built(guide_of(model, list(range(CountProblem.of_model(model).pieces)), endings=endings))


@pytest.mark.slow
@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("endings", [0, 1000])
def test_two_thousand_runs_of_few_states(name: str, endings: int) -> None:
    truth, states = PUZZLES[name]
    assert_expected(guide_of_puzzle(name, endings), truth, states, 2000, 40 * states)


def test_where_all_states_fit_it_is_exact() -> None:
    for endings in (0, 10, 10**6):
        guide = guide_of_puzzle("tetrahexes-4x7", endings)
        run = run_of(guide, 0, 10**6)
        assert value_of(run) == 18
        assert (run.thinned, run.reached) == (False, guide.levels)
        assert guide.endings <= max(endings, 1)


def test_weights_beyond_any_float() -> None:
    """Dominoes in 3000 x 2: a Fibonacci number."""
    before, number = 1, 1
    for _ in range(2999):
        before, number = number, before + number
    model = exactile.lower(dominoes(3000, 2))
    # Factors of pieces keep it within floats; without pieces there are none.
    found = value_of(run_of(built(guide_of(model, [0])), 0, 100))
    assert abs(found / number - 1) < 1e-9
    assert guide_of(model, []).build(1e9) == GUIDE_TOO_LARGE


def test_factors_that_a_long_step_would_throw_out_are_fitted() -> None:
    """Some paths of this automaton use a piece 18 times; whole steps end beyond any float."""
    guide = guide_of_puzzle("polysticks-1234-truncated-diamond-lattice-12x2", 0)
    values = [float(value_of(run_of(guide, seed, 100, 4000))) for seed in range(4)]
    assert all(values)
    assert abs(fmean(values) / 5_488_208 - 1) < 0.7


def test_slices_change_nothing() -> None:
    """Neither of the guide nor of the runs; both hear a clock that has run out."""
    model = exactile.lower(exactile.load("pentominoes-5x12"))
    pieces = list(range(12))
    guide, parts = guide_of(model, pieces), 1
    while guide.build(0) == GUIDE_BUILDING:
        parts += 1
    whole = built(guide_of(model, pieces))
    assert parts > guide.nodes / 256
    assert (guide.nodes, guide.levels) == (whole.nodes, whole.levels)
    sliced, slices = _native.GuidedRun(guide, 7, 100, 4000), 1
    while not sliced.advance(0):
        slices += 1
    at_once = run_of(whole, 7, 100, 4000)
    assert slices > 3
    assert (sliced.mantissa, sliced.made) == (at_once.mantissa, at_once.made)
    assert sliced.mantissa != run_of(whole, 8, 100, 4000).mantissa


def test_a_guide_keeps_within_its_room() -> None:
    model, pieces = exactile.lower(exactile.load("pentominoes-5x12")), list(range(12))
    assert guide_of(model, pieces, nodes=1000).build(1e9) == GUIDE_TOO_LARGE
    assert guide_of(model, pieces, memory=100_000).build(1e9) == GUIDE_TOO_LARGE
    room = built(guide_of(model, pieces)).bytes
    assert guide_of(model, pieces, memory=room).build(1e9) == GUIDE_TOO_LARGE


@pytest.mark.parametrize(
    "name", ["pentominoes-5x12", "hexiamonds-6x6", "tritrigs-heart-2", "soma-cube", "dominoes-8x8"]
)
def test_a_guide_is_given_up_early_and_never_if_it_fits(name: str) -> None:
    puzzle = exactile.load(name)
    model = exactile.lower(puzzle)
    pieces = list(range(model.meaning.pieces)) if len(puzzle.pieces) > 1 else []
    met = built(guide_of(model, pieces)).met
    assert guide_of(model, pieces, nodes=met).build(1e9) == GUIDE_DONE
    assert guide_of(model, pieces, nodes=met - 1).build(1e9) == GUIDE_TOO_LARGE
    small = guide_of(model, pieces, nodes=met // 8)
    assert small.build(1e9) == GUIDE_TOO_LARGE
    assert small.met < met // 8


@pytest.mark.parametrize("made", [_native.Guide, _native.SampledPlan])
@pytest.mark.parametrize("short", ["rank", "supplied"])
def test_arrays_that_do_not_fit_are_refused(made: Any, short: str) -> None:
    model = exactile.lower(dominoes(2, 2))
    given: dict[str, Any] = {
        "lower": model.lower,
        "upper": model.upper,
        "first": model.first,
        "members": model.members,
        "colors": model.colors,
        "rank": np.arange(model.items, dtype=np.int32),
        "supplied": np.zeros(model.items, dtype=bool),
    }
    given[short] = given[short][:-1]
    room = (
        {"most_nodes": 10, "most_bytes": ROOM, "most_endings": 0} if made is _native.Guide else {}
    )
    with pytest.raises(ValueError, match="differ in number"):
        made(**given, **room)


def test_its_memory_is_what_it_says() -> None:
    guide = guide_of_puzzle("pentominoes-5x12", 0)
    assert 4 * 24 * guide.nodes < guide.bytes < 400 * guide.nodes
