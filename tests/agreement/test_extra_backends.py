"""Backends that are extras find what the others find; where one is not installed, it is skipped."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.backends.reference import algorithm_x
from exactile.errors import BackendMissingError, BackendNotFoundError
from exactile.model import Model
from exactile.model.lower import lower
from exactile.model.orbits import Action, branches
from exactile.puzzle.symmetry import symmetries
from support.few import examples
from support.in_process import PACKAGES, solutions_by
from support.random_models import brute_force, random_model
from support.random_puzzles import random_puzzle


def _installed(names: list[str]) -> Iterator[object]:
    """Yield backends as parameters; those that are not installed are skipped."""
    for name in names:
        lacking = find_spec(PACKAGES[name]) is None
        reason = f"the package {PACKAGES[name]} is not installed"
        yield pytest.param(name, marks=pytest.mark.skipif(lacking, reason=reason))


EVERY = list(_installed(list(PACKAGES)))
HERE = list(_installed([name for name in PACKAGES if name != "highs"]))


def reference(model: Model) -> set[frozenset[int]]:
    """Return all solutions, found by the oracle."""
    return {frozenset(s) for s in algorithm_x(model) if s is not None}


@pytest.mark.parametrize("name", HERE)
def test_puzzles_over_all_lattices(name: str) -> None:
    lattices = set()
    for seed in range(examples(60)):
        puzzle = random_puzzle(seed)
        model = lower(puzzle)
        expected = reference(model)
        assert solutions_by(name, model) == expected, seed
        lattices.add(puzzle.lattice.name)
        if found := branches(model, Action(model, symmetries(puzzle))):
            request = Request(prefixes=tuple((o, ~(o - 1)) for o in found.options[:3] if o))
            some = {s for s in expected for o, _ in request.prefixes if o in s and o - 1 not in s}
            assert solutions_by(name, model, request) == some, seed
    assert len(lattices) >= min(examples(60) // 2, 12)


@pytest.mark.parametrize("name", HERE)
def test_models_with_any_bounds_and_colors(name: str) -> None:
    for seed in range(examples(120)):
        model = random_model(seed, most_options=8)
        assert solutions_by(name, model) == brute_force(model), seed


@pytest.mark.parametrize("name", EVERY)
def test_all_first_and_proofs_in_processes(name: str) -> None:
    puzzle = exactile.load("dominoes-4x4")
    with exactile.Search(puzzle, backend=name) as search:
        found = {frozenset(placed.piece + str(placed.units) for placed in s) for s in search}
    assert len(found) == 36
    assert exactile.count(puzzle, backend=name).raw == 36
    assert exactile.solve_one(puzzle, backend=name) is not None
    assert exactile.count(exactile.load("tetrominoes-5x4"), backend=name).raw == 0


@pytest.mark.parametrize("name", EVERY)
def test_a_search_is_stopped_at_once(name: str) -> None:
    """What takes hours ends with the iterator, solver and all."""
    model = lower(exactile.load("y-pentominoes-15x15"))
    running = get_backend(name).search(model, Request())
    batch = next(running)
    assert batch.assignments.shape[0] <= 1
    running.close()
    assert next(running, None) is None


@pytest.mark.parametrize("name", EVERY)
def test_the_empty_solution_comes_once(name: str) -> None:
    backend = get_backend(name)
    model = Model.of_options([[0]], lower=[0], upper=[0])
    found = [
        row for batch in backend.search(model, Request()) for row in batch.assignments.tolist()
    ]
    assert [[o for o in row if o >= 0] for row in found] == [[]]


@pytest.mark.parametrize("name", EVERY)
def test_they_have_versions_and_no_choices(name: str) -> None:
    assert any(character.isdigit() for character in get_backend(name).version())
    if ":" not in name:
        with pytest.raises(BackendNotFoundError, match=f"write '{name}'"):
            get_backend(f"{name}:other")


def test_one_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.backends.base.find_spec", lambda name: None)
    for name in PACKAGES:
        if ":" not in name:
            with pytest.raises(BackendMissingError, match=rf"pip install 'exactile\[{name}\]'"):
                get_backend(name)


def test_workers_change_nothing() -> None:
    pytest.importorskip("clingo")
    model = lower(exactile.load("dominoes-4x4"))
    rows = [
        np.sort(batch.assignments, axis=1).tolist()
        for batch in get_backend("clingo").search(model, Request(workers=2))
    ]
    assert len({tuple(row) for batch in rows for row in batch}) == 36
