"""Demands of a model that cannot be met together: smaller and smaller cores, by a SAT solver.

A demand is a lower bound on the uses of an item; for example, a unit must be covered. A core is a
set of demands that cannot be met together. Every demand is a literal, and all literals are
assumptions of a SAT solver, which returns a core. Then demands are dropped one after another. A
demand is kept if the rest of the core can be met without it; an assignment that meets the rest is
reported.

A smallest core is found in another way [1]. If a set S of demands can be met, each core has a
demand outside of S. Collect several such S, and take a smallest set that has a demand outside of
each S. No core is smaller than this set. If it cannot be met, it is a smallest core.

A separate process does the work; the caller may stop at any moment and keep the results so far.

Sources: [1] A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, "Smallest MUS extraction with
minimal hitting set dualization", CP 2015.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from exactile.backends.child import failed
from exactile.model.encode import clauses, thresholds
from exactile.model.model import Longs, Model
from exactile.tuning import TUNING
from exactile.work import Job, Tell

Demand = dict[int, int]
"""Demands: the least number of uses of some items; other items need not be used."""


def demands(model: Model) -> Demand:
    """Return all demands of a model: the lower bounds that are not 0, by item.

    Examples
    --------
    >>> demands(Model.of_options([[0, 1], [1, 2]], lower=[1, 2, 0], upper=[1, 2, 1]))
    {0: 1, 1: 2}
    """
    return {i: low for i, low in enumerate(model.lower.tolist()) if low}


def relaxed(model: Model, demand: Mapping[int, int]) -> Model:
    """Return the model with `demand` as its lower bounds, and 0 for items that are not in `demand`.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1, 2]], lower=[1, 2, 0], upper=[1, 2, 1])
    >>> relaxed(model, {1: 1}).lower.tolist()
    [0, 1, 0]
    """
    lower = np.zeros_like(model.lower)
    lower[list(demand)] = list(demand.values())
    return replace(model, lower=lower)


def uses(model: Model, options: Iterable[int]) -> Longs:
    """Return the number of times that options cover each item.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1, 2]], lower=[1, 2, 0], upper=[1, 2, 1])
    >>> uses(model, [0, 1]).tolist()
    [1, 2, 1]
    """
    members = [model.option(o) for o in options]
    return np.bincount(np.concatenate([*members, []]).astype(np.int64), minlength=model.items)


def size(demand: Mapping[int, int]) -> int:
    """Return the number of demands; a piece that must be used three times counts three times."""
    return sum(demand.values())


CORE_GROWTH_CONFLICTS = 300
"""Number of conflicts after which `_Cores._grown` gives up the attempt to meet one more demand."""

CORE_WHOLE_CONFLICTS = 50_000
"""Largest number of conflicts in the query for all demands, if a smaller core is known already."""


SOLVER = "glucose4"
"""The fastest solver of PySAT for many short queries about one formula."""


class CoreKind(IntEnum):
    """The meaning of a `CoreFinding`."""

    SOLUTION = 0
    """All demands can be met together, by these options."""

    CORE = 1
    """These demands cannot be met together. There are fewer of them than in the last report of this
    kind, or equally many with fewer pieces."""

    WITNESS = 2
    """An assignment. If it meets all demands of a core but one, it proves that one necessary."""

    MINIMAL = 3
    """A core whose demands can be met if any one of them is left out."""

    BOUND = 4
    """No core has fewer demands than this number."""

    SMALLEST = 5
    """A core of least size."""


class CoreFinding(NamedTuple):
    """A report of the search for cores."""

    kind: CoreKind
    demand: Demand  # of a core, else empty
    options: list[int]  # of an assignment, else empty
    number: int  # a bound, else 0
    stats: Mapping[str, int] = {}


def search_cores(
    model: Model,
    *,
    smallest: bool = False,
    pieces: bool = False,
) -> Generator[CoreFinding | None]:
    """Search for cores in another process; yield findings, and None at heartbeats without any.

    Upper bounds of the model always hold. `smallest`: whether to continue from a minimal core to a
    smallest one. `pieces`: whether it is known that the demands of the pieces alone cannot be met.
    Raise BackendError if the solver fails.
    """
    with Job(FindCores(model, smallest, pieces)) as job:
        yield from job
        if job.death is not None:
            raise failed(SOLVER, job.death)


@dataclass(frozen=True, eq=False)
class FindCores:
    """The task of finding cores; the parameters are those of `search_cores`."""

    model: Model
    smallest: bool = False
    pieces: bool = False

    def run(self, tell: Tell[CoreFinding]) -> None:
        """Search for cores, and report each finding."""
        cores = _Cores(Oracle(self.model), tell)
        best = cores.minimal(pieces=self.pieces)
        if best is not None and self.smallest:
            cores.smallest(best)


class Oracle:
    """Decides whether some demands of a model can be met together, by a SAT solver."""

    def __init__(self, model: Model) -> None:
        from pysat.solvers import Solver

        self.model = model
        self.core: Demand = {}  # of the last "no"
        self.options: list[int] = []  # of the last "yes"
        self.used: list[int] = []  # uses of each item by these options
        self.stats = {"solves": 0, "conflicts": 0}
        formula = clauses(relaxed(model, {}))
        top = max((abs(x) for clause in formula for x in clause), default=0)
        top = max(top, model.options)
        self._solver: Any = Solver(name=SOLVER, bootstrap_with=formula)
        self._literals: dict[int, list[int]] = {}
        self._demand_of: dict[int, tuple[int, int]] = {}
        for item, low in demands(model).items():
            here = [o + 1 for o in model.options_with(item).tolist()]
            levels: list[int] = []
            if here:
                levels, added = thresholds(here, min(low, len(here)), top)
                top = levels[-1]
                self._solver.append_formula(added)
            levels += [self._never(top := top + 1) for _ in range(low - len(levels))]
            self._literals[item] = levels
            self._demand_of |= {x: (item, k) for k, x in enumerate(levels, start=1)}

    def _never(self, variable: int) -> int:
        self._solver.add_clause([-variable])
        return variable

    def ask(self, demand: Mapping[int, int], conflicts: int | None = None) -> bool | None:
        """Return whether demands can be met; None if this is undecided after `conflicts` conflicts.

        Set `options` and `used` if the demands can be met, `core` if they cannot.
        """
        assumptions = [self._literals[item][level - 1] for item, level in demand.items()]
        before = self._solver.accum_stats()["conflicts"]
        if conflicts is None:
            answer = self._solver.solve(assumptions)
        else:
            self._solver.conf_budget(conflicts)
            answer = self._solver.solve_limited(assumptions)
        self.stats["solves"] += 1
        self.stats["conflicts"] += self._solver.accum_stats()["conflicts"] - before
        if answer is None:
            return None
        if answer:
            self.options = [x - 1 for x in self._solver.get_model() if 0 < x <= self.model.options]
            self.used = uses(self.model, self.options).tolist()
            return True
        self.core = dict(sorted(self._demand_of[x] for x in self._solver.get_core() or []))
        return False


class _Cores:
    def __init__(self, oracle: Oracle, tell: Tell[CoreFinding]) -> None:
        self._oracle = oracle
        self._tell = tell
        self._all = demands(oracle.model)
        self._best: Demand | None = None
        self._met: list[Demand] = []

    def _say(
        self,
        kind: CoreKind,
        demand: Demand | None = None,
        options: list[int] | None = None,
        number: int = 0,
    ) -> None:
        stats = dict(self._oracle.stats)
        self._tell(CoreFinding(kind, demand or {}, options or [], number, stats))

    def minimal(self, *, pieces: bool) -> Demand | None:
        """Return a minimal core; None if there is a solution.

        The search also looks for cores without demands of pieces, and for cores without demands of
        units, which are easier to understand. The limit of conflicts is raised until at least one
        core is proved minimal; the result is the smallest such core. `pieces`: see `search_cores`.
        """
        without_pieces, without_units = self._parts()
        shrunk = []
        if pieces:
            known = {i: k for i, k in self._all.items() if self._oracle.model.meaning.is_piece[i]}
            self._better(known)
            shrunk.append(self._shrunk(known, TUNING.core_conflicts))
        cores = []
        answer = self._oracle.ask(self._all, CORE_WHOLE_CONFLICTS if shrunk else None)
        if answer:
            self._say(CoreKind.SOLUTION, options=self._oracle.options)
            return None
        if answer is False:
            cores = [self._oracle.core]
            self._better(cores[0])
            for part in (without_pieces, without_units):
                if self._oracle.ask(part, TUNING.core_conflicts) is False:
                    cores.append(self._oracle.core)
                    self._better(cores[-1])
        shrunk += [self._shrunk(core, TUNING.core_conflicts) for core in cores]
        budget = TUNING.core_conflicts
        while not any(done for _, done in shrunk):
            budget *= 2
            shrunk = [self._shrunk(core, budget) for core, _ in shrunk]
        best = min((core for core, done in shrunk if done), key=self._rank)
        self._say(CoreKind.MINIMAL, best)
        return best

    def _parts(self) -> list[Demand]:
        """Return two sets of demands: all but those of pieces, and all but those of units."""
        meaning = self._oracle.model.meaning
        kinds = (meaning.is_piece, meaning.is_unit)
        return [{i: k for i, k in self._all.items() if not kind[i]} for kind in kinds]

    def _rank(self, demand: Demand) -> tuple[int, int]:
        """Return a sort key: fewest demands first, and of equals, fewest demands for pieces."""
        is_piece = self._oracle.model.meaning.is_piece
        return size(demand), sum(k for i, k in demand.items() if is_piece[i])

    def _better(self, demand: Demand) -> None:
        """Report a core if it is the best so far."""
        if self._best is None or self._rank(demand) < self._rank(self._best):
            self._best = demand
            self._say(CoreKind.CORE, demand)

    def _shrunk(self, core: Demand, budget: int) -> tuple[Demand, bool]:
        """Drop demands of a core; return what is left, and whether that is known to be minimal.

        `budget`: limit of conflicts of each query. In the code, `met` records how often each item
        could be used while all other demands were met. A demand that cannot be dropped now cannot
        be dropped later either, since the demands left then are some of those left now.
        """
        met: dict[int, int] = {}
        for item in core:
            while item in core and core[item] > met.get(item, -1) + 1:
                level = (met[item] + core[item]) // 2 if item in met else 0
                trial = {i: k for i, k in (core | {item: level}).items() if k}
                answer = self._oracle.ask(trial, budget)
                if answer is None:
                    break
                if answer:
                    met[item] = self._oracle.used[item]
                    self._witness()
                else:
                    core = self._oracle.core
                    self._better(core)
        return core, all(met.get(item, -1) == level - 1 for item, level in core.items())

    def _witness(self) -> None:
        used = self._oracle.used
        self._met.append({i: min(k, used[i]) for i, k in self._all.items()})
        self._say(CoreKind.WITNESS, options=self._oracle.options)

    def smallest(self, best: Demand) -> None:
        """Search for a smallest core and report it; `best` is a minimal one."""
        hitting = _HittingSets(self._all)
        for met in self._met:
            hitting.exclude(met)
        bound = 0
        while True:
            trial = hitting.smallest()
            if size(trial) > bound:
                bound = size(trial)
                self._say(CoreKind.BOUND, number=bound)
            if bound == size(best):
                break
            if not self._oracle.ask(trial):
                best = trial
                break
            everything = dict(trial)
            while self._oracle.ask(everything):
                met = self._grown()
                hitting.exclude(met)
                # It may meet all demands of the smallest core but one.
                self._say(CoreKind.WITNESS, options=self._oracle.options)
                # Next, a set that avoids this remainder, too: bounds rise faster.
                everything |= {i: k for i, k in self._all.items() if met[i] < k}
        self._say(CoreKind.SMALLEST, best)

    def _grown(self) -> Demand:
        """Extend the demands that the last assignment meets to a larger set that can be met.

        Return the set. The set is maximal unless a limit of conflicts is reached. Afterwards, the
        last assignment of the oracle meets the set.
        """
        used = self._oracle.used
        met = {i: min(k, used[i]) for i, k in self._all.items()}
        for item, level in self._all.items():
            while met[item] < level:
                trial = {i: k for i, k in (met | {item: met[item] + 1}).items() if k}
                if not self._oracle.ask(trial, CORE_GROWTH_CONFLICTS):
                    break
                used = self._oracle.used
                met = {i: min(k, used[i]) for i, k in self._all.items()}
        return met


class _HittingSets:
    """Finds smallest sets of demands that are not contained in any excluded set."""

    def __init__(self, demand: Demand) -> None:
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        levels = ((item, k) for item, level in demand.items() for k in range(1, level + 1))
        self._variable = {level: number for number, level in enumerate(levels, start=1)}
        formula = WCNF()
        for (item, k), variable in self._variable.items():
            formula.append([-variable], weight=1)
            if k > 1:
                formula.append([-variable, self._variable[item, k - 1]])
        self._solver: Any = RC2(formula)

    def exclude(self, met: Demand) -> None:
        """Exclude a set of demands that can be met: each later set has a demand outside of it."""
        self._solver.add_clause(
            [self._variable[i, k + 1] for i, k in met.items() if (i, k + 1) in self._variable]
        )

    def smallest(self) -> Demand:
        true = {x for x in self._solver.compute() if x > 0}
        taken = sorted(level for level, variable in self._variable.items() if variable in true)
        return dict(taken)  # the highest level of each item comes last
