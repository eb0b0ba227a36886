"""A formula has one model for each solution: its auxiliary variables are determined."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from exactile.errors import ModelError
from exactile.model import Model
from exactile.model.encode import ENCODINGS, MULTIPLYING, Formula, default_encoding, encode, pairs
from exactile.model.lower import lower
from exactile.tuning import TUNING
from support.few import examples
from support.random_models import brute_force, random_model
from support.small import dominoes


def models(formula: Formula, most: int = 10**6) -> list[frozenset[int]]:
    """Return the true variables of each model, found with all of them blocked one by one."""
    from pysat.solvers import Solver

    found: list[frozenset[int]] = []
    with Solver("gluecard4") as solver:
        for variable in range(1, formula.variables + 1):
            solver.add_clause([variable, -variable])
        for clause in formula.clauses():
            solver.add_clause(clause)
        for literals, bound in formula.at_most:
            solver.add_atmost(literals.tolist(), bound)
        while len(found) < most and not formula.refuted and solver.solve():
            model = solver.get_model()[: formula.variables]
            found.append(frozenset(x for x in model if x > 0))
            if not model:
                break
            solver.add_clause([-x for x in model])
    return found


def one_item(options: int, low: int, high: int) -> Model:
    return Model.of_options([[0]] * options, lower=[low], upper=[high])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("low", [0, 1])
def test_at_most_one_of_any_number(encoding: str, low: int) -> None:
    for n in [*range(1, 30), 63, 64, 65]:
        formula = encode(one_item(n, low, 1), encoding)
        found = models(formula)
        taken = {frozenset(x for x in m if x <= n) for m in found}
        assert len(found) == n + 1 - low
        none = set() if low else {frozenset[int]()}
        assert taken == {frozenset([x]) for x in range(1, n + 1)} | none


@pytest.mark.parametrize("encoding", ["pairwise", "native"])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 6])
def test_any_bounds(encoding: str, n: int) -> None:
    for low in range(n + 2):
        for high in range(low, n + 3):
            found = models(encode(one_item(n, low, high), encoding))
            sizes = [sum(x <= n for x in m) for m in found]
            assert all(low <= size <= high for size in sizes)
            assert len(found) == sum(comb(n, k) for k in range(low, min(high, n) + 1))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_models_are_solutions_one_by_one(encoding: str) -> None:
    for seed in range(examples(120)):
        model = random_model(seed, most_options=8)
        found = models(encode(model, encoding))
        taken = {frozenset(x - 1 for x in m if x <= model.options) for m in found}
        assert taken == brute_force(model), seed
        assert len(found) == len(taken), seed


def test_wrong_choices_follow_by_propagation() -> None:
    """Once an option is taken, its rivals are out without any search; and the last one is in."""
    from pysat.solvers import Solver

    n = 23
    for encoding in ENCODINGS:
        formula = encode(one_item(n, 1, 1), encoding)
        with Solver("gluecard4", bootstrap_with=formula.clauses()) as solver:
            for literals, bound in formula.at_most:
                solver.add_atmost(literals.tolist(), bound)
            for x in range(1, n + 1):
                rest = [y for y in range(1, n + 1) if y != x]
                possible, forced = solver.propagate([x])
                assert possible
                assert {-y for y in rest} <= set(forced), encoding
                possible, forced = solver.propagate([-y for y in rest])
                assert possible
                assert x in forced, encoding


def test_counters_propagate_both_ways() -> None:
    from pysat.solvers import Solver

    n, low, high = 9, 3, 5
    formula = encode(one_item(n, low, high))
    with Solver("cadical195", bootstrap_with=formula.clauses()) as solver:
        for shift in range(n):
            order = [(shift + k) % n + 1 for k in range(n)]
            possible, forced = solver.propagate(order[:high])
            assert possible
            assert {-x for x in order[high:]} <= set(forced)
            possible, forced = solver.propagate([-x for x in order[: n - low]])
            assert possible
            assert set(order[n - low :]) <= set(forced)


def test_two_options_that_share_several_items_conflict_once() -> None:
    model = Model.of_options([[0, 1, 2], [0, 1, 2], [0]], [1, 1, 1], [1, 1, 1])
    assert pairs(model) == 5
    clauses = encode(model).clauses()
    assert sorted(c for c in clauses if c[0] < 0) == [[-2, -3], [-1, -3], [-1, -2]]


def test_bounds_that_follow_from_the_size_are_left_out() -> None:
    """Eight dominoes in 4x4 are eight: that there must be eight says nothing."""
    model = lower(dominoes(4, 4))
    assert model.lower.tolist()[0] == 8
    assert encode(model).variables == model.options
    wrong = replace(model, lower=model.lower.copy(), upper=model.upper.copy())
    wrong.lower[0], wrong.upper[0] = 7, 7
    assert models(encode(wrong)) == []


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_models_of_eight_dominoes_are_the_tilings(encoding: str) -> None:
    model = lower(dominoes(4, 4))
    assert len(models(encode(model, encoding))) == 36


@pytest.mark.parametrize("encoding", MULTIPLYING)
def test_encodings_that_multiply_models_are_refused(encoding: str) -> None:
    with pytest.raises(ModelError, match="one solution has many models"):
        encode(one_item(3, 1, 1), encoding)


def test_the_trap_that_they_are() -> None:
    """6x6 has 6728 tilings; with PySAT's totalizer the formula has more models than that."""
    from pysat.card import CardEnc, EncType

    model = lower(dominoes(6, 6))
    plain = encode(model)
    clauses = [c for c in plain.clauses() if c[0] > 0]
    top = plain.variables
    for item in range(1, model.items):
        here = (model.options_with(item) + 1).tolist()
        card = CardEnc.atmost(here, 1, top_id=top, encoding=EncType.totalizer)
        top = max(top, card.nv)
        clauses += card.clauses
    flat = [x for clause in clauses for x in [*clause, 0]]
    trap = Formula(top, np.array(flat, dtype=np.int32))
    found = models(trap, 8000)
    assert len(found) == 8000
    assert len({frozenset(x for x in m if x <= model.options) for m in found}) < 6728


def test_the_default_is_pairs_while_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    model = one_item(10, 1, 1)
    assert default_encoding(model) == default_encoding(model, native=True) == "pairwise"
    monkeypatch.setattr("exactile.model.encode.PAIR_CLAUSES", 44)
    assert default_encoding(model) == "product"
    assert default_encoding(model, native=True) == "native"


def test_formulas_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "formula_literals", 100)
    with pytest.raises(ModelError, match="take another encoding"):
        encode(one_item(20, 1, 1))
    for encoding in ("seqcounter", "bitwise", "commander", "product"):
        with pytest.raises(ModelError, match="more than 100 literals"):
            encode(one_item(60, 1, 1), encoding)
    with pytest.raises(ModelError, match="more than 100 literals"):
        encode(one_item(20, 4, 9))


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(ModelError, match="There is no encoding 'ladder'"):
        encode(one_item(3, 1, 1), "ladder")
