"""CP-SAT: one Boolean a placement, exactly-one and at-most-one constraints, linear bounds.

All solutions are found by solving again with a clause that forbids the last one: its own
enumeration loses solutions when it runs with several workers.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from exactile.backends.base import Batch, Request
from exactile.backends.child import Report, Task, search_in_child
from exactile.errors import BackendNotFoundError
from exactile.model.colors import Paints, paints
from exactile.model.model import Model

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class CpSatBackend:
    """Google's CP-SAT in a process of its own."""

    name = "cpsat"
    takes_prefixes = True
    takes_colors = True

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        return search_in_child(__name__, Task(model, request, self.name))

    def version(self) -> str:
        """Return the version of OR-Tools."""
        return f"OR-Tools {version('ortools')}"


def backend(choice: str | None) -> CpSatBackend:
    """Return the backend; it has no solvers to choose from."""
    if choice is not None:
        raise BackendNotFoundError(f"The backend 'cpsat' has no solver '{choice}': write 'cpsat'.")
    return CpSatBackend()


def work(task: Task, report: Report) -> dict[str, int]:
    """Solve in the child process; return the counters."""
    from ortools.sat.python import cp_model

    model, request = task.model, task.request
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = request.seed
    # One worker starts faster, which counts when there is one solve a solution; many help with one
    # hard question.
    many = os.cpu_count() or 1
    solver.parameters.num_workers = request.workers or (many if request.limit == 1 else 1)
    stats = {"solves": 0, "conflicts": 0, "branches": 0, "propagations": 0}
    for prefix in request.prefixes:
        program, literals = build(model)
        for move in prefix:
            program.add_bool_and([literals[move] if move >= 0 else literals[~move].Not()])
        while True:
            status = solver.solve(program)
            stats["solves"] += 1
            stats["conflicts"] += solver.num_conflicts
            stats["branches"] += solver.num_branches
            stats["propagations"] += solver.response_proto.num_binary_propagations
            if status == cp_model.INFEASIBLE:
                break
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                raise RuntimeError(f"CP-SAT stopped with {solver.status_name(status)}")
            values = [solver.boolean_value(x) for x in literals]
            chosen = [o for o, value in enumerate(values) if value]
            report(chosen, stats)
            clause: list[Any] = [literals[o].Not() for o in chosen]
            if not model.pinned:
                clause += [x for x, value in zip(literals, values, strict=True) if not value]
            program.add_bool_or(clause)
    return stats


def build(model: Model) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Return the CP-SAT model and the literal of each option."""
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    literals = [program.new_bool_var("") for _ in range(model.options)]
    colored = paints(model)
    for item, (low, high) in enumerate(
        zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    ):
        if item in colored:
            program.add_at_most_one(_uses(program, literals, colored[item]))
            continue
        here = [literals[o] for o in model.options_with(item).tolist()]
        if (low, high) == (1, 1):
            program.add_exactly_one(here)
        elif (low, high) == (0, 1):
            program.add_at_most_one(here)
        elif low > 0 or high < len(here):
            program.add_linear_constraint(cp_model.LinearExpr.sum(here), low, high)
    return program, literals


def _uses(
    program: cp_model.CpModel, literals: list[cp_model.IntVar], item: Paints
) -> list[cp_model.IntVar]:
    """Return the literals of a colored item of which one may hold: options, and its colors."""
    uses = [literals[o] for o in item.plain]
    for options in item.by_color.values():
        uses.append(program.new_bool_var(""))
        for option in options:
            program.add_implication(literals[option], uses[-1])
    return uses
