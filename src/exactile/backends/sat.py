"""The CDCL solvers of PySAT: a formula, cubes, clauses that block solutions already found.

Each process has a solver that searches cubes one after the other, incrementally and in slices if
the solver can.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from exactile.backends.base import HEARTBEAT, Backend, Batch, Request
from exactile.backends.child import Found
from exactile.backends.cubes import Cube, make_cubes, orbit, search_cubes
from exactile.clock import CLOCK
from exactile.errors import BackendNotFoundError, suggestion
from exactile.model.encode import ENCODINGS, Formula, default_encoding, encode, thresholds
from exactile.model.model import Ints, Model
from exactile.work import Tell

CUBES_A_WORKER = 32
"""Number of cubes for each process of a SAT search for all solutions."""


def parts(model: Model, request: Request, workers: int) -> int:
    """Return the least number of cubes for a search.

    Cubes help if pieces are used once. If all are used in copies, a solver without cubes was one
    and a half times faster; then only the cubes of symmetries are useful (see `make_cubes`).
    """
    pieces = model.meaning.is_piece
    copies = pieces.any() and not (pieces & (model.lower == 1) & (model.upper == 1)).any()
    if workers == 1 and (request.limit == 1 or copies or request.kinds is not None):
        return 1
    return CUBES_A_WORKER * workers


def solver_names() -> list[str]:
    """Return the solvers of PySAT that can run here, sorted."""
    return sorted(set(_aliases().values()))


def _aliases() -> dict[str, str]:
    """Return our name of the solver for every name that PySAT accepts."""
    from pysat.solvers import SolverNames

    result: dict[str, str] = {}
    for name, aliases in vars(SolverNames).items():
        if name.startswith("_") or (name == "cryptosat" and not find_spec("pycryptosat")):
            continue
        own = name if name in aliases else aliases[-1]
        result |= dict.fromkeys(aliases, own)
    return result


class SatBackend(Backend):
    """A SAT solver of PySAT in processes of its own."""

    takes_prefixes = True
    takes_colors = True
    takes_images = True
    takes_kinds = True
    takes_workers = True
    races = "later"
    for_copies = "sat:glucose42"

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.name = f"sat:{solver}"
        self.refuter = solver if solver in PROOFS else None
        self.takes_seed = solver in SEEDS
        self.encodings = tuple(e for e in ENCODINGS if e != "native" or solver in NATIVE)

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`.

        A search for a first solution by one worker uses no cubes. With `Request.ordered` there is
        only one worker, since the order of several depends on chance; with `Request.kinds` too, so
        that its solutions are forbidden in all cubes.
        """
        workers = 1 if request.ordered or request.kinds is not None else request.workers or 1
        if request.prefixes != ((),):  # images of solutions could lie outside of these
            request = replace(request, images=None)
        cubes = make_cubes(model, request, parts(model, request, workers))
        service = CubeSearch(model, request, self.solver)
        return search_cubes(self.name, service, cubes, workers, request.images)

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


SAT_CONFLICTS = 1000
"""Conflicts of a SAT solver's first slice."""


DEFAULT = "cadical195"
"""The solver if none is named."""

NATIVE = frozenset({"gluecard3", "gluecard4", "minicard"})
"""Solvers with built-in "at most k" constraints, in C++. With CaDiCaL, Ergo and MinisatEP it would
be Python code, which is far slower than clauses."""

ONE_SHOT = frozenset({"kissat404", "lingeling"})
"""Solvers that answer one query. Kissat ignores assumptions, with a mere warning. Lingeling
eliminates variables, and aborts when a later clause has one of them."""

UNLIMITED = frozenset({"cryptominisat5"})
"""Solvers without conflict budgets: they cannot be run in slices, so their counters come late."""

SEEDS = {
    "cadical153": "seed",
    "cadical195": "seed",
    "cadical300": "seed",
    "glucose42": "rnd-seed",
}
"""Solvers that accept a seed, and their names for it."""

PROOFS = (
    "cadical103",
    "cadical153",
    "cadical195",
    "cadical300",
    "ergo",
    "glucose3",
    "glucose4",
    "glucose42",
    "gluecard3",
    "gluecard4",
    "lingeling",
    "maplechrono",
    "maplecm",
)
"""Solvers whose proofs are valid. MapleSAT writes the numbers of variables one too high, which
makes its proofs worthless; the other solvers of PySAT write none."""

COUNTERS = ("conflicts", "decisions", "propagations", "restarts")
"""Counters of the solvers; with each conflict they learn a clause."""


@dataclass(frozen=True, eq=False)
class CubeSearch:
    """The service of searching cubes by a solver of PySAT; see `exactile.backends.cubes`."""

    model: Model
    request: Request
    solver: str

    def start(self) -> Callable[[Cube, Tell[Found]], None]:
        """Give the formula to the solver; return a function that searches a cube."""
        return Enumeration(self.model, self.request, self.solver).search


