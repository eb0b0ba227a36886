"""A process that settles puzzles of the catalogue, and reports what it knows as it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf

import msgspec

from exactile.counting.plan import ledger_frontier, ledger_states
from exactile.errors import CheckFailedError, ExactileError, UnfinishedError
from exactile.files import load
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.settle import Settler, unseen
from exactile.tuning import TUNING
from exactile.work import Tell

LEDGER_SLICE = 10.0
"""Seconds of searching that a killed process may lose."""

LEDGER_RACE_FROM = 200.0
"""Budget in seconds from which other backends are tried."""

LEDGER_HOPE = 10.0
"""Multiple of the budget that a search may be expected to take."""

LEDGER_MEMO_SECONDS = 1800.0
"""Seconds of a memo at most."""

LEDGER_FIND_SECONDS = 12.0
"""Seconds of the search for one solution."""

LEDGER_FRONT_SECONDS = 1800.0
"""Seconds of two frontiers at most."""

LEDGER_FRONT_BYTES = 3 * 2**30
"""Memory of each frontier; more goes to disk."""


class PuzzleTask(msgspec.Struct, frozen=True):
    """What is to be done for a puzzle.

    Attributes
    ----------
    id, record
        The puzzle, and what is known of it.
    puzzle
        Its digest.
    budget, most
        Seconds of searching, of processor time, in this round and in the last one.
    """

    id: str
    record: Record | None
    puzzle: str
    budget: float
    most: float

    @property
    def last(self) -> bool:
        """Whether no larger budget will come."""
        return self.budget >= self.most


class News(msgspec.Struct, frozen=True):
    """A report: a record that has changed, or an error; `done` marks the last one.

    `wrong` marks a wrong answer of Exactile: counting must stop.
    """

    record: Record | None
    error: str = ""
    done: bool = False
    wrong: bool = False


@dataclass(frozen=True)
class Settling:
    """The service of settling puzzles; see `exactile.work.Pool`."""

    def start(self) -> Callable[[PuzzleTask, Tell[News]], None]:
        """Return what settles a puzzle."""
        return settle


def settle(task: PuzzleTask, tell: Tell[News]) -> None:
    """Take the steps for a puzzle, and report after each."""
    try:
        settler = Settler(load(task.id), task.record)
        for _ in steps(settler, task):
            tell(News(settler.record))
        tell(News(settler.record, done=True))
    except CheckFailedError as error:
        tell(News(None, str(error), done=True, wrong=True))
    except (ExactileError, MemoryError) as error:
        tell(News(None, str(error) or "out of memory", done=True))


def steps(settler: Settler, task: PuzzleTask) -> Iterator[None]:
    """Do a task step by step; after each of them the record holds what is known."""
    record = settler.record
    if record.search is None and not record.settled:
        settler.look()
        yield
    elif record.search is not None and not record.search.left:
        settler.search(0.0)
        yield
    front = ledger_frontier(task.budget)
    begun = record.search is not None or record.at_least > 0  # else it may be easy to list
    if not record.settled and begun and settler.front_may_pay(front):
        settler.sweep(LEDGER_FRONT_SECONDS, front, LEDGER_FRONT_BYTES)
        yield
    states = ledger_states(task.budget)
    if not record.settled and states and settler.memo_may_pay(states):
        settler.memorize(LEDGER_MEMO_SECONDS, states)
        yield
    # Of the settler's record: the task's may be of a puzzle that has been changed since.
    hopeful = is_hopeful(record, task)
    while not record.settled and hopeful and (left := task.budget - searched(record)) > 0:
        settler.search(min(left, LEDGER_SLICE))
        yield
    if not record.settled and not record.at_least and "coloring" not in record.tried:
        settler.color(TUNING.ledger_coloring_seconds)
        yield
    if task.budget >= TUNING.ledger_find_from and unseen(record):
        settler.find(LEDGER_FIND_SECONDS)
        yield
    race = task.budget >= LEDGER_RACE_FROM and "race" not in record.tried
    if race and not record.settled and not record.at_least:
        settler.race(task.budget)
        yield
    if task.last and not record.settled and record.guess is None:
        with suppress(UnfinishedError):
            settler.estimate(TUNING.ledger_estimate_seconds)


def is_hopeful(record: Record, task: PuzzleTask) -> bool:
    """Return whether a search that went as a record says is to go on in the round of a task."""
    return task.last or expected(record) <= LEDGER_HOPE * task.budget


def expected(record: Record | None) -> float:
    """Return how many seconds a search may take in all, from the part that is searched.

    0 if nothing is known, infinite if nothing is searched.
    """
    if record is None or record.search is None:
        return 0.0
    done = record.search.done
    return record.search.totals.seconds / done if done > 0 else inf


def searched(record: Record) -> float:
    """Return for how long the native search has worked on a puzzle."""
    return record.search.totals.seconds if record.search else 0.0
