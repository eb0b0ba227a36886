"""`exactile takeapart`: find the moves that separate the pieces of a solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import rich_click as click

from exactile.answers import (
    INTERRUPTED,
    TIME_LIMIT,
    AssemblyCount,
    Disassembly,
    DisassemblyList,
    Status,
)
from exactile.assembly.disassemble import sequence_lines, take_apart
from exactile.assembly.search import AssemblySearch
from exactile.cli import options
from exactile.cli.common import Settings, exit_code, search_and_tell
from exactile.cli.output import PICTURES, Picture, print_json
from exactile.cli.stored import KeptOptions, KeptSearch, apart_by
from exactile.cli.table import options_of
from exactile.cli.words import Progress, plural
from exactile.errors import FileError
from exactile.files.solution_files import read_solutions
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import check
from exactile.search.limits import Limits


@options_of("takeapart")
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@click.option(
    "--number",
    type=options.Whole(),
    metavar="N",
    help="Take apart only solution N of FILE, counted from 1.",
)
@options.rotations
@options.picture("Draw each move as .svg, .png or .pdf, or play them as .html.", PICTURES)
def command(
    puzzle: Puzzle,
    file: str | None,
    number: int | None,
    rotations: bool,
    picture: Picture | None,
    find_all: bool,
    limit: int | None,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Take solutions apart: find moves that separate the pieces.

    With FILE, the solutions in it are taken apart: all, the first N with -n N, or one with
    --number. Without FILE, a search stops at the first solution that comes apart; with --all, it
    takes apart all solutions up to symmetry. Each separation takes as few moves as possible.

    With --store, the search gets half of the time limit. -o draws how one solution is taken apart.
    With both FILE and -o, only one solution is taken apart: the first, or the one that --number
    names.
    """
    if file is not None:
        drawn: list[Disassembly] = []
        number = number or (1 if picture else None)
        code = _of_file(
            puzzle, file, number, settings, limit, drawn, rotations=rotations, as_json=as_json
        )
        _draw(puzzle, drawn, picture)
        return code
    most = None if find_all else limit or 1
    if kept is not None:
        return _kept(kept, puzzle, settings, most, rotations=rotations, as_json=as_json)
    return _searched(puzzle, settings, most, picture, rotations=rotations, as_json=as_json)


def _searched(
    puzzle: Puzzle,
    settings: Settings,
    most: int | None,
    picture: Picture | None,
    *,
    rotations: bool,
    as_json: bool,
) -> int:
    """Search for solutions, take each apart as soon as it is found, and print the moves.

    If `picture` is given, draw the moves of the first solution. Return the exit code. `most`: stop
    after this number of solutions that come apart; None finds all.
    """
    drawn: list[Disassembly] = []
    progress = Progress(enabled=not settings.quiet)
    with settings.assemblies(puzzle, most, progress, rotations=rotations) as search:

        def apart(found: Iterable[Solution]) -> Iterator[Disassembly]:
            for each in _in_time(search.puzzle, found, settings, rotations=rotations):
                drawn.append(each)
                yield each

        def write(found: Iterator[Solution]) -> str | None:
            if not as_json:
                return _write(search.puzzle, apart(found), numbered=most != 1)
            for _ in apart(found):
                pass
            return None

        def report() -> None:
            if as_json:
                stopped = _stopped(drawn) or search.stopped
                _print_list(search.puzzle, search.status, stopped, search.assemblies[2], drawn)
            elif not settings.quiet:
                click.echo(_outcome(search), err=True)
            settings.report_counters(search.stats, default=False)

        search_and_tell(search, progress, write=write, report=report)
        _draw(search.puzzle, drawn, picture)
        return exit_code(search.status, _stopped(drawn) or search.stopped)


def _in_time(
    puzzle: Puzzle, found: Iterable[Solution], settings: Settings, *, rotations: bool
) -> Iterator[Disassembly]:
    """Take each solution apart until time is up; the last result may be unfinished."""
    for each in found:
        left = settings.seconds_left
        answer = take_apart(puzzle, each, rotations=rotations, time_limit=left)
        yield answer
        if answer.stopped == TIME_LIMIT:
            return


def _stopped(sequences: Iterable[Disassembly]) -> str | None:
    """Return the first reason why a disassembly was stopped; None if all were finished."""
    return next((each.stopped for each in sequences if each.stopped), None)


