"""Pictures that commands write, by the ending of their file."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from exactile.answers import TIME_LIMIT
from exactile.cli import options
from exactile.cli.output import Output, OutputFile, form_of
from exactile.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from exactile.search.limits import Limits

PICTURES = ("svg", "png", "pdf", "html")
"""The formats of `exactile.render.pictures`."""

SHEETS = ("svg", "png", "pdf")
"""The formats of sheets of pieces."""

BINARY = ("png", "pdf", "parquet")


class Picture:
    """A file for one picture, of a format."""

    def __init__(self, output: Output, form: str) -> None:
        self._output, self._form = output, form

    @property
    def name(self) -> str:
        """The format of the file."""
        return self._output.name

    def write(self, document: str) -> None:
        """Write an SVG document."""
        if self._form == "svg":
            self._output.write(document)
            return
        from exactile.render.pictures import write_svg

        write_svg(document, self._output, self._form)


class PictureFile(OutputFile):
    """The type of options that name a file for a picture; its ending is the format."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the picture; its file is closed with the command."""
        if isinstance(value, Picture) or (ctx is not None and ctx.resilient_parsing):
            return value
        form = form_of(value, SHEETS, default="svg") or "svg"
        output = super().convert(value, param, ctx)
        require_file(form, output)
        return Picture(output, form)


def picture_option(
    help: str = "Draw it too, as .svg, .png or .pdf.",
) -> Callable[[options.F], options.F]:
    """Add the option of a picture beside the printed output, as `picture`."""

    def decorated(function: options.F) -> options.F:
        @wraps(function)
        def wrapped(picture: Picture | None, **given: Any) -> Any:
            if picture is not None and picture.name == "-" and given.get("as_json"):
                raise click.UsageError("--json prints one document: write the picture to a file.")
            return function(picture=picture, **given)

        kind = PictureFile(keep=True)  # what is drawn after Ctrl-C
        named = click.option("-o", "--output", "picture", type=kind, metavar="FILE", help=help)
        return cast(options.F, named(wrapped))

    return decorated


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
    """Write solutions as pictures, after Ctrl-C those found before it; nothing if there are none.

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
    """Raise if binary output would go to a terminal."""
    if form in BINARY and output.name == "-" and sys.stdout.isatty():
        raise click.UsageError(f"--format {form} is nothing for a terminal: name a file with -o.")
