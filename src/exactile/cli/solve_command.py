"""`exactile solve`: finds solutions and draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import islice

import rich_click as click

from exactile.answers import SOLUTION_LIMIT, Status
from exactile.cli import options
from exactile.cli.common import (
    Settings,
    exit_code,
    is_given,
    outcome,
    read_puzzle,
    search_and_tell,
    tell,
    total_seconds,
)
from exactile.cli.lines import Progress
from exactile.cli.output import PICTURES, Output, paints, write_found_pictures
from exactile.cli.signals import undisturbed
from exactile.cli.stored import KeptOptions, KeptSearch, listed
from exactile.cli.table import options_of
from exactile.files.solution_files import COMPLETE, FORMATS, ending, write_solutions
from exactile.files.sources import is_model_file
from exactile.plugins import RACING_BACKEND
from exactile.puzzle import Puzzle, Solution
from exactile.render import draw_text
from exactile.search import Search
from exactile.search.limits import Limits


@options_of("solve")
@click.option(
    "--up-to",
    type=click.Choice(["rotation", "symmetry", "pieces"]),
    help="Give one solution of each orbit, under symmetries or under rotations; or one for each "
    "subset of the pieces.",
)
@options.assemblable
@options.rotations
@options.form("text", *PICTURES, *FORMATS, default="text")
@options.columns
@options.exploded
@click.option(
    "--hint",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Begin near the first solution of this file (it may be incomplete or wrong).",
)
@options.output
def command(
    puzzle: str,
    find_all: bool,
    limit: int | None,
    up_to: str | None,
    assemblable: bool,
    rotations: bool,
    form: str,
    columns: int | None,
    exploded: bool,
    hint: str | None,
    output: Output,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Find solutions and draw them.

    PUZZLE may be a model file too (.dlx, .xcc, .json): its solutions are lines of options.
    """
    most = None if find_all else limit or 1
    write = partial(
        write_found,
        form=form,
        output=output,
        columns=columns,
        exploded=exploded,
        numbered=most != 1,
    )
    if is_model_file(puzzle):
        from exactile.cli.model_file import search_model_file

        return search_model_file(puzzle, settings, solutions=True, limit=most, as_json=as_json)
    if kept is not None:
        return _kept(kept, puzzle, settings, most, write, as_json=as_json)
    if up_to == "pieces":
        from exactile.cli.subsets_command import solve_subsets

        return solve_subsets(puzzle, settings, most, form, output, as_json=as_json)
    progress = Progress(enabled=not settings.quiet)
    started: Search
    if assemblable:
        up_to = "symmetry"
        started = settings.assemblies(puzzle, most, progress, rotations=rotations)
    else:
        if most == 1 and not is_given("backend"):  # all that may find it
            settings = replace(settings, backend=RACING_BACKEND)
        started = settings.search(puzzle, limit=most, watch=progress, hint=hint, up_to=up_to)
    with started as search:
        if hint and not search.backend.takes_hints:
            click.echo(f"{search.backend.name} makes no use of hints: it is ignored.", err=True)

        def report() -> None:
            if not settings.quiet and not as_json:
                _report(search, up_to)
                if is_given("seed") and not search.backend.takes_seed:
                    name = search.backend.name
                    click.echo(f"{name} makes no random choices: seed changes nothing.", err=True)
            settings.report_counters(search.stats, default=False)

        return search_and_tell(
            search,
            progress,
            write=lambda found: write(
                search.puzzle, found, lambda: ending(search.stopped), limits=search.limits
            ),
            answer=(lambda found: search.answer(found, up_to)) if as_json else None,
            report=report,
        )


def _kept(
    kept: KeptOptions,
    puzzle: str,
    settings: Settings,
    most: int | None,
    write: Callable[..., str | None],
    *,
    as_json: bool,
) -> int:
    """Keep solutions in a store; print them, if a number was requested or nothing else keeps them.

    A single solution is searched for in many parts at a time, and the first ends the others.
    """
    from exactile.runs.found import found_solutions

    shown = most is not None or kept.goes
    subject = read_puzzle(puzzle)
    limits = Limits(settings.time_limit).rest()
    missing = None
    search = KeptSearch(kept, "solve", subject, settings, most=most)
    with search.run() as run:
        answer = search.go_on(run)
        if shown:
            found = islice(found_solutions(run), most)  # each is checked again
            if as_json:
                with undisturbed():
                    click.echo(listed(run, answer, found).to_json())
            elif kept.parts is None:
                missing = write(subject, found, lambda: ending(answer.stopped), limits=limits)
    quiet = as_json or settings.quiet
    if not shown:
        tell(answer, subject, as_json=as_json, quiet=settings.quiet)
    elif not quiet:
        remark = answer.reason or answer.stopped
        why = f" ({remark})" if remark and remark != SOLUTION_LIMIT else ""
        click.echo(f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}", err=True)
    if not quiet and kept.parts:
        click.echo(f"Search it with: exactile resume {kept.store} {run.number}", err=True)
    elif run.record.totals.found and not (quiet or kept.goes):
        click.echo(f"See them with: exactile solutions {kept.store} {run.number}", err=True)
    return exit_code(answer.status, answer.stopped or missing)


def _report(search: Search, up_to: str | None) -> None:
    """Say what came out; without a solution, show how much of the region was filled."""
    alike = f" up to {up_to}" if up_to else ""
    told = outcome(search, search.puzzle.name, search.backend, alike=alike)
    click.echo(f"{told}, {total_seconds(search.stats):.2f} s", err=True)
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
    told: Callable[[], str] = lambda: COMPLETE,
    *,
    form: str,
    output: Output,
    columns: int | None = None,
    exploded: bool = False,
    numbered: bool = False,
    limits: Limits | None = None,
) -> str | None:
    """Write solutions in a format, each as soon as it is found; `told` says how the file ends.

    Return why some are missing, if the limits do not suffice for drawing all.
    """
    if form in FORMATS:
        write_solutions(puzzle, found, output, form, told)
        return None
    if form in PICTURES:
        return write_found_pictures(
            puzzle, found, form, output, columns, exploded=exploded, limits=limits
        )
    for number, solution in enumerate(found, start=1):
        head = ("\n" if number > 1 else "") + (f"{number:,}.\n" if numbered else "")
        output.write(head + draw_text(puzzle, solution, color=paints(output)))
        output.flush()
    return None
