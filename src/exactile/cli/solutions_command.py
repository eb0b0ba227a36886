"""`exactile solutions`: the solutions that a store keeps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import rich_click as click

from exactile.cli.options import (
    Whole,
    columns_option,
    format_option,
    json_option,
    limit_option,
    output_option,
    up_to_option,
)
from exactile.cli.output import Output, print_json
from exactile.cli.pictures import PICTURES, require_file
from exactile.cli.solve_command import write_found
from exactile.cli.stored import chosen_search, listed, run_argument, store_argument
from exactile.cli.table import options_of
from exactile.files.puzzles.units import parse_units
from exactile.files.solutions.writer import FORMATS, ending
from exactile.puzzle import Solution
from exactile.runs.found import Having, found_solutions
from exactile.runs.run import StoredRun
from exactile.runs.store import Store


class HavingType(click.ParamType[Having]):
    """A piece and units that it lies on."""

    name = "placement"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Having:
        """Return both."""
        piece, sign, units = str(value).rpartition("@")
        if not (piece and sign):
            self.fail(f"'{value}' is no piece on units: write F@2,3 or 'F@2,3 2,4'.", param, ctx)
        return Having(piece, tuple(tuple(unit) for unit in parse_units(units)))


@options_of("solutions")
@store_argument
@run_argument
@format_option("text", *PICTURES, *FORMATS, "parquet", default="text")
@columns_option
@output_option
@click.option("--offset", type=Whole(0), default=0, metavar="N", help="Pass over N.")
@limit_option("Show up to N; all if left out.")
@click.option(
    "--with",
    "having",
    type=HavingType(),
    multiple=True,
    metavar="PIECE@UNITS",
    help="Only those in which the piece lies on these units, such as X@2,3 or 'X@2,3 3,3'; may be "
    "repeated.",
)
@up_to_option
@json_option
def command(
    store: str,
    run: int | None,
    form: str,
    columns: int | None,
    output: Output,
    offset: int,
    limit: int | None,
    having: tuple[Having, ...],
    up_to: str | None,
    as_json: bool,
) -> None:
    """Show the solutions that FILE keeps, draw them, or write them out.

    RUN is the number of the search; it may be left out where only one keeps its solutions. They
    are in the same order every time as long as nothing new is found. Each is checked.
    """
    with Store(store) as opened:
        among = [each for each in opened.runs() if each.settings.get("verb") == "solve"]
        chosen = chosen_search(opened, run, among, "with kept solutions")
        found = found_solutions(chosen, up_to=up_to, having=having)
        some = islice(islice(found, offset, None), limit)
        if as_json:
            print_json(listed(chosen, chosen.answer(), some, up_to))
        elif form == "parquet":
            from exactile.files.solutions.parquet import write_parquet

            require_file(form, output)
            write_parquet(chosen.case.puzzle, some, output)
        else:
            _write(chosen, some, form, output, columns)


def _write(
    run: StoredRun, found: Iterator[Solution], form: str, output: Output, columns: int | None
) -> None:
    stopped = run.answer().stopped
    puzzle = run.case.puzzle
    told = ending(stopped)
    write_found(puzzle, found, form, output, lambda: told, columns=columns, numbered=True)
