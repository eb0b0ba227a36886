"""`exactile help`: the help of a command."""

from __future__ import annotations

import rich_click as click


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]")
def command(words: tuple[str, ...]) -> int:
    """Show the help of COMMAND, or what commands there are."""
    from exactile.cli.main import run

    return run([*words, "--help"])
