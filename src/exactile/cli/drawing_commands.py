"""`exactile render`, `sheet`, `make`: pictures, pages for printing, files for 3D printers."""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.core import ParameterSource

from exactile.answers import INTERRUPTED, Grade, MadeFileEntry, MadeList, Status
from exactile.cli import options
from exactile.cli.common import UNFINISHED, exit_code, is_given, rest_of, solution_of
from exactile.cli.inline import read_puzzle
from exactile.cli.output import (
    KEPT,
    PICTURES,
    SHEETS,
    NewDirectory,
    Output,
    form_of,
    print_answer,
    require_file,
)
from exactile.cli.several import NAME, Told, answer_each, each_file, own_file, require_different
from exactile.cli.table import Declared, options_of
from exactile.cli.words import EachProgress, Line, Progress, about, plural
from exactile.clock import CLOCK
from exactile.errors import ExactileError, Interrupted, NotFoundError, PuzzleError, UnfinishedError
from exactile.files.reading import NamedPuzzle
from exactile.plugins import RACING_BACKEND

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle, Solution

MOST_LEAVES = 10_000
"""Largest number of solutions that one HTML page shows."""


FORMS = (*PICTURES, "text", "letters")
"""Formats that `render` writes."""

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


def _file(
    context: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> str | tuple[str, ...] | None:
    """Return all words if -o has ``{name}``, else the only word, a file; None without words."""
    from exactile.files.reading import is_puzzle_file

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
    help="Draw solution N of FILE; by default the first, or all with --format html.",
)
@click.option(
    "--empty",
    is_flag=True,
    help="Draw no solution, only the region and the pieces fixed in it.",
)
@options.form(*FORMS, default="svg", terminal="text", help="letters: text for `exactile check`.")
@options.exploded
@options.drawing
@options.backend("Solver that finds the solution.")
@options.time_limit("Stop searching after this time.")
def render_command(
    puzzle: Puzzle | list[NamedPuzzle],
    file: str | None,
    form: str,
    exploded: bool,
    output: Output,
    **asked: Any,
) -> int:
    """Draw a solution: from FILE, or without FILE the first one that a search finds.

    With --format html, one page shows all solutions of FILE, up to 10,000, one at a time.

    In place of PUZZLE and FILE, several puzzles may be named: one after the other, as MINE.toml
    (all puzzles in it), or by a pattern such as 'MINE.toml#day-*'. Each is then written to a file
    of its own: -o must contain {name}, as in -o 'FOLDER/{name}.svg'.
    """
    one = not (isinstance(puzzle, list) or exploded)
    if one and output.name == "-" and sys.stdout.isatty() and not is_given("form"):
        form = "text"
    asked |= {"form": form, "exploded": exploded}
    begun = CLOCK.now()
    if not isinstance(puzzle, list):
        stopped = _picture(puzzle, file, begun=begun, output=output, **asked)
        return exit_code(Status.SOLVABLE, stopped)
    require_different(puzzle, output.name, "Pictures", form)

    def draw(named: NamedPuzzle, _: Progress) -> Told:
        begun = CLOCK.now()
        stated = named.load()
        with Output(own_file(output.name, named, stated), KEPT) as own:
            _picture(stated, None, begun=begun, output=own, **asked)
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
    """Draw solution `number` of a file, or one from a search, or with `empty` only fixed pieces.

    With --format html and without `number`, draw all solutions of the file. `begun`: when the time
    limit began, in seconds of `CLOCK`. Return the limit if it kept some from being drawn, or None.
    """
    from exactile.cli.solve_commands import write_found
    from exactile.files.letters import Letters
    from exactile.search.limits import Limits

    left = rest_of(time_limit, begun)
    limits = Limits(left).rest()
    some: Iterable[Solution]
    if form == "html" and file and number is None:
        some = _all(stated, file)
    else:
        some = [stated.fixed if empty else _to_draw(stated, file, number or 1, backend, left)]
    if form == "letters":
        output.write("".join(map(Letters(stated).text, some)))
        return None
    return write_found(stated, some, form=form, output=output, exploded=exploded, limits=limits)


