"""Code that commands with --store share: beginning, continuing and reading searches in a store.

A store is a file with searches, called runs, and their results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

import msgspec
import rich_click as click
from click import get_current_context

from exactile.answers import INTERRUPTED, SolutionList
from exactile.cli.common import Settings
from exactile.cli.main import ending_in_order
from exactile.cli.words import Line, plural, progress_text
from exactile.errors import FileError

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle, Solution
    from exactile.runs.drive import Driver
    from exactile.runs.levels import Apart
    from exactile.runs.run import Method, RunAnswer, StoredRun, Verb
    from exactile.runs.store import RunRecord, Store


def require_there(store: str) -> None:
    """Raise FileError if the file of a store does not exist or is empty."""
    path = Path(store)
    if not path.exists():
        raise FileError(f"{store}: there is no such store.")
    if path.is_file() and not path.stat().st_size:
        raise FileError(f"{store}: this is not a store of exactile: the file is empty.")


@dataclass(frozen=True)
class KeptOptions:
    """The values of --store, --on and --parts; each of the last two is None if it is not given."""

    store: str
    on: str | None
    parts: int | None
    goes: bool = False
    """Whether the store is temporary: --on was given without --store."""


def gathered(given: dict[str, Any]) -> dict[str, Any]:
    """Return a command's arguments, with --store, --on and --parts joined in one argument ``kept``.

    The three are removed from `given`. ``kept`` is a `KeptOptions`, or None if neither --store nor
    --on is given. With --on alone, the store is a temporary file, which is deleted at the end of
    the command.
    """
    store, on, parts = given.pop("store"), given.pop("on"), given.pop("parts", None)
    kept = None
    if store is not None:
        kept = KeptOptions(store, on, parts)
    elif on is not None:
        from tempfile import TemporaryDirectory  # here, because most commands do not need it

        directory = get_current_context().with_resource(TemporaryDirectory())
        kept = KeptOptions(str(Path(directory) / "run.store"), on, None, goes=True)
    return {**given, "kept": kept}


def apart_by(*, rotations: bool) -> Apart:
    """Return the name of the moves that take solutions apart, with or without quarter turns."""
    return "rotations" if rotations else "translations"


@dataclass(frozen=True)
class KeptSearch:
    """A search that is kept in a store: its puzzle, its settings and the store.

    `method`: how a count is made. `most`: largest number of solutions; None for all. `apart`: the
    moves by which solutions are taken apart; None if they are not taken apart.
    """

    kept: KeptOptions  # the store
    verb: Verb
    puzzle: Puzzle
    settings: Settings
    method: Method = "list"  # how a count is made
    most: int | None = None  # largest number of solutions
    apart: Apart | None = None  # the moves by which solutions are taken apart, if they are

    @contextmanager
    def run(self) -> Iterator[StoredRun]:
        """Open the store, and yield the stored search with these settings, or else a new one.

        The store is created if it does not exist. Raise click.UsageError if the backend cannot
        search a part of a puzzle, FileError if the file is not a store or another process writes
        to it.
        """
        from exactile.runs.run import StoredRun
        from exactile.runs.store import store_to_fill

        self._require_parts()
        with store_to_fill(self.kept.store) as store:
            yield StoredRun.same(
                store,
                self.puzzle,
                self.verb,
                backend=self.settings.backend,
                use_symmetry=self.settings.use_symmetry,
                use_reasons=self.settings.use_reasons,
                method=self.method,
                most=self.most,
                apart=self.apart,
            )

    def _require_parts(self) -> None:
        """Raise click.UsageError if the backend cannot search a part of a puzzle."""
        from exactile.backends.registry import get_backend

        if not get_backend(self.settings.backend).takes_prefixes:
            option = "--on" if self.kept.goes else "--store"
            raise click.UsageError(
                f"The backend {self.settings.backend} cannot search a part of a puzzle: take dlx, "
                f"sat or cpsat with {option}."
            )

    def go_on(self, run: StoredRun) -> RunAnswer:
        """Continue a run, or with --parts only cut it into parts; return its answer so far."""
        kept, settings = self.kept, self.settings
        if kept.parts is not None:
            run.cut(kept.parts)
            return run.answer()
        limit = settings.seconds_left
        return go_on(run, kept.on, settings.workers, limit, quiet=settings.quiet, goes=kept.goes)

    def answer(self) -> RunAnswer:
        """Search, and return the answer, which may be unfinished."""
        with self.run() as run:
            return self.go_on(run)


def go_on(
    run: StoredRun,
    on: str | None,
    workers: int | None,
    time_limit: float | None,
    *,
    quiet: bool,
    goes: bool = False,
) -> RunAnswer:
    """Continue a run until it is finished or stopped, and return its answer so far.

    After the first Ctrl-C or SIGTERM, the run is saved and can be continued. `on`: where its parts
    are searched, ``threads`` by default. `goes`: whether the store is temporary; if so, no hint on
    how to continue is given.
    """
    from exactile.search.limits import CANCELLED, Limits

    if on is not None and run.settings.method == "frontier":
        raise click.UsageError(
            f"Run {run.number} counts by a frontier, which is not cut into parts: leave out --on."
        )
    limits = Limits(time_limit)
    with RunLine(enabled=not quiet) as line, ending_in_order(limits):
        answer = run.go_on(on or "threads", workers, limits, line, line.counted)
    if not (run.finished or quiet or goes):
        click.echo(f"Continue with: {command_on(run, 'resume')}", err=True)
    if answer.stopped == CANCELLED:
        return msgspec.structs.replace(answer, stopped=INTERRUPTED)
    return answer


def command_on(run: StoredRun, name: str) -> str:
    """Return the command for a shell that has the given name and takes a stored search."""
    return join(["exactile", name, run.store.path, str(run.number)])


def listed(
    run: StoredRun, answer: RunAnswer, found: Iterable[Solution], up_to: str | None = None
) -> SolutionList:
    """Return an answer that consists of solutions of a run, with the status of the run.

    `answer`: the run's answer so far. `found`: the solutions. `up_to`: ``rotation`` or ``symmetry``
    if, of all solutions that are equal up to rotation or symmetry, `found` has only one; else None.
    """
    from exactile.puzzle.coordinates import all_in_coordinates

    return SolutionList(
        puzzle=answer.puzzle,
        backend=run.settings.backend,
        status=answer.status,
        stopped=answer.stopped,
        reason=run.settings.reason,
        crossing=run.case.puzzle.crossing,
        up_to=up_to,
        solutions=all_in_coordinates(run.case.puzzle, found),
        stats=answer.stats,
    )


def chosen_run(store: Store, number: int | None, among: Sequence[RunRecord], what: str) -> int:
    """Return `number`, or if it is None, the number of the only run (stored search) in `among`.

    Raise FileError if the store has no run `number`, or if `among` is empty or has several runs.
    `what`: words after "run" in the message, such as ``still unfinished``.
    """
    if number is not None:
        return store.run(number).number
    if not among:
        raise FileError(f"{store.path}: there is no run {what}: see `exactile status`.")
    if len(among) > 1:
        listed = ", ".join(f"{run.number} ({run.puzzle})" for run in among)
        raise FileError(f"{store.path}: there are several runs {what}: name one of {listed}.")
    return among[0].number


def chosen_search(
    store: Store, number: int | None, among: Sequence[RunRecord], what: str
) -> StoredRun:
    """Return the run whose number `chosen_run` returns for the same arguments.

    If the catalogue has an equal puzzle with the same name, the run gets that puzzle, because a
    store keeps neither published numbers nor the box in which a torus is drawn.
    """
    from exactile.files.puzzles import catalogue
    from exactile.runs.run import StoredRun
    from exactile.search.case import Case

    chosen = chosen_run(store, number, among, what)
    puzzle = store.puzzle(chosen)
    if catalogue.has(puzzle.name):
        named = catalogue.load(puzzle.name)
        puzzle = named if named == puzzle else puzzle
    return StoredRun(store, chosen, Case(puzzle))


class RunLine(Line):
    """The progress line of a stored search: fraction, solutions, time, number of workers."""

    def __call__(self, driver: Driver) -> None:
        """Show the progress of a run, if an update is due."""
        if self.due():
            text = progress_text(driver.done, driver.totals.raw, driver.seconds)
            self.show(f"{text}, {plural(driver.executor.alive, 'worker')}")
