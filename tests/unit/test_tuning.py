"""The table of tuning constants: within their ranges, each used, and each only there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import exactile
from exactile.tuning import TUNING, Tuning, table

SOURCES = Path(exactile.__file__).parent


def test_defaults_are_within_their_ranges() -> None:
    assert 30 < len(table()) < 50
    for row in table():
        assert row.lowest <= row.default <= row.highest, row.name
        assert row.default == getattr(TUNING, row.name)


def test_every_constant_is_used() -> None:
    files = [p for p in SOURCES.rglob("*.py") if p.name != "tuning.py"]
    used = {n for p in files for n in re.findall(r"TUNING\.(\w+)", p.read_text("utf-8"))}
    assert used - {"changed"} == {row.name for row in table()}


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"coloring_share is 2: it must be 0 to 1\."):
        Tuning(coloring_share=2)
    with pytest.raises(ValueError, match="Did you mean 'coloring_share'"):
        TUNING.color_share = 1