def _all(puzzle: Puzzle, file: str) -> Iterator[Solution]:
    """Yield the first `MOST_LEAVES` solutions of a file, each checked; report if it has more."""
    from exactile.files.solution_files import read_solutions
    from exactile.puzzle.check import check

    solutions = read_solutions(file, puzzle)
    for solution in itertools.islice(solutions, MOST_LEAVES):
        check(puzzle, solution)
        yield solution
    if next(solutions, None) is not None:
        most = f"{MOST_LEAVES:,}"
        words = f"{file} has more than {most} solutions: the page shows the first {most}."
        click.echo(words, err=True)


def _to_draw(
    puzzle: Puzzle, file: str | None, number: int, backend: str, time_limit: float | None
) -> Solution:
    from exactile.puzzle.check import check
    from exactile.puzzle.coordinates import from_coordinates
    from exactile.reasons.verdict import prove

    if file is None:
        verdict = prove(puzzle, backend=backend, time_limit=time_limit)
        if verdict.stopped == INTERRUPTED:
            raise KeyboardInterrupt
        if verdict.solution is None:
            kind = UnfinishedError if verdict.status is Status.UNKNOWN else PuzzleError
            raise kind(
                f"There is no solution to draw: {puzzle.name} is {verdict.status.value} "
                f"({verdict.reason or verdict.stopped}). With --empty, the puzzle itself is drawn."
            )
        return from_coordinates(puzzle, verdict.solution)
    solution = solution_of(file, puzzle, number)
    check(puzzle, solution)
    return solution


PAGE = "{page}"
"""Placeholder for the number of each page in the name of its file."""


@options_of("sheet")
@click.option(
    "--boards",
    type=click.Choice(["given", "empty", "solved"]),
    default="given",
    show_default=True,
    help="What each board shows. given: the pieces whose places the puzzle states; empty: no "
    "pieces; solved: a solution.",
)
@click.option("--bank", is_flag=True, help="Below each board, draw the pieces to place on it.")
@click.option("--solutions", is_flag=True, help="Add pages with a solution of each puzzle.")
@click.option(
    "--graded",
    is_flag=True,
    help="Sort by difficulty, easiest first; print the level of each puzzle, and pages with hints.",
)
@click.option("--title", default="", metavar="TEXT", help="Title of each page.")
@options.number("--per-page", help="Boards on a page; by default 6, with --cell as many as fit.")
@options.columns
@options.cell(" By default, boards are as large as the page permits.")
@options.paper()
@options.colors
@options.form(*SHEETS, default="pdf")
@options.output
@options.backend("Solver for solutions.", default=RACING_BACKEND)
@options.time_limit("Time limit for solving each puzzle, and for grading it.")
def sheet_command(
    puzzle: Puzzle | list[NamedPuzzle],
    boards: str,
    solutions: bool,
    graded: bool,
    per_page: int | None,
    cell: float | None,
    form: str,
    output: Output,
    backend: str,
    time_limit: float | None,
    **layout: Any,
) -> int:
    """Lay out puzzles on pages for printing: challenges, worksheets, boards at actual size.

    For several puzzles, name them one after the other, or write FILE.toml for all puzzles of a
    file, or a pattern such as 'FILE.toml#day-*'. In the formats svg and png, each page has its own
    file: -o 'page-{page}.png'.
    """
    from exactile.render.sheets import SheetBoard, SheetHints, draw_pages, least_pages
    from exactile.surveys.design.grading import brief_hints

    require_file(form, output)
    named = puzzle if isinstance(puzzle, list) else [NamedPuzzle.of(puzzle)]
    least = least_pages(len(named), per_page, in_size=cell is not None)
    require_each(least + solutions, form, output)  # before anything is searched
    stated = [each.load() for each in named]
    grades: list[Grade | None] = [None for _ in stated]
    code = 0
    if graded:
        grades, code = _graded(stated, time_limit)
        order = sorted(range(len(stated)), key=lambda k: _effort(grades[k]))
        stated, grades = [stated[k] for k in order], [grades[k] for k in order]
    solved: list[Solution | None] = [None for _ in stated]
    if solutions or boards == "solved":
        solved, late = _solved(stated, backend, time_limit)
        code = code or late
    drawn, answers = [], []
    steps: list[SheetHints] = []
    for number, (each, solution) in enumerate(zip(stated, solved, strict=True), 1):
        words = each.title or each.name
        caption = f"{number}. {words}" if stated[1:] else words
        found = grades[number - 1]
        if found is not None and found.steps:
            steps.append(SheetHints(caption, list(brief_hints(found))))
        if found is not None and found.word not in words:
            caption += f" ({found.word})"
        placements = {"given": each.fixed, "empty": (), "solved": solution or each.fixed}[boards]
        drawn.append(SheetBoard(each, placements, caption))
        if solutions and solution is not None:
            answers.append(SheetBoard(each, solution, caption))
    if steps:
        steps.insert(0, SheetHints("Cells", [_cells_named(stated)]))
    pages = draw_pages(drawn, answers=answers, hints=steps, per_page=per_page, cell=cell, **layout)
    write_each(pages, form, output)
    click.echo(f"{plural(len(stated), 'puzzle')} on {plural(len(pages), 'page')}", err=True)
    return code


