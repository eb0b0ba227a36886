"""`exactile prove`: decides whether a puzzle has a solution."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import (
    counters,
    in_coordinates,
    json_option,
    print_json,
    puzzle_argument,
    read_puzzle,
    search_options,
)
from exactile.cli.solve_command import EXIT_CODES
from exactile.solve import Search
from exactile.solve.verbs import prove_search


@click.command("prove")
@puzzle_argument
@search_options
@json_option
def command(
    puzzle: str,
    backend: str,
    time_limit: float | None,
    seed: int,
    workers: int | None,
    no_crossing: bool,
    no_symmetry: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Decide whether a puzzle has a solution. Exit code: 10 yes, 20 no, 0 unknown."""
    stated = read_puzzle(puzzle, no_crossing=no_crossing)
    with Search(
        stated,
        backend=backend,
        limit=1,
        time_limit=time_limit,
        seed=seed,
        workers=workers,
        use_symmetry=not no_symmetry,
    ) as search:
        verdict = prove_search(search)
    if as_json:
        solution = verdict.solution
        print_json(
            {
                "puzzle": verdict.puzzle,
                "backend": verdict.backend,
                "status": verdict.status.value,
                "reason": verdict.reason,
                "stopped": verdict.stopped,
                "crossing": stated.crossing,
                "solution": solution and [[p.piece, in_coordinates(stated, p)] for p in solution],
                "stats": verdict.stats,
            }
        )
    else:
        why = verdict.reason or verdict.stopped
        click.echo(
            f"{verdict.puzzle}, {verdict.backend}: {verdict.status.value}"
            + (f" ({why})" if why else "")
        )
    if verbose or not (quiet or as_json):
        click.echo(counters(verdict.stats), err=True)
    return 130 if verdict.stopped == "interrupted" else EXIT_CODES[verdict.status]
