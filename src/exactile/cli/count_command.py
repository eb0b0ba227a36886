"""`exactile count`: the number of solutions, raw, up to rotation, up to symmetry."""

from __future__ import annotations

from pathlib import Path

import rich_click as click
from click import get_current_context
from click.core import ParameterSource

from exactile.answers import Count
from exactile.cli.answered import UNLISTED, count_lines
from exactile.cli.common import Settings, exit_code, read_puzzle, search_options
from exactile.cli.lines import Line, Progress
from exactile.cli.options import (
    certificate_option,
    json_option,
    memory_option,
    puzzle_argument,
    scratch_option,
)
from exactile.cli.output import print_json
from exactile.cli.searching import counted
from exactile.cli.stored import KeptOptions, KeptSearch, store_options
from exactile.counting.plan import METHODS
from exactile.counting.verbs import count
from exactile.files.models.names import is_model_file
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle import Puzzle
from exactile.runs.settings import Method


@click.command("count")
@puzzle_argument
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
@store_options
@search_options
@json_option
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
        from exactile.cli.model_file import search_as_puzzle

        if kept is not None:
            raise click.UsageError(
                "--store and --on are for puzzles: a model file is counted at once, without them."
            )
        return search_as_puzzle(puzzle, settings, solutions=False, limit=None, as_json=as_json)
    if kept is not None and not by_pieces:
        subject = read_puzzle(puzzle)
        front = method == "frontier"
        unheard = ["memory", "scratch", "certificate"]
        unheard += ["on", "parts", "backend"] if front else []
        unheard += ["method"] if method == "memo" else []
        how: Method = "frontier" if front else "list"
        return KeptSearch(kept, "count", subject, settings, unheard, how).told(as_json=as_json)
    if certificate is not None:
        _require_plain(by_pieces=by_pieces)
    if by_pieces:
        from exactile.cli.subset_report import count_subsets

        return count_subsets(puzzle, settings, method, memory, scratch, kept, as_json=as_json)
    method = _method(method, settings)
    subject = read_puzzle(puzzle)
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
    settings.report_counters(answer, default=not as_json)
    return exit_code(answer.status, answer.stopped)


def _method(asked: str, settings: Settings) -> str:
    """Return the method that goes with the backend and the encoding."""
    if settings.backend != DEFAULT_BACKEND and asked in UNLISTED:
        raise click.UsageError(f"--method {asked} needs no backend: leave out --backend.")
    return asked if settings.encoding is None else "list"  # where backends accept or refuse it


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


def _require_plain(*, by_pieces: bool) -> None:
    """Raise if an option was given that the search for a certificate does not hear."""
    if by_pieces:
        raise click.UsageError("--by-pieces makes no certificate: leave one of the two out.")
    context = get_current_context()
    for name in ("method", "backend", "external", "workers", "seed", "ordered", "encoding"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--certificate has a search of its own: leave out --{name}.")


def _certified(puzzle: Puzzle, directory: Path, settings: Settings) -> Count:
    """Count the solutions and leave a certificate."""
    from exactile.reasons.certify import certify

    line = Line(enabled=not settings.quiet)
    try:
        return certify(
            puzzle,
            directory,
            time_limit=settings.time_limit,
            use_symmetry=not settings.no_symmetry,
            heartbeat=lambda what, number: line.show(f"{number:,} {what}"),
        )
    finally:
        line.clear()
