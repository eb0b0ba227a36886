"""Answers are written and read back, whatever their numbers."""

from __future__ import annotations

import json
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile.answers import Count, Status
from exactile.errors import FileError


@given(st.integers(min_value=0) | st.none(), st.sampled_from(Status))
def test_answers_read_back_with_numbers_of_any_size(raw: int | None, status: Status) -> None:
    answer = Count(puzzle="p", backend="dlx", status=status, raw=raw, stats={"nodes": raw})
    text = answer.to_json()
    assert Count.from_json(text) == answer
    assert msgspec.json.decode(text, type=Count) == answer
    assert json.loads(text)["raw"] == raw
    assert pickle.loads(pickle.dumps(answer)) == answer


@pytest.mark.parametrize("exponent", [53, 63, 64, 200, 4000])
def test_no_digit_is_lost(exponent: int) -> None:
    answer = Count(puzzle="p", backend="memo", status=Status.COMPLETE, raw=2**exponent + 1)
    assert Count.from_json(answer.to_json()).raw == 2**exponent + 1


def test_answers_cannot_be_changed() -> None:
    answer = Count(puzzle="p", backend="dlx", status=Status.UNKNOWN)
    with pytest.raises(AttributeError, match="immutable"):
        answer.raw = 1  # type: ignore[misc]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"puzzle": 1}', '{"puzzle": "p"'])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(FileError, match="This is no Count in JSON"):
        Count.from_json(text)
