"""`exactile design boards`: sets of pieces that fill all boards; solutions of each board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from exactile.answers import BoardSurvey, Status
from exactile.cli import options
from exactile.cli.common import answered, exit_code, rest_of
from exactile.cli.inline import read_puzzle
from exactile.cli.output import Output, print_json
from exactile.cli.table import options_of
from exactile.cli.words import plural, uses_text
from exactile.clock import CLOCK
from exactile.surveys.subsets.families import family

if TYPE_CHECKING:
    from exactile.files.reading import NamedPuzzle
    from exactile.puzzle import Puzzle

ROWS = 10
"""Number of boards of each kind in a table."""


@options_of("boards")
@click.option("--sets", is_flag=True, help="Find the sets of pieces that fill all boards.")
@options.number("--size", help="Number of pieces in a set.")
@options.cells
@options.symmetric("Of these regions, only those with at least N symmetries.")
@options.workers("Number of processes.", default=1)
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.jsonl",
    help="Keep results in FILE, and continue from those already there.",
)
@options.form("table", "toml", default="table")
@options.output
@options.time_limit()
@options.quiet()
def command(
    puzzle: str | list[NamedPuzzle],
    sets: bool,
    size: int | None,
    cells: int | None,
    symmetric: int,
    workers: int,
    store: Path | None,
    form: str,
    output: Output,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Find the sets of pieces that fill all boards, or count the solutions of each board.

    A puzzle has a board for each choice of the cells that may stay open, such as the dates of a
    calendar. The boards of several puzzles are taken together. --sets is for pieces with ranges
    such as "0..1": it tries each set of pieces that has the area of the boards. Without
    --sets, the solutions of each board are counted.

    -o FILE.toml writes a puzzle for each set, or for each board that can be filled.
    """
    from exactile.surveys.boards.survey import survey_boards, survey_puzzles

    begun = CLOCK.now()
    stated = [read_puzzle(each) for each in (puzzle if isinstance(puzzle, list) else [puzzle])]
    if cells is not None:
        stated = list(_family(stated, cells, symmetric))
    answer = answered(
        lambda watch: survey_boards(
            stated,
            sets=sets,
            size=size,
            workers=workers,
            store=store,
            time_limit=rest_of(time_limit, begun),
            watch=watch,
        ),
        quiet=quiet,
    )
    if as_json:
        print_json(answer)
    elif form == "toml":
        from exactile.files.puzzles.writer import document_text

        puzzles = survey_puzzles(stated, answer)
        if puzzles:
            output.write(document_text(puzzles, "Boards that can be filled."))
    else:
        lines = _of_sets(answer) if sets else _of_counts(answer)
        output.write("".join(f"{words}\n" for words in lines))
    if not (as_json or quiet):
        click.echo(_outcome(answer), err=True)
    return exit_code(Status.UNKNOWN if answer.stopped else Status.SOLVABLE, answer.stopped)


def _family(stated: list[Puzzle], cells: int, symmetric: int) -> Iterator[Puzzle]:
    """Yield the puzzles with the pieces of one puzzle and each region of a size."""
    if len(stated) != 1:
        raise click.UsageError("--cells uses the pieces of one puzzle: give one PUZZLE.")
    found = list(family(stated[0], cells, symmetric=symmetric))
    if not found:
        raise click.UsageError(f"No such region has the area of the pieces of {stated[0].name}.")
    yield from found


def _of_sets(answer: BoardSurvey) -> Iterator[str]:
    """Yield the sets that fill all boards, and the boards on which most sets fail."""
    for number, each in enumerate(answer.found, 1):
        yield f"{number:>5}  {uses_text(each.pieces)}"
    if answer.each:
        yield f"{'sets':>7}  fail on"
    for board in answer.each[:ROWS]:
        yield f"{board.refused or 0:>7,}  {board.board}"


def _of_counts(answer: BoardSurvey) -> Iterator[str]:
    """Yield the boards with the fewest and with the most solutions."""
    filled = [board for board in answer.each if board.raw]
    one = sum(board.symmetry == 1 for board in filled)
    yield f"{plural(len(answer.each) - len(filled), 'board')} without a solution"
    yield f"{plural(one, 'board')} with one solution up to symmetry"
    if filled:
        yield f"{'all':>11} {'symmetry':>11}  board"
    shown = filled if len(filled) <= 2 * ROWS else [*filled[:ROWS], None, *filled[-ROWS:]]
    for board in shown:
        if board is None:
            yield f"{'...':>11}"
            continue
        alike = f", and {board.alike - 1} like it" if board.alike > 1 else ""
        yield f"{board.raw or 0:>11,} {board.symmetry or 0:>11,}  {board.board}{alike}"


def _outcome(answer: BoardSurvey) -> str:
    """Return the numbers of boards and results, in words."""
    alike = f" ({answer.alike:,} with those that are alike)" * (answer.alike > answer.boards)
    words = f"{plural(answer.boards, 'board')}{alike}"
    if answer.sets is not None:
        fill = plural(len(answer.found), "set") + " of pieces"
        words += f", {answer.tried:,} of {plural(answer.sets, 'set')} tried: {fill} for all boards"
    else:
        counted = [board.raw for board in answer.each if board.raw is not None]
        some = f", {len(counted):,} of them counted" * (len(counted) < answer.boards)
        words += f"{some}, {plural(sum(counted), 'solution')}"
    return words + (f" ({answer.stopped})" if answer.stopped else "")
