"""The backend ``auto``: picks backends by a fixed rule, and races them for the first solution.

If all or many solutions are requested, or their order must not depend on chance
(`Request.ordered`), the default backend finds them.

If one solution is requested, this backend works alone for some nodes, which is enough for most
puzzles. Then it begins again with one branch of each orbit, and others join: at once those that
look for a reason why there is no solution, and those that search where one is likely. Which solvers
follow, when, and with how many processors depends on whether pieces are copies of few shapes, and
on how soon the first backend is expected to finish. At most two threads share a processor, so the
first backend keeps at least half of one, and a puzzle that only it can settle takes about twice as
long. After a minute it gets more threads, if it has made some progress. The first backend with a
solution, or with the proof that there is none, wins; the others are stopped. A backend that
crashes, gives up, or is not installed drops out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from exactile.backends import Backend, Batch, Request, get_backend
from exactile.backends.base import HEARTBEAT, cores, no_solutions, refuse_choice
from exactile.backends.members import copies
from exactile.backends.registry import racers
from exactile.clock import CLOCK
from exactile.errors import BackendError
from exactile.model.model import Model
from exactile.plugins import DEFAULT_BACKEND

RACE_HEAD_START = 0.5
"""Seconds that the exhaustive search of `auto` runs before others start."""

RACE_ALONE_NODES = 100_000
"""Nodes of the exhaustive search after which `first` starts in any case."""

RACE_SHORT_NODES = 2e7
"""Expected nodes of the exhaustive search below which the others wait for its end."""

RACE_COPIES = 4.0
"""Mean number of uses of a piece above which a puzzle is one of copies."""

RACE_DIFFERENT = 40.0
"""Factor by which other solvers start later if there are no copies."""

RACE_NEXT = 4.0
"""Factor by which each further solver starts later."""

RACE_REST = 1.5
"""Seconds that the exhaustive search pauses when a solver for copies joins."""

RACE_WIDENS = 60.0
"""Seconds after which the exhaustive search gets more threads."""

RACE_WIDENS_FROM = 1e-3
"""Fraction of the exhaustive search that must then be done, or it gets no more threads."""


class AutoBackend(Backend):
    """A portfolio of other backends, chosen by rule; the first one works alone for a while."""

    takes_prefixes = True
    takes_colors = True
    takes_hints = True
    takes_seed = True
    takes_workers = True
    takes_spared = True

    def __init__(self, head_start: float = RACE_HEAD_START) -> None:
        self.name = "auto"  # `auto`, and in parentheses the winner
        self.winner: str | None = None  # name of the backend that had the answer
        self.refuter: str | None = None
        self.head_start = head_start
        self._more = 0  # number of threads that help the first backend

    def version(self) -> str:
        """Return the rule by which backends are chosen, in a line."""
        reason, chance, others = (
            " and ".join(b.name.partition(":")[0] for b in racers(when))
            for when in ("reason", "chance", "later")
        )
        return f"{DEFAULT_BACKEND}; for one solution, {reason} and {chance} join it, later {others}"

    def _settle(self, winner: Backend) -> None:
        self.winner = winner.name
        self.name = f"auto ({winner.name})"
        self.refuter = winner.refuter
        self.takes_seed = winner.takes_seed

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        spared, request = request.spared, replace(request, spared=None)
        self._more = 0
        first = get_backend(DEFAULT_BACKEND)  # the only one that easy puzzles load
        running = first.search(model, replace(request, more=self._help))
        if request.limit != 1 or request.ordered:  # which backend wins a race depends on chance
            self._settle(first)
            yield from running
            return
        runners = [_Runner(first, running)]
        try:
            yield from self._race(model, request, runners, spared)
        finally:
            for runner in runners:
                runner.stop()

    def _is_hard(self, seconds: float, latest: Batch) -> bool:
        """Return whether the first backend has worked alone for long enough."""
        nodes = latest.stats.get("nodes", 0)
        return seconds >= self.head_start or nodes >= RACE_ALONE_NODES

    def _help(self) -> int:
        """Return the number of threads that help the first backend now."""
        return self._more

    def _widen(self, seconds: float, latest: Batch, request: Request) -> None:
        """Let threads help the first backend if it takes long, but makes progress."""
        hopeful = (latest.done or 0.0) >= RACE_WIDENS_FROM
        if seconds >= RACE_WIDENS and hopeful and not request.workers:
            self._more = cores() // 2

    def _joiners(self, model: Model, request: Request, promising: bool) -> deque[_Joiner]:
        """Return the backends that join, in order; the rule is a table in docs/backends.md."""
        alike = copies(model) > RACE_COPIES
        processors = cores()
        chance = request.workers or max(processors - alike, 1)
        waits = int(promising and not request.workers and chance > 1)  # these join later
        result = [_Joiner(0.0, found, request) for found in racers("reason")]
        result += [
            _Joiner(when, get_backend(f"{found.name}:chance"), replace(request, workers=n, seed=s))
            for found in racers("chance")  # without the exhaustive search, which runs already
            for when, n, s in (
                (0.0, chance - waits, request.seed),
                (self.head_start, waits, request.seed + 1),
            )
            if n > 0
        ]
        when = self.head_start * (1 if alike else RACE_DIFFERENT)
        rest = RACE_REST if alike else 0.0
        room = max(2 * processors - 1 - chance, 1)
        for backend in _others(alike)[:room]:
            asked = replace(request, workers=request.workers or 1)
            result.append(_Joiner(when, backend, asked, rest))
            when, rest = when * RACE_NEXT, 0.0
        whole = request.prefixes == ((),)  # else others would repeat solutions of other prefixes
        return deque(each for each in result if whole or each.backend.takes_prefixes)

    def _race(
        self,
        model: Model,
        request: Request,
        runners: list[_Runner],
        spared: Callable[[], tuple[int, ...]] | None,
    ) -> Iterator[Batch]:
        """Yield the solution of the backend that answers first; raise only if all have failed.

        Others join, and are added to `runners`, when it is time, or when all so far fail.
        """
        first = runners[0].backend
        inbox: SimpleQueue[_News] = SimpleQueue()
        runners[0].begin(inbox)
        begun = CLOCK.now()
        latest = Batch(no_solutions())
        joiners: deque[_Joiner] | None = None
        failure: Exception | None = None
        while True:
            failed = all(runner.failed for runner in runners)
            seconds = CLOCK.now() - begun
            promising = not runners[0].failed and _is_promising(latest)
            if joiners is None and (failed or self._is_hard(seconds, latest)):
                # Not before: it takes a while to load them.
                joiners = self._joiners(model, request, promising)
                if prefix := spared() if spared and not failed else ():
                    runners[0].stop()
                    asked = replace(request, prefixes=(prefix,), more=self._help)
                    rest = first.search(model, asked)
                    runners[0] = _Runner(first, rest, latest.stats)
                    runners[0].begin(inbox)
            while joiners and (failed or joiners[0].is_due(seconds, promising)):
                _, backend, asked, pause = joiners.popleft()
                runners[0].rest(pause)
                runners.append(_Runner(backend, backend.search(model, asked)))
                runners[-1].begin(inbox)
                failed = False
            if failed and failure is not None:  # and no other joins
                raise failure
            try:
                runner, news = inbox.get(timeout=CLOCK.lasting(HEARTBEAT))
            except Empty:
                yield latest
                continue
            if isinstance(news, Exception):
                runner.failed, failure = True, news
            elif news is None or len(news.assignments):
                self._settle(runner.backend)
                if news is not None:
                    yield news
                return
            else:
                runner.doing = news.doing or runner.doing
                latest = _merged(latest, news, counts=runner is runners[0])
                self._widen(seconds, latest, request)
                others = [r.doing for r in runners[1:] if not r.failed]
                latest = latest._replace(doing=", ".join(others) or None)
                yield latest


class _Joiner(NamedTuple):
    """A backend that joins a race: when, with which request, and how long the first one pauses.

    Where pieces are copies, solvers that learn find solutions soon, if they have a processor.
    """

    seconds: float
    backend: Backend
    request: Request
    rest: float = 0.0

    def is_due(self, seconds: float, promising: bool) -> bool:
        """Return whether it is time; other solvers wait while the first is about to end."""
        return seconds >= self.seconds and (self.seconds == 0 or not promising)


def _is_promising(latest: Batch) -> bool:
    """Return whether the first backend is expected to end soon, by its progress and its nodes."""
    return latest.stats.get("nodes", 0) < RACE_SHORT_NODES * (latest.done or 0.0)


_News = tuple["_Runner", Batch | Exception | None]
"""A runner, and its message: a batch, an error, or None if everything is searched."""


def _merged(latest: Batch, news: Batch, *, counts: bool) -> Batch:
    """Return the progress of the first runner with the latest packing of the others."""
    if counts:
        return news._replace(packing=latest.packing)
    return latest if news.packing is None else latest._replace(packing=news.packing)


class _Runner:
    """A backend that searches in a thread and reports until it must stop.

    Its counters begin at those of `before`.
    """

    def __init__(
        self, backend: Backend, running: Generator[Batch], before: Mapping[str, int] = {}
    ) -> None:
        self.backend = backend
        self.failed = False
        self.doing = backend.name.partition(":")[0]
        self._running = running
        self._before = before
        self._rest = 0.0
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
                if batch.stopped is not None and not len(batch.assignments):
                    why = f"{self.backend.name} gave up: {batch.stopped}."
                    inbox.put((self, BackendError(why)))
                    return
                stats = {k: n + self._before.get(k, 0) for k, n in batch.stats.items()}
                # Without `left`: when the batch is read, the search has continued.
                inbox.put((self, batch._replace(stats=stats, left=None)))
                if self._rest:
                    self._stopped.wait(CLOCK.lasting(self._rest))
                    self._rest = 0.0
            inbox.put((self, None))
        except Exception as error:  # the race goes on without it
            inbox.put((self, error))
        finally:
            self._running.close()

    def rest(self, seconds: float) -> None:
        """Let it pause for some seconds after its next batch."""
        self._rest = max(self._rest, seconds)

    def stop(self) -> None:
        """Stop it, and wait until it has: at most for a heartbeat."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        else:
            self._running.close()


def _others(alike: bool) -> list[Backend]:
    """Return the backends that join later; if pieces are copies, with the solvers for copies."""
    return [
        get_backend(other.for_copies) if alike and other.for_copies else other
        for other in racers("later")
    ]


def backend(choice: str | None) -> AutoBackend:
    """Return the backend; it accepts no choice of solver."""
    refuse_choice("auto", choice)
    return AutoBackend()
