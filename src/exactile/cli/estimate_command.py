"""`exactile estimate`: estimate the number of nodes of a search, and the number of solutions."""

from __future__ import annotations

from typing import Any

import rich_click as click

from exactile.answers.search import Estimate, rough
from exactile.cli import options
from exactile.cli.common import UNFINISHED
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.cli.words import plural
from exactile.counting.estimate import estimate
from exactile.counting.sampled import RUNS
from exactile.errors import Interrupted
from exactile.puzzle import Puzzle


@options_of("estimate")
@options.number(
    "--dives", default=10_000, help="Number of dives. Four times as many dives halve the error."
)
@options.seed
@options.time_limit("Stop after this time.")
@options.option(
    "--measure",
    type=options.Number(min=0),
    default=1,
    metavar="SECONDS",
    help="Search for this time to measure the speed, from which the duration of a full search "
    "follows; 0 for no measurement. With --time-limit, at most a fifth of the time left is used.",
)
@click.option(
    "--to",
    type=options.Percentage(),
    metavar="FRACTION",
    help="Make more and larger runs until the number of solutions is known to within this "
    "fraction, such as 5%, up or down.",
)
@options.number(
    "--states",
    help="Number of states that each run keeps at each step. By default 1,000; with --time-limit "
    "or --to, as many as these allow or need. If N is given, --to only makes more runs.",
)
@options.number(
    "--runs",
    least=4,
    default=RUNS,
    help="Number of independent runs; their differences give the interval. With --time-limit or "
    "--to, more may be made.",
)
@options.use_symmetry
@options.memory("Memory for the states", " (default 4G).")
@options.workers("Number of threads; each takes one run at a time.", default=1)
def command(puzzle: Puzzle, memory: int | None, as_json: bool, **asked: Any) -> int:
    """Estimate the number of solutions, and the number of nodes of a search for all of them.

    The number of nodes is estimated by dives: random paths from the root of the search tree to a
    dead end or a solution. The number after the sign +- is the standard error.

    The number of solutions is estimated by several runs. A run covers the region step by step, and
    keeps at each step a random choice of the partial coverings, called states. The interval that is
    shown contains the true number in about 95 of 100 cases; if no state had to be left out, the
    number is exact. Solutions that are equal up to symmetry are counted separately.
    """
    code = 0
    try:
        answer = estimate(puzzle, memory_limit=memory, **asked)
    except Interrupted as stop:
        answer, code = stop.answer, 130
    if as_json:
        print_json(answer)
    else:
        _report(puzzle.name, answer)
    return UNFINISHED if code == 0 and answer.solutions.number is None else code


def _report(name: str, answer: Estimate) -> None:
    taken = plural(answer.dives, "dive")
    found = answer.solutions
    click.echo(f"{name}, {taken}, up to {answer.deepest:,} nodes deep")
    click.echo(f"  nodes      {_with_error(answer.nodes, answer.nodes_error)}")
    click.echo(f"  solutions  {found.words}")
    if found.number is not None and not found.exact:
        click.echo(
            f"  by {plural(found.runs, 'run')} of {plural(found.states, 'state')}; symmetric "
            "solutions count separately"
        )
    if answer.nodes_per_second is not None and answer.seconds is not None:
        rate = rough(int(answer.nodes_per_second))
        click.echo(
            f"  {_duration(answer.seconds)} by one thread, at {rate} nodes a second;\n"
            "  checking solutions takes extra time"
        )
    if answer.nodes_error is None or 4 * answer.nodes_error > answer.nodes:
        click.echo(
            "  The error of the nodes is large: few dives found most of them. Raise --dives."
        )


def _with_error(number: int, error: int | None) -> str:
    """Return an estimate and its error, if known, in words: both with an exponent, or neither.

    >>> _with_error(1_490_000_000_000_000_000, 983_000_000_000_000)
    'about 1.49e18 +- 9.83e14'
    """
    largest = max(number, error or 0)
    words = f"about {rough(number, largest=largest)}"
    return words if error is None else f"{words} +- {rough(error, largest=largest)}"


def _duration(seconds: float) -> str:
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"about {rough(round(seconds / length))} {unit}"
    return f"about {seconds:.0f} seconds" if seconds >= 1 else "a second or less"
