"""`exactile subsets`, `solve --up-to pieces`, `count --by-pieces`: which pieces solutions use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import cast

import rich_click as click

from exactile.answers import Count, FailedPuzzle, Status, SubsetCounts, Survey
from exactile.cli import options
from exactile.cli.common import (
    Settings,
    counted,
    exit_code,
    outcome,
    search_and_tell,
    total_seconds,
)
from exactile.cli.inline import changed
from exactile.cli.output import Output, OutputPath, Picture, print_json
from exactile.cli.stored import KeptOptions, KeptSearch, go_on
from exactile.cli.table import options_of
from exactile.cli.words import Line, about, plural, uses_text
from exactile.errors import ExactileError, PuzzleError, clipped
from exactile.files.puzzles.writer import write_puzzles
from exactile.files.reading import expanded
from exactile.files.solution_files import FORMATS, ending, write_solutions
from exactile.puzzle import Puzzle, Solution
from exactile.render import draw_text
from exactile.search import Search
from exactile.search.limits import Limits
from exactile.surveys.subsets.families import family
from exactile.surveys.subsets.search import SubsetSearch
from exactile.surveys.subsets.selection import Uses
from exactile.surveys.subsets.survey import (
    Finding,
    difficulty,
    draw_sheet,
    draw_sheet_pages,
    survey,
)
from exactile.surveys.subsets.tally import count_by_subset, sizes, tally_found


@options_of("subsets")
@options.puzzles
@options.cells
@options.number(
    "--units",
    help="As --cells, but on every region of N connected units, such as edges, or of N cells if a "
    "cell is several units.",
)
@options.symmetric("With --cells or --units, try only regions with at least N symmetries.")
@options.time_limit("Stop searching a region after this time.")
@click.option(
    "--write",
    type=OutputPath("toml"),
    metavar="FILE.toml",
    help="Write the puzzles with solutions to a puzzle file.",
)
@options.sort("units", "pieces", "subsets", "solutions", "effort")
@options.picture()
@options.quiet()
def command(
    puzzles: tuple[str, ...],
    cells: int | None,
    units: int | None,
    symmetric: int,
    time_limit: float | None,
    write: str | None,
    sort: str | None,
    picture: Picture | None,
    kept: KeptOptions | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Show which regions can be covered by some of the pieces, and how hard each region is.

    PUZZLE is an id, FILE.toml (all its puzzles), FILE.toml#id, or a pattern of ids such as
    'shader-*' or 'FILE.toml#s-*'. Pieces whose ranges of uses begin with 0, as in "0..1", may be
    left out. If one of several puzzles is invalid, the error is reported, and the other puzzles are
    searched.

    The difficulty depends on the smallest number of pieces that cover the region: easy up to 6,
    moderate up to 9, difficult above. The effort is the number of nodes of a search for all
    solutions, divided by one more than the number of solutions.
    """
    failed: list[FailedPuzzle] = []
    chosen = _named(puzzles, failed)
    if cells is not None or units is not None:
        chosen = _family(puzzles, cells, units, symmetric)
    line = SubsetLine(enabled=not quiet)
    count = _counting(kept, time_limit, quiet=quiet)
    found: list[Finding] = []
    finished = False
    try:
        with line:
            for finding in survey(chosen, time_limit=time_limit, watch=line, count=count):
                line.clear()
                found.append(finding)
                if not (as_json or sort):
                    click.echo(_row(finding) if found[1:] else f"{HEADER}\n{_row(finding)}")
        finished = True
    finally:
        if sort:
            found.sort(key=lambda finding: _key(finding, sort))
            if found and not as_json:
                click.echo("\n".join([HEADER, *map(_row, found)]))
        if as_json:
            answers = tuple(f.answer for f in found)
            print_json(Survey(finished=finished, puzzles=answers, failed=tuple(failed)))
        if found:  # after Ctrl-C, those searched so far
            _conclude(found, write, picture, len(failed), quiet=quiet or as_json)
    if failed:
        return 1
    if not found:
        click.echo(_none(next(_named(puzzles, failed)), symmetric), err=True)
    return exit_code(Status.SOLVABLE, next(filter(None, (f.count.stopped for f in found)), None))


