"""The search of a model by a backend: as part of a puzzle's search, or for a model on its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import TypeVar

import numpy as np

from exactile.answers import Count
from exactile.backends import Backend, Request, get_backend
from exactile.backends.base import Batch, Left, Prefix, check_encoding, results
from exactile.doors import Seed, Workers, door
from exactile.errors import BackendError, PuzzleError
from exactile.model.decoder import fault
from exactile.model.model import Ints, Model
from exactile.model.orbits import Assignments
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.handle import Fault, Handle, Problem
from exactile.search.limits import Limits, require_positive

A = TypeVar("A")


class ModelProblem(Problem[A]):
    """The problem of solving a model by a backend; subclasses decode and check the solutions.

    `left` is the rest of an earlier search, if one is resumed; its prefixes replace those of the
    request. Raise BackendError if there is no such backend, or if it does not support the prefixes
    of `left`, the encoding, or colored items. Raise PuzzleError if `left` belongs to another model,
    or the number of workers is not positive.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        backend: str | Backend,
        request: Request,
        left: Left | None = None,
    ) -> None:
        require_positive(workers=request.workers)
        self.name = name
        self.model = model
        self.backend = get_backend(backend) if isinstance(backend, str) else backend
        self.request = request if left is None else self._going_on(request, left)
        self._found = [] if left is None else left.rows
        check_encoding(self.backend, request.encoding)
        if model.colored and not self.backend.takes_colors:
            raise BackendError(
                f"The backend {self.backend.name} does not support colored items: "
                "take dlx, sat, cpsat or reference."
            )

    def _going_on(self, request: Request, left: Left) -> Request:
        """Return the request with the prefixes and weights of the rest of an earlier search.

        Raise PuzzleError if the rest belongs to another model, BackendError if the backend does not
        support its prefixes. Set `share`, the fraction of the whole search that is left.
        """
        if left.digest != self.digest():
            raise PuzzleError(
                f"The rest of the search belongs to another model than that of {self.name}: "
                "start a new search."
            )
        paths, weights = zip(*left.prefixes, strict=True) if left.prefixes else ((), ())
        if not self.backend.takes_prefixes and any(paths):
            raise BackendError(
                f"The backend {self.backend.name} cannot resume a part of a search: take dlx, "
                "sat or cpsat."
            )
        self.share = sum(weights)
        return replace(request, prefixes=paths, weights=weights)

    def digest(self) -> str:
        """Return the digest of the model."""
        return self.model.digest

    @property
    def asked(self) -> Model:
        """The model that is given to the backend; subclasses may leave out redundant bounds."""
        return self.model

    @property
    def searcher(self) -> str:
        return f"The backend {self.backend.name}"

    @property
    def sizes(self) -> Mapping[str, int]:
        return {"items": self.model.items, "options": self.model.options}

    def batches(self) -> Generator[Batch]:
        if self._found:
            yield Batch(stacked(self._found), left=lambda: self._rest([]))
        if self.request.prefixes:
            request = replace(self.request, deadline=self.limits.deadline)
            with closing(results(self.backend, self.asked, request)) as running:
                for batch in running:
                    yield self._completed(batch)

    def part_fault(self, rows: Assignments) -> Fault | None:
        wrong = fault(replace(self.model, lower=np.zeros_like(self.model.lower)), rows)
        return None if wrong is None else Fault(0, [wrong])

    def left(self) -> Left | None:
        return self._rest(self._found)

    def expanded(self, rows: Assignments) -> Assignments:
        """Return the solutions in some rows together with the images that the search left out.

        This method adds no images; subclasses that search one branch of each orbit do.
        """
        return rows

    def _rest(self, rows: list[list[int]]) -> Left:
        prefixes = list(map(Prefix, self.request.prefixes, self.request.parts))
        return Left(prefixes, rows, self.digest())

    def _completed(self, batch: Batch) -> Batch:
        """Return a batch whose solutions, and those in its `left`, are expanded: see `expanded`."""
        tell = batch.left

        def left() -> Left:
            assert tell is not None
            rest = tell()
            rows = self.expanded(stacked(rest.rows)) if rest.rows else stacked([])
            own = self._rest([[o for o in row if o >= 0] for row in rows.tolist()])
            return own._replace(prefixes=rest.prefixes)

        rows = self.expanded(batch.assignments) if len(batch.assignments) else batch.assignments
        return batch._replace(assignments=rows, left=tell and left)


