"""Solutions from a solver in a process of its own: it can be stopped at any moment, and may crash.

Most solvers cannot be interrupted from Python in time: they hold the interpreter's lock or check a
flag too rarely. A process can always be killed.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from exactile.backends.base import Batch, no_solutions
from exactile.errors import BackendCrashedError, BackendError
from exactile.work import Death, Job, Task


class Found(NamedTuple):
    """Messages of a solver.

    Attributes
    ----------
    options
        The options of a solution; None for a message with counters only.
    stats
        Its present counters.
    """

    options: list[int] | None
    stats: dict[str, int]


def search_in_child(name: str, task: Task[Found]) -> Generator[Batch]:
    """Run a task in a new process, killed when the iterator is closed, and yield its solutions.

    Raise BackendCrashedError if the process dies or reports a solution twice, BackendError if the
    task raises an error.
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


def failed(name: str, death: Death) -> BackendError:
    """Return the error for the death of a solver's process."""
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
