"""Code that commands share: settings of a search, running it, and printing its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click
from click import get_current_context
from click.core import ParameterSource

from exactile.answers import (
    INTERRUPTED,
    SOLUTION_LIMIT,
    Answer,
    AssemblyCount,
    Count,
    QueensAnswer,
    Stats,
    Status,
    SubsetCounts,
    Verdict,
)
from exactile.cli import options
from exactile.cli.main import first_signal, undisturbed
from exactile.cli.output import Output, print_answer
from exactile.cli.words import Line, every, percent, plural, uses_text
from exactile.clock import CLOCK
from exactile.errors import BackendError, FileError, Interrupted

if TYPE_CHECKING:
    from exactile.assembly.search import AssemblySearch
    from exactile.backends import Backend
    from exactile.puzzle import Known, Puzzle, Solution
    from exactile.search import Search
    from exactile.search.handle import Handle
    from exactile.search.search import Options


UNFINISHED = 3
"""The exit code if a limit was reached before the answer, or a solver gave up."""

SEED_REPORTED = "exactile.seed_reported"
"""Key in a command's context: whether it was reported that a seed has no effect."""

COMPETITION = {Status.SOLVABLE: 10, Status.COMPLETE: 10, Status.UNSOLVABLE: 20, Status.UNKNOWN: 0}
"""The exit codes of SAT competitions, by the status of the answer."""


@dataclass(frozen=True)
class Settings:
    """The options of commands that search, such as --backend and --time-limit."""

    backend: str
    time_limit: float | None
    seed: int
    workers: int | None
    ordered: bool
    encoding: str | None
    use_symmetry: bool
    use_reasons: bool
    quiet: bool
    verbose: bool
    begun: float = field(default_factory=lambda: CLOCK.now(), init=False)
    """When the time limit began, in seconds of `CLOCK`. A copy made by `replace` begins anew."""

    def changed(self, **changes: Any) -> Settings:
        """Return a copy with changed values; its time limit began when that of the original did."""
        result = replace(self, **changes)
        object.__setattr__(result, "begun", self.begun)
        return result

    @property
    def seconds_left(self) -> float | None:
        """Seconds left of the time limit, always more than 0; None without a limit.

        The time for reading the puzzle is already subtracted.
        """
        return rest_of(self.time_limit, self.begun)

    def assemblies(
        self,
        puzzle: Puzzle,
        limit: int | None,
        watch: Callable[[Search], None],
        *,
        rotations: bool,
    ) -> AssemblySearch:
        """Return a search for solutions that can be taken apart.

        - `limit`: number of these solutions after which to stop; None for all.
        - `watch`: called during the search, to show progress.
        - `rotations`: whether pieces may also be turned.
        """
        from exactile.assembly.search import AssemblySearch
        from exactile.search.limits import Limits

        options = self.options()
        limits = Limits(options.pop("time_limit"), limit)
        return AssemblySearch(puzzle, limits=limits, rotations=rotations, watch=watch, **options)

    def options(self) -> Options:
        """Return the keyword arguments of searches; their time limit is the time that is left."""
        return {
            "backend": self.backend,
            "time_limit": self.seconds_left,
            "seed": self.seed,
            "workers": self.workers,
            "ordered": self.ordered,
            "encoding": self.encoding,
            "use_symmetry": self.use_symmetry,
            "use_reasons": self.use_reasons,
        }

    def report_seed(self, used: Backend | None = None) -> None:
        """Report on stderr if the given seed has no effect on the backend, unless --quiet is given.

        Only the first call within a command reports it. `used`: the backend that gave the answer;
        by default, that of --backend.
        """
        meta = get_current_context().meta
        if self.quiet or not is_given("seed") or meta.get(SEED_REPORTED):
            return
        meta[SEED_REPORTED] = True
        from exactile.backends.registry import get_backend

        backend = used or get_backend(self.backend)
        report_seed(backend.name, takes_seed=backend.takes_seed, quiet=self.quiet)

    def report_counters(self, stats: Stats, *, default: bool) -> None:
        """Report a seed that has no effect, and print the counters of a search on stderr.

        The counters are printed if --verbose is given, or if `default` is True and --quiet is not
        given.
        """
        self.report_seed()
        if self.verbose or (default and not self.quiet):
            click.echo(counters(stats), err=True)

    def tell(
        self,
        answer: Count | Verdict | AssemblyCount | SubsetCounts,
        lines: Iterable[str],
        *,
        as_json: bool,
    ) -> int:
        """Print an answer, as JSON or as `lines`, and its counters; return the exit code.

        The counters are printed if --verbose is given, or if neither JSON nor --quiet is requested.
        """
        print_answer(answer, lines, as_json=as_json)
        self.report_counters(answer.stats, default=not as_json)
        return exit_code(answer.status, answer.stopped)


