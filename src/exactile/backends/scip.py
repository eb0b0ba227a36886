"""SCIP, a constraint integer programming solver: a linear constraint for each item.

A further constraint forbids each solution that is found.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from exactile.backends.base import Request, refuse_choice, require_package
from exactile.backends.child import Blocking, PackageBackend
from exactile.model.linear import NO_BOUND, linear_rows
from exactile.model.model import Model


def backend(choice: str | None) -> PackageBackend:
    """Return the backend.

    Raise BackendMissingError if PySCIPOpt is not installed, BackendNotFoundError if `choice`, a
    solver, is not None.
    """
    require_package("scip", "pyscipopt")
    refuse_choice("scip", choice)
    return PackageBackend("scip", "PySCIPOpt", "pyscipopt", partial(Blocking, start=ScipSession))


class ScipSession:
    """A SCIP solver with a model; see `exactile.backends.child.SolverSession`."""

    def __init__(self, model: Model, request: Request) -> None:
        scip: Any = import_module("pyscipopt")
        self._sum = quicksum = scip.quicksum
        self._program = program = scip.Model()
        program.hideOutput()
        program.setParam("randomization/randomseedshift", request.seed)
        rows = linear_rows(model)
        self._x = [program.addVar(vtype="B") for _ in range(rows.variables)]
        self._options = model.options
        self._nodes = 0
        for r in range(len(rows)):
            span = slice(rows.first[r], rows.first[r + 1])
            pairs = zip(rows.members[span].tolist(), rows.signs[span].tolist(), strict=True)
            total = quicksum(sign * self._x[v] for v, sign in pairs)
            low, high = int(rows.lower[r]), int(rows.upper[r])
            if low == high:
                program.addCons(total == low)
                continue
            if low > 0 or high == NO_BOUND:
                program.addCons(total >= low)
            if high < NO_BOUND:
                program.addCons(total <= high)

    def solve(self, prefix: tuple[int, ...]) -> list[int] | None:
        """Return the options of a solution that extends a prefix; None if there are no more.

        Raise RuntimeError if SCIP stops without an answer.
        """
        program = self._program
        fixed = [(self._x[m if m >= 0 else ~m], float(m >= 0)) for m in prefix]
        for variable, value in fixed:
            program.chgVarLb(variable, value)
            program.chgVarUb(variable, value)
        program.optimize()
        self._nodes += int(program.getNTotalNodes())
        status = program.getStatus()
        found: list[int] | None = None
        if status == "optimal":
            best = program.getBestSol()
            found = [o for o in range(self._options) if program.getSolVal(best, self._x[o]) > 0.5]
        elif status != "infeasible":
            raise RuntimeError(f"SCIP stopped: {status}")
        program.freeTransform()
        for variable, _ in fixed:
            program.chgVarLb(variable, 0.0)
            program.chgVarUb(variable, 1.0)
        return found

    def forbid(self, taken: list[int], others: list[int]) -> None:
        """Forbid solutions that contain all options in `taken` and none in `others`."""
        total = self._sum(self._x[o] for o in taken) - self._sum(self._x[o] for o in others)
        self._program.addCons(total <= len(taken) - 1)

    def stats(self) -> dict[str, int]:
        """Return the counters of SCIP."""
        return {"nodes": self._nodes}
