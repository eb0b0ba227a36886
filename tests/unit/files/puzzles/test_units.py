"""Units as words and lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile.errors import FileError, RegionError
from exactile.files.puzzles.units import parse_units, write_units

coordinate = st.integers(-9, 9)


def test_runs() -> None:
    assert parse_units("0..1,2..3") == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert parse_units("-2..-1,0") == [(-2, 0), (-1, 0)]
    assert parse_units([[1, 2], [3, 4]]) == [(1, 2), (3, 4)]
    assert parse_units(" \n ") == []


@pytest.mark.parametrize("word", ["1,", ",1", "a,b", "1.5,0", "1..,0", "0...2,0", "1,0;2,0"])
def test_words_that_are_no_units(word: str) -> None:
    with pytest.raises(FileError, match="is not a unit"):
        parse_units(word)


def test_overlapping_runs() -> None:
    with pytest.raises(RegionError, match=r"The unit \[2, 0\] occurs twice"):
        parse_units("0..2,0 2..4,0")


@given(st.sets(st.tuples(coordinate, coordinate, coordinate), max_size=30))
def test_written_units_are_read_again(units: set[tuple[int, ...]]) -> None:
    assert set(parse_units(write_units(sorted(units)))) == units
