"""One run of a comparison, in a process of its own with limits on time and memory."""

from __future__ import annotations

import platform
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from exactile import __version__
from exactile.answers import ComparedRun, Count, Status
from exactile.backends import Request, get_backend
from exactile.backends.base import Backend
from exactile.backends.registry import seed_of, with_method
from exactile.certificate.checker import check_proof
from exactile.clock import CLOCK
from exactile.counting import count
from exactile.counting.listing import count_model
from exactile.counting.plan import counts_unlisted
from exactile.errors import (
    BackendMissingError,
    CertificateError,
    CheckFailedError,
    ProofRefusedError,
)
from exactile.files.models.formats import read_model
from exactile.model.model import Model
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.reasons.certify import PROOF, certify
from exactile.reasons.packing import pack
from exactile.search.case import Case
from exactile.search.cover import CoverSearch
from exactile.search.limits import TIME_LIMIT, Limits
from exactile.search.search import Search
from exactile.surveys.tiling.disc import around, discs
from exactile.surveys.tiling.prototiles import Prototiles
from exactile.tuning import TUNING
from exactile.work import Job, Tell, speaks_of_memory
from exactile.work.worker import OUT_OF_MEMORY

Keys = npt.NDArray[np.uint64]

TASKS = ("first", "all", "count", "prove", "pack", "tile")
"""Tasks of a comparison.

first: find a solution. all: find all solutions. count: count the solutions. prove: decide whether
there is one. pack: cover as many units as possible. tile: cover the units within ever larger
distances of a piece with copies of it.
"""

LISTING = ("all", "count")
"""Tasks for which backends get no limit of the number of solutions."""


@dataclass(frozen=True, eq=False)
class Instance:
    """A puzzle or a model, with a name.

    `family`: the group to which the instance belongs in reports.

    Examples
    --------
    >>> import exactile
    >>> instance = Instance.of(exactile.load("soma-cube"))
    >>> instance.name, instance.family
    ('soma-cube', 'polycubes')
    """

    name: str
    problem: Puzzle | Model
    family: str = ""

    @classmethod
    def of(cls, problem: Puzzle | Instance) -> Instance:
        """Return a puzzle as an instance; an instance is returned unchanged."""
        if isinstance(problem, Instance):
            return problem
        return cls(problem.name, problem, problem.lattice.plural)

    @classmethod
    def read(cls, file: str) -> Instance:
        """Return a model file as an instance; its family is the name of its folder.

        Raise FileError if the file does not exist or is damaged.
        """
        path = Path(file)
        return cls(path.name, read_model(file).model, path.absolute().parent.name)

    @property
    def digest(self) -> str:
        """A hash that identifies the puzzle or model."""
        return self.problem.digest


def as_prototiles(puzzle: Puzzle) -> Prototiles:
    """Return the pieces of a puzzle as prototiles; raise PieceError if they are not suitable."""
    return Prototiles(puzzle.pieces, puzzle.crossing)


@dataclass(frozen=True, eq=False)
class Trial:
    """The settings of one run of a comparison: instance, backend, task and limits.

    `backend`: name of the backend, perhaps with settings: see `exactile.backends.registry`.
    `time_limit`: seconds to search. `memory_limit`: megabytes that each process may write to; None
    for no limit. `certificates`: whether to write and check a proof if there is no solution.
    """

    instance: Instance
    backend: str  # its name, perhaps with settings; see `exactile.backends.registry`
    task: str = "first"
    time_limit: float = 60.0  # seconds of searching, without the time to make the model
    # Megabytes that each process may write to (`RLIMIT_DATA`), or None. Address space that is only
    # reserved does not count, nor does code, which is large in OR-Tools.
    memory_limit: int | None = None
    seed: int = 0
    threads: int = 1
    use_symmetry: bool = True
    repeat: int = 1
    certificates: bool = False  # whether refutations are proved, and the proofs checked

    @property
    def key(self) -> str:
        """A digest of the settings: runs with the same key are the same run."""
        asked = [self.instance.name, self.instance.digest, *self._settings().values()]
        asked += [self.backend, self.repeat, self.certificates]
        if self.task == "all":
            asked.append("keys")  # runs with other digests of their solutions are others
        return sha256(msgspec.json.encode(asked)).hexdigest()[:20]

    def _settings(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "time_limit": float(self.time_limit),
            "memory_limit": self.memory_limit,
            "seed": seed_of(self.backend, self.seed),
            "threads": self.threads,
            "use_symmetry": self.use_symmetry,
        }

    def run(self, tell: Tell[ComparedRun]) -> None:
        """Do the run in this process, and pass its outcome to `tell`; see `exactile.work.Job`."""
        begun = CLOCK.date()
        fields = perform(self)
        proof = fields.pop("folder", None)
        fields |= used()  # before the certificate
        if self.certificates and fields.get("answer") == Status.UNSOLVABLE.value:
            fields |= certified(self, proof)
        if proof is not None:
            shutil.rmtree(proof, ignore_errors=True)
        tell(self.outcome(**fields, begun=begun))

    def outcome(self, **fields: Any) -> ComparedRun:
        """Return an outcome with the given fields, and with those that identify the run."""
        own: dict[str, Any] = {
            "puzzle": self.instance.name,
            "family": self.instance.family,
            "backend": self.backend,
            "repeat": self.repeat,
            **self._settings(),
            "machine": machine(),
            "exactile": __version__,
            "key": self.key,
        }
        return ComparedRun(**own | fields)


