"""Color rules and paint: every backend finds what is left of all solutions without the rules.

What is left is told by brute force here, from the definitions.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactile.backends.reference import algorithm_x
from exactile.counting import count
from exactile.counting.memo import Memo
from exactile.counting.orbits import OrbitCount
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Point
from exactile.model import decode
from exactile.model.lower import lower
from exactile.model.orbits import Action
from exactile.puzzle import ColorRule, Paint, Placement, Puzzle, Solution
from exactile.puzzle.check import faults
from exactile.puzzle.pieces.piece import motions
from exactile.puzzle.symmetry import symmetries
from exactile.reasons.certify import certify
from exactile.search import Search
from support.cpsat_in_process import cpsat_solutions
from support.few import few
from support.random_puzzles import random_puzzle
from support.sat_in_process import sat_solutions
from support.small import box_puzzle

SEEDS = [
    *(30, 45, 71, 87, 148, 272, 334, 452, 500, 531, 640, 681, 718, 757, 784, 807),
    *(817, 849, 879, 886, 952, 958, 970, 1000, 1023, 1080, 1098, 1140, 1165, 1304, 1376, 1475),
    *(
        1502,
        1505,
        1509,
        1524,
        1525,
        1545,
        1598,
        1679,
        1681,
        1692,
        1886,
        1890,
        1898,
        2090,
        2196,
        3809,
    ),
]
"""Random puzzles with 4 to 60 solutions before the rules, and with pieces to be joined."""


def colored(seed: int, kind: int) -> Puzzle:
    """Return a random puzzle with a rule of some kind, or with two."""
    rng = random.Random(seed)
    puzzle = replace(random_puzzle(seed), fixed=())
    names = [p.name for p in puzzle.pieces]
    choice = puzzle.omission.names if puzzle.omission else ()
    single = [p.name for p in puzzle.pieces if p.lower == p.upper == 1 and p.name not in choice]
    rules = []
    if kind == 0:
        rules.append(ColorRule("separated", "red", tuple(rng.sample(names, 2))))
    if kind in (1, 3):
        rules.append(ColorRule("joined", "blue", tuple(single)))
    if kind == 3:
        rules.append(ColorRule("joined", "green", tuple(rng.sample(single, 2))))
    return replace(puzzle, color_rules=tuple(rules), paint=painted(puzzle, rng, kind == 2))


def painted(puzzle: Puzzle, rng: random.Random, really: bool) -> Paint:
    """Return random paint; ``g`` lies on ``w`` only, ``b`` on ``b`` only."""
    if not really:
        return Paint()
    units = {u: rng.choice("bw") for u in as_tuples(puzzle.region.units) if rng.random() < 0.5}
    own = {p.name: {u: rng.choice("bg") for u in p.units[:1]} for p in puzzle.pieces}
    there = {paint for paints in own.values() for paint in paints.values()}
    return Paint(units, own, {"g": ["w", "x"]} if "g" in there else {})


def boxes() -> list[Puzzle]:
    """Return puzzles with many symmetries."""
    plain = box_puzzle("polyominoes-123", 3, 3)
    board = {u: "wb"[sum(u) % 2] for u in as_tuples(plain.region.units)}
    middle: dict[str, dict[Point, str]] = {"I3": {(0, 1): "w"}, "V3": {(0, 0): "w"}}
    return [
        replace(plain, color_rules=(ColorRule("separated", "red", ("I2", "I3")),)),
        replace(plain, color_rules=(ColorRule("joined", "red", ("O1", "I2")),)),
        replace(plain, paint=Paint(board, middle)),
    ]


@cache
def some_puzzles() -> dict[int, Puzzle]:
    """Return puzzles of all lattices with both kinds of rules, each by a number."""
    return dict(enumerate(boxes())) | {s: colored(s, k % 4) for k, s in enumerate(SEEDS)}


def near(puzzle: Puzzle, a: Point, b: Point) -> bool:
    """Return whether two units are neighbors, around the wrap too."""
    steps = puzzle.lattice.neighbors[int(puzzle.lattice.types(np.array(a)))]
    goals = np.array(a) + np.array(steps)
    wrap = puzzle.region.wrap
    return list(b) in (goals if wrap is None else wrap.reduce(goals)).tolist()


def touch(puzzle: Puzzle, a: Placement, b: Placement) -> bool:
    return any(near(puzzle, u, v) for u in a.units for v in b.units)


def keeps_rules(puzzle: Puzzle, solution: Solution) -> bool:
    """Return whether a solution keeps the color rules: some order joins them one by one."""
    for rule in puzzle.color_rules:
        here = [p for p in solution if p.piece in rule.pieces]
        if rule.kind == "separated":
            if any(touch(puzzle, a, b) for a, b in combinations(here, 2)):
                return False
        elif not any(
            all(any(touch(puzzle, p, q) for q in order[:k]) for k, p in enumerate(order) if k)
            for order in permutations(here)
        ):
            return False
    return True


def fits(puzzle: Puzzle, placement: Placement) -> bool:
    """Return whether some motion of the piece puts every painted unit where it may lie."""
    piece = puzzle.piece(placement.piece)
    wrap, paint = puzzle.region.wrap, puzzle.paint
    for matrix in motions(piece.lattice, piece.freedom):
        turned = piece.points @ matrix.T
        for goal in placement.units:
            shift = np.array(goal) - turned[0]
            if (shift % piece.lattice.period).any():
                continue
            there = turned + shift if wrap is None else wrap.reduce(turned + shift)
            places = [tuple(u) for u in there.tolist()]
            if sorted(places) == sorted(placement.units) and all(
                own is None or place not in paint.units or paint.units[place] in on
                for unit, place in zip(piece.units, places, strict=True)
                for own in [paint.pieces.get(piece.name, {}).get(unit)]
                for on in [paint.fits.get(own or "", [own])]
            ):
                return True
    return False


@cache
def expected(puzzle: Puzzle) -> set[Solution]:
    """Return the solutions of the puzzle without the rules, those that break one left out."""
    plain = replace(puzzle, paint=Paint(), color_rules=())
    assert len(plain.pieces) == len(puzzle.pieces), f"pieces of {puzzle} were congruent"
    model = lower(plain)
    found = {decode(plain, model, row) for row in algorithm_x(model) if row is not None}
    return {s for s in found if keeps_rules(puzzle, s) and all(fits(puzzle, p) for p in s)}


def by_search(puzzle: Puzzle, backend: str, **options: Any) -> list[Solution]:
    with Search(puzzle, backend=backend, **options) as search:
        return list(search)


@pytest.mark.parametrize("part", few(range(3), 3))
def test_every_backend_finds_what_keeps_the_rules(part: int) -> None:
    for seed, puzzle in some_puzzles().items():
        if seed % 3 != part:
            continue
        model = lower(puzzle)
        wanted = expected(puzzle)
        rows = [frozenset(s) for s in algorithm_x(model) if s is not None]
        assert len(rows) == len(wanted), seed
        assert {decode(puzzle, model, row) for row in rows} == wanted, seed
        for backend in ("dlx:bits", "dlx:sparse"):
            for use_symmetry in (True, False):
                found = by_search(puzzle, backend, use_symmetry=use_symmetry)
                assert len(found) == len(wanted), seed
                assert set(found) == wanted, (seed, backend)
        assert sat_solutions(model) == set(rows), seed
        assert cpsat_solutions(model) == set(rows), seed
        assert all(not faults(puzzle, s) for s in wanted), seed


def test_the_checker_refuses_what_breaks_the_rules() -> None:
    refused = 0
    for seed, puzzle in some_puzzles().items():
        plain = replace(puzzle, paint=Paint(), color_rules=())
        wanted = expected(puzzle)
        for solution in by_search(plain, "dlx"):
            assert (solution in wanted) == (not faults(puzzle, solution)), seed
            refused += solution not in wanted
    assert refused > 20


def test_counts_up_to_symmetry_are_of_whole_orbits() -> None:
    """Symmetries keep the solutions, and counting without listing agrees."""
    symmetric = 0
    for seed, puzzle in some_puzzles().items():
        model, wanted = lower(puzzle), expected(puzzle)
        action = Action(model, symmetries(puzzle))
        if action.order == 1:
            continue
        rows = [frozenset(s) for s in algorithm_x(model) if s is not None]
        for g in range(action.order):
            moved = {frozenset(action.images(g, np.array(sorted(r))).tolist()) for r in rows if r}
            assert moved == {r for r in rows if r}, seed
        answer = count(puzzle)
        memo = OrbitCount(puzzle, Memo(most_states=None)).run()
        assert (answer.raw, answer.symmetry) == (len(wanted), memo.symmetry), seed
        assert (memo.raw, memo.rotation) == (answer.raw, answer.rotation), seed
        symmetric += len(wanted) > 0
    assert symmetric > 5


@pytest.mark.parametrize("part", few(range(3), 1))
def test_certificates_count_what_keeps_the_rules(part: int, tmp_path: Path) -> None:
    for seed, puzzle in some_puzzles().items():
        if seed % 3 == part and not any(rule.kind == "joined" for rule in puzzle.color_rules):
            claim = certify(puzzle, tmp_path / f"{seed}")
            assert claim.raw == len(expected(puzzle)), seed


@pytest.mark.slow
def test_the_puzzles_reach_every_rule_and_both_answers() -> None:
    kinds = {rule.kind for p in some_puzzles().values() for rule in p.color_rules}
    assert kinds == {"separated", "joined"}
    assert len({p.lattice.name for p in some_puzzles().values()}) == 11
    left = [len(expected(p)) for p in some_puzzles().values()]
    before = [
        len(by_search(replace(p, paint=Paint(), color_rules=()), "dlx"))
        for p in some_puzzles().values()
    ]
    assert sum(0 < a < b for a, b in zip(left, before, strict=True)) > 10
    assert sum(a == 0 < b for a, b in zip(left, before, strict=True)) > 5
