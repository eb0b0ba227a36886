"""`exactile prove`: decides whether a puzzle has a solution."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import (
    Progress,
    Settings,
    in_coordinates,
    json_option,
    print_json,
    puzzle_argument,
    search_options,
)
from exactile.cli.solve_command import EXIT_CODES
from exactile.solve.verbs import prove_search


@click.command("prove")
@puzzle_argument
@search_options
@json_option
def command(
    puzzle: str,
    settings: Settings,
    as_json: bool,
) -> int:
    """Decide whether a puzzle has a solution. Exit code: 10 yes, 20 no, 0 unknown."""
    progress = Progress(enabled=not settings.quiet)
    with settings.search(puzzle, limit=1, watch=progress) as search:
        try:
            verdict = prove_search(search)
        finally:
            progress.clear()
    if as_json:
        solution = verdict.solution
        print_json(
            {
                "puzzle": verdict.puzzle,
                "backend": verdict.backend,
                "status": verdict.status.value,
                "reason": verdict.reason,
                "stopped": verdict.stopped,
                "crossing": search.puzzle.crossing,
                "solution": solution and in_coordinates(search.puzzle, solution),
                "proof": verdict.proof,
                "stats": verdict.stats,
            }
        )
    else:
        why = verdict.reason or verdict.stopped
        click.echo(
            f"{verdict.puzzle}, {verdict.backend}: {verdict.status.value}"
            + (f" ({why})" if why else "")
            + (f"\n  formula and proof are in {verdict.proof}" if verdict.proof else "")
        )
    settings.report_counters(search, default=not as_json)
    return 130 if verdict.stopped == "interrupted" else EXIT_CODES[verdict.status]
