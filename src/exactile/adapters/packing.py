"""Packings that are worth as much as possible, with a proven bound: by CP-SAT, or by MaxSAT (RC2).

CP-SAT finds ever better packings while its bound comes down. RC2 works from above: it asks for
everything, and each core it finds lowers the bound by one, until the bound can be had [1]. Before
that it has but one packing to show, such as a solver finds that places what it can.

A process of its own does the work; whoever listens may stop at any moment and keep what there is.

Sources: [1] A. Ignatiev, A. Morgado, J. Marques-Silva, "RC2: an efficient MaxSAT solver", Journal
on Satisfiability, Boolean Modeling and Computation 11, 2019.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.backends.base import Request
from exactile.backends.child import Report, Task, search_in_child
from exactile.backends.cpsat import build
from exactile.errors import BackendNotFoundError, suggestion
from exactile.model.encode import clauses
from exactile.model.model import Ints, Model
from exactile.model.thresholds import thresholds

PACKERS = ("cpsat", "rc2")
"""Solvers that maximize."""

Say = Callable[[list[int] | None, int], None]
"""Called with the options of a packing, or None, and a bound."""


class Progress(NamedTuple):
    """What a packer knows by now.

    Attributes
    ----------
    options
        The options of a better packing, if there is one.
    bound
        No packing is worth more.
    """

    options: list[int] | None
    bound: int


def search_packings(
    model: Model,
    goals: Ints,
    backend: str = "cpsat",
    *,
    seed: int = 0,
    workers: int | None = None,
    seen: dict[str, int] | None = None,
) -> Generator[Progress | None]:
    """Yield better packings and bounds, and None at least every heartbeat in between.

    It ends when the best packing is found, or when it is proven that there is none at all.

    Parameters
    ----------
    model
        Its solutions are the packings.
    goals
        Items: a packing is worth as many of these as its placements have. Options that cover no
        unit are no placements: they leave a piece out.
    backend
        One of `PACKERS`.
    seed, workers
        For CP-SAT; by default it takes all cores.
    seen
        Counters are put here.

    Raises
    ------
    BackendNotFoundError
        If there is no such packer.
    """
    if backend not in PACKERS:
        raise BackendNotFoundError(
            f"The backend '{backend}' does not maximize.{suggestion(backend, PACKERS)} "
            f"Take one of {', '.join(PACKERS)}."
        )
    # What is worth something stands in the shades, which no packer needs for anything else.
    worth = np.zeros((1, model.items), dtype=np.int32)
    worth[0, goals] = 1
    task = Task(replace(model, shades=worth), Request(seed=seed, workers=workers), backend)
    for batch in search_in_child(__name__, task):
        if seen is not None:
            seen.update(batch.stats)
        for _, bound, found, *options in batch.assignments.tolist():
            yield Progress(options if found else None, bound)
        if not len(batch.assignments):
            yield None


def work(task: Task, report: Report) -> dict[str, int]:
    """Maximize in the child process; return the counters."""
    serial = 0
    stats: dict[str, int] = {}

    def say(options: list[int] | None, bound: int) -> None:
        nonlocal serial
        serial += 1  # rows differ, as the other side expects
        report([serial, bound, int(options is not None), *(options or [])], stats)

    if task.solver == "cpsat":
        _by_cpsat(task, say, stats)
    else:
        _by_rc2(task.model, say, stats)
    return stats


def _placements(model: Model) -> npt.NDArray[np.bool_]:
    """Return which options cover units."""
    beyond = model.members - model.pieces
    unit = (beyond >= 0) & (beyond < model.units)
    return np.asarray(np.add.reduceat(unit.astype(np.int64), model.first[:-1]) > 0)


def _by_cpsat(task: Task, say: Say, stats: dict[str, int]) -> None:
    from ortools.sat.python import cp_model

    model = task.model
    program, literals = build(model)
    weights = np.add.reduceat(model.shades[0][model.members], model.first[:-1])
    weights = weights * _placements(model)
    program.maximize(cp_model.LinearExpr.weighted_sum(literals, weights.tolist()))
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = task.request.seed
    solver.parameters.num_workers = task.request.workers or os.cpu_count() or 1

    def whole(bound: float) -> int:
        return int(np.floor(bound + 1e-6))

    class Better(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            stats.update(conflicts=int(self.num_conflicts), branches=int(self.num_branches))
            chosen = [o for o, x in enumerate(literals) if self.boolean_value(x)]
            say(chosen, whole(self.best_objective_bound))

    solver.best_bound_callback = lambda bound: say(None, whole(bound))
    status = solver.solve(program, Better())
    stats.update(conflicts=int(solver.num_conflicts), branches=int(solver.num_branches))
    if status == cp_model.OPTIMAL:
        chosen = [o for o, x in enumerate(literals) if solver.boolean_value(x)]
        say(chosen, whole(solver.objective_value))
    elif status != cp_model.INFEASIBLE:
        raise RuntimeError(f"CP-SAT stopped with {solver.status_name(status)}")


def _by_rc2(model: Model, say: Say, stats: dict[str, int]) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF
    from pysat.solvers import Solver

    formula = WCNF()
    formula.extend(clauses(model))
    top = max(formula.nv, model.options)
    total = 0
    placed = _placements(model)
    for item in np.flatnonzero(model.shades[0]).tolist():
        here = [o + 1 for o in model.options_with(item).tolist() if placed[o]]
        most = min(int(model.upper[item]), len(here))
        if not most:
            continue
        levels, added = thresholds(here, most, top)
        top = levels[-1]
        formula.extend(added)
        formula.extend([[level] for level in levels], weights=[1] * most)
        total += most

    with Solver(name="glucose4", bootstrap_with=formula.hard) as first:
        first.set_phases(list(range(1, model.options + 1)))  # place what can be placed
        if not first.solve():
            return
        say([x - 1 for x in first.get_model() if 0 < x <= model.options], total)

    class Reporting(RC2):  # type: ignore[misc]
        def process_core(self) -> None:
            super().process_core()
            stats["cores"] = stats.get("cores", 0) + 1
            say(None, total - int(self.cost))

    with Reporting(formula, adapt=True) as solver:
        true = solver.compute()
        if true is not None:
            chosen = [x - 1 for x in true if 0 < x <= model.options]
            say(chosen, total - int(solver.cost))
