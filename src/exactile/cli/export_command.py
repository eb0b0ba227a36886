"""`exactile export`: writes a puzzle, or its model, for other programs."""

from __future__ import annotations

import rich_click as click

from exactile.atomic import written
from exactile.cli.common import read_puzzle
from exactile.cli.options import crossing_option, format_option, output_path_option, puzzle_argument
from exactile.files.foreign.puzzle_formats import PUZZLE_FORMATS, write_puzzle_as
from exactile.files.models.cnf_writer import WRITABLE
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import ENCODED, FORMATS, model_of, read_model, write_model
from exactile.files.models.names import is_model_file
from exactile.puzzle import Puzzle


@click.command("export")
@puzzle_argument
@format_option(
    *FORMATS,
    *PUZZLE_FORMATS,
    default="xcc",
    help="; ".join(f"{n}: {meaning}" for n, meaning in (FORMATS | PUZZLE_FORMATS).items()) + ".",
)
@click.option(
    "--encoding",
    type=click.Choice(WRITABLE),
    help="How cnf and wcnf say that at most one of many is taken; if left out, by size.",
)
@output_path_option
@crossing_option
def command(puzzle: str, form: str, encoding: str | None, output: str, no_crossing: bool) -> None:
    """Write the model of a puzzle, or of a model file (.xcc, .dlx, .json), for other programs.

    toml is the puzzle itself, as a puzzle file.
    """
    if encoding is not None and form not in ENCODED:
        raise click.UsageError(f"--encoding is for {' and '.join(ENCODED)}: {form} has none.")
    if form in PUZZLE_FORMATS:
        write_puzzle_as(_puzzle(puzzle, form, no_crossing=no_crossing), output, form)
        return
    problem = _problem(puzzle, no_crossing=no_crossing, placements=form == "json")
    with written(output) as stream:
        write_model(problem, stream, form, encoding=encoding)


def _puzzle(reference: str, form: str, *, no_crossing: bool) -> Puzzle:
    """Return the puzzle to be written."""
    if reference == "-" or is_model_file(reference):
        raise click.UsageError(f"--format {form} is for puzzles: {reference} is a model.")
    return read_puzzle(reference, no_crossing=no_crossing)


def _problem(reference: str, *, no_crossing: bool, placements: bool) -> ExactCover:
    """Return the model of a puzzle or of a file."""
    if reference != "-" and not is_model_file(reference):
        return model_of(read_puzzle(reference, no_crossing=no_crossing), placements=placements)
    if no_crossing:
        raise click.UsageError("--no-crossing is for puzzles: a model file says what may cross.")
    return read_model(reference)
