"""Pictures that commands write, by the ending of their file."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import rich_click as click

from exactile.answers import TIME_LIMIT
from exactile.cli.output import Output
from exactile.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from exactile.solve.limits import Limits

PICTURES = ("svg", "png", "pdf", "html")
"""The formats of `exactile.render.pictures`."""

SHEETS = ("svg", "png", "pdf")
"""The formats of sheets of pieces."""

BINARY = ("png", "pdf", "parquet")


def write_found_pictures(
    puzzle: Puzzle,
    found: Iterable[Solution],
    form: str,
    output: Output,
    columns: int | None,
    *,
    exploded: bool = False,
    limits: Limits | None = None,
) -> str | None:
    """Write solutions as pictures, after Ctrl-C those found before it; nothing if there is none.

    Return why some are missing, if the time that there is does not suffice for all.
    """
    from exactile.render.pictures import write_pictures

    require_file(form, output)
    interrupted = False
    wanted = 0

    def until_ctrl_c() -> Iterator[Solution]:
        nonlocal interrupted, wanted
        try:
            for wanted, solution in enumerate(found, 1):  # noqa: B007
                yield solution
        except KeyboardInterrupt:
            interrupted = True

    drawn = 0
    solutions = until_ctrl_c()
    if (first := next(solutions, None)) is not None:
        all_of_them = itertools.chain([first], solutions)
        drawn = write_pictures(
            puzzle, all_of_them, output, form, columns, exploded=exploded, limits=limits
        )
    if interrupted:
        raise KeyboardInterrupt
    if drawn < wanted:
        click.echo(f"Drawn are the first {drawn:,}: the time limit came first.", err=True)
    return TIME_LIMIT if drawn < wanted else None


def require_file(form: str, output: Output) -> None:
    """Raise if what is no text would go to a terminal."""
    if form in BINARY and output.name == "-" and sys.stdout.isatty():
        raise click.UsageError(f"--format {form} is nothing for a terminal: name a file with -o.")
