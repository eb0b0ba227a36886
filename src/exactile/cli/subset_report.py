"""How subsets of the pieces are printed: by `solve --up-to pieces` and `count --by-pieces`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import rich_click as click

from exactile.answers import Count, SubsetCounts
from exactile.cli.common import (
    Settings,
    exit_code,
    number_lines,
    outcome,
    plural,
    read_puzzle,
    search_and_tell,
    total_seconds,
)
from exactile.cli.lines import Line
from exactile.cli.output import Output, print_json
from exactile.cli.stored import KeptOptions, KeptSearch
from exactile.files.solutions.writer import FORMATS, ending, write_solutions
from exactile.puzzle import Puzzle, Solution
from exactile.render import draw_text
from exactile.search import Search
from exactile.search.limits import Limits
from exactile.surveys.subsets.search import SubsetSearch
from exactile.surveys.subsets.selection import Uses, text_of
from exactile.surveys.subsets.tally import count_by_subset, tally_found


class SubsetLine(Line):
    """The progress line with the number of subsets or solutions."""

    def __call__(self, search: Search | SubsetSearch) -> None:
        """Update it, now and then."""
        what = "subset" if isinstance(search, SubsetSearch) else "solution"
        self.show(f"{plural(search.found, what)}")


def solve_subsets(
    reference: str,
    settings: Settings,
    limit: int | None,
    form: str,
    output: Output,
    *,
    as_json: bool,
) -> int:
    """Print one solution of each subset of the pieces; return the exit code."""
    line = SubsetLine(enabled=not settings.quiet)
    options = settings.options()
    limits = Limits(settings.time_limit).rest(limit)
    search = SubsetSearch(
        read_puzzle(reference),
        backend=options["backend"],
        limits=limits,
        seed=options["seed"],
        workers=options["workers"],
        encoding=options["encoding"],
        use_reasons=options["use_reasons"],
        watch=line,
    )

    def report() -> None:
        if not (as_json or settings.quiet):
            told = outcome(search, search.puzzle.name, search.backend, "subset")
            click.echo(f"{told}, {total_seconds(search.stats):.2f} s", err=True)
        settings.report_counters(search, default=False)

    return search_and_tell(
        search,
        line,
        write=lambda found: _write(search, found, form, output),
        answer=search.answer if as_json else None,
        report=report,
    )


def _write(
    search: SubsetSearch, found: Iterator[tuple[Uses, Solution]], form: str, output: Output
) -> None:
    """Write each solution as soon as it is found."""
    if form in FORMATS:
        solutions = (solution for _, solution in found)
        write_solutions(search.puzzle, solutions, output, form, lambda: ending(search.stopped))
        return
    for number, (uses, solution) in enumerate(found, start=1):
        output.write("\n" if number > 1 else "")
        output.write(f"{number}. {text_of(search.selections.named(uses)) or 'no piece'}\n")
        output.write(draw_text(search.puzzle, solution))
        output.flush()


def count_subsets(
    puzzle: Puzzle,
    settings: Settings,
    method: str,
    memory: int | None,
    scratch: Path | None,
    kept: KeptOptions | None = None,
    *,
    as_json: bool,
) -> int:
    """Print how many solutions each subset has; return the exit code."""
    if kept is not None:
        answer = _from_store(kept, puzzle, settings)
        return _told(answer, settings, as_json=as_json)
    line = SubsetLine(enabled=not settings.quiet)
    try:
        answer = count_by_subset(
            puzzle,
            method={"memo": "each", "frontier": "frontier"}.get(method, "list"),
            watch=line,
            memory=memory,
            scratch=scratch,
            **settings.options(),
        )
    finally:
        line.clear()
    return _told(answer, settings, as_json=as_json)


def _from_store(kept: KeptOptions, puzzle: Puzzle, settings: Settings) -> SubsetCounts:
    """Return how many solutions each subset has that a store keeps after a search."""
    from exactile.runs.found import found_rows

    search = KeptSearch(kept, "solve", puzzle, settings)
    with search.run() as run:
        answer = cast(Count, search.go_on(run))
        return tally_found(run.case, found_rows(run), answer)


def _told(answer: SubsetCounts, settings: Settings, *, as_json: bool) -> int:
    """Print an answer; return the exit code."""
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(_lines(answer)))
    settings.report_counters(answer, default=not as_json)
    return exit_code(answer.status, answer.stopped)


def _lines(answer: SubsetCounts) -> Iterator[str]:
    why = f" ({answer.reason})" if answer.reason else ""
    yield f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}"
    if not answer.status.final:
        yield f"  found before the search stopped: {answer.stopped}"
    yield from number_lines(answer)
    yield f"  {'subsets':15} {len(answer.by_pieces):>12,}"
    if not answer.by_pieces:
        return
    if answer.status.final:
        yield f"  in each of them: {' '.join(answer.needed or ()) or 'no piece'}"
        yield f"  in none of them: {' '.join(answer.unused or ()) or 'no piece'}"
    yield f"  {'pieces':>6} {'all':>9} {'rotation':>9} {'symmetry':>9}  which"
    for t in answer.by_pieces:
        rest = [f"{n:,}" if n is not None else "?" for n in (t.rotation, t.symmetry)]
        least = "" if answer.status.final else ">="
        which = text_of(t.pieces) or "no piece"
        number, found = sum(t.pieces.values()), f"{least}{t.found:,}"
        yield f"  {number:>6} {found:>9} {rest[0]:>9} {rest[1]:>9}  {which}"
