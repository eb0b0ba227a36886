"""`exactile sudoku`: tells unique, ambiguous and contradictory sudokus apart, and solves them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import rich_click as click

from exactile.cli.common import (
    chosen_backend,
    external_option,
    is_given,
    json_option,
    plural,
    print_json,
    quiet_option,
)
from exactile.cli.lines import Progress
from exactile.errors import FileError
from exactile.files.exact_cover_writer import write_exact_cover
from exactile.grids.count import count_sudoku
from exactile.grids.lower import sudoku_model
from exactile.grids.reader import Variant, read_regions, read_sudokus
from exactile.grids.reasons import where
from exactile.grids.search import SudokuSearch, Verdict, judge, superfluous
from exactile.grids.sudoku import Grid, Sudoku
from exactile.grids.svg import svg_grid
from exactile.grids.text import draw_grid

EXIT_CODES = {"contradictory": 20, "unknown": 0}
"""Of a single sudoku; 10 for all other kinds."""

MOST_LISTED = 12
"""So many cells in which solutions differ are listed."""


def _boxes(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Return rows and columns of a box."""
    if value is None:
        return None
    numbers = re.fullmatch(r"([1-9]\d?)[xX]([1-9]\d?)", value)
    if numbers is None:
        raise click.BadParameter(f"{value!r}: write 2x3 for 2 rows by 3 columns.")
    return int(numbers[1]), int(numbers[2])


@dataclass
class Session:
    """What the command was told, and what it has found out."""

    name: str
    output: IO[str]
    form: str | None
    as_json: bool
    minimal: bool
    settings: dict[str, Any]
    progress: Progress
    kinds: Counter[str] = field(default_factory=Counter)
    documents: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False

    def take(self, sudoku: Sudoku, kind: str, text: str, **document: Any) -> None:
        """Write what was found out about a sudoku, or keep it for the document."""
        self.kinds[kind] += 1
        self.progress.clear()
        if self.as_json:
            head = {"line": sudoku.line, "status": kind, "givens": sudoku.text(sudoku.givens)}
            self.documents.append(head | document)
        else:
            self.write(text)

    def write(self, text: str) -> None:
        """Write a text at once."""
        self.output.write(text)
        self.output.flush()

    @property
    def exit_code(self) -> int:
        """The exit code for all sudokus: 20 if one has no solution, 10 if all have one."""
        codes = {EXIT_CODES.get(kind, 10) for kind in self.kinds}
        return next((code for code in (20, 0) if code in codes), 10)


