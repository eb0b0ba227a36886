"""`memo`: the solutions that others find, from states that are expanded once."""

from __future__ import annotations

import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.backends import memo as module
from exactile.backends.base import results
from exactile.model import Model
from exactile.model.lower import lower
from exactile.model.sweeps import Floats, places
from exactile.puzzle import Puzzle
from exactile.reasons.verdict import prove
from exactile.search import Status
from exactile.surveys.instances.library import named
from exactile.tuning import TUNING
from support.random_models import brute_force, random_model
from support.random_puzzles import random_puzzle
from support.small import dominoes


def solutions(
    model: Model, where: Floats | None = None, backend: str = "memo"
) -> list[frozenset[int]]:
    return [
        frozenset(o for o in row if o >= 0)
        for batch in results(get_backend(backend), model, Request(places=where, at_once=7))
        for row in batch.assignments.tolist()
    ]


@pytest.mark.parametrize("seed", range(60))
def test_all_solutions_once(seed: int) -> None:
    model = random_model(seed, colored=bool(seed % 2))
    found = solutions(model)
    assert len(found) == len(set(found))
    assert set(found) == brute_force(model)


@pytest.mark.parametrize("seed", range(40))
def test_places_change_the_order_and_nothing_else(seed: int) -> None:
    puzzle = random_puzzle(seed)
    model = lower(puzzle)
    found = [set(solutions(model, where)) for where in (None, places(puzzle, model))]
    assert found == [set(solutions(model, backend="dlx"))] * 2


def test_as_many_as_are_asked_for() -> None:
    puzzle = dominoes(6, 6)
    assert exactile.count(puzzle, backend="memo").raw == 6728
    rows = [b.assignments for b in get_backend("memo").search(lower(puzzle), Request(limit=10))]
    assert sum(map(len, rows)) == 10


def stopped(name: str, model: Model) -> str | None:
    *_, last = get_backend(name).search(model, Request(limit=1))
    assert not len(last.assignments)
    return last.stopped


def test_it_gives_up_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lower(dominoes(6, 6))
    monkeypatch.setattr(module, "BRIEF_STEPS", 100 * model.options // model.items + 1)
    assert stopped("memo:brief", model) == "it needs more than 100 states"
    with TUNING.changed(memo_states=50):
        assert stopped("memo", model) == "it needs more than 50 states"
        assert stopped("memo:brief", model) == "it needs more than 50 states"
    with TUNING.changed(auto_memo_options=10):
        assert stopped("memo:brief", model) == "the model has too many options"


def test_without_copies_it_gives_up_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lower(exactile.load("pentominoes-6x10"))
    steps = 100 * model.options // model.items + 1
    monkeypatch.setattr(module, "BRIEF_STEPS", module.FEW_COPIES * steps)
    assert stopped("memo:brief", model) == "it needs more than 100 states"


def test_different_pieces_may_be_refuted_with_few_states() -> None:
    """`dlx` needs 156,630,538 nodes; `memo:brief` here gives up beyond 668,989 states."""
    model = lower(exactile.load("heptiamonds-hexgrid-rosettes-x1"))
    assert stopped("memo:brief", model) is None


def test_what_it_keeps_must_fit_into_memory() -> None:
    """The first sweep finds out that there are solutions; the second keeps the states."""
    with TUNING.changed(memory_bytes=2**20):
        why = stopped("memo", lower(dominoes(16, 16)))
    assert why == "it needs more memory than 1,048,576 bytes, or than there is"


def test_the_brief_one_has_less_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lower(dominoes(16, 16))
    monkeypatch.setattr(module, "BRIEF_BYTES", 2**20)
    assert (stopped("memo:brief", model) or "").startswith("it needs more memory than 1,048,576")


def test_items_with_thousands_of_options_are_not_watched() -> None:
    """Each of 50 items is covered alone, or in one of 60 ways with the item that all share."""
    options = [[0, i] for i in range(1, 51) for _ in range(60)] + [[i] for i in range(1, 51)]
    model = Model.of_options(options, [1] * 51, [1] * 51)
    found = [*get_backend("memo").search(model, Request())]
    assert sum(len(batch.assignments) for batch in found) == 3000


def test_the_share_of_a_listing_is_that_of_its_solutions() -> None:
    listing = get_backend("memo").search(lower(dominoes(6, 6)), Request(at_once=1000))
    shares = [batch.done for batch in listing if batch.done is not None]
    assert shares == [k * 1000 / 6728 for k in range(1, 7)] + [1.0]


def test_counters_do_not_depend_on_the_machine() -> None:
    problem = named(["narrow-hexahex-14x15"])[0].made.problem
    assert isinstance(problem, Puzzle)
    told = {prove(problem, backend="memo").stats.states for _ in range(2)}
    assert told == {481552}


@pytest.mark.parametrize("backend", ["memo", "auto"])
def test_it_refutes_what_takes_a_search_long(backend: str) -> None:
    problem = named(["conway-lagarias-A3-27"])[0].made.problem
    assert isinstance(problem, Puzzle)
    verdict = prove(problem, backend=backend)
    assert verdict.status is Status.UNSOLVABLE
    assert "memo" in (verdict.reason or "")


def test_it_ends_when_it_is_closed() -> None:
    running = get_backend("memo").search(lower(dominoes(20, 20)), Request())
    batches = [next(running) for _ in range(20)]
    assert not any(len(batch.assignments) or batch.stopped for batch in batches)
    running.close()
    assert next(running, None) is None
