"""`exactile coloring`: a coloring that shows a puzzle to be unsolvable, without search."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

import rich_click as click

from exactile.answers import ColoringAnswer
from exactile.atomic import written
from exactile.cli.common import read_puzzle
from exactile.cli.options import (
    QUARTER,
    json_option,
    memory_option,
    puzzle_argument,
    time_limit_option,
)
from exactile.colorings.find import find_linear, weights_of
from exactile.render.colorings.argument import argument
from exactile.render.colorings.drawing import draw_coloring_svg, draw_coloring_text

FOUND = 20
"""The exit code of an unsolvable puzzle, as of `prove`."""


@click.command("coloring")
@puzzle_argument
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the drawing, its legend and the argument to a file.",
)
@time_limit_option("Stop looking after this time.")
@memory_option("Memory for the search", QUARTER)
@json_option
def command(
    puzzle: str,
    svg: Path | None,
    time_limit: float | None,
    memory: int | None,
    as_json: bool,
) -> int:
    """Look for a coloring that shows that a puzzle has no solution.

    Exit code: 20 if there is one, 0 if none was found, which says nothing about the puzzle. The
    coloring is verified by code that did not find it, placement by placement.
    """
    stated = read_puzzle(puzzle)
    found = find_linear(stated, time_limit=time_limit, memory=memory)
    certificate = found.certificate
    reason = None if certificate is None else argument(stated, certificate)
    if certificate is not None and svg is not None:
        with written(svg) as stream:
            stream.write(draw_coloring_svg(stated, certificate))
    if as_json:
        answer = ColoringAnswer(
            puzzle=stated.name,
            certificate=None if certificate is None else weights_of(certificate),
            argument=reason,
            tried=found.tried,
            finished=found.finished,
            stopped=found.stopped,
        )
        click.echo(answer.to_json())
    elif certificate is not None:
        click.echo(draw_coloring_text(stated, certificate) + f"\n{fill(reason or '', 80)}")
    elif found.finished:
        click.echo(f"{stated.name}: no coloring rules out a solution. Tried: {found.tried}.")
    else:
        click.echo(f"{stated.name}: no coloring found ({found.stopped}). Not all was tried.")
    return 0 if certificate is None else FOUND
