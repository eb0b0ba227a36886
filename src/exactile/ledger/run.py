"""Brings a ledger up to date: every puzzle a little first, then the rest again with more time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

import msgspec

from exactile.errors import PuzzleError
from exactile.files.puzzles.catalogue import statement_digest
from exactile.ledger.record import Record
from exactile.ledger.settle import MEMO_SOLUTIONS, memo_name
from exactile.ledger.store import Ledger
from exactile.ledger.worker import (
    News,
    Task,
    expected,
    is_hopeful,
    memo_states,
    searched,
    work,
)

FIRST_BUDGET = 1.0
GROWTH = 4.0
"""The first round gives each puzzle so many seconds; each further round so many times more."""

DEATHS = 2
"""A puzzle at which so many processes died is left."""


class Progress(msgspec.Struct):
    """How far a run is: the budget of the round, the puzzles done and in it, settled ones."""

    budget: float
    done: int
    of: int
    settled: int


class Run:
    """A run over puzzles of the catalogue.

    Parameters
    ----------
    ledger
        Where records are read and written, each as soon as it changes.
    budget
        Seconds of searching for each puzzle in all, of processor time; what earlier runs spent
        counts.
    workers
        Number of processes.
    watch
        Told of every record that is written, and how far the run is.

    Attributes
    ----------
    errors
        What went wrong, by puzzle.

    Raises
    ------
    PuzzleError
        If the budget or the number of processes is not positive.
    """

    def __init__(
        self,
        ledger: Ledger,
        budget: float,
        workers: int = 1,
        watch: Callable[[Record, Progress], None] | None = None,
    ) -> None:
        if not budget > 0 or workers < 1:
            raise PuzzleError("A run needs a positive budget and at least one process.")
        self.ledger = ledger
        self.budget = budget
        self.errors: dict[str, str] = {}
        self._number = workers
        self._watch = watch
        self._deaths: dict[str, int] = {}
        self._settled: set[str] = set()
        self._progress = Progress(0.0, 0, 0, 0)

    def settle(self, puzzles: Sequence[str]) -> None:
        """Work on puzzles, by identifier, in rounds of growing budgets."""
        workers = [_Worker() for _ in range(min(self._number, max(1, len(puzzles))))]
        try:
            for budget in budgets(self.budget):
                self._round(workers, puzzles, budget)
        finally:
            for worker in workers:
                worker.end()

    def _round(self, workers: list[_Worker], puzzles: Sequence[str], budget: float) -> None:
        known = {record.id: record for record in self.ledger}
        self._settled = {name for name in puzzles if name in known and known[name].settled}
        waiting: deque[Task] = deque()
        for name in puzzles:
            task = Task(name, known.get(name), statement_digest(name), budget, self.budget)
            if name not in self.errors and is_due(task):
                waiting.append(task)
        waiting = deque(sorted(waiting, key=lambda task: expected(task.record)))
        self._progress = Progress(budget, 0, len(waiting), len(self._settled))
        for worker in workers:
            worker.give(waiting)
        while busy := {w.connection: w for w in workers if w.task is not None}:
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                worker = busy[connection]
                try:
                    self._heard(worker, connection.recv())
                except (EOFError, OSError):
                    self._died(worker, waiting)
                if worker.task is None:
                    worker.give(waiting)

    def _heard(self, worker: _Worker, news: News) -> None:
        assert worker.task is not None
        if news.error:
            self.errors[worker.task.id] = news.error
        if news.done:
            worker.task = None
            self._progress.done += 1
        if news.record is not None:
            self.ledger.write(news.record)
            if news.record.settled:
                self._settled.add(news.record.id)
                self._progress.settled = len(self._settled)
            if self._watch is not None:
                self._watch(news.record, self._progress)

    def _died(self, worker: _Worker, waiting: deque[Task]) -> None:
        """Replace a dead process; its puzzle is tried again from what is in the ledger."""
        task = worker.task
        assert task is not None
        worker.revive()
        self._deaths[task.id] = self._deaths.get(task.id, 0) + 1
        if self._deaths[task.id] >= DEATHS:
            self.errors[task.id] = f"{DEATHS} processes died at it"
            self._progress.done += 1
        else:
            waiting.append(msgspec.structs.replace(task, record=self.ledger.read(task.id)))


class _Worker:
    """A process, and what it is doing."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self.connection: Connection
        self._process: BaseProcess
        self._begin()

    def _begin(self) -> None:
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(target=work, args=(other,), daemon=True)
        self._process.start()
        other.close()

    def give(self, waiting: deque[Task]) -> None:
        """Hand over the next task, if there is one."""
        if not waiting:
            return
        task = waiting.popleft()
        try:
            self.connection.send(task)
        except OSError:  # it died while it had nothing to do
            self.revive()
            self.connection.send(task)
        self.task = task

    def revive(self) -> None:
        """Begin anew with a fresh process."""
        self.end()
        self.task = None
        self._begin()

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def budgets(most: float) -> Iterator[float]:
    """Yield the budgets of the rounds.

    Examples
    --------
    >>> list(budgets(20))
    [1.0, 4.0, 16.0, 20]
    """
    budget = FIRST_BUDGET
    while budget < most:
        yield budget
        budget *= GROWTH
    yield most


def is_due(task: Task) -> bool:
    """Return whether a task has anything to do, as far as can be told without its model."""
    record = task.record
    if record is None or record.statement != task.statement:
        return True
    if record.settled:
        return False
    if task.last:
        return searched(record) < task.budget or record.guess is None
    states = memo_states(task.budget)
    memo = record.at_least >= MEMO_SOLUTIONS and memo_name(states) not in record.tried
    return (searched(record) < task.budget and is_hopeful(record, task)) or (states > 0 and memo)
