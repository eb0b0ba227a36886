"""Long searches: the runs of the store that the page was opened with, begun and gone on with."""

from __future__ import annotations

from itertools import islice

import msgspec

from exactile.clock import CLOCK
from exactile.errors import FileError
from exactile.files.puzzles.writer import document_text
from exactile.render.board import in_numbers
from exactile.runs.drive import Driver
from exactile.runs.found import found_solutions
from exactile.runs.run import StoredRun
from exactile.runs.settings import Verb
from exactile.runs.status import store_status
from exactile.runs.store import Store
from exactile.search.limits import Limits
from exactile.serve.tasks.asked import SearchAsked, Tell, require_offered
from exactile.serve.tasks.searching import PACE

AT_ONCE = 500
"""Solutions are told so many at a time."""


class StoreAsked(msgspec.Struct, frozen=True):
    """What is asked of a store, whose file is known here alone."""


class KeptAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The solutions of a run: the first so many of those that differ."""

    run: int
    limit: int
    up_to: str | None = None


def runs(asked: StoreAsked, tell: Tell, store: str) -> None:
    """Tell a `StoreStatus`, and the text of each run's puzzle."""
    _require(store)
    status = store_status(store)
    with Store(store) as opened:
        texts = [document_text([opened.puzzle(run.run)]) for run in status.runs]
    tell("runs", {"file": status.file, "runs": status.runs, "texts": texts})


def kept(asked: KeptAsked, tell: Tell, store: str) -> None:
    """Tell the solutions that a run has kept, then its answer."""
    _require(store)
    with Store(store) as opened:
        run = StoredRun(opened, asked.run)
        found = islice(found_solutions(run, up_to=asked.up_to), max(0, asked.limit))
        while some := [in_numbers(run.case.puzzle, s) for s in islice(found, AT_ONCE)]:
            tell("solutions", some)
        tell("answer", run.answer())


class RunAsked(SearchAsked, frozen=True, kw_only=True):
    """A search that is to be kept."""

    verb: Verb


def begin(asked: RunAsked, tell: Tell, store: str) -> None:
    """Tell the number of the run that searches this, a new one if there is none."""
    _require(store)
    with Store(store, write=True) as opened:
        run = StoredRun.same(opened, asked.case, asked.verb, backend=asked.backend)
    tell("run", {"run": run.number})


class GoOnAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A run, and how long it is gone on with."""

    run: int
    time_limit: float = 3600.0


def go_on(asked: GoOnAsked, tell: Tell, store: str) -> None:
    """Go on with a run and tell how far it is, then its answer.

    What is found is in the store before it is told, so that nothing is lost with this process.
    """
    _require(store)
    last = 0.0

    def watch(driver: Driver) -> None:
        nonlocal last
        if CLOCK.now() - last >= PACE:
            last = CLOCK.now()
            tell("progress", {"found": driver.totals.found, "done": 1 - driver.left})

    with Store(store, write=True) as opened:
        run = StoredRun(opened, asked.run)
        require_offered(run.settings.backend.partition(":")[0])  # the store is the user's own
        tell("answer", run.go_on(limits=Limits(asked.time_limit), watch=watch))


def _require(store: str) -> None:
    if not store:
        raise FileError("The page was opened without a store: begin with `exactile serve FILE`.")