def report_seed(solver: str, *, takes_seed: bool, quiet: bool) -> None:
    """Report on stderr if a seed is given but the solver makes no random choices."""
    if not (takes_seed or quiet or "+seed=" in solver) and is_given("seed"):
        click.echo(f"{solver} makes no random choices: seed changes nothing.", err=True)


def rest_of(seconds: float | None, begun: float) -> float | None:
    """Return the seconds left of a time limit, always more than 0; None without a limit.

    `seconds`: the limit. `begun`: when it began, in seconds of `CLOCK`.

    Examples
    --------
    >>> rest_of(2.0, CLOCK.now() - 5), rest_of(None, 0)
    (1e-09, None)
    """
    return None if seconds is None else max(seconds - (CLOCK.now() - begun), 1e-9)


def gathered(given: dict[str, Any]) -> dict[str, Any]:
    """Return a command's arguments, with all search options combined into one, ``settings``.

    The search options are removed from `given`. Raise BackendError if an option contradicts a
    setting in the name of the backend.
    """
    settings = Settings(**{f.name: given.pop(f.name) for f in fields(Settings) if f.init})
    require_agreement(settings.backend)
    return {**given, "settings": settings}


def require_agreement(backend: str) -> None:
    """Raise BackendError if an option contradicts a setting in the name of a backend.

    It is also raised if the name has a setting twice.
    """
    if "+" not in backend:
        return
    from exactile.backends.registry import parsed

    own, given = parsed(backend).settings, get_current_context().params
    for option, name in (("seed", "seed"), ("workers", "threads"), ("encoding", "encoding")):
        if is_given(option) and own.get(name, str(given[option])) != str(given[option]):
            raise BackendError(
                f"'{backend}' sets {name}={own[name]}, but {option} is {given[option]}: leave one "
                "out."
            )


def exit_code(status: Status, stopped: str | None = None) -> int:
    """Return the exit code of an answer: 130 after Ctrl-C, else according to --exit-code.

    `stopped`: why the search ended early, such as ``time limit``; None if it was finished.
    """
    if stopped == INTERRUPTED:
        return 130
    if get_current_context().meta.get(options.CODES) == "sat":
        return COMPETITION[status]
    answered = status is not Status.UNKNOWN and stopped in (None, SOLUTION_LIMIT)
    return 0 if answered else UNFINISHED


A = TypeVar("A")


def answered(ask: Callable[[Callable[[str], None]], A], *, quiet: bool) -> A:
    """Call a function and return its answer, or after Ctrl-C its answer so far.

    `ask`: the function to call; its argument is a function that shows a text as progress. `quiet`:
    whether to show no progress.
    """
    line = Line(enabled=not quiet)
    return counted(lambda: ask(line.show), line)


def is_given(name: str) -> bool:
    """Return whether an option was given on the command line."""
    return get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def solution_of(file: str, puzzle: Puzzle, number: int) -> Solution:
    """Return solution `number` of a file, counted from 1.

    Raise FileError if there is no such solution, or if the file cannot be read.
    """
    from exactile.files import read_solutions

    found = next(islice(read_solutions(file, puzzle), number - 1, None), None)
    if found is None:
        raise FileError(f"{file} has no solution number {number}.")
    return found


def searched(done: float | None) -> str:
    """Return the finished fraction of a search in words, after a comma; empty if it is unknown.

    The fraction is rounded down, so that only a finished search has 100 %.

    >>> searched(0.1234), searched(0.99999), searched(None)
    (', 12.3 % searched', ', 99.9 % searched', '')
    """
    return "" if done is None else f", {percent(done)} searched"


SINGULAR = {
    "branches": "branch",
    "deterministic_ms": "deterministic_ms",
    "searches": "search",
    "symmetries": "symmetry",
}
"""Singulars of counters that are not formed by dropping the final s."""


def counters(stats: Stats) -> str:
    """Return the counters of a search in words.

    >>> counters(Stats(options=1, searches=1, nodes=2000, seconds=0.5))
    '1 option, 2,000 nodes, 1 search, 0.50 s'
    """
    words = [
        plural(value, SINGULAR.get(name, name.removesuffix("s")), name)
        for name, value in stats.by_name().items()
        if isinstance(value, int) and name != "items"
    ]
    return ", ".join([*words, f"{total_seconds(stats):.2f} s"])


def total_seconds(stats: Stats) -> float:
    """Return the seconds that a search took, including making the model and checking solutions."""
    spent = (stats.build_seconds, stats.check_seconds, stats.seconds)
    return float(sum(seconds or 0 for seconds in spent))