def machine() -> str:
    """Return the name, the system and the processor of this machine."""
    return f"{platform.node()} ({platform.system()} {platform.machine()})"


class Stop(Protocol):
    """A flag that is set if a run is to be killed, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether the run is to be killed."""
        ...


def run_trial(trial: Trial, stop: Stop | None = None) -> ComparedRun | None:
    """Do a run in a new process, and return its outcome; a crash is an outcome, not an error.

    A process that does not stop in time is killed, which is also an outcome. `stop`: when this flag
    is set, the process is killed, and the result is None. Raise WorkError if the process cannot be
    started, or the system cannot limit its memory.

    Examples
    --------
    >>> import exactile
    >>> outcome = run_trial(Trial(Instance.of(exactile.load("dominoes-4x4")), "dlx", "all"))
    >>> outcome.end, outcome.answer, outcome.found
    ('finished', 'complete', 36)
    """
    spans = 2 if trial.certificates else 1
    limits = Limits(spans * trial.time_limit + TUNING.trial_grace)
    limits.begin()
    with Job(trial, memory=trial.memory_limit) as job:
        for outcome in job:
            if outcome is not None:
                return outcome
            if stop is not None and stop.is_set():
                return None
            if limits.reached():
                return trial.outcome(end=TIME_LIMIT, message="did not stop and was killed")
    assert job.death is not None
    words = f"{job.death.cause}{job.death.tail}"
    verb = "ran" if job.death.cause == OUT_OF_MEMORY else "ended with"
    return trial.outcome(end=_kind(words), message=f"the process {verb} {words}")


def _kind(message: str) -> str:
    """Return ``"out of memory"`` if an error message is about memory, otherwise ``"crash"``."""
    return "out of memory" if speaks_of_memory(message) else "crash"


def perform(trial: Trial) -> dict[str, Any]:
    """Do a run in this process; return the fields of its outcome except those that identify it.

    Errors of the backend are not raised: fields describe them.
    """
    result: dict[str, Any] = {}
    try:
        if trial.task == "pack":
            _pack(trial, result)
            return result
        backend = get_backend(with_method(trial.backend, "")[0])
        limit = None if trial.task in LISTING else 1
        request = Request(limit=limit, seed=trial.seed, workers=trial.threads)
        result["parameters"] = dict(backend.parameters(request))
        result["version"] = backend.version()
        work = {"count": _count, "tile": _tile}.get(trial.task, _search)
        work(trial, backend, result)
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
    return result


def _search(trial: Trial, backend: Backend, result: dict[str, Any]) -> None:
    """Search for solutions; add the fields of the outcome to `result`, even after an error."""
    limits = Limits(trial.time_limit, None if trial.task == "all" else 1)
    options: dict[str, Any] = {"backend": backend, "seed": trial.seed, "workers": trial.threads}
    problem = trial.instance.problem
    search: Search | CoverSearch
    if isinstance(problem, Puzzle):
        options |= {"use_symmetry": trial.use_symmetry, "use_reasons": False}  # it has to find out
        search = Search(problem, limits=limits, **options)
    else:
        search = CoverSearch(problem, limits=limits, **options)
    found: list[Keys] = []
    try:
        found.extend(keys_of(rows) for rows in search.batches() if len(rows))
        result["end"] = _end(search.status, search.stopped, trial.task)
    finally:
        search.close()  # ends its processes, so that `used` includes them
        distinct = distinct_of(found)
        complete = search.status.final
        result |= {
            "answer": search.status.value,
            "settled_by": search.backend.name,
            "found": search.found,
            "distinct": len(distinct),
            "number": len(distinct) if complete else None,
            "digest": sha256(distinct.astype("<u8").tobytes()).hexdigest() if complete else None,
            "model": search.model.digest,
            "seconds": search.stats["seconds"],
            "build_seconds": search.stats["build_seconds"],
            "stats": search.stats,
        }
        if search.proof:
            result["folder"] = search.proof


