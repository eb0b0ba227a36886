"""Rules that people state: all backends and methods find what brute force finds.

Brute force covers unit after unit, or leaves it open, and tests the rules at the end, from the
definitions: numbers of open units and of used pieces, pieces here or there, pieces that touch or do
not touch, also on tubes, tori, Moebius strips and Klein bottles.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, islice
from itertools import count as count_from
from pathlib import Path

import numpy as np
import pytest

from exactile.backends.reference import algorithm_x
from exactile.certificate.placements import placements
from exactile.counting import count
from exactile.counting.memo import Memo
from exactile.counting.orbits import OrbitCount
from exactile.errors import PuzzleError
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.writer import document_text
from exactile.geometry.lattice import Point
from exactile.model import decode
from exactile.model.lower import lower
from exactile.model.orbits import Action
from exactile.puzzle import ColorRule, OpenRule, Placement, Puzzle, Region, Solution, UseRule
from exactile.puzzle.check import faults_of_each
from exactile.puzzle.statement import puzzle_of, stated
from exactile.puzzle.symmetry import symmetries
from exactile.reasons.certify import certify
from exactile.search import Search
from support.cpsat_in_process import cpsat_solutions
from support.few import few
from support.plain_check import cross, keeps_colors, keeps_numbers, used_as_stated
from support.random_puzzles import PUZZLE_LATTICES, random_puzzle
from support.sat_in_process import sat_solutions
from support.small import box_puzzle
from support.surfaces import BOARDS, board

LATTICES = ("cube", "hexagon", "kites", "square", "square-edges", "triangle")

NUMBER = 300

PARTS = 20

MOST_UNITS = 14

MOST_SOLUTIONS = 10_000
"""Solvers that find one solution after the other take minutes for more."""


def bounds(rng: random.Random, most: int) -> tuple[int, int | None]:
    """Return bounds of which at least one number up to `most` is allowed."""
    low = min(rng.randint(0, most), rng.randint(0, most))
    return rng.choice([(low, low), (low, None), (0, low), (low, rng.randint(low, most + 1))])


def ruled(puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """Return a puzzle with more optional units, and with rules."""
    region = puzzle.region
    optional = region.optional | (np.array([rng.random() for _ in region.optional]) < 0.4)
    loose = Region(region.lattice, region.places, optional, region.wrap)
    free = [tuple(unit) for unit in loose.units[loose.optional].tolist()]
    colors = color_rules(puzzle, rng)
    joined = any(rule.kind == "joined" for rule in colors)
    opened, used = [], []
    for _ in range(rng.randint(0, 2) if free else 0):
        units = rng.sample(free, rng.randint(1, len(free)))
        opened.append(OpenRule(tuple(units), *bounds(rng, min(len(units), 3))))
    names = [piece.name for piece in puzzle.pieces]
    places = {p.name: own for p, own in zip(puzzle.pieces, placements(puzzle), strict=True)}
    for _ in range(rng.randint(0 if opened or colors else 1, 2)):
        group = tuple(rng.sample(names, rng.randint(1, len(names))))
        most = sum(puzzle.piece(name).upper for name in group)
        there = sorted({place for name in group for place in places[name]})
        some = rng.sample(there, min(rng.randint(0, 4), len(there)))
        most = min(most, len(some)) if some else most
        used.append(UseRule(group, *bounds(rng, most), tuple(some)))
    spare = rng.random() < 0.5 and not puzzle.omission and not joined
    pieces = tuple(replace(p, lower=0, upper=p.upper + 1) if spare else p for p in puzzle.pieces)
    return replace(
        puzzle,
        region=loose,
        pieces=pieces,
        fixed=(),
        color_rules=colors,
        open_rules=tuple(opened),
        use_rules=tuple(used),
    )


def color_rules(puzzle: Puzzle, rng: random.Random) -> tuple[ColorRule, ...]:
    """Return a rule, or none, that two pieces do not touch, or that two or three hang together."""
    choice = puzzle.omission.names if puzzle.omission else ()
    names = [p.name for p in puzzle.pieces]
    single = [p.name for p in puzzle.pieces if p.lower == p.upper == 1 and p.name not in choice]
    lot = rng.random()
    if lot < 0.25 and len(names) > 1:
        return (ColorRule("separated", "red", tuple(rng.sample(names, 2))),)
    if lot < 0.6 and len(single) > 1:
        number = rng.randint(2, min(3, len(single)))
        return (ColorRule("joined", "blue", tuple(rng.sample(single, number))),)
    return ()


@cache
def some_puzzles() -> tuple[Puzzle, ...]:
    """Return random puzzles on six lattices, and boxes with many symmetries."""
    return tuple(puzzle for part in range(PARTS) for _, puzzle in part_of(part))


def made_puzzles() -> Iterator[Puzzle]:
    """Yield the puzzles, without end."""
    yield from boxes()
    for seed in count_from(1):
        if seed % 10 == 0:  # Moebius strips, Klein bottles and their like
            name = list(BOARDS)[seed // 10 % len(BOARDS)]
            puzzle = board(name, random.Random(seed))[0]
        elif PUZZLE_LATTICES[seed % len(PUZZLE_LATTICES)] in LATTICES:
            puzzle = random_puzzle(seed)
        else:
            continue
        if len(puzzle.region) > MOST_UNITS:
            continue
        try:
            puzzle = ruled(puzzle, random.Random(seed))
        except PuzzleError:
            continue  # rules that contradict each other
        if lower(puzzle).options <= 200 and (count(puzzle).raw or 0) <= MOST_SOLUTIONS:
            yield puzzle


def boxes() -> Iterator[Puzzle]:
    """Yield puzzles with symmetries, some of which the rules keep."""
    plain = box_puzzle("polyominoes-123", 3, 3)
    region = Region(plain.lattice, plain.region.places, np.ones(9, dtype=bool))
    loose = replace(
        plain, region=region, pieces=tuple(replace(p, lower=0, upper=2) for p in plain.pieces)
    )
    corners = ((0, 0), (0, 2), (2, 0), (2, 2))
    for rules in (
        [OpenRule(corners, 1, 1)],
        [OpenRule(corners, 2), OpenRule(((1, 1),), 0, 0)],
        [OpenRule(corners[:2], 1, 1), OpenRule(corners[2:], 1, 1)],
        [OpenRule(corners[:1], 1, 1), OpenRule(corners[3:], 0, 0)],
    ):
        yield replace(loose, open_rules=tuple(rules))
    yield replace(loose, use_rules=(UseRule(("I3", "V3"), 2, 2), UseRule(("O1",), 0, 1)))


def fillings(puzzle: Puzzle) -> Iterator[Solution]:
    """Yield all ways to cover the required units, and some others, by placements."""
    at: dict[Point, list[Placement]] = {}
    for piece, found in zip(puzzle.pieces, placements(puzzle), strict=True):
        for units in found:
            at.setdefault(min(units), []).append(Placement(piece.name, units))
    order = sorted(tuple(unit) for unit in puzzle.region.units.tolist())
    free = {
        tuple(unit)
        for unit, optional in zip(puzzle.region.units.tolist(), puzzle.region.optional, strict=True)
        if optional
    }

    def rest(k: int, chosen: Solution, covered: frozenset[Point]) -> Iterator[Solution]:
        while k < len(order) and order[k] in covered:
            k += 1
        if k == len(order):
            yield chosen
            return
        if order[k] in free:
            yield from rest(k + 1, chosen, covered)
        for placement in at.get(order[k], ()):
            if covered.isdisjoint(placement.units):
                yield from rest(k + 1, (*chosen, placement), covered | set(placement.units))

    return rest(0, (), frozenset())


@cache
def expected(puzzle: Puzzle) -> frozenset[frozenset[Placement]]:
    """Return the solutions, by brute force."""
    return frozenset(
        frozenset(s)
        for s in fillings(puzzle)
        if used_as_stated(puzzle, s)
        and keeps_numbers(puzzle, s)
        and keeps_colors(puzzle, s)
        and not any(cross(puzzle, a, b) for a, b in combinations(s, 2))
    )


UNMADE = made_puzzles()

MADE: list[Puzzle] = []
"""The first puzzles of `made_puzzles`: no more than the tests of this process asked for."""


def part_of(part: int) -> Iterator[tuple[int, Puzzle]]:
    """Return a part of the puzzles, with their numbers."""
    size = NUMBER // PARTS
    MADE.extend(islice(UNMADE, max((part + 1) * size - len(MADE), 0)))
    return islice(enumerate(MADE), part * size, (part + 1) * size)


@pytest.mark.parametrize("part", few(range(PARTS), PARTS))
def test_every_backend_and_method_finds_what_brute_force_finds(part: int) -> None:
    for k, puzzle in part_of(part):
        model, wanted = lower(puzzle), expected(puzzle)
        rows = [frozenset(s) for s in algorithm_x(model) if s is not None]
        assert len(rows) == len(wanted), k
        assert {frozenset(decode(puzzle, model, row)) for row in rows} == wanted, k
        for backend in ("dlx:bits", "dlx:sparse"):
            for use_symmetry in (True, False):
                with Search(puzzle, backend=backend, use_symmetry=use_symmetry) as search:
                    found = [frozenset(s) for s in search]
                assert len(found) == len(wanted), (k, backend)
                assert set(found) == wanted, (k, backend)
        assert sat_solutions(model) == set(rows), k
        assert cpsat_solutions(model) == set(rows), k
        assert not any(faults_of_each(puzzle, map(tuple, wanted))), k
        for method in ("list", "memo", "frontier"):
            assert count(puzzle, method=method).raw == len(wanted), (k, method)


@pytest.mark.parametrize("part", few(range(PARTS), PARTS))
def test_the_checker_refuses_what_breaks_the_rules(part: int) -> None:
    refused = 0
    for k, puzzle in part_of(part):
        plain = replace(puzzle, open_rules=(), use_rules=(), color_rules=())
        wanted = expected(puzzle)
        with Search(plain, limit=500) as search:
            solutions = [*search]
        for solution, faults in zip(solutions, faults_of_each(puzzle, solutions), strict=True):
            assert (frozenset(solution) in wanted) == (not faults), k
            refused += frozenset(solution) not in wanted
    assert refused > 5


@pytest.mark.parametrize("part", few(range(PARTS), PARTS))
def test_counts_up_to_symmetry_are_of_whole_orbits(part: int) -> None:
    for k, puzzle in part_of(part):
        model = lower(puzzle)
        action = Action(model, symmetries(puzzle))
        rows = {frozenset(s) for s in algorithm_x(model) if s is not None}
        for g in range(action.order):
            moved = {frozenset(action.images(g, np.array(sorted(r))).tolist()) for r in rows if r}
            assert moved == {r for r in rows if r}, k
        answer = count(puzzle)
        memo = OrbitCount(puzzle, Memo(most_states=None)).run()
        assert (answer.raw, answer.rotation, answer.symmetry) == (
            memo.raw,
            memo.rotation,
            memo.symmetry,
        ), k


@pytest.mark.parametrize("part", few(range(PARTS), PARTS))
def test_certificates_prove_the_number(part: int, tmp_path: Path) -> None:
    for k, puzzle in part_of(part):
        if len(expected(puzzle)) <= 300 and not puzzle.color_rules:
            for backend in ("dlx", "sat:cadical195"):
                answer = certify(puzzle, tmp_path / f"{k}-{backend[:3]}", backend=backend)
                assert answer.raw == len(expected(puzzle)), k


@pytest.mark.parametrize("part", few(range(PARTS), PARTS))
def test_rules_are_written_and_read_again(part: int) -> None:
    for k, puzzle in part_of(part):
        assert puzzle_of(stated(puzzle), "again") == puzzle, k
        plain = replace(puzzle, open_rules=(), use_rules=(), color_rules=())
        again = Document("again.toml", document_text([puzzle])).puzzle()
        assert again == puzzle, k
        assert (again == plain) == (puzzle == plain), k


@pytest.mark.slow
def test_the_puzzles_reach_every_rule() -> None:
    puzzles = some_puzzles()
    assert {p.lattice.name for p in puzzles} == set(LATTICES)
    assert sum(bool(p.open_rules) for p in puzzles) > 100
    used = [rule for p in puzzles for rule in p.use_rules]
    assert sum(not rule.places for rule in used) > 40
    placed = [rule for rule in used if rule.places]
    assert sum(rule.lower == rule.upper for rule in placed) > 50
    assert sum(rule.upper is None for rule in placed) > 50
    for kind in ("separated", "joined"):
        assert sum(rule.kind == kind for p in puzzles for rule in p.color_rules) > 25
    wraps = [p.region.wrap for p in puzzles if p.region.wrap]
    assert sum(wrap.glide is None for wrap in wraps) > 20
    assert sum(wrap.glide is not None for wrap in wraps) > 20
    assert sum(len(symmetries(p)) > 1 for p in puzzles) >= 20


@pytest.mark.slow
def test_the_puzzles_reach_both_answers() -> None:
    numbers = [len(expected(p)) for p in some_puzzles()]
    assert sum(n > 0 for n in numbers) > 100
    assert sum(n == 0 for n in numbers) > 50