def _kept(
    kept: KeptOptions,
    puzzle: Puzzle,
    settings: Settings,
    most: int | None,
    *,
    rotations: bool,
    as_json: bool,
) -> int:
    """Search with a store for half of the time limit, then take apart the solutions found.

    Return the exit code. `most`: stop after this number of solutions that come apart; None finds
    all.
    """
    from exactile.runs.found import found_solutions

    apart = apart_by(rotations=rotations)
    seconds = settings.time_limit
    halved = settings.changed(time_limit=seconds and seconds / 2)
    search = KeptSearch(kept, "solve", puzzle, halved, most=most, apart=apart)
    with search.run() as run:
        answer = search.go_on(run)
        assert isinstance(answer, AssemblyCount)
        found = islice(found_solutions(run, up_to="symmetry"), most)
        sequences = _in_time(puzzle, found, settings, rotations=rotations)
        cut = None
        if as_json:
            taken = list(sequences)
            cut = _stopped(taken)
            stopped = cut or answer.stopped
            _print_list(puzzle, answer.status, stopped, answer.assemblies_symmetry, taken)
        elif kept.parts is None:
            cut = _write(puzzle, sequences, numbered=most != 1)
    if not (settings.quiet or as_json):
        found_number = sum(tally.symmetry for tally in answer.levels)
        click.echo(
            _words(answer.puzzle, answer.status, found_number, answer.assemblies_symmetry), err=True
        )
    return exit_code(answer.status, cut or answer.stopped)


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
    """Check the solutions of a file, take them apart, print the moves, and return the exit code.

    `number`: the only solution to take apart, from 1; if None, the first `limit` solutions are
    taken apart, or all if that is also None. The sequences of moves are added to `found`. Raise
    CheckFailedError if a solution is wrong, FileError if there is no solution `number` or the file
    cannot be read.
    """
    limits = Limits(settings.time_limit)
    limits.begin()
    first = (number or 1) - 1

    def apart() -> Iterator[Disassembly]:
        for solution in islice(read_solutions(file, puzzle), first, number or limit):
            check(puzzle, solution)
            left = settings.seconds_left
            found.append(take_apart(puzzle, solution, rotations=rotations, time_limit=left))
            yield found[-1]
            if limits.reached():
                return

    stopped = None
    try:
        if as_json:
            for _ in apart():
                pass
        else:
            _write(puzzle, apart(), numbered=number is None)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    if number is not None and not (found or stopped):
        raise FileError(f"{file} has no solution number {number}.")
    if not (found or stopped or settings.quiet):
        click.echo(f"{file} has no solutions: nothing to take apart", err=True)
    stopped = stopped or _stopped(found) or limits.reached()
    status = Status.COMPLETE if found and not stopped else Status.UNKNOWN
    if as_json:
        _print_list(puzzle, status, stopped, len(found), found)
    return exit_code(status, stopped)


def _print_list(
    puzzle: Puzzle,
    status: Status,
    stopped: str | None,
    assemblies: int,
    sequences: list[Disassembly],
) -> None:
    """Print as JSON how solutions are taken apart; `assemblies`: number of solutions tried."""
    print_json(
        DisassemblyList(
            puzzle=puzzle.name,
            status=status,
            stopped=stopped,
            assemblies=assemblies,
            disassemblies=tuple(sequences),
        )
    )


def _draw(puzzle: Puzzle, found: list[Disassembly], picture: Picture | None) -> None:
    """Draw the moves that take the first solution apart; report if there are none."""
    if picture is None:
        return
    if not found or not found[0].separations:
        click.echo(f"{picture.name} is not written: there are no moves to draw.", err=True)
        return
    from exactile.render.taking import write_disassembly

    write_disassembly(puzzle, found[0], picture.output, picture.form)


def _write(puzzle: Puzzle, found: Iterable[Disassembly], *, numbered: bool) -> str | None:
    """Print how solutions are taken apart, each as soon as it is known.

    Return the first reason why a disassembly was stopped, None if all were finished.
    """
    stopped = None
    for number, each in enumerate(found, start=1):
        stopped = stopped or each.stopped
        lines = [*sequence_lines(puzzle, each)]
        head = f"{number:,}. " if numbered else f"{puzzle.name}: "
        click.echo(("\n" if number > 1 else "") + head + "\n".join(lines))
    return stopped


def _outcome(search: AssemblySearch) -> str:
    """Return in words how many of the solutions found come apart.

    If none does and the search was stopped, the reason follows.
    """
    why = f" ({search.stopped})" if search.stopped and search.found == 0 else ""
    found = sum(tally.symmetry for tally in search.levels)  # `search.found` ends at the limit
    return _words(search.puzzle.name, search.status, found, search.assemblies[2]) + why


def _words(puzzle: str, status: Status, found: int, assemblies: int) -> str:
    """Return in words how many solutions come apart: `found`, of `assemblies` that were tried."""
    tried = f"{plural(assemblies, 'solution')} up to symmetry"
    if status is Status.UNSOLVABLE:
        none = f"none of {tried} comes apart"
        return f"{puzzle}: {none if assemblies else 'no solution'}"
    so_far = "" if status.final else " so far"
    return f"{puzzle}: {found:,} of {tried}{so_far} {'comes' if found == 1 else 'come'} apart"
