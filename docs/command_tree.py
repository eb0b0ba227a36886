"""All commands with all their options, for the page that lists them."""

import click

from exactile.cli.main import COMMANDS, loaded


def literal(command: click.Command) -> click.Command:
    """Return a command in whose texts stars and dashes are not markup."""
    for part in (command, *command.params):
        for name in ("help", "epilog"):
            if text := getattr(part, name, None):
                setattr(part, name, text.replace("*", r"\*").replace("--", r"\--"))
    for inner in getattr(command, "commands", {}).values():
        literal(inner)
    return command


group = click.Group(
    help="Solve polyform puzzles, count their solutions, or prove that they have none.",
    commands={name: literal(loaded(name)) for name in COMMANDS},
)
