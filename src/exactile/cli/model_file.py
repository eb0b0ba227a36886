"""`exactile solve` and `count` for a model file: an exact-cover problem in place of a puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import rich_click as click

from exactile.answers import Count, ModelSolutions
from exactile.cli.common import Settings, counted, exit_code, search_and_tell, status_words
from exactile.cli.output import print_json
from exactile.cli.words import Progress, ignored, plural
from exactile.counting.listing import count_model
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import read_model
from exactile.files.sources import source_name
from exactile.search.cover import CoverSearch
from exactile.search.limits import Limits


class ModelFile(NamedTuple):
    """A model file: its path as given, its name without folder, and the exact-cover problem."""

    file: str
    name: str
    problem: ExactCover

    @classmethod
    def read(cls, file: str) -> Self:
        """Read a model file; `file`: its path, or ``"xcc:-"`` for standard input.

        Raise FileError if the file cannot be read or is damaged.
        """
        return cls(file, Path(source_name(file)).name, read_model(file))


def count_file(model: ModelFile, settings: Settings, *, as_json: bool) -> int:
    """Print the number of solutions of a model file; return the exit code.

    The solutions are not necessarily listed: see `exactile.counting.plan`.
    """
    _, name, problem = model
    progress = Progress(enabled=not settings.quiet)
    given = _given(settings)
    count = counted(lambda: count_model(problem.model, name, watch=progress, **given), progress)
    if as_json:
        print_json(_answer(count, problem))
    elif count.raw is None:
        click.echo(f"{count.found} found, not all searched")
    else:
        click.echo(count.raw)
    _report(count, problem, settings, as_json=as_json)
    return exit_code(count.status, count.stopped)


def solve_file(model: ModelFile, settings: Settings, limit: int | None, *, as_json: bool) -> int:
    """Print solutions of a model file as lists of options; return the exit code.

    `limit`: number of solutions after which to stop; None for all.
    """
    _, name, problem = model
    progress = Progress(enabled=not settings.quiet)
    search = CoverSearch(problem.model, watch=progress, **_given(settings, limit))

    def answer(found: list[list[int]]) -> ModelSolutions:
        texts = tuple(tuple(map(problem.text, chosen)) for chosen in found)
        return _answer(search.count(name), problem, texts)

    def write(found: Iterator[list[int]]) -> None:
        for number, chosen in enumerate(found):
            click.echo("\n".join([*([""] if number else []), *map(problem.text, chosen)]))

    return search_and_tell(
        search,
        progress,
        write=write,
        answer=answer if as_json else None,
        report=lambda: _report(search.count(name), problem, settings, as_json=as_json),
    )


def _given(settings: Settings, limit: int | None = None) -> dict[str, Any]:
    """Return the arguments of a search in a model, with the time that is left after reading it."""
    return {
        "backend": settings.backend,
        "limits": Limits(settings.seconds_left, limit),
        "seed": settings.seed,
        "workers": settings.workers,
    }


def _answer(
    count: Count, problem: ExactCover, solutions: tuple[tuple[str, ...], ...] | None = None
) -> ModelSolutions:
    """Return the document that --json prints about a model file.

    `solutions`: the options of each solution, as texts; None if the solutions are only counted.
    """
    return ModelSolutions(
        file=count.puzzle,
        puzzle=count.puzzle,
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


def _report(count: Count, problem: ExactCover, settings: Settings, *, as_json: bool) -> None:
    """Print on stderr the result and the size of the model, and what was ignored in the file.

    With --json or --quiet, these are left out. The place of a proof is also printed, unless --json
    is given; the counters are printed if --verbose is given.
    """
    if count.proof and not as_json:
        click.echo(f"Formula and proof are in {count.proof}", err=True)
    if not (settings.quiet or as_json):
        for line in ignored(problem.ignored):
            click.echo(f"{count.puzzle}: {line}", err=True)
        words = status_words(count.status, count.found)
        why = f" ({count.stopped})" if count.stopped else ""
        model = problem.model
        click.echo(
            f"{count.puzzle}, {count.backend or count.method}: {words}{why}, "
            f"{plural(model.items, 'item')}, {plural(model.options, 'option')}, "
            f"{count.stats['seconds']:.2f} s",
            err=True,
        )
    settings.report_counters(count.stats, default=False)
