"""Solutions from a solver in a process of its own, which may be stopped or crash at any moment.

Most solvers cannot be interrupted soon enough from Python, because they hold the interpreter's lock
or rarely check a flag. A process can always be killed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from importlib.metadata import version
from typing import NamedTuple, Protocol

import numpy as np

from exactile.backends.base import Backend, Batch, Request, no_solutions
from exactile.errors import BackendCrashedError, BackendError
from exactile.model.model import Model
from exactile.work import Death, Job, Task, Tell


class Found(NamedTuple):
    """A message from the process of a solver.

    Attributes
    ----------
    options
        The options of a solution; None if the message has only counters.
    stats
        The counters of the solver so far.
    """

    options: list[int] | None
    stats: dict[str, int]


def search_in_child(name: str, task: Task[Found]) -> Generator[Batch]:
    """Run a task in a new process, and yield the solutions that it reports.

    When the generator is closed, the process is killed. Raise BackendCrashedError if the process
    dies or reports a solution twice, BackendError if the task raises an error. `name`: the name of
    the backend, for messages.
    """
    seen: set[tuple[int, ...]] = set()
    latest = Batch(no_solutions())
    with Job(task) as job:
        for found in job:
            if found is None:
                yield latest
                continue
            latest = Batch(no_solutions(), found.stats)
            if found.options is None:
                yield latest
                continue
            if (key := tuple(found.options)) in seen:
                raise repeated(name)
            seen.add(key)
            yield Batch(np.array([found.options], dtype=np.int32), found.stats)
        if job.death is not None:
            raise failed(name, job.death)


class PackageBackend(Backend):
    """The solver of a Python package, run in a process of its own.

    `title`: name of the solver in the text of `version`. `package`: name of the installed package.
    `task`: a function that returns the task of a search. `takes_workers`: see `Backend`. A subclass
    for a solver without seeds, colors or prefixes sets `takes_seed`, `takes_colors` or
    `takes_prefixes` to False.
    """

    takes_prefixes = True
    takes_colors = True
    takes_seed = True

    def __init__(
        self,
        name: str,
        title: str,
        package: str,
        task: Callable[[Model, Request], Task[Found]],
        *,
        takes_workers: bool = False,
    ) -> None:
        self.name = name
        self.takes_workers = takes_workers
        self._title, self._package, self._task = title, package, task

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        return search_in_child(self.name, self._task(model, request))

    def version(self) -> str:
        """Return the title of the solver with the version of its package."""
        return f"{self._title} {version(self._package)}"


def failed(name: str, death: Death) -> BackendError:
    """Return the error for a solver's process that died or raised an error."""
    if not death.again:
        return BackendError(f"{name} failed: {death.cause}{death.tail}")
    return BackendCrashedError(
        f"The process of {name} died ({death.cause}); solutions found before it are kept. "
        f"Try another backend, or more memory.{death.tail}"
    )


def repeated(name: str) -> BackendError:
    """Return the error for a solution that was reported twice."""
    return BackendCrashedError(
        f"{name} returned a solution twice, against the clause that forbids it."
    )


class SolverSession(Protocol):
    """A solver that has a model, and finds its solutions one after the other."""

    def solve(self, prefix: tuple[int, ...]) -> list[int] | None:
        """Return the options of a solution that extends a prefix; None if no more are left."""

    def forbid(self, taken: list[int], others: list[int]) -> None:
        """Forbid solutions that contain all options in `taken` and none in `others`."""

    def stats(self) -> dict[str, int]:
        """Return the counters of the solver so far, by name."""


@dataclass(frozen=True, eq=False)
class Blocking:
    """A task for a process: find all solutions, and forbid each one once it is found.

    `start` makes a solver for a model and a request; it is called in that process.
    """

    model: Model
    request: Request
    start: Callable[[Model, Request], SolverSession]

    def run(self, tell: Tell[Found]) -> None:
        """Report every solution once with the counters so far, and the counters at the end."""
        session = self.start(self.model, self.request)
        solves = 0
        every = set() if self.model.pinned else set(range(self.model.options))
        for prefix in self.request.prefixes:
            found: list[int] | None = []
            while found is not None:
                solves += 1
                found = session.solve(prefix)
                tell(Found(found, {"solves": solves, **session.stats()}))
                if found is None:
                    continue
                others = sorted(every - set(found))
                if not found and not others:
                    break  # the empty solution is the only one
                session.forbid(found, others)
