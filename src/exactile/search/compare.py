"""Backends on the same puzzles on equal terms, and whether their answers fit together."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from exactile.answers import ComparedRun, ComparisonAnswer, Machine, Status
from exactile.backends import Backend, get_backend
from exactile.backends.base import check_encoding
from exactile.doors import Seed, Workers, door, guarded
from exactile.errors import BackendError, BackendMissingError, PuzzleError
from exactile.puzzle.puzzle import Puzzle
from exactile.search.trial import TASKS, Trial, run_trial, variant

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

    `backends`: their names. `encodings`, `seeds`: values of each; by default those of every search.
    `parameters`: values of parameters of solvers, by their names. Raise BackendError if none of the
    backends knows an encoding or a parameter, PuzzleError if a text stands where a list should,
    BackendNotFoundError if there is no such backend.

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
    """Return a backend if it is installed; what is not stands in the table."""
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