class Enumeration:
    """Finds the solutions of one cube after the other, one of each orbit."""

    def __init__(self, model: Model, request: Request, solver: str) -> None:
        self._model = model
        self._images = request.images
        encoding = request.encoding or default_encoding(model, native=solver in NATIVE)
        formula = encode(model, encoding)
        self._over = formula.refuted
        self._solver = make_session(solver, formula, request.seed)
        self._solver.prefer(list(range(1, model.options + 1)))
        self._totals: KindTotals | None = None
        if request.kinds is not None:
            self._totals = KindTotals(model, request.kinds, formula.variables)
            for clause in self._totals.clauses:
                self._solver.add(clause)
        self._excluded: set[int] = set()
        self._solves = 0

    def search(self, cube: Cube, tell: Tell[Found]) -> None:
        """Report all solutions of a cube that are in no image of a cube before it."""
        for path in cube.before:
            self._leave_out(path)
        for options in cube.known:
            self._forbid(options)

        def tick() -> None:
            tell(Found(None, self._stats()))

        assumptions = [_literal(move) for move in cube.path]
        while not self._over:
            self._solves += 1
            true = self._solver.solve(assumptions, tick)
            if true is None:
                break
            options = [x - 1 for x in true if 0 < x <= self._model.options]
            tell(Found(options, self._stats()))
            self._forbid(options)
        tick()

    def _stats(self) -> dict[str, int]:
        return {"solves": self._solves} | self._solver.stats()

    def _leave_out(self, path: tuple[int, ...]) -> None:
        """Exclude the images of a cube that this process, or another one, searches."""
        if not path:
            self._over = True
        for image in orbit(self._images, path).tolist():
            self._solver.add([-_literal(move) for move in image])
            if len(image) == 1 and image[0] >= 0:
                self._excluded.add(image[0])

    def _forbid(self, options: list[int]) -> None:
        """Forbid a solution and its images, except those that are excluded already.

        If a solution may contain another, the clause has all options. With kinds, it forbids all
        equivalent solutions.
        """
        if self._totals is not None:
            self._add_or_end(self._totals.forbidden(options))
            return
        if not options and self._model.pinned:
            self._over = True  # the empty solution is then the only one
        for image in orbit(self._images, options).tolist():
            if not self._excluded.isdisjoint(image):
                continue
            others: list[int] = []
            if not self._model.pinned:
                taken = set(image)
                others = [o + 1 for o in range(self._model.options) if o not in taken]
            self._add_or_end([-o - 1 for o in image] + others)

    def _add_or_end(self, clause: list[int]) -> None:
        """Add a clause; an empty one ends the search."""
        if clause:
            self._solver.add(clause)
        else:
            self._over = True


def _literal(move: int) -> int:
    """Return the literal for o, an option that is taken, or for ~o, one that is not."""
    return move + 1 if move >= 0 else move


def make_session(name: str, formula: Formula, seed: int = 0) -> Session:
    """Return a session of the kind that a solver supports."""
    if name in ONE_SHOT:
        return Rebuilding(name, formula, seed)
    return (Session if name in UNLIMITED else Sliced)(name, formula, seed)


