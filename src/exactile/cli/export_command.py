"""`exactile export`: writes a puzzle, or its model, for other programs."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import read_puzzle
from exactile.cli.options import format_option, output_path_option
from exactile.cli.table import options_of
from exactile.files.foreign.puzzle_formats import PUZZLE_FORMATS, write_puzzle_as
from exactile.files.models.cnf_writer import WRITABLE
from exactile.files.models.formats import ENCODED, FORMATS, export_model, read_model
from exactile.files.models.names import is_model_file


@options_of("export")
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
def command(puzzle: str, form: str, encoding: str | None, output: str) -> None:
    """Write the model of a puzzle, or of a model file (.xcc, .dlx, .json), for other programs.

    toml is the puzzle itself, as a puzzle file.
    """
    if encoding is not None and form not in ENCODED:
        raise click.UsageError(f"--encoding is for {' and '.join(ENCODED)}: {form} has none.")
    model = is_model_file(puzzle)
    if form in PUZZLE_FORMATS:
        if model:
            raise click.UsageError(f"--format {form} is for puzzles: {puzzle} is a model.")
        write_puzzle_as(read_puzzle(puzzle), output, form)
        return
    given = read_model(puzzle) if model else read_puzzle(puzzle)
    export_model(given, output, form, encoding=encoding)
