"""Moves in words."""

from __future__ import annotations

import pytest

from exactile.answers.assembly import Move
from exactile.assembly.disassemble import way_words
from exactile.assembly.motions import motions
from exactile.geometry import get_lattice


@pytest.mark.parametrize("name", ["cube", "hexagon", "half-cairo", "kite-prisms"])
def test_different_directions_have_different_words(name: str) -> None:
    """Hexagons move along (-1, 1), to a neighbor, and along (-2, 1), between two of them."""
    lattice = get_lattice(name)
    steps = motions(lattice).steps.tolist()
    moves = [Move(pieces=(0,), direction=tuple(step), steps=1) for step in steps]
    assert len({way_words(lattice.axes, move) for move in moves}) == len(steps)


def test_multiples_are_named() -> None:
    away = Move(pieces=(0,), direction=(-2, 1), steps=None)
    assert way_words(("x", "y"), away) == "-2x+y away"
