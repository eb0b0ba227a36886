"""`exactile sudoku` and `queens`: solve, count and draw; judge whether a sudoku is unique."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, QueensAnswer, Status, SudokuAnswer
from exactile.backends import get_backend
from exactile.classics.drawings import draw_grid, draw_queens, svg_grid, svg_queens
from exactile.classics.grids.queens import Columns, QueensSearch, count_queens
from exactile.cli import options
from exactile.cli.common import counted as counting
from exactile.cli.common import (
    counters,
    exit_code,
    number_lines,
    outcome,
    report_seed,
    require_agreement,
    search_and_tell,
)
from exactile.cli.output import SHEETS, Output, Picture, print_json, require_file
from exactile.cli.table import options_of
from exactile.cli.words import Progress, plural
from exactile.errors import FileError
from exactile.files.models.exact_cover import write_exact_cover

if TYPE_CHECKING:
    from exactile.classics.grids.sudoku import Grid, Sudoku
    from exactile.classics.grids.verbs import Examination


def _boxes(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Return the number of rows and of columns of a box such as ``2x3``; None if none is given.

    Raise click.BadParameter for any other value.
    """
    if value is None:
        return None
    numbers = re.fullmatch(r"([1-9]\d?)[xX]([1-9]\d?)", value)
    if numbers is None:
        raise click.BadParameter(f"{value!r}: write 2x3 for 2 rows by 3 columns.")
    return int(numbers[1]), int(numbers[2])


