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
from exactile.solve.cover import CoverSearch

ONLY_PUZZLES = (
    *("form", "output", "hint", "up_to", "method", "certificate"),
    *("subsets", "by_pieces", "ordered", "encoding", "no_crossing", "no_symmetry", "no_reasons"),
)
"""Parameters of `solve` and `count` that mean nothing for a model file."""


def search_model_file(
    file: str, *, solutions: bool, quiet: bool, as_json: bool, **settings: Any
) -> CoverSearch:
    """Search a model file and print what is found; return the search, which is over.

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
    search = CoverSearch(problem.model, **settings)
    progress = Progress(enabled=not quiet)
    kept: list[list[str]] = []
    try:
        for rows in search.batches():
            progress(search)
            if solutions and len(rows):
                progress.clear()  # it may stand where they are to be printed
            if solutions and as_json:
                kept += _texts(problem, rows)
            elif solutions:
                _print_solutions(_texts(problem, rows), search.found - len(rows))
    except KeyboardInterrupt:  # perhaps while a solution was printed
        search.close("interrupted")
        raise
    finally:
        progress.clear()
        if as_json:
            click.echo(_answer(name, problem, search, kept if solutions else None).to_json())
        elif not solutions:
            click.echo(_number(search))
        if not quiet and not as_json:
            _summarize(name, problem, search)
    return search


def search_as_puzzle(
    file: str, settings: Settings, *, solutions: bool, limit: int | None, as_json: bool
) -> CoverSearch:
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
    search = search_model_file(
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
        click.echo(counters(search.stats), err=True)
    return search


def _texts(problem: ExactCover, rows: Assignments) -> list[list[str]]:
    """Return the lines of each solution, in the order of the file."""
    return [[problem.text(o) for o in sorted(row) if o >= 0] for row in rows.tolist()]


def _print_solutions(found: list[list[str]], before: int) -> None:
    """Print solutions with an empty line between any two."""
    for number, lines in enumerate(found, start=before):
        click.echo("\n".join(["", *lines] if number else lines))


def _number(search: CoverSearch) -> str:
    if search.status.final:
        return str(search.found)
    return f"{search.found} found, not all searched"


def _answer(
    name: str, problem: ExactCover, search: CoverSearch, kept: list[list[str]] | None
) -> ModelSolutions:
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
        solutions=None if kept is None else tuple(tuple(texts) for texts in kept),
        stats=search.stats,
    )


def _summarize(name: str, problem: ExactCover, search: CoverSearch) -> None:
    """Say on stderr what was read and found."""
    if problem.ignored:
        click.echo(
            f"{name}: {plural(len(problem.ignored), 'option')} without primary items passed over "
            f"(line {problem.ignored[0]}{' ...' if len(problem.ignored) > 1 else ''})",
            err=True,
        )
    words = {
        Status.COMPLETE: f"all {plural(search.found, 'solution')}",
        Status.SOLVABLE: plural(search.found, "solution"),
        Status.UNSOLVABLE: "no solution",
        Status.UNKNOWN: "unknown",
    }
    why = f" ({search.stopped})" if search.stopped else ""
    model = problem.model
    click.echo(
        f"{name}, {search.backend.name}: {words[search.status]}{why}, {model.items:,} items, "
        f"{model.options:,} options, {search.stats['seconds']:.2f} s",
        err=True,
    )
