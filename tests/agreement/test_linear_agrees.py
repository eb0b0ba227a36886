"""Linear algebra refutes nothing that has a solution, and is verified; some puzzles it refutes."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.backends import Request, farkas, get_backend
from exactile.counting import verbs
from exactile.errors import CheckFailedError
from exactile.model import Model, weights
from exactile.model.lower import lower, unbalanced
from exactile.model.model import Meaning
from exactile.model.weights import Congruence, congruence, require_contradiction
from exactile.search import Search, Status
from exactile.search.limits import Limits
from support.colored_puzzles import copies
from support.few import examples
from support.random_models import brute_force, random_model
from support.random_puzzles import random_puzzle


def refuted(model: Model) -> bool:
    """Return whether the backend refutes a model; it gives up on all others."""
    *_, last = [None, *get_backend("linear").search(model, Request())]
    return last is None or last.stopped is None


def test_random_models() -> None:
    number = 0
    for seed in range(examples(400)):
        model = random_model(seed)
        if refuted(model):
            number += 1
            assert not brute_force(model), seed
    assert number > examples(400) // 20


def test_random_models_with_pieces_and_units() -> None:
    """Items that options of one color share are not used up by one of them, whatever they mean."""
    number = 0
    for seed in range(examples(1000)):
        plain = random_model(seed)
        rng = random.Random(seed)
        pieces = rng.randint(0, plain.items)
        kinds = Meaning.of_labels(
            plain.meaning.labels, pieces, rng.randint(0, plain.items - pieces)
        )
        model = replace(plain, meaning=kinds)
        if refuted(model):
            number += 1
            assert not brute_force(model), seed
    assert number > examples(1000) // 20


def test_a_fixed_option_leaves_a_colored_unit_to_others() -> None:
    model = Model.of_options(
        [[0, 2, 3], [1, 2]],
        [1, 1, 0, 1],
        [1, 1, 1, 1],
        colors=[{2: 1}, {2: 1}],
    )
    meaning = Meaning.of_labels(["piece A", "piece B", "unit 0", "fixed placement A"], 2, 1)
    model = replace(model, meaning=meaning)
    assert brute_force(model) == {frozenset({0, 1})}
    assert congruence(model) is None
    with pytest.raises(CheckFailedError, match="do not prove"):
        require_contradiction(model, Congruence(2, np.array([0, 1, 0, 0])))


def test_random_puzzles() -> None:
    """It finds some that sums of parities do not show."""
    more = 0
    for seed in range(examples(200)):
        puzzle = random_puzzle(seed)
        model = lower(puzzle)
        found = congruence(model)
        if found is not None:
            with Search(puzzle, backend="reference", limit=1, use_reasons=False) as search:
                assert not list(search), seed
            more += unbalanced(model) is None
    assert more


@pytest.mark.parametrize(
    ("name", "modulus"),
    [("tetraboloes-7x4", 2), ("hats-torus-4x2", 4), ("hats-torus-8x2", 8), ("soma-cube", None)],
)
def test_the_least_modulus_is_found(name: str, modulus: int | None) -> None:
    found = congruence(lower(exactile.load(name)))
    assert (None if found is None else found.modulus) == modulus


def test_the_backend_tries_the_balance_of_parities() -> None:
    """The pieces can cover at most 100 more black units than white, of 112; no congruence."""
    model = lower(exactile.load("non-convex-pentacubes-ring-wall-3"))
    assert congruence(model) is None
    assert refuted(model)


def test_the_backend_tries_inequalities() -> None:
    """The weights of no congruence forbid it, and no search is known to end."""
    model = lower(exactile.load("pentacubes-compound-cross-1"))
    assert unbalanced(model) is None
    assert congruence(model) is None
    assert refuted(model)


def test_a_count_does_not_search_what_a_coloring_forbids() -> None:
    """Weights modulo 4, where no parity of places is out of balance."""
    answer = exactile.count(exactile.load("one-sided-tetrasticks-6x10-center-hole"))
    assert (answer.raw, answer.method) == (0, "first look")
    assert answer.reason == "a coloring forbids it, modulo 4"


def test_a_count_tries_inequalities_before_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verbs, "INEQUALITY_SECONDS", 1e6)  # also on a machine that is slow
    puzzle = exactile.load("pentacubes-stepped-pyramid-x1")
    answer = exactile.count(puzzle)
    assert answer.status is Status.UNSOLVABLE
    assert (answer.raw, answer.symmetry, answer.done) == (0, 0, 1)
    assert (answer.method, answer.reason) == ("coloring", "a coloring forbids it")
    limits = Limits()

    def stop(search: Search) -> None:
        if (search.counters.get("nodes") or 0) > 2 * verbs.INEQUALITY_NODES:
            limits.cancel()

    searched = exactile.count(puzzle, use_reasons=False, limits=limits, watch=stop)
    assert (searched.raw, searched.method) == (None, "list")


def test_wrong_weights_are_refused() -> None:
    model = lower(copies("tetrominoes", "T4", 6, 6))
    found = congruence(model)
    assert found is not None
    require_contradiction(model, found)
    for item in range(model.items):
        changed = found.weights.copy()
        changed[item] += 1
        with pytest.raises(CheckFailedError, match="do not prove"):
            require_contradiction(model, found._replace(weights=changed))
    with pytest.raises(CheckFailedError, match="do not prove"):  # a solution weighs 0, too
        require_contradiction(model, Congruence(2, np.zeros_like(found.weights)))
    loose = replace(model, upper=model.upper + 1)
    with pytest.raises(CheckFailedError, match="do not prove"):
        require_contradiction(loose, found)
    assert congruence(loose) is None


def test_it_gives_up_if_it_needs_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lower(copies("tetrominoes", "T4", 6, 6))
    monkeypatch.setattr(weights, "MOST_GROWTH", 0)
    monkeypatch.setattr(farkas, "MOST_MEMBERS", 0)
    assert congruence(model) is None
    with Search(copies("tetrominoes", "T4", 6, 6), backend="linear", use_reasons=False) as search:
        assert not list(search)
    assert (search.status, search.stopped) == (Status.UNKNOWN, "no weights forbid it")


def test_one_proof_is_a_column_of_all() -> None:
    """A thousand pairs of units, each with a weight of its own, and a unit in no option."""
    pairs = [[2 * (k // 2), 2 * (k // 2) + 1] for k in range(2000)]
    model = Model.of_options(pairs, [1] * 2001, [1] * 2001)
    found = weights.weights(weights.system(model).swept(), 3)
    dense = found.dense()
    assert dense.shape == (2002, 1001)
    assert found.one().tolist() == dense[:-1, np.flatnonzero(dense[-1])[0]].tolist()
    assert congruence(model) is not None


def test_it_gives_up_where_memory_fills(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on dense models, where elimination makes a table of columns by columns."""
    rng = np.random.default_rng(0)
    rows = [np.sort(rng.choice(600, 20, replace=False)).tolist() for _ in range(560)]
    model = Model.of_options(rows, [1] * 600, [1] * 600)
    assert congruence(model) is None
    monkeypatch.setattr(weights, "MOST_GROWTH", 1000)
    assert congruence(model) is not None


def test_it_can_be_ended() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        congruence(lower(copies("tetrominoes", "L4", 6, 6)), stop)