def _counting(
    kept: KeptOptions | None, time_limit: float | None, *, quiet: bool
) -> Callable[[Puzzle], SubsetCounts] | None:
    """Return a function that counts the solutions of a puzzle and keeps them in the store.

    Return None if there is no store. `time_limit`: seconds for each puzzle.
    """
    from exactile.runs.found import found_rows
    from exactile.runs.run import StoredRun
    from exactile.runs.store import store_to_fill

    if kept is None:
        return None

    def counted(puzzle: Puzzle) -> SubsetCounts:
        with store_to_fill(kept.store) as store:
            run = StoredRun.same(store, puzzle, "solve", use_symmetry=False)
            answer = go_on(run, kept.on, None, time_limit, quiet=quiet, goes=kept.goes)
            return tally_found(run.case, found_rows(run), cast(Count, answer))

    return counted


def _conclude(
    found: list[Finding], write: str | None, picture: Picture | None, errors: int, *, quiet: bool
) -> None:
    """Write the files of --write and -o, and report how many regions have each difficulty.

    `errors`: number of invalid puzzles. Raise PuzzleError if --write is given and no puzzle is
    known to be solvable.
    """
    if write is not None:
        _write(write, found)
    if not quiet:
        click.echo(_summary(found, errors), err=True)
    if picture is not None:
        if picture.form == "pdf":
            picture.write_pages(draw_sheet_pages(found))
        else:
            picture.write(draw_sheet(found))


def _named(references: tuple[str, ...], failed: list[FailedPuzzle]) -> Iterator[Puzzle]:
    """Yield the puzzles that the values of PUZZLE name, in the order of the values.

    An invalid puzzle is reported and added to `failed`; but if only one puzzle is named, its error
    is raised.
    """
    named = expanded(references)
    for each in named:
        try:
            puzzle = changed(each.load())
        except ExactileError as error:
            if len(named) == 1:
                raise
            failed.append(FailedPuzzle(puzzle=each.name, error=clipped(str(error))))
            click.echo(about(each.name, failed[-1].error), err=True)
        else:
            yield puzzle


def _family(
    references: tuple[str, ...], cells: int | None, units: int | None, symmetric: int
) -> Iterator[Puzzle]:
    """Yield a puzzle for each region of N cells or units, with the pieces of one puzzle.

    Regions with fewer than `symmetric` symmetries, or with an area that the pieces cannot have, are
    left out. Raise click.UsageError unless exactly one puzzle is named, PuzzleError if it has fixed
    placements.
    """
    named = expanded(references)
    if len(named) != 1:
        raise click.UsageError("--cells and --units use the pieces of one puzzle: give one PUZZLE.")
    return family(changed(named[0].load()), cells, units, symmetric)


HEADER = f"{'puzzle':32} {'units':>5} {'pieces':>6} {'subsets':>7} {'solutions':>9} {'effort':>8}"


def _key(finding: Finding, column: str) -> float:
    """Return the sort key of a finding: its value in a column; infinity if that is unknown."""
    count = finding.count
    value = {
        "units": len(finding.puzzle.region),
        "pieces": sizes(count)[0] if count.by_pieces else None,
        "subsets": len(count.by_pieces),
        "solutions": count.raw,
        "effort": finding.effort,
    }[column]
    return inf if value is None else value


def _row(finding: Finding) -> str:
    count = finding.count
    low, high = sizes(count)
    pieces = str(low) if low == high else f"{low}-{high}"
    unsolvable = count.status is Status.UNSOLVABLE
    words = [
        f"{count.puzzle:32}",
        f"{len(finding.puzzle.region):>5}",
        f"{pieces if count.by_pieces else '-':>6}",
        f"{('' if count.status.final else '>=') + f'{len(count.by_pieces):,}':>7}",
        f"{f'{count.raw:,}' if count.raw is not None else '?':>9}",
        f"{_effort(finding.effort):>8}",
    ]
    if unsolvable:
        return " ".join(words) + f"  impossible: {finding.proof}"
    bound = f"at most {difficulty(low)}" if count.by_pieces else "unknown"
    return " ".join(words) + f"  {finding.difficulty or f'{bound}: {count.stopped}'}"


def _effort(effort: float | None) -> str:
    if effort is None:
        return "-"
    return f"{effort:,.1f}" if effort < 10 else f"{effort:,.0f}"


def _write(path: str, found: list[Finding]) -> None:
    solvable = [f.puzzle for f in found if f.count.by_pieces]
    if not solvable:
        raise PuzzleError(f"{path} is not written: none of the puzzles is known to be solvable.")
    write_puzzles(path, solvable)


