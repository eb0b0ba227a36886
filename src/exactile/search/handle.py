"""`Handle`: a search that reads batches of answers from a solver and checks them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import suppress
from threading import RLock
from typing import Any, Generic, NamedTuple, Self, TypeVar

from exactile.answers import Stats, Status
from exactile.backends.base import HEARTBEAT, Batch, Left, no_solutions
from exactile.clock import CLOCK
from exactile.closing import Closing
from exactile.doors import door
from exactile.errors import CheckFailedError
from exactile.model.model import Ints
from exactile.model.orbits import Assignments
from exactile.search.limits import INTERRUPTED, Limits

A = TypeVar("A")


class Fault(NamedTuple):
    """A wrong answer in a batch: the number of its row, from 0, and its faults in words."""

    row: int
    words: list[str]


class Problem(ABC, Generic[A]):
    """The problem that a `Handle` solves: it finds, checks and decodes answers.

    Answers are found in batches, as rows of an array. A row is decoded only when its answer is
    read.
    """

    name: str  # for messages
    reason: str | None = None  # why it obviously has no answer; then nothing is searched
    share: float = 1.0  # fraction of the whole search that this one does
    limits: Limits = Limits()  # the limits of the handle; no step may take longer than they leave

    @property
    @abstractmethod
    def searcher(self) -> str:
        """The name of the solver, for messages, such as ``The backend dlx``."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """Numbers that describe the size of the problem, for `Handle.stats`, such as ``items``."""
        return {}

    @abstractmethod
    def batches(self) -> Generator[Batch]:
        """Yield batches that together contain each answer once.

        A batch comes at least every `HEARTBEAT` seconds; it may be empty.
        """

    @abstractmethod
    def fault(self, rows: Assignments) -> Fault | None:
        """Return the first wrong answer in some rows; None if all are right.

        The check must not share code with the search.
        """

    @abstractmethod
    def answers(self, rows: Assignments) -> list[A]:
        """Return the decoded answers, one for each row."""

    def part_fault(self, rows: Assignments) -> Fault | None:
        """Return the first wrong row of partial answers, such as packings; None if all are right.

        Only some backends yield partial answers. By default, raise NotImplementedError.
        """
        raise NotImplementedError

    def wanted(self, rows: Assignments) -> Assignments:
        """Return those rows that are requested, such as the first of each orbit; by default all.

        Each row is passed to this method only once.
        """
        return rows

    def number(self, rows: Assignments) -> int:
        """Return the number of answers that some rows stand for, by default one for each row.

        A row stands for several answers if the search leaves out its images.
        """
        return len(rows)

    def evidence(self, rows: Assignments, fault: Fault) -> str:
        """Return the end of an error message: where the wrong answer is recorded, or ``""``."""
        return ""

    def left(self) -> Left | None:
        """Return the prefixes of the whole search; None if the search cannot be resumed.

        This is the value of `Handle.left` before the search begins.
        """
        return None


class Rowless(Problem[A]):
    """A problem without answers: work that is done in slices of time, so that it can be stopped.

    `work` works for the given number of seconds, and returns True when everything is done.
    `patience` returns the length of the next slice in seconds; a slice is shorter if less time than
    that is left. `name` and `searcher` are for messages: see `Problem`.
    """

    searcher = ""

    def __init__(
        self,
        name: str,
        searcher: str,
        work: Callable[[float], bool] = lambda _: True,
        patience: Callable[[], float] = lambda: HEARTBEAT,
    ) -> None:
        self.name, self.searcher = name, searcher
        self._work, self._patience = work, patience

    def batches(self) -> Generator[Batch]:
        while not self._work(self._seconds()):
            yield Batch(no_solutions())

    def _seconds(self) -> float:
        left, patience = self.limits.left, self._patience()
        return patience if left is None else min(patience, left)

    def fault(self, rows: Assignments) -> None:
        """Return None: there are no rows."""

    def answers(self, rows: Assignments) -> list[A]:
        """Return an empty list: there are no answers."""
        return []


class Handle(Closing, Generic[A]):
    """A search that can be stopped at any time: a context manager and an iterator of answers.

    The search begins, and the clock of the limits starts, when the first answer is requested.
    Threads and asyncio tasks may share a handle: each answer goes to one of them. `watch` is called
    with the handle at every heartbeat, many times a second. `build_seconds` is the time that making
    the problem took; it is reported in `stats`. By default, there are no limits.
    """

    def __init__(
        self,
        problem: Problem[A],
        limits: Limits | None = None,
        *,
        watch: Callable[[Any], None] | None = None,
        build_seconds: float = 0.0,
    ) -> None:
        self.problem = problem
        self.limits = problem.limits = limits or Limits()
        self.found = 0  # number of answers so far
        self.done: float | None = None  # part of the search that is done, from 0 to 1, if known
        # Why the search ended before all was searched: "time limit", "solution limit", "cancelled",
        # "interrupted", "closed", "failed", the reason of a solver that gave up, or None.
        self.stopped: str | None = None
        self.proof: str | None = None  # folder with a proof that there are no further solutions
        self.doing: str | None = None  # the present attempt, in words, if the backend reports it
        self._packing: Ints | None = None
        self._watch = watch
        self._build_seconds = build_seconds
        self._seconds = self._check_seconds = 0.0
        self._counters: dict[str, Any] = {}
        self._exhausted = problem.reason is not None
        self._running: Generator[Batch] | None = None
        self._rest: Callable[[], Left | None] | None = problem.left
        self._waiting: deque[Assignments] = deque()  # found and not read
        self._answers: deque[tuple[int, A]] = deque()  # decoded, with their rows in `_read`
        self._read = no_solutions()
        self._passed_over: list[Assignments] = []  # found, but beyond the limit, or never read
        self._lock = RLock()  # held by the thread that searches or reads, for a heartbeat
        self._closing: str | None = None  # the reason, once it is being closed
        self._failure: Exception | None = None
        self.stepping = False  # whether some thread searches for the next batch
        self._awaiting = 0  # tasks that wait for an answer
        self.close_at_exit()

    @property
    def reason(self) -> str | None:
        """Why the problem obviously has no answer, in words; None if it is not obvious."""
        return self.problem.reason

    @property
    def status(self) -> Status:
        """The status of the search so far, such as ``solvable``."""
        if self._exhausted:
            return Status.COMPLETE if self.found else Status.UNSOLVABLE
        return Status.SOLVABLE if self.found else Status.UNKNOWN

    @property
    def stats(self) -> Stats:
        """Sizes of the problem, counters of the search, and seconds of each step."""
        return Stats.of(
            {
                **self.problem.sizes,
                **self._counters,
                "build_seconds": round(self._build_seconds, 6),
                "check_seconds": round(self._check_seconds, 6),
                "seconds": round(self._seconds, 6),
            }
        )

    @property
    def packing(self) -> A | None:
        """The best partial answer so far, checked; None if there is none, or an answer was found.

        Raise CheckFailedError if the partial answer is wrong.
        """
        if self._packing is None or self.found:
            return None
        rows = self._packing[None, :]
        if fault := self.problem.part_fault(rows):
            raise self._wrong("packing", fault)
        return self.problem.answers(rows)[0]

    @property
    def counters(self) -> Mapping[str, Any]:
        """The counters of the solver so far, such as ``nodes``."""
        return self._counters

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds that the rest of the search takes at the average speed so far.

        None if unknown.
        """
        if self._exhausted:
            return 0.0
        begun = 1 - self.problem.share
        if self.done is None or self.done <= begun:
            return None
        return (self._seconds + self._check_seconds) * (1 - self.done) / (self.done - begun)

    @property
    def left(self) -> Left | None:
        """The rest of the search: the prefixes that are left, and solutions found but not read.

        It consists of plain numbers that can be saved, and another search can resume from them.
        None if the search cannot be resumed.
        """
        with self._lock:
            tell = self.problem.left if self._exhausted else self._rest
            rest = tell() if tell is not None else None
            unread = self._read[[number for number, _ in self._answers.copy()]]
            found = [*self._passed_over, unread, *self._waiting]
        if rest is None:
            return None
        rows = [[o for o in row if o >= 0] for part in found for row in part.tolist()]
        if self._exhausted:
            return rest._replace(prefixes=[], rows=rows)
        return rest._replace(rows=[*rows, *rest.rows])

    def __iter__(self) -> Iterator[A]:
        return self

    def __next__(self) -> A:
        while self._has_next():
            with suppress(IndexError):  # another thread was faster
                return self._answers.popleft()[1]
        raise StopIteration

    def _has_next(self) -> bool:
        """Continue the search until an answer can be read; return False if there are no more."""
        while True:
            with self._lock:
                if not self._answers and self._waiting:
                    self._read = self._waiting.popleft()
                    self._answers.extend(enumerate(self.problem.answers(self._read)))
                if self._answers:
                    return True
                if not self._advance():
                    return False

    def __aiter__(self) -> AsyncIterator[A]:
        return self

    async def __anext__(self) -> A:
        import asyncio  # slow to load, and seldom needed

        self._awaiting += 1
        try:
            while await asyncio.to_thread(self._has_next):
                with suppress(IndexError):
                    return self._answers.popleft()[1]
        except asyncio.CancelledError:
            if self._awaiting == 1:  # else the search goes on for the others
                self.cancel()
            raise
        finally:
            self._awaiting -= 1
        raise StopAsyncIteration

    def batches(self) -> Iterator[Assignments]:
        """Search, and yield unread answers as arrays with a row for each, padded with -1.

        An empty array is yielded at a heartbeat without answers, so that the caller can act.
        """
        while True:
            with self._lock:
                if not len(rows := self._taken()):
                    if not (self._waiting or self._advance()):
                        return
                    rows = self._waiting.popleft() if self._waiting else no_solutions()
            yield rows

    def _taken(self) -> Assignments:
        """Remove the decoded answers that were not read, and return their rows."""
        numbers = []
        with suppress(IndexError):  # one by one: each answer goes to one thread
            while True:
                numbers.append(self._answers.popleft()[0])
        return self._read[numbers] if numbers else self._read[:0]  # a view takes no memory

    def cancel(self) -> None:
        """Stop at the next heartbeat, together with everything that shares the limits.

        May be called from any thread.
        """
        self.limits.cancel()

    @door
    def wait(self, timeout: float | None = None) -> Status:
        """Search to the end, until a limit is reached, or for `timeout` seconds; return the status.

        `timeout`: None for no such limit. The answers found can then be read by iteration. Raise
        CheckFailedError if an answer is wrong, and the errors of the solver.
        """
        end = None if timeout is None else CLOCK.now() + timeout
        while (end is None or CLOCK.now() < end) and self._advance():
            pass
        return self.status

    def counted(self) -> Self:
        """Search to the end, until a limit is reached, or until Ctrl-C; return this handle, closed.

        Answers are checked and counted, but not kept.
        """
        with self, suppress(KeyboardInterrupt):
            for _ in self.batches():
                pass
        return self

    def close(self, reason: str = "closed") -> None:
        """Stop the search and release the solver; unless it has ended, `stopped` is then `reason`.

        Answers that were found but not read are then only in `left`. Any thread may call this. If
        another thread is searching, the call waits for the next heartbeat.
        """
        self._closing = reason  # before the lock: a thread that searches then stops
        with self._lock:
            self._end(reason)
            self._passed_over += [self._taken(), *self._waiting]
            self._waiting.clear()

    def end(self, reason: str) -> None:
        """Stop before the next batch; answers that were found can still be read.

        `reason`: then the value of `stopped`, unless the search has ended. Any thread may call
        this, and so may the handler of a signal, unless `stepping`: raising KeyboardInterrupt is
        then faster.
        """
        self._closing = reason

    def close_soon(self) -> None:
        """Close the search, but wait at most a second for another thread that is searching."""
        self._closing = "closed"
        if self._lock.acquire(timeout=CLOCK.lasting(1.0)):
            try:
                self.close()
            finally:
                self._lock.release()

    def _end(self, reason: str | None) -> None:
        """Stop the solver; record `reason` unless the search is complete or was stopped before."""
        if not self._exhausted and self.stopped is None:
            self.stopped = reason
        if self._running is not None:
            self._running.close()

    def _advance(self) -> bool:
        """Search until the next heartbeat; return False if the search has ended."""
        self.stepping = True
        try:
            return self._step()
        finally:
            self.stepping = False

    def _step(self) -> bool:
        with self._lock:
            if self._failure is not None and self._closing is None:
                raise self._failure  # other threads must not take the results so far for complete
            if self._closing is not None:  # by `end`, or by a thread that waits for the lock
                self._end(self._closing)
            if self._exhausted or self.stopped is not None:
                return False
            try:
                self.limits.begin()
                if (reason := self.limits.reached(self.found)) is not None:
                    self._end(reason)
                    return False
                if (batch := self._next()) is not None:
                    self._take(batch)
            except BaseException as error:
                self._rest = None  # the last solutions may be lost
                if isinstance(error, Exception):
                    self._failure = _without_frames(error)
                self._end(INTERRUPTED if isinstance(error, KeyboardInterrupt) else "failed")
                raise
            return batch is not None

    def _next(self) -> Batch | None:
        """Return the next batch from the solver; None at the end of the search."""
        begun = CLOCK.now()
        self._running = self._running or self.problem.batches()
        try:
            return next(self._running)
        except StopIteration:
            self._exhausted = True
            return None
        finally:
            self._seconds += CLOCK.now() - begun

    def _take(self, batch: Batch) -> None:
        """Check and keep the solutions of a batch, record its counters, and stop at a limit."""
        self._counters.update(batch.stats)
        self.proof = batch.proof
        self.doing = batch.doing
        self._packing = self._packing if batch.packing is None else batch.packing
        self._rest = batch.left
        if batch.done is not None:
            self.done = 1 - (1 - batch.done) * self.problem.share
        if len(batch.assignments):
            begun = CLOCK.now()
            self._keep(batch.assignments)
            self._check_seconds += CLOCK.now() - begun
        if (reached := self.limits.reached(self.found) or batch.stopped) is not None:
            self._end(reached)
        if self._watch is not None:
            self._watch(self)

    def _keep(self, rows: Assignments) -> None:
        if (fault := self.problem.fault(rows)) is not None:
            raise self._wrong("solution", fault, self.problem.evidence(rows, fault))
        rows = self.problem.wanted(rows)
        if self.limits.number is not None:
            most = self.limits.number - self.found
            self._passed_over.append(rows[most:])
            rows = rows[:most]
        self.found += self.problem.number(rows)
        if len(rows):
            self._waiting.append(rows)

    def _wrong(self, what: str, fault: Fault, evidence: str = "") -> CheckFailedError:
        """Return the error for a wrong answer; `what` is ``"solution"`` or ``"packing"``.

        `evidence` is the end of its message.
        """
        return CheckFailedError(
            f"{self.problem.searcher} returned what is not a {what} of {self.problem.name}: "
            f"{'; '.join(fault.words)}. This is a bug in Exactile or in the solver{evidence}: "
            "please report it."
        )


def _without_frames(error: Exception) -> Exception:
    """Return a copy of an error without its traceback, whose frames keep a solver in memory."""
    kind = type(error)
    same = kind.__new__(kind, *error.args)
    same.__dict__.update(error.__dict__)
    return same


def drive(
    work: Callable[[float], bool],
    limits: Limits | None = None,
    patience: Callable[[], float] = lambda: HEARTBEAT,
) -> str | None:
    """Call `work` until it returns True or a limit is reached; return that limit, or None.

    `limits`: none by default. For `work` and `patience` see `Rowless`. An exception that `work`
    raises ends the calls.

    Examples
    --------
    >>> parts = iter([False, False, True])
    >>> drive(lambda seconds: next(parts)), drive(lambda seconds: False, Limits(0.01))
    (None, 'time limit')
    """
    with Handle(Rowless[None]("work", "work", work, patience), limits) as handle:
        handle.wait()
    return handle.stopped
