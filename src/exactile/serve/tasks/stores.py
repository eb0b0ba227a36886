"""Long searches: the runs of the store that the page was opened with, and their solutions."""

from __future__ import annotations

from itertools import islice

import msgspec

from exactile.errors import FileError
from exactile.files.puzzles.writer import document_text
from exactile.render.board import in_numbers
from exactile.run.found import found_solutions
from exactile.run.run import StoredRun
from exactile.run.status import store_status
from exactile.serve.tasks.asked import Tell
from exactile.store import Store

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


def _require(store: str) -> None:
    if not store:
        raise FileError("The page was opened without a store: begin with `exactile serve FILE`.")
