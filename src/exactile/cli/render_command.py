"""`exactile render`: draws a solution, or the empty puzzle."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from functools import partial

import rich_click as click
from click.core import ParameterSource

from exactile.answers import INTERRUPTED, Status
from exactile.cli import options
from exactile.cli.common import exit_code, is_given, rest_of, solution_of
from exactile.cli.inline import read_puzzle
from exactile.cli.output import KEPT, PICTURES, Output, form_of
from exactile.cli.several import NAME, Told, answer_each, each_file, own_file, require_different
from exactile.cli.solve_commands import write_found
from exactile.cli.table import options_of
from exactile.cli.words import Progress
from exactile.clock import CLOCK
from exactile.errors import PuzzleError, UnfinishedError
from exactile.files.letters import Letters
from exactile.files.reading import NamedPuzzle, is_puzzle_file
from exactile.files.solution_files import read_solutions
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import check
from exactile.puzzle.coordinates import from_coordinates
from exactile.reasons.verdict import prove
from exactile.search.limits import Limits

MOST_LEAVES = 10_000
"""Largest number of solutions in one page."""


FORMS = (*PICTURES, "text", "letters")
"""Formats of a drawing."""

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


def _file(
    context: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> str | tuple[str, ...] | None:
    """Return the file of solutions, if any, or further puzzles if -o has a file for each."""
    if not words:
        context.set_parameter_source("file", ParameterSource.DEFAULT)
        return None
    output = context.params["output"].name
    if NAME in output:
        return words
    form = form_of(output, FORMS, context.params.get("form"), "svg") or "svg"
    several = f"Several puzzles need a file for each: {each_file(form)}."
    if words[1:]:
        raise click.UsageError(f"Got unexpected extra argument ({words[1]}). {several}", context)
    if is_puzzle_file(words[0]):
        raise click.UsageError(f"{words[0]} is not a file of solutions. {several}", context)
    try:
        return str(FILE.convert(words[0], parameter, context))
    except click.BadParameter as error:
        raise click.BadParameter(f"{error.message} {several}", context, parameter) from None


@options_of("render")
@click.argument("file", nargs=-1, metavar="[FILE]", callback=_file)
@click.option(
    "--number",
    type=options.Whole(),
    metavar="N",
    help="Number of the solution in FILE. By default the first; with --format html, all.",
)
@click.option(
    "--empty",
    is_flag=True,
    help="Draw no solution, only the region and the pieces fixed in it.",
)
@options.form(*FORMS, default="svg")
@options.exploded
@options.output
@options.backend("Solver that finds the solution.")
@options.time_limit("Stop searching after this time.")
def command(
    puzzle: str | list[NamedPuzzle],
    file: str | None,
    number: int | None,
    empty: bool,
    form: str,
    exploded: bool,
    output: Output,
    backend: str,
    time_limit: float | None,
) -> int:
    """Draw a solution from FILE, or the first one found if there is no FILE.

    With --format html, one page shows all solutions of FILE, up to 10,000, one at a time. On a
    terminal, the drawing is text unless --format says otherwise.

    Several puzzles, FILE.toml with all of its puzzles, and patterns such as 'FILE.toml#day-*' are
    drawn with -o 'FOLDER/{name}.svg', one file for each.
    """
    one = isinstance(puzzle, str) and not exploded
    if one and output.name == "-" and sys.stdout.isatty() and not is_given("form"):
        form = "text"
    picture = partial(
        _picture,
        number=number,
        empty=empty,
        form=form,
        exploded=exploded,
        backend=backend,
        time_limit=time_limit,
    )
    begun = CLOCK.now()
    if isinstance(puzzle, str):
        stopped = picture(read_puzzle(puzzle), file, begun=begun, output=output)
        return exit_code(Status.SOLVABLE, stopped)
    require_different(puzzle, output.name, "Pictures", form)

    def draw(named: NamedPuzzle, _: Progress) -> Told:
        begun = CLOCK.now()
        stated = read_puzzle(named)
        with Output(own_file(output.name, named, stated), KEPT) as own:
            picture(stated, None, begun=begun, output=own)
        return None, 0

    return answer_each(puzzle, draw, None)


def _picture(
    stated: Puzzle,
    file: str | None,
    *,
    number: int | None,
    empty: bool,
    form: str,
    exploded: bool,
    backend: str,
    time_limit: float | None,
    begun: float,
    output: Output,
) -> str | None:
    """Draw a puzzle; return why some solutions are missing, None if none are.

    `begun`: when the time limit began, before the puzzle was read.
    """
    left = rest_of(time_limit, begun)
    limits = Limits(left).rest()
    some: Iterable[Solution]
    if form == "html" and file and number is None:
        some = _all(stated, file)
    else:
        some = [stated.fixed if empty else _solution(stated, file, number or 1, backend, left)]
    if form == "letters":
        output.write("".join(map(Letters(stated).text, some)))
        return None
    return write_found(stated, some, form=form, output=output, exploded=exploded, limits=limits)


def _all(puzzle: Puzzle, file: str) -> Iterator[Solution]:
    """Yield the solutions of a file, each checked."""
    solutions = read_solutions(file, puzzle)
    for solution in itertools.islice(solutions, MOST_LEAVES):
        check(puzzle, solution)
        yield solution
    if next(solutions, None) is not None:
        most = f"{MOST_LEAVES:,}"
        words = f"{file} has more than {most} solutions: the page shows the first {most}."
        click.echo(words, err=True)


def _solution(
    puzzle: Puzzle, file: str | None, number: int, backend: str, time_limit: float | None
) -> Solution:
    if file is None:
        verdict = prove(puzzle, backend=backend, time_limit=time_limit)
        if verdict.stopped == INTERRUPTED:
            raise KeyboardInterrupt
        if verdict.solution is None:
            kind = UnfinishedError if verdict.status is Status.UNKNOWN else PuzzleError
            raise kind(
                f"There is no solution to draw: {puzzle.name} is {verdict.status.value} "
                f"({verdict.reason or verdict.stopped}). With --empty the puzzle itself is drawn."
            )
        return from_coordinates(puzzle, verdict.solution)
    solution = solution_of(file, puzzle, number)
    check(puzzle, solution)
    return solution