def search_and_tell(
    search: Handle[A],
    progress: Line,
    *,
    write: Callable[[Iterator[A]], str | None],
    output: Output | None = None,
    answer: Callable[[list[A]], Answer] | None = None,
    report: Callable[[], Any] | None = None,
) -> int:
    """Run a search, write its results, and return the exit code.

    After Ctrl-C, the results so far are still written, and KeyboardInterrupt is raised at the end.
    A second Ctrl-C stops the writing.

    - `progress`: the progress line, which the search updates.
    - `write`: writes results as they are found; returns why some were not written, or None if all
      were.
    - `output`: where `write` writes; None for standard output. If it is a file, Ctrl-C while
      results are written lets `write` also write the others that were found.
    - `answer`: if given, makes an answer from all results. The answer is printed as JSON, and
      `write` is not called.
    - `report`: called at the end, even after Ctrl-C or an error.
    """
    kept: list[A] = []
    missing = None
    try:
        found = results(search, progress, None if answer else output)
        if answer is not None:
            kept.extend(found)
        else:
            missing = write(found)
    except KeyboardInterrupt:  # perhaps while something was drawn or written
        search.close(INTERRUPTED)
        raise
    finally:
        progress.clear()
        with undisturbed():
            if answer is not None:
                click.echo(answer(kept).to_json())
            if report is not None:
                report()
    return exit_code(search.status, search.stopped or missing)


def counted(verb: Callable[[], A], progress: Line) -> A:
    """Call a function, `verb`, and return its answer, or after Ctrl-C its answer so far.

    The progress line is cleared at the end.
    """
    with progress:
        try:
            return verb()
        except Interrupted as stop:
            answer: A = stop.answer
            return answer


def results(search: Handle[A], progress: Line, output: Output | None) -> Iterator[A]:
    """Yield the results of a search, with the progress line cleared.

    If `output` is a file, then after the first Ctrl-C all results that were found are still
    yielded, before KeyboardInterrupt is raised.
    """
    waiting: list[None] = []

    def stop() -> None:
        if search.stepping:
            raise KeyboardInterrupt
        waiting.append(None)
        search.end(INTERRUPTED)

    if output is None or output.name == "-":
        yield from _cleared(search, progress)
        return
    with first_signal(stop):
        try:
            yield from _cleared(search, progress)
        except KeyboardInterrupt:
            waiting.append(None)
            yield from search
    if waiting:
        raise KeyboardInterrupt


def _cleared(search: Iterator[A], progress: Line) -> Iterator[A]:
    for found in search:
        progress.clear()  # results are written on the line that it occupies
        yield found


def outcome(
    search: Handle[Any], name: str, backend: Backend, what: str = "solution", alike: str = ""
) -> str:
    """Return the result of a search, such as ``soma-cube, dlx: all 240 solutions up to symmetry``.

    `name`: the name of the puzzle. `what`: the noun for one result. `alike`: words after the noun,
    such as `` up to symmetry``.
    """
    words = status_words(search.status, search.found, what, alike)
    remark = search.reason or search.stopped
    part = searched(search.done) if search.stopped == INTERRUPTED else ""
    why = f" ({remark}{part})" if remark and remark != SOLUTION_LIMIT else ""
    return f"{name}, {backend.name}: {words}{why}"


def status_words(status: Status, found: int, what: str = "solution", alike: str = "") -> str:
    """Return a status in words, with the number of solutions found.

    `what`: the noun for a solution. `alike`: words after the noun, such as `` up to symmetry``.

    >>> status_words(Status.COMPLETE, 6), status_words(Status.SOLVABLE, 6)
    ('all 6 solutions', '6 solutions')
    """
    if status is Status.COMPLETE:
        return every(found, what, alike)
    if status is Status.SOLVABLE:
        return plural(found, what) + alike
    return "no solution" if status is Status.UNSOLVABLE else "unknown"


UNLISTED = ("memo", "frontier")
"""Methods that count solutions without finding them one by one."""


def answer_lines(
    answer: Count | AssemblyCount | SubsetCounts | Verdict, puzzle: Puzzle
) -> Iterator[str]:
    """Return the lines in which `count` or `prove` prints an answer."""
    match answer:
        case Count():
            return _count_lines(answer, puzzle)
        case AssemblyCount():
            return _level_lines(answer)
        case SubsetCounts():
            return _subset_lines(answer)
        case Verdict():
            return verdict_lines(answer)


