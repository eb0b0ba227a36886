"""All parts of the comparison hear the limits: isometries, blocks and exchanges, pairs."""

from __future__ import annotations

import pytest

import exactile
from exactile.search.limits import Limits
from exactile.surveys.classes.isometries import isometries
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import transformations


def test_isometries_are_given_up() -> None:
    region = exactile.load("pentominoes-6x10").region
    asked = iter([None] * 2000 + ["time limit"] * 10_000)
    assert 0 < len(isometries(region, 10, lambda: next(asked))) < len(isometries(region, 10))


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
    assert remarks == ["Not all was compared (cancelled): classes may belong together."]