def stacked(rows: list[list[int]]) -> Assignments:
    """Return lists of options as an array with one row for each; shorter rows are padded with -1.

    Examples
    --------
    >>> stacked([[3], [1, 2]]).tolist()
    [[3, -1], [1, 2]]
    """
    width = max(map(len, rows), default=0)
    padded = [row + [-1] * (width - len(row)) for row in rows]
    return np.array(padded, dtype=np.int32).reshape(len(rows), width)


class CoverProblem(ModelProblem[list[int]]):
    """The problem of solving a model that has no puzzle; an answer is a sorted list of options."""

    def fault(self, rows: Assignments) -> Fault | None:
        if fault(self.model, rows) is None:
            return None
        faults = (fault(self.model, rows[n : n + 1]) for n in range(len(rows)))
        return next(Fault(n, [wrong]) for n, wrong in enumerate(faults) if wrong is not None)

    def answers(self, rows: Assignments) -> list[list[int]]:
        return [[o for o in sorted(row) if o >= 0] for row in rows.tolist()]


class CoverSearch(Handle[list[int]]):
    """A search for the solutions of a model by any backend; every solution is checked.

    Iterating yields the solutions, each as a list of options in increasing order.

    Parameters
    ----------
    model
        The model to be solved.
    backend
        Name of a backend, or the backend itself.
    limits
        Limits of time and number of solutions; none by default.
    seed, workers, encoding, kinds
        Passed to the backend; see `exactile.backends.base.Request`.
    left
        The rest of an earlier search of the same model: see `Handle.left`.
    watch
        Called with the search at every heartbeat.

    Raises
    ------
    BackendError
        If there is no such backend, or it does not support the encoding, the colors of the model
        or the prefixes of `left`.
    PuzzleError
        If `left` belongs to another model, `kinds` has not one number for each option, or an
        argument is out of range.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> search = CoverSearch(model)
    >>> sorted(search), search.status
    ([[0], [1, 2]], <Status.COMPLETE: 'complete'>)
    """

    problem: CoverProblem

    @door
    def __init__(
        self,
        model: Model,
        *,
        backend: str | Backend = DEFAULT_BACKEND,
        limits: Limits | None = None,
        seed: Seed = 0,
        workers: Workers | None = None,
        encoding: str | None = None,
        kinds: Ints | None = None,
        left: Left | None = None,
        watch: Callable[[CoverSearch], None] | None = None,
    ) -> None:
        if kinds is not None and kinds.shape != (model.options,):
            raise PuzzleError(
                f"`kinds` has the shape {kinds.shape}: give one number for each of the "
                f"{model.options} options."
            )
        limits = limits or Limits()
        request = Request(
            limit=limits.number, seed=seed, workers=workers, encoding=encoding, kinds=kinds
        )
        super().__init__(
            CoverProblem("the model", model, backend, request, left), limits, watch=watch
        )
        self.model, self.backend = model, self.problem.backend

    @door
    def count(self, name: str) -> Count:
        """Return a `Count` of the solutions found so far, in which `name` is the field `puzzle`.

        The search does not go on. The field `raw` is None unless all solutions were found.
        """
        return Count(
            puzzle=name,
            backend=self.backend.name,
            status=self.status,
            raw=self.found if self.status.final else None,
            found=self.found,
            stopped=self.stopped,
            done=self.done,
            proof=self.proof,
            stats=self.stats,
        )
