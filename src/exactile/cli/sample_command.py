"""`exactile sample`: draws solutions at random, each as likely as any other."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import is_given, read_puzzle
from exactile.cli.options import (
    crossing_option,
    json_option,
    output_option,
    puzzle_argument,
    quiet_option,
    seed_option,
    time_limit_option,
)
from exactile.cli.output import Output
from exactile.cli.solve_command import write_found
from exactile.files.solutions.writer import FORMATS, ending
from exactile.solve.counting import Counter
from exactile.solve.sampling import sample


@click.command("sample")
@puzzle_argument
@click.option("-n", "number", type=click.IntRange(1), default=1, show_default=True, metavar="N")
@seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg", *FORMATS]),
    default="text",
    show_default=True,
)
@output_option
@time_limit_option()
@crossing_option
@quiet_option("No remark on stderr.")
@json_option
def command(
    puzzle: str,
    number: int,
    seed: int,
    form: str,
    output: Output,
    time_limit: float | None,
    no_crossing: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Draw N solutions at random, each as likely as any other.

    They are drawn independently: one may come twice. The same seed gives the same solutions.
    """
    if as_json and (is_given("form") or is_given("output")):
        raise click.UsageError("--json prints one document: leave out --format and --output.")
    if form == "svg" and number > 1:
        raise click.UsageError("--format svg draws one solution: leave out -n.")
    subject = read_puzzle(puzzle, no_crossing=no_crossing)
    if as_json:
        click.echo(sample(subject, number, seed=seed, time_limit=time_limit).to_json())
        return
    counter = Counter(subject)
    known = counter.wait(time_limit)
    drawn = counter.solutions(number, seed) if known and counter.raw else iter(())
    write_found(subject, drawn, form, output, lambda: ending(None if known else "time limit"))
    if not quiet:
        what = f"{number:,} of {counter.raw:,} solutions" if known else "unknown (time limit)"
        none = known and counter.raw == 0
        click.echo(f"{subject.name}, memo: {'no solution' if none else what}", err=True)
