"""Comparisons: every backend is run on every instance, each time in a process of its own."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any
from uuid import uuid4

from exactile.answers import ComparedRun, ComparisonAnswer
from exactile.atomic import naming_disk
from exactile.backends import Backend, Request, backend_names, get_backend
from exactile.backends.registry import METHOD, parsed, with_method
from exactile.clock import CLOCK, HEARTBEAT
from exactile.closing import Closing
from exactile.counting.plan import METHODS
from exactile.doors import Positive, Seed, Workers, door, guarded
from exactile.errors import BackendError, BackendMissingError, PuzzleError, WorkError
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.relax import require_packings
from exactile.reasons.adapters.packing import PACKERS, require_packer
from exactile.runs.executor import own_version
from exactile.search.limits import Limits
from exactile.surveys.compare.trial import (
    LISTING,
    TASKS,
    Instance,
    Trial,
    as_prototiles,
    run_trial,
)
from exactile.surveys.compare.writing import disagreements, judged
from exactile.surveys.line_store import LineStore
from exactile.tuning import TUNING

FORMAT = 2


class RunStore(LineStore[ComparedRun]):
    """A store of the runs of a comparison.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, RunStore(Path(folder, "runs.jsonl")) as store:
    ...     store.add(ComparedRun(puzzle="p", backend="dlx", end="finished", key="0a"))
    ...     store.claim("0b")
    True
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, ComparedRun, "a comparison")


def require_store(path: Path) -> None:
    """Raise FileError if the file at `path` is not a store of a comparison; make a missing one."""
    with naming_disk(path), RunStore(path) as store:
        for _ in store.news():
            pass


