"""Pictures that commands write, by the ending of their file."""

from __future__ import annotations

import itertools
import sys
import time
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

CONVERSION = {"svg": 0.1, "png": 5.0, "pdf": 1.6, "html": 0.0}
"""How long it takes to write drawings of a format, by the time that it takes to make them."""

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

    def until_ctrl_c() -> Iterator[Solution]:
        nonlocal interrupted
        try:
            yield from found
        except KeyboardInterrupt:
            interrupted = True

    drawn = InTime(until_ctrl_c(), limits, CONVERSION[form])
    solutions = iter(drawn)
    if (first := next(solutions, None)) is not None:
        all_of_them = itertools.chain([first], solutions)
        write_pictures(puzzle, all_of_them, output, form, columns, exploded=exploded)
    if interrupted:
        raise KeyboardInterrupt
    if drawn.cut:
        click.echo(f"Drawn are the first {drawn.number:,}: the time limit came first.", err=True)
    return TIME_LIMIT if drawn.cut else None


class InTime:
    """Solutions to be drawn, as many as there is time for, one at least.

    Parameters
    ----------
    solutions
        All of them.
    limits
        What time there is, for looking for them too; None leaves it open.
    conversion
        How long it takes to write drawings, by the time that it takes to make them.

    Attributes
    ----------
    number
        How many there were time for.
    cut
        Whether there were more.
    """

    def __init__(
        self, solutions: Iterator[Solution], limits: Limits | None, conversion: float
    ) -> None:
        self.number = 0
        self.cut = False
        self._solutions = solutions
        self._limits = limits
        self._conversion = conversion

    def __iter__(self) -> Iterator[Solution]:
        drawing = 0.0
        for solution in self._solutions:
            left = self._limits.left if self._limits is not None else None
            if self.number and left is not None and left <= self._conversion * drawing:
                self.cut = True
                return
            self.number += 1
            begun = time.monotonic()
            yield solution  # and get it back when it is drawn
            drawing += time.monotonic() - begun


def require_file(form: str, output: Output) -> None:
    """Raise if what is no text would go to a terminal."""
    if form in BINARY and output.name == "-" and sys.stdout.isatty():
        raise click.UsageError(f"--format {form} is nothing for a terminal: name a file with -o.")