class Session:
    """An incremental solver that cannot be paused."""

    def __init__(self, name: str, formula: Formula, seed: int) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=name)
        if seed and name in SEEDS:
            self._solver.configure({SEEDS[name]: seed})
        for clause in formula.clauses():
            self._solver.add_clause(clause)
        for literals, bound in formula.at_most:
            self._solver.add_atmost(literals.tolist(), bound)

    def prefer(self, literals: list[int]) -> None:
        """Make the solver try these literals as true first, if it can."""
        with suppress(NotImplementedError):  # a hint that some solvers do not take
            self._solver.set_phases(literals)

    def solve(self, assumptions: list[int], tick: Callable[[], None]) -> list[int] | None:
        """Return the true and false literals of a solution, None if there is none."""
        return list(self._solver.get_model()) if self._solver.solve(assumptions) else None

    def add(self, clause: list[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(clause)

    def stats(self) -> dict[str, int]:
        """Return the counters of the solver, if it has them."""
        found: dict[str, int] = {}
        with suppress(NotImplementedError):  # PySAT does not return those of CryptoMiniSat
            found = self._solver.accum_stats() or {}
        return {key: int(found[key]) for key in COUNTERS if key in found}


class Sliced(Session):
    """An incremental solver that stops after a number of conflicts and can resume.

    Solvers of the Glucose family check their budget only when they restart.
    """

    def __init__(self, name: str, formula: Formula, seed: int) -> None:
        super().__init__(name, formula, seed)
        self._slice = SAT_CONFLICTS

    def solve(self, assumptions: list[int], tick: Callable[[], None]) -> list[int] | None:
        """Return the literals of a solution, None if there is none; call `tick` now and then."""
        while True:
            begun = CLOCK.now()
            self._solver.conf_budget(self._slice)
            answer = self._solver.solve_limited(assumptions)
            if answer is not None:
                return list(self._solver.get_model()) if answer else None
            tick()
            took = CLOCK.now() - begun
            if took < HEARTBEAT:
                self._slice *= 2
            elif took > 4 * HEARTBEAT:
                self._slice = max(self._slice // 2, 1)


class Rebuilding(Session):
    """A solver that answers once: each query goes to a new one, with assumptions as clauses."""

    def __init__(self, name: str, formula: Formula, seed: int) -> None:
        self._name = name
        self._clauses = formula.clauses()

    def prefer(self, literals: list[int]) -> None:
        """Do nothing: such solvers have no phases to set."""

    def solve(self, assumptions: list[int], tick: Callable[[], None]) -> list[int] | None:
        from pysat.solvers import Solver

        with Solver(name=self._name, bootstrap_with=self._clauses) as solver:
            for literal in assumptions:
                solver.add_clause([literal])
            return list(solver.get_model()) if solver.solve() else None

    def add(self, clause: list[int]) -> None:
        self._clauses.append(clause)

    def stats(self) -> dict[str, int]:
        """Return no counters: they are lost with the solver."""
        return {}


class KindTotals:
    """Variables, after `top`, for the numbers of chosen options of each kind: see `Request.kinds`.

    Examples
    --------
    >>> model = Model.of_options([[0], [0], [1]], lower=[0, 0], upper=[1, 1])
    >>> totals = KindTotals(model, np.array([0, 0, 1]), top=3)
    >>> totals.clauses
    [[-4, 1, 2], [-1, 5], [-2, 5], [-6, 3], [-3, 7]]
    >>> totals.forbidden([0])  # one of the first kind, none of the second
    [-5, 6]
    """

    def __init__(self, model: Model, kinds: Ints, top: int) -> None:
        self._kinds = kinds
        self.clauses: list[list[int]] = []  # define the new variables
        self._at_least: list[list[int]] = []
        self._fewer_unless: list[list[int]] = []
        for kind in range(int(kinds.max(initial=-1)) + 1):
            literals = (np.flatnonzero(kinds == kind) + 1).tolist()
            most = _most(model, literals)
            for builder, found in (
                (thresholds, self._at_least),
                (reached, self._fewer_unless),
            ):
                outputs, clauses = builder(literals, most, top) if most else ([], [])
                top = max([top, *(abs(x) for clause in clauses for x in clause)])
                found.append(outputs)
                self.clauses += clauses

    def forbidden(self, options: list[int]) -> list[int]:
        """Return a clause that requires other numbers of options by kind than these have."""
        chosen = self._kinds[options] if options else np.zeros(0, dtype=int)
        clause: list[int] = []
        for kind, (more, reach) in enumerate(zip(self._at_least, self._fewer_unless, strict=True)):
            number = int((chosen == kind).sum())
            clause += [-x for x in reach[number - 1 : number] if number]
            clause += more[number : number + 1]
        return clause


def _most(model: Model, literals: list[int]) -> int:
    """Return a bound on the number of these options in a solution, from items that all contain."""
    options = np.array(literals, dtype=np.int64) - 1
    chosen = np.isin(model.option_of, options)
    uses = np.bincount(model.members[chosen & (model.colors == 0)], minlength=model.items)
    shared = model.upper[uses == len(options)] if len(options) else model.upper[:0]
    return int(min([len(options), *shared.tolist()]))


def reached(literals: list[int], most: int, top: int) -> tuple[list[int], list[list[int]]]:
    """Return literals that "at least 1", ..., "at least `most`" imply, and the clauses for that.

    The other direction of `exactile.model.encode.thresholds`: if such a literal is false, fewer
    are true.

    Examples
    --------
    >>> reached([1, 2], 1, top=2)
    ([3], [[-1, 3], [-2, 3]])
    >>> outputs, clauses = reached([1, 2], 2, top=2)
    >>> outputs, clauses
    ([4, 5], [[-1, 3], [-3, 4], [-2, 4], [-2, -3, 5]])
    """
    if most == 1:
        return [top + 1], [[-x, top + 1] for x in literals]
    before: list[int] = []
    clauses: list[list[int]] = []
    for number, literal in enumerate(literals, start=1):
        now = [top + k for k in range(1, min(number, most) + 1)]
        top = now[-1]
        clauses += [[-x, y] for x, y in zip(before, now, strict=False)]
        clauses.append([-literal, now[0]])
        clauses += [[-literal, -x, y] for x, y in zip(before, now[1:], strict=False)]
        before = now
    return before, clauses
