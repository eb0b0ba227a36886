"""`exactile import`: reads a model that another program wrote, and writes it as JSON."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import plural
from exactile.files.atomic import written
from exactile.files.models import READERS, read_model, write_model


@click.command("import")
@click.argument("file", metavar="FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(READERS)),
    help="What FILE is; if left out, its name tells, or how it begins.",
)
@click.option("-o", "--output", type=click.Path(), default="-", help="Write to a file.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say what was read.")
def command(file: str, form: str | None, output: str, quiet: bool) -> None:
    """Read a model file (Knuth's options text, or JSON) and write it as JSON.

    `exactile export` writes it in every other format, `exactile cover` solves it. The file is
    checked in full; - is standard input.
    """
    problem = read_model(file, form)
    with written(output) as stream:
        write_model(problem, stream, "json")
    if quiet:
        return
    model = problem.model
    name = "standard input" if file == "-" else file
    click.echo(
        f"{name}: {plural(model.items, 'item')}, {plural(model.options, 'option')}"
        + (f", {plural(len(problem.colors), 'color')}" if problem.colors else ""),
        err=True,
    )
    if problem.ignored:
        click.echo(
            f"{name}: {plural(len(problem.ignored), 'option')} without primary items passed over "
            f"(line {problem.ignored[0]}{' ...' if len(problem.ignored) > 1 else ''})",
            err=True,
        )