def _graded(puzzles: Sequence[Puzzle], time_limit: float | None) -> tuple[list[Grade | None], int]:
    """Return the grade of each puzzle, and the exit code.

    If a puzzle cannot be graded, its grade is None, and the reason is reported. The code is
    `UNFINISHED` if a limit is a reason, else 0.
    """
    from exactile.surveys.design.grading import grade

    line = EachProgress(len(puzzles))
    grades: list[Grade | None] = []
    code = 0
    try:
        for puzzle in puzzles:
            line.begin(puzzle.name)
            try:
                found = grade(puzzle, time_limit=time_limit, watch=line.show)
            except Interrupted:
                raise KeyboardInterrupt from None
            except PuzzleError as error:
                why = str(error)
            else:
                if found.level is not None:
                    grades.append(found)
                    continue
                why, code = f"unknown ({found.stopped})", UNFINISHED
            grades.append(None)
            line.clear()
            click.echo(f"Without its level: {about(puzzle.name, why)}", err=True)
        return grades, code
    finally:
        line.clear()


def _cells_named(puzzles: Sequence[Puzzle]) -> str:
    """Return a sentence that explains the coordinates of cells in the printed hints."""
    if all(p.lattice.name == "square" and not p.region.units.min(axis=0).any() for p in puzzles):
        return "2,0 is the third cell of the lowest row: columns and rows are counted from 0."
    return "Cells have their coordinates, as in puzzle files."


def _effort(grade: Grade | None) -> tuple[int, int, int]:
    """Return the sort key of a puzzle by its difficulty; a puzzle without a level comes last."""
    if grade is None or grade.level is None:
        return 7, 0, 0
    return grade.level, grade.choices, len(grade.steps)


def _solved(
    puzzles: Sequence[Puzzle], backend: str, time_limit: float | None
) -> tuple[list[Solution | None], int]:
    """Return each puzzle's solution (None, with a report, if none is found), and the exit code."""
    from exactile.puzzle.coordinates import from_coordinates
    from exactile.reasons.verdict import prove

    line = EachProgress(len(puzzles))
    code = 0

    def each() -> Iterator[Solution | None]:
        nonlocal code
        for puzzle in puzzles:
            line.begin(puzzle.name)
            verdict = prove(puzzle, backend=backend, time_limit=time_limit)
            if verdict.stopped == INTERRUPTED:
                raise KeyboardInterrupt
            if verdict.solution is not None:
                yield from_coordinates(puzzle, verdict.solution)
                continue
            if verdict.status is Status.UNKNOWN:
                code = UNFINISHED
            line.clear()
            why = verdict.reason or verdict.stopped
            outcome = f"{verdict.status.value} ({why})"
            click.echo(f"{puzzle.name}, without its solution: {outcome}", err=True)
            yield None

    try:
        return list(each()), code
    finally:
        line.clear()


