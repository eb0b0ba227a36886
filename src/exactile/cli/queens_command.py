"""`exactile queens`: queens that do not attack each other, listed, counted and drawn."""

from __future__ import annotations

from itertools import islice
from typing import IO, Any

import rich_click as click

from exactile.answers import QueensAnswer
from exactile.cli.common import chosen_backend, exit_code, is_given, model_options, plural
from exactile.cli.lines import Progress
from exactile.cli.options import format_option, json_option, output_option, quiet_option
from exactile.files.models.exact_cover_writer import write_exact_cover
from exactile.grids.queens import QueensSearch
from exactile.grids.svg import svg_queens
from exactile.grids.text import draw_queens
from exactile.model.representatives import UP_TO
from exactile.solve import Status


@click.command("queens")
@click.argument("size", metavar="N", type=click.IntRange(1))
@click.option("--torus", is_flag=True, help="Diagonals go on at the opposite side.")
@click.option("--count", "counted", is_flag=True, help="Count all solutions, and up to symmetry.")
@click.option(
    "--list", "listed", is_flag=True, help="Print all solutions: the column in each row, from 1."
)
@click.option("--up-to", type=click.Choice(list(UP_TO)), help="List one solution of each orbit.")
@format_option(
    *("text", "svg", "xcc"),
    default="text",
    help="Of one solution; xcc: the model as an exact-cover file.",
)
@output_option
@model_options()
@quiet_option()
@json_option
def command(
    size: int,
    torus: bool,
    counted: bool,
    listed: bool,
    up_to: str | None,
    form: str,
    output: IO[str],
    external: str | None,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Place N queens on N rows so that none attacks another; print a solution."""
    _refuse_contradictions(counted=counted, listed=listed, up_to=up_to, form=form, as_json=as_json)
    settings["backend"] = chosen_backend(settings["backend"], external)
    progress = Progress(enabled=not quiet)
    most = None if counted or listed else 1
    search = QueensSearch(size, torus=torus, up_to=up_to, limit=most, watch=progress, **settings)
    name = f"queens {size}{' torus' * torus}"
    if form == "xcc":
        write_exact_cover(search.model, output, comments=[name])
        return 0
    kept: list[list[int]] = []
    try:
        for columns in islice(search, most):
            progress.clear()
            if as_json and not counted:
                kept.append([c + 1 for c in columns])
            elif listed:
                output.write(" ".join(str(c + 1) for c in columns) + "\n")
            elif not as_json and not counted:
                output.write(svg_queens(columns) if form == "svg" else draw_queens(columns))
    except KeyboardInterrupt:
        search.close("interrupted")
        raise
    finally:
        progress.clear()
        if as_json:
            click.echo(_answer(name, search, None if counted else kept).to_json())
        elif counted:
            click.echo(_numbers(name, search))
        if not as_json and not quiet:
            click.echo(_summary(name, search, up_to), err=True)
    return exit_code(search.status, search.stopped)


def _refuse_contradictions(
    *, counted: bool, listed: bool, up_to: str | None, form: str, as_json: bool
) -> None:
    """Raise if options exclude each other."""
    if counted and listed:
        raise click.UsageError("--count and --list exclude each other.")
    if up_to is not None and not listed:
        raise click.UsageError("--up-to is for --list; --count gives all numbers.")
    if form != "text" and (counted or listed):
        raise click.UsageError(
            f"--format {form} is for one solution: leave out --count and --list."
        )
    if as_json and (is_given("form") or is_given("output")):
        raise click.UsageError("--json prints one document: leave out --format and --output.")


def _known(search: QueensSearch) -> bool:
    return search.status.final


def _answer(name: str, search: QueensSearch, kept: list[list[int]] | None) -> QueensAnswer:
    counter, known = search.counter, _known(search)
    return QueensAnswer(
        puzzle=name,
        backend=search.backend.name,
        status=search.status,
        stopped=search.stopped,
        raw=counter.raw if known else None,
        rotation=counter.rotation if known else None,
        symmetry=counter.symmetry if known else None,
        found=search.found,
        solutions=None if kept is None else tuple(map(tuple, kept)),
        stats=search.stats,
    )


def _numbers(name: str, search: QueensSearch) -> str:
    cover, counter = search, search.counter
    head = f"{name}, {cover.backend.name}: {cover.status.value}"
    if not _known(search):
        return (
            f"{head}\n  {cover.found:,} solutions found before the search stopped: {cover.stopped}"
        )
    numbers = {
        "all": counter.raw,
        "up to rotation": counter.rotation,
        "up to symmetry": counter.symmetry,
    }
    width = max(12, len(f"{counter.raw:,}"))
    return "\n".join([head, *(f"  {what:15} {n:>{width},}" for what, n in numbers.items())])


def _summary(name: str, search: QueensSearch, up_to: str | None) -> str:
    cover = search
    alike = f" up to {up_to}" if up_to else ""
    words = {
        Status.COMPLETE: f"all {plural(cover.found, 'solution')}{alike}",
        Status.SOLVABLE: plural(cover.found, "solution") + alike,
        Status.UNSOLVABLE: "no solution",
        Status.UNKNOWN: "unknown",
    }
    why = f" ({cover.stopped})" if cover.stopped not in (None, "solution limit") else ""
    return (
        f"{name}, {cover.backend.name}: {words[cover.status]}{why}, {cover.model.items:,} items, "
        f"{plural(cover.model.options, 'option')}, {cover.stats['seconds']:.2f} s"
    )