@options_of("sudoku")
@click.argument("file", metavar="FILE")
@click.option(
    "--boxes",
    callback=_boxes,
    metavar="RxC",
    help="Numbers of rows and columns of a box, such as 2x3; by default, the usual ones for the "
    "size of the grid.",
)
@click.option("--x", "diagonals", is_flag=True, help="Both diagonals hold every digit (X-sudoku).")
@click.option(
    "--windows",
    is_flag=True,
    help="The windows between boxes also hold every digit (hyper sudoku).",
)
@click.option(
    "--jigsaw",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="File with regions that replace the boxes: a character for each cell, the same for all "
    "cells of a region. Or put them at the top of the file of the sudokus: a line `regions`, then "
    "the regions.",
)
@click.option(
    "--number",
    type=click.IntRange(1, options.MOST),
    metavar="N",
    help="Only sudoku number N of the file. By default, all sudokus; with --proof, a picture or "
    "xcc, only the first.",
)
@options.counted("Print the number of solutions of each sudoku.")
@click.option(
    "--minimal",
    is_flag=True,
    help="If the solution is unique, show which of the given digits are superfluous, "
    "each by itself.",
)
@click.option(
    "--proof",
    "proof_directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a proof that a sudoku has no solution, or no second one, into a new directory.",
)
@options.form(
    *("text", "line", *SHEETS, "xcc"),
    help="text: a drawing; line: all cells on a line; svg, png, pdf: a picture; xcc: the "
    "exact-cover model. By default, the extension of -o decides; without -o, it is text for one "
    "sudoku, line for several.",
)
@options.output
def sudoku_command(
    file: str,
    boxes: tuple[int, int] | None,
    diagonals: bool,
    windows: bool,
    jigsaw: str | None,
    number: int | None,
    find_all: bool,
    limit: int | None,
    counted: bool,
    minimal: bool,
    proof_directory: Path | None,
    form: str | None,
    output: Output,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Solve the sudokus in FILE; - is standard input.

    Each sudoku is reported as unique (one solution), ambiguous (more than one) or contradictory
    (none). With --all or --limit, its solutions are listed instead.

    In FILE, each line is a whole sudoku, or a row of one; . or 0 is an empty cell. Sizes other than
    9 by 9 are recognized.
    """
    from exactile.classics.grids.reader import Variant, read_regions, read_sudokus

    require_file(form or "", output)
    require_agreement(settings["backend"])
    backend = get_backend(settings["backend"])
    report_seed(backend.name, takes_seed=backend.takes_seed, quiet=quiet)
    regions = read_regions(jigsaw, diagonals=diagonals) if jigsaw else None
    sudokus = read_sudokus(file, Variant(boxes, diagonals, windows, regions))
    name = "standard input" if file == "-" else Path(file).name
    progress = Progress(enabled=not quiet)
    session = SudokuSession(
        name, output, form, as_json, minimal, proof_directory, settings, progress
    )
    if number is not None:
        sudokus = _numbered(name, sudokus, number)
    elif proof_directory or form in (*SHEETS, "xcc"):
        sudokus = _first(name, sudokus, quiet=quiet)
    try:
        if form == "xcc":
            [sudoku] = sudokus
            return export_model(session, sudoku)
        for sudoku in _announced(session, sudokus):
            if counted:
                count_solutions(session, sudoku)
            elif find_all or limit is not None:
                list_solutions(session, sudoku, limit)
            else:
                judge_sudoku(session, sudoku)
    except KeyboardInterrupt:
        session.stopped = INTERRUPTED
        finish(session, quiet=quiet)
        raise
    finally:
        progress.clear()
    finish(session, quiet=quiet)
    return session.exit_code


def _numbered(name: str, sudokus: Iterator[Sudoku], number: int) -> Iterator[Sudoku]:
    """Yield sudoku `number` of a file, counted from 1; raise FileError if there is none.

    `name`: the name of the file, for the message.
    """
    sudoku = next(islice(sudokus, number - 1, None), None)
    if sudoku is None:
        raise FileError(f"{name}: it has no sudoku number {number}.")
    yield sudoku


def _first(name: str, sudokus: Iterator[Sudoku], *, quiet: bool) -> Iterator[Sudoku]:
    """Yield the first sudoku of a file; then report if there are more, unless `quiet` is set."""
    yield from islice(sudokus, 1)
    with suppress(FileError):  # a mistake further down in the file
        if not quiet and next(sudokus, None) is not None:
            click.echo(f"{name}: only sudoku 1 was taken: --number N takes another one.", err=True)


def _announced(session: SudokuSession, sudokus: Iterator[Sudoku]) -> Iterator[Sudoku]:
    """Set the session's format if none was requested, and return the same sudokus.

    The format is ``text`` if there is one sudoku, ``line`` if there are several.
    """
    start = list(islice(sudokus, 1 if session.form else 2))
    session.form = session.form or ("text" if len(start) == 1 else "line")
    return chain(start, sudokus)


MOST_LISTED = 12
"""Largest number of differing cells that a remark on two solutions names."""


@dataclass
class SudokuSession:
    """The settings of `exactile sudoku`, and its results so far.

    `name`: the file. `proof`: the directory for a proof, or None. `settings`: arguments of the
    searches. `kinds`: number of sudokus with each result. `answers`: results for --json. `stopped`:
    why a search ended early; None if none did.
    """

    name: str
    output: Output
    form: str | None
    as_json: bool
    minimal: bool
    proof: Path | None
    settings: dict[str, Any]
    progress: Progress
    kinds: Counter[str] = field(default_factory=Counter)
    answers: list[SudokuAnswer] = field(default_factory=list)
    stopped: str | None = None

    def take(self, answer: SudokuAnswer, text: str) -> None:
        """Write the result for a sudoku as `text`, or keep `answer` for the JSON document.

        Also count the result in `kinds`, and note in `stopped` why a search ended early.
        """
        self.kinds[answer.status] += 1
        if self.stopped in (None, SOLUTION_LIMIT):  # another reason matters more
            self.stopped = answer.stopped or self.stopped
        self.progress.clear()
        if self.as_json:
            self.answers.append(answer)
        else:
            self.write(text)

    def write(self, text: str) -> None:
        """Write a text, or a picture given as SVG, and flush the output."""
        if self.form in SHEETS:
            Picture(self.output, self.form).write(text)
        else:
            self.output.write(text)
        self.output.flush()

    @property
    def exit_code(self) -> int:
        """The exit code, which follows from `stopped` and from one status for all sudokus.

        This status is unsolvable if some sudoku has no solution, else unknown if some sudoku is
        undecided, else solvable.
        """
        status = Status.UNKNOWN if "unknown" in self.kinds else Status.SOLVABLE
        status = Status.UNSOLVABLE if "contradictory" in self.kinds else status
        return exit_code(status, self.stopped)


def judge_sudoku(session: SudokuSession, sudoku: Sudoku) -> None:
    """Decide and report whether a sudoku is unique, ambiguous or contradictory.

    If the session requests it, also find superfluous givens, or write a proof.
    """
    from exactile.classics.grids.verbs import examine_sudoku, examined_answer

    found = examine_sudoku(
        sudoku,
        minimal=session.minimal,
        proof=session.proof,
        watch=session.progress,
        **session.settings,
    )
    if found.lemmas is not None and not session.as_json:
        proof = f"a proof of {plural(found.lemmas, 'lemma')}, checked"
        click.echo(f"{session.proof}: {proof}", err=True)
    text = _text(session.form or "", found)
    session.take(examined_answer(found), text)


def _text(form: str, found: Examination) -> str:
    """Return the result for a sudoku as text; if the format is a picture, return SVG."""
    verdict, sudoku = found.verdict, found.verdict.sudoku
    grid = verdict.solutions[0] if verdict.solutions else sudoku.givens
    if form in SHEETS:
        return svg_grid(sudoku, grid, verdict.differing)
    remarks = list(_remarks(found))
    if form == "line":
        return sudoku.text(grid) + "".join(f"  # {r}" for r in remarks) + "\n"
    grids = verdict.solutions or (sudoku.givens,)
    drawn = "\n".join(draw_grid(sudoku, g) for g in grids)
    return drawn + "".join(f"# {remark}\n" for remark in remarks)


def _remarks(found: Examination) -> Iterator[str]:
    """Yield remarks on a sudoku: why it is not known to be unique, and its superfluous givens.

    There is no remark if the solution is unique and the givens were not to be examined.
    """
    from exactile.classics.grids.search import where

    verdict, spare = found.verdict, found.superfluous
    sudoku = verdict.sudoku
    if verdict.kind == "contradictory":
        yield f"contradictory: {verdict.reason}"
    elif verdict.kind == "ambiguous":
        one, two = verdict.solutions
        cells = [
            f"{where(sudoku, c)} ({sudoku.symbols[one[c] - 1]} or {sudoku.symbols[two[c] - 1]})"
            for c in verdict.differing[:MOST_LISTED]
        ]
        more = "; ..." if len(verdict.differing) > MOST_LISTED else ""
        number = plural(len(verdict.differing), "cell")
        yield f"ambiguous: two solutions differ in {number}: {'; '.join(cells)}{more}"
    elif verdict.kind != "unique":
        yield f"{verdict.kind}: not all was searched ({verdict.stopped})"
    if found.stopped:
        yield f"unknown which givens are superfluous ({found.stopped})"
    elif spare is not None and not spare:
        yield "minimal: no given is superfluous"
    elif spare:
        cells = [f"{where(sudoku, c)} ({sudoku.symbols[sudoku.givens[c] - 1]})" for c in spare]
        yield f"{plural(len(spare), 'given')} superfluous, each by itself: {'; '.join(cells)}"


def list_solutions(session: SudokuSession, sudoku: Sudoku, limit: int | None) -> None:
    """Print the solutions of a sudoku as they are found, or keep them for the JSON document.

    At most `limit` solutions are listed, or all if it is None. If there is no solution, the givens
    are printed with the result.
    """
    from exactile.classics.grids.search import SudokuSearch
    from exactile.classics.grids.verbs import listed_answer

    search = SudokuSearch(sudoku, limit=limit, watch=session.progress, **session.settings)
    kept: list[str] = []

    def take() -> None:
        nothing = _written(session.form or "", sudoku, sudoku.givens, f"{search.kind}")
        session.take(listed_answer(search, kept), "" if search.found else nothing)

    try:
        for number, grid in enumerate(search, 1):
            session.progress.clear()
            if session.as_json:
                kept.append(sudoku.text(grid))
            else:
                before = "\n" if session.form == "text" and number > 1 else ""
                session.write(before + _written(session.form or "", sudoku, grid))
    except KeyboardInterrupt:  # the solutions found are not lost
        take()
        raise
    take()


def _written(form: str, sudoku: Sudoku, grid: Grid, remark: str = "") -> str:
    """Return a grid as a drawing (format ``text``) or on one line, with a remark after ``#``."""
    if form == "text":
        return draw_grid(sudoku, grid) + (f"# {remark}\n" if remark else "")
    return sudoku.text(grid) + (f"  # {remark}" if remark else "") + "\n"


def count_solutions(session: SudokuSession, sudoku: Sudoku) -> None:
    """Print the number of solutions of a sudoku, or keep it for the JSON document."""
    from exactile.classics.grids.search import count_sudoku

    given = {name: session.settings[name] for name in ("time_limit", "workers")}
    answer = count_sudoku(sudoku, watch=session.progress, **given)
    text = "not counted in this time" if answer.raw is None else str(answer.raw)
    session.take(answer, text + "\n")


def export_model(session: SudokuSession, sudoku: Sudoku) -> int:
    """Write the exact-cover model of a sudoku to the output; return the exit code, 0."""
    from exactile.classics.grids.search import sudoku_model

    size = sudoku.layout.size
    comments = [f"sudoku of {size} by {size}: {sudoku.text(sudoku.givens)}"]
    write_exact_cover(sudoku_model(sudoku).model, session.output, comments=comments)
    return 0


def finish(session: SudokuSession, *, quiet: bool) -> None:
    """Print all results as one JSON document, or report how many sudokus have each result.

    The report is for a session without --json. It goes to stderr, unless `quiet` is set.
    """
    from exactile.classics.grids.verbs import file_answer

    if session.as_json:
        backend = session.settings["backend"]
        answer = file_answer(session.name, backend, session.kinds, session.stopped, session.answers)
        print_json(answer)
    elif not quiet and session.kinds:
        number = plural(session.kinds.total(), "sudoku")
        words = ", ".join(f"{count:,} {kind}" for kind, count in sorted(session.kinds.items()))
        words = next(iter(session.kinds)) if session.kinds.total() == 1 else f"{number}: {words}"
        click.echo(f"{session.name}, {session.settings['backend']}: {words}", err=True)


@options_of("queens")
@click.argument("size", metavar="N", type=options.Whole())
@click.option("--torus", is_flag=True, help="Let diagonals wrap around the edges.")
@options.counted("Print the number of solutions: all, up to rotation, up to symmetry.")
@options.find_all(
    "--list", help="Print all solutions: for each row, the column of its queen, from 1."
)
@options.up_to
@options.form(
    *("text", *SHEETS, "xcc"),
    default="text",
    help="text, svg, png, pdf: a drawing of one solution; xcc: the exact-cover model.",
)
@options.output
def queens_command(
    size: int,
    torus: bool,
    counted: bool,
    find_all: bool,
    up_to: str | None,
    form: str,
    output: Output,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Place N queens on an N by N board so that no two attack each other.

    By default, one solution is drawn.
    """
    require_file(form, output)
    require_agreement(settings["backend"])
    backend = get_backend(settings["backend"])
    report_seed(backend.name, takes_seed=backend.takes_seed, quiet=quiet)
    progress = Progress(enabled=not quiet)
    if counted:
        answer = counting(
            lambda: count_queens(size, torus=torus, watch=progress, **settings), progress
        )
        if as_json:
            print_json(answer)
        else:
            click.echo(_numbers(answer))
            if not quiet:
                click.echo(counters(answer.stats), err=True)
        return exit_code(answer.status, answer.stopped)
    most = None if find_all else 1
    search = QueensSearch(size, torus=torus, up_to=up_to, limit=most, watch=progress, **settings)
    if form == "xcc":
        write_exact_cover(search.model, output, comments=[search.name])
        return 0

    def write(found: Iterator[Columns]) -> None:
        for columns in islice(found, most):
            if find_all:
                output.write(" ".join(str(c + 1) for c in columns) + "\n")
            else:
                _draw(columns, form, output)

    def report() -> None:
        if not as_json and not quiet:
            click.echo(_summary(search, up_to), err=True)

    return search_and_tell(
        search,
        progress,
        write=write,
        output=output,
        answer=search.answer if as_json else None,
        report=report,
    )


def _draw(columns: Columns, form: str, output: Output) -> None:
    if form in SHEETS:
        Picture(output, form).write(svg_queens(columns))
    else:
        output.write(draw_queens(columns))


def _numbers(answer: QueensAnswer) -> str:
    head = f"{answer.puzzle}, {answer.backend or answer.method}: {answer.status.value}"
    if answer.raw is None:
        return (
            f"{head}\n  {answer.found:,} solutions found before the search stopped: "
            f"{answer.stopped}"
        )
    return "\n".join([head, *number_lines(answer)])


def _summary(search: QueensSearch, up_to: str | None) -> str:
    words = outcome(search, search.name, search.backend, alike=f" up to {up_to}" if up_to else "")
    model = search.model
    return (
        f"{words}, {model.items:,} items, {plural(model.options, 'option')}, "
        f"{search.stats['seconds']:.2f} s"
    )
