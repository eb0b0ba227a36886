"""`exactile export`: writes a puzzle's model for other programs."""

from __future__ import annotations

from typing import IO

import rich_click as click

from exactile.cli.common import puzzle_argument, read_puzzle
from exactile.files.exact_cover_writer import write_exact_cover
from exactile.model import lower


@click.command("export")
@puzzle_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["xcc"]),
    default="xcc",
    show_default=True,
    help="xcc: exact cover in the format of Knuth's programs.",
)
@click.option(
    "-o", "--output", type=click.File("w", lazy=True), default="-", help="Write to a file."
)
@click.option(
    "--no-crossing", is_flag=True, help="Let pieces cross at vertices of stick and trig grids."
)
def command(puzzle: str, form: str, output: IO[str], no_crossing: bool) -> None:
    """Write a puzzle as an exact-cover problem that other programs read."""
    stated = read_puzzle(puzzle, no_crossing=no_crossing)
    crossing = "" if stated.crossing else ", pieces may cross"
    comment = f"{stated.name}: {stated.title or 'a puzzle'}{crossing}"
    write_exact_cover(lower(stated), output, comments=[comment])
