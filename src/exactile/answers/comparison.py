"""The answers of comparisons of backends, and about the instances for them."""

from __future__ import annotations

from typing import Any

from msgspec import field

from exactile.answers.base import Answer, Stats, Status


class ComparedRun(Answer, frozen=True, kw_only=True):
    """A run of one backend on one puzzle or model file.

    Attributes
    ----------
    puzzle, family
        The puzzle or model file, and its family, such as the polyforms of its lattice.
    backend, version
        The backend with its settings, and the version of its solver.
    repeat
        Number of the run among those with the same settings, from 1.
    end
        ``"finished"``, ``"time limit"``, ``"out of memory"``, ``"crash"``, ``"missing"`` (the
        backend is not installed), ``"gave up"`` or ``"wrong"`` (a wrong answer was returned).
    answer
        A value of `Status`.
    settled_by
        The backend's name for itself at the end: for ``auto``, the backend that answered; for a
        count, the method that found the number.
    found, distinct
        Number of solutions returned, and of different ones.
    number
        The number of all solutions, if it is known.
    value, bound
        For the task ``"pack"``: units that the best packing covers, and an upper bound.
    digest, model
        SHA-256 of the sorted set of all solutions, None if not all were found; digest of the model
        to which they belong.
    seconds, build_seconds, cpu_seconds
        Time of searching (with the preparations of the backend, such as writing clauses or starting
        a process); of building the model; processor time of everything.
    megabytes
        The largest memory of any one of its processes.
    proof, proof_bytes, proof_seconds
        ``"checked"`` if a certificate of the refutation was made and verified, ``"time limit"``,
        ``"none"`` if the backend writes none, or empty if none was requested; size of the proof;
        time of making and verifying.
    task, time_limit, memory_limit, seed, threads, use_symmetry
        The settings: seconds, megabytes; the seed that reached the solver, if one did.
    parameters
        The parameters of its solver, as far as the backend reports them.
    stats
        See `Search.stats`.
    message
        The error, in words.
    machine, exactile, begun
        The machine, the version of Exactile, and the time in seconds since 1970.
    key
        A digest of the settings, by which a store recognizes the run.
    """

    puzzle: str
    backend: str
    end: str
    family: str = ""
    repeat: int = 1
    answer: str = Status.UNKNOWN.value
    settled_by: str = ""
    version: str = ""
    found: int = 0
    distinct: int = 0
    number: int | None = None
    value: int | None = None
    bound: int | None = None
    digest: str | None = None
    model: str = ""
    seconds: float | None = None
    build_seconds: float | None = None
    cpu_seconds: float | None = None
    megabytes: int | None = None
    proof: str = ""
    proof_bytes: int | None = None
    proof_seconds: float | None = None
    task: str = "first"
    time_limit: float = 60.0
    memory_limit: int | None = None
    seed: int | None = None
    threads: int = 1
    use_symmetry: bool = True
    parameters: dict[str, Any] = field(default_factory=dict)
    stats: Stats = Stats()
    message: str = ""
    machine: str = ""
    exactile: str = ""
    begun: float = 0.0
    key: str = ""


class ComparisonAnswer(Answer, frozen=True, kw_only=True):
    """The runs of backends on the same puzzles under the same conditions.

    Attributes
    ----------
    format
        2.
    task, time_limit, memory_limit, seed, threads, use_symmetry, repeats
        The settings of every run; seconds and megabytes.
    puzzles, backends
        The puzzles and backends compared.
    finished
        Whether all runs are done.
    disagreements
        Contradictions between answers, in words.
    runs
        Puzzle by puzzle, backend by backend, repeat by repeat.
    """

    format: int
    task: str
    time_limit: float
    memory_limit: int | None
    seed: int
    threads: int
    use_symmetry: bool
    repeats: int
    puzzles: tuple[str, ...]
    backends: tuple[str, ...]
    finished: bool
    disagreements: tuple[str, ...]
    runs: tuple[ComparedRun, ...]


class InstanceEntry(Answer, frozen=True, kw_only=True):
    """An instance of the library.

    Attributes
    ----------
    name, family
        Its name, and that of its family.
    answer
        ``"counted"`` (solvable, and the number of solutions is known), ``"satisfiable"``,
        ``"unsatisfiable"`` or ``"open"``.
    number
        The number of all solutions, if it is known.
    source
        The source of the answer; empty if it is open.
    units, pieces
        Number of units of the region, and of different pieces; None for a model.
    items, options
        Size of its model.
    symmetries
        Number of symmetries of the puzzle, with the identity; None for a model.
    density
        Fraction of all pairs of an item and an option in which the option contains the item.
    digest
        The identity of the puzzle or of the model.
    """

    name: str
    family: str
    answer: str
    number: int | None = None
    source: str = ""
    units: int | None = None
    pieces: int | None = None
    items: int = 0
    options: int = 0
    symmetries: int | None = None
    density: float = 0.0
    digest: str = ""


class InstanceFamily(Answer, frozen=True, kw_only=True):
    """A family of instances.

    Attributes
    ----------
    name, about
        Its name; what it consists of and why it is interesting.
    instances
        Its instances.
    """

    name: str
    about: str
    instances: tuple[InstanceEntry, ...]


class InstanceList(Answer, frozen=True, kw_only=True):
    """The library of instances, or a part of it.

    Attributes
    ----------
    families
        The families that have any of the instances.
    """

    families: tuple[InstanceFamily, ...]
