"""The native search as a backend."""

from __future__ import annotations

import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.backends.exploration import Exploration
from exactile.solve.search import Search
from support.small import dominoes


def test_no_slice_is_longer_than_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Exploration, "patience", 1e9)
    model = exactile.lower(exactile.load("hexominoes-14x15"))
    slices = get_backend("dlx").search(model, Request(deadline=0.0))  # which is long ago
    assert len(next(slices).assignments) == 0
    slices.close()


def test_batches_of_large_solutions_are_small() -> None:
    small, large = (Search(dominoes(2, n)).problem.request.at_once for n in (4, 10_000))
    assert (small, large) == (4096, 100)
