"""`exactile import`: reads what another program wrote, and writes it in a format of ours."""

from __future__ import annotations

import rich_click as click

from exactile.atomic import written
from exactile.cli.common import plural
from exactile.cli.endings import form_of
from exactile.cli.options import output_path_option, quiet_option
from exactile.files.foreign.imports import PUZZLES, SOLUTIONS, format_of, named_solutions
from exactile.files.io.contents import decoded, file_bytes
from exactile.files.io.place import Place
from exactile.files.models.formats import READERS, write_model
from exactile.files.puzzles.writer import write_puzzles
from exactile.files.solutions.reader import UNTOLD
from exactile.files.solutions.writer import write_solutions


@click.command("import")
@click.argument("file", metavar="FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice([*READERS, *PUZZLES, SOLUTIONS]),
    help="What FILE is; if left out, its name tells, or how it begins.",
)
@output_path_option
@quiet_option("Do not say what was read.")
def command(file: str, form: str | None, output: str, quiet: bool) -> None:
    """Read a file of another program and write it as one of ours.

    Models (xcc: Knuth's options text; json) are written as JSON, puzzles (xmpuzzle: BurrTools;
    psv: PolySolver; polycube: Busche's text) as a puzzle file, solutions of Polyform Puzzler as
    jsonl. The file is checked in full; - is standard input.
    """
    name, data = file_bytes(file)
    found = form or format_of(name, data)
    ours = {SOLUTIONS: "jsonl", **dict.fromkeys(PUZZLES, "toml")}.get(found, "json")
    form_of(output, [ours], default=ours)
    if found in PUZZLES:
        said = _import_puzzles(found, name, data, output)
    elif found == SOLUTIONS:
        said = _import_solutions(name, data, output)
    else:
        said = _import_model(found, name, data, output)
    if not quiet:
        for line in said:
            click.echo(f"{name}: {line}", err=True)


def _import_puzzles(form: str, name: str, data: bytes, output: str) -> list[str]:
    with Place(name).errors():
        foreign = PUZZLES[form](name, data)
    write_puzzles(output, foreign.puzzles, foreign.comment)
    ids = [puzzle.name for puzzle in foreign.puzzles]
    return [f"{plural(len(ids), 'puzzle')}, {' '.join(ids)}", *foreign.notes]


def _import_solutions(name: str, data: bytes, output: str) -> list[str]:
    puzzle, solutions = named_solutions(name, decoded(name, data))
    with Place(name).errors(), written(output) as target:
        number = write_solutions(puzzle, solutions, target, told=lambda: solutions.end or UNTOLD)
    return [f"{plural(number, 'solution')} of {puzzle.name}"]


def _import_model(form: str, name: str, data: bytes, output: str) -> list[str]:
    with Place(name).errors():
        problem = READERS[form](name, decoded(name, data))
    with written(output) as stream:
        write_model(problem, stream, "json")
    model = problem.model
    said = [
        f"{plural(model.items, 'item')}, {plural(model.options, 'option')}"
        + (f", {plural(len(problem.colors), 'color')}" if problem.colors else "")
    ]
    if problem.ignored:
        more = " ..." if len(problem.ignored) > 1 else ""
        said.append(
            f"{plural(len(problem.ignored), 'option')} without primary items passed over "
            f"(line {problem.ignored[0]}{more})"
        )
    return said
