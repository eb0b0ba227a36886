"""Answers are written and read back, whatever their numbers."""

from __future__ import annotations

import json
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactile
from exactile.answers import Count, Stats, Status
from exactile.errors import FileError, Interrupted
from exactile.search.case import Case


@given(st.integers(min_value=0) | st.none(), st.sampled_from(Status))
def test_answers_read_back_with_numbers_of_any_size(raw: int | None, status: Status) -> None:
    answer = Count(puzzle="p", backend="dlx", status=status, raw=raw, stats=Stats(nodes=raw))
    text = answer.to_json()
    assert Count.from_json(text) == answer
    assert msgspec.json.decode(text, type=Count) == answer
    assert json.loads(text)["raw"] == raw
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_an_interrupted_answer_can_be_sent_to_another_process() -> None:
    answer = Count(puzzle="p", backend="dlx", status=Status.UNKNOWN, raw=None, stats=Stats())
    sent = pickle.loads(pickle.dumps(Interrupted(answer)))
    assert (type(sent), sent.answer, str(sent)) == (Interrupted, answer, "")


@pytest.mark.parametrize("exponent", [53, 63, 64, 200, 4000])
def test_no_digit_is_lost(exponent: int) -> None:
    answer = Count(
        puzzle="p", backend=None, method="memo", status=Status.COMPLETE, raw=2**exponent + 1
    )
    assert Count.from_json(answer.to_json()).raw == 2**exponent + 1


def test_answers_cannot_be_changed() -> None:
    answer = Count(puzzle="p", backend="dlx", status=Status.UNKNOWN)
    with pytest.raises(AttributeError, match="immutable"):
        answer.raw = 1  # type: ignore[misc]


@pytest.mark.parametrize("text", ["", "\ud800", "[]", "{}", '{"puzzle": 1}', '{"puzzle": "p"'])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(FileError, match="This is not a Count in JSON"):
        Count.from_json(text)


def test_counters_are_typed_and_those_of_other_packages_are_kept() -> None:
    """What was not counted may be null, too."""
    stats = Stats.of({"nodes": 3, "seconds": 0.25, "guesses": 7})
    answer = Count(puzzle="p", backend="b", status=Status.UNKNOWN, stats=stats)
    document = json.loads(answer.to_json())
    assert document["stats"] == {"nodes": 3, "seconds": 0.25, "other": {"guesses": 7}}
    assert Count.from_json(answer.to_json()).stats["guesses"] == 7
    with pytest.raises(KeyError):
        _ = stats["nothing"]
    with pytest.raises(FileError, match="stats"):
        Count.from_json(answer.to_json().replace("3", '"three"'))
    empty = '{"puzzle": "p", "backend": "b", "status": "unknown", "stats": {"nodes": null}}'
    assert Count.from_json(empty).stats == Stats()


def test_every_counter_of_the_package_is_known() -> None:
    """What backends and counters tell has a place of its own."""
    case = Case(exactile.load("dominoes-4x4"))
    for name in ("dlx", "reference", "cpsat", "sat", "first"):
        with exactile.Search(case, backend=name, limit=1) as search:
            next(search)
            assert search.stats.other == {}, name
    for method in ("memo", "frontier"):
        assert exactile.count(exactile.load("dominoes-4x4"), method=method).stats.other == {}
    assert exactile.sample(exactile.load("dominoes-4x4"), 1).stats.other == {}
