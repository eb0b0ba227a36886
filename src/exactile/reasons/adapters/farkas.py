"""Weights of items, by linear programming, that prove a model unsolvable.

Under these weights no option weighs more than 0, but a solution would. They exist if and only if
the model has no fractional solution (Farkas' lemma). The solver GLOP of OR-Tools finds them in a
separate process. Its results are rounded. They are turned into integers here, and the caller must
check them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from exactile.backends.child import failed
from exactile.model.model import Longs, Model
from exactile.search.limits import Limits
from exactile.work import Job, Tell

TINY = 1e-7
LARGEST = 1000
"""Largest denominator of a weight."""


def farkas(model: Model, limits: Limits | None = None) -> Longs | None:
    """Return weights of items that prove a model unsolvable, unverified; None if there are none.

    No option weighs more than 0. A solution weighs more: it is counted with the lower bound of each
    item of positive weight, and the upper bound of each item of negative weight. The weights are
    few and small: the sum of their absolute values, each times the item's upper bound, is least. An
    option may contain an item several times. Raise TimeoutError if a limit is reached.

    Examples
    --------
    >>> triangle = Model.of_options([[0, 1], [1, 2], [2, 0]], lower=[0, 1, 1], upper=[1, 1, 1])
    >>> farkas(triangle) is None
    True
    >>> farkas(Model.of_options([[0, 1], [0, 2]], lower=[1, 1, 1], upper=[1, 1, 1])).tolist()
    [-1, 1, 1]
    """
    weights: Longs | None = None
    if limits is not None:
        limits.require()
    with Job(LeastWeights(model)) as job:
        for found in job:
            if limits is not None:
                limits.require()
            weights = weights if found is None else found
        if job.death is not None:
            raise failed("GLOP", job.death)
    return weights


@dataclass(frozen=True, eq=False)
class LeastWeights:
    """The task of `farkas` for a process of its own; it reports weights if there are any."""

    model: Model

    def run(self, tell: Tell[Longs]) -> None:
        """Solve the linear program."""
        found = np.array(whole(_solve(self.model)), dtype=np.int64)
        if found.any():
            tell(found)


def _solve(model: Model) -> list[float]:
    """Return the weight of each item as GLOP finds it, rounded; an empty list if there are none."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    needed = [solver.NumVar(0, infinity if low else 0, "") for low in model.lower.tolist()]
    limited = [solver.NumVar(0, infinity, "") for _ in range(model.items)]
    for option in range(model.options):
        at_most = solver.Constraint(-infinity, 0)
        for item, times in Counter(model.option(option).tolist()).items():
            at_most.SetCoefficient(needed[item], times)
            at_most.SetCoefficient(limited[item], -times)
    total, objective = solver.Constraint(1, 1), solver.Objective()
    for item, (low, high) in enumerate(
        zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    ):
        total.SetCoefficient(needed[item], low)
        total.SetCoefficient(limited[item], -high)
        objective.SetCoefficient(needed[item], max(high, 1))
        objective.SetCoefficient(limited[item], max(high, 1))
    objective.SetMinimization()
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return []
    return [n.solution_value() - m.solution_value() for n, m in zip(needed, limited, strict=True)]


def whole(values: list[float]) -> list[int]:
    """Return the smallest integers in the same ratio as some rounded numbers.

    Examples
    --------
    >>> whole([0.3333333333, -0.5, 1e-12])
    [2, -3, 0]
    """
    least = min((abs(v) for v in values if abs(v) > TINY), default=1.0)
    parts = [Fraction(v / least).limit_denominator(LARGEST) for v in values]
    common = lcm(*(part.denominator for part in parts))
    return [int(part * common) for part in parts]
