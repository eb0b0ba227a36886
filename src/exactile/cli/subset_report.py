"""How subsets of the pieces are printed: by `solve --subsets` and `count --by-pieces`."""

from __future__ import annotations

from collections.abc import Iterator

import rich_click as click

from exactile.answers import Status, SubsetSolution, SubsetSolutions
from exactile.cli.common import Settings, exit_code, plural, read_puzzle, total_seconds
from exactile.cli.lines import Line
from exactile.cli.output import Output
from exactile.files.solutions.writer import FORMATS, ending, write_solutions
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.coordinates import in_coordinates
from exactile.render import draw_text
from exactile.solve import Search
from exactile.subsets.search import SubsetSearch
from exactile.subsets.selection import Uses, text_of
from exactile.subsets.tally import SubsetCount, count_by_subset


class SubsetLine(Line):
    """The line that tells how many subsets or solutions are found."""

    def __call__(self, search: Search | SubsetSearch) -> None:
        """Tell it, now and then."""
        what = "subset" if isinstance(search, SubsetSearch) else "solution"
        self.show(f"{plural(search.found, what)}")


def named(puzzle: Puzzle, uses: Uses) -> dict[str, int]:
    """Return the pieces that are used, and how often."""
    return {p.name: n for p, n in zip(puzzle.pieces, uses, strict=True) if n}


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
    search = SubsetSearch(
        read_puzzle(reference, no_crossing=settings.no_crossing),
        backend=options["backend"],
        limit=limit,
        time_limit=options["time_limit"],
        seed=options["seed"],
        workers=options["workers"],
        encoding=options["encoding"],
        use_reasons=options["use_reasons"],
        watch=line,
    )
    kept: list[tuple[Uses, Solution]] = []
    try:
        if as_json:
            kept.extend(search)
        else:
            _write(search, line, form, output)
    finally:
        line.clear()
        if as_json:
            click.echo(_answer(search, kept).to_json())
        elif not settings.quiet:
            click.echo(_summary(search), err=True)
        settings.report_counters(search, default=False)
    return exit_code(search.status, search.stopped)


def _write(search: SubsetSearch, line: Line, form: str, output: Output) -> None:
    """Write each solution as soon as it is found."""
    if form in FORMATS:
        found = (solution for _, solution in search)
        write_solutions(search.puzzle, found, output, form, lambda: ending(search.stopped))
        return
    for number, (uses, solution) in enumerate(search, start=1):
        line.clear()
        output.write("\n" if number > 1 else "")
        output.write(f"{number}. {text_of(named(search.puzzle, uses)) or 'no piece'}\n")
        output.write(draw_text(search.puzzle, solution))
        output.flush()


def _summary(search: SubsetSearch) -> str:
    words = {
        Status.COMPLETE: f"all {plural(search.found, 'subset')}",
        Status.SOLVABLE: plural(search.found, "subset"),
        Status.UNSOLVABLE: "no solution",
        Status.UNKNOWN: "unknown",
    }
    remark = search.reason or search.stopped
    why = f" ({remark})" if remark and remark != "solution limit" else ""
    seconds = total_seconds(search.stats)
    return (
        f"{search.puzzle.name}, {search.backend.name}: {words[search.status]}{why}, {seconds:.2f} s"
    )


def _answer(search: SubsetSearch, kept: list[tuple[Uses, Solution]]) -> SubsetSolutions:
    puzzle = search.puzzle
    return SubsetSolutions(
        puzzle=puzzle.name,
        backend=search.backend.name,
        method=search.method,
        status=search.status,
        stopped=search.stopped,
        reason=search.reason,
        crossing=puzzle.crossing,
        subsets=tuple(
            SubsetSolution(pieces=named(puzzle, uses), solution=in_coordinates(puzzle, solution))
            for uses, solution in kept
        ),
        stats=search.stats,
    )


def count_subsets(reference: str, settings: Settings, method: str, *, as_json: bool) -> int:
    """Print how many solutions each subset has; return the exit code."""
    puzzle = read_puzzle(reference, no_crossing=settings.no_crossing)
    line = SubsetLine(enabled=not settings.quiet)
    try:
        answer = count_by_subset(
            puzzle,
            method="each" if method == "memo" else "list",
            watch=line,
            **settings.options(),
        )
    finally:
        line.clear()
    if as_json:
        click.echo(answer.answer.to_json())
    else:
        click.echo("\n".join(_lines(answer)))
    settings.report_counters(answer, default=not as_json)
    return exit_code(answer.status, answer.stopped)


def _lines(answer: SubsetCount) -> Iterator[str]:
    why = f" ({answer.reason})" if answer.reason else ""
    yield f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}"
    if not answer.final:
        yield f"  found before the search stopped: {answer.stopped}"
    names = {"raw": "all", "rotation": "up to rotation", "symmetry": "up to symmetry"}
    for key, name in names.items():
        number = getattr(answer, key)
        if number is not None:
            yield f"  {name:15} {number:>12,}"
    yield f"  {'subsets':15} {len(answer.tallies):>12,}"
    if not answer.tallies:
        return
    if answer.final:
        yield f"  in each of them: {' '.join(answer.needed) or 'no piece'}"
        yield f"  in none of them: {' '.join(answer.unused) or 'no piece'}"
    yield f"  {'pieces':>6} {'all':>9} {'rotation':>9} {'symmetry':>9}  which"
    for t in answer.tallies:
        rest = [f"{n:,}" if n is not None else "?" for n in (t.rotation, t.symmetry)]
        least = "" if answer.final else ">="
        which = text_of(answer.named(t.uses)) or "no piece"
        yield f"  {sum(t.uses):>6} {least + f'{t.found:,}':>9} {rest[0]:>9} {rest[1]:>9}  {which}"
