"""`exactile prove`: decides whether a puzzle has a solution."""

from __future__ import annotations

from pathlib import Path

import rich_click as click
from click import get_current_context
from click.core import ParameterSource

from exactile.answers import TIME_LIMIT, Status
from exactile.cli.answered import verdict_lines
from exactile.cli.common import Settings, counters, exit_code, read_puzzle, search_options
from exactile.cli.lines import Line, Progress
from exactile.cli.options import (
    QUARTER,
    certificate_option,
    json_option,
    memory_option,
    puzzle_argument,
)
from exactile.cli.output import print_json
from exactile.cli.stored import KeptOptions, KeptSearch, store_options
from exactile.reasons.verdict import prove


@click.command("prove")
@puzzle_argument
@certificate_option
@memory_option("Memory for the search for a coloring", QUARTER)
@store_options
@search_options
@json_option
def command(
    puzzle: str,
    certificate: Path | None,
    memory: int | None,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Decide whether a puzzle has a solution.

    A coloring is looked for first, then it is searched. A backend that is named only searches.
    """
    subject = read_puzzle(puzzle)
    if kept is not None:
        unheard = ("certificate", "memory")
        return KeptSearch(kept, "prove", subject, settings, unheard).told(as_json=as_json)
    source = get_current_context().get_parameter_source("backend")
    named = source is not ParameterSource.DEFAULT or settings.backend.startswith("external:")
    progress, line = Progress(enabled=not settings.quiet), Line(enabled=not settings.quiet)
    options = settings.options()
    if not named:
        del options["backend"]
    try:
        verdict = prove(
            subject,
            certificate=certificate,
            memory=memory,
            watch=progress,
            heartbeat=lambda what, number: line.show(f"{number:,} {what}"),
            **options,
        )
    finally:
        progress.clear()
        line.clear()
    if as_json:
        print_json(verdict)
    else:
        click.echo("\n".join(verdict_lines(verdict, asked=certificate is not None)))
    if settings.verbose or not (as_json or settings.quiet):
        click.echo(counters(verdict.stats), err=True)
    uncertified = certificate is not None and verdict.status is Status.UNSOLVABLE
    lacking = TIME_LIMIT if uncertified and verdict.certificate is None else None
    return exit_code(verdict.status, verdict.stopped or lacking)
