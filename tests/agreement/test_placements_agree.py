"""The verifier's placements are those of the model, for puzzles of every file of the catalogue.

Both look at a few units of a piece first, and at several places at a time: that changes nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import exactile.certificate.placements as verifier_module
from exactile.certificate.placements import placements
from exactile.files import entries, load
from exactile.files.foreign.conversion import import_puzzles, write_puzzle_as
from exactile.geometry.lattice import Point
from exactile.model.decoder import Decoder
from exactile.model.lower import lower
from exactile.puzzle import Puzzle
from exactile.puzzle.check import faults
from exactile.search import Search
from support.few import few
from support.large_pieces import large_pieces
from support.random_puzzles import random_puzzle


def of_model(puzzle: Puzzle) -> list[list[tuple[Point, ...]]]:
    """Return the placements of the model's options, in the verifier's order."""
    model = lower(puzzle)
    decoder = Decoder(puzzle, model)
    found: list[list[tuple[Point, ...]]] = [[] for _ in puzzle.pieces]
    for option in range(model.options):
        placement = decoder.placement(option)
        if placement is not None:
            found[puzzle.piece_index[placement.piece]].append(placement.units)
    return [sorted(units) for units in found]


FILES = sorted({entry.path for entry in entries()})

MOST = 10_000
"""Pieces times units of the largest puzzle that is compared."""


@pytest.mark.parametrize("file", few(FILES, 12), ids=lambda file: file.stem)
def test_catalogue(file: Path) -> None:
    puzzles = [load(entry.id) for entry in entries() if entry.path == file][:10]
    small = [p for p in puzzles if len(p.pieces) * len(p.region) <= MOST]
    for puzzle in small[:: max(1, len(small) // 2)]:
        found = placements(puzzle)
        assert found == of_model(puzzle)
        assert any(found)


@pytest.mark.parametrize("block", few(range(6), 2))
def test_random_puzzles(block: int) -> None:
    for seed in range(block * 30, (block + 1) * 30):
        puzzle = random_puzzle(seed)
        assert placements(puzzle) == of_model(puzzle), seed


def test_pieces_of_hundreds_of_units(tmp_path: Path) -> None:
    write_puzzle_as(large_pieces(), tmp_path / "large.xmpuzzle", "xmpuzzle")
    [puzzle] = import_puzzles(str(tmp_path / "large.xmpuzzle"))
    assert puzzle == large_pieces()
    assert max(piece.order for piece in puzzle.pieces) > 580
    found = placements(puzzle)
    assert found == of_model(puzzle)
    assert sum(map(len, found)) == lower(puzzle).options == 92
    with Search(puzzle) as search:
        assert [faults(puzzle, solution) for solution in search] == [[]]


def test_the_order_of_looking_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles = list(map(random_puzzle, range(36)))
    expected = [(lower(puzzle), placements(puzzle)) for puzzle in puzzles]
    for number in ("TRIES_AT_ONCE", "PROBED_UNITS"):
        monkeypatch.setattr(f"exactile.model.lower.{number}", 1)
    for number in ("AT_ONCE", "PROBES"):
        monkeypatch.setattr(verifier_module, number, 1)
    for puzzle, (model, found) in zip(puzzles, expected, strict=True):
        again = lower(puzzle)
        assert (again.first == model.first).all()
        assert (again.members == model.members).all()
        assert placements(puzzle) == found
