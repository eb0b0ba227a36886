"""`exactile cover`: solves a model file, in the format of Knuth's programs or in JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from exactile.cli.common import chosen_backend, external_option, json_option, plural, print_json
from exactile.cli.lines import Progress
from exactile.cli.solve_command import EXIT_CODES
from exactile.files.exact_cover import ExactCover
from exactile.files.models import read_model
from exactile.model.orbits import Assignments
from exactile.solve import Status
from exactile.solve.cover import CoverSearch


@click.command("cover")
@click.argument("file", metavar="FILE")
@click.option(
    "--solutions", is_flag=True, help="Print solutions, an option a line, not their number."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after N solutions.")
@click.option(
    "--backend",
    default="dlx",
    show_default=True,
    metavar="NAME",
    help="dlx, cpsat, sat, sat:NAME, dlx:KERNEL, reference; see `exactile backends`.",
)
@external_option
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after this time.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option(
    "--workers",
    type=click.IntRange(1, 2**15),
    metavar="N",
    help="Threads, where a solver has them.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but the result.")
@json_option
def command(
    file: str, external: str | None, solutions: bool, quiet: bool, as_json: bool, **settings: Any
) -> int:
    """Count the solutions of a model file (Knuth's options text, or JSON); - is standard input.

    Exit code: 10 solvable, 20 unsolvable, 0 unknown.
    """
    settings["backend"] = chosen_backend(settings["backend"], external)
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
        search.stopped = "interrupted"
        raise
    finally:
        progress.clear()
        if as_json:
            print_json(_document(name, problem, search, kept if solutions else None))
        elif not solutions:
            click.echo(_number(search))
        if not quiet and not as_json:
            _summarize(name, problem, search)
    return EXIT_CODES[search.status]


def _texts(problem: ExactCover, rows: Assignments) -> list[list[str]]:
    """Return the lines of each solution, in the order of the file."""
    return [[problem.text(o) for o in sorted(row) if o >= 0] for row in rows.tolist()]


def _print_solutions(found: list[list[str]], before: int) -> None:
    """Print solutions with an empty line between any two."""
    for number, lines in enumerate(found, start=before):
        click.echo("\n".join(["", *lines] if number else lines))


def _number(search: CoverSearch) -> str:
    if search.status in (Status.COMPLETE, Status.UNSOLVABLE):
        return str(search.found)
    return f"{search.found} found, not all searched"


def _document(
    name: str, problem: ExactCover, search: CoverSearch, kept: list[list[str]] | None
) -> dict[str, Any]:
    known = search.status in (Status.COMPLETE, Status.UNSOLVABLE)
    document = {
        "file": name,
        "backend": search.backend.name,
        "status": search.status.value,
        "count": search.found if known else None,
        "found": search.found,
        "stopped": search.stopped,
        "proof": search.proof,
        "ignored_lines": list(problem.ignored),
        "stats": search.stats,
    }
    return document if kept is None else document | {"solutions": kept}


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
