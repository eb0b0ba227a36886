"""Explanations of random puzzles, against plain Algorithm X and PySAT's own search for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product

import numpy as np
import pytest

from exactile.backends.reference import algorithm_x
from exactile.model import Model
from exactile.model.decoder import fault
from exactile.model.encode import clauses
from exactile.model.lower import lower
from exactile.reasons.adapters.explanation import (
    CoreFinding,
    CoreKind,
    Demand,
    FindCores,
    demands,
    relaxed,
    size,
)
from exactile.tuning import TUNING
from support.few import examples
from support.random_models import random_model
from support.random_puzzles import random_puzzle

PUZZLES = range(300)


def can_be_met(model: Model, demand: Mapping[int, int]) -> bool:
    """Return whether some assignment meets these demands, by the oracle."""
    return next((s for s in algorithm_x(relaxed(model, demand)) if s is not None), None) is not None


def findings(model: Model, *, smallest: bool = False, pieces: bool = False) -> list[CoreFinding]:
    """Return what the child process would find, found here."""
    found: list[CoreFinding] = []
    FindCores(model, smallest, pieces).run(found.append)
    return found


@cache
def unsolvable() -> dict[int, Model]:
    """Return the models of the random puzzles that have no solution."""
    models = {seed: lower(random_puzzle(seed)) for seed in PUZZLES}
    return {seed: m for seed, m in models.items() if not can_be_met(m, demands(m))}


def fewer(core: Demand) -> list[Demand]:
    """Return a core less each of its demands."""
    return [{i: k for i, k in (core | {item: core[item] - 1}).items() if k} for item in core]


def require_minimal(model: Model, found: list[CoreFinding]) -> Demand:
    """Check all that a search says, and return the minimal core."""
    for finding in found:
        if finding.kind in (CoreKind.CORE, CoreKind.MINIMAL, CoreKind.SMALLEST):
            assert finding.demand
            assert all(0 < k <= model.lower[i] for i, k in finding.demand.items())
            assert not can_be_met(model, finding.demand)
    minimal = next(f.demand for f in found if f.kind is CoreKind.MINIMAL)
    require_witnesses(model, found, minimal)
    return minimal


def require_witnesses(model: Model, found: list[CoreFinding], core: Demand) -> None:
    """Check that a core can be met without each of its demands, as some assignment shows."""
    met = [f.options for f in found if f.kind is CoreKind.WITNESS]
    for left in fewer(core):
        assert can_be_met(model, left)
        rest = relaxed(model, left)
        assert any(fault(rest, np.array([row], dtype=np.int32)) is None for row in met)


def test_there_are_enough_of_all_kinds() -> None:
    assert len(unsolvable()) > 30
    assert sum((m.lower > 1).any() for m in unsolvable().values()) > 5
    beyond = [m.lower[m.meaning.is_rule] for m in unsolvable().values()]
    assert sum(bool(low.any()) for low in beyond) > 5


def test_minimal_cores_are_minimal() -> None:
    for model in unsolvable().values():
        require_minimal(model, findings(model))


def test_solvable_puzzles_are_solved() -> None:
    for seed in range(examples(100)):
        if seed not in unsolvable():
            model = lower(random_puzzle(seed))
            (found,) = findings(model)
            assert found.kind is CoreKind.SOLUTION
            assert fault(model, np.array([found.options], dtype=np.int32)) is None


def test_smallest_cores_are_smallest() -> None:
    """By trying all smaller sets of demands."""
    tried = 0
    for model in unsolvable().values():
        found = findings(model, smallest=True)
        minimal = require_minimal(model, found)
        smallest = next(f.demand for f in found if f.kind is CoreKind.SMALLEST)
        assert size(smallest) <= size(minimal)
        require_witnesses(model, found, smallest)
        bounds = [f.number for f in found if f.kind is CoreKind.BOUND]
        assert bounds == sorted(set(bounds))
        assert bounds[-1] == size(smallest)
        every = demands(model)
        if size(every) > 11:
            continue
        tried += 1
        for levels in product(*(range(k + 1) for k in every.values())):
            demand = {i: k for i, k in zip(every, levels, strict=True) if k}
            if size(demand) < size(smallest):
                assert can_be_met(model, demand)
    assert tried > 15


def test_smallest_cores_have_the_size_that_optux_finds() -> None:
    """Where every demand is for one, it is a clause."""
    from pysat.examples.optux import OptUx
    from pysat.formula import WCNF

    compared = 0
    for model in unsolvable().values():
        every = demands(model)
        if any(k > 1 for k in every.values()) or compared == 25:
            continue
        formula = WCNF()
        formula.extend(clauses(relaxed(model, {})))
        for item in every:
            here = [int(o) + 1 for o in model.options_with(item)]
            if not here:
                break
            formula.append(here, weight=1)
        else:
            compared += 1
            with OptUx(formula) as optux:
                core = optux.compute()
            found = findings(model, smallest=True)
            assert size(found[-1].demand) == len(core)
    assert compared > 15


def test_pieces_known_to_be_impossible_are_taken_at_their_word() -> None:
    """As when another solver has refuted them; the core is made smaller all the same."""
    used = 0
    for model in unsolvable().values():
        of_pieces = {i: k for i, k in demands(model).items() if model.meaning.is_piece[i]}
        if not of_pieces or can_be_met(model, of_pieces):
            continue
        used += 1
        found = findings(model, pieces=True)
        assert found[0].demand == of_pieces
        require_minimal(model, found)
    assert used > 10


def test_questions_that_are_put_off_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "core_conflicts", 1)
    monkeypatch.setattr("exactile.reasons.adapters.explanation.CORE_GROWTH_CONFLICTS", 1)
    for model in list(unsolvable().values())[::3]:
        found = findings(model, smallest=True)
        require_minimal(model, found)
        assert found[-1].kind is CoreKind.SMALLEST


def test_models_with_any_bounds() -> None:
    """Not only those of puzzles."""
    refuted = 0
    for seed in range(200):
        model = random_model(seed)
        if model.colored or can_be_met(model, demands(model)):
            continue
        refuted += 1
        require_minimal(model, findings(model))
    assert refuted > 10
