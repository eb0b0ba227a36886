"""What fronts count is what listing has counted, for every puzzle of the ledger that they take."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactile
from exactile.counting.frontier import Confirmed
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import FrontierBudget
from exactile.errors import CountingError
from exactile.runs.ledger.export import read_export
from exactile.runs.ledger.record import Numbers, Record

ROOT = Path(__file__).parents[2]
BLOCK = 40
SMALL = FrontierBudget(entries=1e8, nodes=50_000)


def listed() -> list[Record]:
    """Return the puzzles that were counted by listing, those of few options first."""
    records = read_export(ROOT / "docs" / "catalogue" / "ledger.json")
    return sorted((r for r in records if r.method == "list"), key=lambda r: (r.options, r.id))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(18))
def test_same_numbers(block: int) -> None:
    """By two orders each; too large a front is passed over."""
    for record in listed()[block * BLOCK : (block + 1) * BLOCK]:
        try:
            answer = OrbitCount(exactile.load(record.id), Confirmed(SMALL)).run()
        except CountingError:
            continue
        assert answer.raw is not None
        assert answer.rotation is not None
        assert answer.symmetry is not None
        numbers = Numbers(answer.raw, answer.rotation, answer.symmetry)
        assert numbers == record.numbers, record.id
