"""Puzzles of the catalogue that the ledger says to be unsolvable are so."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

import exactile
from exactile.runs.ledger.export import Export, LedgerLine
from exactile.search import Status
from support.few import few

LEDGER = Path(__file__).parents[2] / "docs" / "catalogue" / "ledger.json"

MOST_OPTIONS = 1200
MOST_NODES = 50_000
"""Larger puzzles, and those refuted by more nodes, are left to the slow tests."""


@cache
def unsolvable() -> dict[str, LedgerLine]:
    """Return the puzzles that the ledger says to be unsolvable."""
    document = msgspec.json.decode(LEDGER.read_bytes(), type=Export)
    return {line.id: line for line in document.puzzles if line.status == "unsolvable"}


def is_slow(line: LedgerLine) -> bool:
    """Return whether a puzzle is left to the slow tests."""
    return line.options > MOST_OPTIONS or line.nodes > MOST_NODES


def test_there_are_some_of_each_family() -> None:
    names = Counter(line.lattice for line in unsolvable().values() if not is_slow(line))
    assert len(names) >= 9
    assert sum(names.values()) >= 80


@pytest.mark.parametrize(
    "name",
    [
        *few([n for n, line in unsolvable().items() if not is_slow(line)], 4),
        *(pytest.param(n, marks=pytest.mark.slow) for n, li in unsolvable().items() if is_slow(li)),
    ],
)
def test_each_is_refuted(name: str) -> None:
    verdict = exactile.prove(exactile.load(name))
    assert verdict.status is Status.UNSOLVABLE
    assert verdict.reason


@pytest.mark.parametrize("name", ["tetrasticks-7x7-unbordered", "tetrasticks-3x5-diamond-lattice"])
def test_any_piece_may_be_left_out(name: str) -> None:
    omission = exactile.load(name).omission
    assert omission is not None
    assert (len(omission.names), omission.count) == (16, 1)
