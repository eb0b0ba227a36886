"""`solve` and `count` for a model file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rich_click as click

from exactile.answers import Count, ModelSolutions
from exactile.cli.common import Settings, counted, exit_code, search_and_tell, status_words
from exactile.cli.lines import Progress
from exactile.cli.output import print_json
from exactile.cli.words import plural
from exactile.counting.listing import count_model
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import read_model
from exactile.search.cover import CoverSearch
from exactile.search.limits import Limits


def search_model_file(
    file: str, settings: Settings, *, solutions: bool, limit: int | None, as_json: bool
) -> int:
    """Search a model file that was given in place of a puzzle; return the exit code.

    A number may be counted without listing; see `exactile.counting.plan`.

    - `file`: a path, or ``"xcc:-"`` for standard input.
    - `solutions`: whether to print solutions, not only their number.
    - `limit`: number of solutions after which to stop.
    """
    problem = read_model(file)
    name = "standard input" if file.endswith(":-") else Path(file).name
    progress = Progress(enabled=not settings.quiet)
    options: dict[str, Any] = {
        "backend": settings.backend,
        "seed": settings.seed,
        "workers": settings.workers,
    }
    limits = Limits(settings.seconds_left, limit)  # reading took some

    def report(answer: ModelSolutions) -> None:
        if not as_json:
            _tell(answer, problem, solutions=solutions, quiet=settings.quiet)
        settings.report_counters(answer.stats, default=False)

    if not solutions:
        count = counted(
            lambda: count_model(problem.model, name, watch=progress, limits=limits, **options),
            progress,
        )
        answer = _answer(name, problem, count)
        if as_json:
            print_json(answer)
        report(answer)
        return exit_code(answer.status, answer.stopped)
    search = CoverSearch(problem.model, watch=progress, limits=limits, **options)

    def found(kept: list[list[int]]) -> ModelSolutions:
        texts = tuple(tuple(map(problem.text, options)) for options in kept)
        return _answer(name, problem, search.count(name), texts)

    def write(found: Iterator[list[int]]) -> None:
        for number, options in enumerate(found):
            click.echo("\n".join([*([""] if number else []), *map(problem.text, options)]))

    return search_and_tell(
        search,
        progress,
        write=write,
        answer=found if as_json else None,
        report=lambda: report(found([])),
    )


def _answer(
    name: str,
    problem: ExactCover,
    count: Count,
    solutions: tuple[tuple[str, ...], ...] | None = None,
) -> ModelSolutions:
    """Return the result about a model file."""
    return ModelSolutions(
        file=name,
        puzzle=name,
        backend=count.backend,
        method=count.method,
        status=count.status,
        count=count.raw,
        raw=count.raw,
        found=count.found,
        stopped=count.stopped,
        proof=count.proof,
        ignored_lines=tuple(problem.ignored),
        solutions=solutions,
        stats=count.stats,
    )


def _tell(answer: ModelSolutions, problem: ExactCover, *, solutions: bool, quiet: bool) -> None:
    """Print the number, unless solutions were printed; describe file and result on stderr."""
    if not solutions:
        few = f"{answer.found} found, not all searched"
        click.echo(few if answer.raw is None else str(answer.raw))
    if answer.proof:
        click.echo(f"Formula and proof are in {answer.proof}", err=True)
    if quiet:
        return
    for line in ignored(problem.ignored):
        click.echo(f"{answer.file}: {line}", err=True)
    words = status_words(answer.status, answer.found)
    why = f" ({answer.stopped})" if answer.stopped else ""
    model = problem.model
    click.echo(
        f"{answer.file}, {answer.backend}: {words}{why}, "
        f"{plural(model.items, 'item')}, {plural(model.options, 'option')}, "
        f"{answer.stats['seconds']:.2f} s",
        err=True,
    )


def ignored(lines: Sequence[int]) -> list[str]:
    """Return a remark about the lines of options without primary items.

    >>> ignored([3, 7]), ignored([])
    (['2 options without primary items ignored (line 3 ...)'], [])
    """
    if not lines:
        return []
    more = " ..." if len(lines) > 1 else ""
    options = plural(len(lines), "option")
    return [f"{options} without primary items ignored (line {lines[0]}{more})"]
