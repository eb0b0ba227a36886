"""All parts of the comparison hear the limits: isometries, blocks and exchanges, pairs."""

from __future__ import annotations

import pytest

import exactile
from exactile.model.orbits import Representatives
from exactile.search.limits import Limits
from exactile.surveys.classes import classify
from exactile.surveys.classes.isometries import isometries
from exactile.surveys.classes.silhouettes import Forms
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import transformations
from support.clock import late
from support.events import in_slices


def test_isometries_are_given_up() -> None:
    region = exactile.load("pentominoes-6x10").region
    asked = iter([None] * 2000 + ["time limit"] * 10_000)
    assert 0 < len(isometries(region, 10, lambda: next(asked))) < len(isometries(region, 10))
    assert len(isometries(region, 10, lambda: "time limit")) == 0


def test_a_search_is_stopped_while_images_of_its_solutions_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of large solutions that takes longer than finding them."""
    in_slices(monkeypatch, 1000)
    late(monkeypatch, 3, Representatives, "new")
    search = exactile.Search(exactile.load("pentominoes-4x15"), time_limit=1000)
    assert 0 < len(Solutions.of_search(search)) < 368
    assert search.stopped == "time limit"


def test_given_solutions_are_read_as_long_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = exactile.load("pentominoes-4x15")
    given = exactile.Search(puzzle)
    late(monkeypatch, 2, Representatives, "new")
    solutions, whole = Solutions.of_solutions(puzzle, given, Limits(1000))
    assert (0 < len(solutions) < 368, whole) == (True, False)


def test_native_moves_are_found_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are looked at between the parts, and Ctrl-C is heard there."""
    monkeypatch.setattr("exactile.surveys.classes.transformations.CLASS_PAIRS_AT_ONCE", 1)
    solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    limits, parts, remarks = Limits(), list[float](), list[str]()

    def watch(part: float) -> None:
        parts.append(part)
        if len(parts) == 3:
            limits.cancel()

    found = transformations(solutions, watch=watch, remarks=remarks, limits=limits)
    assert len(found) < 611
    assert parts == [k / len(solutions) for k in (1, 2, 3)]
    assert remarks == ["Not all were compared (cancelled): classes may be parts of larger ones."]


def test_silhouettes_are_left_out_where_there_is_no_time_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late(monkeypatch, 3, Forms, "of")
    solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    report = classify(solutions, limits=Limits(1000).rest())
    answer = report.answer()
    assert (report.compared, report.silhouettes, answer.silhouettes) == (True, None, None)
    assert answer.remarks == ("The silhouettes are left out: the time limit came first.",)
    assert len(answer.classes) == len(report.classes) > 1


def test_pairs_with_placements_in_common_are_counted_as_long_as_there_is_time() -> None:
    limits = Limits()
    solutions = Solutions.of_search(exactile.Search(exactile.load("tetrahexes-4x7")))
    report = classify(solutions, limits=limits)
    limits.cancel()
    answer = report.answer(pairs=True, most=0)
    assert answer.pairs_sharing is None
    assert answer.remarks == ("Pairs with placements in common are not counted (cancelled).",)
