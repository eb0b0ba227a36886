"""CP-SAT: both ways to all solutions, prefixes in one model, hints, implied bounds: one answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from ortools.sat.python import cp_model

import exactile
from exactile.backends import Request, cpsat
from exactile.backends.child import Found
from exactile.backends.cpsat import MODES, find, parameters
from exactile.backends.reference import algorithm_x
from exactile.counting import count
from exactile.model import Model
from exactile.model.condense import without_implied_bounds
from exactile.model.lower import lower
from exactile.puzzle import Puzzle
from support.cpsat_in_process import cpsat_solutions
from support.few import examples, few
from support.random_models import brute_force, random_model
from support.random_puzzles import puzzles, random_puzzle
from support.small import dominoes


def reference(model: Model) -> set[frozenset[int]]:
    """Return all solutions, found by the oracle."""
    return {frozenset(s) for s in algorithm_x(model) if s is not None}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", few(range(40), 4))
def test_random_models_have_the_same_solutions(mode: str, seed: int) -> None:
    """Any bounds and colors; colors bring variables of their own, which multiply nothing."""
    model = random_model(seed)
    assert cpsat_solutions(model, Request(), mode) == brute_force(model)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", few(range(20), 4))
def test_prefixes_of_any_length(mode: str, seed: int) -> None:
    """Disjoint ones: those solutions and no others."""
    model = lower(random_puzzle(seed))
    expected = reference(model)
    rng = np.random.default_rng(seed)
    a, b, c = rng.choice(model.options, 3, replace=model.options < 3).tolist()
    prefixes = ((a,), (~a, b, ~c), (~a, ~b)) if len({a, b, c}) == 3 else ((a,), (~a,))
    for some in (prefixes, prefixes[:1], prefixes[1:], ()):
        wanted = {
            s
            for s in expected
            if any(all((m in s) if m >= 0 else (~m not in s) for m in p) for p in some)
        }
        assert cpsat_solutions(model, Request(prefixes=some), mode) == wanted


@pytest.mark.parametrize("workers", few([2, None, 1, 8], 4))
def test_3x20_has_8_solutions_for_any_number_of_workers(workers: int | None) -> None:
    """With two workers and its own parameters, CP-SAT 9.15 finds 3 and says that this is all."""
    puzzle = exactile.load("pentominoes-3x20")
    assert count(puzzle, backend="cpsat", workers=workers, use_symmetry=False).raw == 8


@settings(max_examples=examples(60))
@given(puzzle=puzzles())
def test_implied_bounds_change_no_solution(puzzle: Puzzle) -> None:
    model = lower(puzzle)
    assert reference(without_implied_bounds(model)) == reference(model)


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "sat", "reference"])
def test_every_backend_is_spared_implied_bounds(backend: str) -> None:
    with_them = count(dominoes(4, 4), backend=backend, method="list", use_implied=False)
    without = count(dominoes(4, 4), backend=backend, method="list")
    assert (with_them.raw, with_them.symmetry) == (without.raw, without.symmetry) == (36, 9)


@pytest.mark.parametrize("mode", MODES)
def test_a_hint_changes_no_answer(mode: str) -> None:
    """A right one, a wrong one, and a part of one."""
    model = lower(dominoes(4, 4))
    expected = reference(model)
    right = tuple(sorted(min(expected, key=sorted)))
    for hint in (right, right[:3], (0, 1, 2), tuple(range(model.options))):
        assert cpsat_solutions(model, Request(hint=hint), mode) == expected
        [one] = found_first(model, Request(hint=hint, limit=1))
        assert one in expected


def found_first(model: Model, request: Request) -> list[frozenset[int]]:
    """Return the first solution as a list of one."""
    found: list[frozenset[int]] = []

    class EnoughError(Exception):
        pass

    def report(news: Found) -> None:
        found.append(frozenset(news.options or ()))
        raise EnoughError

    with pytest.raises(EnoughError):
        find(model, request, parameters(replace(request, workers=1)), report)
    return found


def test_a_whole_solution_as_hint_saves_all_conflicts() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    known = exactile.solve_one(puzzle)
    assert known is not None
    conflicts = []
    for hint in ((), known):
        with exactile.Search(puzzle, backend="cpsat", limit=1, workers=1, hint=hint) as search:
            assert next(search)  # perhaps an image of the hint
        assert search.stats["deterministic_ms"] > 0
        conflicts.append(search.stats["conflicts"])
    assert conflicts[0] > 0
    assert conflicts[1] == 0


def test_a_hint_does_not_deny_options_of_the_same_color() -> None:
    model = Model.of_options(
        [[0, 2], [1, 2], [1, 2]], [1, 1, 0], [1, 1, 1], colors=[{2: 1}, {2: 1}, {2: 2}]
    )
    program = cp_model.CpModel()
    literals = [program.new_bool_var(str(o)) for o in range(3)]
    cpsat.hint(program, literals, model, [0])
    assert list(program.proto.solution_hint.vars) == [0]
