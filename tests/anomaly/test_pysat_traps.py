"""What PySAT's solvers do that nobody would expect, and that we go around it."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.backends.cubes import Cube
from exactile.backends.sat import (
    NATIVE,
    ONE_SHOT,
    UNLIMITED,
    CubeSearch,
    Rebuilding,
    Sliced,
    make_session,
    solver_names,
)
from exactile.model import Model
from exactile.model.encode import encode
from exactile.model.lower import lower
from support.sat_in_process import Collector, sat_solutions
from support.small import box_puzzle, dominoes

SOURCES = Path(exactile.__file__).parent
FORMULA = encode(Model.of_options([[0], [0], [1], [1]], [1, 1], [1, 1]))


def test_no_code_of_ours_enumerates_with_pysat() -> None:
    """It blocks whole models, and yields none at all when the solver is a temporary."""
    texts = [path.read_text() for path in SOURCES.rglob("*.py")]
    assert len(texts) > 50
    assert not any("enum_models" in text for text in texts)


def test_no_code_of_ours_limits_propagations_or_interrupts() -> None:
    """MapleSAT and MapleCM ignore the former; CaDiCaL has no latter."""
    texts = [path.read_text() for path in (SOURCES / "backends").glob("sat*.py")]
    assert len(texts) == 2
    assert not any("prop_budget" in text or ".interrupt(" in text for text in texts)


def test_kissat_ignores_assumptions_and_is_not_given_any() -> None:
    from pysat.solvers import Solver

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Solver("kissat404", bootstrap_with=[[1]]) as solver:
            assert solver.solve([-1]) is True  # if this fails one day, it has learnt it
    session = make_session("kissat404", FORMULA)
    assert isinstance(session, Rebuilding)
    true = session.solve([-1, -3], lambda: None)
    assert true is not None
    assert {2, 4} <= set(true)
    assert session.solve([-1, -2], lambda: None) is None
    assert session.solve([1], lambda: None) is not None


def test_lingeling_aborts_on_variables_that_it_forgot() -> None:
    """A whole process dies of it; so each question goes to a new solver."""
    code = (
        "from pysat.solvers import Solver\n"
        "solver = Solver('lingeling', bootstrap_with=[[1, 2], [-1, -2], [2, 3], [-2, -3]])\n"
        "solver.solve([1])\n"
        "[solver.add_clause([-x]) for x in solver.get_model()]\n"
        "print('alive', flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode < 0 or "alive" in done.stdout
    assert isinstance(make_session("lingeling", FORMULA), Rebuilding)
    assert len(sat_solutions(lower(dominoes(4, 4)), "lingeling")) == 36


def test_only_solvers_with_budgets_run_in_slices() -> None:
    for name in solver_names():
        session = make_session(name, FORMULA)
        assert isinstance(session, Sliced) == (name not in ONE_SHOT | UNLIMITED), name
        assert session.solve([1], lambda: None) is not None
    assert set(solver_names()) >= ONE_SHOT
    assert ("cryptominisat5" in solver_names()) == bool(find_spec("pycryptosat"))
    assert "cryptominisat5" in UNLIMITED


@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "maplesat", "maplecm"])
def test_slices_change_no_answer(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of one conflict; Glucose looks at its budget only when it restarts."""
    monkeypatch.setattr("exactile.backends.sat.SAT_CONFLICTS", 1)
    monkeypatch.setattr("exactile.backends.sat.HEARTBEAT", 0)
    signs = 0

    for puzzle, expected in ((dominoes(4, 4), 36), (box_puzzle("tetrominoes", 4, 5), 0)):
        collector = Collector(None)
        CubeSearch(lower(puzzle), Request(), solver).start()(Cube(0, ()), collector)
        signs += collector.signs
        assert len(set(collector.found)) == len(collector.found) == expected
    assert signs > 10 or solver == "glucose4"


def test_native_constraints_are_only_for_those_that_have_them() -> None:
    from pysat.solvers import Solver

    for name in solver_names():
        encodings = getattr(get_backend(f"sat:{name}"), "encodings", ())
        assert ("native" in encodings) == (name in NATIVE)
    for name in NATIVE:
        with Solver(name) as solver:
            assert solver.supports_atmost()


def test_phases_are_a_hint_only() -> None:
    """Some solvers refuse it."""
    from pysat.solvers import Solver

    with Solver("cadical103") as solver, pytest.raises(NotImplementedError):
        solver.set_phases([1])
    make_session("cadical103", FORMULA).prefer([1])


def test_a_seed_changes_no_solution() -> None:
    model = lower(dominoes(4, 4))
    for solver in ("cadical195", "glucose42", "minisat22"):
        assert len(sat_solutions(model, solver, Request(seed=7))) == 36
