"""`exactile resume`, `work`, `status`, `solutions`, `merge`: commands for stored searches.

A store is a file with searches, called runs, and their results.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

import rich_click as click
from click.exceptions import Exit
from msgspec import structs

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, Count, RunStatus, Status, StoreStatus
from exactile.cli import options
from exactile.cli.common import UNFINISHED, answer_lines, counters, exit_code, is_given
from exactile.cli.output import PICTURES, Output, print_answer, print_json, require_file
from exactile.cli.solve_commands import write_found
from exactile.cli.stored import chosen_run, chosen_search, go_on, listed, require_there
from exactile.cli.table import options_of
from exactile.cli.tile_command import holds_census, print_census, resume_census
from exactile.cli.words import percent, plural
from exactile.clock import CLOCK
from exactile.files.puzzles.units import parse_units
from exactile.files.solution_files import FORMATS, ending
from exactile.puzzle import Solution
from exactile.runs.found import Having, found_solutions
from exactile.runs.run import StoredRun
from exactile.runs.status import join_stores, statuses, store_status
from exactile.runs.store import Store

OPEN = "still unfinished"


@options_of("resume")
@options.stored
@options.run
@options.exit_code
def resume_command(
    store: str,
    run: int | None,
    on: str | None,
    workers: int | None,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Continue a search stored in FILE, until it is finished or stopped again.

    RUN is the number of the search, as `exactile status` shows it. It may be left out if FILE has
    only one search, or only one that is unfinished. If the search is already finished, its result
    is printed again. FILE may also be the store of a census, which `tile --order --store` began.
    """
    from exactile.runs.store import Store, may_be_written

    require_there(store)
    if holds_census(store):
        if run is not None or on is not None or is_given("exit_code"):
            raise click.UsageError(
                f"RUN, --on and --set exit_code are for searches of puzzles: {store} has a census."
            )
        return resume_census(store, workers, time_limit, quiet=quiet, as_json=as_json)
    with Store(store, write=may_be_written(store)) as opened:
        runs = opened.runs()
        left = [each for each in runs if each.answer is None]
        what = OPEN if left else "to print again" if runs else "to continue"
        chosen = chosen_search(opened, run, left or runs, what)
        answer = go_on(chosen, on, workers, time_limit, quiet=quiet)
        lines = answer_lines(answer, chosen.case.puzzle)
        if chosen.finished and isinstance(answer, Count) and answer.raw is None:
            lines = next(run_lines(each) for each in statuses(opened) if each.run == chosen.number)
    print_answer(answer, lines, as_json=as_json)
    if not (quiet or as_json):
        click.echo(counters(answer.stats), err=True)
    code = exit_code(answer.status, answer.stopped)
    return 0 if code == UNFINISHED and chosen.finished and chosen.record.share else code


SECONDS = 2.0
"""Seconds between two updates by --watch."""


@click.command("status")
@options.stored
@click.option("--watch", is_flag=True, help="Keep updating until no process works on the file.")
@options.as_json
def status_command(store: str, watch: bool, as_json: bool) -> None:
    """Show the progress of the searches stored in FILE, even while they run.

    FILE may also be the store of a census, which `tile --order --store` began; --watch is not for
    censuses.
    """
    if watch and as_json:
        raise click.UsageError("--watch and --json exclude each other: --json prints one document.")
    if holds_census(store):
        if watch:
            raise click.UsageError(f"--watch is for searches of puzzles: {store} has a census.")
        print_census(store, as_json=as_json)
        return
    answer = store_status(store)
    _print(answer, as_json=as_json)
    while watch and any(run.working for run in answer.runs):
        CLOCK.pause(SECONDS)
        answer = store_status(store)
        if not as_json:
            click.clear()  # on a terminal
        _print(answer, as_json=as_json)


