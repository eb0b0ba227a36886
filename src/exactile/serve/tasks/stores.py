"""Tasks about long searches: the runs in the store with which the page was opened.

A run is a search, with its results so far. Each task raises FileError if there is no store.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec

from exactile.clock import CLOCK
from exactile.errors import FileError, PuzzleError
from exactile.files.puzzles.writer import document_text
from exactile.render.board import in_numbers
from exactile.runs.drive import Driver
from exactile.runs.found import found_solutions
from exactile.runs.run import StoredRun, Verb
from exactile.runs.status import store_status
from exactile.runs.store import Store
from exactile.search.limits import Limits
from exactile.serve.tasks.puzzles import SearchAsked, Tell, require_offered
from exactile.serve.tasks.searching import PACE, Searched

AT_ONCE = 500
"""Largest number of solutions in one event."""


class StoreAsked(msgspec.Struct, frozen=True):
    """A request about the store: the file of long searches with which the page was opened."""


class KeptAsked(Searched, frozen=True, kw_only=True):
    """A request for the stored solutions of a run of this puzzle."""

    run: int


def runs(asked: StoreAsked, tell: Tell, store: str) -> None:
    """Report the file and the runs of a `StoreStatus`, and the text of each run's puzzle."""
    _require(store)
    status = store_status(store)
    with Store(store) as opened:
        texts = [document_text([opened.puzzle(run.run)]) for run in status.runs]
    tell("runs", {"file": status.file, "runs": status.runs, "texts": texts})


def kept(asked: KeptAsked, tell: Tell, store: str) -> None:
    """Report the stored solutions of a run, then its answer.

    Raise PuzzleError if the run is one of another puzzle, as after the server has opened another
    store: the numbers of units would have another meaning on the page.
    """
    _require(store)
    with Store(store) as opened:
        run = StoredRun(opened, asked.run)
        if run.case.puzzle.digest != asked.case.puzzle.digest:
            name = Path(store).name
            raise PuzzleError(
                f"Run {asked.run} of {name} has another puzzle: see its list of runs."
            )
        most = None if asked.limit is None else max(0, asked.limit)
        found = islice(found_solutions(run, up_to=asked.up_to), most)
        while some := [in_numbers(run.case.puzzle, s) for s in islice(found, AT_ONCE)]:
            tell("solutions", some)
        tell("answer", run.answer())


class RunAsked(SearchAsked, frozen=True, kw_only=True):
    """A request for a search whose results are stored."""

    verb: Verb


def begin(asked: RunAsked, tell: Tell, store: str) -> None:
    """Report the number of the run of a search; if the store has no such run, add one."""
    _require(store)
    with Store(store, write=True) as opened:
        run = StoredRun.same(opened, asked.case, asked.verb, backend=asked.backend)
    tell("run", {"run": run.number})


class GoOnAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A request to resume a run, with a time limit in seconds."""

    run: int
    time_limit: float = 3600.0


def go_on(asked: GoOnAsked, tell: Tell, store: str) -> None:
    """Resume a run and report its progress, then its answer.

    Solutions are stored before they are reported, so none is lost if this process dies. Raise
    PuzzleError if the page does not offer the backend of the run.
    """
    _require(store)
    last = 0.0

    def watch(driver: Driver) -> None:
        nonlocal last
        if CLOCK.now() - last >= PACE:
            last = CLOCK.now()
            tell("progress", {"found": driver.totals.found, "done": driver.done})

    with Store(store, write=True) as opened:
        run = StoredRun(opened, asked.run)
        require_offered(run.settings.backend.partition(":")[0])  # the store is the user's own
        tell("answer", run.go_on(limits=Limits(asked.time_limit), watch=watch))


def _require(store: str) -> None:
    if not store:
        raise FileError("The page was opened without a store: begin with `exactile serve FILE`.")
