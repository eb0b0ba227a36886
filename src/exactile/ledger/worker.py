"""A process that settles puzzles of the catalogue, and tells what it knows as it goes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec

from exactile.backends.process import die_with_parent
from exactile.errors import ExactileError
from exactile.files import load
from exactile.ledger.record import Record
from exactile.ledger.settle import Settler

SLICE = 10.0
"""At most about so many seconds of searching are lost when a process is killed."""

COLORING_SECONDS = 10.0
MEMO_FROM = 16.0
RACE_FROM = 200.0
"""From which budget on solutions are counted without listing, and other backends are asked."""

ESTIMATE_SECONDS = 0.7


class Task(msgspec.Struct, frozen=True):
    """What is to be done for a puzzle.

    Attributes
    ----------
    id, record
        The puzzle, and what is known of it.
    statement
        Digest of what its file says.
    budget, most
        Seconds of searching, of processor time, in this round and in the last one.
    """

    id: str
    record: Record | None
    statement: str
    budget: float
    most: float

    @property
    def last(self) -> bool:
        """Whether no larger budget will come."""
        return self.budget >= self.most


class News(msgspec.Struct, frozen=True):
    """What a worker tells: a record that has changed, or an error; `done` if that was all."""

    record: Record | None
    error: str = ""
    done: bool = False


def work(connection: Connection) -> None:
    """Take tasks and tell news until the other side is gone."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the other side is gone
        while True:
            task = connection.recv()
            try:
                settler = Settler(load(task.id), task.record)
                for _ in steps(settler, task):
                    connection.send(News(settler.record))
                connection.send(News(settler.record, done=True))
            except (ExactileError, MemoryError) as error:
                connection.send(News(None, str(error) or "out of memory", done=True))


def steps(settler: Settler, task: Task) -> Iterator[None]:
    """Do a task step by step; after each of them the record holds what is known."""
    record = settler.record
    record.statement = task.statement
    if record.search is None and not record.settled:
        settler.look()
        yield
    while not record.settled and (left := task.budget - searched(record)) > 0:
        settler.search(min(left, SLICE))
        yield
    if not record.settled and not record.at_least and "coloring" not in record.tried:
        settler.color(COLORING_SECONDS)
        yield
    if not record.settled and task.budget >= MEMO_FROM and settler.memo_may_pay:
        settler.memorize(task.budget)
        yield
    race = task.budget >= RACE_FROM and "race" not in record.tried
    if race and not record.settled and not record.at_least:
        settler.race(task.budget)
        yield
    if task.last and not record.settled:
        settler.estimate(ESTIMATE_SECONDS)


def searched(record: Record) -> float:
    """Return for how long the native search has worked on a puzzle."""
    return record.search.seconds if record.search else 0.0
