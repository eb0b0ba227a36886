"""CP-SAT's parameters: the combinations that lose solutions cannot arise; what it tells."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

import exactile
from exactile.backends import Request, cpsat, get_backend
from exactile.backends.child import Found
from exactile.backends.cpsat import MODES, CpSatBackend, listen, parameters
from exactile.errors import BackendError, BackendNotFoundError
from support.small import dominoes, mutilated


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


@pytest.mark.parametrize("limit", [None, 2])
def test_symmetry_detection_is_refused_where_solutions_could_be_lost(limit: int | None) -> None:
    request = Request(limit=limit)
    for name in ("cpsat+symmetry_level=2", "cpsat:enumerate+symmetry_level=1"):
        with pytest.raises(BackendError, match="enumerates without symmetry detection"):
            next(iter(get_backend(name).search(exactile.lower(mutilated(4)), request)))
        assert get_backend(name).parameters(Request(limit=1))["symmetry_level"] in ("1", "2")
    assert get_backend("cpsat:blocking+symmetry_level=2").parameters(request)
    assert get_backend("cpsat+symmetry_level=0").parameters(request)


def test_cp_sat_says_which_parameter_it_refuses() -> None:
    for name, limit in (("at_most_one_max_expansion_size=0", 1), ("interleave_search=1", None)):
        with (
            exactile.Search(dominoes(4, 4), backend=f"cpsat+{name}", limit=limit) as search,
            pytest.raises(BackendError, match=f"MODEL_INVALID: .*{name[:10]}"),
        ):
            list(search)


def test_a_first_solution_gets_the_workers_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parameters(Request(limit=1, workers=5))["num_workers"] == 5
    assert parameters(Request(limit=1, workers=5, ordered=True))["num_workers"] == 1
    for processors, workers in ((1, 1), (2, 1), (8, 8), (32, 32)):
        monkeypatch.setattr(cpsat, "cores", lambda n=processors: n)
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


def test_between_solutions_it_tells_how_many_variables_are_open() -> None:
    solver: Any = SimpleNamespace(parameters=SimpleNamespace())
    told: list[Found] = []
    listen(solver, {"conflicts": 7}, told.append)
    solver.log_callback("Presolve summary:")
    solver.log_callback("#Model   0.36s var:1862/1865 constraints:131/131")
    assert told == [Found(None, {"conflicts": 7, "variables_left": 1862})]


LEAN = """
import sys
from exactile.backends.cpsat import import_lean
for _ in range(2):
    import_lean()
    assert "ortools.sat.python.cp_model" in sys.modules and "pandas" not in sys.modules
"""

ASKS_FOR_MORE = """
import sys
from exactile.backends.cpsat import import_lean
class Asked(type(sys)):
    def __setattr__(self, name, value):
        if name != "Series":
            super().__setattr__(name, value)
import exactile.backends.cpsat as start
start.ModuleType = Asked
import_lean()
assert not {"pandas", "ortools.sat.python.cp_model"} & set(sys.modules)
"""


@pytest.mark.parametrize("program", [LEAN, ASKS_FOR_MORE])
def test_cp_sat_is_loaded_without_pandas_unless_it_needs_more_of_it(program: str) -> None:
    subprocess.run([sys.executable, "-P", "-c", program], check=True)


@pytest.mark.parametrize("backend", ["cpsat", "cpsat:blocking", "sat:cadical195", "sat:glucose42"])
def test_conflicts_and_restarts_are_told(backend: str) -> None:
    with exactile.Search(mutilated(6), backend=backend, use_reasons=False) as search:
        assert list(search) == []
    assert search.stats["conflicts"] > 0
    assert search.stats["restarts"] >= 0