@click.command("sudoku")
@click.argument("file", metavar="FILE")
@click.option(
    "--boxes", callback=_boxes, metavar="RxC", help="Rows and columns of a box, such as 2x3."
)
@click.option("--x", "diagonals", is_flag=True, help="Both diagonals hold every digit (X-sudoku).")
@click.option("--windows", is_flag=True, help="So do the windows between boxes (hyper sudoku).")
@click.option(
    "--jigsaw",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Regions instead of boxes: a character for each cell. They may stand in the first FILE "
    "too, behind a line `regions`.",
)
@click.option("--number", type=click.IntRange(1), metavar="N", help="Only the sudoku number N.")
@click.option("--all", "find_all", is_flag=True, help="Print all solutions.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Print up to N solutions.")
@click.option("--count", "counted", is_flag=True, help="Print the number of solutions.")
@click.option("--minimal", is_flag=True, help="Tell which givens are superfluous.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "line", "svg", "xcc"]),
    help="text: drawn; line: all cells on a line; svg: a picture; xcc: the model as an exact-cover "
    "file. If left out, text for one sudoku, line for several.",
)
@click.option(
    "-o", "--output", type=click.File("w", lazy=True), default="-", help="Write to a file."
)
@click.option(
    "--backend",
    default="dlx",
    show_default=True,
    metavar="NAME",
    help="dlx, cpsat, sat, sat:NAME, dlx:KERNEL, reference; see `exactile backends`.",
)
@external_option
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop the search for each sudoku after this time.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option(
    "--workers",
    type=click.IntRange(1, 2**15),
    metavar="N",
    help="Threads, where a solver has them.",
)
@click.option(
    "--no-reasons", is_flag=True, help="Search even where a simple reason rules solutions out."
)
@quiet_option
@json_option
def command(
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
    form: str | None,
    output: IO[str],
    external: str | None,
    no_reasons: bool,
    quiet: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Solve the sudokus of a file; - is standard input.

    A sudoku is unique, ambiguous (more than one solution) or contradictory (none). FILE has one in
    each line, or a row in each line; any size.

    Exit code: 10 solvable, 20 if one is contradictory, 0 unknown.
    """
    _refuse_contradictions(
        find_all=find_all, limit=limit, counted=counted, minimal=minimal, form=form, as_json=as_json
    )
    if boxes and jigsaw:
        raise click.UsageError("--boxes and --jigsaw exclude each other.")
    settings["backend"] = chosen_backend(settings["backend"], external)
    regions = read_regions(jigsaw, diagonals=diagonals) if jigsaw else None
    sudokus = read_sudokus(file, Variant(boxes, diagonals, windows, regions))
    name = "standard input" if file == "-" else Path(file).name
    progress = Progress(enabled=not quiet)
    session = Session(name, output, form, as_json, minimal, settings, progress)
    sudokus = _chosen(name, sudokus, number or (1 if form in ("svg", "xcc") else None))
    try:
        if form == "xcc":
            return _export(session, next(sudokus))
        for sudoku in _announced(session, sudokus):
            if counted:
                _count(session, sudoku)
            elif find_all or limit is not None:
                _list(session, sudoku, limit)
            else:
                _judge(session, sudoku, use_reasons=not no_reasons)
    except KeyboardInterrupt:
        session.interrupted = True
        _finish(session, quiet=quiet)
        raise
    finally:
        progress.clear()
    _finish(session, quiet=quiet)
    return session.exit_code


def _refuse_contradictions(
    *,
    find_all: bool,
    limit: int | None,
    counted: bool,
    minimal: bool,
    form: str | None,
    as_json: bool,
) -> None:
    """Raise if options exclude each other."""
    tasks = {"--all": find_all, "--limit": limit, "--count": counted, "--minimal": minimal}
    given = [name for name, value in tasks.items() if value]
    if form in ("svg", "xcc"):
        given.append(f"--format {form}")
    if len(given) > 1:
        raise click.UsageError(f"{given[0]} and {given[1]} exclude each other.")
    if as_json and (form is not None or is_given("output")):
        raise click.UsageError("--json prints one document: leave out --format and --output.")


def _chosen(name: str, sudokus: Iterator[Sudoku], number: int | None) -> Iterator[Sudoku]:
    """Yield one of the sudokus, or all."""
    if number is None:
        yield from sudokus
        return
    sudoku = next(islice(sudokus, number - 1, None), None)
    if sudoku is None:
        raise FileError(f"{name}: it has no sudoku number {number}.")
    yield sudoku


def _announced(session: Session, sudokus: Iterator[Sudoku]) -> Iterator[Sudoku]:
    """Yield the sudokus; before that choose the format, which depends on whether there are more."""
    start = list(islice(sudokus, 1 if session.form else 2))
    session.form = session.form or ("text" if len(start) == 1 else "line")
    return chain(start, sudokus)


def _judge(session: Session, sudoku: Sudoku, *, use_reasons: bool) -> None:
    """Tell whether a sudoku is unique, ambiguous or contradictory."""
    settings = session.settings
    verdict = judge(sudoku, use_reasons=use_reasons, watch=session.progress, **settings)
    spare = None
    if session.minimal and verdict.kind == "unique":
        spare = superfluous(sudoku, **settings)
    session.take(
        sudoku,
        verdict.kind,
        _told(session.form or "", verdict, spare),
        solutions=[sudoku.text(grid) for grid in verdict.solutions],
        differing=[_place(sudoku, cell) for cell in verdict.differing],
        reason=verdict.reason,
        superfluous=spare if spare is None else [_place(sudoku, cell) for cell in spare],
        stopped=verdict.stopped if verdict.kind in ("solvable", "unknown") else None,
        stats=verdict.stats,
    )


def _place(sudoku: Sudoku, cell: int) -> list[int]:
    """Return row and column, from 1."""
    return [k + 1 for k in divmod(cell, sudoku.layout.size)]


def _told(form: str, verdict: Verdict, spare: list[int] | None) -> str:
    """Return what is printed of a verdict."""
    sudoku = verdict.sudoku
    grid = verdict.solutions[0] if verdict.solutions else sudoku.givens
    if form == "svg":
        return svg_grid(sudoku, grid, verdict.differing)
    remarks = list(_remarks(verdict, spare))
    if form == "line":
        return sudoku.text(grid) + "".join(f"  # {r}" for r in remarks) + "\n"
    grids = verdict.solutions or (sudoku.givens,)
    drawn = "\n".join(draw_grid(sudoku, g) for g in grids)
    return drawn + "".join(f"# {remark}\n" for remark in remarks)


def _remarks(verdict: Verdict, spare: list[int] | None) -> Iterator[str]:
    """Yield what is said beside a grid; nothing of a solution that is unique."""
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
    if spare is not None and not spare:
        yield "minimal: no given is superfluous"
    elif spare:
        cells = [f"{where(sudoku, c)} ({sudoku.symbols[sudoku.givens[c] - 1]})" for c in spare]
        yield f"{plural(len(spare), 'given')} superfluous, each by itself: {'; '.join(cells)}"


def _list(session: Session, sudoku: Sudoku, limit: int | None) -> None:
    """Print solutions as they are found."""
    search = SudokuSearch(sudoku, limit=limit, watch=session.progress, **session.settings)
    kept = []
    for grid in search:
        session.progress.clear()
        if session.as_json:
            kept.append(sudoku.text(grid))
        else:
            before = "\n" if session.form == "text" and search.cover.found > 1 else ""
            session.write(before + _written(session.form or "", sudoku, grid))
    found = search.cover.found
    session.take(
        sudoku,
        search.kind,
        "" if found else _written(session.form or "", sudoku, sudoku.givens, f"{search.kind}"),
        found=found,
        solutions=kept,
        stopped=search.cover.stopped,
        stats=search.cover.stats,
    )


def _written(form: str, sudoku: Sudoku, grid: Grid, remark: str = "") -> str:
    """Return a grid, drawn or on a line."""
    if form == "text":
        return draw_grid(sudoku, grid) + (f"# {remark}\n" if remark else "")
    return sudoku.text(grid) + (f"  # {remark}" if remark else "") + "\n"


def _count(session: Session, sudoku: Sudoku) -> None:
    """Print the number of solutions."""
    counted = count_sudoku(sudoku, time_limit=session.settings["time_limit"])
    number = counted.number
    kind = "unknown" if number is None else ("contradictory", "unique", "ambiguous")[min(number, 2)]
    text = "not counted in this time" if number is None else str(number)
    session.take(
        sudoku,
        kind,
        text + "\n",
        raw=number,
        method=counted.method,
        factor=counted.factor,
        stopped="time limit" if number is None else None,
        stats={"nodes" if counted.method == "search" else "states": counted.work},
    )


def _export(session: Session, sudoku: Sudoku) -> int:
    """Write the model as an exact-cover file."""
    size = sudoku.layout.size
    comments = [f"sudoku of {size} by {size}: {sudoku.text(sudoku.givens)}"]
    write_exact_cover(sudoku_model(sudoku).model, session.output, comments=comments)
    return 0


def _finish(session: Session, *, quiet: bool) -> None:
    """Print the document, or say on stderr what was found."""
    if session.as_json:
        names = ("unique", "ambiguous", "contradictory", "solvable", "unknown")
        print_json(
            {
                "file": session.name,
                "backend": session.settings["backend"],
                **{name: session.kinds[name] for name in names},
                "stopped": "interrupted" if session.interrupted else None,
                "sudokus": session.documents,
            }
        )
    elif not quiet and session.kinds:
        number = plural(session.kinds.total(), "sudoku")
        told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(session.kinds.items()))
        told = next(iter(session.kinds)) if session.kinds.total() == 1 else f"{number}: {told}"
        click.echo(f"{session.name}, {session.settings['backend']}: {told}", err=True)
