"""`exactile count`: the number of solutions, raw, up to rotation, up to symmetry."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from exactile.answers import Count
from exactile.cli.common import Settings, count_lines, counted, exit_code, read_puzzle
from exactile.cli.lines import Line, Progress
from exactile.cli.options import (
    certificate_option,
    memory_option,
    scratch_option,
)
from exactile.cli.output import print_json
from exactile.cli.stored import KeptOptions, KeptSearch
from exactile.cli.table import options_of
from exactile.counting.plan import METHODS
from exactile.counting.verbs import count
from exactile.files.models.names import is_model_file
from exactile.puzzle import Puzzle
from exactile.runs.run import Method


@options_of("count")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="List the solutions, or count them by a memo on states, or by a frontier, which suits "
    "pieces that are used once each.",
)
@memory_option("Memory for --method memo and frontier")
@scratch_option
@click.option(
    "--by-pieces",
    is_flag=True,
    help="Count the solutions of each subset of the pieces; with --method memo, the subsets are "
    "found first and the solutions of each counted without listing where that pays; with --method "
    "frontier, none is listed.",
)
@certificate_option
def command(
    puzzle: str,
    method: str,
    memory: int | None,
    scratch: Path | None,
    by_pieces: bool,
    certificate: Path | None,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Count all solutions, up to rotation, and up to symmetry.

    PUZZLE may be a model file too (.dlx, .xcc, .json), which is only counted.
    """
    if is_model_file(puzzle):
        from exactile.cli.model_file import search_model_file

        return search_model_file(puzzle, settings, solutions=False, limit=None, as_json=as_json)
    subject = read_puzzle(puzzle)
    if kept is not None and not by_pieces:
        how: Method = "frontier" if method == "frontier" else "list"
        return KeptSearch(kept, "count", subject, settings, how).told(as_json=as_json)
    if by_pieces:
        from exactile.cli.subset_report import count_subsets

        return count_subsets(subject, settings, method, memory, scratch, kept, as_json=as_json)
    method = "list" if settings.encoding else method  # where backends accept or refuse it
    if certificate is not None:
        answer = _certified(subject, certificate, settings)
    else:
        answer = _counted(subject, method, settings, memory, scratch)
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(count_lines(answer, subject)))
        if certificate is not None and answer.raw is not None:
            click.echo(f"  certificate, verified: {certificate}")
    settings.report_counters(answer.stats, default=not as_json)
    return exit_code(answer.status, answer.stopped)


def _counted(
    puzzle: Puzzle, method: str, settings: Settings, memory: int | None, scratch: Path | None
) -> Count:
    """Count the solutions."""
    progress = Progress(enabled=not settings.quiet)

    def verb() -> Count:
        return count(
            puzzle,
            method=method,
            watch=progress,
            progress=lambda done: progress.show(f"{int(done * 1000) / 10:.1f} % counted"),
            memory=memory,
            scratch=scratch,
            **settings.options(),
        )

    return counted(verb, progress)


def _certified(puzzle: Puzzle, directory: Path, settings: Settings) -> Count:
    """Count the solutions and write a certificate."""
    from exactile.reasons.certify import certify

    line = Line(enabled=not settings.quiet)
    try:
        return certify(
            puzzle,
            directory,
            time_limit=settings.time_limit,
            use_symmetry=settings.use_symmetry,
            heartbeat=lambda what, number: line.show(f"{number:,} {what}"),
        )
    finally:
        line.clear()
