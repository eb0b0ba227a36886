"""All solutions from solvers that find one at a time: a constraint forbids each solution found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from exactile.backends.base import Request
from exactile.backends.child import Found
from exactile.model.model import Model
from exactile.work import Tell


class SolverSession(Protocol):
    """A solver that holds a model."""

    def solve(self, prefix: tuple[int, ...]) -> list[int] | None:
        """Return the options of a solution that extends a prefix, None if there is none left."""

    def forbid(self, taken: list[int], others: list[int]) -> None:
        """Forbid that all of the first options are chosen and none of the others."""

    def stats(self) -> dict[str, int]:
        """Return the present counters of the solver."""


@dataclass(frozen=True, eq=False)
class Blocking:
    """The task of finding all solutions; see `exactile.backends.child`.

    `start`: gives the model to the solver, in the process that runs the task.
    """

    model: Model
    request: Request
    start: Callable[[Model, Request], SolverSession]

    def run(self, tell: Tell[Found]) -> None:
        """Report every solution once, with the counters."""
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
