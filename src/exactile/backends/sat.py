"""The CDCL solvers of PySAT: a formula, cubes, clauses that block solutions already found."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec

from exactile.backends.base import Backend, Batch, Request
from exactile.backends.cubes import make_cubes
from exactile.backends.pool import search_cubes
from exactile.backends.sat_solver import DEFAULT, NATIVE, PROOFS, SEEDS, CubeSearch
from exactile.errors import BackendNotFoundError, suggestion
from exactile.model.encode import ENCODINGS
from exactile.model.model import Model

CUBES_A_WORKER = 32
"""Cubes of a SAT search for all solutions, a process."""


def parts(model: Model, request: Request, workers: int) -> int:
    """Return into how many cubes to cut a search at least.

    Cubes pay where pieces are used once. Where all are used in copies, a solver without cubes was
    one and a half times faster; only what symmetry gives (see `make_cubes`) is worth it there.
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
    """Return our name of each solver under every name that PySAT knows it by."""
    from pysat.solvers import SolverNames

    result: dict[str, str] = {}
    for name, aliases in vars(SolverNames).items():
        if name.startswith("_") or (name == "cryptosat" and not find_spec("pycryptosat")):
            continue
        own = name if name in aliases else aliases[-1]
        result |= dict.fromkeys(aliases, own)
    return result


class SatBackend(Backend):
    """A SAT solver in processes of its own.

    `solver`: name as in PySAT.
    """

    takes_prefixes = True
    takes_colors = True
    takes_images = True
    takes_kinds = True
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

        One worker looks for a first solution without cubes. With `Request.ordered` there is one
        worker, because which of several finds a solution first is a matter of chance. With
        `Request.kinds` there is one too, which forbids what it has found wherever that is.
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
