"""`exactile design`: make challenges with one solution, grade puzzles, choose pieces for boards.

A board is the region of a puzzle with some cells left open, such as a calendar on one date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from exactile.answers import (
    BoardSurvey,
    Challenge,
    ChallengeList,
    FailedPuzzle,
    Grade,
    GradeList,
    Status,
)
from exactile.cli import options
from exactile.cli.common import answered, exit_code, rest_of
from exactile.cli.drawing_commands import require_each, write_each
from exactile.cli.output import SHEETS, Output, print_json, require_file
from exactile.cli.table import options_of
from exactile.cli.words import Line, about, plural, uses_text
from exactile.clock import CLOCK
from exactile.errors import ExactileError, Interrupted, clipped
from exactile.files.reading import NamedPuzzle
from exactile.surveys.subsets.families import family

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle
    from exactile.render.sheets import SheetBoard

MOST_CHOICES = 300


@click.group("design")
def command() -> None:
    """Make challenges with one solution, grade puzzles, and choose pieces for boards."""


@options_of("challenges")
@options.number("-n", "number", default=1, help="Number of challenges.")
@options.number(
    "--open",
    "open_pieces",
    help="Give all pieces but N, which are to be placed: the larger N, the harder. By default, N "
    "is not fixed.",
)
@click.option(
    "--given",
    type=click.Choice(["pieces", "open", "both", "colors"]),
    default="pieces",
    show_default=True,
    help="Kind of clues. pieces: pieces in their places; open: cells that stay uncovered; both: "
    "these two; colors: cells that show which piece covers them.",
)
@click.option(
    "--symmetric",
    is_flag=True,
    help="The part of the region that is left to be filled is symmetric.",
)
@click.option(
    "--fewest",
    is_flag=True,
    help="Find challenges with the fewest clues, and prove that fewer clues leave several "
    "solutions.",
)
@click.option("--graded", is_flag=True, help="Grade the challenges, and put the easiest first.")
@click.option(
    "--level",
    type=click.IntRange(1, 6),
    metavar="1-6",
    help="Find only challenges of this level, from 1 (easy) to 6 (fiendish); see `exactile design "
    "grade`.",
)
@options.seed
@options.workers(
    "Number of processes; with more than one, the challenges found depend on chance.", default=1
)
@options.form("table", "text", "toml", *SHEETS, default="table")
@options.output
@options.time_limit()
@options.quiet()
def challenges(
    puzzle: Puzzle, form: str, output: Output, quiet: bool, as_json: bool, **asked: Any
) -> int:
    """Make challenges for people: clues that leave exactly one solution.

    Unless --open, --level or --set symmetric is given, each challenge is minimal: if any one of its
    clues is removed, it has several solutions. No two challenges are equal up to symmetry. A second
    method confirms that each has one solution.

    -o FILE.toml writes the challenges as puzzles, for `exactile sheet` and all other commands.
    """
    from exactile.surveys.design.challenges import design_challenges

    require_file(form, output)
    if form in SHEETS:
        require_each(1, form, output)
    answer = answered(lambda watch: design_challenges(puzzle, watch=watch, **asked), quiet=quiet)
    if as_json:
        print_json(answer)
    else:
        _write(puzzle, answer, form, output)
        if not quiet:
            click.echo(_outcome(answer), err=True)
    found = Status.SOLVABLE if answer.challenges else Status.UNKNOWN
    return exit_code(found, None if answer.stopped in (None, "all") else answer.stopped)


@options_of("grade")
@click.option("--hints", "hinted", is_flag=True, help="Show the steps, each with its reason.")
@options.number(
    "--most-choices",
    default=MOST_CHOICES,
    help="Give up after trying out N placements; the level is then 6.",
)
@options.form(
    "text",
    *SHEETS,
    default="text",
    help="text: the levels, and with --hints the steps; svg, png, pdf: pictures of the steps.",
)
@options.output
@options.time_limit("Stop grading a puzzle after this time.")
@options.quiet()
def grade(
    puzzle: Puzzle | list[NamedPuzzle],
    hinted: bool,
    most_choices: int,
    form: str,
    output: Output,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Grade how hard puzzles with one solution are for a person.

    A puzzle is solved step by step, always by the simplest reason that applies. The hardest reason
    needed decides the level. Level 1: only one placement is left for a cell or a piece. Levels 2 to
    4: a placement is excluded, because (2) it would cut off a hole of a wrong size, (3) it would
    take a cell or a piece that every placement for some other cell or piece needs, or (4) looking
    ahead, some cell or piece would be left without a placement. Level 5: up to five
    placements must be tried out. Level 6: more.

    -o FILE.pdf draws the steps: a board for each piece that is placed, with the reason. If one of
    several puzzles has an error, the error is reported, and the other puzzles are graded.
    """
    require_file(form, output)
    if form in SHEETS:
        require_each(1, form, output)
    named = puzzle if isinstance(puzzle, list) else [NamedPuzzle.of(puzzle)]
    width = max(len(each.name) for each in named) if named[1:] else 0
    found: list[tuple[Puzzle, Grade]] = []
    failed: list[FailedPuzzle] = []
    stopped = None
    with Line(enabled=not quiet) as line:
        try:
            for done in _each_grade(named, most_choices, time_limit, line):
                line.clear()
                if isinstance(done, FailedPuzzle):
                    failed.append(done)
                    if not as_json:
                        click.echo(about(done.puzzle, done.error), err=True)
                    continue
                found.append(done)
                if form == "text" and not as_json:
                    output.write(_grade_lines(done[1], width, hinted=hinted))
                elif not (as_json or quiet):
                    click.echo(_grade_line(done[1], width), err=True)
        except Interrupted as interrupted:
            stopped = interrupted.answer.stopped
    if form in SHEETS:
        _draw_steps(found, form, output)
    if as_json:
        print_json(GradeList(grades=tuple(grade for _, grade in found), failed=tuple(failed)))
    stopped = stopped or next((own.stopped for _, own in found if own.level is None), None)
    code = exit_code(Status.SOLVABLE, stopped)
    return 1 if failed and not code else code


