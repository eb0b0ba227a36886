"""The CDCL solvers of PySAT as a backend.

The model is encoded as a formula, and the search is divided into cubes (see
`exactile.backends.cubes`). Each process has one solver, which searches cubes one after the other.
Each solution that is found is blocked by a clause. If the solver permits it, learned clauses are
kept from cube to cube, and the search is interrupted after a number of conflicts to report its
counters.
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
    """Return the number of cubes into which to divide a search; 1 for no division.

    With one worker, the result is 1 if only one solution is requested, if the request has kinds, or
    if there are pieces but none is used exactly once: a search without cubes is then 1.5 times as
    fast. Even if the result is 1, `make_cubes` may return several cubes, in order to use the
    symmetries.
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
    """Return all names of solvers that PySAT accepts, each with the name that Exactile uses."""
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

        A search for one solution by one worker uses no cubes. With `Request.ordered`, there is only
        one worker, because with several the order of solutions depends on chance. With
        `Request.kinds`, there is also only one, because several would find equivalent solutions.
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
        """Return the version of PySAT and the name of the solver."""
        return f"PySAT {version('python-sat')}, {self.solver}"


def backend(choice: str | None) -> SatBackend:
    """Return the backend for a solver of PySAT. `choice`: any of its names; None for `DEFAULT`.

    Raise BackendNotFoundError if PySAT does not have the solver here.
    """
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
"""Number of conflicts before the first interruption of a SAT solver; it is adapted later."""


DEFAULT = "cadical195"
"""The solver if none is named."""

NATIVE = frozenset({"gluecard3", "gluecard4", "minicard"})
"""Solvers with built-in "at most k" constraints, in C++. CaDiCaL, Ergo and MinisatEP are left out:
PySAT implements their constraints in Python, which is far slower than clauses."""

ONE_SHOT = frozenset({"kissat404", "lingeling"})
"""Solvers that are used for only one query. Kissat ignores assumptions and merely warns. Lingeling
eliminates variables, and aborts when a later clause contains one of them."""

UNLIMITED = frozenset({"cryptominisat5"})
"""Solvers that cannot be interrupted after a number of conflicts; their counters are delayed."""

SEEDS = {
    "cadical153": "seed",
    "cadical195": "seed",
    "cadical300": "seed",
    "glucose42": "rnd-seed",
}
"""Solvers that accept a seed, each with the name of its parameter."""

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
"""Solvers that write valid proofs. In the proofs of MapleSAT, all numbers of variables are one too
high; the remaining solvers of PySAT write no proofs."""

COUNTERS = ("conflicts", "decisions", "propagations", "restarts")
"""Names of the counters that are reported, the same as in PySAT."""


@dataclass(frozen=True, eq=False)
class CubeSearch:
    """The service of a process for `search_cubes`: it searches cubes by a solver of PySAT."""

    model: Model
    request: Request
    solver: str

    def start(self) -> Callable[[Cube, Tell[Found]], None]:
        """Give a solver the formula of the model, and return a function that searches a cube."""
        return Enumeration(self.model, self.request, self.solver).search


