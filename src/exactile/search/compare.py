"""Backends on the same puzzles on equal terms, and whether their answers agree.

Each backend runs on each puzzle in a process of its own with limits on time and memory.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from exactile.answers import ComparedRun, ComparisonAnswer, Machine, Status
from exactile.backends import Backend, Request, get_backend
from exactile.backends.base import check_encoding
from exactile.clock import CLOCK
from exactile.doors import Seed, Workers, door, guarded
from exactile.errors import BackendError, BackendMissingError, CheckFailedError, PuzzleError
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.search.limits import TIME_LIMIT, Limits
from exactile.search.search import Search
from exactile.tuning import TUNING
from exactile.work import Job, Tell, speaks_of_memory

TASKS = ("first", "all", "prove")
"""Find a solution; find all; decide whether there is one (which is asked for like the first)."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A run of one backend on one puzzle."""

    puzzle: Puzzle
    backend: str  # its name, perhaps with settings of its own; see `variant`
    task: str = "first"
    time_limit: float = 60.0  # seconds of searching, without the time to make the model
    # Megabytes that each process may write to (`RLIMIT_DATA`), or None. Address space that is only
    # reserved does not count, nor does the code of programs, of which OR-Tools has much.
    memory_limit: int | None = None
    seed: int = 0
    workers: int = 1
    use_symmetry: bool = True

    def run(self, tell: Tell[ComparedRun]) -> None:
        """Report the course of the run; as a task, see `exactile.work.Job`."""
        tell(self.outcome(**perform(self), **used()))

    def outcome(self, **fields: Any) -> ComparedRun:
        """Return an outcome with these fields."""
        return ComparedRun(puzzle=self.puzzle.name, backend=self.backend, **fields)


class Contender(NamedTuple):
    """A backend with settings of its own for the search, and parameters of its solver."""

    backend: str
    told: dict[str, Any] = {}  # noqa: RUF012 (read only)
    parameters: dict[str, str] = {}  # noqa: RUF012 (read only)

    def made(self) -> Backend:
        """Return the backend."""
        return get_backend(self.backend).configured(self.parameters)


def variant(spec: str) -> Contender:
    """Return what a word such as ``cpsat+symmetry_level=0+seed=3`` stands for.

    Examples
    --------
    >>> variant("sat:glucose4+encoding=bitwise+seed=3")[:2], variant("dlx")[0]
    (('sat:glucose4', {'encoding': 'bitwise', 'seed': 3}), 'dlx')
    >>> variant("cpsat+symmetry_level=0").parameters
    {'symmetry_level': '0'}
    """
    found = re.fullmatch(r"(.*?)((?:\+[a-z]\w*=[^+=\s]+)*)", spec, re.DOTALL)
    assert found is not None
    given = dict(word.split("=") for word in found[2].split("+")[1:])
    told: dict[str, Any] = {"encoding": given.pop("encoding")} if "encoding" in given else {}
    if given.get("seed", "").isdecimal():
        told["seed"] = int(given.pop("seed"))
    return Contender(found[1], told, given)


def run_trial(trial: Trial) -> ComparedRun:
    """Run a trial in a new process; whatever happens to it is an outcome, not an error.

    Examples
    --------
    >>> import exactile
    >>> outcome = run_trial(Trial(exactile.load("dominoes-4x4"), "dlx", "all"))
    >>> outcome.end, outcome.answer, outcome.found
    ('finished', 'complete', 36)
    """
    limits = Limits(trial.time_limit + TUNING.trial_grace)
    limits.begin()
    with Job(trial, memory=trial.memory_limit) as job:
        for outcome in job:
            if outcome is not None:
                return outcome
            if limits.reached():
                return trial.outcome(end="time limit", message="did not stop and was killed")
    assert job.death is not None
    words = f"{job.death.cause}{job.death.tail}"
    return trial.outcome(end=_kind(words), message=f"the process ended with {words}")


def _kind(message: str) -> str:
    """Return the kind of end that a message is about."""
    return "out of memory" if speaks_of_memory(message) else "crash"


