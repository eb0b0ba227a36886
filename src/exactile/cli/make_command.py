"""`exactile make`: pieces as files for 3D printers."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from exactile.answers import INTERRUPTED, MadeFileEntry, MadeList, Status
from exactile.cli import options
from exactile.cli.common import exit_code, solution_of
from exactile.cli.inline import read_puzzle
from exactile.cli.lines import Line
from exactile.cli.output import NewDirectory, print_answer
from exactile.cli.table import Declared, options_of
from exactile.errors import ExactileError, NotFoundError

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle, Solution


def _size(name: str, help: str, default: float | None = None, *, zero: bool = False) -> Declared:
    """Return the option of a size in millimeters; `zero`: whether 0 is accepted."""
    kind = options.Number(min=0, min_open=not zero)
    return options.option(name, type=kind, default=default, metavar="MM", help=help)


def _sides(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[float, ...] | None:
    """Return the sides of a sheet."""
    if value is None:
        return None
    if not re.fullmatch(r"\d{1,5}(\.\d+)?[xX×]\d{1,5}(\.\d+)?", value):
        raise click.BadParameter(
            f"{value!r}: write width x height in millimeters, such as 600x400.", context, parameter
        )
    return tuple(map(float, re.split("[xX×]", value)))


class _SolutionFile(click.Path):
    """The type of the argument FILE; the message about a missing file also mentions puzzles."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the name of a file that can be read."""
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
    help="Number of the solution in FILE. By default the first.",
)
@click.option(
    "-o",
    "--output",
    "directory",
    type=NewDirectory(),
    metavar="DIR",
    help="New directory for the files; named after the puzzle by default.",
)
@_size("--cell", "Longest side of a cell, or length of an edge, in millimeters.", 15)
@_size(
    "--height",
    "Height of flat pieces (half of --cell by default), or of a layer of prisms (--cell "
    "by default).",
)
@_size("--gap", "Gap between pieces, and between pieces and tray.", 0.2, zero=True)
@_size("--bevel", "Width that is cut off outer edges.", 0, zero=True)
@_size("--wall", "Thickness of walls and plates, and width of bars.", 3)
@click.option(
    "--sheet",
    callback=_sides,
    metavar="AxB",
    help="Also lay out flat pieces and a frame on sheets of AxB millimeters.",
)
@_size("--kerf", "Width of the laser's cut.", 0, zero=True)
@_size("--radius", "Radius of the corners of cut pieces.", 0, zero=True)
@options.time_limit(
    "Stop searching for a solution after this time; writing the files has no limit."
)
@options.quiet()
def command(
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

    Flat pieces are also written as outlines, in true size for paper and, with --sheet, for a laser
    cutter.

    The solution comes from FILE, or is the first one found; it is written assembled and exploded.
    If PUZZLE is a set such as pentominoes, only pieces are written.
    """
    from exactile.render.making.sizes import Sizes
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
    """Return the puzzle with this name, or the name if it is that of a set of pieces."""
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
    """Return solution `number` of a file, or else any solution; and the status."""
    if file is not None:
        return solution_of(file, puzzle, number), Status.SOLVABLE
    from exactile.puzzle.coordinates import from_coordinates
    from exactile.reasons.verdict import prove

    verdict = prove(puzzle, time_limit=time_limit)
    if verdict.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    solution = verdict.solution and from_coordinates(puzzle, verdict.solution)
    return solution or None, verdict.status
