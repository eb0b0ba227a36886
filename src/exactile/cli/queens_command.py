"""`exactile queens`: queens that do not attack each other, listed, counted and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import rich_click as click

from exactile.answers import QueensAnswer
from exactile.backends import get_backend
from exactile.classics.grids.drawings import draw_queens, svg_queens
from exactile.classics.grids.queens import Columns, QueensSearch, count_queens
from exactile.cli import options
from exactile.cli.common import counted as counting
from exactile.cli.common import (
    counters,
    exit_code,
    number_lines,
    outcome,
    report_seed,
    search_and_tell,
)
from exactile.cli.lines import Progress
from exactile.cli.output import SHEETS, Output, Picture, print_json, require_file
from exactile.cli.table import options_of
from exactile.cli.words import plural
from exactile.files.models.exact_cover import write_exact_cover


@options_of("queens")
@click.argument("size", metavar="N", type=options.Whole())
@click.option("--torus", is_flag=True, help="Let diagonals wrap around the edges.")
@options.counted("Count the solutions: all, and up to symmetry.")
@options.find_all(
    "--list", help="Print all solutions, each as the queens' columns, row by row, from 1."
)
@options.up_to
@options.form(
    *("text", *SHEETS, "xcc"),
    default="text",
    help="Format of one solution; xcc: the model as an exact-cover file.",
)
@options.output
def command(
    size: int,
    torus: bool,
    counted: bool,
    find_all: bool,
    up_to: str | None,
    form: str,
    output: Output,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Place N queens on an N by N board so that no two attack each other."""
    require_file(form, output)
    backend = get_backend(settings["backend"])
    report_seed(backend.name, takes_seed=backend.takes_seed, quiet=quiet)
    progress = Progress(enabled=not quiet)
    if counted:
        answer = counting(
            lambda: count_queens(size, torus=torus, watch=progress, **settings), progress
        )
        if as_json:
            print_json(answer)
        else:
            click.echo(_numbers(answer))
            if not quiet:
                click.echo(counters(answer.stats), err=True)
        return exit_code(answer.status, answer.stopped)
    most = None if find_all else 1
    search = QueensSearch(size, torus=torus, up_to=up_to, limit=most, watch=progress, **settings)
    if form == "xcc":
        write_exact_cover(search.model, output, comments=[search.name])
        return 0

    def write(found: Iterator[Columns]) -> None:
        for columns in islice(found, most):
            if find_all:
                output.write(" ".join(str(c + 1) for c in columns) + "\n")
            else:
                _draw(columns, form, output)

    def report() -> None:
        if not as_json and not quiet:
            click.echo(_summary(search, up_to), err=True)

    return search_and_tell(
        search, progress, write=write, answer=search.answer if as_json else None, report=report
    )


def _draw(columns: Columns, form: str, output: Output) -> None:
    if form in SHEETS:
        Picture(output, form).write(svg_queens(columns))
    else:
        output.write(draw_queens(columns))


def _numbers(answer: QueensAnswer) -> str:
    head = f"{answer.puzzle}, {answer.backend or answer.method}: {answer.status.value}"
    if answer.raw is None:
        return (
            f"{head}\n  {answer.found:,} solutions found before the search stopped: "
            f"{answer.stopped}"
        )
    return "\n".join([head, *number_lines(answer)])


def _summary(search: QueensSearch, up_to: str | None) -> str:
    words = outcome(search, search.name, search.backend, alike=f" up to {up_to}" if up_to else "")
    model = search.model
    return (
        f"{words}, {model.items:,} items, {plural(model.options, 'option')}, "
        f"{search.stats['seconds']:.2f} s"
    )