def perform(trial: Trial) -> dict[str, Any]:
    """Run a trial in this process; return the fields of its outcome but the names."""
    limit = None if trial.task == "all" else 1
    batches: list[Assignments] = []
    result: dict[str, Any] = {}
    search = None
    meant = variant(trial.backend)
    told = {"seed": trial.seed, "workers": trial.workers} | meant.told
    try:
        search = Search(
            trial.puzzle,
            backend=meant.made() if meant.parameters else meant.backend,
            limit=limit,
            time_limit=trial.time_limit,
            use_symmetry=trial.use_symmetry,
            use_reasons=False,  # the backend is to find out
            **told,
        )
        request = Request(limit=limit, **told)
        result["parameters"] = dict(search.backend.parameters(request))
        result["version"] = search.backend.version()
        batches = [rows for rows in search.batches() if len(rows)]
        result["end"] = TIME_LIMIT if search.stopped == TIME_LIMIT else "finished"
    except MemoryError:
        result |= {"end": "out of memory", "message": "MemoryError"}
    except BackendMissingError as error:
        end = "missing" if _kind(str(error)) == "crash" else "out of memory"
        result |= {"end": end, "message": str(error)}
    except CheckFailedError as error:
        result |= {"end": "wrong", "message": str(error)}
    except Exception as error:  # a crash of a backend is an outcome
        message = f"{type(error).__name__}: {error}"
        result |= {"end": _kind(message), "message": message}
    if search is None:
        return result
    search.close()  # its processes end, so that what they used is known
    rows = sorted_set(batches)
    complete = search.status in (Status.COMPLETE, Status.UNSOLVABLE)
    return result | {
        "answer": search.status.value,
        "settled_by": search.backend.name,
        "found": search.found,
        "distinct": len(rows),
        "digest": digest(rows) if complete else None,
        "seconds": search.stats["seconds"],
        "build_seconds": search.stats["build_seconds"],
        "stats": search.stats,
    }


def used() -> dict[str, Any]:
    """Return processor time and memory of this process and those that it waited for.

    Where the system does not report it, it is the processor time of this process only.
    """
    try:
        import resource
    except ImportError:
        return {"cpu_seconds": round(CLOCK.worked(), 3)}
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "cpu_seconds": round(sum(u.ru_utime + u.ru_stime for u in used), 3),
        "megabytes": max(u.ru_maxrss for u in used) >> 10,
    }


def sorted_set(batches: list[Assignments]) -> Assignments:
    """Return all different rows, each in increasing order with its padding first, sorted.

    Examples
    --------
    >>> sorted_set([np.array([[4, 2]]), np.array([[7, -1, -1], [2, 4, -1]])]).tolist()
    [[-1, 7], [2, 4]]
    """
    most = max((int((b >= 0).sum(axis=1).max()) for b in batches), default=0)
    parts = [np.zeros((0, most), dtype=np.int32)]
    for batch in batches:
        ordered = np.sort(batch, axis=1).astype(np.int32)
        padded = np.pad(ordered, ((0, 0), (most, 0)), constant_values=-1)
        parts.append(padded[:, padded.shape[1] - most :])
    rows = np.concatenate(parts)
    return np.unique(rows, axis=0) if most else rows[:1]


def digest(rows: Assignments) -> str:
    """Return a hash of a sorted set of solutions."""
    return sha256(repr(rows.shape).encode() + rows.astype("<i4").tobytes()).hexdigest()


FORMAT = 1

SOLVED = {Status.SOLVABLE.value, Status.COMPLETE.value}


