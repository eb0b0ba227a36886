"""The backend ``auto``: picks backends by a fixed rule, and races them for the first solution.

All solutions, and many of them, are the business of the backend that says it comes first (see
`exactile.backends.base.races`). If one solution is asked for, or whether there is any, it works
alone for a second or so, which is enough for most puzzles. Then the others begin too, each
in a process of its own. The first with a solution, or with the proof that there is none, wins; the
rest is stopped. A backend that crashes or is not installed drops out of the race.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event, Thread

from exactile.backends import Backend, Batch, Request, backend_names, get_backend
from exactile.backends.base import HEARTBEAT, no_solutions, races, refuter
from exactile.errors import BackendMissingError, BackendNotFoundError
from exactile.model.model import Model
from exactile.tuning import TUNING


class AutoBackend:
    """Other backends, picked by rule.

    Parameters
    ----------
    head_start
        Seconds for which the first backend works alone.

    Attributes
    ----------
    name
        ``auto``, and in parentheses the winner.
    winner
        Name of the backend whose answer it was; None before.
    refuter
        Who can prove what that one has found.
    """

    takes_prefixes = True
    takes_colors = True
    takes_hints = True

    def __init__(self, head_start: float = TUNING.race_head_start) -> None:
        self.name = "auto"
        self.winner: str | None = None
        self.refuter: str | None = None
        self.head_start = head_start

    def version(self) -> str:
        """Return the rule in a line."""
        first = _racers("first")[0].name
        others = " and ".join(b.name.partition(":")[0] for b in _racers("later"))
        return f"{first}; for one solution, {others} join it after {self.head_start:g} s"

    def _settle(self, winner: Backend) -> None:
        self.winner = winner.name
        self.name = f"auto ({winner.name})"
        self.refuter = refuter(winner)

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        first = _racers("first")[0]
        running = first.search(model, request)
        if request.limit != 1:
            self._settle(first)
            yield from running
            return
        runners = [_Runner(first, running)]
        try:
            yield from self._race(runners, lambda: _others(model, request))
        finally:
            for runner in runners:
                runner.stop()

    def _race(
        self, runners: list[_Runner], others: Callable[[], Iterable[_Runner]]
    ) -> Iterator[Batch]:
        """Yield the solution of whoever answers first; raise only if all have failed.

        The others join, and are added to `runners`, after the head start, or when the first fails.
        """
        inbox: SimpleQueue[_News] = SimpleQueue()
        runners[0].begin(inbox)
        deadline = time.monotonic() + self.head_start
        latest = Batch(no_solutions())
        joined, failed = False, 0
        while True:
            if not joined and (failed or time.monotonic() >= deadline):
                joined = True
                for runner in others():
                    runners.append(runner)
                    runner.begin(inbox)
            try:
                runner, news = inbox.get(timeout=HEARTBEAT)
            except Empty:
                yield latest
                continue
            if isinstance(news, Exception):
                failed += 1
                if joined and failed == len(runners):
                    raise news
            elif news is None or len(news.assignments):
                self._settle(runner.backend)
                if news is not None:
                    yield news
                return
            elif runner is runners[0]:  # the one whose counters grow all the time
                latest = news
                yield latest


_News = tuple["_Runner", Batch | Exception | None]
"""A batch, an error, or None: all is searched."""


class _Runner:
    """A backend that searches in a thread and reports until it is told to stop."""

    def __init__(self, backend: Backend, running: Generator[Batch]) -> None:
        self.backend = backend
        self._running = running
        self._stopped = Event()
        self._thread: Thread | None = None

    def begin(self, inbox: SimpleQueue[_News]) -> None:
        self._thread = Thread(target=self._run, args=(inbox,), daemon=True)
        self._thread.start()

    def _run(self, inbox: SimpleQueue[_News]) -> None:
        try:
            for batch in self._running:
                if self._stopped.is_set():
                    return
                inbox.put((self, batch._replace(left=None)))  # it will have gone on by then
            inbox.put((self, None))
        except Exception as error:  # the race goes on without it
            inbox.put((self, error))
        finally:
            self._running.close()

    def stop(self) -> None:
        """Stop it; that takes a heartbeat."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        else:
            self._running.close()


def _others(model: Model, request: Request) -> Iterator[_Runner]:
    """Yield the other runners, as many as there are processors, each with one worker."""
    alone = replace(request, workers=request.workers or 1)
    for backend in _racers("later")[: os.cpu_count() or 1]:
        yield _Runner(backend, backend.search(model, alone))


def _racers(when: str) -> list[Backend]:
    """Return the installed backends that take their part in races then, by name."""
    found = []
    for name in backend_names():
        with suppress(BackendMissingError):
            found.append(get_backend(name))
    return [backend for backend in found if races(backend) == when]


def backend(choice: str | None) -> AutoBackend:
    """Return the backend; it has nothing to choose from."""
    if choice is not None:
        raise BackendNotFoundError(f"The backend 'auto' has no solver '{choice}': write 'auto'.")
    return AutoBackend()