def require_each(number: int, form: str, output: Output) -> None:
    """Raise click.UsageError unless pages can be written to an output with this name.

    Several pages as svg or png need ``{page}`` in the name; a PDF must not have it. No name may
    have ``{name}``. `number`: number of pages, or a lower bound.
    """
    if form == "pdf" and (words := [word for word in (PAGE, NAME) if word in output.name]):
        raise click.UsageError(
            f"{output.name}: a PDF has all pages in one file: leave out {' and '.join(words)}."
        )
    if NAME in output.name:
        raise click.UsageError(
            f"{output.name}: files of pages are numbered: write {PAGE} in place of {NAME}."
        )
    if number > 1 and form != "pdf" and PAGE not in output.name:
        raise click.UsageError(
            f"Several pages as {form} need a file for each: write -o 'page-{PAGE}.{form}', or a "
            "PDF."
        )


def write_each(pages: Sequence[str], form: str, output: Output) -> None:
    """Write pages to one file, or each to its own file if the name of the output has ``{page}``.

    `pages`: the pages as SVG. Raise click.UsageError as `require_each` does.
    """
    from exactile.render.pictures import write_pages

    require_each(len(pages), form, output)
    if form == "pdf" or PAGE not in output.name:
        write_pages(pages, output, form)
        return
    for number, page in enumerate(pages, 1):
        with Output(output.name.replace(PAGE, str(number)), KEPT) as own:
            write_pages([page], own, form)


def _size(name: str, help: str, default: float | None = None, *, zero: bool = False) -> Declared:
    """Return an option whose value is a size in millimeters; `zero`: whether 0 is accepted."""
    kind = options.Number(min=0, min_open=not zero)
    return options.option(name, type=kind, default=default, metavar="MM", help=help)