def _end(status: Status, stopped: str | None, task: str) -> str:
    """Return how a search ended: ``"finished"``, ``"gave up"`` or ``"time limit"``."""
    if stopped == TIME_LIMIT:
        return TIME_LIMIT
    done = status.final or (status is Status.SOLVABLE and task in ("first", "prove"))
    return "finished" if done else "gave up"


def _count(trial: Trial, backend: Backend, result: dict[str, Any]) -> None:
    """Count the solutions; add the fields of the outcome to `result`."""
    options: dict[str, Any] = {
        "backend": trial.backend,
        "seed": trial.seed,
        "workers": trial.threads,
    }
    problem, name = trial.instance.problem, trial.instance.name
    answer: Count
    if isinstance(problem, Puzzle):
        options |= {"use_symmetry": trial.use_symmetry, "use_reasons": False}
        answer = count(problem, time_limit=trial.time_limit, **options)
    else:
        answer = count_model(problem, name, limits=Limits(trial.time_limit), **options)
    unlisted = isinstance(problem, Model) and counts_unlisted(backend.name)
    result |= {
        "end": _end(answer.status, answer.stopped, "count"),
        "answer": answer.status.value,
        "settled_by": (None if unlisted else answer.backend) or answer.method,
        "found": answer.found,
        "distinct": answer.found,
        "number": answer.raw,
        "seconds": answer.stats["seconds"],
        "build_seconds": answer.stats["build_seconds"],
        "stats": answer.stats,
    }
    if answer.proof:
        result["folder"] = answer.proof


def _pack(trial: Trial, result: dict[str, Any]) -> None:
    """Cover as many units as possible; add the fields of the outcome to `result`."""
    assert isinstance(trial.instance.problem, Puzzle)
    limits, case = Limits(trial.time_limit), Case(trial.instance.problem)
    limits.begin()
    begun = CLOCK.now()
    with suppress(TimeoutError):
        case.prepare(limits)
    result["build_seconds"] = round(CLOCK.now() - begun, 6)
    packing = pack(
        case,
        backend=trial.backend,
        limits=limits,
        seed=trial.seed,
        workers=trial.threads,
        first_look=False,  # the packer has to find out
    )
    done = "finished" if packing.optimal else packing.stopped or "gave up"
    solved = Status.SOLVABLE if packing.solution else Status.UNKNOWN
    below = packing.bound < packing.total
    result |= {
        "end": done,
        "answer": (Status.UNSOLVABLE if below and not packing.solution else solved).value,
        "settled_by": packing.backend,
        "value": packing.value,
        "bound": packing.bound,
        "seconds": packing.stats["seconds"],
        "stats": packing.stats,
    }


def _tile(trial: Trial, backend: Backend, result: dict[str, Any]) -> None:
    """Cover ever larger discs, and add the fields of the outcome to `result`.

    This ends at a disc that cannot be covered, at a limit, or if the backend gives up.
    """
    assert isinstance(trial.instance.problem, Puzzle)
    copies, tiles = around(as_prototiles(trial.instance.problem))
    limits = Limits(trial.time_limit)
    limits.begin()
    result |= {"end": "gave up", "settled_by": backend.name, "value": 0}
    result |= {"seconds": 0.0, "build_seconds": 0.0}
    begun = CLOCK.now()
    for distance, disc in discs(copies, tiles):
        search = CoverSearch(
            disc.model,
            backend=backend,
            limits=limits.rest(1),
            seed=trial.seed,
            workers=trial.threads,
        )
        with search:
            covered = next(iter(search), None) is not None
        result["seconds"] += search.stats["seconds"]
        result["build_seconds"] = CLOCK.now() - begun - result["seconds"]
        if covered:
            result["value"] = distance
        elif search.status is Status.UNSOLVABLE:
            result |= {"end": "finished", "answer": search.status.value, "bound": distance - 1}
            return
        if limits.reached() or not covered:
            result["end"] = limits.reached() or "gave up"
            return