class Enumeration:
    """Finds one solution of each orbit, in one cube after the other."""

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
        """Report one solution of each orbit in a cube, with the counters so far.

        Known solutions, and solutions in images of earlier cubes, are left out. The counters are
        also reported at every interruption of the solver, and at the end.
        """
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
        """Add clauses that exclude an earlier cube and its images."""
        if not path:
            self._over = True
        for image in orbit(self._images, path).tolist():
            self._solver.add([-_literal(move) for move in image])
            if len(image) == 1 and image[0] >= 0:
                self._excluded.add(image[0])

    def _forbid(self, options: list[int]) -> None:
        """Forbid a solution, and those of its images that are not yet excluded, by a clause each.

        Unless the model is `Model.pinned`, each clause has a literal for every option of the model.
        With `Request.kinds`, one clause forbids all equivalent solutions.
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
        """Add a clause to the formula; an empty clause ends the search."""
        if clause:
            self._solver.add(clause)
        else:
            self._over = True


def _literal(move: int) -> int:
    """Return the literal for a choice, which is o (option o is chosen) or ~o (it is excluded)."""
    return move + 1 if move >= 0 else move


def make_session(name: str, formula: Formula, seed: int = 0) -> Session:
    """Return a solver of PySAT with a formula, in a session of the class that suits the solver.

    `name`: the name of the solver. `seed`: 0 for the default of the solver.
    """
    if name in ONE_SHOT:
        return Rebuilding(name, formula, seed)
    return (Session if name in UNLIMITED else Sliced)(name, formula, seed)


class Session:
    """A solver of PySAT with a formula; clauses can be added, and each query has assumptions.

    A query cannot be interrupted.
    """

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
        """Ask the solver to try these literals as true first, if it supports that."""
        with suppress(NotImplementedError):  # a hint that some solvers do not take
            self._solver.set_phases(literals)

    def solve(self, assumptions: list[int], tick: Callable[[], None]) -> list[int] | None:
        """Return a solution as its true literals (-3: variable 3 is false); None if there is none.

        `tick` is used only by subclasses.
        """
        return list(self._solver.get_model()) if self._solver.solve(assumptions) else None

    def add(self, clause: list[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(clause)

    def stats(self) -> dict[str, int]:
        """Return the values of those `COUNTERS` that the solver has, by name."""
        found: dict[str, int] = {}
        with suppress(NotImplementedError):  # PySAT does not return those of CryptoMiniSat
            found = self._solver.accum_stats() or {}
        return {key: int(found[key]) for key in COUNTERS if key in found}


class Sliced(Session):
    """A `Session` whose solver is interrupted after a number of conflicts, and then resumes.

    Solvers of the Glucose family notice only at their next restart that the number is reached.
    """

    def __init__(self, name: str, formula: Formula, seed: int) -> None:
        super().__init__(name, formula, seed)
        self._slice = SAT_CONFLICTS

    def solve(self, assumptions: list[int], tick: Callable[[], None]) -> list[int] | None:
        """Return a solution as its true literals, or None; call `tick` at each interruption."""
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
    """A `Session` for the solvers in `ONE_SHOT`.

    Each query gets a new solver, with all clauses so far, and its assumptions as unit clauses.
    """

    def __init__(self, name: str, formula: Formula, seed: int) -> None:
        self._name = name
        self._clauses = formula.clauses()

    def prefer(self, literals: list[int]) -> None:
        """Do nothing: these solvers have no preferred values."""

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
    """Variables that count the chosen options of each kind; see `Request.kinds`.

    `top`: the largest variable that is in use. The attribute `clauses` has the clauses that define
    the new variables.

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
        """Return a clause that forbids a solution, `options`, and all equivalent ones.

        Equivalent solutions have the same number of options of each kind.
        """
        chosen = self._kinds[options] if options else np.zeros(0, dtype=int)
        clause: list[int] = []
        for kind, (more, reach) in enumerate(zip(self._at_least, self._fewer_unless, strict=True)):
            number = int((chosen == kind).sum())
            clause += [-x for x in reach[number - 1 : number] if number]
            clause += more[number : number + 1]
        return clause


def _most(model: Model, literals: list[int]) -> int:
    """Return an upper bound on the number of options from a given set that a solution contains.

    `literals`: the literals of these options. The bound is their number or, if smaller, the upper
    bound of an item that all of them contain.
    """
    options = np.array(literals, dtype=np.int64) - 1
    chosen = np.isin(model.option_of, options)
    uses = np.bincount(model.members[chosen & (model.colors == 0)], minlength=model.items)
    shared = model.upper[uses == len(options)] if len(options) else model.upper[:0]
    return int(min([len(options), *shared.tolist()]))


def reached(literals: list[int], most: int, top: int) -> tuple[list[int], list[list[int]]]:
    """Return new variables y1, y2, ..., and clauses about them, perhaps with more new variables.

    The clauses state that yk is true if at least k literals are true. So if yk is false, fewer than
    k literals are true. For the converse, see `exactile.model.encode.thresholds`. `most`: the
    largest k. `top`: the largest variable in use; new ones are larger.

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
