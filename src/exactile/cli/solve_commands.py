"""`exactile solve` and `sample`: solutions in the order of a search, or drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import rich_click as click
from msgspec import structs

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, SolutionTable, Status
from exactile.answers.search import rough
from exactile.cli import options
from exactile.cli.common import (
    Settings,
    answer_lines,
    exit_code,
    is_given,
    outcome,
    results,
    search_and_tell,
    total_seconds,
)
from exactile.cli.output import KEPT, PICTURES, Output, paints, print_json, write_found_pictures
from exactile.cli.several import NAME, Told, answer_each, own_file, require_different
from exactile.cli.stored import KeptOptions, KeptSearch, apart_by, command_on, listed
from exactile.cli.table import options_of
from exactile.cli.words import Progress
from exactile.files.reading import NamedPuzzle
from exactile.files.solution_files import (
    COMPLETE,
    FORMATS,
    ending,
    read_solutions,
    write_solutions,
)
from exactile.plugins import RACING_BACKEND
from exactile.puzzle import Puzzle, Solution
from exactile.render import draw_text
from exactile.search import Search
from exactile.search.limits import Limits

if TYPE_CHECKING:
    from exactile.cli.model_file import ModelFile
    from exactile.counting.sampling import RandomSolutions
    from exactile.runs.levels import Apart


@options_of("solve")
@click.option(
    "--up-to",
    type=click.Choice(["rotation", "symmetry", "pieces"]),
    help="rotation, symmetry: give only one of several solutions that are equal up to rotation, or "
    "up to symmetry; pieces: give only one of several that use the same pieces. By default, such "
    "solutions are all given.",
)
@options.assemblable
@options.rotations
@options.form(
    *("text", *PICTURES, *FORMATS, "csv"),
    default="text",
    help="jsonl, puzzler, letters: files of solutions, for `exactile check`; csv: only a table.",
)
@options.columns
@options.paper(help="Page size of several solutions as pdf.")
@options.exploded
@click.option(
    "--hint",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Start near the first solution in this file, which may be incomplete or wrong.",
)
@options.sort("puzzle", "solutions", "seconds", "outcome")
@options.output
def solve_command(
    puzzle: Puzzle | ModelFile | list[NamedPuzzle],
    find_all: bool,
    limit: int | None,
    up_to: str | None,
    assemblable: bool,
    rotations: bool,
    form: str,
    hint: str | None,
    sort: str | None,
    output: Output,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
    **layout: Any,
) -> int:
    """Find solutions, by default one, and draw them.

    For several puzzles, name them one after the other, or write FILE.toml for all puzzles of a
    file, or a pattern such as 'FILE.toml#day-*'. Each has its own limits (--limit, --time-limit).
    -o 'FOLDER/{name}.svg' writes a file for each. A table of the puzzles is printed as well; with
    --format csv, only the table.

    PUZZLE may also be a model file (.dlx, .xcc, .json), an exact-cover problem; its solutions are
    printed as lists of options.
    """
    most = None if find_all else limit or 1
    write: Callable[..., str | None] = partial(write_found, form=form, numbered=most != 1, **layout)
    if isinstance(puzzle, list):
        each = SolveEach(
            puzzle, racing(settings, most), most, up_to, form, output, write, as_json=as_json
        )
        return each.answered(sort)
    if not isinstance(puzzle, Puzzle):
        from exactile.cli.model_file import solve_file

        return solve_file(puzzle, settings, most, as_json=as_json)
    write = partial(write, output=output)
    if not (kept or assemblable or up_to == "pieces"):
        settings = racing(settings, most)
    if kept is not None:
        moves = apart_by(rotations=rotations) if assemblable else None
        return _kept(kept, puzzle, settings, most, write, apart=moves, as_json=as_json)
    if up_to == "pieces":
        from exactile.cli.subsets_command import solve_subsets

        return solve_subsets(puzzle, settings, most, form, output, as_json=as_json)
    progress = Progress(enabled=not settings.quiet)
    started: Search
    if assemblable:
        up_to = "symmetry"
        started = settings.assemblies(puzzle, most, progress, rotations=rotations)
    else:
        near = next(read_solutions(hint, puzzle), ()) if hint else ()
        given = settings.options()
        given["hint"] = near
        started = Search(puzzle, limit=most, up_to=up_to, watch=progress, **given)
    with started as search:
        if hint and not search.backend.takes_hints:
            click.echo(f"{search.backend.name} makes no use of hints: ignored.", err=True)

        def report() -> None:
            if not settings.quiet and not as_json:
                _report(search, up_to)
            settings.report_seed(search.backend)
            settings.report_counters(search.stats, default=False)

        return search_and_tell(
            search,
            progress,
            write=lambda found: write(
                search.puzzle, found, lambda: ending(search.stopped), limits=search.limits
            ),
            output=output,
            answer=(lambda found: search.answer(found, up_to)) if as_json else None,
            report=report,
        )


def racing(settings: Settings, most: int | None) -> Settings:
    """Return settings with which several solvers race (`RACING_BACKEND`) for a single solution.

    If `most`, the number of solutions, is not 1, or --backend is given, the settings are unchanged.
    """
    alone = most != 1 or is_given("backend")
    return settings if alone else settings.changed(backend=RACING_BACKEND)


@dataclass(frozen=True)
class SolveEach:
    """`exactile solve` for several puzzles, with one output for all, or a file for each.

    - `most`: largest number of solutions of each puzzle; None for all.
    - `write`: `write_found`, to be called with the puzzle, its solutions, how the search ended, its
      limits and the output.
    """

    puzzles: list[NamedPuzzle]
    settings: Settings
    most: int | None
    up_to: str | None
    form: str
    output: Output
    write: Callable[..., str | None]
    as_json: bool

    def answered(self, sort: str | None) -> int:
        """Solve the puzzles, print the table, sorted by `sort`, and return the exit code.

        `sort`: a column; None for the order of the puzzles. Raise click.UsageError if each puzzle
        needs a file of its own, but `output` would be the same file for several.
        """
        apart = NAME in self.output.name
        if apart or not (self.form in ("text", "csv") or self.as_json):
            require_different(self.puzzles, self.output.name, "Solutions", self.form)
        table = self.form == "csv"
        return answer_each(
            self.puzzles,
            self._solved,
            SolutionTable,
            self.settings,
            sort=sort,
            form="csv" if table else "text",
            as_json=self.as_json,
            write=self.output.write if table else None if apart else self._beside,
            late=not (table or apart),
        )

    def _beside(self, text: str) -> None:
        """Print text of the table on stderr, unless --quiet is given: stdout is for solutions."""
        if not self.settings.quiet:
            click.echo(text, err=True, nl=False)

    def _solved(self, named: NamedPuzzle, progress: Progress) -> Told:
        """Solve a puzzle; return its answer and the number of solutions found.

        The solutions are drawn, except with --json or --format csv.
        """
        kept: list[Solution] = []
        missing = None
        own = replace(self.settings)  # with a clock of its own
        subject = named.load()
        with Search(
            subject, limit=self.most, up_to=self.up_to, watch=progress, **own.options()
        ) as search:
            try:
                if self.as_json:
                    kept.extend(search)
                elif self.form == "csv":
                    for _ in search:
                        pass
                else:
                    missing = self._drawn(named, search, progress)
            except KeyboardInterrupt:
                search.close(INTERRUPTED)
                missing = INTERRUPTED  # also if the search had ended
            answer = search.answer(kept, self.up_to)
            if missing is not None:
                answer = structs.replace(answer, stopped=missing)
            return answer, search.found

    def _drawn(self, named: NamedPuzzle, search: Search, progress: Progress) -> str | None:
        """Draw the solutions of a puzzle.

        Return the limit that kept some from being drawn; None if all are drawn.
        """

        def found() -> Iterator[Solution]:
            for number, solution in enumerate(results(search, progress, output)):
                if number == 0 and not apart:
                    self.output.write(f"{search.puzzle.name}\n")
                yield solution
            if search.found and not apart:
                self.output.write("\n")

        apart = NAME in self.output.name
        name = own_file(self.output.name, named, search.puzzle) if apart else self.output.name
        with Output(name, KEPT) if apart else nullcontext(self.output) as output:
            return self.write(
                *(search.puzzle, found(), lambda: ending(search.stopped)),
                limits=search.limits,
                output=output,
            )


def _kept(
    kept: KeptOptions,
    puzzle: Puzzle,
    settings: Settings,
    most: int | None,
    write: Callable[..., str | None],
    *,
    apart: Apart | None,
    as_json: bool,
) -> int:
    """Solve a puzzle with a store, which keeps the solutions; return the exit code.

    Solutions are printed unless all are requested and --store is given. With --parts, nothing is
    searched yet. `most`: largest number of solutions; None for all. `apart`: the kind of moves by
    which solutions must come apart; None if they need not come apart.
    """
    from exactile.runs.found import found_solutions

    shown = most is not None or kept.goes
    limits = Limits(settings.time_limit).rest()
    missing = None
    up_to = "symmetry" if apart else None
    search = KeptSearch(kept, "solve", puzzle, settings, most=most, apart=apart)
    with search.run() as run:
        answer = search.go_on(run)
        if shown:
            found = islice(found_solutions(run, up_to=up_to), most)  # each is checked again
            if as_json:
                print_json(listed(run, answer, found, up_to))
            elif kept.parts is None:
                missing = write(puzzle, found, lambda: ending(answer.stopped), limits=limits)
    quiet = as_json or settings.quiet
    if not shown:
        settings.tell(answer, answer_lines(answer, puzzle), as_json=as_json)
    elif not quiet:
        remark = run.settings.reason or answer.stopped
        why = f" ({remark})" if remark and remark != SOLUTION_LIMIT else ""
        click.echo(f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}", err=True)
    if not quiet and kept.parts:
        click.echo(f"Search it with: {command_on(run, 'resume')}", err=True)
    elif run.record.totals.found and not (quiet or kept.goes):
        click.echo(f"See them with: {command_on(run, 'solutions')}", err=True)
    return exit_code(answer.status, answer.stopped or missing)


def _report(search: Search, up_to: str | None) -> None:
    """Report on stderr how a search ended; if it is undecided, draw the fullest packing found."""
    alike = f" up to {up_to}" if up_to else ""
    words = outcome(search, search.puzzle.name, search.backend, alike=alike)
    click.echo(f"{words}, {total_seconds(search.stats):.2f} s", err=True)
    if search.proof:
        click.echo(f"Formula and proof are in {search.proof}", err=True)
    if search.status is Status.UNKNOWN and (packing := search.packing):
        filled = sum(len(placement.units) for placement in packing)
        units = len(search.puzzle.region)
        click.echo(f"At most {filled:,} of {units:,} units were filled:", err=True)
        click.echo(draw_text(search.puzzle, packing), err=True, nl=False)


def write_found(
    puzzle: Puzzle,
    found: Iterable[Solution],
    end: Callable[[], str] = lambda: COMPLETE,
    *,
    form: str,
    output: Output,
    columns: int | None = None,
    exploded: bool = False,
    paper: str = "a4",
    numbered: bool = False,
    limits: Limits | None = None,
) -> str | None:
    """Write solutions in a format: each as soon as it is found, but pictures together at the end.

    Return the limit that kept some from being drawn; None if all are written.

    - `end`: called at the end; returns how the search ended, which some formats state.
    - `columns`, `exploded`, `paper`, `limits`: only for pictures; see `write_found_pictures`.
    - `numbered`: whether drawings as text have numbers.
    """
    if form in FORMATS:
        write_solutions(puzzle, found, output, form, end)
        return None
    if form in PICTURES:
        return write_found_pictures(
            *(puzzle, found, form, output, columns),
            exploded=exploded,
            limits=limits,
            paper=paper,
        )
    for number, solution in enumerate(found, start=1):
        head = ("\n" if number > 1 else "") + (f"{number:,}.\n" if numbered else "")
        drawing = draw_text(puzzle, solution, color=paints(output))
        output.write(head + drawing + _open_units(puzzle, solution))
        output.flush()
    return None


def _open_units(puzzle: Puzzle, solution: Solution) -> str:
    """Return a line that names uncovered units, such as ``open: Mar 14``; empty if there are none.

    Only units with a label, or in a rule about uncovered units, are named. Units in rules come
    first, in the order of the rules, so that a month comes before its day.
    """
    covered = {unit for placement in solution for unit in placement.units}
    about = (unit for rule in puzzle.open_rules for unit in rule.units)
    named = [unit for unit in dict.fromkeys((*about, *puzzle.labels)) if unit not in covered]
    if not named:
        return ""
    units = puzzle.lattice.coordinates(np.array(named, dtype=np.int64))
    texts = (
        puzzle.labels.get(point) or ",".join(map(str, unit))
        for point, unit in zip(named, units, strict=True)
    )
    return f"\nopen: {' '.join(texts)}\n"


@options_of("sample")
@options.number("-n", "number", default=1, help="Number of solutions.")
@options.seed
@click.option(
    "--about",
    is_flag=True,
    help="Draw with nearly equal probabilities, for puzzles with too many solutions to count.",
)
@options.number(
    "--states",
    help="With --about, number of states to keep at each step: the more, the more equal the "
    "probabilities. By default 1,000, or as many as --time-limit permits.",
)
@options.form(
    *("text", *PICTURES, *FORMATS),
    default="text",
    help="jsonl, puzzler, letters: files of solutions, for `exactile check`.",
)
@options.columns
@options.output
@options.time_limit("Stop after this time; with --about, stop the estimate.")
@options.memory(
    "Memory for counting",
    " (default 4G); what does not fit is kept on disk, except with --about.",
)
@options.scratch
@options.workers("Number of threads for counting.", default=1)
@options.quiet("Print no remarks on stderr.")
def sample_command(
    puzzle: Puzzle,
    number: int,
    seed: int,
    about: bool,
    states: int | None,
    form: str,
    columns: int | None,
    output: Output,
    time_limit: float | None,
    memory: int | None,
    scratch: Path | None,
    workers: int,
    quiet: bool,
    as_json: bool,
) -> int:
    """Draw N solutions at random, all with the same probability, or nearly so with --about.

    Without --about, all solutions are counted first. The solutions are then drawn independently, so
    one may be drawn twice. The same seed gives the same solutions.

    --about is for puzzles with too many solutions to count: their number is only estimated. The
    estimate keeps a random choice of partial coverings, called states, from which the solutions are
    drawn. The result says how close to equal the probabilities are. With --about, only solutions
    that are drawn with different seeds are independent.
    """
    from exactile.counting.sampling import draw, draw_about

    limits = Limits(time_limit, memory_limit=memory).rest()
    if about:
        drawn = draw_about(puzzle, number, seed, limits, states=states, workers=workers)
    elif states is not None:
        raise click.UsageError("--states needs --about: otherwise all states are kept.")
    else:
        drawn = draw(puzzle, number, seed, limits, scratch=scratch, workers=workers)
    if as_json:
        print_json(drawn.answer)
        return exit_code(Status.SOLVABLE, drawn.stopped)
    missing = write_found(
        *(puzzle, drawn.solutions, lambda: ending(drawn.stopped)),
        form=form,
        output=output,
        columns=columns,
        numbered=number > 1,
        limits=drawn.limits,
    )
    if not quiet:
        click.echo(f"{puzzle.name}, {drawn.method}: {_outcome(drawn)}", err=True)
    return exit_code(Status.SOLVABLE, missing or drawn.stopped)


def _outcome(drawn: RandomSolutions) -> str:
    """Return in words the number of solutions drawn, and the exact or estimated number of all."""
    if drawn.raw is not None:
        stopped = f" ({drawn.stopped})" if drawn.stopped else ""
        return (
            f"{drawn.given:,} of {drawn.raw:,} solutions{stopped}" if drawn.raw else "no solution"
        )
    if drawn.estimate is None:
        return f"unknown ({drawn.stopped})"
    if drawn.bias is None:
        return (
            f"{drawn.given:,} of an unknown number of solutions; how close to uniform is unknown, "
            "too: keep more states (--states), or allow more time (--time-limit)"
        )
    return (
        f"{drawn.given:,} of about {rough(drawn.estimate.number or 0)} solutions; the chance of "
        f"any set of them is off by at most about {drawn.bias:.2%}"
    )
