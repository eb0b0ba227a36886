"""Counts the solutions of puzzles for a ledger, in rounds: each gives open puzzles more time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from exactile.errors import CheckFailedError, PuzzleError
from exactile.files.puzzles.catalogue import load
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.settle import News, PuzzleTask, Settling, expected, is_due
from exactile.runs.ledger.store import Ledger
from exactile.tuning import TUNING
from exactile.work import Pool

LEDGER_GROWTH = 4.0
"""Factor by which the budget of processor time grows from round to round."""


class LedgerProgress(msgspec.Struct):
    """The progress of a round.

    `budget`: seconds that each puzzle gets. `of`: number of puzzles to work on in this round.
    `done`: number of these that are done. `settled`: number of puzzles that are settled, in this
    round or before.
    """

    budget: float
    done: int
    of: int
    settled: int


class Run:
    """Counts the solutions of puzzles of the catalogue, and keeps their records in a ledger.

    A record is written as soon as it changes.

    `budget`: processor time, in seconds, for the search of each puzzle, including time that was
    spent on it before. `workers`: number of processes. `watch`: called after each record that is
    written, with the record and the progress of the round. Raise PuzzleError if `budget` or
    `workers` is not positive.

    If the work on a puzzle fails, its error message is in `errors`, by the identifier of the
    puzzle, and later rounds skip the puzzle.
    """

    def __init__(
        self,
        ledger: Ledger,
        budget: float,
        workers: int = 1,
        watch: Callable[[Record, LedgerProgress], None] | None = None,
    ) -> None:
        if not budget > 0 or workers < 1:
            raise PuzzleError("A run needs a positive budget and at least one process.")
        self.ledger = ledger
        self.budget = budget
        self.errors: dict[str, str] = {}  # messages, by puzzle
        self._number = workers
        self._watch = watch
        self._settled: set[str] = set()
        self._progress = LedgerProgress(0.0, 0, 0, 0)

    def settle(self, names: Sequence[str]) -> None:
        """Count the solutions of the puzzles with these identifiers, in rounds of growing budgets.

        A puzzle with several names is recorded under the first of them. Raise NotFoundError if
        there is no puzzle with one of the names, and CheckFailedError if an answer is wrong; the
        ledger keeps all records that were written before.
        """
        puzzles: dict[str, str] = {}
        for name in names:
            puzzles.setdefault(load(name).digest, name)
        for budget in budgets(self.budget):
            self._round(puzzles, budget)

    def _round(self, puzzles: dict[str, str], budget: float) -> None:
        due = []
        self._settled = set()
        for puzzle, name in puzzles.items():
            record = self.ledger.read(name, puzzle)
            if record is not None and record.settled:
                self._settled.add(name)
            task = PuzzleTask(name, record, puzzle, budget, self.budget)
            if name not in self.errors and is_due(task):
                due.append(task)
        due.sort(key=lambda task: expected(task.record))
        self._progress = LedgerProgress(budget, 0, len(due), len(self._settled))

        def task_now(number: int, _: int) -> PuzzleTask:
            """Return the task of a puzzle with its record as it is now in the ledger.

            A process that died while it worked on the puzzle may have changed the record.
            """
            task = due[number]
            return msgspec.structs.replace(task, record=self.ledger.read(task.id, task.puzzle))

        with Pool(Settling(), len(due), task_now, self._number) as pool:
            for event in pool:
                if event is None:
                    continue
                if event.message is not None:
                    self._take(due[event.part].id, event.message)
                elif event.death is not None:
                    self._progress.done += 1
                    cause = (
                        f"{TUNING.process_tries} processes died at it" if event.death.again else ""
                    )
                    self.errors[due[event.part].id] = cause or event.death.cause

    def _take(self, name: str, news: News) -> None:
        if news.wrong:
            raise CheckFailedError(f"{name}: {news.error}")
        if news.error:
            self.errors[name] = news.error
        self._progress.done += news.done
        if news.record is not None:
            self.ledger.write(news.record)
            if news.record.settled:
                self._settled.add(news.record.id)
                self._progress.settled = len(self._settled)
            if self._watch is not None:
                self._watch(news.record, self._progress)


def budgets(most: float) -> Iterator[float]:
    """Yield the budget of each round, in seconds of processor time; the last one is `most`.

    Examples
    --------
    >>> list(budgets(20))
    [1.0, 4.0, 16.0, 20]
    """
    budget = TUNING.ledger_first_budget
    while budget < most:
        yield budget
        budget *= LEDGER_GROWTH
    yield most
