"""`exactile backends`: the solvers that can be used here."""

from __future__ import annotations

from typing import Any

import rich_click as click

from exactile.backends import backend_names, get_backend
from exactile.cli.common import json_option, print_json
from exactile.errors import BackendMissingError


@click.command("backends")
@json_option
def command(as_json: bool) -> None:
    """List the solvers."""
    found: list[dict[str, Any]] = []
    for name in backend_names():
        try:
            backend = get_backend(name)
            choices: list[str] = getattr(backend, "choices", list)()
            found.append(
                {"name": name, "version": backend.version(), "solvers": choices, "missing": None}
            )
        except BackendMissingError as error:
            found.append({"name": name, "version": None, "solvers": [], "missing": str(error)})
    if as_json:
        print_json({"backends": found})
        return
    for entry in found:
        click.echo(f"{entry['name']:10} {entry['version'] or entry['missing']}")
        line = "          "
        for solver in entry["solvers"]:
            word = f" {entry['name']}:{solver}"
            if len(line) + len(word) > 79:
                click.echo(line)
                line = "          "
            line += word
        if line.strip():
            click.echo(line)
