"""Searches in model files: what `cover` does, and `solve` and `count` where they are given one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from exactile.answers import ModelSolutions, Status
from exactile.cli.common import Settings, counters, is_given, plural
from exactile.cli.lines import Progress
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import read_model
from exactile.model.orbits import Assignments
from exactile.plugins import DEFAULT_BACKEND
from exactile.solve.cover import CoverSearch
from exactile.solve.limits import INTERRUPTED, Limits
from exactile.solve.model_count import ModelCounting

ONLY_PUZZLES = (
    *("form", "output", "hint", "up_to", "method", "certificate"),
    *("subsets", "by_pieces", "ordered", "encoding", "no_crossing", "no_symmetry", "no_reasons"),
)
"""Parameters of `solve` and `count` that mean nothing for a model file."""


def search_model_file(
    file: str, *, solutions: bool, quiet: bool, as_json: bool, **settings: Any
) -> ModelSolutions:
    """Search a model file and print what is found; return the answer.

    If only the number is asked for, nothing is listed; see `exactile.solve.plan`.

    Parameters
    ----------
    file
        A path, or ``"-"`` for standard input.
    solutions
        Whether to print the solutions, not their number.
    quiet, as_json
        As on the command line.
    settings
        Of `CoverSearch`.
    """
    problem = read_model(file)
    name = "standard input" if file == "-" else Path(file).name
    progress = Progress(enabled=not quiet)
    if not solutions and settings["backend"] == DEFAULT_BACKEND and settings["limit"] is None:
        answer = _counted(name, problem, progress, settings)
    else:
        answer = _searched(name, problem, progress, settings, keep=as_json, solutions=solutions)
    if as_json:
        click.echo(answer.to_json())
    elif not solutions:
        number = answer.raw
        click.echo(str(number) if number is not None else f"{answer.found} found, not all searched")
    if not quiet and not as_json:
        _summarize(answer, problem)
    if answer.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    return answer


def _counted(
    name: str, problem: ExactCover, progress: Progress, settings: dict[str, Any]
) -> ModelSolutions:
    """Count the solutions; nobody asks for them."""
    counting = ModelCounting(
        problem.model,
        limits=Limits(settings["time_limit"]),
        workers=settings["workers"],
        watch=progress,
    )
    count = counting.run(name)
    progress.clear()
    return ModelSolutions(
        file=name,
        puzzle=name,
        backend=count.backend,
        status=count.status,
        count=count.raw,
        raw=count.raw,
        found=count.found,
        stopped=count.stopped,
        ignored_lines=tuple(problem.ignored),
        stats=count.stats,
    )


def _searched(
    name: str,
    problem: ExactCover,
    progress: Progress,
    settings: dict[str, Any],
    *,
    keep: bool,
    solutions: bool,
) -> ModelSolutions:
    """Search, print the solutions or keep them, if they are asked for; Ctrl-C ends it early."""
    kept: list[tuple[str, ...]] = []
    search = CoverSearch(problem.model, **settings)
    try:
        for rows in search.batches():
            progress(search)
            if solutions and len(rows):
                progress.clear()  # it may stand where they are to be printed
            if solutions and keep:
                kept += map(tuple, _texts(problem, rows))
            elif solutions:
                _print_solutions(_texts(problem, rows), search.found - len(rows))
    except KeyboardInterrupt:  # perhaps while a solution was printed
        search.close(INTERRUPTED)
    finally:
        progress.clear()
    number = search.found if search.status.final else None
    return ModelSolutions(
        file=name,
        puzzle=name,
        backend=search.backend.name,
        status=search.status,
        count=number,
        raw=number,
        found=search.found,
        stopped=search.stopped,
        proof=search.proof,
        ignored_lines=tuple(problem.ignored),
        solutions=tuple(kept) if solutions and keep else None,
        stats=search.stats,
    )


def search_as_puzzle(
    file: str, settings: Settings, *, solutions: bool, limit: int | None, as_json: bool
) -> ModelSolutions:
    """Search a model file that was given in place of a puzzle.

    Raises
    ------
    click.UsageError
        If an option was given that only puzzles have.
    """
    for name in ONLY_PUZZLES:
        if is_given(name):
            word = {"form": "format"}.get(name, name).replace("_", "-")
            raise click.UsageError(f"--{word} is for puzzles: {file} is a model.")
    answer = search_model_file(
        file,
        solutions=solutions,
        quiet=settings.quiet,
        as_json=as_json,
        limit=limit,
        backend=settings.backend,
        time_limit=settings.time_limit,
        seed=settings.seed,
        workers=settings.workers,
    )
    if settings.verbose:
        click.echo(counters(answer.stats), err=True)
    return answer


def _texts(problem: ExactCover, rows: Assignments) -> list[list[str]]:
    """Return the lines of each solution, in the order of the file."""
    return [[problem.text(o) for o in sorted(row) if o >= 0] for row in rows.tolist()]


def _print_solutions(found: list[list[str]], before: int) -> None:
    """Print solutions with an empty line between any two."""
    for number, lines in enumerate(found, start=before):
        click.echo("\n".join(["", *lines] if number else lines))


def _summarize(answer: ModelSolutions, problem: ExactCover) -> None:
    """Say on stderr what was read and found."""
    if problem.ignored:
        click.echo(
            f"{answer.file}: {plural(len(problem.ignored), 'option')} without primary items passed "
            f"over (line {problem.ignored[0]}{' ...' if len(problem.ignored) > 1 else ''})",
            err=True,
        )
    words = {
        Status.COMPLETE: f"all {plural(answer.found, 'solution')}",
        Status.SOLVABLE: plural(answer.found, "solution"),
        Status.UNSOLVABLE: "no solution",
        Status.UNKNOWN: "unknown",
    }
    why = f" ({answer.stopped})" if answer.stopped else ""
    model = problem.model
    click.echo(
        f"{answer.file}, {answer.backend}: {words[answer.status]}{why}, {model.items:,} items, "
        f"{model.options:,} options, {answer.stats['seconds']:.2f} s",
        err=True,
    )