def _each_grade(
    named: Sequence[NamedPuzzle], most_choices: int, time_limit: float | None, line: Line
) -> Iterator[tuple[Puzzle, Grade] | FailedPuzzle]:
    """Yield each puzzle with its grade, or the error that prevented the grade.

    The error is raised instead if there is only one puzzle. After Ctrl-C, Interrupted is raised.
    """
    from exactile.surveys.design.grading import grade

    for each in named:
        try:
            stated = each.load()
            found = grade(stated, most_choices=most_choices, time_limit=time_limit, watch=line.show)
            yield stated, found
        except Interrupted:
            raise
        except ExactileError as error:
            if len(named) == 1:
                raise
            yield FailedPuzzle(puzzle=each.name, error=clipped(str(error)))


def _grade_lines(grade: Grade, width: int, *, hinted: bool) -> str:
    """Return the line of a grade; with `hinted`, followed by a line for each of its steps.

    `width`: the width of the column of names.
    """
    from exactile.surveys.design.grading import hints

    steps = hints(grade) if hinted else ()
    return "".join(
        f"{words}\n" for words in (_grade_line(grade, width), *(f"  {h}" for h in steps))
    )


def _draw_steps(found: Sequence[tuple[Puzzle, Grade]], form: str, output: Output) -> None:
    """Draw the steps that place a piece, for each puzzle; report if there are none.

    If there are several puzzles, each step has the name of its puzzle above it.
    """
    from exactile.render.sheets import draw_pages

    drawn = [
        step
        for puzzle, grade in found
        for step in _drawn_steps(puzzle, grade, f"{puzzle.name}\n" * bool(found[1:]))
    ]
    if drawn:
        write_each(draw_pages(drawn), form, output)
    else:
        click.echo("There are no steps: nothing is drawn.", err=True)


def _drawn_steps(puzzle: Puzzle, grade: Grade, name: str) -> Iterator[SheetBoard]:
    """Yield a picture for each step that places a piece: all pieces so far, and the reason.

    Pieces that are only tried out are left out. `name`: text that precedes each reason.
    """
    from exactile.puzzle.coordinates import from_coordinates
    from exactile.render.sheets import SheetBoard
    from exactile.surveys.design.grading import brief_hints

    placed = puzzle.fixed
    right = (step for step in grade.steps if step.kind == "place" and not step.depth)
    for step, words in zip(right, brief_hints(grade), strict=True):
        assert step.placement is not None
        placed += from_coordinates(puzzle, [step.placement])
        yield SheetBoard(puzzle, placed, name + words)