def certified(trial: Trial, folder: str | None) -> dict[str, Any]:
    """Check a proof that the problem of a run has no solution; return the fields of the outcome.

    The fields state whether the proof holds, its size, and how many seconds this function takes.
    `folder`: where the solver wrote a formula and a proof; if None, the backend writes a proof now.
    Writing and checking may take as long as the time limit of the run. Errors are not raised:
    fields describe them.
    """
    limits = Limits(trial.time_limit)
    limits.begin()
    begun = CLOCK.now()
    try:
        size = _proof_size(trial, folder, limits)
    except TimeoutError:
        return {"proof": TIME_LIMIT}
    except ProofRefusedError as error:
        return {"proof": "refused", "message": error.reason}
    except CheckFailedError as error:
        return {"end": "wrong", "message": str(error)}
    except CertificateError as error:
        return {"proof": "none", "message": str(error)}
    except Exception as error:  # such as a full disk, or too little memory
        return {"proof": "none", "message": f"{type(error).__name__}: {error}"}
    if size is None:
        return {"proof": "none"}
    seconds = round(CLOCK.now() - begun, 6)
    return {"proof": "checked", "proof_bytes": size, "proof_seconds": seconds}


def _proof_size(trial: Trial, folder: str | None, limits: Limits) -> int | None:
    """Check a proof, and return its size in bytes; None if the backend writes no proofs.

    The parameters are those of `certified`. Raise TimeoutError at a limit, CheckFailedError if the
    problem has a solution, and CertificateError if the proof is missing, binary or refused.
    """
    problem = trial.instance.problem
    backend = get_backend(with_method(trial.backend, "")[0])
    if folder is not None:
        formula, proof = Path(folder, "formula.cnf"), Path(folder, "proof")
        with proof.open("rb") as stream:
            if b"\0" in stream.read(1 << 16):  # the end of each step of a binary proof
                raise CertificateError(
                    "the proof is binary, and only text is checked: see the options of the "
                    "program, such as --no-binary"
                )
        check_proof(formula, proof, heartbeat=lambda _: limits.require())
        return proof.stat().st_size
    if isinstance(problem, Puzzle) and backend.refuter is not None:
        with TemporaryDirectory(prefix="exactile-") as home:
            place = Path(home, "certificate")
            answer = certify(
                problem,
                place,
                backend=backend,
                use_symmetry=trial.use_symmetry and backend.takes_prefixes,
                limits=limits,
            )
            if answer.raw is None:
                raise TimeoutError
            if answer.raw:
                raise CheckFailedError(f"a certificate has {answer.raw} solutions")
            return Path(place, PROOF).stat().st_size
    if "{proof}" in trial.backend:
        raise CertificateError("no proof was written to the file {proof}")
    return None


def used() -> dict[str, Any]:
    """Return the processor time and the memory that this process and its ended children used.

    The time is the sum over all processes, in seconds. The memory is the peak of the largest
    process, in megabytes. If the system does not report these, the result is the processor time of
    this process alone.
    """
    try:
        import resource
    except ImportError:
        return {"cpu_seconds": round(CLOCK.worked(), 3)}
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "cpu_seconds": round(sum(u.ru_utime + u.ru_stime for u in used), 3),
        "megabytes": max(u.ru_maxrss for u in used) >> (20 if sys.platform == "darwin" else 10),
    }


def distinct_of(batches: list[Keys]) -> Keys:
    """Return the distinct keys of some batches, in increasing order; `batches` is emptied.

    Examples
    --------
    >>> distinct_of([np.array([7, 2], dtype=np.uint64), np.array([2, 5], dtype=np.uint64)]).tolist()
    [2, 5, 7]
    """
    keys: Keys = np.concatenate([np.zeros(0, dtype=np.uint64), *batches])
    batches.clear()
    keys.sort()  # in place: np.unique takes many times the time and the memory
    new = np.append(True, keys[1:] != keys[:-1])
    return np.asarray(keys[new[: len(keys)]])


def keys_of(rows: Assignments) -> Keys:
    """Return a 64-bit key for each solution; the order of its options has no effect.

    To save memory, a comparison keeps keys instead of solutions. Two different solutions have equal
    keys with a probability of about one in 2^64.

    Examples
    --------
    >>> keys = keys_of(np.array([[4, 2, -1], [2, 4, -1], [2, 3, -1]]))
    >>> (keys == keys[0]).tolist()
    [True, True, False]
    """
    # SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014
    keys = (rows.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ keys >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ keys >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    keys ^= keys >> np.uint64(31)
    keys[rows < 0] = 0
    return np.asarray(keys.sum(axis=1, dtype=np.uint64))
