"""The handle of a search in a model that belongs to no puzzle; checks every solution."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from typing import Any

from exactile.backends import Backend, Request, get_backend
from exactile.backends.base import check_encoding
from exactile.errors import BackendError, CheckFailedError, ModelError
from exactile.model.model import Ints, Model
from exactile.model.orbits import Assignments
from exactile.model.verify import fault
from exactile.solve.search import Status


class CoverSearch:
    """A search for the solutions of a model, the same for every backend.

    Parameters
    ----------
    model
        The model.
    backend
        Name of a backend, or the backend itself.
    limit
        Stop after so many solutions.
    time_limit
        Stop after so many seconds of searching.
    seed, workers, encoding, kinds
        Handed on to the backend; see `exactile.backends.base.Request`.

    Attributes
    ----------
    found
        Number of solutions found so far.
    done
        The part of the search that lies behind, from 0 to 1; None if the backend cannot tell.
    stopped
        Why the search ended before all was searched: ``"time limit"``, ``"solution limit"``,
        ``"interrupted"``, what a solver says that gives up, or None.
    proof
        A folder with a formula and a proof that there are no further solutions, if the backend left
        one.

    Raises
    ------
    ModelError
        If a limit is not positive.
    BackendError
        If the model has colors and the backend does not understand them.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> search = CoverSearch(model)
    >>> found = [row for rows in search.batches() for row in rows.tolist()]
    >>> sorted(sorted(o for o in row if o >= 0) for row in found)
    [[0], [1, 2]]
    >>> search.status
    <Status.COMPLETE: 'complete'>
    """

    def __init__(
        self,
        model: Model,
        *,
        backend: str | Backend = "dlx",
        limit: int | None = None,
        time_limit: float | None = None,
        seed: int = 0,
        workers: int | None = None,
        encoding: str | None = None,
        kinds: Ints | None = None,
    ) -> None:
        for name, value in (("limit", limit), ("time limit", time_limit), ("workers", workers)):
            if value is not None and not value > 0:
                raise ModelError(f"A {name} of {value} makes no sense: it must be positive.")
        self.model = model
        self.backend = get_backend(backend) if isinstance(backend, str) else backend
        if model.colored and not self.backend.takes_colors:
            raise BackendError(
                f"The backend {self.backend.name} does not understand colored items: "
                "take dlx, sat, cpsat or reference."
            )
        self.found = 0
        self.done: float | None = None
        self.stopped: str | None = None
        self.proof: str | None = None
        check_encoding(self.backend, encoding)
        self._request = Request(
            limit=limit, seed=seed, workers=workers, encoding=encoding, kinds=kinds
        )
        self._limit = limit
        self._time_limit = time_limit
        self._counters: dict[str, int] = {}
        self._seconds = 0.0
        self._exhausted = False

    @property
    def status(self) -> Status:
        """What is known so far."""
        if self._exhausted:
            return Status.COMPLETE if self.found else Status.UNSOLVABLE
        return Status.SOLVABLE if self.found else Status.UNKNOWN

    @property
    def stats(self) -> dict[str, Any]:
        """Sizes of the model, counters of the backend, and seconds."""
        return {
            "items": self.model.items,
            "options": self.model.options,
            "nodes": None,
            **self._counters,
            "seconds": round(self._seconds, 6),
        }

    @property
    def counters(self) -> Mapping[str, int]:
        """The counters of the backend."""
        return self._counters

    def batches(self) -> Generator[Assignments]:
        """Yield checked assignments, padded with -1; empty batches too, as a sign of life."""
        running = self.backend.search(self.model, self._request)
        try:
            while self.stopped is None:
                begun = time.monotonic()
                try:
                    batch = next(running)
                except StopIteration:
                    self._exhausted = True
                    return
                finally:
                    self._seconds += time.monotonic() - begun
                self._counters.update(batch.stats)
                self.done = batch.done
                self.proof = batch.proof
                rows = batch.assignments
                if self._limit is not None:
                    rows = rows[: self._limit - self.found]
                self._check(rows)
                self.found += len(rows)
                self.stopped = self._stop_reason() or batch.stopped
                yield rows
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            raise
        finally:
            running.close()

    def _stop_reason(self) -> str | None:
        if self._limit is not None and self.found >= self._limit:
            return "solution limit"
        if self._time_limit is not None and self._seconds >= self._time_limit:
            return "time limit"
        return None

    def _check(self, rows: Assignments) -> None:
        wrong = fault(self.model, rows) if len(rows) else None
        if wrong is not None:
            raise CheckFailedError(
                f"The backend {self.backend.name} returned what is no solution: {wrong}. "
                "This is a bug of ours or of the solver: please report it with the file."
            )
