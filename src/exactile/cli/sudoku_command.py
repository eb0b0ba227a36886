"""`exactile sudoku`: decides whether sudokus have a unique solution, and solves them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import rich_click as click

from exactile.answers import INTERRUPTED
from exactile.classics.grids.reader import Variant, read_regions, read_sudokus
from exactile.classics.grids.sudoku import Sudoku
from exactile.cli.lines import Progress
from exactile.cli.options import (
    MOST,
    count_option,
    format_option,
    output_option,
)
from exactile.cli.sudoku_tasks import (
    SudokuSession,
    count_solutions,
    export_model,
    finish,
    judge_sudoku,
    list_solutions,
)
from exactile.cli.table import options_of
from exactile.errors import FileError


def _boxes(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Return rows and columns of a box."""
    if value is None:
        return None
    numbers = re.fullmatch(r"([1-9]\d?)[xX]([1-9]\d?)", value)
    if numbers is None:
        raise click.BadParameter(f"{value!r}: write 2x3 for 2 rows by 3 columns.")
    return int(numbers[1]), int(numbers[2])


@options_of("sudoku")
@click.argument("file", metavar="FILE")
@click.option(
    "--boxes", callback=_boxes, metavar="RxC", help="Rows and columns of a box, such as 2x3."
)
@click.option("--x", "diagonals", is_flag=True, help="Both diagonals hold every digit (X-sudoku).")
@click.option("--windows", is_flag=True, help="So do the windows between boxes (hyper sudoku).")
@click.option(
    "--jigsaw",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Regions instead of boxes: a character for each cell. They may stand in the first FILE "
    "too, behind a line `regions`.",
)
@click.option(
    "--number", type=click.IntRange(1, MOST), metavar="N", help="Only the sudoku number N."
)
@count_option("Print the number of solutions.")
@click.option("--minimal", is_flag=True, help="Show which givens are superfluous.")
@click.option(
    "--proof",
    "proof_directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Leave a proof that there is no other solution, or none, in a new directory.",
)
@format_option(
    *("text", "line", "svg", "xcc"),
    help="text: drawn; line: all cells on a line; svg: a picture; xcc: the model as an exact-cover "
    "file. By default the ending of -o decides, or it is text for one sudoku, line for several.",
)
@output_option
def command(
    file: str,
    boxes: tuple[int, int] | None,
    diagonals: bool,
    windows: bool,
    jigsaw: str | None,
    number: int | None,
    find_all: bool,
    limit: int | None,
    counted: bool,
    minimal: bool,
    proof_directory: Path | None,
    form: str | None,
    output: IO[str],
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Solve the sudokus of a file; - is standard input.

    A sudoku is unique, ambiguous (more than one solution) or contradictory (none). FILE has one in
    each line, or a row in each line; any size.
    """
    regions = read_regions(jigsaw, diagonals=diagonals) if jigsaw else None
    sudokus = read_sudokus(file, Variant(boxes, diagonals, windows, regions))
    name = "standard input" if file == "-" else Path(file).name
    progress = Progress(enabled=not quiet)
    session = SudokuSession(
        name, output, form, as_json, minimal, proof_directory, settings, progress
    )
    sudokus = _chosen(
        name, sudokus, number or (1 if proof_directory or form in ("svg", "xcc") else None)
    )
    try:
        if form == "xcc":
            return export_model(session, next(sudokus))
        for sudoku in _announced(session, sudokus):
            if counted:
                count_solutions(session, sudoku)
            elif find_all or limit is not None:
                list_solutions(session, sudoku, limit)
            else:
                judge_sudoku(session, sudoku)
    except KeyboardInterrupt:
        session.stopped = INTERRUPTED
        finish(session, quiet=quiet)
        raise
    finally:
        progress.clear()
    finish(session, quiet=quiet)
    return session.exit_code


def _chosen(name: str, sudokus: Iterator[Sudoku], number: int | None) -> Iterator[Sudoku]:
    """Yield one of the sudokus, or all."""
    if number is None:
        yield from sudokus
        return
    sudoku = next(islice(sudokus, number - 1, None), None)
    if sudoku is None:
        raise FileError(f"{name}: it has no sudoku number {number}.")
    yield sudoku


def _announced(session: SudokuSession, sudokus: Iterator[Sudoku]) -> Iterator[Sudoku]:
    """Yield the sudokus; before that choose the format, which depends on whether there are more."""
    start = list(islice(sudokus, 1 if session.form else 2))
    session.form = session.form or ("text" if len(start) == 1 else "line")
    return chain(start, sudokus)