def _count_lines(answer: Count, puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines about a count: its status, its numbers beside published ones, and its proof.

    If the numbers are unknown, one line states how many solutions were found, and why the search
    stopped.
    """
    why = f" ({answer.reason})" if answer.reason else ""
    yield f"{answer.puzzle}, {answer.by}: {answer.status.value}{why}"
    if answer.raw is None:
        seen = (
            f"{plural(answer.found, 'solution')} found"
            if answer.method not in UNLISTED or answer.found
            else "nothing known"
        )
        yield f"  {seen} before the search stopped: {answer.stopped}{searched(answer.done)}"
        return
    yield from number_lines(answer, puzzle.known)
    if answer.proof:
        yield f"  formula and proof are in {answer.proof}"
    if answer.certificate:
        yield f"  certificate, verified: {answer.certificate}"


def _level_lines(answer: AssemblyCount) -> Iterator[str]:
    """Yield the status of a count by levels, then the lines of a table.

    The table shows how many solutions come apart at each level and in total, and how many solutions
    there are. A last line states how many solutions are undecided, if any.
    """
    why = f" ({answer.stopped})" if answer.stopped else ""
    yield f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}"
    rows = [["", "all", "rotation", "symmetry"]]
    rows += [
        [f"level {t.level}", *_level_numbers(t.raw, t.rotation, t.symmetry)] for t in answer.levels
    ]
    if answer.raw is not None:
        rows.append(["come apart", *_level_numbers(answer.raw, answer.rotation, answer.symmetry)])
    tried = (answer.assemblies, answer.assemblies_rotation, answer.assemblies_symmetry)
    rows.append(["solutions", *_level_numbers(*tried)])
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for name, *numbers in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True))
        yield "  ".join([f"  {name:{widths[0]}}", *cells]).rstrip()
    if answer.unknown:
        yield f"  {plural(answer.unknown, 'solution')} took too many states to decide"


def _level_numbers(*numbers: int | None) -> list[str]:
    return [f"{number:,}" for number in numbers]


def _subset_lines(answer: SubsetCounts) -> Iterator[str]:
    """Yield the lines about a count by subsets of the pieces: its status, and tables.

    The tables have the numbers of solutions, in total and for each subset. If the count is
    finished, the pieces in all subsets and in none are listed between them.
    """
    why = f" ({answer.reason})" if answer.reason else ""
    yield f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}"
    if not answer.status.final:
        yield f"  found before the search stopped: {answer.stopped}"
    yield from number_lines(answer)
    yield f"  {'subsets':15} {len(answer.by_pieces):>12,}"
    if not answer.by_pieces:
        return
    if answer.status.final:
        yield f"  in each of them: {' '.join(answer.needed or ()) or 'no piece'}"
        yield f"  in none of them: {' '.join(answer.unused or ()) or 'no piece'}"
    yield f"  {'pieces':>6} {'all':>9} {'rotation':>9} {'symmetry':>9}  which"
    for t in answer.by_pieces:
        rest = [f"{n:,}" if n is not None else "?" for n in (t.rotation, t.symmetry)]
        least = "" if answer.status.final else ">="
        which = uses_text(t.pieces)
        number, found = sum(t.pieces.values()), f"{least}{t.found:,}"
        yield f"  {number:>6} {found:>9} {rest[0]:>9} {rest[1]:>9}  {which}"


def number_lines(
    answer: Count | SubsetCounts | QueensAnswer, published: Iterable[Known] = ()
) -> Iterator[str]:
    """Yield a line for each known number of solutions: all, up to rotation, up to symmetry.

    For each number in `published` of the same kind, the line ends with a remark on it.
    """
    names = {"raw": "all", "rotation": "up to rotation", "symmetry": "up to symmetry"}
    width = max(12, len(f"{answer.raw or 0:,}"))
    for key, name in names.items():
        number = getattr(answer, key)
        if number is not None:
            remarks = "".join(_remark(known, number) for known in published if known.up_to == key)
            yield f"  {name:15} {number:>{width},}{remarks}"


def _remark(known: Known, number: int) -> str:
    """Return the text after a number: whether it agrees with a known one, and the source.

    `known`: a published number, or one that Exactile counted.
    """
    from exactile.puzzle.puzzle import OURS

    if known.count == number:
        return f"   {'' if known.source == OURS else 'as published '}({known.source})"
    why = f", wrong: {known.refuted}" if known.refuted else ""
    return f"   published: {known.count:,} ({known.source}){why}"


def verdict_lines(verdict: Verdict, *, asked: bool = False) -> Iterator[str]:
    """Yield the lines about a verdict.

    `asked`: whether a certificate was requested; if so and there is none, a line says why.
    """
    part = searched(verdict.done) if verdict.stopped == INTERRUPTED else ""
    why = verdict.reason or (verdict.stopped and verdict.stopped + part)
    remark = f" ({why})" if why else ""
    yield f"{verdict.puzzle}, {verdict.by}: {verdict.status.value}{remark}"
    if verdict.proof:
        yield f"  formula and proof are in {verdict.proof}"
    if verdict.certificate:
        yield f"  certificate, verified: {verdict.certificate} ({verdict.argument})"
    elif asked:
        if verdict.status is Status.UNSOLVABLE:
            yield "  no certificate: there was not enough time to write a proof"
        else:
            yield "  no certificate: there is nothing to certify"
