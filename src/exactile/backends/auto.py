"""The backend ``auto``: picks backends by a fixed rule, and races them for the first solution.

If more than one solution is requested, or the order of solutions must not depend on chance
(`Request.ordered`), only the default backend searches.

If one solution is requested, the default backend first works alone for up to half a second, which
is enough for most puzzles. Then other backends join; if the symmetries of the puzzle permit, the
default backend begins again and searches only one branch of each orbit. Backends that look for a
reason why there is no solution, or search where a solution is likely, join at once. So does dynamic
programming, which gives up soon unless the puzzle has many copies of few different pieces. SAT
solvers and CP-SAT join later. The times of joining and the numbers of threads depend on whether
there are many copies, and on how soon the default backend is expected to finish. Apart from
backends that give up soon, at most two threads share a processor. So the default backend has half a
processor most of the time, and takes about twice as long for a puzzle that no other backend can
settle. After a minute, it gets more threads if it has made some progress. The first backend with a
solution, or with a proof that there is none, wins; the others stop. A backend that crashes, gives
up, or is not installed drops out.
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
from exactile.backends.members import MANY_COPIES, copies
from exactile.backends.registry import racers
from exactile.clock import CLOCK
from exactile.errors import BackendError
from exactile.model.model import Model
from exactile.plugins import DEFAULT_BACKEND

RACE_HEAD_START = 0.5
"""Seconds that the default backend searches alone before other backends join."""

RACE_ALONE_NODES = 1_500_000
"""Number of nodes after which other backends join even before `RACE_HEAD_START` has passed."""

RACE_SHORT_NODES = 2e7
"""Backends that do not join at once wait as long as the default backend is expected to need fewer
nodes than this in all."""

RACE_DIFFERENT = 40.0
"""Factor by which the first SAT solver or CP-SAT joins later if no pieces have many copies."""

RACE_NEXT = 4.0
"""Factor between the times at which one SAT solver (or CP-SAT) and the next one join."""

RACE_REST = 1.5
"""Seconds that the default backend pauses when the first SAT solver or CP-SAT joins.

There is no pause unless the puzzle has many copies of few different pieces."""

RACE_WIDENS = 60.0
"""Seconds after which the default backend gets more threads."""

RACE_WIDENS_FROM = 1e-3
"""Fraction of its search that the default backend must have done to get more threads."""


class AutoBackend(Backend):
    """A race: the default backend works alone at first, and other backends join it later.

    `head_start`: in a race, the largest number of seconds for which the default backend works
    alone.
    """

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
        """Return text that names the default backend and those that join it, at once or later."""
        reason, chance, merging, others = (
            " and ".join(b.name.partition(":")[0] for b in racers(when))
            for when in ("reason", "chance", "brief", "later")
        )
        return (
            f"{DEFAULT_BACKEND}; for one solution, {reason}, {chance} and {merging} "
            f"join it, later {others}"
        )

    def _settle(self, winner: Backend) -> None:
        self.winner = winner.name
        self.name = f"auto ({winner.name})"
        self.refuter = winner.refuter
        self.takes_seed = winner.takes_seed

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions, in a race only the first; see `exactile.backends.base.Backend`."""
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
        """Return whether the default backend has worked long enough for others to join."""
        nodes = latest.stats.get("nodes", 0)
        return seconds >= self.head_start or nodes >= RACE_ALONE_NODES

    def _help(self) -> int:
        """Return the number of additional threads that the default backend may use now."""
        return self._more

    def _widen(self, seconds: float, latest: Batch, request: Request) -> None:
        """Allow the default backend more threads after `RACE_WIDENS` seconds if it makes progress.

        If the request names a number of workers, do nothing.
        """
        hopeful = (latest.done or 0.0) >= RACE_WIDENS_FROM
        if seconds >= RACE_WIDENS and hopeful and not request.workers:
            self._more = cores() // 2

    def _joiners(self, model: Model, request: Request, promising: bool) -> deque[_Joiner]:
        """Return the backends that join, in the order of joining: see docs/backends.md.

        Unless the whole search is requested, backends that do not use prefixes are left out.
        `promising`: whether the default backend is expected to finish soon.
        """
        alike = copies(model) > MANY_COPIES
        processors = cores()
        chance = request.workers or max(processors - alike, 1)
        waits = int(promising and not request.workers and chance > 1)  # these join later
        result = [_Joiner(0.0, found, request) for found in racers("reason")]
        brief = [get_backend(f"{found.name}:brief") for found in racers("brief")]
        result += [_Joiner(0.0, found, request) for found in brief]
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
        """Yield progress, then the solution, if any, of the backend that answers first.

        `runners` has only the default backend at first. Other backends are added when they are due,
        or as soon as all so far have failed. If all backends fail, raise the last error that is not
        a `_GaveUpError`; if all errors are of this class, the first one. `spared`: see
        `Request`.
        """
        first = runners[0].backend
        inbox: SimpleQueue[_News] = SimpleQueue()
        runners[0].begin(inbox)
        begun = CLOCK.now()
        latest = Batch(no_solutions())
        joiners: deque[_Joiner] | None = None
        failure: Exception | None = None
        pace = _Pace()
        while True:
            failed = all(runner.failed for runner in runners)
            seconds = CLOCK.now() - begun
            promising = not runners[0].failed and pace.is_promising(latest)
            if joiners is None and (failed or self._is_hard(seconds, latest)):
                # Not before: it takes a while to load them.
                joiners = self._joiners(model, request, promising)
                if prefix := spared() if spared and not failed else ():
                    runners[0].stop()
                    asked = replace(request, prefixes=(prefix,), more=self._help)
                    rest = first.search(model, asked)
                    runners[0] = _Runner(first, rest, latest.stats)
                    pace = _Pace(latest.stats.get("nodes", 0))
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
                runner.failed = True
                failure = failure or news if isinstance(news, _GaveUpError) else news
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


