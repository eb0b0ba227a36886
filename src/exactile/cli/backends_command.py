"""`exactile backends`: the solvers that can be used here, and the table of tuning constants."""

from __future__ import annotations

import rich_click as click

from exactile.answers import BackendEntry, BackendList, TuningEntry, TuningList
from exactile.backends import backend_names, get_backend
from exactile.cli.options import json_option
from exactile.cli.output import print_json
from exactile.errors import BackendMissingError
from exactile.tuning import table


@click.command("backends")
@click.option(
    "--options", is_flag=True, help="List all budgets and tuning constants with their ranges."
)
@json_option
def command(options: bool, as_json: bool) -> None:
    """List the solvers."""
    if options:
        _tell_options(as_json)
    else:
        _tell_solvers(as_json)


def _tell_options(as_json: bool) -> None:
    """Print the table of tuning constants."""
    if as_json:
        rows = tuple(TuningEntry(**row._asdict()) for row in table())
        print_json(TuningList(options=rows))
        return
    for row in table():
        click.echo(f"{row.name} = {row.default:,}   ({row.lowest:,} to {row.highest:,})")
        click.echo(f"    {row.what}")


def _tell_solvers(as_json: bool) -> None:
    """Print the solvers."""
    found: list[BackendEntry] = []
    for name in backend_names():
        try:
            backend = get_backend(name)
            choices = backend.choices()
            found.append(BackendEntry(name=name, version=backend.version(), solvers=tuple(choices)))
        except BackendMissingError as error:
            found.append(BackendEntry(name=name, missing=str(error)))
    if as_json:
        print_json(BackendList(backends=tuple(found)))
        return
    for entry in found:
        click.echo(f"{entry.name:10} {entry.version or entry.missing}")
        line = "          "
        for solver in entry.solvers:
            word = f" {entry.name}:{solver}"
            if len(line) + len(word) > 79:
                click.echo(line)
                line = "          "
            line += word
        if line.strip():
            click.echo(line)
