"""CP-SAT's parameters: the combinations that lose solutions cannot arise."""

from __future__ import annotations

import os
from itertools import product

import pytest

from exactile.backends import Request, get_backend
from exactile.backends.cpsat import MODES, CpSatBackend, parameters
from exactile.errors import BackendNotFoundError


@pytest.mark.parametrize(
    ("mode", "limit", "workers", "seed"),
    list(product(MODES, (None, 1, 2, 1000), (None, 1, 2, 8, 64), (0, 7))),
)
def test_no_request_enumerates_with_several_workers(
    mode: str, limit: int | None, workers: int | None, seed: int
) -> None:
    chosen = parameters(Request(limit=limit, workers=workers, seed=seed), mode)
    assert chosen["random_seed"] == seed
    if chosen["enumerate_all_solutions"]:
        assert chosen["num_workers"] == 1
        assert chosen["symmetry_level"] <= 1
    assert chosen.get("interleave_search", 0) == 0  # with enumeration, a model is called invalid
    if chosen.get("cp_model_presolve") == 0:  # false "infeasible" with ten and more workers
        assert chosen["num_workers"] < 10


def test_a_first_solution_gets_the_workers_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parameters(Request(limit=1, workers=5))["num_workers"] == 5
    for processors, workers in ((None, 1), (1, 1), (2, 1), (8, 8), (32, 32)):
        monkeypatch.setattr(os, "cpu_count", lambda n=processors: n)
        assert parameters(Request(limit=1))["num_workers"] == workers
        assert parameters(Request())["num_workers"] == 1
    assert not parameters(Request(limit=1))["enumerate_all_solutions"]


def test_ways_are_chosen_by_name() -> None:
    backends = [get_backend(name) for name in ("cpsat", *(f"cpsat:{m}" for m in MODES))]
    assert [b.name for b in backends] == ["cpsat", "cpsat:enumerate", "cpsat:blocking"]
    modes = [b.mode for b in backends if isinstance(b, CpSatBackend)]
    assert modes == [MODES[0], "enumerate", "blocking"]
    with pytest.raises(BackendNotFoundError, match="cpsat:blocking"):
        get_backend("cpsat:both")
