"""The search for subsets: one solution for each subset of the pieces that covers the region."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from exactile.answers import SubsetSolution, SubsetSolutions
from exactile.backends import Backend, get_backend
from exactile.backends.base import Batch, no_solutions
from exactile.clock import CLOCK
from exactile.doors import Seed, Workers
from exactile.errors import PuzzleError
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case, first_fault
from exactile.search.cover import CoverSearch
from exactile.search.handle import Fault, Handle, Problem, Rowless
from exactile.search.limits import SOLUTION_LIMIT, Limits, require_positive
from exactile.surveys.subsets.selection import Block, Selections, Uses, area_fits, narrowed, whole
from exactile.tuning import TUNING

METHODS = ("auto", "list", "divide", "block")
"""How one solution of each subset is found.

list: find all solutions and keep the first of each subset. divide: find a solution, divide the
other subsets into blocks (see `Block.without`), and do the same in each block. block: the backend
itself forbids the subset of each solution that it finds. auto: block if the backend supports it;
otherwise list `TUNING.subset_listed` solutions and, if there may be more, divide.
"""


class SubsetProblem(Problem[tuple[Uses, Solution]]):
    """Finds one solution for each subset of the pieces that covers the region.

    Each search is in the puzzle's model, or in one that is restricted to a block of subsets.
    """

    def __init__(
        self,
        selections: Selections,
        method: str,
        backend: Backend,
        options: dict[str, Any],
        *,
        use_reasons: bool,
    ) -> None:
        case = selections.case
        self.name = case.puzzle.name
        self.reason = case.reason if use_reasons else None
        self.case, self.method, self.backend = case, method, backend
        self.selections = selections
        self._options = options
        self._use_reasons = use_reasons
        self._seen: set[Uses] = set()
        self._counters: dict[str, int] = {"searches": 0}

    @property
    def searcher(self) -> str:
        return f"The backend {self.backend.name}"

    @property
    def sizes(self) -> Mapping[str, int]:
        return {"items": self.case.model.items, "options": self.case.model.options}

    def fault(self, rows: Assignments) -> Fault | None:
        found = first_fault(self.case.checker, self.case.decoder, rows)
        return None if found is None else Fault(*found)

    def answers(self, rows: Assignments) -> list[tuple[Uses, Solution]]:
        solutions = self.case.decoder.solutions(rows)
        return [(self.selections.of_solution(s), s) for s in solutions]

    def batches(self) -> Generator[Batch]:
        model = self.case.model
        if self.method == "list":
            yield from self._new(model)
        elif self.method == "block":
            yield from self._new(model, kinds=self.selections.kinds)
        elif self.method == "divide" or not (
            yield from self._new(model, limit=TUNING.subset_listed)
        ):
            yield from self._divided()

    def _divided(self) -> Generator[Batch]:
        """Yield batches with one solution for each subset that is not known yet, block by block."""
        puzzle = self.case.puzzle
        known = np.array(sorted(self._seen), dtype=np.int64).reshape(-1, len(puzzle.pieces))
        stack = [(whole(puzzle), known)]
        while stack:
            block, known = stack.pop()
            if self._use_reasons and not area_fits(puzzle, block):
                continue
            inside = ((known >= block.lower) & (known <= block.upper)).all(axis=1)
            uses: Uses | None
            if inside.any():
                uses = tuple(known[inside][0].tolist())
            else:
                uses = yield from self._first(block)
            if uses is not None:
                stack += [(part, known[inside]) for part in reversed([*block.without(uses)])]

    def _first(self, block: Block) -> Generator[Batch, None, Uses | None]:
        """Search a block for one solution; yield the batches.

        Return the subset of the solution; None if no solution is found.
        """
        model, kept = narrowed(self.case.puzzle, self.case.model, block)
        uses: Uses | None = None
        with closing(self._new(model, kept, limit=1)) as batches:
            for batch in batches:
                yield batch
                if len(batch.assignments):
                    uses = self.selections.of(batch.assignments)[0]
        return uses

    def _new(
        self,
        model: Model,
        kept: Longs | None = None,
        limit: int | None = None,
        kinds: Ints | None = None,
    ) -> Generator[Batch, None, bool]:
        """Search a model; yield batches of the solutions that use a new subset of the pieces.

        Return whether the search is complete. The solutions have the option numbers of the puzzle's
        model.

        `kept`: for each option of `model`, its number in the puzzle's model; None if `model` is the
        puzzle's model. `limit`: stop after this number of solutions. `kinds`: the piece of each
        option, for backends that forbid subsets.
        """
        limits = self.limits.rest(limit)
        search = CoverSearch(
            model, backend=self.backend, limits=limits, kinds=kinds, **self._options
        )
        self._counters["searches"] += 1
        before = dict(self._counters)
        with search:
            for rows in search.batches():
                for name, number in search.counters.items():
                    self._counters[name] = before.get(name, 0) + number
                if kept is not None and rows.size:
                    rows = np.where(rows < 0, -1, kept[rows]).astype(np.int32)
                yield Batch(rows[self._are_new(rows)], dict(self._counters))
        if search.stopped not in (None, SOLUTION_LIMIT):
            yield Batch(no_solutions(), stopped=search.stopped)
        return search.status.final

    def _are_new(self, rows: Assignments) -> list[bool]:
        """For each solution, return whether its subset is new, and record the subset as known."""
        new = []
        for uses in self.selections.of(rows):
            new.append(uses not in self._seen)
            self._seen.add(uses)
        return new


class SubsetSearch(Handle[tuple[Uses, Solution]]):
    """A search for the subsets of a puzzle's pieces that cover its region.

    An iterator of pairs: the number of uses of each piece, and a solution. Every subset occurs
    once, and every solution is checked. For limits and status, see `exactile.search.handle.Handle`.

    - `puzzle`: the puzzle, or a `Case` of it, whose model is reused. There is only one subset
      unless pieces have ranges of uses or may be omitted.
    - `method`: one of `METHODS`. All find the same subsets.
    - `backend`: name of a backend, or the backend itself.
    - `limit`: stop after this number of subsets.
    - `time_limit`: seconds after which to stop.
    - `seed`, `workers`, `encoding`: passed to the backend; see `exactile.backends.base.Request`.
    - `use_reasons`: whether to skip the search of an obviously unsolvable puzzle, and of blocks of
      subsets whose area does not fit.
    - `watch`: called with the search at every heartbeat.
    - `limits`: shared limits, in place of `limit` and `time_limit`.

    Raise PuzzleError if `method` is unknown, if the backend does not support it, if a limit or
    `workers` is not positive, or if `limits` is given together with `limit` or `time_limit`. Raise
    BackendError if the backend is unknown or not installed.

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

    problem: SubsetProblem  # or, if a limit came first, a `Rowless` one

    def __init__(
        self,
        puzzle: Puzzle | Case,
        *,
        method: str = "auto",
        backend: str | Backend = DEFAULT_BACKEND,
        limit: int | None = None,
        time_limit: float | None = None,
        seed: Seed = 0,
        workers: Workers | None = None,
        encoding: str | None = None,
        use_reasons: bool = True,
        watch: Callable[[SubsetSearch], None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        limits = Limits.chosen(limits, time_limit, limit)
        require_positive(workers=workers)
        started = CLOCK.now()
        case = Case.of(puzzle)
        self.puzzle = case.puzzle
        self.backend = get_backend(backend) if isinstance(backend, str) else backend
        self.method = _chosen(method, self.backend)
        options = {"seed": seed, "workers": workers, "encoding": encoding}
        self.selections = Selections(case)
        problem: SubsetProblem | Rowless[tuple[Uses, Solution]]
        try:
            case.prepare(limits, *["reason"] * use_reasons)
            problem, stopped = (
                SubsetProblem(
                    self.selections, self.method, self.backend, options, use_reasons=use_reasons
                ),
                None,
            )
        except TimeoutError as limit_reached:
            problem, stopped = Rowless(case.puzzle.name, self.backend.name), str(limit_reached)
        seconds = CLOCK.now() - started
        super().__init__(problem, limits, watch=watch, build_seconds=seconds)
        self.stopped = stopped

    def answer(self, found: Sequence[tuple[Uses, Solution]]) -> SubsetSolutions:
        """Return the state of the search as an answer; `found`: the pairs that it has yielded."""
        named = self.selections.named
        return SubsetSolutions(
            puzzle=self.puzzle.name,
            backend=self.backend.name,
            method=self.method,
            status=self.status,
            stopped=self.stopped,
            reason=self.reason,
            crossing=self.puzzle.crossing,
            subsets=tuple(
                SubsetSolution(pieces=named(uses), solution=in_coordinates(self.puzzle, solution))
                for uses, solution in found
            ),
            stats=self.stats,
        )


def _chosen(method: str, backend: Backend) -> str:
    """Return `method`, except that ``"auto"`` becomes ``"block"`` if the backend supports that.

    Raise PuzzleError if the method is unknown, or if it is ``"block"`` and the backend cannot
    forbid subsets.
    """
    if method not in METHODS:
        raise PuzzleError(f"There is no method '{method}' for subsets: use {', '.join(METHODS)}.")
    if method == "auto" and backend.takes_kinds:
        return "block"
    if method == "block" and not backend.takes_kinds:
        raise PuzzleError(
            f"The backend {backend.name} cannot forbid subsets: take cpsat or sat, or another "
            "method, list or divide."
        )
    return method
