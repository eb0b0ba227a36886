"""`exactile count`: the number of solutions, raw, up to rotation, up to symmetry."""

from __future__ import annotations

from collections.abc import Iterator

import rich_click as click

from exactile.cli.common import (
    Progress,
    Settings,
    json_option,
    print_json,
    puzzle_argument,
    search_options,
)
from exactile.puzzle import Puzzle
from exactile.solve import Count
from exactile.solve.verbs import count_search


@click.command("count")
@puzzle_argument
@search_options
@json_option
def command(
    puzzle: str,
    settings: Settings,
    as_json: bool,
) -> int:
    """Count all solutions, up to rotation, and up to symmetry."""
    progress = Progress(enabled=not settings.quiet)
    with settings.search(puzzle) as search:
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
                "crossing": search.puzzle.crossing,
                "stats": answer.stats,
            }
        )
    else:
        click.echo("\n".join(_report(answer, search.puzzle)))
    settings.report_counters(search, default=not as_json)
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
