"""The native search as a backend."""

from __future__ import annotations

from typing import Any

import pytest

import exactile
from exactile.backends import Request, dlx, get_backend
from exactile.backends.base import HEARTBEAT
from exactile.backends.exploration import Exploration
from exactile.search.search import Search
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


def test_after_its_time_limit_it_waits_a_heartbeat_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever listens late finds few batches, not one for every moment."""
    seconds: list[float] = []
    run = Exploration.run

    def recorded(self: Exploration, **limits: Any) -> Any:
        seconds.append(limits["seconds"])
        return run(self, **limits)

    monkeypatch.setattr(Exploration, "run", recorded)
    model = exactile.lower(exactile.load("hexominoes-14x15"))
    slices = get_backend("dlx").search(model, Request(deadline=0.0))
    for _ in range(3):
        next(slices)
    slices.close()
    assert seconds == [HEARTBEAT] * 3


@pytest.mark.parametrize("asked", [False, True])
def test_asking_for_the_rest_keeps_the_order(monkeypatch: pytest.MonkeyPatch, asked: bool) -> None:
    """A solution found ahead of others waits for them, also if the rest was asked for."""

    class Ahead(Exploration):
        def run(self, **limits: Any) -> Any:
            """First let another worker, so to speak, search all but the first branch."""
            if self.nodes == 0:
                first, *others = self.split(2)
                self.prefixes = others
                self._engine.run(2**62, 1e9, 2**62, 1, ordered=True, keep=True)
                self.prefixes = [first]
                limits["nodes"] = 1
            return super().run(**limits)

    model = exactile.lower(dominoes(4, 4))
    wanted = Exploration(model).run().tolist()
    monkeypatch.setattr(dlx, "Exploration", Ahead)
    found: list[list[int]] = []
    for batch in get_backend("dlx").search(model, Request(ordered=True)):
        found += batch.assignments.tolist()
        if asked:
            assert batch.left is not None
            batch.left()
    assert found == wanted
