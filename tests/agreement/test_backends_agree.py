"""Every backend finds the same solutions as the reference, on puzzles over all lattices."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings

import exactile
from exactile.backends import sat
from exactile.backends.reference import algorithm_x
from exactile.counting import count
from exactile.model import Model, decode
from exactile.model.lower import lower
from exactile.model.orbits import Action, Assignments, OrbitCounter, branches
from exactile.puzzle import Puzzle
from exactile.puzzle.check import faults
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
from support.cpsat_in_process import cpsat_solutions
from support.few import examples, few
from support.random_puzzles import puzzles, random_puzzle
from support.sat_in_process import sat_solutions

PUZZLES = 300
BLOCK = 20


def reference(model: Model) -> set[frozenset[int]]:
    """Return all solutions, found by the oracle."""
    return {frozenset(s) for s in algorithm_x(model) if s is not None}


def by_search(puzzle: Puzzle, backend: str, *, use_symmetry: bool = True) -> set[frozenset[int]]:
    """Return all solutions through the handle."""
    with Search(puzzle, backend=backend, use_symmetry=use_symmetry) as search:
        rows = [frozenset(o for o in r if o >= 0) for b in search.batches() for r in b.tolist()]
    assert len(rows) == len(set(rows))
    return set(rows)


@settings(max_examples=examples(PUZZLES))
@given(puzzle=puzzles())
def test_all_backends_find_the_same_solutions(puzzle: Puzzle) -> None:
    model = lower(puzzle)
    expected = reference(model)
    assert by_search(puzzle, "dlx:bits") == expected
    assert by_search(puzzle, "dlx:sparse") == expected
    assert by_search(puzzle, "reference") == expected
    assert sat_solutions(model) == expected
    assert cpsat_solutions(model) == expected


@pytest.mark.slow
def test_random_puzzles_are_worth_solving() -> None:
    """The generator reaches every lattice and rule, and both answers."""
    puzzles = [random_puzzle(seed) for seed in range(PUZZLES)]
    solutions = [len(reference(lower(p))) for p in puzzles]
    assert len({p.lattice.name for p in puzzles}) == 12
    assert sum(s > 0 for s in solutions) > PUZZLES // 4
    assert sum(s == 0 for s in solutions) > PUZZLES // 10
    assert sum(s > 10 for s in solutions) > 3
    assert sum(p.region.wrap is not None for p in puzzles) > 20
    assert sum(bool(p.region.optional.any()) for p in puzzles) > 20
    assert sum(p.omission is not None for p in puzzles) > 10
    assert sum(bool(p.fixed) for p in puzzles) > 10
    assert sum(not lower(p).pinned for p in puzzles) > 5
    assert (
        sum(any(label.startswith("crossing") for label in lower(p).meaning.labels) for p in puzzles)
        > 10
    )


@settings(max_examples=examples(43))
@given(puzzle=puzzles())
def test_every_reference_solution_passes_the_checker(puzzle: Puzzle) -> None:
    """The checker and the model say the same, though they share no code."""
    model = lower(puzzle)
    for assignment in reference(model):
        assert faults(puzzle, decode(puzzle, model, assignment)) == []


@settings(max_examples=examples(28))
@given(puzzle=puzzles())
def test_branching_on_orbits_changes_no_solution(puzzle: Puzzle) -> None:
    """What the backends do with prefixes, done here with the oracle."""
    model = lower(puzzle)
    expected = reference(model)
    found = branches(model, Action(model, symmetries(puzzle)))
    if found is None:
        return
    rebuilt = [
        frozenset(image.tolist())
        for s in expected
        if s & set(found.options)
        for image in found.expanded(row(s))
    ]
    assert len(rebuilt) == len(set(rebuilt))
    assert set(rebuilt) == expected


def test_an_ordered_search_has_one_order() -> None:
    """For any number of workers and any cut into batches, symmetry included."""
    puzzle = exactile.load("soma-cube")
    orders = set()
    for workers in (1, 2, 4):
        with Search(puzzle, workers=workers, ordered=True) as search:
            rows = [np.sort(b, axis=1) for b in search.batches() if len(b)]
        orders.add(np.concatenate(rows).tobytes())
    assert len(orders) == 1


def row(solution: frozenset[int]) -> Assignments:
    """Return one solution as a batch."""
    return np.array([sorted(solution)], dtype=np.int32)


def orbits(solutions: Iterable[frozenset[int]], images: Iterable[dict[int, int]]) -> int:
    """Return the number of orbits by putting equivalent solutions together one by one."""
    left = set(solutions)
    number = 0
    maps = list(images)
    while left:
        number += 1
        start = left.pop()
        left -= {frozenset(m[o] for o in start) for m in maps}
    return number


@settings(max_examples=examples(60))
@given(puzzle=puzzles())
def test_orbits_are_counted_right(puzzle: Puzzle) -> None:
    model = lower(puzzle)
    action = Action(model, symmetries(puzzle))
    expected = reference(model)
    answer = count(puzzle)
    every = np.arange(model.options)
    maps = [dict(enumerate(action.images(g, every).tolist())) for g in range(action.order)]
    proper = [m for m, p in zip(maps, action.proper, strict=True) if p]
    assert answer.raw == len(expected)
    assert answer.symmetry == orbits(expected, maps)
    assert answer.rotation == orbits(expected, proper)
    assert OrbitCounter(action).symmetry == 0


@settings(max_examples=examples(300))
@given(puzzle=puzzles())
def test_obvious_reasons_are_right(puzzle: Puzzle) -> None:
    """What is called obviously unsolvable is so when it is searched."""
    with Search(puzzle, use_reasons=False) as searched:
        found = len(list(searched))
    with Search(puzzle) as search:
        assert len(list(search)) == found
        assert search.reason is None or found == 0


@pytest.mark.parametrize(
    "backend", few(["cpsat", "sat:cadical195", "sat:kissat404", "sat:glucose4"], 2)
)
@pytest.mark.parametrize("use_symmetry", few([True, False], 2))
def test_child_processes_find_the_same(backend: str, use_symmetry: bool) -> None:
    for seed in (0, 4, 13):
        puzzle = random_puzzle(seed)
        assert by_search(puzzle, backend, use_symmetry=use_symmetry) == reference(lower(puzzle))


def test_every_pysat_solver_agrees() -> None:
    for seed in (1, 5, 14):
        model = lower(random_puzzle(seed))
        expected = reference(model)
        for name in sat.solver_names():
            assert sat_solutions(model, name) == expected, name
