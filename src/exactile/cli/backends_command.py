"""`exactile backends`: the available solvers."""

from __future__ import annotations

import rich_click as click

from exactile.answers import BackendEntry, BackendList
from exactile.backends import backend_names, get_backend
from exactile.cli.options import json_option
from exactile.cli.output import print_json
from exactile.errors import BackendMissingError


@click.command("backends")
@json_option
def command(as_json: bool) -> None:
    """List the solvers."""
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
