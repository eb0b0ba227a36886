"""`exactile completion`: the script that lets a shell complete commands, options and puzzles."""

from __future__ import annotations

import rich_click as click
from click.shell_completion import shell_complete

from exactile.cli.words import VARIABLE


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the script that completes commands, options, puzzles and solvers.

    bash: put  eval "$(exactile completion bash)"  into ~/.bashrc, and likewise for zsh into
    ~/.zshrc; fish:  exactile completion fish > ~/.config/fish/completions/exactile.fish
    """
    from exactile.cli.main import group

    return shell_complete(group, {}, "exactile", VARIABLE, f"{shell}_source")