def _grade_line(grade: Grade, width: int) -> str:
    if grade.level is None:
        return f"{grade.puzzle:{width}}  unknown ({grade.stopped})"
    if grade.stopped:
        return f"{grade.puzzle:{width}}  {grade.level} {grade.word} (too many choices)"
    parts = [
        plural(len(grade.steps), "step"),
        f"{grade.excluded:,} exclusions" if grade.excluded else "",
        plural(grade.choices, "choice") if grade.choices else "",
    ]
    return f"{grade.puzzle:{width}}  {grade.level} {grade.word}: {', '.join(filter(None, parts))}"


command.add_command(challenges)
command.add_command(grade)


def _write(puzzle: Puzzle, answer: ChallengeList, form: str, output: Output) -> None:
    """Write challenges as a table, texts, a puzzle file or pictures.

    If there are no challenges, nothing is written except in the format ``table``.
    """
    from exactile.surveys.design.challenges import challenge_puzzles

    puzzles = challenge_puzzles(puzzle, answer)
    if form == "table":
        output.write("".join(f"{words}\n" for words in _lines(answer)))
        return
    if not puzzles:
        return
    if form == "text":
        from exactile.render import draw_text

        for number, (each, challenge) in enumerate(zip(puzzles, answer.challenges, strict=True), 1):
            head = f"{number}. {_words(challenge)}\n"
            output.write(("\n" if number > 1 else "") + head + draw_text(each, each.fixed))
    elif form == "toml":
        from exactile.files.puzzles.writer import document_text

        output.write(
            document_text(puzzles, f"Challenges of {puzzle.name}, with one solution each.")
        )
    else:
        from exactile.render.sheets import SheetBoard, draw_pages

        boards = [
            SheetBoard(each, each.fixed, f"{number}. {each.title}")
            for number, each in enumerate(puzzles, 1)
        ]
        write_each(draw_pages(boards, bank=True), form, output)


def _lines(answer: ChallengeList) -> Iterator[str]:
    if answer.fewest is not None:
        yield f"{answer.puzzle}: {plural(answer.fewest, 'clue')} at least"
        for tally in answer.tallies:
            solutions = plural(tally.solutions, "solution")
            yield f"  {solutions} up to symmetry by {plural(tally.clues, 'clue')}"
    graded = any(challenge.word for challenge in answer.challenges)
    if answer.challenges:
        yield f"{'':>4} {'clues':>5} {'open':>5}  {'level'.ljust(18) * graded}given"
    for number, challenge in enumerate(answer.challenges, 1):
        clues = len(challenge.given) + len(challenge.open_units) + len(challenge.colors)
        level = f"{challenge.level or '-'} {challenge.word:16}" * graded
        remark = "" if challenge.minimal else "  (not minimal)"
        numbers = f"{number:>4} {clues:>5} {challenge.open_pieces:>5}  "
        yield f"{numbers}{level}{_clues(challenge)}{remark}"


def _words(challenge: Challenge) -> str:
    word = f", {challenge.word}" if challenge.word else ""
    return f"{_clues(challenge)}; {plural(challenge.open_pieces, 'piece')} open{word}"


def _clues(challenge: Challenge) -> str:
    """Return the clues of a challenge in words: placed pieces, colors of cells, open cells.

    If there are none, return ``nothing``.
    """
    units = [",".join(map(str, unit)) for unit in challenge.open_units]
    pieces = " ".join(placed.piece for placed in challenge.given)
    words = [pieces] if pieces else []
    words += [f"{piece} on {','.join(map(str, unit))}" for piece, unit in challenge.colors]
    return "; ".join([*words, *([f"open {' '.join(units)}"] if units else [])]) or "nothing"


def _outcome(answer: ChallengeList) -> str:
    """Return in words the number of challenges and the method that counted their solutions again.

    If the work ended early, the reason follows.
    """
    why = {
        None: "",
        "all": " (there are no more)",
        "attempts": f" ({plural(answer.attempts, 'attempt')} gave no more)",
    }.get(answer.stopped, f" ({answer.stopped})")
    each = "each " if answer.challenges[1:] else ""
    checked = f", {each}counted again by {answer.checked_by}" if answer.challenges else ""
    return f"{answer.puzzle}: {plural(len(answer.challenges), 'challenge')}{checked}{why}"


ROWS = 10
"""Largest number of boards in a table of sets; a table of counts has at most this many at each end.
"""


