"""CP-SAT: one Boolean for each option; exactly-one, at-most-one and linear constraints for items.

All solutions are found either by CP-SAT's own enumeration, or by repeated solving, each time with a
further clause that forbids the last solution. The parameters were chosen by means of
``benchmarks/cpsat_parameters.py``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from exactile.backends.base import Backend, Batch, Request, cores, refuse_choice
from exactile.backends.child import Found, search_in_child
from exactile.errors import BackendError
from exactile.model.encode import Paints, paints
from exactile.model.model import Ints, Model
from exactile.tuning import TUNING
from exactile.work import Tell

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


MODES = ("enumerate", "blocking")
"""Ways to find all solutions: by CP-SAT's own enumeration (the default), or by blocking clauses."""

Parameters = Mapping[str, int]

OURS = re.compile(
    "solution|stop|worker|seed|hint|instantiate|postsolve|max_(time|memory|number|determin|num_det)"
    "|lns|ls_only|only_solve|gap_limit|^mip_|^log_|debug|check_|output_|catch|name"
    "|^cp_model_presolve|presolve_iterations"
)
"""Matches part of the name of every CP-SAT parameter that users cannot set. These parameters follow
from the request, decide which solutions are kept, when the search ends, or what is printed, or
switch presolve off.
"""


class CpSatBackend(Backend):
    """Google's CP-SAT in a process of its own.

    `mode`: one of `MODES`; None for the first. `given`: parameters of CP-SAT by name, with values
    as text; none by default.
    """

    takes_prefixes = True
    takes_colors = True
    takes_hints = True
    takes_seed = True
    takes_workers = True
    takes_kinds = True
    races = "later"

    def __init__(self, mode: str | None = None, given: Mapping[str, str] | None = None) -> None:
        self.mode = mode or MODES[0]
        self.given = dict(given or {})
        self.name = f"cpsat:{mode}" if mode else "cpsat"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`.

        Raise BackendError as `parameters` does.
        """
        self.parameters(request)  # refuses what could lose solutions
        return search_in_child(self.name, CpSatSearch(model, request, self.mode, self.given))

    def choices(self) -> list[str]:
        """Return the names of the ways to find all solutions, written as in ``cpsat:blocking``."""
        return list(MODES)

    def version(self) -> str:
        """Return the version of OR-Tools."""
        return f"OR-Tools {version('ortools')}"

    def parameters(self, request: Request) -> Mapping[str, int | str]:
        """Return the parameters that CP-SAT gets for a request, with those that users set.

        Raise BackendError if a parameter switches on symmetry detection and CP-SAT would enumerate.
        """
        chosen = parameters(request, self.mode)
        level = self.given.get("symmetry_level", "0")
        if chosen["enumerate_all_solutions"] and value_of("symmetry_level", level):
            raise BackendError(
                "CP-SAT enumerates without symmetry detection, because it could lose solutions: "
                f"leave '+symmetry_level={level}' out, or use cpsat:blocking."
            )
        return chosen | self.given

    def knows(self, name: str) -> bool:
        """Return whether CP-SAT has this parameter and users may set it."""
        return not OURS.search(name) and hasattr(default_parameters(), f"clear_{name}")

    def configured(self, given: Mapping[str, str]) -> CpSatBackend:
        """Return a copy of this backend with the parameters `given`: values, as text, by name.

        Raise BackendError if users cannot set a parameter, or its value is wrong.

        Examples
        --------
        >>> CpSatBackend().configured({"linearization_level": "0"}).given
        {'linearization_level': '0'}
        """
        for name, value in given.items():
            if not self.knows(name):
                raise BackendError(f"CP-SAT has no parameter '{name}' that could be set here.")
            if value_of(name, value) is None:
                raise BackendError(f"CP-SAT does not take '{value}' for its parameter {name}.")
        return CpSatBackend(self.mode if ":" in self.name else None, given)


def backend(choice: str | None) -> CpSatBackend:
    """Return the backend for `choice`, one of `MODES`; None for the first.

    Raise BackendNotFoundError for any other choice.
    """
    refuse_choice("cpsat", choice, MODES)
    return CpSatBackend(choice)


def value_of(name: str, text: str) -> Any:
    """Convert text to a value of a parameter of CP-SAT; None if the parameter has no such value.

    Examples
    --------
    >>> value_of("linearization_level", "0"), value_of("linearization_level", "many")
    (0, None)
    """
    parameters = default_parameters()
    now = getattr(parameters, name)
    if isinstance(now, bool):
        return {"true": True, "1": True, "false": False, "0": False}.get(text)
    try:
        found = type(now)(text) if isinstance(now, (int, float)) else getattr(type(now), text)
        setattr(parameters, name, found)
    except (AttributeError, TypeError, ValueError):
        return None
    return found


def parameters(request: Request, mode: str = MODES[0]) -> dict[str, int]:
    """Return the parameters of CP-SAT for a request; `mode`: one of `MODES`.

    Enumeration always has one worker: with two or more, and symmetry detection at its default
    level, CP-SAT 9.15 loses solutions and still reports that it found all. Symmetry detection is
    also switched off, although one of the two measures would be enough. `Request.ordered` also
    means one worker, since chance decides which of several workers finds a solution first.

    Examples
    --------
    >>> parameters(Request(workers=8))["num_workers"]
    1
    >>> parameters(Request(workers=8, limit=1))["num_workers"]
    8
    """
    enumerate_all = mode == "enumerate" and request.limit != 1 and request.kinds is None
    chosen = {"random_seed": request.seed, "enumerate_all_solutions": int(enumerate_all)}
    if enumerate_all:
        return chosen | {"num_workers": 1, "symmetry_level": 0}
    workers = 1 if request.ordered else request.workers or default_workers(request.limit)
    return chosen | {"num_workers": workers}


def default_workers(limit: int | None) -> int:
    """Return the default number of workers.

    It is the number of processors if `limit` is 1 and there are at least `Tuning.cpsat_workers` of
    them; else 1. Each worker has a strategy of its own, which helps with hard puzzles. A single
    worker starts faster, and is also faster if several would have to share processors.
    """
    processors = cores()
    return processors if limit == 1 and processors >= TUNING.cpsat_workers else 1


@dataclass(frozen=True, eq=False)
class CpSatSearch:
    """The task of finding all solutions by CP-SAT; see `exactile.backends.child`."""

    model: Model
    request: Request
    mode: str = MODES[0]
    given: Mapping[str, str] = field(default_factory=dict)

    def run(self, tell: Tell[Found]) -> None:
        """Report solutions with the counters so far, and the counters at the end: see `find`."""
        import_lean()
        find(self.model, self.request, parameters(self.request, self.mode), tell, self.given)


def find(
    model: Model,
    request: Request,
    chosen: Parameters,
    tell: Tell[Found],
    given: Mapping[str, str] | None = None,
) -> None:
    """Solve a model by CP-SAT in this process; report every solution once, and counters, to `tell`.

    With `Request.kinds`, report one solution of each class of equivalent ones. `chosen`: the
    parameters of CP-SAT that `parameters` returned. `given`: further ones, with values as text;
    none by default. Raise BackendError if CP-SAT ends without an answer.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in chosen.items():
        setattr(solver.parameters, name, value)
    for name, text in (given or {}).items():
        setattr(solver.parameters, name, value_of(name, text))
    stats: dict[str, int] = {}
    listen(solver, stats, tell)
    for prefix in request.prefixes:  # a new program for each: presolve uses the fixed options
        program, literals = build(model)
        program.add_bool_and([literals[m] if m >= 0 else literals[~m].Not() for m in prefix])
        hint(program, literals, model, request.hint)
        if chosen["enumerate_all_solutions"]:
            _enumerate(solver, program, literals, stats, tell)
        else:
            clauses = blocking(program, literals, model, request)
            _block(solver, program, literals, stats, tell, clauses)
    tell(Found(None, stats))


def _enumerate(
    solver: cp_model.CpSolver,
    program: cp_model.CpModel,
    literals: list[cp_model.IntVar],
    stats: dict[str, int],
    tell: Tell[Found],
) -> None:
    """Let CP-SAT enumerate all solutions in one run; report each to `tell`, and update `stats`.

    Raise BackendError if CP-SAT ends without an answer.
    """
    from ortools.sat.python import cp_model

    seen: set[tuple[int, ...]] = set()
    before = dict(stats)

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found = tuple(o for o, x in enumerate(literals) if self.boolean_value(x))
            if found not in seen:  # CP-SAT does not promise to report each only once
                seen.add(found)
                tell(Found(list(found), _added(before, self.response_proto)))

    status = solver.solve(program, Listener())
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise _failed(solver, status)
    stats.update(_added(before, solver.response_proto))


def _block(
    solver: cp_model.CpSolver,
    program: cp_model.CpModel,
    literals: list[cp_model.IntVar],
    stats: dict[str, int],
    tell: Tell[Found],
    clauses: Callable[[list[int]], list[Any]],
) -> None:
    """Solve until there are no more solutions; report each, and forbid it by a clause.

    `clauses` returns the clause that forbids a solution. The counters are added to `stats`. Raise
    BackendError if CP-SAT ends without an answer.
    """
    from ortools.sat.python import cp_model

    while True:
        status = solver.solve(program)
        stats.update(_added(stats, solver.response_proto))
        if status == cp_model.INFEASIBLE:
            return
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise _failed(solver, status)
        values = [solver.boolean_value(x) for x in literals]
        chosen = [o for o, value in enumerate(values) if value]
        tell(Found(chosen, dict(stats)))
        program.add_bool_or(clauses(chosen))


def _failed(solver: cp_model.CpSolver, status: cp_model.CpSolverStatus) -> BackendError:
    """Return the error for a search that ended without an answer, with the reason from CP-SAT."""
    reason = solver.response_proto.solution_info  # for example that it refuses a parameter
    return BackendError(
        f"CP-SAT stopped with {solver.status_name(status)}: {reason or 'no reason'}"
    )


def blocking(
    program: cp_model.CpModel, literals: list[cp_model.IntVar], model: Model, request: Request
) -> Callable[[list[int]], list[Any]]:
    """Return a function from the options of a solution to the clause that forbids it.

    With `Request.kinds`, the clause forbids all solutions with the same number of options of each
    kind. Otherwise, it requires that an option of the solution is not chosen or, unless the model
    is `Model.pinned`, that another option is chosen.
    """
    if request.kinds is not None:
        return _alike(program, literals, request.kinds)

    def clause(chosen: list[int]) -> list[Any]:
        taken = set(chosen)
        others = [] if model.pinned else [x for o, x in enumerate(literals) if o not in taken]
        return [literals[o].Not() for o in chosen] + others

    return clause


def _alike(
    program: cp_model.CpModel, literals: list[cp_model.IntVar], kinds: Ints
) -> Callable[[list[int]], list[Any]]:
    """Return a function from a solution to the clause that forbids it and all equivalent ones.

    Solutions are equivalent if they have the same number of options of each kind.
    """
    from ortools.sat.python import cp_model

    counted = []
    for kind in range(int(kinds.max(initial=-1)) + 1):
        here = [literals[o] for o in np.flatnonzero(kinds == kind).tolist()]
        number = program.new_int_var(0, len(here), "")
        program.add(number == cp_model.LinearExpr.sum(here))
        counted.append(number)
    different: dict[tuple[int, int], Any] = {}

    def clause(chosen: list[int]) -> list[Any]:
        numbers = np.bincount(kinds[chosen][kinds[chosen] >= 0], minlength=len(counted))
        for key in enumerate(numbers.tolist()):
            if key not in different:
                different[key] = program.new_bool_var("")
                condition = counted[key[0]] != key[1]
                program.add(condition).only_enforce_if(different[key])
        return [different[key] for key in enumerate(numbers.tolist())]

    return clause


def _added(stats: Mapping[str, int], response: Any) -> dict[str, int]:
    """Return the counters `stats` plus those of another call of CP-SAT."""
    new = {
        "solves": 1,
        "conflicts": response.num_conflicts,
        "branches": response.num_branches,
        "propagations": response.num_binary_propagations,
        "restarts": response.num_restarts,
        # thousandths of CP-SAT's unit of work, which is about a second on some machine
        "deterministic_ms": round(1000 * response.deterministic_time),
    }
    return {**stats, **{name: stats.get(name, 0) + value for name, value in new.items()}}


def build(model: Model) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Return the CP-SAT model and the literal of each option.

    The constraint of an item has the number of the item as its name.
    """
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    literals = [program.new_bool_var("") for _ in range(model.options)]
    colored = paints(model)
    for item, (low, high) in enumerate(
        zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    ):
        here = [literals[o] for o in model.options_with(item).tolist()]
        if item in colored:
            constraint = program.add_at_most_one(_uses(program, literals, colored[item]))
        elif (low, high) == (1, 1):
            constraint = program.add_exactly_one(here)
        elif (low, high) == (0, 1):
            constraint = program.add_at_most_one(here)
        elif low > 0 or high < len(here):
            constraint = program.add_linear_constraint(cp_model.LinearExpr.sum(here), low, high)
        else:
            continue
        constraint.with_name(str(item))
    return program, literals


def _uses(
    program: cp_model.CpModel, literals: list[cp_model.IntVar], item: Paints
) -> list[cp_model.IntVar]:
    """Return the literals of the uses of a colored item, at most one of which may be true.

    They are the literals of the options that contain the item without a color, and a new literal
    for each color. A new literal is true if and only if a chosen option gives the item this color.
    With only the implication from option to color, it could take either value in some solutions,
    which would then be found twice.
    """
    uses = [literals[o] for o in item.plain]
    for options in item.by_color.values():
        color = program.new_bool_var("")
        for option in options:
            program.add_implication(literals[option], color)
        program.add_bool_or([color.Not(), *(literals[o] for o in options)])
        uses.append(color)
    return uses


def hint(
    program: cp_model.CpModel,
    literals: list[cp_model.IntVar],
    model: Model,
    chosen: Iterable[int],
) -> None:
    """Hint to CP-SAT that a solution has the options `chosen`, and not their rivals.

    Rivals contain an item of upper bound 1 that a chosen option contains without a color.
    """
    taken = sorted(set(chosen))
    ranges = [range(model.first[o], model.first[o + 1]) for o in taken]
    plain = {model.members[k] for ks in ranges for k in ks if not model.colors[k]}
    rivals = [model.options_with(i) for i in sorted(plain) if model.upper[i] == 1]
    for o in taken:
        program.add_hint(literals[o], True)
    for o in np.setdiff1d(np.concatenate([[], *rivals]).astype(int), taken).tolist():
        program.add_hint(literals[o], False)


LEFT = re.compile(r"#Model\s.* var:(\d+)/")
"""Matches the log line in which CP-SAT states the number of variables that are not fixed."""


def listen(solver: Any, stats: dict[str, int], tell: Tell[Found]) -> None:
    """Make CP-SAT log its search; report from the log how many variables are not fixed yet.

    Whenever the log states this number, it is entered in `stats`, as ``variables_left``, and the
    counters are sent to `tell`. With one worker, CP-SAT logs nothing before it has a solution.
    """

    def read_line(line: str) -> None:
        if (left := variables_left(line)) is not None:
            stats["variables_left"] = left
            tell(Found(None, dict(stats)))

    solver.parameters.log_search_progress = True
    solver.parameters.log_to_stdout = False
    solver.log_callback = read_line


def variables_left(line: str) -> int | None:
    """Return the number of variables that are not fixed, from a line of CP-SAT's log.

    Return None if the line does not state this number.

    Examples
    --------
    >>> variables_left("#Model   1.20s var:1861/1862 constraints:131/131")
    1861
    """
    found = LEFT.match(line)
    return int(found[1]) if found else None


def import_lean() -> None:
    """Import CP-SAT without loading pandas, in a process that runs nothing but Exactile.

    The import of CP-SAT would spend two thirds of its time on pandas, of which OR-Tools needs only
    two types. So a module with only these types replaces pandas during the import. If pandas or
    CP-SAT is already loaded, or OR-Tools needs more of pandas, the call has no effect.

    Examples
    --------
    >>> import_lean()
    >>> from ortools.sat.python import cp_model
    >>> cp_model.CpModel().new_bool_var("a").name
    'a'
    """
    if "pandas" in sys.modules or "ortools.sat.python.cp_model" in sys.modules:
        return
    stand_in = ModuleType("pandas")
    for name in ("Index", "Series"):
        setattr(stand_in, name, type(name, (), {}))
    sys.modules["pandas"] = stand_in
    try:
        with suppress(AttributeError, ImportError):
            from ortools.sat.python import cp_model  # noqa: F401
    finally:
        del sys.modules["pandas"]


def default_parameters() -> Any:
    """Return the default parameters of CP-SAT, if possible without loading its model builder.

    Examples
    --------
    >>> default_parameters().random_seed
    1
    """
    try:
        from ortools.sat.python.cp_model_helper import SatParameters
    except ImportError:  # they were elsewhere in earlier versions
        from ortools.sat.python import cp_model

        return cp_model.CpSolver().parameters
    return SatParameters()
