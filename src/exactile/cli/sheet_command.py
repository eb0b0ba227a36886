"""`exactile sheet`: puzzles on pages of paper, to be printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import rich_click as click

from exactile.answers import INTERRUPTED, Grade, Status
from exactile.cli import options
from exactile.cli.common import UNFINISHED
from exactile.cli.inline import read_puzzle
from exactile.cli.lines import EachProgress
from exactile.cli.output import KEPT, SHEETS, Output, require_file
from exactile.cli.several import NAME
from exactile.cli.table import options_of
from exactile.cli.words import about, plural
from exactile.errors import Interrupted, PuzzleError
from exactile.files.reading import NamedPuzzle
from exactile.plugins import RACING_BACKEND
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.coordinates import from_coordinates
from exactile.reasons.verdict import prove

if TYPE_CHECKING:
    from exactile.render.inks import Colors

PAGE = "{page}"
"""Placeholder for the number of each page in the name of its file."""


@options_of("sheet")
@click.option(
    "--boards",
    type=click.Choice(["given", "empty", "solved"]),
    default="given",
    show_default=True,
    help="given: boards with the pieces that the puzzle fixes; empty: without them; solved: "
    "with a solution.",
)
@click.option("--bank", is_flag=True, help="Below each board, draw the pieces to place on it.")
@click.option("--solutions", is_flag=True, help="Add pages with a solution of each puzzle.")
@click.option(
    "--graded",
    is_flag=True,
    help="Sort by difficulty, easiest first; print the levels, and hints at the end.",
)
@click.option("--title", default="", metavar="TEXT", help="Title of each page.")
@options.number("--per-page", help="Number of boards on a page (default 6).")
@options.columns
@options.cell(" By default, boards are as large as the page permits.")
@options.paper()
@options.colors
@options.form(*SHEETS, default="pdf")
@options.output
@options.backend("Solver for solutions.", default=RACING_BACKEND)
@options.time_limit("Time limit of the search for each solution.")
def command(
    puzzle: str | list[NamedPuzzle],
    boards: str,
    bank: bool,
    solutions: bool,
    graded: bool,
    title: str,
    per_page: int | None,
    columns: int | None,
    cell: float | None,
    paper: str,
    colors: Colors,
    form: str,
    output: Output,
    backend: str,
    time_limit: float | None,
) -> int:
    """Lay out puzzles on pages for printing: challenges, worksheets, boards in true size.

    Name several puzzles, FILE.toml for all of its puzzles, or a pattern such as 'FILE.toml#day-*'.
    In svg and png, each page needs its own file: -o 'page-{page}.png'.
    """
    from exactile.render.sheets import SheetBoard, SheetHints, draw_pages, least_pages
    from exactile.surveys.design.grading import brief_hints

    require_file(form, output)
    named = puzzle if isinstance(puzzle, list) else [puzzle]
    least = least_pages(len(named), per_page, in_size=cell is not None)
    require_each(least + solutions, form, output)  # before anything is searched
    stated = [read_puzzle(each) for each in named]
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
    pages = draw_pages(
        drawn,
        answers=answers,
        hints=steps,
        title=title,
        paper=paper,
        per_page=per_page,
        columns=columns,
        cell=cell,
        bank=bank,
        colors=colors,
    )
    write_each(pages, form, output)
    click.echo(f"{plural(len(stated), 'puzzle')} on {plural(len(pages), 'page')}", err=True)
    return code


def _graded(puzzles: Sequence[Puzzle], time_limit: float | None) -> tuple[list[Grade | None], int]:
    """Return the grade of each puzzle, or None after reporting why, and the exit code."""
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
    """Return how hints name cells."""
    if all(p.lattice.name == "square" and not p.region.units.min(axis=0).any() for p in puzzles):
        return "2,0 is the third cell of the lowest row: columns and rows are counted from 0."
    return "Cells have their coordinates, as in puzzle files."


def _effort(grade: Grade | None) -> tuple[int, int, int]:
    """Return the key by which puzzles are sorted; those without a level come last."""
    if grade is None or grade.level is None:
        return 7, 0, 0
    return grade.level, grade.choices, len(grade.steps)


def _solved(
    puzzles: Sequence[Puzzle], backend: str, time_limit: float | None
) -> tuple[list[Solution | None], int]:
    """Return a solution of each puzzle, None where none is found, and the exit code."""
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
    """Raise click.UsageError if pages cannot be written to files of such a name.

    `number`: least number of pages.
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
    """Write pages to one file, or each to its own.

    Raise click.UsageError if they cannot be written to files of such a name.
    """
    from exactile.render.pictures import write_pages

    require_each(len(pages), form, output)
    if form == "pdf" or PAGE not in output.name:
        write_pages(pages, output, form)
        return
    for number, page in enumerate(pages, 1):
        with Output(output.name.replace(PAGE, str(number)), KEPT) as own:
            write_pages([page], own, form)
