"""`exactile estimate`: the size of a search, and the number of solutions."""

from __future__ import annotations

import rich_click as click

from exactile.answers.search import Estimate, rough
from exactile.cli import options
from exactile.cli.common import counted, read_puzzle, rest_of
from exactile.cli.lines import Line
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.cli.words import plural
from exactile.clock import CLOCK
from exactile.counting.estimate import estimate
from exactile.counting.sampled import RUNS


@options_of("estimate")
@options.number("--dives", default=10_000, help="How many; the error falls with their square root.")
@options.seed
@options.time_limit("Estimate no longer than this.")
@options.option(
    "--measure",
    type=options.Number(min=0),
    default=1.0,
    metavar="SECONDS",
    help="Seconds to search to measure the speed; 0 for none.",
)
@click.option(
    "--to", type=options.Percentage(), metavar="PART", help="Wanted half-width of the interval: 5%."
)
@options.number("--states", help="States kept at a time.")
@options.number("--runs", least=4, default=RUNS, help="Independent runs that give the interval.")
@options.use_symmetry
@options.memory("Memory for states", " (default 4G).")
@options.workers("Threads, one a run.", default=1)
def command(
    puzzle: str,
    dives: int,
    seed: int,
    time_limit: float | None,
    measure: float,
    to: float | None,
    states: int | None,
    runs: int,
    use_symmetry: bool,
    memory: int | None,
    workers: int,
    as_json: bool,
) -> None:
    """Estimate the number of solutions, and the nodes of a search for all of them.

    Random dives into the search tree are averaged for the nodes; the number after +- is a standard
    error. For the number of solutions the states of a frontier are thinned at random, in several
    runs. The interval contains the true number in 95 of 100 cases. Solutions that differ by a
    symmetry are counted apart.
    """
    begun = CLOCK.now()
    subject = read_puzzle(puzzle)
    progress = Line(enabled=not as_json)
    answer = counted(
        lambda: estimate(
            subject,
            dives=dives,
            seed=seed,
            use_symmetry=use_symmetry,
            time_limit=rest_of(time_limit, begun),
            measure=measure,
            to=to,
            states=states,
            runs=runs,
            workers=workers,
            memory_limit=memory,
        ),
        progress,
    )
    if as_json:
        print_json(answer)
    else:
        _report(subject.name, answer)


def _report(name: str, answer: Estimate) -> None:
    taken = plural(answer.dives, "dive")
    found = answer.solutions
    click.echo(f"{name}, {taken}, up to {answer.deepest:,} nodes deep")
    click.echo(f"  nodes      {_with_error(answer.nodes, answer.nodes_error)}")
    click.echo(f"  solutions  {found.words}")
    if found.number is not None and not found.exact:
        click.echo(
            f"  by {plural(found.runs, 'run')} of {plural(found.states, 'state')}; solutions that "
            "differ by a symmetry are counted apart"
        )
    if answer.nodes_per_second is not None and answer.seconds is not None:
        rate = rough(int(answer.nodes_per_second))
        click.echo(
            f"  about {_duration(answer.seconds)} by one thread, at {rate} nodes a second; "
            "checking solutions comes on top"
        )
    if answer.nodes_error is None or 4 * answer.nodes_error > answer.nodes:
        click.echo(
            "  The error of the nodes is large: few dives met most of them. More dives: --dives."
        )


def _with_error(number: int, error: int | None) -> str:
    return f"about {rough(number)}" + (f" +- {rough(error)}" if error is not None else "")


def _duration(seconds: float) -> str:
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{rough(round(seconds / length))} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 1 else "a second or less"
