"""Pictures that commands write, by the ending of their file."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator

import rich_click as click

from exactile.cli.output import Output
from exactile.puzzle import Puzzle, Solution

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
) -> None:
    """Write solutions as pictures, after Ctrl-C those found before it; nothing if there is none."""
    from exactile.render.pictures import write_pictures

    require_file(form, output)
    interrupted = False

    def until_ctrl_c() -> Iterator[Solution]:
        nonlocal interrupted
        try:
            yield from found
        except KeyboardInterrupt:
            interrupted = True

    solutions = until_ctrl_c()
    if (first := next(solutions, None)) is not None:
        all_of_them = itertools.chain([first], solutions)
        write_pictures(puzzle, all_of_them, output, form, columns, exploded=exploded)
    if interrupted:
        raise KeyboardInterrupt


def require_file(form: str, output: Output) -> None:
    """Raise if what is no text would go to a terminal."""
    if form in BINARY and output.name == "-" and sys.stdout.isatty():
        raise click.UsageError(f"--format {form} is nothing for a terminal: name a file with -o.")
