"""`exactile estimate`: the size of a search."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import plural, read_puzzle
from exactile.cli.options import (
    Number,
    Whole,
    seed_option,
    symmetry_option,
    time_limit_option,
)
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.counting.estimate import estimate


@options_of("estimate")
@click.option(
    "--dives",
    type=Whole(),
    default=10_000,
    show_default=True,
    metavar="N",
    help="How many; the error falls with their square root.",
)
@seed_option
@time_limit_option("Dive no longer than this.")
@click.option(
    "--measure",
    type=Number(min=0),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds to search to measure the speed; 0 for none.",
)
@symmetry_option
def command(
    puzzle: str,
    dives: int,
    seed: int,
    time_limit: float | None,
    measure: float,
    use_symmetry: bool,
    as_json: bool,
) -> None:
    """Estimate the nodes and the solutions of a search for all solutions.

    Random dives into the search tree are averaged. The numbers after +- are standard errors.
    """
    subject = read_puzzle(puzzle)
    answer = estimate(
        subject,
        dives=dives,
        seed=seed,
        use_symmetry=use_symmetry,
        time_limit=time_limit,
        measure=measure,
    )
    if as_json:
        print_json(answer)
        return
    taken = plural(answer.dives, "dive")
    click.echo(f"{subject.name}, {taken}, up to {answer.deepest:,} nodes deep")
    click.echo(f"  nodes      {_with_error(answer.nodes, answer.nodes_error)}")
    met = _with_error(answer.solutions, answer.solutions_error)
    click.echo(f"  solutions  {met if answer.solutions else 'none met'}")
    if answer.nodes_per_second is not None and answer.seconds is not None:
        rate = rough(int(answer.nodes_per_second))
        click.echo(
            f"  about {_duration(answer.seconds)} by one thread, at {rate} nodes a second; "
            "checking solutions comes on top"
        )
    if answer.nodes_error is None or 4 * answer.nodes_error > answer.nodes:
        click.echo(
            "  The error is large: few dives met most of the nodes. Take more, with --dives."
        )


def _with_error(number: int, error: int | None) -> str:
    return f"about {rough(number)}" + (f" +- {rough(error)}" if error is not None else "")


def rough(number: int) -> str:
    """Return a number rounded to three digits.

    Examples
    --------
    >>> rough(987), rough(3631923), rough(12 * 10**40)
    ('987', '3,630,000', '1.20e41')
    """
    digits = len(str(number))
    if digits > 15:
        head = round(number // 10 ** (digits - 4) / 10) / 100
        return f"{head:.2f}e{digits - 1}"
    return f"{round(number, 3 - digits) if digits > 3 else number:,}"


def _duration(seconds: float) -> str:
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{rough(round(seconds / length))} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 1 else "a second or less"
