"""The backend ``auto``: picks backends by a fixed rule, and races them for the first solution.

All solutions, and many of them, are the business of the backend that says it comes first (see
`exactile.backends.base.races`). If one solution is asked for, or whether there is any, it works
alone for some nodes or a second or so, which is enough for most puzzles. Then those
begin that look for one solution where it is likely; and the others, each in a process of its own,
at once where pieces are copies of few shapes, much later where they differ. The first with a
solution, or with the proof that there is none, wins; the rest is stopped. A backend that crashes or
is not installed drops out of the race.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event, Thread

from exactile.backends import Backend, Batch, Request, get_backend
from exactile.backends.base import HEARTBEAT, no_solutions, refuter
from exactile.backends.members import copies
from exactile.backends.registry import racers
from exactile.errors import BackendNotFoundError
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
        first, chance, others = (
            " and ".join(b.name.partition(":")[0] for b in racers(when))
            for when in ("first", "chance", "later")
        )
        joined = f"{chance} and for copies {others} join it after {self.head_start:g} s"
        return f"{first}; for one solution, {joined}"

    def _settle(self, winner: Backend) -> None:
        self.winner = winner.name
        self.name = f"auto ({winner.name})"
        self.refuter = refuter(winner)

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        first = racers("first")[0]
        running = first.search(model, request)
        if request.limit != 1:
            self._settle(first)
            yield from running
            return
        runners = [_Runner(first, running)]
        try:
            alike = copies(model) > TUNING.repair_alike
            late = self.head_start * (1 if alike else TUNING.race_later)
            joiners: deque[tuple[float, _Join]]
            joiners = deque([(self.head_start, _chance), (late, _others)])
            yield from self._race(runners, joiners, lambda join: join(model, request))
        finally:
            for runner in runners:
                runner.stop()

    def _race(
        self,
        runners: list[_Runner],
        joiners: deque[tuple[float, _Join]],
        begin: Callable[[_Join], Iterator[_Runner]],
    ) -> Iterator[Batch]:
        """Yield the solution of whoever answers first; raise only if all have failed.

        Others join, and are added to `runners`, so many seconds later, or when all so far fail.
        """
        inbox: SimpleQueue[_News] = SimpleQueue()
        runners[0].begin(inbox)
        begun = time.monotonic()
        latest = Batch(no_solutions())
        failed = 0
        while True:
            while joiners and (failed == len(runners) or _is_time(begun, joiners, latest)):
                for runner in begin(joiners.popleft()[1]):
                    runners.append(runner)
                    runner.begin(inbox)
            try:
                runner, news = inbox.get(timeout=HEARTBEAT)
            except Empty:
                yield latest
                continue
            if isinstance(news, Exception):
                failed += 1
                if not joiners and failed == len(runners):
                    raise news
            elif news is None or len(news.assignments):
                self._settle(runner.backend)
                if news is not None:
                    yield news
                return
            else:
                latest = _merged(latest, news, counts=runner is runners[0])
                yield latest


_News = tuple["_Runner", Batch | Exception | None]
"""A batch, an error, or None: all is searched."""

_Join = Callable[[Model, Request], Iterator["_Runner"]]


def _is_time(begun: float, joiners: deque[tuple[float, _Join]], latest: Batch) -> bool:
    """Return whether the next ones join: by the clock, the first of them also by nodes."""
    early = joiners[0][1] is _chance and latest.stats.get("nodes", 0) >= TUNING.race_alone_nodes
    return early or time.monotonic() - begun >= joiners[0][0]


def _merged(latest: Batch, news: Batch, *, counts: bool) -> Batch:
    """Return the counters of one runner, whose numbers grow all the time, with what others do."""
    if counts:
        return news._replace(packing=latest.packing, doing=latest.doing)
    if news.doing is None:
        return latest
    return latest._replace(packing=news.packing, doing=news.doing)


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


def _chance(model: Model, request: Request) -> Iterator[_Runner]:
    """Yield what looks for one solution, with the processors that are left."""
    workers = request.workers or max((os.cpu_count() or 1) - 1, 1)
    for found in racers("chance"):
        backend = get_backend(f"{found.name}:chance")  # the exhaustive search runs already
        yield _Runner(backend, backend.search(model, replace(request, workers=workers)))


def _others(model: Model, request: Request) -> Iterator[_Runner]:
    """Yield the other runners, as many as there are processors, each with one worker."""
    alone = replace(request, workers=request.workers or 1)
    for backend in racers("later")[: os.cpu_count() or 1]:
        yield _Runner(backend, backend.search(model, alone))


def backend(choice: str | None) -> AutoBackend:
    """Return the backend; it has nothing to choose from."""
    if choice is not None:
        raise BackendNotFoundError(f"The backend 'auto' has no solver '{choice}': write 'auto'.")
    return AutoBackend()
