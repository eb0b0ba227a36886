"""`exactile help` and `completion`: the help of a command, and completion in the shell."""

from __future__ import annotations

import rich_click as click
from click.shell_completion import shell_complete

from exactile.cli import options
from exactile.cli.words import VARIABLE


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]")
@options.as_json
def help_command(words: tuple[str, ...], as_json: bool) -> int:
    """Show the help of COMMAND, or list the commands.

    `exactile help options` lists the options that are not on the help page of their command. They
    are set by --set NAME=VALUE, or by the environment variable EXACTILE_SET. --json is only for
    this list.
    """
    from exactile.cli.main import run

    if as_json and words != ("options",):
        raise click.UsageError("--json is for the list of options: `exactile help options --json`.")
    if words == ("options",):
        _list_options(as_json=as_json)
        return 0
    return run([*words, "--help"])


def _list_options(*, as_json: bool) -> None:
    """Print the options that --set accepts, sorted by name."""
    from exactile.answers import OptionList
    from exactile.cli.main import all_commands
    from exactile.cli.output import print_json
    from exactile.cli.table import listed

    rows = listed(each for _, each in all_commands())
    if as_json:
        print_json(OptionList(options=tuple(rows)))
        return
    click.echo("Write --set NAME=VALUE, or put NAME=VALUE,NAME=VALUE into EXACTILE_SET.\n")
    for row in rows:
        words, values = f"{row.name:24} {row.words}", f"(default: {row.default}; {row.values})"
        space = " " if len(words) + len(values) < 80 else "\n" + 25 * " "
        click.echo(words + space + values)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print a shell script that completes commands, options, puzzles and solvers.

    For bash, add this line to ~/.bashrc:  eval "$(exactile completion bash)"

    For zsh, add the same line to ~/.zshrc, with zsh in place of bash.

    For fish:  exactile completion fish > ~/.config/fish/completions/exactile.fish
    """
    from exactile.cli.main import group

    return shell_complete(group, {}, "exactile", VARIABLE, f"{shell}_source")
