"""The verifier's placements are those of the model, for every puzzle of the catalogue."""

from __future__ import annotations

import pytest

from exactile.certificate.placements import placements
from exactile.files import Entry, entries, load
from exactile.geometry.lattice import Point
from exactile.model import lower
from exactile.model.model import Decoder
from exactile.puzzle import Puzzle
from random_puzzles import random_puzzle


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


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.id)
def test_catalogue(entry: Entry) -> None:
    puzzle = load(entry.id)
    found = placements(puzzle)
    assert found == of_model(puzzle)
    assert any(found)


@pytest.mark.parametrize("block", range(6))
def test_random_puzzles(block: int) -> None:
    for seed in range(block * 30, (block + 1) * 30):
        puzzle = random_puzzle(seed)
        assert placements(puzzle) == of_model(puzzle), seed
