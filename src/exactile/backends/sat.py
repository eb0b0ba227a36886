"""Every CDCL solver that PySAT ships: a formula in conjunctive normal form, blocking clauses."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from itertools import combinations
from typing import Any

from exactile.backends.base import Batch, Request
from exactile.backends.child import Report, Task, search_in_child
from exactile.errors import BackendNotFoundError, suggestion
from exactile.model.colors import paints
from exactile.model.model import Model

DEFAULT = "cadical195"

MOST_COUNTED = 200_000
"""Up to so many cells (literals times bound), bounds are written with a sequential counter."""

MOST_PAIRS = 2_000_000
"""Up to so many clauses, "at most one" is written pair by pair; with more, by a counter."""


def solver_names() -> list[str]:
    """Return the solvers of PySAT that can run here, sorted."""
    return sorted(set(_aliases().values()))


def _aliases() -> dict[str, str]:
    """Return our name of each solver under every name that PySAT knows it by."""
    from pysat.solvers import SolverNames

    result: dict[str, str] = {}
    for name, aliases in vars(SolverNames).items():
        if name.startswith("_") or (name == "cryptosat" and not find_spec("pycryptosat")):
            continue
        own = name if name in aliases else aliases[-1]
        result |= dict.fromkeys(aliases, own)
    return result


class SatBackend:
    """A SAT solver in a process of its own.

    Parameters
    ----------
    solver
        Name as in PySAT.
    """

    takes_prefixes = True
    takes_colors = True

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.name = f"sat:{solver}"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        return search_in_child(__name__, Task(model, request, self.name))

    def choices(self) -> list[str]:
        """Return the solvers to choose from."""
        return solver_names()

    def version(self) -> str:
        """Return the version of PySAT."""
        return f"PySAT {version('python-sat')}, {self.solver}"


def backend(choice: str | None) -> SatBackend:
    """Return the backend for a solver of PySAT."""
    if choice is None:
        return SatBackend(DEFAULT)
    known = _aliases()
    if choice not in known:
        raise BackendNotFoundError(
            f"PySAT has no solver '{choice}' here.{suggestion(choice, known)} "
            f"Known: {', '.join(solver_names())}."
        )
    return SatBackend(known[choice])


def clauses(model: Model) -> list[list[int]]:
    """Return the formula of a model: option o is variable o + 1; further variables may follow.

    A color of an item is a variable too: "the item has this color".

    Examples
    --------
    >>> clauses(Model.of_options([[0], [0], [1]], lower=[1, 0], upper=[1, 1]))
    [[1, 2], [-1, -2]]
    """
    from pysat.card import CardEnc

    top = model.options
    result: list[list[int]] = []
    pairs = 0
    colored = paints(model)
    for item, (low, high) in enumerate(
        zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    ):
        here = [o + 1 for o in model.options_with(item).tolist()]
        if item in colored:
            here = [o + 1 for o in colored[item].plain]
            for options in colored[item].by_color.values():
                top += 1
                here.append(top)
                result.extend([-o - 1, top] for o in options)
        if low > len(here):
            return [[]]
        if low == 1:
            result.append(here)
        if high == 0:
            result.extend([-x] for x in here)
        elif high == 1 and pairs + len(here) * (len(here) - 1) // 2 <= MOST_PAIRS:
            pairs += len(here) * (len(here) - 1) // 2
            result.extend([-a, -b] for a, b in combinations(here, 2))
        elif high < len(here):
            encoding = _encoding(len(here), high)
            encoded = CardEnc.atmost(here, high, top_id=top, encoding=encoding)
            top = max(top, encoded.nv)
            result.extend(encoded.clauses)
        if low > 1:
            encoding = _encoding(len(here), low)
            encoded = CardEnc.atleast(here, low, top_id=top, encoding=encoding)
            top = max(top, encoded.nv)
            result.extend(encoded.clauses)
    return result


def _encoding(literals: int, bound: int) -> int:
    """Return the encoding of PySAT: a counter takes literals times bound, a network much less."""
    from pysat.card import EncType

    small = literals * bound <= MOST_COUNTED
    chosen: int = EncType.seqcounter if small else EncType.cardnetwrk
    return chosen


def work(task: Task, report: Report) -> dict[str, int]:
    """Solve in the child process; return the counters."""
    model, request = task.model, task.request
    name = task.solver.removeprefix("sat:")
    formula = clauses(model)
    stats = {"solves": 0}
    if [] in formula:
        return stats
    session = _Rebuilding(name, formula) if name.startswith("kissat") else _Session(name, formula)
    session.prefer_placements(model.options)
    for prefix in request.prefixes:
        while True:
            true = session.solve([move + 1 if move >= 0 else move for move in prefix])
            stats = {"solves": stats["solves"] + 1} | session.stats()
            if true is None:
                break
            chosen = [x - 1 for x in true if 0 < x <= model.options]
            report(chosen, stats)
            taken = set(chosen)
            others = [] if model.pinned else [o + 1 for o in range(model.options) if o not in taken]
            clause = [-o - 1 for o in chosen] + others
            if not clause:  # the empty solution of a model without options is the only one
                return stats
            session.forbid(clause)
    return stats


class _Session:
    """An incremental solver."""

    def __init__(self, name: str, formula: list[list[int]]) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=name, bootstrap_with=formula)

    def prefer_placements(self, options: int) -> None:
        """Try "placed" first: of most placements exactly one in many is true."""
        with suppress(NotImplementedError):  # a hint that some solvers do not take
            self._solver.set_phases(list(range(1, options + 1)))

    def solve(self, assumptions: list[int]) -> list[int] | None:
        """Return the true and false literals of a solution, None if there is none."""
        return list(self._solver.get_model()) if self._solver.solve(assumptions) else None

    def forbid(self, clause: list[int]) -> None:
        self._solver.add_clause(clause)

    def stats(self) -> dict[str, int]:
        found = self._solver.accum_stats() or {}
        return {
            key: int(found[key])
            for key in ("conflicts", "decisions", "propagations")
            if key in found
        }


class _Rebuilding(_Session):
    """A solver that answers once: each question goes to a new one."""

    def __init__(self, name: str, formula: list[list[int]]) -> None:
        self._name = name
        self._formula = formula

    def prefer_placements(self, options: int) -> None:
        """Leave the phases alone."""

    def solve(self, assumptions: list[int]) -> list[int] | None:
        """Return the true and false literals of a solution, None if there is none."""
        from pysat.solvers import Solver

        with Solver(name=self._name, bootstrap_with=self._formula) as solver:
            for literal in assumptions:
                solver.add_clause([literal])
            return list(solver.get_model()) if solver.solve() else None

    def forbid(self, clause: list[int]) -> None:
        self._formula.append(clause)

    def stats(self) -> dict[str, int]:
        return {}
