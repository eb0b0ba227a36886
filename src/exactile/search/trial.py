"""One backend on one puzzle, in a process of its own with limits on time and memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from exactile.answers import ComparedRun, Status
from exactile.backends import Backend, Request, get_backend
from exactile.clock import CLOCK
from exactile.errors import BackendMissingError, CheckFailedError
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.search.search import Search
from exactile.tuning import TUNING
from exactile.work import Job, Tell, speaks_of_memory

TASKS = ("first", "all", "prove")
"""Find a solution; find all; decide whether there is one (which is asked for like the first)."""


@dataclass(frozen=True, eq=False)
class Trial:
    """What is to be tried."""

    puzzle: Puzzle
    backend: str  # its name, perhaps with settings of its own; see `variant`
    task: str = "first"
    # Seconds of searching; building the model comes before and is not counted
    time_limit: float = 60.0
    # Megabytes that each process may write to (`RLIMIT_DATA`), or None. Address space that is only
    # reserved does not count, nor does the code of programs, of which OR-Tools has much.
    memory_limit: int | None = None
    seed: int = 0
    workers: int = 1
    use_symmetry: bool = True

    def run(self, tell: Tell[ComparedRun]) -> None:
        """Report the course of the run; as a task, see `exactile.work.Job`."""
        tell(self.outcome(**perform(self), **_used()))

    def outcome(self, **fields: Any) -> ComparedRun:
        """Return an outcome with these fields."""
        return ComparedRun(puzzle=self.puzzle.name, backend=self.backend, **fields)


class Contender(NamedTuple):
    """A backend with settings of its own for the search, and parameters of its solver."""

    backend: str
    told: dict[str, Any] = {}  # noqa: RUF012 (read only)
    parameters: dict[str, str] = {}  # noqa: RUF012 (read only)

    def made(self) -> Backend:
        """Return the backend.

        Raise BackendError if there is no such backend, or it does not take the parameters.
        """
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
    deadline = CLOCK.now() + trial.time_limit + TUNING.trial_grace
    with Job(trial, memory=trial.memory_limit) as job:
        for outcome in job:
            if outcome is not None:
                return outcome
            if CLOCK.now() >= deadline:
                return trial.outcome(end="time limit", message="did not stop and was killed")
    assert job.death is not None
    words = f"{job.death.cause}{job.death.tail}"
    return trial.outcome(end=_kind(words), message=f"the process ended with {words}")


def _kind(message: str) -> str:
    """Return which end a message speaks of."""
    return "out of memory" if speaks_of_memory(message) else "crash"


def perform(trial: Trial) -> dict[str, Any]:
    """Do what a trial says in this process; return the fields of its outcome but the names."""
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
            use_symmetry=trial.use_symmetry,
            use_reasons=False,  # the backend is to find out
            **told,
        )
        request = Request(limit=limit, **told)
        result["parameters"] = dict(search.backend.parameters(request))
        result["version"] = search.backend.version()
        result["end"] = _run(search, batches, trial.time_limit)
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


def _used() -> dict[str, Any]:
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


def _run(search: Search, batches: list[Assignments], limit: float) -> str:
    """Search for a number of seconds; return how the search ended."""
    deadline = CLOCK.now() + limit
    for rows in search.batches():
        if len(rows):
            batches.append(rows)
        if CLOCK.now() >= deadline:
            search.close("time limit")
    return "time limit" if search.stopped == "time limit" else "finished"


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
