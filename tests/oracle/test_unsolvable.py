"""Puzzles of the catalogue that are published as unsolvable are so."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import exactile
from exactile.files import entries
from exactile.puzzle import Puzzle
from exactile.solve import Status

LONG = {
    "one-sided-hexiamonds-19x3",
    "one-sided-hexiamonds-trefoil-x7",
    "tetrasticks-3x5-diamond-lattice",
}
"""Refuted by millions of nodes."""


@cache
def unsolvable() -> dict[str, Puzzle]:
    """Return the puzzles with a published number of 0."""
    puzzles = {entry.id: exactile.load(entry.id) for entry in entries()}
    return {name: p for name, p in puzzles.items() if any(not k.count for k in p.known)}


def test_there_are_some_of_each_family() -> None:
    families = Counter(puzzle.lattice.name for puzzle in unsolvable().values())
    assert len(families) == 7
    assert min(families.values()) >= 4
    assert sum(families.values()) >= 60
    assert unsolvable().keys() >= LONG


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in LONG)) for n in unsolvable()]
)
def test_each_is_refuted(name: str) -> None:
    verdict = exactile.prove(unsolvable()[name])
    assert verdict.status is Status.UNSOLVABLE
    assert verdict.reason


@pytest.mark.parametrize("name", ["tetrasticks-7x7-unbordered", "tetrasticks-3x5-diamond-lattice"])
def test_any_piece_may_be_left_out(name: str) -> None:
    omission = unsolvable()[name].omission
    assert omission is not None
    assert (len(omission.names), omission.count) == (16, 1)
