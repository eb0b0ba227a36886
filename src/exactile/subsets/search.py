"""The handle of a search for subsets: one solution for each subset of the pieces that covers."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from exactile.answers import Status
from exactile.backends import Backend, get_backend
from exactile.backends.base import takes_kinds
from exactile.errors import CheckFailedError, PuzzleError
from exactile.model.lower import lower
from exactile.model.model import Decoder, Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.solve.cover import CoverSearch
from exactile.solve.diagnose import obvious_reason
from exactile.subsets.blocks import Block, area_fits, narrowed, whole
from exactile.subsets.selection import Selections, Uses

METHODS = ("auto", "list", "divide", "block")
"""How one solution of each subset is found.

list: find all solutions and keep the first of each subset. divide: find a solution; what other
subsets there are falls into blocks (see `Block.without`); look for a solution in each. block: the
backend itself forbids the subset of each solution that it finds. auto: block if the backend can,
else list until `LISTED` solutions are found, then divide.
"""

LISTED = 20_000
"""So many solutions are listed before it is better to look for each subset on its own."""


class SubsetSearch:
    """A search for the subsets of a puzzle's pieces that cover its region.

    An iterator of pairs: how often each piece is used, and a solution. Every subset comes once, and
    every solution is checked.

    Parameters
    ----------
    puzzle
        The puzzle; its pieces should have ranges, or some of them be left out by choice, or there
        is only one subset.
    method
        One of `METHODS`. The subsets are the same.
    backend
        Name of a backend, or the backend itself.
    limit
        Stop after so many subsets.
    time_limit
        Stop after so many seconds.
    seed, workers, encoding
        Handed on to the backend; see `exactile.backends.base.Request`.
    use_reasons
        Whether a puzzle that is obviously unsolvable is not searched at all, nor blocks of subsets
        whose area does not fit.
    watch
        Called with the search at every heartbeat, many times a second.

    Attributes
    ----------
    found
        Number of subsets found so far.
    reason
        Why the puzzle is obviously unsolvable, in words, if it is.
    stopped
        Why the search ended before all was searched: see `exactile.solve.Search`.

    Raises
    ------
    PuzzleError
        If there is no such method, the backend cannot do it, or a limit is not positive.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrasticks-5x5")
    >>> search = SubsetSearch(puzzle, limit=2)
    >>> [sum(uses) for uses, solution in search]
    [15, 15]
    >>> search.status, search.stopped
    (<Status.SOLVABLE: 'solvable'>, 'solution limit')
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        method: str = "auto",
        backend: str | Backend = "dlx",
        limit: int | None = None,
        time_limit: float | None = None,
        seed: int = 0,
        workers: int | None = None,
        encoding: str | None = None,
        use_reasons: bool = True,
        watch: Callable[[SubsetSearch], None] | None = None,
    ) -> None:
        for name, value in (("limit", limit), ("time limit", time_limit), ("workers", workers)):
            if value is not None and not value > 0:
                raise PuzzleError(f"A {name} of {value} makes no sense: it must be positive.")
        started = time.monotonic()
        self.puzzle = puzzle
        self.backend = get_backend(backend) if isinstance(backend, str) else backend
        self.method = _chosen(method, self.backend)
        self.model = lower(puzzle)
        self.selections = Selections(puzzle, self.model)
        self.reason = obvious_reason(puzzle, self.model) if use_reasons else None
        self.found = 0
        self.done: float | None = None
        self.stopped: str | None = None
        self._options: dict[str, Any] = {"seed": seed, "workers": workers, "encoding": encoding}
        self._use_reasons = use_reasons
        self._limit = limit
        self._deadline = None if time_limit is None else started + time_limit
        self._watch = watch
        self._decoder, self._checker = Decoder(puzzle, self.model), Checker(puzzle)
        self._seen: set[Uses] = set()
        self._exhausted = self.reason is not None
        self._counters: dict[str, int] = {"searches": 0}
        self._build_seconds = time.monotonic() - started
        self._started: float | None = None
        self._seconds = 0.0
        self._run = self._solutions()

    @property
    def status(self) -> Status:
        """What is known so far; complete if all subsets were found."""
        if self._exhausted:
            return Status.COMPLETE if self.found else Status.UNSOLVABLE
        return Status.SOLVABLE if self.found else Status.UNKNOWN

    @property
    def stats(self) -> dict[str, Any]:
        """Sizes of the model, number of searches, sums of the backend's counters, and seconds."""
        return {
            "items": self.model.items,
            "options": self.model.options,
            "nodes": None,
            **self._counters,
            "build_seconds": round(self._build_seconds, 6),
            "seconds": round(self._seconds, 6),
        }

    def __iter__(self) -> Iterator[tuple[Uses, Solution]]:
        return self._run

    def close(self, reason: str = "closed") -> None:
        """Stop and let go of the backend."""
        if not self._exhausted and self.stopped is None:
            self.stopped = reason
        self._run.close()

    def _solutions(self) -> Generator[tuple[Uses, Solution]]:
        """Yield a checked solution of each subset until something stops the search."""
        if self._exhausted:
            return
        begun = time.monotonic()
        events = self._events()
        try:
            for row in events:
                self._seconds = time.monotonic() - begun
                if row is not None:
                    yield self._checked(row)
                if self._watch is not None:
                    self._watch(self)
                self.stopped = self.stopped or self._stop_reason()
                if self.stopped is not None:
                    return
            self._exhausted = True
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            raise
        finally:
            events.close()

    def _events(self) -> Generator[Longs | None, None, Any]:
        """Return the solutions of new subsets; None is a sign of life."""
        if self.method == "list":
            return self._new(self.model)
        if self.method == "block":
            return self._new(self.model, kinds=self.selections.kinds)
        return self._divided() if self.method == "divide" else self._listed_then_divided()

    def _stop_reason(self) -> str | None:
        if self._limit is not None and self.found >= self._limit:
            return "solution limit"
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return "time limit"
        return None

    def _checked(self, row: Longs) -> tuple[Uses, Solution]:
        solution = self._decoder.solution(row.tolist())
        faults = self._checker.faults(solution)
        if faults:
            raise CheckFailedError(
                f"The backend {self.backend.name} returned what is no solution of "
                f"{self.puzzle.name}: {'; '.join(faults)}. This is a bug of ours or of the solver: "
                "please report it."
            )
        self.found += 1
        return self.selections.of_solution(solution), solution

    def _listed_then_divided(self) -> Generator[Longs | None]:
        if not (yield from self._new(self.model, limit=LISTED)) and self.stopped is None:
            yield from self._divided()

    def _divided(self) -> Generator[Longs | None]:
        """Yield one solution of each subset that is new, block by block."""
        known = np.array(sorted(self._seen), dtype=np.int64).reshape(-1, self.model.pieces)
        stack = [(whole(self.puzzle), known)]
        while stack and self.stopped is None:
            block, known = stack.pop()
            if self._use_reasons and not area_fits(self.puzzle, block):
                continue
            inside = ((known >= block.lower) & (known <= block.upper)).all(axis=1)
            uses: Uses | None
            if inside.any():
                uses = tuple(known[inside][0].tolist())
            else:
                uses = yield from self._first(block)
            if uses is not None:
                stack += [(part, known[inside]) for part in reversed([*block.without(uses)])]

    def _first(self, block: Block) -> Generator[Longs | None, None, Uses | None]:
        """Yield a solution whose subset lies in a block, if there is one, and return the subset."""
        model, kept = narrowed(self.puzzle, self.model, block)
        uses: Uses | None = None
        with closing(self._new(model, kept, limit=1)) as rows:
            for row in rows:
                yield row
                if row is not None:
                    uses = self.selections.of(row[None].astype(np.int32))[0]
        return uses

    def _new(
        self,
        model: Model,
        kept: Longs | None = None,
        limit: int | None = None,
        kinds: Ints | None = None,
    ) -> Generator[Longs | None, None, bool]:
        """Yield solutions of a model whose subset is new, in the numbers of all options.

        None is a sign of life. Return whether there are no more solutions.
        """
        search = CoverSearch(model, backend=self.backend, limit=limit, kinds=kinds, **self._options)
        self._counters["searches"] += 1
        before = dict(self._counters)
        with search:
            for rows in search.batches():
                for name, number in search.counters.items():
                    self._counters[name] = before.get(name, 0) + number
                if kept is not None and rows.size:
                    rows = np.where(rows < 0, -1, kept[rows])
                yield from self._of_new_subsets(rows)
                yield None
        if search.stopped not in (None, "solution limit"):
            self.stopped = search.stopped
        return search.status in (Status.COMPLETE, Status.UNSOLVABLE)

    def _of_new_subsets(self, rows: Assignments) -> Iterator[Longs]:
        for row, uses in zip(rows, self.selections.of(rows), strict=True):
            if uses not in self._seen:
                self._seen.add(uses)
                yield row.astype(np.int64)


def _chosen(method: str, backend: Backend) -> str:
    """Return the method to take.

    Raises
    ------
    PuzzleError
        If there is none.
    """
    if method not in METHODS:
        raise PuzzleError(f"There is no method '{method}' for subsets: use {', '.join(METHODS)}.")
    if method == "auto" and takes_kinds(backend):
        return "block"
    if method == "block" and not takes_kinds(backend):
        raise PuzzleError(
            f"The backend {backend.name} cannot forbid subsets: take cpsat or sat, or another "
            "method, list or divide."
        )
    return method
