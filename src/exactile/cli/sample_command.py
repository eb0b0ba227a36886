"""`exactile sample`: draws solutions uniformly at random."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from exactile.answers import Status
from exactile.answers.search import rough
from exactile.cli import options
from exactile.cli.common import exit_code
from exactile.cli.inline import read_puzzle
from exactile.cli.output import PICTURES, Output, print_json
from exactile.cli.solve_command import write_found
from exactile.cli.table import options_of
from exactile.counting.sampling import RandomSolutions, draw, draw_about
from exactile.files.solution_files import FORMATS, ending
from exactile.search.limits import Limits


@options_of("sample")
@options.number("-n", "number", default=1, help="Number of solutions.")
@options.seed
@click.option(
    "--about",
    is_flag=True,
    help="Draw nearly uniformly, for puzzles with too many solutions to count.",
)
@options.number("--states", help="With --about: number of states kept at each level.")
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
    about: bool,
    states: int | None,
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
    """Draw N solutions at random, each with the same probability, or nearly so with --about.

    Draws are independent, so a solution may come twice. The same seed gives the same solutions.

    With --about, the number of solutions is not counted but estimated, within --time-limit if
    there is one, and solutions are drawn from the states that the estimate kept. The answer says
    how close to uniform the draws are. Only solutions of different seeds are independent.
    """
    limits = Limits(time_limit, memory_limit=memory).rest()
    subject = read_puzzle(puzzle)
    if about:
        drawn = draw_about(subject, number, seed, limits, states=states, workers=workers)
    elif states is not None:
        raise click.UsageError("--states needs --about: otherwise all states are kept.")
    else:
        drawn = draw(subject, number, seed, limits, scratch=scratch, workers=workers)
    if as_json:
        print_json(drawn.answer)
        return exit_code(Status.SOLVABLE, drawn.stopped)
    missing = write_found(
        *(subject, drawn.solutions, lambda: ending(drawn.stopped)),
        form=form,
        output=output,
        columns=columns,
        numbered=number > 1,
        limits=drawn.limits,
    )
    if not quiet:
        click.echo(f"{subject.name}, {drawn.method}: {_outcome(drawn)}", err=True)
    return exit_code(Status.SOLVABLE, missing or drawn.stopped)


def _outcome(drawn: RandomSolutions) -> str:
    """Return the number of solutions drawn, and of all, in words."""
    if drawn.raw is not None:
        stopped = f" ({drawn.stopped})" if drawn.stopped else ""
        return (
            f"{drawn.given:,} of {drawn.raw:,} solutions{stopped}" if drawn.raw else "no solution"
        )
    if drawn.estimate is None:
        return f"unknown ({drawn.stopped})"
    if drawn.bias is None:
        return (
            f"{drawn.given:,} of an unknown number of solutions; how close to uniform is unknown, "
            "too: keep more states (--states), or allow more time (--time-limit)"
        )
    return (
        f"{drawn.given:,} of about {rough(drawn.estimate.number or 0)} solutions; the chance of "
        f"any set of them is off by at most about {drawn.bias:.2%}"
    )
