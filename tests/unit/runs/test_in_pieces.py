"""Counts that are stopped and gone on with give the same numbers as those that are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

import exactile
from exactile.backends.base import Prefix
from exactile.counting.shares import numbers
from exactile.runs.drive import found_in
from exactile.runs.executor import RunPart, RunWork
from exactile.runs.part import Searcher
from exactile.runs.store import Totals
from exactile.search.case import Case
from support.events import in_slices
from support.few import few
from support.random_puzzles import random_puzzle


def in_pieces(puzzle: exactile.Puzzle, seconds: float = 1e-9) -> tuple[Totals, list[Any]]:
    """Return what a count finds that is written down and read again after every slice."""
    case = Case(puzzle)
    searcher = Searcher(RunWork.of(case, symmetric=case.branches is not None, keep=True))
    left, totals, solutions = case.starts, Totals(), []
    while left:
        result = searcher.search(RunPart(1, left, seconds))
        assert result.rows is not None
        solutions += case.decoder.solutions(result.rows)
        totals.add(found_in(result))
        left = msgspec.json.decode(msgspec.json.encode(result.left), type=list[Prefix])
        totals = msgspec.json.decode(msgspec.json.encode(totals), type=Totals)
    return totals, solutions


def counted(puzzle: exactile.Puzzle) -> dict[str, tuple[int, int, int]]:
    return numbers(Case(puzzle), in_pieces(puzzle)[0].shares)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("soma-cube", 1500),
        ("tetrahexes-4x7", 7),
        ("tritrigs-heart-2", 2000),
        ("tetrominoes-5x4", 5),
    ],
)
def test_in_pieces_or_at_once(name: str, nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = exactile.load(name)
    once, other = in_pieces(puzzle, float("inf"))[0], exactile.count(puzzle)
    in_slices(monkeypatch, nodes)
    pieces, solutions = in_pieces(puzzle)
    assert numbers(Case(puzzle), once.shares) == numbers(Case(puzzle), pieces.shares)
    assert numbers(Case(puzzle), pieces.shares) == {"": (other.raw, other.rotation, other.symmetry)}
    assert (once.nodes, once.found) == (pieces.nodes, pieces.found)
    assert len(set(solutions)) == pieces.found
    for solution in solutions:
        exactile.check(puzzle, solution)


@pytest.mark.parametrize("block", few(range(4), 2))
def test_random_puzzles(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    in_slices(monkeypatch, 3)
    for seed in range(block * 15, (block + 1) * 15):
        puzzle = random_puzzle(seed)
        found = counted(puzzle).values()
        answer = exactile.count(puzzle, backend="reference")
        total = tuple(map(sum, zip(*found, strict=True)))
        assert total == (answer.raw, answer.rotation, answer.symmetry), seed


def test_pieces_left_out_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = exactile.load("tetrominoes-5x4")
    assert puzzle.omission is None
    square = exactile.load("polyominoes-1234-7x3-plus")
    shares = []
    for name in ("I3", "V3"):
        rest = [p for p in square.pieces if p.name != name]
        region = three_less(square)
        shares.append(exactile.count(replace(square, pieces=tuple(rest), region=region)).raw)
    both = replace(
        square, region=three_less(square), omission=exactile.puzzle.Omission(("I3", "V3"), 1)
    )
    in_slices(monkeypatch, 500)
    counts = counted(both)
    assert [counts[name][0] for name in ("I3", "V3")] == shares
    assert all(shares)


def three_less(puzzle: exactile.Puzzle) -> exactile.puzzle.Region:
    """Return the region without its first three units."""
    region = puzzle.region
    return exactile.puzzle.Region(region.lattice, region.units[3:], region.optional[3:])