def _none(puzzle: Puzzle, symmetric: int) -> str:
    """Return the message that no requested region has an area that the pieces can cover."""
    least = sum(piece.lower * piece.order for piece in puzzle.pieces)
    most = sum(piece.upper * piece.order for piece in puzzle.pieces)
    units = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    kind = f" with {symmetric} symmetries or more" if symmetric > 1 else ""
    words = f"0 puzzles: no such region{kind} has as many units as the pieces of {puzzle.name}"
    advice = ' Pieces that need not be used have ranges = "0..1" in a puzzle file.'
    return f"{words} cover, {units}.{advice if least else ''}"


def _summary(found: list[Finding], errors: int) -> str:
    """Return the number of puzzles of each difficulty: ``3 puzzles: 2 easy, 1 impossible``."""
    words = [f.difficulty or "unknown" for f in found] + ["invalid"] * errors
    order = ("easy", "moderate", "difficult", "impossible", "unknown", "invalid")
    parts = [f"{words.count(word)} {word}" for word in order if word in words]
    return f"{plural(len(words), 'puzzle')}: {', '.join(parts)}"


class SubsetLine(Line):
    """A progress line with the number of subsets of the pieces, or of solutions, found so far."""

    def __call__(self, search: Search | SubsetSearch) -> None:
        """Show the number of subsets or solutions found by a search, if an update is due."""
        what = "subset" if isinstance(search, SubsetSearch) else "solution"
        self.show(f"{plural(search.found, what)}")


def solve_subsets(
    puzzle: Puzzle,
    settings: Settings,
    limit: int | None,
    form: str,
    output: Output,
    *,
    as_json: bool,
) -> int:
    """Print one solution for each subset of the pieces that has any; return the exit code.

    `limit`: number of subsets after which to stop; None for all.
    """
    line = SubsetLine(enabled=not settings.quiet)
    search = SubsetSearch(
        puzzle,
        backend=settings.backend,
        limits=Limits(settings.seconds_left, limit),
        seed=settings.seed,
        workers=settings.workers,
        encoding=settings.encoding,
        use_reasons=settings.use_reasons,
        watch=line,
    )

    def report() -> None:
        if not (as_json or settings.quiet):
            words = outcome(search, search.puzzle.name, search.backend, "subset")
            click.echo(f"{words}, {total_seconds(search.stats):.2f} s", err=True)
        settings.report_counters(search.stats, default=False)

    return search_and_tell(
        search,
        line,
        write=lambda found: _write_found(search, found, form, output),
        output=output,
        answer=search.answer if as_json else None,
        report=report,
    )


def _write_found(
    search: SubsetSearch, found: Iterator[tuple[Uses, Solution]], form: str, output: Output
) -> None:
    """Write the solution of each subset of the pieces as soon as it is found."""
    if form in FORMATS:
        solutions = (solution for _, solution in found)
        write_solutions(search.puzzle, solutions, output, form, lambda: ending(search.stopped))
        return
    for number, (uses, solution) in enumerate(found, start=1):
        output.write("\n" if number > 1 else "")
        output.write(f"{number}. {uses_text(search.selections.named(uses))}\n")
        output.write(draw_text(search.puzzle, solution))
        output.flush()


def count_subsets(
    puzzle: Puzzle,
    settings: Settings,
    method: str,
    memory: int | None,
    scratch: Path | None,
    kept: KeptOptions | None,
) -> SubsetCounts:
    """Count the solutions of a puzzle, grouped by the pieces that each solution uses."""
    if kept is not None:
        return _from_store(kept, puzzle, settings)
    line = SubsetLine(enabled=not settings.quiet)
    verb = partial(
        count_by_subset,
        puzzle,
        method={"memo": "each", "frontier": "frontier"}.get(method, "list"),
        watch=line,
        memory=memory,
        scratch=scratch,
        **settings.options(),
    )
    return counted(verb, line)


def _from_store(kept: KeptOptions, puzzle: Puzzle, settings: Settings) -> SubsetCounts:
    """Search with a store, and count the solutions in it by the subset of the pieces they use."""
    from exactile.runs.found import found_rows

    search = KeptSearch(kept, "solve", puzzle, settings)
    with search.run() as run:
        answer = cast(Count, search.go_on(run))
        return tally_found(run.case, found_rows(run), answer)
