"""Shader's game: the counts of our regions, and the regions that cannot be covered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import exactile
from exactile.files import entries
from exactile.search import Status
from exactile.surveys.subsets import SubsetSearch, count_by_subset
from exactile.surveys.subsets.survey import survey

GAME = [entry.id for entry in entries() if entry.id.startswith("shader-")]

QUICK = (
    "shader-hexagon",
    "shader-triangle-4-open",
    "shader-anchor",
    "shader-two-hexagons",
    "shader-three-mountains",
    "shader-triangle-4",
    "shader-bow-tie",
    "shader-spokes",
    "shader-zigzag",
    "shader-trapezoid-4x2",
    "shader-triskelion",
)
"""The others are counted by the slow tests."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "catalogue" / "ledger.json"
LEDGER = {line["id"]: line["numbers"] for line in json.loads(DOCUMENT.read_bytes())["puzzles"]}

marked = [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in GAME]


def test_the_game_has_regions_of_all_kinds() -> None:
    pieces = [len(exactile.load(name).region) // 3 for name in GAME]
    assert len(GAME) == 60
    assert set(range(2, 13)) <= set(pieces)
    for name in GAME:
        puzzle = exactile.load(name)
        assert len(puzzle.pieces) == 12
        assert all((p.lower, p.upper) == (0, 1) for p in puzzle.pieces)
        assert puzzle.crossing


@pytest.mark.slow
def test_how_many_are_of_each_difficulty() -> None:
    found = [f.difficulty for f in survey(map(exactile.load, GAME))]
    numbers = {word: found.count(word) for word in ("easy", "moderate", "difficult", "impossible")}
    assert numbers == {"easy": 15, "moderate": 20, "difficult": 9, "impossible": 16}


@pytest.mark.parametrize("name", marked)
def test_the_counts_are_as_the_ledger_has_them(name: str) -> None:
    answer = count_by_subset(exactile.load(name))
    assert LEDGER[name] is not None
    assert {key: getattr(answer, key) for key in LEDGER[name]} == LEDGER[name]


@pytest.mark.parametrize("name", marked)
def test_another_search_finds_the_same_subsets(name: str) -> None:
    puzzle = exactile.load(name)
    listed = sorted(uses for uses, _ in SubsetSearch(puzzle, method="list"))
    assert sorted(uses for uses, _ in SubsetSearch(puzzle, method="divide")) == listed


IMPOSSIBLE = [n for n in GAME if any(k.count == 0 for k in exactile.load(n).known)]


@pytest.mark.slow
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_sat_solver_refutes_them_too(name: str) -> None:
    verdict = exactile.prove(exactile.load(name), backend="sat", use_reasons=False)
    assert verdict.status is Status.UNSOLVABLE


def test_six_spokes_are_two_congruent_halves_whatever_is_chosen() -> None:
    """Three edges at a vertex and the other three are always the same piece."""
    puzzle = exactile.load("shader-spokes")
    model = exactile.lower(puzzle)
    halves = {}
    for option in range(model.options):
        halves[frozenset(model.units_of(option))] = int(model.piece_of[option])
    assert len(halves) == 20
    everything = frozenset(range(6))
    assert all(halves[everything - half] == piece for half, piece in halves.items())
