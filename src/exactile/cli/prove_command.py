"""`exactile prove`: decides whether a puzzle has a solution."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from exactile.answers import TIME_LIMIT, Status
from exactile.cli.answered import verdict_lines
from exactile.cli.common import Settings, counters, exit_code, is_given, read_puzzle
from exactile.cli.lines import Line, Progress
from exactile.cli.options import (
    QUARTER,
    certificate_option,
    memory_option,
)
from exactile.cli.output import print_json
from exactile.cli.stored import KeptOptions, KeptSearch
from exactile.cli.table import options_of
from exactile.reasons.verdict import prove


@options_of("prove")
@certificate_option
@memory_option("Memory for the search for a coloring", QUARTER)
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
        return KeptSearch(kept, "prove", subject, settings).told(as_json=as_json)
    progress, line = Progress(enabled=not settings.quiet), Line(enabled=not settings.quiet)
    options = settings.options()
    if not is_given("backend"):
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
