"""One solution, by a portfolio of native searches on all cores.

Restarts, beams and repairs look for a solution where one is likely. An exhaustive search also takes
part, to prove that there is none. See docs/first.md.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from exactile import __version__
from exactile.backends.base import (
    HEARTBEAT,
    NATIVE,
    Backend,
    Batch,
    Request,
    cores,
    no_solutions,
    refuse_choice,
)
from exactile.backends.members import CHOICES, Attempt, Schedule, Ways, members_of
from exactile.clock import CLOCK
from exactile.errors import BackendError, ModelError
from exactile.model.model import Model

ENOUGH = "this backend gives one solution"
NO_ROOM = "There is not enough memory for the native searches."


class FirstBackend(Backend):
    """A portfolio of searches for one solution.

    `choice`: one of `exactile.backends.members.CHOICES`, to leave out some searches; None for all.
    With a choice, a search for a solution that does not exist may never end.

    With one worker, the answer depends only on the seed. `Request.ordered` means one worker.
    """

    takes_colors = True
    takes_seed = True
    takes_workers = True
    races = "chance"
    refuter = NATIVE  # puzzles without a solution are searched exhaustively

    def __init__(self, choice: str | None = None) -> None:
        # `first`, and in parentheses the member that had the answer
        self.name = self._own_name = f"first:{choice}" if choice else "first"
        self._choice = choice

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield one solution, if there is one; see `exactile.backends.base.Backend`."""
        if (model.uses < model.lower).any():  # members that are not exhaustive would never end
            yield Batch(no_solutions())
            return
        team = _Team(model, request, self._choice)
        try:
            yield Batch(no_solutions())
            team.start(1 if request.ordered else request.workers or cores())
            while not team.wait(HEARTBEAT):
                yield team.batch()
            self.name = f"{self._own_name} ({team.finder})"
            yield team.batch()
        finally:
            team.stop()

    def choices(self) -> list[str]:
        """Return the names of parts of the portfolio, which users write as in ``first:beams``."""
        return list(CHOICES)

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native portfolio {__version__}"


class _Team:
    """Threads that make attempts until one finds a solution, or proves that there is none.

    Raise ModelError if the native engine does not accept the model.
    """

    def __init__(self, model: Model, request: Request, choice: str | None) -> None:
        try:
            self._ways = Ways(model, request.places)
        except ValueError as error:
            raise ModelError(f"The native engine cannot take this: {error}.") from None
        self._schedule = Schedule(members_of(self._ways, choice), request.seed)
        # Drawing an attempt may take a second: `batch` need not wait for it.
        self._turns = Lock()
        self._lock = Lock()  # guards the attributes below
        # Not a Condition: Ctrl-C just as it takes its lock would leave it locked for ever.
        self._ended: SimpleQueue[None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._doing = ""
        self._counters = {"nodes": 0, "attempts": 0}
        self._answer: Attempt | None = None
        self.finder: str | None = None
        self._error: Exception | None = None
        self._over = False

    def start(self, workers: int) -> None:
        for _ in range(workers):
            thread = Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            try:
                thread.start()
            except RuntimeError:
                self._threads.remove(thread)
                raise BackendError(NO_ROOM) from None

    def stop(self) -> None:
        """Stop all attempts, and wait until all threads have ended: at most for a heartbeat."""
        self._over = True
        self._ways.ground.stop()
        self._schedule.stop()
        for thread in self._threads:
            thread.join()

    def wait(self, seconds: float) -> bool:
        """Wait for some seconds, or less if the answer is known; return whether it is known.

        Raise the error of a thread that failed.
        """
        with suppress(Empty):
            self._ended.get(timeout=CLOCK.lasting(seconds))
        with self._lock:
            if self._error is not None:
                raise self._error
            return self._over

    def batch(self) -> Batch:
        """Return a report: the counters, progress, and the solution once one is found."""
        options, filled = self._ways.ground.best()
        with self._lock:
            rows, stopped = no_solutions(), None
            if self._answer is not None and self._answer.solution is not None:
                rows, stopped = self._answer.solution[None, :], ENOUGH
            return Batch(
                rows,
                dict(self._counters),
                stopped=stopped,
                packing=options if filled > 0 else None,
                doing=self._words(filled),
            )

    def _words(self, filled: int) -> str:
        units = len(self._ways.sweeps.units)
        return (f"{filled:,} of {units:,} units; " if filled > 0 else "") + self._doing

    def _work(self) -> None:
        try:
            while not self._over:
                self._try_once()
        except MemoryError:
            self._fail(BackendError(NO_ROOM))
        except Exception as error:
            self._fail(error)

    def _try_once(self) -> None:
        with self._turns:
            member, attempt = self._schedule.next()
        self._doing = member.name
        result = attempt()
        with self._lock:
            if self._over:
                return
            self._counters["nodes"] += result.counters["nodes"]
            self._counters["attempts"] += 1
            if result.solution is not None or result.exhausted:
                self._answer = result
                self.finder = member.name
                self._end()
                return
        with self._turns:
            self._schedule.report(member, result)

    def _fail(self, error: Exception) -> None:
        with self._lock:
            self._error = self._error or error
            self._end()

    def _end(self) -> None:
        self._over = True
        self._ended.put(None)


def backend(choice: str | None) -> FirstBackend:
    """Return the backend for `choice`, one of `CHOICES`; None for the whole portfolio.

    Raise BackendNotFoundError for any other choice.
    """
    refuse_choice("first", choice, CHOICES)
    return FirstBackend(choice)