@guarded
@dataclass
class Comparison:
    """A comparison: runs every backend on every puzzle or model, each time in a process of its own.

    All backends get the same model, number of threads and limits and, unless a variant names a
    seed, the same seed. Proofs that need no search are not used, so that each backend has to find
    its answer.

    Parameters
    ----------
    puzzles
        Puzzles, or instances: puzzles or models with a name.
    backends
        Names of backends, or of variants such as ``"sat+encoding=bitwise+seed=3"`` and
        ``"cpsat+symmetry_level=0"``: see `exactile.backends.registry`.
    task
        What each run does: ``"first"``, ``"all"``, ``"count"``, ``"prove"``, ``"pack"`` or
        ``"tile"``; see `exactile.surveys.compare.trial.TASKS`. ``"pack"`` needs the backends of
        `exactile.pack`; ``"tile"`` covers ever larger discs with copies of the pieces until that is
        impossible. These two tasks are not for models.
    time_limit, memory_limit
        Seconds for each search; megabytes of memory that each process may write to, or None for no
        limit of memory.
    seed, threads, use_symmetry
        As in `exactile.Search`, where `threads` is called `workers`.
    repeats
        Number of runs of each backend on each puzzle.
    certificates
        For the task ``"prove"``: whether to check the proofs that backends can write if a puzzle
        has no solution. Writing and checking a proof may take `time_limit` again.
    workers
        Number of runs at the same time.
    shuffle
        Whether to run in a random order, which depends on the seed.
    store
        A file to keep finished runs in; runs that it already has are not repeated. Several
        processes may work on it. None to keep no file.
    on
        ``"dask"`` to start a Dask cluster on this machine and run there, ``"dask:ADDRESS"`` to run
        on the cluster of the scheduler at that address; None to run without a cluster.

    Attributes
    ----------
    outcomes
        The outcomes of finished runs.
    damaged
        Number of damaged lines of the store, which were ignored; known once `run` has ended.

    Raises
    ------
    PuzzleError
        If the task or `on` is unknown, a limit is not positive, there is nothing to compare, a
        puzzle or backend is named twice, or the task does not suit a puzzle or `certificates`.
    BackendNotFoundError
        If a backend is unknown, or unsuitable for the task ``"pack"``.
    BackendError
        If a backend does not support a setting of its variant, or if the variant names a method of
        counting that is unknown or does not suit the task or an instance.

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

    puzzles: Sequence[Puzzle | Instance]
    backends: list[str]
    task: str = "first"
    time_limit: float = 60.0
    memory_limit: int | None = None
    seed: Seed = 0
    threads: Workers = 1
    use_symmetry: bool = True
    repeats: Positive = 1
    certificates: bool = False
    workers: Workers = 1
    shuffle: bool = False
    store: Path | None = None
    on: str | None = None
    outcomes: list[ComparedRun] = field(default_factory=list)
    damaged: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise PuzzleError(f"There is no task '{self.task}' to compare: use {', '.join(TASKS)}.")
        require_place(self.on)
        Limits(self.time_limit, memory_limit=self.memory_limit)  # raises errors
        self._instances = list(map(Instance.of, self.puzzles))
        names = [instance.name for instance in self._instances]
        for what, given in (("puzzle", names), ("backend", self.backends)):
            if not given:
                raise PuzzleError(f"There is nothing to compare: name a {what}.")
            twice = next((g for g in given if given.count(g) > 1), None)
            if twice is not None:
                raise PuzzleError(f"The {what} '{twice}' is named twice: leave one out.")
        if self.certificates and self.task != "prove":
            raise PuzzleError("Certificates are for the task 'prove': leave them out.")
        if self.task in ("pack", "tile"):
            self._require_puzzles()
        self._require_backends()

    def _require_backends(self) -> None:
        """Raise BackendError unless all backends are known and suit the task.

        They need not be installed.
        """
        request = Request(limit=None if self.task in LISTING else 1)
        for name in self.backends:
            if self.task == "pack":
                require_packer(name)
                continue
            plain, method = with_method(name, "")
            if method:
                self._require_method(name, method)
            try:
                get_backend(plain).parameters(request)
            except BackendMissingError:
                continue  # the table shows that it is missing

    def _require_method(self, name: str, method: str) -> None:
        """Raise BackendError unless a method of counting suits the task and all instances."""
        if self.task != "count":
            raise BackendError(f"'{name}': +{METHOD} is for the task 'count': leave it out.")
        if method not in METHODS:
            raise BackendError(f"'{name}': the methods of counting are {', '.join(METHODS)}.")
        for instance in self._instances:
            if method == "frontier" and isinstance(instance.problem, Model):
                raise BackendError(
                    f"'{name}': '{instance.name}' is a model, which no frontier counts: write "
                    f"+{METHOD}=list or +{METHOD}=memo."
                )

    def _require_puzzles(self) -> None:
        """Raise PuzzleError unless all instances are puzzles that suit the task."""
        for instance in self._instances:
            if not isinstance(instance.problem, Puzzle):
                raise PuzzleError(
                    f"'{instance.name}' is a model, which has no pieces: the task '{self.task}' is "
                    "for puzzles."
                )
            (require_packings if self.task == "pack" else as_prototiles)(instance.problem)

    def trials(self) -> list[Trial]:
        """Return the settings of all runs, in the order in which the runs begin."""
        found = [
            Trial(
                *(instance, backend, self.task, self.time_limit, self.memory_limit, self.seed),
                *(self.threads, self.use_symmetry, repeat, self.certificates),
            )
            for instance in self._instances
            for backend in self.backends
            for repeat in range(1, self.repeats + 1)
        ]
        if self.shuffle:
            found.sort(key=lambda trial: sha256(f"{self.seed} {trial.key}".encode()).digest())
        return found

    def run(self) -> Iterator[ComparedRun]:
        """Do the runs that are left, and yield each outcome as soon as it is known.

        Outcomes that are already in the store come first. Outcomes of other processes are yielded
        as soon as they are stored. Raise FileError if the file at `store` is not a store of a
        comparison, WorkError if a process cannot be started or the cluster is missing or fails.
        """
        waiting = {trial.key: trial for trial in self.trials()}
        for done in self.outcomes:
            waiting.pop(done.key, None)
        if self.store is None:
            yield from self._worked_off(waiting, None)
            return
        with RunStore(self.store) as store:
            yield from self._worked_off(waiting, store)
            self.damaged = store.damaged

    def _worked_off(
        self, waiting: dict[str, Trial], store: RunStore | None
    ) -> Iterator[ComparedRun]:
        with Crew(self.workers, self.on) as crew:
            while waiting or crew.busy:
                free = (key for key in waiting if store is None or store.claim(key))
                claimed = list(islice(free, self.workers - crew.busy))
                for done in store.news() if store is not None else ():  # read after the claims
                    if store is not None and done.key in claimed:
                        store.release(done.key)
                    if waiting.pop(done.key, None) is not None:
                        self.outcomes.append(done)
                        yield done
                for trial in filter(None, (waiting.pop(key, None) for key in claimed)):
                    crew.begin(trial)
                if (new := crew.next()) is not None:
                    self.outcomes.append(new)
                    if store is not None and new.end != "missing":  # it may be installed later
                        store.add(new)
                    yield new

    def disagreements(self) -> list[str]:
        """Return sentences about contradictions between outcomes, and about wrong outcomes."""
        return [
            fault
            for instance in self._instances
            for fault in disagreements([o for o in self.outcomes if o.puzzle == instance.name])
        ]

    @property
    def answer(self) -> ComparisonAnswer:
        """The settings and outcomes so far, as an answer; refuted outcomes end as ``"wrong"``."""
        puzzles = tuple(instance.name for instance in self._instances)
        ordered = sorted(self.outcomes, key=lambda o: (self.backends.index(o.backend), o.repeat))
        runs = [
            run for puzzle in puzzles for run in judged([o for o in ordered if o.puzzle == puzzle])
        ]
        return ComparisonAnswer(
            format=FORMAT,
            task=self.task,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            seed=self.seed,
            threads=self.threads,
            use_symmetry=self.use_symmetry,
            repeats=self.repeats,
            puzzles=puzzles,
            backends=tuple(self.backends),
            finished=len(runs) == len(puzzles) * len(self.backends) * self.repeats,
            disagreements=tuple(self.disagreements()),
            runs=tuple(runs),
        )


@door
def variants(
    backends: Iterable[str],
    encodings: Sequence[str] = (),
    seeds: Sequence[Seed] = (),
    parameters: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return the variants of backends: one for each combination of encoding, parameters and seed.

    A backend gets only the settings that it supports; one that is not installed gets only seeds.
    `parameters`: values to try for each parameter of a solver, by name. Raise BackendError if a
    backend is unknown, or if no backend supports a setting.

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
        raise BackendError("No seed can be set for these backends: leave the seeds out.")
    for parameter in values:
        if not any(_knows(backend, parameter) for _, backend in made):
            own = " Say --threads N." if "worker" in parameter else ""
            raise BackendError(f"None of these backends has a parameter '{parameter}' to set.{own}")
    found = []
    for name, backend in made:
        chosen = [
            [f"+encoding={e}" for e in encodings if e in _encodings(backend)],
            *([f"+{p}={v}" for v in vs] for p, vs in values.items() if _knows(backend, p)),
            [f"+seed={seed}" for seed in seeds if backend is None or backend.takes_seed],
        ]
        found += [name + "".join(each) for each in product(*(choice or [""] for choice in chosen))]
    return found


def _installed(name: str) -> Backend | None:
    """Return a backend; None if it is not installed or is only for the task ``"pack"``."""
    plain = parsed(name).backend
    if plain in PACKERS and plain not in backend_names():
        return None
    try:
        return get_backend(with_method(name, "")[0])
    except BackendMissingError:
        return None


def _encodings(backend: Backend | None) -> Sequence[str]:
    return backend.encodings if backend is not None else ()


def _knows(backend: Backend | None, parameter: str) -> bool:
    """Return whether a backend has this parameter and allows it to be set."""
    return backend is not None and backend.knows(parameter)


@door
def compare(
    puzzles: Iterable[Puzzle | Instance],
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
        See `Comparison`.
    encodings, seeds, parameters
        Settings with which each backend is run, if it supports them; see `variants`.
    options
        Other parameters of `Comparison`.

    Raises
    ------
    PuzzleError, BackendNotFoundError, BackendError
        See `Comparison` and `variants`.
    FileError, WorkError
        See `Comparison.run`.

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


LOOK = 1.0
"""Seconds between two queries to a Dask scheduler: for its workers, or for the end of all runs."""


def require_place(on: str | None) -> None:
    """Raise PuzzleError unless `on` is None, ``"dask"`` or ``"dask:ADDRESS"``."""
    place, colon, address = (on or "dask").partition(":")
    if place != "dask" or (colon and not address):
        raise PuzzleError(f"A comparison cannot run on '{on}': use dask or dask:ADDRESS.")


class Crew(Closing):
    """Does several runs at a time: for each, a thread starts a process and waits for it.

    `most`: the number of runs that the caller begins at a time, and of workers in a new Dask
    cluster. `on`: see `Comparison`.
    """

    def __init__(self, most: int, on: str | None = None) -> None:
        self.busy = 0
        self._stop = Event()
        self._threads: list[Thread] = []
        self._done: SimpleQueue[ComparedRun | BaseException | None] = SimpleQueue()
        self._most, self._on = most, on
        self._cluster: Cluster | None = None

    def begin(self, trial: Trial) -> None:
        """Begin a run. Raise WorkError if it needs a Dask cluster that is not available."""
        if self._on is not None and self._cluster is None:  # only now: all may be in the store
            self._cluster = Cluster(self._on.partition(":")[2] or None, self._most)
        run = self._cluster or run_trial

        def work() -> None:
            try:
                if self._stop.is_set():
                    return
                self._done.put(run(trial, self._stop))
            except BaseException as error:
                self._done.put(error)

        self.busy += 1
        self._threads = [t for t in self._threads if t.is_alive()] + [Thread(target=work)]
        self._threads[-1].start()

    def next(self) -> ComparedRun | None:
        """Return the outcome of a run that has ended; None if no run ends within a heartbeat.

        If the run failed, raise its error.
        """
        try:
            done = self._done.get(timeout=CLOCK.lasting(HEARTBEAT))
        except Empty:
            return None
        self.busy -= 1
        if isinstance(done, BaseException):
            raise done
        return done

    def close(self) -> None:
        """Kill the processes of all runs that have not ended, and leave the Dask cluster."""
        self._stop.set()
        for thread in self._threads:
            with suppress(RuntimeError):  # it was not started yet when Ctrl-C came
                thread.join()
        if self._cluster is not None:
            self._cluster.close()


class Cluster(Closing):
    """A Dask cluster, whose workers start a process for each run.

    If a worker is lost, another one repeats its runs. `address`: the address of the scheduler; None
    starts a cluster of `workers` workers on this machine.
    """

    def __init__(self, address: str | None, workers: int) -> None:
        from exactile.runs.executors.dask import ALONE, connect

        self._client, self._own = connect(address, workers)
        self._patience = ALONE * TUNING.dask_patience
        self._name = f"exactile-{uuid4()}"  # of the event that ends all runs

    def __call__(self, trial: Trial, stop: Event) -> ComparedRun | None:
        """Do a run on a worker of the cluster, and return its outcome; None if `stop` is set.

        Raise WorkError if the cluster cannot do the run.
        """
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        words = own_version(), self._name, pickle.dumps(trial)
        try:
            future = self._client.submit(run_there, *words, key=f"exactile-{uuid4()}")
            seen = CLOCK.now()
            while not future.done():
                if stop.is_set():
                    future.cancel()
                    return None
                CLOCK.pause(HEARTBEAT)
                seen = self._seen(seen)
            answer = future.result()
        except WorkError:
            raise
        except KilledWorker as error:  # Dask has tried it several times
            message = f"workers died of it: {error.last_worker.address}"
            return trial.outcome(end="crash", message=message)
        except Exception as error:  # anything that a worker may raise, such as an ImportError
            if isinstance(error, CancelledError) or self._client.status == "closed":
                gone = "The Dask scheduler is gone: a store keeps finished runs."
                raise WorkError(gone) from None
            raise WorkError(f"A Dask worker failed: {type(error).__name__}: {error}") from error
        if isinstance(answer, str):
            raise WorkError(answer)
        found: ComparedRun | None = answer
        return found

    def _seen(self, last: float) -> float:
        """Return the latest time at which the cluster is known to have had workers.

        `last`: the previous result. Raise WorkError if there have been no workers for too long.
        """
        now = CLOCK.now()
        if now < last + LOOK or self._client.status != "running":
            return last
        if self._client.scheduler_info()["workers"]:
            return now
        if now > last + self._patience:
            raise WorkError(f"The Dask cluster has had no workers for {self._patience:g} seconds.")
        return last

    def close(self) -> None:
        """End all runs, and the cluster if it was started here."""
        from distributed import Event as SharedEvent

        with suppress(Exception):  # it may be gone already, and is not needed
            SharedEvent(self._name, client=self._client).set()
        for ending in (self._client, self._own):
            if ending is not None:
                with suppress(Exception):
                    ending.close()


class _Ended:
    """A flag that is set when a comparison on a Dask cluster ends; the scheduler holds it."""

    def __init__(self, name: str) -> None:
        from distributed import Event as SharedEvent

        self._event: Any = SharedEvent(name)
        self._next = CLOCK.now() + LOOK

    def is_set(self) -> bool:
        if CLOCK.now() < self._next:
            return False
        self._next = CLOCK.now() + LOOK
        with suppress(Exception):  # the scheduler may be busy
            return bool(self._event.is_set())
        return False


def run_there(version: str, name: str, trial: bytes) -> ComparedRun | str | None:
    """Do a run on a Dask worker, and return its outcome; None if the comparison ends first.

    If the worker has a different version of Exactile, the result is an error message. `version`:
    version of the client. `name`: name of the event that ends all runs. `trial`: a pickled `Trial`.
    """
    if version != own_version():
        return f"A Dask worker has exactile {own_version()}, this is {version}."
    return run_trial(pickle.loads(trial), _Ended(name))  # noqa: S301
