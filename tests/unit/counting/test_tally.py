"""Counts that are stopped and gone on with give the same numbers as those that are not."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

import exactile
from exactile.counting.tally import Tally, TallyState
from exactile.errors import PuzzleError
from support.few import few
from support.random_puzzles import random_puzzle


def in_pieces(puzzle: exactile.Puzzle, nodes: int) -> Tally:
    """Return a finished count, written down and read again after every few nodes."""
    state: TallyState | None = None
    while True:
        tally = Tally(puzzle, state)
        tally.run(nodes=nodes)
        text = msgspec.json.encode(tally.state)
        state = msgspec.json.decode(text, type=TallyState)
        if state.finished:
            return tally


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("soma-cube", 1500),
        ("tetrahexes-4x7", 7),
        ("tritrigs-heart-2", 2000),
        ("tetrominoes-5x4", 5),
    ],
)
def test_in_pieces_or_at_once(name: str, nodes: int) -> None:
    puzzle = exactile.load(name)
    once, pieces, other = Tally(puzzle), in_pieces(puzzle, nodes), exactile.count(puzzle)
    once.run()
    assert once.counts() == pieces.counts() == {"": (other.raw, other.rotation, other.symmetry)}
    assert once.state.nodes == pieces.state.nodes
    assert once.state.found == pieces.state.found
    assert pieces.state.done == 1
    if other.raw:
        assert pieces.state.example is not None
        exactile.check(puzzle, pieces.solution(pieces.state.example))


@pytest.mark.parametrize("block", few(range(4), 2))
def test_random_puzzles(block: int) -> None:
    for seed in range(block * 15, (block + 1) * 15):
        puzzle = random_puzzle(seed)
        found = in_pieces(puzzle, 3).counts().values()
        answer = exactile.count(puzzle, backend="reference")
        total = tuple(map(sum, zip(*found, strict=True)))
        assert total == (answer.raw, answer.rotation, answer.symmetry), seed


def test_pieces_left_out_are_told_apart() -> None:
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
    counts = in_pieces(both, 500).counts()
    assert [counts[name][0] for name in ("I3", "V3")] == shares
    assert all(shares)


def three_less(puzzle: exactile.Puzzle) -> exactile.puzzle.Region:
    """Return the region without its first three units."""
    region = puzzle.region
    return exactile.puzzle.Region(region.lattice, region.units[3:], region.optional[3:])


def test_a_state_belongs_to_a_model() -> None:
    tally = Tally(exactile.load("tetrahexes-4x7"))
    tally.run(nodes=3)
    with pytest.raises(PuzzleError, match="does not belong to the puzzle soma-cube"):
        Tally(exactile.load("soma-cube"), tally.state)
    with pytest.raises(PuzzleError, match="is not finished"):
        tally.counts()