@guarded
@dataclass
class Comparison:
    """Every backend on every puzzle, one after the other, each in a process of its own.

    All get the same model, seed and number of workers, and the same limits. Reasons that need no
    search are not looked for, so that each backend has to find its answer.

    Parameters
    ----------
    puzzles, backends
        What is compared; of backends also variants such as ``"sat+encoding=bitwise+seed=3"`` and
        ``"cpsat+symmetry_level=0"``.
    task
        One of `TASKS`.
    time_limit, memory_limit, seed, workers, use_symmetry
        See `Trial`.

    Attributes
    ----------
    outcomes
        What is finished.

    Raises
    ------
    PuzzleError
        If there is no such task, or nothing to compare.
    BackendNotFoundError
        If there is no such backend.

    Examples
    --------
    >>> import exactile
    >>> puzzles = [exactile.load("dominoes-4x4"), exactile.load("mutilated-chessboard-6x6")]
    >>> comparison = Comparison(puzzles, ["dlx", "reference"], task="all", time_limit=20)
    >>> [o.answer for o in comparison.run()]
    ['complete', 'complete', 'unsolvable', 'unsolvable']
    >>> comparison.disagreements()
    []
    """

    puzzles: list[Puzzle]
    backends: list[str]
    task: str = "first"
    time_limit: float = 60.0
    memory_limit: int | None = None
    seed: Seed = 0
    workers: Workers = 1
    use_symmetry: bool = True
    outcomes: list[ComparedRun] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise PuzzleError(f"There is no task '{self.task}' to compare: use {', '.join(TASKS)}.")
        names = [puzzle.name for puzzle in self.puzzles]
        for what, given in (("puzzle", names), ("backend", self.backends)):
            if not given:
                raise PuzzleError(f"There is nothing to compare: name a {what}.")
            twice = next((g for g in given if given.count(g) > 1), None)
            if twice is not None:
                raise PuzzleError(f"The {what} '{twice}' is named twice: leave one out.")
        for name in self.backends:
            meant = variant(name)
            try:
                check_encoding(meant.made(), meant.told.get("encoding"))
            except BackendMissingError:
                continue  # stands in the table

    def run(self) -> Iterator[ComparedRun]:
        """Run everything that is not yet done; yield each outcome at once."""
        done = {(o.puzzle, o.backend) for o in self.outcomes}
        for puzzle in self.puzzles:
            for backend in self.backends:
                if (puzzle.name, backend) not in done:
                    trial = Trial(
                        puzzle,
                        backend,
                        self.task,
                        self.time_limit,
                        self.memory_limit,
                        self.seed,
                        self.workers,
                        self.use_symmetry,
                    )
                    self.outcomes.append(run_trial(trial))
                    yield self.outcomes[-1]

    def disagreements(self) -> list[str]:
        """Return what does not fit together, in words that name puzzle and backends."""
        return [
            fault
            for puzzle in self.puzzles
            for fault in disagreements([o for o in self.outcomes if o.puzzle == puzzle.name])
        ]

    @property
    def answer(self) -> ComparisonAnswer:
        """Everything that is known so far, to be written down."""
        return ComparisonAnswer(
            format=FORMAT,
            task=self.task,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            seed=self.seed,
            workers=self.workers,
            use_symmetry=self.use_symmetry,
            machine=Machine(
                system=platform.system(),
                processor=platform.machine(),
                processors=os.cpu_count(),
                python=sys.version.split()[0],
            ),
            puzzles=tuple(p.name for p in self.puzzles),
            backends=tuple(self.backends),
            finished=len(self.outcomes) == len(self.puzzles) * len(self.backends),
            disagreements=tuple(self.disagreements()),
            runs=tuple(self.outcomes),
        )


def disagreements(outcomes: Iterable[ComparedRun]) -> list[str]:
    """Return how outcomes for one puzzle contradict each other, in words.

    Runs that were stopped count too: what they found must not be more than what there is.

    Examples
    --------
    >>> ran = {"puzzle": "p", "end": "finished", "answer": "complete"}
    >>> one = ComparedRun(**ran, backend="dlx", found=8, distinct=8, digest="a")
    >>> two = ComparedRun(**ran, backend="cpsat", found=3, distinct=3, digest="b")
    >>> disagreements([one, two])
    ['p: dlx found 8 solutions and cpsat 3, and both say that these are all']
    """
    given = list(outcomes)
    faults = [f"{o.puzzle}: {o.backend}: {o.message}" for o in given if o.end == "wrong"]
    faults += [
        f"{o.puzzle}: {o.backend} returned {o.found} solutions, but only {o.distinct} different"
        for o in given
        if o.found != o.distinct
    ]
    for a, b in combinations(given, 2):
        fault = _contradiction(a, b) or _contradiction(b, a)
        if fault:
            faults.append(f"{a.puzzle}: {fault}")
    return faults


