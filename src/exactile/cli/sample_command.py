"""`exactile sample`: draws solutions uniformly at random."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from exactile.answers import Status
from exactile.cli import options
from exactile.cli.common import exit_code, read_puzzle
from exactile.cli.output import PICTURES, Output
from exactile.cli.signals import undisturbed
from exactile.cli.solve_command import write_found
from exactile.cli.table import options_of
from exactile.counting.sampling import draw
from exactile.files.solution_files import FORMATS, ending
from exactile.search.limits import Limits


@options_of("sample")
@options.number("-n", "number", default=1, help="Number of solutions.")
@options.seed
@options.form("text", *PICTURES, *FORMATS, default="text")
@options.columns
@options.output
@options.time_limit()
@options.memory("Memory for counting")
@options.scratch
@options.workers("Number of threads for counting.", default=1)
@options.quiet("Print no remarks on stderr.")
def command(
    puzzle: str,
    number: int,
    seed: int,
    form: str,
    columns: int | None,
    output: Output,
    time_limit: float | None,
    memory: int | None,
    scratch: Path | None,
    workers: int,
    quiet: bool,
    as_json: bool,
) -> int:
    """Draw N solutions at random, each with the same probability.

    Draws are independent, so a solution may come twice. The same seed gives the same solutions.
    """
    limits = Limits(time_limit, memory_limit=memory).rest()
    subject = read_puzzle(puzzle)
    drawn = draw(subject, number, seed, limits, scratch=scratch, workers=workers)
    if as_json:
        with undisturbed():
            click.echo(drawn.answer.to_json())
        return exit_code(Status.SOLVABLE, drawn.stopped)
    missing = write_found(
        *(subject, drawn.solutions, lambda: ending(drawn.stopped)),
        form=form,
        output=output,
        columns=columns,
        numbered=number > 1,
        limits=limits,
    )
    if not quiet:
        what = "no solution" if drawn.raw == 0 else f"unknown ({drawn.stopped})"
        if drawn.raw:
            told = f" ({drawn.stopped})" if drawn.stopped else ""
            what = f"{drawn.given:,} of {drawn.raw:,} solutions{told}"
        click.echo(f"{subject.name}, {drawn.method}: {what}", err=True)
    return exit_code(Status.SOLVABLE, missing or drawn.stopped)
