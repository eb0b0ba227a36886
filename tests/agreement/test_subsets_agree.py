"""Subsets of the pieces: every way to find and to count them gives what brute force gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

import exactile
from exactile.answers import SubsetCounts
from exactile.puzzle import Puzzle
from exactile.search.cover import CoverSearch
from exactile.surveys.subsets import SubsetSearch, count_by_subset, only
from exactile.surveys.subsets.selection import Block, area_fits, narrowed, whole
from support.few import few
from support.subset_puzzles import by_brute_force, subset_puzzle, uses_of

SEEDS = (0, 3, 4, 8, 9, 10, 14, 15, 16, 22, 24, 27, 28, 30, 31, 36, 37, 39, 41, 44)


def test_the_puzzles_have_subsets_on_most_lattices() -> None:
    puzzles = [subset_puzzle(seed) for seed in SEEDS]
    assert len({p.lattice.name for p in puzzles}) == 11
    found = [by_brute_force(p) for p in puzzles]
    assert sum(len(f) > 1 for f in found) == 14
    assert max(max(uses, default=0) for f in found for uses in f) == 2


@pytest.mark.parametrize("seed", few(SEEDS, 2))
def test_the_ways_agree_with_brute_force(seed: int) -> None:
    puzzle = subset_puzzle(seed)
    expected = by_brute_force(puzzle)
    for method in ("list", "divide", "auto"):
        for use_reasons in (True, False):
            search = SubsetSearch(puzzle, method=method, use_reasons=use_reasons)
            found = list(search)
            assert sorted(uses for uses, _ in found) == sorted(expected), method
            for uses, solution in found:
                assert uses == uses_of(puzzle, solution)
                exactile.check(puzzle, solution)
            assert search.status.value == ("complete" if expected else "unsolvable")
    for method in ("list", "each", "frontier"):
        answer = count_by_subset(puzzle, method=method)
        assert {named_uses(puzzle, t.pieces): t.found for t in answer.by_pieces} == expected, method
        assert answer.raw == sum(expected.values())
        check_symmetric_counts(puzzle, answer)
        plain = exactile.count(puzzle, method="list", backend="reference")
        assert answer.raw == plain.raw
        assert answer.rotation in (plain.rotation, None)
        assert answer.symmetry in (plain.symmetry, None)
        assert method != "list" or answer.symmetry is not None


def named_uses(puzzle: Puzzle, pieces: dict[str, int]) -> tuple[int, ...]:
    """Return how often each piece of a puzzle is used."""
    return tuple(pieces.get(piece.name, 0) for piece in puzzle.pieces)


def check_symmetric_counts(puzzle: Puzzle, answer: SubsetCounts) -> None:
    """The numbers of each subset are those of the puzzle that has exactly these pieces."""
    for tally in answer.by_pieces:
        if not tally.pieces:
            assert (tally.found, tally.rotation, tally.symmetry) == (1, 1, 1)
            continue
        alone = exactile.count(
            only(puzzle, named_uses(puzzle, tally.pieces)), method="list", backend="reference"
        )
        assert (tally.found, tally.rotation, tally.symmetry) == (
            alone.raw,
            alone.rotation,
            alone.symmetry,
        )


def ruled_puzzle(seed: int) -> Puzzle:
    """Return a small puzzle with optional pieces, of which some have paint or a rule of places."""
    rng = random.Random(seed)
    cells = {"D": [[0, 0], [1, 0]], "M": [[0, 0]], "L": [[0, 0], [1, 0], [2, 0], [0, 1]]}
    pieces: list[dict[str, Any]] = [
        {
            "cells": {name: cells[name]},
            "ranges": [rng.choice((0, 0, 0, 1)), rng.randint(2, 4)],
            "freedom": rng.choice(("free", "one-sided")),
        }
        for name in rng.sample("DML", rng.randint(2, 3))
    ]
    used = [name for piece in pieces for name in piece["cells"]]
    rules: dict[str, Any] = {}
    if rng.random() < 0.7:
        names = rng.sample(used, rng.randint(1, 2))
        own = {name: {rng.choice("ab"): cells[name][:1]} for name in names}
        rules["paint"] = {"region": {"b": [[0, 0]]}, "pieces": own}
    if rng.random() < 0.6:
        name = rng.choice([name for name in used if name != "L"])
        place = [[x + 1, y] for x, y in cells[name]]  # without the painted unit
        rules["use"] = [{"pieces": [name], "places": [place], "at_most": 0}]
    return exactile.make_puzzle(pieces, lattice="square", box=(rng.choice((3, 4)), 2), **rules)


@pytest.mark.parametrize("seed", range(30))
def test_pieces_whose_paint_or_places_break_symmetries_may_be_absent(seed: int) -> None:
    puzzle = ruled_puzzle(seed)
    plain = exactile.count(puzzle, method="list", backend="reference")
    for method in ("list", "each", "frontier"):
        answer = count_by_subset(puzzle, method=method)
        check_symmetric_counts(puzzle, answer)
        assert answer.raw == plain.raw
        assert answer.rotation in (plain.rotation, None)
        assert answer.symmetry in (plain.symmetry, None)


@pytest.mark.parametrize(("seed", "backend"), [(9, "sat"), (39, "sat"), (36, "sat"), (28, "cpsat")])
def test_solvers_that_forbid_subsets_agree(seed: int, backend: str) -> None:
    puzzle = subset_puzzle(seed)
    found = [uses for uses, _ in SubsetSearch(puzzle, backend=backend)]
    assert sorted(found) == sorted(by_brute_force(puzzle))


@pytest.mark.parametrize("seed", SEEDS[1::3])
def test_a_block_has_the_solutions_whose_subset_is_in_it(seed: int) -> None:
    puzzle = subset_puzzle(seed)
    model = exactile.lower(puzzle)
    expected = by_brute_force(puzzle)
    for uses in list(expected)[:3]:
        parts = list(whole(puzzle).without(uses))
        inside = [sum(n for u, n in expected.items() if part.has(u)) for part in parts]
        assert sum(inside) + expected[uses] == sum(expected.values())
        for part, number in zip(parts, inside, strict=True):
            assert number == 0 or area_fits(puzzle, part)
            less, kept = narrowed(puzzle, model, part)
            search = CoverSearch(less)
            rows = [kept[r[r >= 0]] for batch in search.batches() for r in batch]
            assert len(rows) == number
        assert Block(uses, uses).has(uses)
