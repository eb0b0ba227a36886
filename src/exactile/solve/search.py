"""The handle of a running search: the same for every backend, stoppable, each solution checked."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from threading import Event
from types import TracebackType
from typing import Any, Self

from exactile.answers import Status as Status
from exactile.backends import Backend, Request, get_backend
from exactile.backends.base import check_encoding, takes_images
from exactile.errors import CheckFailedError, PuzzleError
from exactile.model.implied import without_implied_bounds
from exactile.model.lower import lower
from exactile.model.model import Decoder
from exactile.model.orbits import Action, Assignments, branches
from exactile.model.placed import options_of
from exactile.model.representatives import Representatives
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.puzzle.symmetry import symmetries
from exactile.solve.checking import first_fault
from exactile.solve.diagnose import obvious_reason
from exactile.solve.reproducer import write_reproducer

MOST_IMAGES = 5_000_000
"""Up to so many images of options are written down for a backend."""


class Search:
    """A search for the solutions of a puzzle.

    A context manager and an iterator of solutions. The model is built at once; the search begins
    when solutions are asked for.

    Parameters
    ----------
    puzzle
        The puzzle.
    backend
        Name of a backend, or the backend itself.
    limit
        Stop after so many solutions.
    up_to
        ``"rotation"`` or ``"symmetry"``: give only the first solution of each orbit.
    time_limit
        Stop after so many seconds.
    seed, workers, ordered, encoding
        Handed on to the backend; see `exactile.backends.base.Request`.
    use_symmetry
        Whether a backend that takes images searches for one solution of each orbit of the puzzle's
        symmetry group, and one that takes prefixes in one branch of each orbit, so that the other
        solutions are made from those. Only without `limit`, unless there is `up_to`. The solutions
        are the same.
    use_reasons
        Whether a puzzle that is obviously unsolvable is not searched at all.
    use_implied
        Whether the backend is spared bounds that follow from others; the answer is the same.
    hint
        A solution that is believed to be right, or some placements of one, for backends that take
        hints.
    watch
        Called with the search at every heartbeat, many times a second.

    Attributes
    ----------
    reason
        Why the puzzle is obviously unsolvable, in words, if it is.
    found
        Number of solutions found so far.
    done
        The part of the search that lies behind, from 0 to 1; None if the backend cannot tell.
    stopped
        Why the search ended before all was searched: ``"time limit"``, ``"solution limit"``,
        ``"cancelled"``, ``"interrupted"``, ``"closed"``, what a solver says that gives up, or None.
    proof
        A folder with a formula and a proof that there are no further solutions, if the backend left
        one.

    Raises
    ------
    PuzzleError
        If a limit is not positive, or the puzzle has no such placement as in the hint.

    Examples
    --------
    >>> import exactile
    >>> with Search(exactile.load("tetrahexes-4x7")) as search:
    ...     solutions = list(search)
    >>> len(solutions), search.status
    (18, <Status.COMPLETE: 'complete'>)
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        backend: str | Backend = "dlx",
        limit: int | None = None,
        up_to: str | None = None,
        time_limit: float | None = None,
        seed: int = 0,
        workers: int | None = None,
        ordered: bool = False,
        encoding: str | None = None,
        use_symmetry: bool = True,
        use_reasons: bool = True,
        use_implied: bool = True,
        hint: Solution = (),
        watch: Callable[[Search], None] | None = None,
    ) -> None:
        for name, value in (("limit", limit), ("time limit", time_limit), ("workers", workers)):
            if value is not None and not value > 0:
                raise PuzzleError(f"A {name} of {value} makes no sense: it must be positive.")
        started = time.monotonic()
        self.puzzle = puzzle
        self.backend = get_backend(backend) if isinstance(backend, str) else backend
        self.model = lower(puzzle)
        self.reason = obvious_reason(puzzle, self.model) if use_reasons else None
        self.found = 0
        self.done: float | None = None
        self.stopped: str | None = None
        self.proof: str | None = None
        self._given_up: str | None = None
        self._asked = without_implied_bounds(self.model) if use_implied else self.model
        self._watch = watch
        self._limit = limit
        self._deadline = None if time_limit is None else started + time_limit
        self._cancel = Event()
        self._decoder = Decoder(puzzle, self.model)
        self._checker = Checker(puzzle)
        self._action: Action | None = None
        self._first = Representatives(self.action, up_to) if up_to is not None else None
        if up_to is not None:
            limit = None  # the backend does not know which solutions count
        self._counters: dict[str, int] = {}
        self._build_seconds = time.monotonic() - started
        self._seconds = 0.0
        self._exhausted = self.reason is not None
        check_encoding(self.backend, encoding)
        symmetric = use_symmetry and limit is None and not self._exhausted
        takes = symmetric and takes_images(self.backend)
        images = self.action.table(MOST_IMAGES) if takes else None
        branch = symmetric and images is None and self.backend.takes_prefixes
        self._branches = branches(self.model, self.action) if branch else None
        prefixes = tuple((o,) for o in self._branches.options) if self._branches else ((),)
        self._request = Request(
            limit=limit,
            seed=seed,
            workers=workers,
            ordered=ordered,
            prefixes=prefixes,
            hint=options_of(puzzle, self.model, hint),
            encoding=encoding,
            images=images,
        )
        self._run = self._batches()
        self._pending: deque[Solution] = deque()

    @property
    def action(self) -> Action:
        """The puzzle's symmetry group, as it acts on the model's options."""
        if self._action is None:
            self._action = Action(self.model, symmetries(self.puzzle))
        return self._action

    @property
    def status(self) -> Status:
        """What is known so far."""
        if self._exhausted:
            return Status.COMPLETE if self.found else Status.UNSOLVABLE
        return Status.SOLVABLE if self.found else Status.UNKNOWN

    @property
    def stats(self) -> dict[str, Any]:
        """Sizes of the model, counters of the backend, and seconds (building the model apart)."""
        return {
            "items": self.model.items,
            "options": self.model.options,
            "nodes": None,
            **self._counters,
            "build_seconds": round(self._build_seconds, 6),
            "seconds": round(self._seconds, 6),
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Solution]:
        return self

    def __next__(self) -> Solution:
        while not self._pending:
            rows = next(self._run)
            self._pending.extend(self._decoder.solutions(rows))
        return self._pending.popleft()

    def batches(self) -> Iterator[Assignments]:
        """Return the solutions not yet iterated over as arrays of options, checked too."""
        return self._run

    def cancel(self) -> None:
        """Stop at the next heartbeat; may be called from any thread."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> Status:
        """Search on until the end or for `timeout` seconds; solutions are kept for iteration."""
        end = None if timeout is None else time.monotonic() + timeout
        while end is None or time.monotonic() < end:
            try:
                rows = next(self._run)
            except StopIteration:
                break
            self._pending.extend(self._decoder.solutions(rows))
        return self.status

    def close(self, reason: str = "closed") -> None:
        """Stop and let go of the backend; what was found and not yet read is dropped."""
        if not self._exhausted and self.stopped is None:
            self.stopped = reason
        self._run.close()
        self._pending.clear()

    def _batches(self) -> Generator[Assignments]:
        """Yield checked batches (empty ones too) until something stops the search."""
        if self._exhausted:
            return
        running = self.backend.search(self._asked, self._request)
        try:
            while self._stop_reason() is None:
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
                self._given_up = batch.stopped
                rows = batch.assignments
                if self._branches is not None and len(rows):
                    rows = self._branches.expanded(rows)
                if self._first is None:
                    rows = rows[: self._left()]
                self._check(rows)
                if self._first is not None:
                    rows = rows[self._first.new(rows)][: self._left()]
                self.found += len(rows)
                if self._watch is not None:
                    self._watch(self)
                yield rows
            self.stopped = self._stop_reason()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            raise
        finally:
            running.close()

    def _left(self) -> int | None:
        """Return how many solutions are still wanted, None if all."""
        return None if self._limit is None else self._limit - self.found

    def _stop_reason(self) -> str | None:
        if self._cancel.is_set():
            return "cancelled"
        if self._limit is not None and self.found >= self._limit:
            return "solution limit"
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return "time limit"
        return self._given_up

    def _check(self, rows: Assignments) -> None:
        found = first_fault(self._checker, self._decoder, rows)
        if found is not None:
            row, faults = found
            path = write_reproducer(
                self.puzzle,
                self.model,
                self.backend.name,
                self._request,
                rows[row].tolist(),
                faults,
            )
            raise CheckFailedError(
                f"The backend {self.backend.name} returned what is no solution of "
                f"{self.puzzle.name}: {'; '.join(faults)}. This is a bug of ours or of the "
                f"solver; all that is needed to repeat it is in {path}: please report it."
            )
