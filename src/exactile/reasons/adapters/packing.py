"""Packings of the greatest value, with a proven bound: by CP-SAT, or by MaxSAT (RC2).

CP-SAT finds better and better packings while its bound decreases. RC2 first requires that nothing
is left out. Each core that it finds lowers the bound, until some packing attains the bound [1].
Before that, the only packing known is the first one of a SAT solver that prefers to place pieces.

A separate process does the work; the caller may stop at any moment and keep the results so far.

Sources: [1] A. Ignatiev, A. Morgado, J. Marques-Silva, "RC2: an efficient MaxSAT solver", Journal
on Satisfiability, Boolean Modeling and Computation 11, 2019.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from exactile.backends.base import cores
from exactile.backends.child import failed
from exactile.backends.cpsat import build, import_lean
from exactile.backends.registry import parsed
from exactile.errors import BackendNotFoundError, suggestion
from exactile.model.encode import clauses, thresholds
from exactile.model.model import Ints, Longs, Model
from exactile.work import Job, Tell

PACKERS = ("cpsat", "rc2")
"""Solvers that can find a packing of the greatest value."""


def require_packer(backend: str) -> None:
    """Raise BackendNotFoundError if a backend cannot maximize, or its name has settings."""
    if backend not in PACKERS:
        variant = parsed(backend)
        if variant.backend in PACKERS:
            raise BackendNotFoundError(
                f"The backend {variant.backend} takes no settings to pack: leave "
                f"'{variant.words}' out."
            )
        raise BackendNotFoundError(
            f"The backend '{backend}' cannot maximize.{suggestion(backend, PACKERS)} "
            f"Take one of {', '.join(PACKERS)}."
        )


class PackingProgress(NamedTuple):
    """A report of a solver that searches for packings."""

    options: list[int] | None  # a better packing, if there is one
    bound: int  # no packing has a greater value
    stats: Mapping[str, int] = {}


def search_packings(
    model: Model,
    goals: Ints,
    backend: str = "cpsat",
    *,
    seed: int = 0,
    workers: int | None = None,
) -> Generator[PackingProgress | None]:
    """Search for a best packing in another process; yield each better packing or bound.

    The packings are the solutions of `model`. The value of a packing is the number of times that
    its placements contain items of `goals`. At a heartbeat without a report, None is yielded. The
    last report has the best packing, unless there is no packing at all. `seed` and `workers` are
    for CP-SAT, which uses all cores by default. Raise BackendNotFoundError if the backend cannot
    maximize, BackendError if it fails.
    """
    require_packer(backend)
    with Job(Maximize(model, goals, backend, seed, workers)) as job:
        yield from job
        if job.death is not None:
            raise failed(backend, job.death)


@dataclass(frozen=True, eq=False)
class Maximize:
    """The task of finding the best packing; the parameters are those of `search_packings`."""

    model: Model
    goals: Ints
    packer: str
    seed: int = 0
    workers: int | None = None

    def run(self, tell: Tell[PackingProgress]) -> None:
        """Report better packings and bounds, the best packing last."""
        if self.packer == "cpsat":
            import_lean()
            _by_cpsat(self, tell)
        else:
            _by_rc2(self, tell)

    def worth(self) -> Longs:
        """Return the value of each option: how many of its items are among the goals.

        An option that only states that a piece is left out has the value 0.
        """
        counted = np.isin(self.model.members, self.goals).astype(np.int64)
        return np.add.reduceat(counted, self.model.first[:-1]) * self.model.places


def _by_cpsat(task: Maximize, tell: Tell[PackingProgress]) -> None:
    from ortools.sat.python import cp_model

    program, literals = build(task.model)
    program.maximize(cp_model.LinearExpr.weighted_sum(literals, task.worth().tolist()))
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = task.seed
    solver.parameters.num_workers = task.workers or cores()
    stats: dict[str, int] = {}

    def say(search: Any, bound: float, *, better: bool) -> None:
        nonlocal stats
        if search is not None:
            stats = {"conflicts": search.num_conflicts, "branches": search.num_branches}
        chosen = [o for o, x in enumerate(literals) if search.boolean_value(x)] if better else None
        tell(PackingProgress(chosen, int(np.floor(bound + 1e-6)), stats))

    class Better(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            say(self, self.best_objective_bound, better=True)

    solver.best_bound_callback = lambda bound: say(None, bound, better=False)
    status = solver.solve(program, Better())
    if status == cp_model.OPTIMAL:
        say(solver, solver.objective_value, better=True)
    elif status != cp_model.INFEASIBLE:
        raise RuntimeError(f"CP-SAT stopped with {solver.status_name(status)}")


def _by_rc2(task: Maximize, tell: Tell[PackingProgress]) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF
    from pysat.solvers import Solver

    model = task.model
    formula = WCNF()
    formula.extend(clauses(model))
    top = max(formula.nv, model.options)
    total = cores = 0
    for item in task.goals.tolist():
        here = [o + 1 for o in model.options_with(item).tolist() if model.places[o]]
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
        chosen = [x - 1 for x in first.get_model() if 0 < x <= model.options]
        tell(PackingProgress(chosen, total, {}))

    class Reporting(RC2):  # type: ignore[misc]
        def process_core(self) -> None:
            nonlocal cores
            super().process_core()
            cores += 1
            tell(PackingProgress(None, total - int(self.cost), {"cores": cores}))

    with Reporting(formula, adapt=True) as solver:
        true = solver.compute()
        if true is not None:
            chosen = [x - 1 for x in true if 0 < x <= model.options]
            tell(PackingProgress(chosen, total - int(solver.cost), {"cores": cores}))