@options_of("boards")
@click.option("--sets", is_flag=True, help="Find the sets of pieces that fill every board.")
@options.number("--size", help="With --sets, try only sets of N pieces; by default, of any number.")
@options.cells
@options.symmetric("With --cells, only regions with at least N symmetries.")
@options.workers("Number of processes.", default=1)
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.jsonl",
    help="Write each result to FILE at once, and do not repeat work whose results are in FILE.",
)
@options.form("table", "toml", default="table")
@options.output
@options.time_limit()
@options.quiet()
def boards(
    puzzle: Puzzle | list[NamedPuzzle],
    cells: int | None,
    symmetric: int,
    form: str,
    output: Output,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
    **asked: Any,
) -> int:
    """Find the sets of pieces that fill every board of a puzzle, or count each board's solutions.

    A puzzle has a board for each choice of cells to leave open: a calendar has one for each date.
    Boards whose area no choice of the pieces has are left out. The boards of several puzzles are
    taken together. Without --sets, the solutions of each board are counted; the table shows the
    boards with the fewest and the most, and --json lists all. Of boards that are equal up to
    symmetry, only one is used.

    --sets tries all sets of pieces that have the area of the boards, and lists those that fill
    every board. A piece may be left out if the puzzle gives it a range of uses such as "0..1".

    -o FILE.toml writes the puzzles with each set, or a puzzle for each board that can be filled.
    """
    from exactile.surveys.boards.survey import survey_boards, survey_puzzles

    begun = CLOCK.now()
    stated = [each.load() for each in puzzle] if isinstance(puzzle, list) else [puzzle]
    if cells is not None:
        stated = list(_family(stated, cells, symmetric))
    left = rest_of(time_limit, begun)
    answer = answered(
        lambda watch: survey_boards(stated, time_limit=left, watch=watch, **asked), quiet=quiet
    )
    if as_json:
        print_json(answer)
    elif form == "toml":
        from exactile.files.puzzles.writer import document_text

        puzzles = survey_puzzles(stated, answer)
        if puzzles:
            output.write(document_text(puzzles, "Boards that can be filled."))
    else:
        lines = _of_sets(answer) if asked["sets"] else _of_counts(answer)
        output.write("".join(f"{words}\n" for words in lines))
    if not (as_json or quiet):
        click.echo(_boards_outcome(answer), err=True)
    return exit_code(Status.UNKNOWN if answer.stopped else Status.SOLVABLE, answer.stopped)


command.add_command(boards)


def _family(stated: list[Puzzle], cells: int, symmetric: int) -> Iterator[Puzzle]:
    """Yield a puzzle for each region of `cells` connected cells, with the pieces of `stated`.

    Regions with fewer than `symmetric` symmetries, or with an area that the pieces cannot have, are
    left out. Raise click.UsageError if there is not exactly one puzzle, or if no region is left.
    Raise PuzzleError as `exactile.surveys.subsets.families.family` does.
    """
    if len(stated) != 1:
        raise click.UsageError("--cells uses the pieces of one puzzle: give one PUZZLE.")
    found = list(family(stated[0], cells, symmetric=symmetric))
    if not found:
        kind = f" with {symmetric} symmetries or more" if symmetric > 1 else ""
        raise click.UsageError(
            f"No such region{kind} has the area of the pieces of {stated[0].name}."
        )
    yield from found


def _of_sets(answer: BoardSurvey) -> Iterator[str]:
    """Yield lines: the sets of pieces that fill all boards, then the hardest boards.

    There are at most `ROWS` boards. The line of a board begins with the number of sets that are
    known not to fill it.
    """
    for number, each in enumerate(answer.found, 1):
        yield f"{number:>5}  {uses_text(each.pieces)}"
    if answer.each:
        yield f"{'sets':>7}  fail on"
    for board in answer.each[:ROWS]:
        yield f"{board.refused or 0:>7,}  {board.board}"


def _of_counts(answer: BoardSurvey) -> Iterator[str]:
    """Yield lines about the numbers of solutions of boards.

    First come the number of boards without a solution, and that of boards with one solution up to
    symmetry, then a table of the boards with the fewest and with the most solutions.
    """
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


def _boards_outcome(answer: BoardSurvey) -> str:
    """Return in words the number of boards, and the number of sets or solutions found for them.

    If the survey ended early, the reason follows.
    """
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
