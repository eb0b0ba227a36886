"""`exactile coloring`: a coloring that shows a puzzle to be unsolvable, without search."""

from __future__ import annotations

from textwrap import fill

import rich_click as click

from exactile.answers import Status
from exactile.cli.common import exit_code, read_puzzle
from exactile.cli.options import (
    QUARTER,
    exit_code_option,
    memory_option,
    time_limit_option,
)
from exactile.cli.output import print_json
from exactile.cli.pictures import Picture, picture_option
from exactile.cli.table import options_of
from exactile.reasons.colorings.find import find_linear
from exactile.render.colorings.argument import coloring_answer
from exactile.render.colorings.drawing import draw_coloring_svg, draw_coloring_text
from exactile.search.limits import Limits


@options_of("coloring")
@picture_option()
@time_limit_option("Stop looking after this time.")
@memory_option("Memory for the search", QUARTER)
@exit_code_option
def command(
    puzzle: str,
    picture: Picture | None,
    time_limit: float | None,
    memory: int | None,
    as_json: bool,
) -> int:
    """Look for a coloring that shows that a puzzle has no solution.

    That none was found says nothing about the puzzle. A coloring is verified by code that did not
    find it, placement by placement.
    """
    stated = read_puzzle(puzzle)
    found = find_linear(stated, limits=Limits(time_limit, memory_limit=memory))
    answer = coloring_answer(stated, found)
    if as_json:
        print_json(answer)
    elif found.certificate is not None:
        drawn = draw_coloring_text(stated, found.certificate)
        click.echo(f"{drawn}\n{fill(answer.argument or '', 80)}")
    elif found.finished:
        click.echo(f"{stated.name}: no coloring rules out a solution. Tried: {found.tried}.")
    else:
        click.echo(f"{stated.name}: no coloring found ({found.stopped}). Not all was tried.")
    if found.certificate is not None and picture is not None:
        picture.write(draw_coloring_svg(stated, found.certificate))
    if found.certificate is None and found.finished:
        return 0
    return exit_code(Status.UNKNOWN if found.certificate is None else Status.UNSOLVABLE)
