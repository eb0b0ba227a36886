"""What backends do in a process of their own, done in this one: fast enough for many models."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exactile.backends import Request
from exactile.backends.child import Blocking, Found
from exactile.model import Model
from support.sat_in_process import sat_solutions

PACKAGES = {
    "clingo": "clingo",
    "highs": "highspy",
    "sat:cryptominisat5": "pycryptosat",
    "scip": "pyscipopt",
    "z3": "z3",
}
"""Backends that are extras, and what each needs. HiGHS cannot be in one process with OR-Tools."""


def task(name: str, model: Model, request: Request) -> Any:
    """Return the task of one of `PACKAGES`."""
    module: Any = import_module(f"exactile.backends.{name}")
    if name == "clingo":
        return module.ClingoSearch(model, request)
    return Blocking(model, request, getattr(module, f"{name.capitalize()}Session"))


def solutions_by(name: str, model: Model, request: Request | None = None) -> set[frozenset[int]]:
    """Return all solutions; none may come twice."""
    if name.startswith("sat:"):
        return sat_solutions(model, name.removeprefix("sat:"), request)
    told: list[Found] = []
    task(name, model, request or Request()).run(told.append)
    found = [frozenset(t.options) for t in told if t.options is not None]
    assert len(found) == len(set(found))
    return set(found)