class _GaveUpError(BackendError):
    """A backend gave up. This is raised only if all backends give up."""


class _Joiner(NamedTuple):
    """A backend that joins a race after some seconds, with a request of its own.

    `rest`: seconds for which the default backend pauses when this one joins. This one then has a
    whole processor, which helps SAT solvers and CP-SAT if a puzzle has many copies of a piece.
    """

    seconds: float
    backend: Backend
    request: Request
    rest: float = 0.0

    def is_due(self, seconds: float, promising: bool) -> bool:
        """Return whether the backend is to join now, `seconds` after the start.

        `promising`: whether the default backend is expected to finish soon. If so, a backend that
        does not join at once waits.
        """
        return seconds >= self.seconds and (self.seconds == 0 or not promising)


class _Pace:
    """Judges by the latest progress of the default backend whether it will probably finish soon.

    The average since the beginning would mislead: some searches are half done very soon, but get no
    further. `begun`: number of nodes of an earlier search, which are not counted here.
    """

    def __init__(self, begun: int = 0) -> None:
        self._begun = begun
        # Nodes and progress at two earlier times; at the first, about half of the present nodes
        self._marks = [(0, 0.0), (1, 0.0)]

    def is_promising(self, latest: Batch) -> bool:
        """Return whether fewer than `RACE_SHORT_NODES` nodes in all are expected."""
        nodes, done = latest.stats.get("nodes", 0) - self._begun, latest.done or 0.0
        if nodes >= 2 * self._marks[1][0]:
            self._marks = [self._marks[1], (nodes, done)]
        before, had = self._marks[0]
        return (nodes - before) * (1 - done) < (RACE_SHORT_NODES - nodes) * (done - had)


_News = tuple["_Runner", Batch | Exception | None]
"""A runner and its message: a batch, an error, or None at the end of its search."""


def _merged(latest: Batch, news: Batch, *, counts: bool) -> Batch:
    """Return the batch to report next: the progress of the default backend, and the latest packing.

    `news`: a new batch. `counts`: whether it comes from the default backend, not from one that
    joined.
    """
    if counts:
        return news._replace(packing=latest.packing)
    return latest if news.packing is None else latest._replace(packing=news.packing)


class _Runner:
    """A backend that searches in a thread of its own, and puts its batches into a queue.

    `before`: counters of an earlier search, to be added to those of this one.
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
                    inbox.put((self, _GaveUpError(why)))
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
        """Let the search pause for some seconds after its next batch."""
        self._rest = max(self._rest, seconds)

    def stop(self) -> None:
        """Stop the search, and wait for the end of its thread: at most for about a heartbeat."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        else:
            self._running.close()


def _others(alike: bool) -> list[Backend]:
    """Return the backends with the role ``"later"``; see `Backend.races`.

    `alike`: whether the puzzle has many copies of few pieces. If so, each backend that names
    another in its attribute `Backend.for_copies` is replaced by that one.
    """
    return [
        get_backend(other.for_copies) if alike and other.for_copies else other
        for other in racers("later")
    ]


def backend(choice: str | None) -> AutoBackend:
    """Return the backend; raise BackendNotFoundError if `choice`, a solver, is not None."""
    refuse_choice("auto", choice)
    return AutoBackend()
