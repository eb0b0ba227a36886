"""The table of tuning constants: within their ranges, each used, and each only there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import exactile
from exactile.errors import SettingError
from exactile.tuning import TUNING, VARIABLE, Tuning, environment, numbers_of, pairs_of, table

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


@pytest.mark.parametrize("value", [7, 7.0, np.int64(7), np.float64(7)])
def test_other_processes_can_read_every_number_that_python_takes(value: float) -> None:
    with TUNING.changed(memo_states=value, first_look=value):
        assert (type(TUNING.memo_states), type(TUNING.first_look)) == (int, float)
        read = numbers_of(pairs_of(environment()[VARIABLE].split(",")))
    assert read["memo_states"] == read["first_look"] == 7


@pytest.mark.parametrize("value", [2.5, float("nan"), float("inf"), None, "many", [7]])
def test_what_is_not_a_whole_number_is_refused(value: float) -> None:
    with pytest.raises(SettingError, match=r"memo_states is .*: it must be a whole number"):
        TUNING.memo_states = value  # type: ignore[assignment]


def test_unknown_settings_cannot_be_changed_for_a_while() -> None:
    before = TUNING.first_look
    with (
        pytest.raises(SettingError, match="Did you mean 'memo_states'"),
        TUNING.changed(first_look=1, memo_state=5),
    ):
        pass
    assert TUNING.first_look == before
