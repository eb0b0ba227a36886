"""`exactile list`: the puzzles of the catalogue."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

import rich_click as click

from exactile.answers import PuzzleEntry, PuzzleList
from exactile.cli.common import plural
from exactile.cli.options import json_option, lattice_option
from exactile.files.puzzles.catalogue import entries


def _cut(line: str) -> str:
    """Return a line that fits the terminal; files and pipes get it whole."""
    columns = get_terminal_size().columns
    if not sys.stdout.isatty() or len(line) <= columns:
        return line
    return line[: columns - 1] + "…"


@click.command("list")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@lattice_option
@json_option
def command(words: tuple[str, ...], lattice: str | None, as_json: bool) -> None:
    """List the puzzles of the catalogue, or those whose id, alias or title has every WORD."""
    if lattice is not None:
        from exactile.geometry import get_lattice

        get_lattice(lattice)  # raises if there is none of this name
    found = [
        entry
        for entry in entries()
        if (lattice is None or entry.lattice == lattice)
        and all(
            word.lower() in " ".join([entry.id, entry.title, *entry.aliases]).lower()
            for word in words
        )
    ]
    if as_json:
        listed = (
            PuzzleEntry(id=e.id, title=e.title, lattice=e.lattice, aliases=e.aliases) for e in found
        )
        click.echo(PuzzleList(puzzles=tuple(listed)).to_json())
        return
    width = max((len(entry.id) for entry in found), default=0)
    for entry in found:
        click.echo(_cut(f"{entry.id:{width}}  {entry.title}"))
    click.echo(plural(len(found), "puzzle"), err=True)
