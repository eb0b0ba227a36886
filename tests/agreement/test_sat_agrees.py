"""Every encoding, a spread of solvers, cubes and symmetry on and off: the same solutions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from exactile.backends import Request
from exactile.backends.cubes import make_cubes, orbit
from exactile.backends.reference import algorithm_x
from exactile.backends.sat import CUBES_A_WORKER, NATIVE, parts
from exactile.model import Model
from exactile.model.encode import ENCODINGS
from exactile.model.lower import lower
from exactile.model.orbits import Action
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
from support.few import examples, few
from support.random_models import brute_force, random_model
from support.random_puzzles import random_puzzle
from support.sat_in_process import sat_solutions, with_identity
from support.small import box_puzzle, dominoes

MODELS = 240
ALL_MODELS = 1000
BLOCK = 20

SPREAD = [
    "cadical195",
    "glucose4",
    "gluecard4",
    "maplechrono",
    "minicard",
    "cadical153",
    "lingeling",
]
"""Each model goes to one of these; native constraints to those that have them."""

SYMMETRIC = [0, 1, 4, 14, 15, 24, 29, 44, 45, 57, 60, 63, 74, 85, 87, 96, 108, 109, 121]
SYMMETRIC += [132, 168, 179, 184, 192, 204, 206, 217, 224, 254, 264, 276, 277, 278, 286, 292]
"""Random puzzles that have symmetries."""


def solver_for(encoding: str, seed: int) -> str:
    if encoding == "native":
        return sorted(NATIVE)[seed % len(NATIVE)]
    return SPREAD[seed % len(SPREAD)]


def check_encodings(seed: int) -> None:
    """Compare all encodings on a model, or on a puzzle for every third seed, with the truth."""
    if seed % 3:
        model = random_model(seed, most_options=10)
        expected = brute_force(model)
    else:
        model = lower(random_puzzle(seed // 3))
        expected = {frozenset(s) for s in algorithm_x(model) if s is not None}
    for encoding in ENCODINGS:
        request = Request(encoding=encoding)
        found = sat_solutions(model, solver_for(encoding, seed), request, parts=1 + seed % 9)
        assert found == expected, (seed, encoding)


@pytest.mark.parametrize("block", few(range(MODELS // BLOCK), 3))
def test_encodings_find_the_same(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        check_encodings(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(MODELS // BLOCK, ALL_MODELS // BLOCK))
def test_encodings_find_the_same_in_many_models(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        check_encodings(seed)


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("block", few(range(6), 3))
def test_symmetry_changes_no_solution(block: int, processes: int) -> None:
    """Whatever the group, the cubes, and how symmetric the solutions are."""
    for seed in SYMMETRIC[block::6]:
        puzzle = random_puzzle(seed)
        model = lower(puzzle)
        images = Action(model, symmetries(puzzle)).table(10**6)
        expected = {frozenset(s) for s in algorithm_x(model) if s is not None}
        request = Request(images=images)
        parts = 1 + seed % 12
        found = sat_solutions(model, request=request, parts=parts, processes=processes)
        assert found == expected, seed


@pytest.mark.slow
def test_symmetry_is_made_use_of_in_these_puzzles() -> None:
    """Otherwise the test above tests nothing."""
    solved = 0
    for seed in SYMMETRIC:
        puzzle = random_puzzle(seed)
        assert len(symmetries(puzzle)) > 1
        solved += any(s is not None for s in algorithm_x(lower(puzzle)))
    assert solved > len(SYMMETRIC) // 3


def test_symmetric_solutions_under_a_group_that_fixes_no_item() -> None:
    """Four options in a ring, two solutions: each is kept by half of the group."""
    model = Model.of_options([[0, 1], [1, 2], [2, 3], [0, 3]], [1] * 4, [1] * 4)
    turns = [[(o + k) % 4 for o in range(4)] for k in (1, 2, 3)]
    request = with_identity(model, *turns)
    for number in (1, 2, 3, 8):
        assert sat_solutions(model, request=request, parts=number) == {
            frozenset([0, 2]),
            frozenset([1, 3]),
        }


def test_cubes_hold_every_orbit() -> None:
    for seed in range(examples(60)):
        puzzle = random_puzzle(seed)
        model = lower(puzzle)
        images = Action(model, symmetries(puzzle)).table(10**6)
        cubes = make_cubes(model, Request(images=images), 1 + seed % 20)
        assert not cubes or sum(c.weight for c in cubes) == pytest.approx(1)
        for solution in algorithm_x(model):
            if solution is not None:
                rows = [set(row) for row in orbit(images, list(solution)).tolist()]
                assert any(fits(c.path, row) for c in cubes for row in rows), seed


def fits(path: tuple[int, ...], solution: set[int]) -> bool:
    """Return whether a solution is in a cube."""
    return all((move in solution) if move >= 0 else (~move not in solution) for move in path)


@pytest.mark.parametrize("backend", few(["sat:cadical195", "sat:gluecard4", "sat:kissat404"], 3))
@pytest.mark.parametrize("workers", [1, 2])
def test_processes_agree(backend: str, workers: int) -> None:
    for seed in (4, 13, 31):
        puzzle = random_puzzle(seed)
        expected = {frozenset(s) for s in algorithm_x(lower(puzzle)) if s is not None}
        for use_symmetry in (True, False):
            with Search(
                puzzle, backend=backend, workers=workers, use_symmetry=use_symmetry
            ) as search:
                rows = [r for b in search.batches() for r in b.tolist()]
            assert len(rows) == len(expected)
            assert {frozenset(o for o in r if o >= 0) for r in rows} == expected


def test_prefixes_are_kept_to() -> None:
    """With prefixes given, images are not made use of: they could lie outside."""
    model = lower(dominoes(4, 4))
    every = sat_solutions(model)
    for prefix in [(0,), (~0,), (0, ~3), (0, ~0)]:
        wanted = {s for s in every if fits(prefix, set(s))}
        request = replace(Request(), prefixes=(prefix,))
        assert sat_solutions(model, request=request) == wanted
    parts = ((0,), (~0, 1), (~0, ~1))
    assert sat_solutions(model, request=Request(prefixes=parts)) == every
    assert np.array_equal(orbit(None, [3, 1]), [[1, 3]])


def test_how_many_cubes() -> None:
    """None for a first solution; few for copies; enough for all processes."""
    copies, once = lower(dominoes(4, 4)), lower(box_puzzle("tetrominoes", 4, 5))
    assert parts(once, Request(limit=1), 1) == parts(copies, Request(), 1) == 1
    assert parts(once, Request(), 1) == CUBES_A_WORKER
    assert parts(copies, Request(), 2) == parts(once, Request(limit=1), 2) == 2 * CUBES_A_WORKER
