"""The checker on arrays, the one that finds words, and a plain one written for the tests.

They agree on solutions of random puzzles on all lattices with every rule, and on mutations of them.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from exactile.errors import PieceError
from exactile.geometry.isometry import as_tuples
from exactile.puzzle import ColorRule, Paint, Placement, Puzzle, Solution
from exactile.puzzle.check import Checker, faults_of_each
from exactile.puzzle.faults import Faults
from exactile.puzzle.relax import relax
from exactile.search import Search
from support.clock import late
from support.events import in_slices
from support.few import examples, few
from support.plain_check import is_solution, standing
from support.random_puzzles import random_puzzle

SOLUTIONS = 5
NODES = 100_000
MUTATIONS = 60

WORDS = (
    "covered 2 times",
    "is not covered",
    "lies outside",
    "has no piece",
    "not a place of piece",
    "is used",
    "omitted",
    "fixed placement",
    "cross at",
    "touch",
    "are not joined",
)
"""Every kind of fault."""


def ruled(seed: int) -> Puzzle:
    """Return a random puzzle, often with rules about colors, or paint."""
    rng = random.Random(seed)
    puzzle = random_puzzle(seed)
    names = [p.name for p in puzzle.pieces]
    choice = puzzle.omission.names if puzzle.omission else ()
    single = [p.name for p in puzzle.pieces if p.lower == p.upper == 1 and p.name not in choice]
    rules = []
    if len(names) > 1 and rng.random() < 0.4:
        rules.append(ColorRule("separated", "red", tuple(rng.sample(names, 2))))
    if len(single) > 1 and rng.random() < 0.4:
        rules.append(ColorRule("joined", "blue", tuple(single)))
    paint = Paint()
    if not puzzle.fixed and rng.random() < 0.3:
        units = {u: rng.choice("bw") for u in as_tuples(puzzle.region.units) if rng.random() < 0.5}
        own = {p.name: {u: rng.choice("bw") for u in p.units[:1]} for p in puzzle.pieces}
        paint = Paint(units, own)
    try:
        return replace(puzzle, color_rules=tuple(rules), paint=paint)
    except PieceError:  # congruent pieces that may be omitted
        return puzzle


def solutions(puzzle: Puzzle) -> list[Solution]:
    """Return solutions, some of which break rules, and packings."""
    loose = replace(puzzle, color_rules=(), paint=Paint(), crossing=False)
    found: list[Solution] = [()]
    for asked in (puzzle, loose, relax(loose)):
        with pytest.MonkeyPatch.context() as patch:
            in_slices(patch, NODES)
            late(patch, 1)
            with Search(asked, limit=SOLUTIONS, use_reasons=False, time_limit=60) as search:
                found += search
    return found


def mutated(puzzle: Puzzle, solution: Solution, rng: random.Random) -> Solution:
    """Return placements that are perhaps no solution any more."""
    here = list(solution)
    rng.shuffle(here)
    if not here or not here[0].units:
        return tuple(here[1:])
    piece, units = first = here[0]
    lattice, points = puzzle.lattice, np.array(units)
    match rng.randrange(9):
        case 0:
            return tuple(here[1:])
        case 1:
            return (*here, rng.choice(here))
        case 2:
            names = ["nobody", *(p.name for p in puzzle.pieces)]
            here[0] = first._replace(piece=rng.choice(names))
        case 3 if len(here) > 1:
            here[0], here[1] = first._replace(piece=here[1].piece), here[1]._replace(piece=piece)
        case 4:
            here[0] = Placement(piece, as_tuples(points[1:]))
        case 5:
            points[0, 0] += 1
            here[0] = Placement(piece, as_tuples(points))
        case 6:
            points[rng.randrange(len(points))] = rng.choice(puzzle.region.units.tolist())
            here[0] = Placement(piece, as_tuples(points))
        case kind:
            if kind == 7:
                points = points @ rng.choice(list(lattice.group)).T
            axis = rng.randrange(lattice.dimension)
            points[:, axis] += rng.choice([-2, -1, 0, 1, 2]) * lattice.period
            moved = [tuple(p) for p in points.tolist()]
            here[0] = Placement(piece, tuple(sorted(standing(puzzle, p) for p in moved)))
    return tuple(here)


def attempts(puzzle: Puzzle, seed: int) -> Iterator[Solution]:
    rng = random.Random(seed)
    found = solutions(puzzle)
    yield from found
    for _ in range(MUTATIONS):
        solution = rng.choice(found)
        for _ in range(rng.randint(1, 2)):
            solution = mutated(puzzle, solution, rng)
        yield solution


def wrong(checker: Checker, solutions: list[Solution], parts: int) -> list[bool]:
    """Return which solutions the checker on arrays refuses, asked in several parts."""
    table: dict[Placement, int] = {}
    answers: list[bool] = []
    width = max(map(len, solutions))
    for k in range(parts):
        some = solutions[k * len(solutions) // parts : (k + 1) * len(solutions) // parts]
        rows = np.full((len(some), width), -1, dtype=np.int32)
        for row, solution in zip(rows, some, strict=True):
            row[: len(solution)] = [table.setdefault(p, len(table)) for p in solution]
        answers += checker.wrong(list(table), rows).tolist()
    return answers


@pytest.mark.parametrize("block", few(range(6), 3))
def test_all_agree(block: int) -> None:
    right = 0
    for seed in range(block * 24, (block + 1) * 24):
        puzzle = ruled(seed)
        tried = list(attempts(puzzle, seed))
        expected = [not is_solution(puzzle, solution) for solution in tried]
        assert wrong(Checker(puzzle), tried, 3) == expected, seed
        words = Faults(puzzle)  # on a way of their own
        assert [bool(words.of(solution)) for solution in tried] == expected, seed
        assert [bool(found) for found in faults_of_each(puzzle, tried)] == expected, seed
        right += expected.count(False)
    assert right > 24


@pytest.mark.slow
def test_every_kind_of_fault_occurs() -> None:
    found = " ".join(
        fault
        for seed in range(60)
        for puzzle in [ruled(seed)]
        for faults in faults_of_each(puzzle, attempts(puzzle, seed))
        for fault in faults
    )
    assert [words for words in WORDS if words not in found] == []


def test_units_are_counted_alike_in_wide_regions_and_a_row_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = sys.modules[Checker.__module__]
    for seed in range(examples(36)):
        puzzle = ruled(seed)
        tried = list(attempts(puzzle, seed))
        expected = wrong(Checker(puzzle), tried, 1)
        with monkeypatch.context() as patched:
            patched.setattr(module, "AT_ONCE", 1)
            assert wrong(Checker(puzzle), tried, 2) == expected, seed
            patched.setattr(module, "WIDE", 0)
            assert wrong(Checker(puzzle), tried, 2) == expected, seed
