"""`exactile classes`: sort solutions into classes of similar ones, and draw the classes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import IO

import rich_click as click

from exactile.answers import INTERRUPTED, TIME_LIMIT, Status
from exactile.cli import options
from exactile.cli.common import Settings, exit_code, outcome
from exactile.cli.output import OutputFile, Picture, PictureFile, print_json
from exactile.cli.stored import KeptOptions, KeptSearch
from exactile.cli.table import options_of
from exactile.cli.words import Progress, plural
from exactile.files.solution_files import read_solutions
from exactile.puzzle import Puzzle
from exactile.search import Search
from exactile.search.limits import Limits
from exactile.surveys.classes import Kind, Report, Solutions, classify
from exactile.surveys.classes.class_picture import (
    WORDS,
    bushiness_plot,
    class_picture,
    silhouettes_picture,
)

NARROW = 78
"""Largest width of the printed lines with the sizes of classes."""


@options_of("classes")
@click.option(
    "--solutions",
    "source",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Read the solutions from a file instead of searching; - is standard input.",
)
@options.number(
    "--shared",
    least=0,
    default=2,
    help="Compare only solutions with at least N placements in common.",
)
@click.option(
    "--pairs",
    is_flag=True,
    help="Count the pairs of solutions with at least as many common placements as --shared says.",
)
@options.number(
    "--most",
    least=0,
    default=10,
    help="Print at most N silhouettes of each kind: outlines within which pieces are rearranged.",
)
@click.option(
    "--graph",
    type=OutputFile("json"),
    metavar="FILE",
    help="Write the solutions, joined by transformations, as a graph: node-link JSON for networkx.",
)
@options.picture(
    "Draw a class as a graph: its solutions, joined by transformations (.svg, .png or .pdf)."
)
@options.number("--class", "number", default=1, help="Class that -o draws; 1 is the largest.")
@click.option(
    "--plot",
    type=PictureFile(),
    metavar="FILE",
    help="Draw a diagram of the number of transformations in each class (.svg, .png or .pdf).",
)
@click.option(
    "--silhouettes",
    type=PictureFile(),
    metavar="FILE",
    help="Draw the outlines within which pieces are rearranged most often (.svg, .png or .pdf).",
)
def command(
    puzzle: Puzzle,
    source: str | None,
    shared: int,
    pairs: bool,
    most: int,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
    graph: IO[str] | None,
    picture: Picture | None,
    number: int,
    plot: Picture | None,
    silhouettes: Picture | None,
) -> int:
    """Sort solutions into classes of similar ones.

    Two solutions are similar if one of these transformations turns one into the other. (1) Some
    pieces are turned or reflected together, so that they fill the same units as before. (2) Two
    groups of pieces with the same outline swap places. (3) Two pieces are rearranged within the
    outline of the two together. Only solutions with at least two placements in common are compared;
    --set shared=N changes this number. A class consists of the solutions that chains of such
    transformations connect. Solutions that are equal up to symmetry count as one.

    The time limit includes drawing; the search gets half of it. --store also continues a search
    that `solve --all --store` began.
    """
    files = [f for f in (graph, picture, plot, silhouettes) if f is not None]
    if as_json and any(f.name == "-" for f in files):
        raise click.UsageError("--json prints one document: write the others to files.")
    progress = Progress(enabled=not settings.quiet)
    limits = Limits(settings.seconds_left).rest()
    halved = settings.changed(time_limit=settings.time_limit and settings.time_limit / 2)
    if kept is None:
        solutions, whole = _solutions(puzzle, source, halved, progress, limits)
    else:
        solutions, whole = _kept(puzzle, kept, halved)
    with progress:
        report = classify(
            solutions,
            shared=shared,
            complete=whole,
            watch=lambda part: progress.show(f"{part:.0%} compared"),
            limits=limits,
        )
    left_out = most > 0 and report.silhouettes is None
    left_out = left_out or (pairs and report.pairs_sharing is None)
    stopped = TIME_LIMIT if whole is False or not report.compared or left_out else None
    if as_json:
        print_json(report.answer(pairs=pairs, most=most))
    else:
        for line in _lines(report, most, pairs=pairs):
            click.echo(line)
        for remark in report.remarks if not settings.quiet else ():
            click.echo(remark, err=True)
    drawings: tuple[tuple[Picture | IO[str] | None, Callable[[], str]], ...] = (
        (picture, lambda: class_picture(report, number, limits=limits)),
        (plot, lambda: bushiness_plot(report)),
        (silhouettes, lambda: _silhouettes_drawn(report, limits)),
        (graph, lambda: _graph_text(report)),
    )
    for file, draw in drawings:
        if file is not None:
            stopped = _write(file, draw, limits) or stopped
    return exit_code(Status.SOLVABLE, stopped)


def _silhouettes_drawn(report: Report, limits: Limits) -> str:
    """Return a picture of the silhouettes, the outlines within which pieces are rearranged, as SVG.

    Raise TimeoutError if time is up.
    """
    table = report.silhouettes
    limits.require()
    return silhouettes_picture(report.solutions, table or (), limits=limits)


def _write(file: Picture | IO[str], draw: Callable[[], str], limits: Limits) -> str | None:
    """Write to a file the text that `draw` returns.

    If a limit prevents this, report and return the limit; otherwise, return None.
    """
    try:
        limits.require()
        text = draw()  # may fail: before the file is opened
    except TimeoutError as reason:
        click.echo(f"{file.name} is not written: the {reason} came first.", err=True)
        return str(reason)
    file.write(text)
    return None


def _solutions(
    puzzle: Puzzle, source: str | None, settings: Settings, progress: Progress, limits: Limits
) -> tuple[Solutions, bool | None]:
    """Return solutions, from the file `source` or else from a search; and whether all are there.

    The second value is None for a file that was read to its end: the file may lack solutions. It is
    False if a limit was reached or a solver gave up. After Ctrl-C, the result of the search is
    reported and KeyboardInterrupt is raised. `settings`: for the search. `limits`: for reading.
    """
    if source is not None:
        given, whole = Solutions.of_solutions(puzzle, read_solutions(source, puzzle), limits)
        return given, None if whole else False
    search = Search(puzzle, watch=progress, **settings.options())
    try:
        solutions = Solutions.of_search(search)
    except KeyboardInterrupt:
        progress.clear()
        click.echo(outcome(search, search.puzzle.name, search.backend), err=True)
        raise
    finally:
        progress.clear()
    settings.report_counters(search.stats, default=False)
    return solutions, search.stopped is None


def _kept(puzzle: Puzzle, kept: KeptOptions, settings: Settings) -> tuple[Solutions, bool]:
    """Search with a store; return the solutions in it, and whether the search is finished.

    After Ctrl-C, KeyboardInterrupt is raised; the store keeps the solutions found.
    """
    from exactile.runs.found import found_rows

    search = KeptSearch(kept, "solve", puzzle, settings)
    with search.run() as run:
        answer = search.go_on(run)
        if answer.stopped == INTERRUPTED:
            raise KeyboardInterrupt
        rows = found_rows(run, images=False)
        return Solutions.in_order(run.case, rows), answer.status.final


def _graph_text(report: Report) -> str:
    """Return the graph of the solutions, joined by transformations, as node-link JSON."""
    import networkx as nx

    return json.dumps(nx.node_link_data(report.graph, edges="edges"))


def _lines(report: Report, most: int, *, pairs: bool) -> Iterator[str]:
    solutions = report.solutions
    symmetries = "symmetry" if solutions.action.order == 1 else "symmetries"
    most_classes = "" if report.compared else "at most "
    yield (
        f"{solutions.puzzle.name}: {plural(len(solutions), 'solution')} up to "
        f"{solutions.action.order} {symmetries}, {most_classes}"
        f"{plural(len(report.classes), 'class', 'classes')}"
    )
    if pairs:
        number, least = report.pairs_sharing, plural(report.shared, "placement")
        yield (
            report.pairs_left_out
            if number is None
            else f"{plural(number, 'pair')} with at least {least} in common"
        )
    yield ""
    columns = "transformations", "pairs of solutions", "classes then"
    if not report.compared:
        columns = "at least", "pairs, at least", "classes, at most"
    yield f"{'':22}{columns[0]:>16}{columns[1]:>20}{columns[2]:>18}"
    for kind in Kind:
        numbers = report.edges[kind], report.pairs[kind], report.by_kind[kind]
        name = f"({kind.value}) {WORDS[kind]}"
        yield f"{name:22}{numbers[0]:16,}{numbers[1]:20,}{numbers[2]:18,}"
    if report.sizes:
        so_far = "" if report.compared else "as far as they are compared; "
        yield ""
        yield f"{so_far}sizes of classes, and how many there are:"
        yield from _wrapped(f"{size:,}: {n:,}" for size, n in report.sizes.items())
    silhouettes = report.silhouettes if most else []
    if silhouettes is None:
        yield ""
        yield report.left_out
    for kind in Kind:
        of_kind = [silhouette for silhouette in silhouettes or () if silhouette.kind == kind]
        if of_kind:
            made = sum(len(silhouette.pieces) for silhouette in of_kind)
            yield ""
            yield f"{WORDS[kind]}: {plural(len(of_kind), 'silhouette')}, {made:,} if pieces count"
        for silhouette in of_kind[:most]:
            pieces = ", ".join(f"{names} {n:,}" for names, n in silhouette.pieces.most_common())
            shown = pieces if len(pieces) <= NARROW - 10 else pieces[: NARROW - 13] + "..."
            yield f"{silhouette.count:8,}  {shown}"


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    """Yield lines of at most `NARROW` characters with these words, two spaces before each word."""
    line = ""
    for word in words:
        if line and len(line) + 2 + len(word) > NARROW:
            yield line
            line = ""
        line += "  " + word
    if line:
        yield line
