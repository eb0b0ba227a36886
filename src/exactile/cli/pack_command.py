"""`exactile pack`: packs as much of a puzzle as possible."""

from __future__ import annotations

from typing import Any

import rich_click as click

from exactile.answers import Packing, Status
from exactile.cli.common import exit_code, read_puzzle
from exactile.cli.lines import StatusLine
from exactile.cli.options import (
    backend_option,
    quiet_option,
    seed_option,
    time_limit_option,
    verbose_option,
    workers_option,
)
from exactile.cli.output import print_json
from exactile.cli.pictures import Picture, picture_option
from exactile.cli.table import options_of
from exactile.puzzle.coordinates import from_coordinates
from exactile.reasons.packing import OBJECTIVES, PACKERS, pack
from exactile.render import draw_svg, draw_text
from exactile.search.limits import Limits


@options_of("pack")
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="units",
    show_default=True,
    help="What to make as large as possible: units covered, or pieces used.",
)
@backend_option(default="cpsat", choices=PACKERS)
@time_limit_option("Stop after this time, with the best packing until then.")
@seed_option
@workers_option("Threads of CP-SAT.")
@picture_option()
@quiet_option()
@verbose_option()
def command(
    puzzle: str,
    picture: Picture | None,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    time_limit: float | None,
    **settings: Any,
) -> int:
    """Pack as much of a puzzle as possible, solvable or not, and report what is proved."""
    stated = read_puzzle(puzzle)
    line = StatusLine(enabled=not quiet, verbose=verbose)

    def watch(news: Packing | None) -> None:
        line(_standing(news) if news is not None else "")

    try:
        packing = pack(stated, limits=Limits(time_limit), watch=watch, **settings)
    finally:
        line.clear()
    best = packing.placements
    placements = None if best is None else from_coordinates(stated, best)
    if as_json:
        print_json(packing)
    else:
        click.echo(f"{packing.puzzle}: {sentence(packing)}")
        if placements:
            click.echo()
            click.echo(draw_text(stated, placements), nl=False)
    if picture is not None and placements is not None:
        picture.write(draw_svg(stated, placements))
    if not quiet and not as_json:
        options = packing.stats["options"]
        size = "" if options is None else f"{options:,} options, "
        click.echo(f"{packing.backend}, {size}{packing.stats['seconds']:.2f} s", err=True)
    return exit_code(Status.SOLVABLE, None if packing.optimal else packing.stopped)


def sentence(packing: Packing) -> str:
    """Return the best packing and its bound in words.

    Examples
    --------
    >>> best = {"puzzle": "p", "backend": "cpsat", "placements": (), "solution": False}
    >>> some = {"objective": "units", "value": 59, "bound": 59, "total": 60, "optimal": True}
    >>> sentence(Packing(**best, **some))
    '59 of 60 units; no packing covers more.'
    >>> some = {"objective": "pieces", "value": 8, "bound": 9, "total": 12, "optimal": False}
    >>> sentence(Packing(**best, **some, stopped="time limit"))
    'at least 8 of 12 pieces, at most 9 (time limit).'
    """
    of = f"of {packing.total:,} {packing.objective}"
    if packing.placements is None:
        return "the fixed placements break the rules: nothing can be packed around them."
    if not packing.optimal:
        return (
            f"at least {packing.value:,} {of}, at most {packing.bound:,} "
            f"({packing.stopped or 'searching'})."
        )
    if packing.solution:
        return f"a solution, with {packing.value:,} {of}."
    verb = "covers" if packing.objective == "units" else "has"
    if packing.value == packing.total:
        return f"{packing.value:,} {of}, and yet no solution."
    return f"{packing.value:,} {of}; no packing {verb} more."


def _standing(packing: Packing) -> str:
    """Return the state of the search in a few words."""
    return f"{packing.value:,} of {packing.total:,} {packing.objective}, at most {packing.bound:,}"