def _print(answer: StoreStatus, *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    for run in answer.runs:
        click.echo("\n".join(run_lines(run)))
    if not answer.runs:
        click.echo(f"{answer.file} has no runs.")


def run_lines(run: RunStatus) -> Iterator[str]:
    """Yield the lines that describe the progress of a stored search."""
    share = " (a share of it)" if run.share else ""
    apart = " --assemblable" if run.assemblable else ""
    apart += " --set rotations=yes" if run.rotations else ""
    yield f"{run.run}. {run.verb} {run.puzzle}{apart}, {run.backend}: {run.status.value}{share}"
    if run.raw is not None:
        numbers = f"{run.raw:,} all, {run.rotation:,} up to rotation, "
        yield f"   {numbers}{run.symmetry:,} up to symmetry"
    else:
        tried = plural(run.found, "assembly", "assemblies") + " tried"
        yield f"   {tried if run.assemblable else plural(run.found, 'solution') + ' found'}"
    spent = f"{plural(run.nodes, 'node')}, {_time(run.seconds)} of processor time"
    if run.parts:
        part = f"{percent(run.done)} searched, {plural(run.parts, 'part')} left"
        died = f", {plural(run.lost, 'part')} of them lost once or more" if run.lost else ""
        yield f"   {part}{died}; {spent}"
    else:
        yield f"   {spent}"
    if run.working:
        speed = f", {run.nodes_per_second:,.0f} nodes a second" if run.nodes_per_second else ""
        left = _left(run)
        yield f"   {plural(run.alive or 0, 'worker')} at work ({run.on}){speed}{left}"


def _left(run: RunStatus) -> str:
    if run.seconds_left is None or run.seconds_left_error is None:
        return ""
    return f", {_time(run.seconds_left)} ± {_time(run.seconds_left_error)} left"


def _time(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


@options_of("work")
@options.stored
@options.run
@click.option(
    "--shard",
    type=options.Shard(),
    required=True,
    metavar="I/N",
    help="Share to search: 3/200 is the third of 200 shares.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    required=True,
    metavar="SHARE",
    help="File for the results. If it exists, its search is continued.",
)
def work_command(
    store: str,
    run: int | None,
    shard: tuple[int, int],
    output: str,
    on: str | None,
    workers: int | None,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Search one share of a search that is stored in FILE, so that several machines can divide it.

    `exactile merge` joins the results of the shares. RUN is the number of the search, as `exactile
    status` shows it; it may be left out if only one search in FILE is unfinished. FILE is only
    read, so any number of machines can use it at the same time.
    """
    from exactile.runs.store import Store, store_to_fill
    from exactile.runs.store.join import require_share, take_share

    require_there(store)
    with store_to_fill(output) as own:
        with Store(store) as whole:
            if own.runs():
                require_share(whole, run, own, *shard)
            else:
                among = [each for each in whole.runs() if each.answer is None]
                number = chosen_run(whole, run, among, OPEN)
                if take_share(whole, number, own, *shard) is None:
                    share = "/".join(map(str, shard))
                    others = len(whole.parts(number))
                    wait = f"; {plural(others, 'part')} of other shares wait" if others else ""
                    click.echo(f"Nothing is left of share {share} in {store}{wait}.", err=True)
                    if as_json:
                        print_json(StoreStatus(file=output, runs=()))
                    raise Exit(0)  # not `return`: the empty store of the share is removed
        chosen = StoredRun(own, own.runs()[0].number)
        answer = go_on(chosen, on, workers, time_limit, quiet=quiet)
        progress = StoreStatus(file=output, runs=statuses(own))
    if as_json:
        print_json(progress)
    else:
        click.echo("\n".join(run_lines(progress.runs[0])))
    if answer.stopped == INTERRUPTED:
        return 130
    return 0 if chosen.finished else UNFINISHED


class HavingType(click.ParamType[Having]):
    """The type of --with: a piece and units that it covers, such as ``F@2,3``."""

    name = "placement"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Having:
        """Return the piece and the units; raise BadParameter or PuzzleError for any other text."""
        piece, sign, units = str(value).rpartition("@")
        if not (piece and sign):
            self.fail(f"'{value}' is not a piece on units: write F@2,3 or 'F@2,3 2,4'.", param, ctx)
        return Having(piece, tuple(tuple(unit) for unit in parse_units(units)))


SELECTION = "only a selection"
"""Reason that an answer gives for missing solutions if --offset or --with is given."""


@options_of("solutions")
@options.stored
@options.run
@options.form(
    *("text", *PICTURES, *FORMATS, "parquet"),
    default="text",
    help="jsonl, puzzler, letters: files of solutions, for `exactile check`; parquet: a table.",
)
@options.columns
@options.output
@click.option(
    "--offset",
    type=options.Whole(0),
    default=0,
    metavar="N",
    help="Skip the first N solutions; by default, none.",
)
@options.limit("Show at most N solutions; by default, all.")
@click.option(
    "--with",
    "having",
    type=HavingType(),
    multiple=True,
    metavar="PIECE@UNITS",
    help="Only solutions in which a copy of the piece covers these units and perhaps others, such "
    "as 'X@2,3 3,3'. If repeated, all of these conditions must hold.",
)
@options.up_to
@options.as_json
def solutions_command(
    store: str,
    run: int | None,
    form: str,
    columns: int | None,
    output: Output,
    offset: int,
    limit: int | None,
    having: tuple[Having, ...],
    up_to: str | None,
    as_json: bool,
) -> None:
    """Print, draw or export the solutions stored in FILE.

    RUN is the number of the search, as `exactile status` shows it; it may be left out if only one
    search in FILE keeps its solutions. The order of the solutions stays the same until more are
    found. Each solution is checked.
    """
    with Store(store) as opened:
        among = [each for each in opened.runs() if each.settings.get("verb") == "solve"]
        chosen = chosen_search(opened, run, among, "with kept solutions")
        found = islice(found_solutions(chosen, up_to=up_to, having=having), offset, None)
        answer = chosen.answer()
        missing = answer.stopped or (SELECTION if offset or having else None)

        def some() -> Iterator[Solution]:
            nonlocal missing
            yield from islice(found, limit)
            if limit is not None and missing is None and next(found, None) is not None:
                missing = SOLUTION_LIMIT

        if as_json:
            shown = list(some())
            if missing and answer.status is Status.COMPLETE:
                answer = structs.replace(answer, status=Status.SOLVABLE, stopped=missing)
            print_json(listed(chosen, answer, shown, up_to))
        elif form == "parquet":
            from exactile.files.solution_files import write_parquet

            require_file(form, output)
            write_parquet(chosen.case.puzzle, some(), output)
        else:
            write_found(
                *(chosen.case.puzzle, some(), lambda: ending(missing)),
                form=form,
                output=output,
                columns=columns,
                numbered=True,
            )


@click.command("merge")
@options.stored
@click.argument("others", metavar="FILE...", nargs=-1, required=True)
@options.quiet("Print nothing.")
@options.as_json
def merge_command(store: str, others: tuple[str, ...], quiet: bool, as_json: bool) -> None:
    """Merge the results of the other FILEs into the first FILE.

    The others are files that `exactile work -o` wrote; the first is then the store whose search was
    divided. Or they are stores of shares of a census; the first is then created if necessary. Parts
    that were searched twice count once.
    """
    if holds_census(others[0]):
        from exactile.surveys.tiling.survey import join_censuses

        join_censuses(store, others)
        if as_json or not quiet:
            print_census(store, as_json=as_json)
        return
    answer = join_stores(store, others)
    if as_json:
        print_json(answer)
    elif not quiet:
        known = f", {plural(answer.known, 'part')} known already" if answer.known else ""
        click.echo(f"{plural(answer.taken, 'part')} merged{known}.")
        for run in answer.runs:
            click.echo("\n".join(run_lines(run)))
