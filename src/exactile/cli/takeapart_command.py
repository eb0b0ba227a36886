"""`exactile takeapart`: sequences of moves; and the counts of `exactile count --assemblable`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import rich_click as click

from exactile.answers import AssemblyCount, Disassembly, DisassemblyList, Status
from exactile.assembly.disassemble import take_apart
from exactile.assembly.search import AssemblySearch
from exactile.assembly.text import sequence_lines
from exactile.cli import options
from exactile.cli.common import Settings, exit_code, read_puzzle, search_and_tell
from exactile.cli.lines import Progress
from exactile.cli.output import PICTURES, Picture, print_answer
from exactile.cli.signals import undisturbed
from exactile.cli.table import options_of
from exactile.cli.words import plural
from exactile.errors import FileError, Interrupted
from exactile.files.solution_files import read_solutions
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import check
from exactile.search.limits import Limits


@options_of("takeapart")
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@click.option("--number", type=options.Whole(), help="Only this solution of FILE.")
@options.rotations
@options.picture("Draw each move too, as .svg, .png or .pdf, or play them, .html.", PICTURES)
def command(
    puzzle: str,
    file: str | None,
    number: int | None,
    rotations: bool,
    picture: Picture | None,
    find_all: bool,
    limit: int | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Take solutions apart by moves of groups of pieces, one after the other.

    With FILE, every solution in it; otherwise the first solution found that comes apart, or all of
    them up to symmetry. Each separation has the fewest moves.

    -o draws one sequence, of FILE the first or that of --number.
    """
    drawn: list[Disassembly] = []
    if file is not None:
        subject = read_puzzle(puzzle)
        number = number or (1 if picture else None)
        code = _of_file(
            subject, file, number, settings, limit, drawn, rotations=rotations, as_json=as_json
        )
        _draw(subject, drawn, picture)
        return code
    if number is not None:
        raise click.UsageError("--number goes with FILE: give that too.")
    progress = Progress(enabled=not settings.quiet)
    most = None if find_all else limit or 1
    with settings.assemblies(puzzle, most, progress, rotations=rotations) as search:

        def apart(found: Iterable[Solution]) -> Iterator[Disassembly]:
            for each in found:
                drawn.append(take_apart(search.puzzle, each, rotations=rotations))
                yield drawn[-1]

        def answer(found: list[Solution]) -> DisassemblyList:
            return DisassemblyList(
                puzzle=search.puzzle.name,
                status=search.status,
                stopped=search.stopped,
                assemblies=search.assemblies[2],
                disassemblies=tuple(apart(found)),
            )

        def report() -> None:
            if not (settings.quiet or as_json):
                click.echo(_outcome(search), err=True)
            settings.report_counters(search.stats, default=False)

        code = search_and_tell(
            search,
            progress,
            write=lambda found: _write(search.puzzle, apart(found), numbered=most != 1),
            answer=answer if as_json else None,
            report=report,
        )
        _draw(search.puzzle, drawn, picture)
        return code


def _of_file(
    puzzle: Puzzle,
    file: str,
    number: int | None,
    settings: Settings,
    limit: int | None,
    found: list[Disassembly],
    *,
    rotations: bool,
    as_json: bool,
) -> int:
    """Take the solutions of a file apart, and add the sequences to `found`.

    Each solution is checked first.
    """
    limits = Limits(settings.time_limit)
    limits.begin()
    first = (number or 1) - 1

    def apart() -> Iterator[Disassembly]:
        for solution in islice(read_solutions(file, puzzle), first, number or limit):
            check(puzzle, solution)
            left = limits.left or None
            found.append(take_apart(puzzle, solution, rotations=rotations, time_limit=left))
            yield found[-1]
            if limits.reached():
                return

    try:
        if as_json:
            for _ in apart():
                pass
        else:
            _write(puzzle, apart(), numbered=number is None)
    except Interrupted:
        return 130
    if number is not None and not found:
        raise FileError(f"{file} has no solution number {number}.")
    stopped = next((each.stopped for each in found if each.stopped), limits.reached())
    status = Status.COMPLETE if found and not stopped else Status.UNKNOWN
    if as_json:
        answer = DisassemblyList(
            puzzle=puzzle.name,
            status=status,
            stopped=stopped,
            assemblies=len(found),
            disassemblies=tuple(found),
        )
        with undisturbed():
            click.echo(answer.to_json())
    return exit_code(status, stopped)


def _draw(puzzle: Puzzle, found: list[Disassembly], picture: Picture | None) -> None:
    """Draw the only sequence, if there is one with moves."""
    if picture is None:
        return
    if not found or not found[0].separations:
        click.echo(f"{picture.name} is not written: there are no moves to draw.", err=True)
        return
    from exactile.render.taking import write_disassembly

    write_disassembly(puzzle, found[0], picture.output, picture.form)


def _write(puzzle: Puzzle, found: Iterable[Disassembly], *, numbered: bool) -> None:
    """Print sequences as they are found."""
    for number, each in enumerate(found, start=1):
        lines = [*sequence_lines(puzzle, each)]
        head = f"{number:,}. " if numbered else f"{puzzle.name}: "
        click.echo(("\n" if number > 1 else "") + head + "\n".join(lines))


def _outcome(search: AssemblySearch) -> str:
    """Return the result of a search in words."""
    tried = plural(search.assemblies[2], "solution")
    why = f" ({search.stopped})" if search.stopped and search.found == 0 else ""
    if search.status is Status.UNSOLVABLE:
        return f"{search.puzzle.name}: none of {tried} up to symmetry comes apart"
    return f"{search.puzzle.name}: {search.found:,} of {tried} so far come apart{why}"


def count_by_level(puzzle: str, settings: Settings, *, rotations: bool, as_json: bool) -> int:
    """Count the solutions that come apart, and print the counts by level."""
    progress = Progress(enabled=not settings.quiet)
    with settings.assemblies(puzzle, None, progress, rotations=rotations) as search, progress:
        search.counted()
    answer = search.count()
    print_answer(answer, _count_lines(answer), as_json=as_json)
    settings.report_counters(answer.stats, default=not as_json)
    return exit_code(answer.status, answer.stopped)


def _count_lines(answer: AssemblyCount) -> Iterator[str]:
    """Yield the counts line by line."""
    why = f" ({answer.stopped})" if answer.stopped else ""
    yield f"{answer.puzzle}, {answer.backend}: {answer.status.value}{why}"
    rows = [["", "all", "rotation", "symmetry"]]
    rows += [[f"level {t.level}", *_told(t.raw, t.rotation, t.symmetry)] for t in answer.levels]
    if answer.raw is not None:
        rows.append(["come apart", *_told(answer.raw, answer.rotation, answer.symmetry)])
    tried = (answer.assemblies, answer.assemblies_rotation, answer.assemblies_symmetry)
    rows.append(["solutions", *_told(*tried)])
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for name, *numbers in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True))
        yield "  ".join([f"  {name:{widths[0]}}", *cells]).rstrip()
    if answer.unknown:
        yield f"  {plural(answer.unknown, 'solution')} took too many states to decide"


def _told(*numbers: int | None) -> list[str]:
    return [f"{number:,}" for number in numbers]