def _sides(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[float, ...] | None:
    """Return the sides in millimeters of a sheet such as ``600x400``; None if none is given."""
    if value is None:
        return None
    if not re.fullmatch(r"\d{1,5}(\.\d+)?[xX×]\d{1,5}(\.\d+)?", value):
        raise click.BadParameter(
            f"{value!r}: write width x height in millimeters, such as 600x400.", context, parameter
        )
    return tuple(map(float, re.split("[xX×]", value)))


class _SolutionFile(click.Path):
    """The type of the argument FILE of `make`: a file with solutions, which must exist."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the name of the file; fail if it cannot be read."""
        if os.fspath(value) != "-" and not os.path.lexists(value):
            raise click.UsageError(
                f"make takes one puzzle, and there is no file of solutions '{value}'."
            )
        return super().convert(value, param, ctx)


@options_of("make")
@click.argument(
    "file", required=False, type=_SolutionFile(exists=True, dir_okay=False, allow_dash=True)
)
@click.option(
    "--number",
    type=options.Whole(),
    metavar="N",
    help="Take solution N of FILE; by default, the first.",
)
@click.option(
    "-o",
    "--output",
    "directory",
    type=NewDirectory(),
    metavar="DIR",
    help="New directory for the files; by default, it is named after the puzzle.",
)
@_size("--cell", "Length of the longest side of a cell, or of an edge.", 15)
@_size(
    "--height",
    "Height of flat pieces, by default half of --cell; on lattices of prisms, height of a layer, "
    "by default --cell.",
)
@_size("--gap", "Gap between pieces, and between pieces and tray.", 0.2, zero=True)
@_size("--bevel", "Width of the bevel that is cut off outer edges.", 0, zero=True)
@_size("--wall", "Thickness of walls and plates, and width of bars.", 3)
@click.option(
    "--sheet",
    callback=_sides,
    metavar="AxB",
    help="Also lay out flat pieces and a frame on sheets of AxB millimeters, for a laser cutter.",
)
@_size("--kerf", "With --sheet, width of the cut that the laser makes.", 0, zero=True)
@_size("--radius", "With --sheet, radius of the rounded corners of pieces.", 0, zero=True)
@options.time_limit("Stop searching for a solution after this time.")
@options.quiet()
def make_command(
    puzzle: str,
    file: str | None,
    number: int | None,
    directory: Path | None,
    cell: float,
    height: float | None,
    gap: float,
    wall: float,
    bevel: float,
    sheet: tuple[float, ...] | None,
    kerf: float,
    radius: float,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Write pieces, a solution and a tray as meshes for 3D printers, in STL, 3MF and glTF.

    Flat pieces are also written as outlines, at actual size: for paper and, with --sheet, for a
    laser cutter.

    The solution comes from FILE, or is the first one found. One mesh shows it assembled, another
    with its pieces apart. If PUZZLE is a set such as pentominoes, only its pieces are written.
    """
    from exactile.render.making.parts import Sizes
    from exactile.render.making.verbs import Making

    stated = _stated(puzzle)
    if file is not None and isinstance(stated, str):
        raise click.UsageError(
            f"FILE has solutions of a puzzle, and '{puzzle}' is a set of pieces."
        )
    name = stated if isinstance(stated, str) else stated.name
    sizes = Sizes(cell, height, gap, wall, bevel)
    making = Making(stated, directory or Path(name), sizes, sheet, kerf, radius)
    solution, status = None, Status.COMPLETE
    if not isinstance(stated, str):
        solution, status = _solution(stated, file, number or 1, time_limit)
    notes: list[str] = []
    with Line(enabled=not quiet) as line:
        made = making.write(solution, line.show, notes.append)
    if solution is None and not isinstance(stated, str):
        notes.append(f"{name} is {status.value}: there is no solution to assemble.")
    entries = tuple(MadeFileEntry(path=str(each.path), size=each.size) for each in made)
    answer = MadeList(puzzle=name, status=status, files=entries, notes=tuple(notes))
    width = max(len(each.path) for each in entries)
    lines = (
        f"{each.path:{width}}  {' x '.join(f'{side:.1f}' for side in each.size if side)} mm"
        for each in entries
    )
    print_answer(answer, lines, as_json=as_json)
    for words in notes if not as_json else ():
        click.echo(words, err=True)
    return exit_code(status)


def _stated(reference: str) -> Puzzle | str:
    """Return the puzzle that `reference` names, or `reference` itself if it names a piece set."""
    from exactile.files.puzzles.piece_groups import lattice_of
    from exactile.files.reading import means_several

    if means_several(reference):
        raise click.UsageError(f"make takes one puzzle, and '{reference}' stands for several.")
    try:
        return read_puzzle(reference)
    except NotFoundError as unknown:
        try:
            lattice_of(reference)
        except ExactileError:
            raise unknown from None
        return reference


def _solution(
    puzzle: Puzzle, file: str | None, number: int, time_limit: float | None
) -> tuple[Solution | None, Status]:
    """Return solution `number` of a file (if `file` is None, one from a search), and the status.

    The solution is None if the search finds none. A solution from a file is not checked here.
    """
    from exactile.puzzle.coordinates import from_coordinates
    from exactile.reasons.verdict import prove

    if file is not None:
        return solution_of(file, puzzle, number), Status.SOLVABLE
    verdict = prove(puzzle, time_limit=time_limit)
    if verdict.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    found = verdict.solution
    return None if found is None else from_coordinates(puzzle, found), verdict.status
