"""`exactile cover`: solves a model file, in the format of Knuth's programs or in JSON."""

from __future__ import annotations

from typing import Any

import rich_click as click

from exactile.cli.common import chosen_backend, model_options
from exactile.cli.model_file import search_model_file
from exactile.cli.options import json_option, limit_option, quiet_option


@click.command("cover")
@click.argument("file", metavar="FILE")
@click.option(
    "--solutions", is_flag=True, help="Print solutions, an option a line, not their number."
)
@limit_option("Stop after N solutions.")
@model_options()
@quiet_option()
@json_option
def command(
    file: str, external: str | None, solutions: bool, quiet: bool, as_json: bool, **settings: Any
) -> int:
    """Count the solutions of a model file (Knuth's options text, or JSON); - is standard input."""
    settings["backend"] = chosen_backend(settings["backend"], external)
    return search_model_file(file, solutions=solutions, quiet=quiet, as_json=as_json, **settings)
