"""`exactile count`: the number of solutions, raw, up to rotation, up to symmetry."""

from __future__ import annotations

from collections.abc import Iterator

import rich_click as click

from exactile.cli.common import (
    Progress,
    counters,
    json_option,
    print_json,
    puzzle_argument,
    read_puzzle,
    search_options,
)
from exactile.puzzle import Puzzle
from exactile.solve import Count, Search
from exactile.solve.verbs import count_search


@click.command("count")
@puzzle_argument
@search_options
@json_option
def command(
    puzzle: str,
    backend: str,
    time_limit: float | None,
    seed: int,
    workers: int | None,
    no_crossing: bool,
    no_symmetry: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Count all solutions, up to rotation, and up to symmetry."""
    stated = read_puzzle(puzzle, no_crossing=no_crossing)
    progress = Progress(enabled=not quiet)
    with Search(
        stated,
        backend=backend,
        time_limit=time_limit,
        seed=seed,
        workers=workers,
        use_symmetry=not no_symmetry,
    ) as search:
        try:
            answer = count_search(search, progress)
        finally:
            progress.clear()
    if as_json:
        print_json(
            {
                "puzzle": answer.puzzle,
                "backend": answer.backend,
                "status": answer.status.value,
                "raw": answer.raw,
                "rotation": answer.rotation,
                "symmetry": answer.symmetry,
                "found": answer.found,
                "stopped": answer.stopped,
                "reason": answer.reason,
                "crossing": stated.crossing,
                "stats": answer.stats,
            }
        )
    else:
        click.echo("\n".join(_report(answer, stated)))
    if verbose or not (quiet or as_json):
        click.echo(counters(answer.stats), err=True)
    return 130 if answer.stopped == "interrupted" else 0


def _report(answer: Count, puzzle: Puzzle) -> Iterator[str]:
    why = f" ({answer.reason})" if answer.reason else ""
    yield f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}"
    if answer.raw is None:
        yield f"  {answer.found:,} solutions found before the search stopped: {answer.stopped}"
        return
    numbers = {"raw": answer.raw, "rotation": answer.rotation, "symmetry": answer.symmetry}
    names = {"raw": "all", "rotation": "up to rotation", "symmetry": "up to symmetry"}
    for key, number in numbers.items():
        published = [k for k in puzzle.known if k.up_to == key]
        remark = "".join(
            f"   as published ({k.source})"
            if k.count == number
            else f"   published: {k.count:,} ({k.source})"
            for k in published
        )
        yield f"  {names[key]:15} {number:>12,}{remark}"
