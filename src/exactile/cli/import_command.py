"""`exactile import`: reads a file of another program and writes it in a format of this one."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import plural
from exactile.cli.endings import form_of
from exactile.cli.model_file import passed_over
from exactile.cli.options import output_path_option, quiet_option
from exactile.files.foreign.conversion import (
    ForeignModel,
    ForeignPuzzles,
    ForeignSolutions,
    import_file,
)
from exactile.files.foreign.imports import PUZZLES, SOLUTIONS
from exactile.files.models.formats import READERS


@click.command("import")
@click.argument("file", metavar="FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice([*READERS, *PUZZLES, SOLUTIONS]),
    help="What FILE is; found from its name or its first lines if left out.",
)
@output_path_option
@quiet_option("Do not say what was read.")
def command(file: str, form: str | None, output: str, quiet: bool) -> None:
    """Read a file of another program and write it as one of ours.

    Models (xcc: Knuth's options text; json) are written as JSON, puzzles (xmpuzzle: BurrTools;
    psv: PolySolver; polycube: Busche's text) as a puzzle file, solutions of Polyform Puzzler as
    jsonl. The file is checked in full; - is standard input.
    """
    form_of(output, ["toml", "json", "jsonl"])  # before a long file is read
    found = import_file(file, form)
    form_of(output, [found.written_as], default=found.written_as)
    found.write(output)
    if not quiet:
        for line in _told(found):
            click.echo(f"{found.name}: {line}", err=True)


def _told(found: ForeignPuzzles | ForeignSolutions | ForeignModel) -> list[str]:
    """Return a description of the file read."""
    if isinstance(found, ForeignPuzzles):
        ids = [puzzle.name for puzzle in found.foreign.puzzles]
        return [f"{plural(len(ids), 'puzzle')}, {' '.join(ids)}", *found.foreign.notes]
    if isinstance(found, ForeignSolutions):
        return [f"{plural(found.number or 0, 'solution')} of {found.puzzle.name}"]
    problem, model = found.problem, found.problem.model
    colors = f", {plural(len(problem.colors), 'color')}" if problem.colors else ""
    said = [f"{plural(model.items, 'item')}, {plural(model.options, 'option')}{colors}"]
    return said + passed_over(problem.ignored)