def _contradiction(a: ComparedRun, b: ComparedRun) -> str | None:
    if a.answer in SOLVED and b.answer == Status.UNSOLVABLE.value:
        return f"{a.backend} has a solution, but {b.backend} says that there is none"
    if a.digest is not None and b.digest is not None and a.digest != b.digest:
        if a.distinct == b.distinct:
            return f"{a.backend} and {b.backend} found {a.distinct} solutions each, not the same"
        return (
            f"{a.backend} found {a.distinct} solutions and {b.backend} {b.distinct}, "
            "and both say that these are all"
        )
    if a.answer == Status.COMPLETE.value and b.digest is None and b.distinct > a.distinct:
        return (
            f"{a.backend} says that there are {a.distinct} solutions, "
            f"but {b.backend} found {b.distinct}"
        )
    return None


@door
def variants(
    backends: Iterable[str],
    encodings: Sequence[str] = (),
    seeds: Sequence[Seed] = (),
    parameters: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return each backend with each encoding, parameter and seed that it makes use of.

    Parameters are those of solvers, by their names. Raise BackendError if none of the backends
    knows an encoding or a parameter.

    Examples
    --------
    >>> variants(["dlx", "sat"], ["pairwise", "bitwise"], seeds=[1])
    ['dlx', 'sat+encoding=pairwise+seed=1', 'sat+encoding=bitwise+seed=1']
    >>> variants(["dlx", "cpsat"], parameters={"symmetry_level": ["0", "2"]})
    ['dlx', 'cpsat+symmetry_level=0', 'cpsat+symmetry_level=2']
    """
    values = parameters or {}
    made = [(name, _installed(name)) for name in backends]
    for encoding in encodings:
        if not any(encoding in _encodings(backend) for _, backend in made):
            raise BackendError(f"None of these backends knows the encoding '{encoding}'.")
    if seeds and not any(backend is None or backend.takes_seed for _, backend in made):
        raise BackendError("None of these backends makes use of a seed: leave the seeds out.")
    for parameter in values:
        if not any(_knows(backend, parameter) for _, backend in made):
            own = " Say --workers N." if "worker" in parameter else ""
            raise BackendError(f"None of these backends has a parameter '{parameter}' to set.{own}")
    found = []
    for name, backend in made:
        told = [
            [f"+encoding={e}" for e in encodings if e in _encodings(backend)],
            *([f"+{p}={v}" for v in vs] for p, vs in values.items() if _knows(backend, p)),
            [f"+seed={seed}" for seed in seeds if backend is None or backend.takes_seed],
        ]
        found += [name + "".join(each) for each in product(*(choice or [""] for choice in told))]
    return found


def _installed(name: str) -> Backend | None:
    """Return a backend if it is installed; the table shows the missing ones."""
    try:
        return get_backend(variant(name).backend)
    except BackendMissingError:
        return None


def _encodings(backend: Backend | None) -> Sequence[str]:
    return backend.encodings if backend is not None else ()


def _knows(backend: Backend | None, parameter: str) -> bool:
    """Return whether a parameter of a backend may be set."""
    return backend is not None and backend.knows(parameter)


@door
def compare(
    puzzles: Iterable[Puzzle],
    backends: Iterable[str],
    *,
    encodings: Sequence[str] = (),
    seeds: Sequence[Seed] = (),
    parameters: Mapping[str, Sequence[str]] | None = None,
    **options: Any,
) -> ComparisonAnswer:
    """Run backends on puzzles, each in a process of its own, and compare their answers.

    Parameters
    ----------
    puzzles, backends
        What is compared.
    encodings, seeds, parameters
        Backends are put beside each other with each of these; see `variants`.
    options
        See `Comparison`.

    Raises
    ------
    PuzzleError, BackendNotFoundError
        As `Comparison`.

    Examples
    --------
    >>> import exactile
    >>> found = compare([exactile.load("dominoes-4x4")], ["dlx", "reference"], task="all")
    >>> [(run.backend, run.distinct) for run in found.runs]
    [('dlx', 36), ('reference', 36)]
    """
    chosen = variants(backends, encodings, seeds, parameters)
    comparison = Comparison(list(puzzles), chosen, **options)
    for _ in comparison.run():
        pass
    return comparison.answer
