"""The answers of comparisons of backends."""

from __future__ import annotations

from typing import Any

from msgspec import field

from exactile.answers.base import Answer, Status
from exactile.answers.stats import Stats


class ComparedRun(Answer, frozen=True, kw_only=True):
    """The run of one backend on one puzzle.

    Attributes
    ----------
    puzzle, backend, version
        The puzzle, the backend, and the version of its solver.
    end
        ``"finished"``, ``"time limit"``, ``"out of memory"``, ``"crash"``, ``"missing"`` (the
        backend is not installed) or ``"wrong"`` (a wrong solution was returned).
    answer
        A value of `Status`.
    settled_by
        The backend's name for itself at the end: for ``auto``, the backend that answered.
    found, distinct
        Number of solutions returned, and of different ones.
    digest
        SHA-256 of the sorted set of all solutions; None if not all were found.
    seconds, build_seconds, cpu_seconds
        Time of searching (with the preparations of the backend, such as writing clauses or starting
        a process); of building the model; processor time of everything.
    megabytes
        The largest memory of any of its processes.
    parameters
        The parameters of its solver, as far as the backend reports them.
    stats
        See `Search.stats`.
    message
        What went wrong, in words.
    """

    puzzle: str
    backend: str
    end: str
    answer: str = Status.UNKNOWN.value
    settled_by: str = ""
    version: str = ""
    found: int = 0
    distinct: int = 0
    digest: str | None = None
    seconds: float | None = None
    build_seconds: float | None = None
    cpu_seconds: float | None = None
    megabytes: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    stats: Stats = Stats()
    message: str = ""


class Machine(Answer, frozen=True, kw_only=True):
    """The machine of the measurements."""

    system: str
    processor: str
    processors: int | None
    python: str


class ComparisonAnswer(Answer, frozen=True, kw_only=True):
    """Backends on the same puzzles on equal terms.

    Attributes
    ----------
    format
        1.
    task, time_limit, memory_limit, seed, workers, use_symmetry
        The settings of every run; seconds and megabytes.
    machine
        The machine.
    puzzles, backends
        The puzzles and backends compared.
    finished
        Whether all runs are done.
    disagreements
        How answers contradict each other, in words.
    runs
        In the order of execution.
    """

    format: int
    task: str
    time_limit: float
    memory_limit: int | None
    seed: int
    workers: int
    use_symmetry: bool
    machine: Machine
    puzzles: tuple[str, ...]
    backends: tuple[str, ...]
    finished: bool
    disagreements: tuple[str, ...]
    runs: tuple[ComparedRun, ...]
