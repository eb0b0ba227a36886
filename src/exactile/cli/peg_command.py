"""`exactile peg`: find, count and draw solutions of peg solitaire, or show why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import rich_click as click

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, PegAnswer, Status
from exactile.backends import get_backend
from exactile.backends.base import Backend
from exactile.classics.drawings import after, draw_solution
from exactile.classics.peg.board import load_board
from exactile.classics.peg.check import Solution
from exactile.classics.peg.problem import PegProblem, problems, written
from exactile.classics.peg.search import PegLimits
from exactile.classics.peg.verbs import (
    NATIVE,
    PegTally,
    Play,
    PlayOutcome,
    PlaySettings,
    counted_answer,
    overall,
    played,
    solved_answer,
    tallied,
)
from exactile.cli import options
from exactile.cli.common import exit_code, report_seed, require_agreement
from exactile.cli.output import SHEETS, Output, Picture, print_json, require_file
from exactile.cli.table import options_of
from exactile.cli.words import Line, plural
from exactile.errors import BackendNotFoundError


@dataclass(frozen=True)
class Wanted:
    """The output that `exactile peg` is to make.

    `limit`: number of solutions from each start; None for all. `form`: the format. `line`: the
    progress line, which is cleared before anything is written.
    """

    limit: int | None
    form: str
    output: Output
    quiet: bool
    as_json: bool
    line: Line

    def write(self, text: str) -> None:
        """Write a text to the output; if the format is a picture, the text is SVG."""
        self.line.clear()
        if self.form in SHEETS:
            Picture(self.output, self.form).write(text)
        else:
            self.output.write(text)


@options_of("peg")
@click.argument("board", metavar="BOARD")
@click.option(
    "--start",
    type=options.Whole(),
    metavar="HOLE",
    help="Hole that is empty at the start; by default, that of the board file, or else each hole "
    "in turn.",
)
@click.option(
    "--end",
    type=options.Whole(),
    metavar="HOLE",
    help="Hole of the last peg; by default, the goal of the board file, or else any hole.",
)
@click.option(
    "--shortest",
    is_flag=True,
    help="Find only solutions with the fewest moves; successive jumps of one peg are one move.",
)
@options.counted("Print the number of solutions, not the solutions.")
@click.option(
    "--by-moves", is_flag=True, help="With --count, count the solutions by number of moves."
)
@click.option("--holes", is_flag=True, help="Only show the board with the numbers of its holes.")
@options.backend(
    "Solver. native is made for peg solitaire; dlx, cpsat, sat:NAME and others solve a Boolean "
    "model of it.",
    default=NATIVE,
)
@click.option("--pagoda", is_flag=True, help="Look for a pagoda function before searching.")
@options.use_reasons
@options.form(
    *("lines", "boards", *SHEETS),
    default="lines",
    help="lines: the moves of each solution on a line; boards, svg, png, pdf: drawings of the "
    "moves of one solution.",
)
@options.output
@options.time_limit()
@options.memory("Memory limit of each search", " (default 4G).", least=1 << 20)
@options.seed
@options.workers(options.LISTED)
@options.exit_code
@options.quiet()
def command(**given: Any) -> int:
    """Solve peg solitaire, or show why there is no solution.

    BOARD is english, european, wiegleb, asymmetric, triangle-N, hexagon-N, rhombus-N, diamond-N,
    square-N, FILE.toml or FILE.toml#NAME. Holes are numbered from 1, row by row from the top.

    A start is the hole that is empty at first. By default, one solution from each start is printed;
    with --limit N, up to N.
    """
    require_file(given["form"], given["output"])
    require_agreement(given["backend"])
    takes_seed = given["backend"] != NATIVE and _backend(given["backend"]).takes_seed
    board = load_board(given["board"])
    if given["holes"]:
        given["output"].write(board.numbered() + "\n")
        return 0
    report_seed(given["backend"], takes_seed=takes_seed, quiet=given["quiet"])
    every = problems(board, given["start"], given["end"])
    limit = None if given["find_all"] else given["limit"] or 1
    settings = PlaySettings(
        given["backend"],
        given["shortest"],
        use_reasons=given["use_reasons"],
        pagoda=given["pagoda"],
        workers=given["workers"],
        seed=given["seed"],
    )
    with Line(enabled=not given["quiet"]) as line:
        wanted = Wanted(
            limit, given["form"], given["output"], given["quiet"], given["as_json"], line
        )
        limits = PegLimits(  # the time is for all starts together, the memory for each
            given["time_limit"],
            given["memory"],
            lambda positions: line.show(f"{positions:,} positions"),
        )
        if given["counted"]:
            return _count(every, settings, wanted, limits, by_moves=given["by_moves"])
        work = _solve if wanted.form == "lines" else _show
        return work(every, settings, wanted, limits)


def _backend(name: str) -> Backend:
    """Return the backend `name`; BackendNotFoundError for an unknown name also lists `NATIVE`."""
    try:
        return get_backend(name)
    except BackendNotFoundError as error:
        raise BackendNotFoundError(f"{error} For pegs also {NATIVE}, the default.") from None


def _solve(
    every: list[PegProblem], settings: PlaySettings, wanted: Wanted, limits: PegLimits
) -> int:
    """Find solutions from every start; return the exit code.

    Each solution is printed when it is found. For a start without solutions, the reason is printed.
    With --json, all results are printed at the end. After Ctrl-C, the results so far are printed
    and KeyboardInterrupt is raised.
    """
    alone = len(every) == 1
    outcomes: list[PlayOutcome] = []

    def write(problem: PegProblem, text: str) -> None:
        if not wanted.as_json:
            wanted.write(text if alone else f"{name_of(problem)}: {text}")

    def tell(problem: PegProblem, solution: Solution) -> None:
        write(problem, f"{written(solution)}\n")

    keep = wanted.as_json or wanted.limit is not None
    try:
        for outcome in played(every, settings, limits, wanted.limit, tell, keep=keep):
            outcomes.append(outcome)
            searched = outcome.stopped != INTERRUPTED
            if searched and outcome.status in (Status.UNSOLVABLE, Status.UNKNOWN):
                unsolvable = alone and outcome.status is Status.UNSOLVABLE
                text = reasons_text(outcome) if unsolvable else verdict(outcome)
                write(outcome.problem, f"{text}\n")
    except KeyboardInterrupt:
        _end(solved_answer(every, settings.backend, outcomes), every, wanted)
        raise
    return _end(solved_answer(every, settings.backend, outcomes), every, wanted)


def _end(answer: PegAnswer, every: list[PegProblem], wanted: Wanted) -> int:
    """Print the answer as JSON, or report on stderr how many starts have a solution.

    With --quiet, nothing is reported. Return the exit code. `every`: the problems, one for each
    start.
    """
    wanted.line.clear()
    if wanted.as_json:
        print_json(answer)
    elif not wanted.quiet:
        _summarize(every, answer.backend, [start.status for start in answer.starts])
    stopped = (start.stopped for start in answer.starts)
    early = next((reason for reason in stopped if reason not in (None, SOLUTION_LIMIT)), None)
    return exit_code(answer.status, early)


def _show(
    every: list[PegProblem], settings: PlaySettings, wanted: Wanted, limits: PegLimits
) -> int:
    """Draw one solution, from the first start that has any; return the exit code.

    If no start has a solution, report on stderr how many starts are unsolvable and unknown.
    """
    statuses = []
    for problem in every:
        play = Play(problem, settings, limits)
        for solution in islice(play, 1):
            wanted.write(
                draw_solution(problem.board, problem.start, solution)
                if wanted.form in SHEETS
                else boards_text(problem, solution)
            )
            return exit_code(Status.SOLVABLE)
        statuses.append(play.status)
    wanted.line.clear()
    if not wanted.quiet:
        _summarize(every, settings.backend, statuses)
    return exit_code(overall(statuses, len(every)))


def _count(
    every: list[PegProblem],
    settings: PlaySettings,
    wanted: Wanted,
    limits: PegLimits,
    *,
    by_moves: bool,
) -> int:
    """Count the solutions from every start, and print the numbers; return the exit code.

    After Ctrl-C, the numbers so far are printed and KeyboardInterrupt is raised. `by_moves`:
    whether to count solutions by their number of moves.
    """
    tallies: list[PegTally] = []

    def end() -> int:
        if tallies and not wanted.as_json:
            wanted.write(count_text(tallies, len(every)))
        return _end(counted_answer(every, settings.backend, tallies), every, wanted)

    try:
        tallies.extend(tallied(every, settings, limits, by_moves=by_moves))
    except KeyboardInterrupt:
        end()
        raise
    return end()


def _summarize(every: list[PegProblem], backend: str, statuses: list[Status]) -> None:
    """Report on stderr how many starts are solvable, unsolvable and unknown."""
    solvable = sum(status in (Status.SOLVABLE, Status.COMPLETE) for status in statuses)
    unsolvable = statuses.count(Status.UNSOLVABLE)
    unknown = len(every) - solvable - unsolvable
    words = [(solvable, "solvable"), (unsolvable, "unsolvable"), (unknown, "unknown")]
    known = ", ".join(f"{number} {word}" for number, word in words if number)
    of = plural(len(every), "start")
    click.echo(f"{every[0].board.name}, {backend}: {of}: {known}", err=True)


def name_of(problem: PegProblem) -> str:
    """Return the name of a start: the comma-separated numbers of its empty holes, or ``none``.

    >>> from exactile.classics.peg import load_board
    >>> name_of(PegProblem.vacancy(load_board("english"), 17))
    '17'
    """
    return ",".join(map(str, problem.empty_holes)) or "none"


def verdict(outcome: PlayOutcome) -> str:
    """Return in a few words why no solution is shown: there is none, or none was found."""
    if outcome.status is Status.UNSOLVABLE:
        kinds = list(dict.fromkeys(reason.kind for reason in outcome.reasons))
        return f"no solution ({', '.join(kinds)})"
    return f"unknown ({outcome.stopped or 'nothing found'})"


def reasons_text(outcome: PlayOutcome) -> str:
    """Return the text of all reasons why there is no solution."""
    problem = outcome.problem
    texts = [reason.text(problem.board, problem.start) for reason in outcome.reasons]
    return "\n\n".join(["No solution.", *texts])


def boards_text(problem: PegProblem, solution: Solution) -> str:
    """Return drawings of the position before each move of a solution, and at the end.

    >>> from exactile.classics.peg import load_board
    >>> board = load_board("triangle-3")
    >>> print(boards_text(PegProblem(board, 0b011010, (0b010001,)), ((3, 0),)), end="")
    1.  4-1
      o
     # o
    # # o
    <BLANKLINE>
    end
      #
     o o
    o # o
    """
    position, parts = problem.start, []
    for number, move in enumerate(solution, start=1):
        parts.append(f"{number}.  {written((move,))}\n{problem.board.drawn(position)}\n")
        position = after(problem.board, position, move)
    return "\n".join([*parts, f"end\n{problem.board.drawn(position)}\n"])


def count_text(tallies: Sequence[PegTally], starts: int) -> str:
    """Return the numbers of solutions as text: a table with a row for each start, and totals.

    For a single start whose solutions are not counted by moves, the text is only their number.

    `tallies`: the numbers for each start. `starts`: number of starts; after Ctrl-C, some have no
    tally.
    """
    from exactile.render.comparison_text import table

    if starts == 1 and tallies[0].by_moves is None:
        number = tallies[0].number
        return f"{number}\n" if number is not None else f"unknown ({tallies[0].stopped})\n"
    moves = sorted({k for t in tallies for k, n in enumerate(t.by_moves or ()) if n})
    fewest = any(t.moves is not None for t in tallies)
    head = ["empty hole", *(["fewest moves"] if fewest else []), *(f"{k} moves" for k in moves)]
    rows = [
        [
            name_of(t.problem),
            *([_shown(t.moves)] if fewest else []),
            *(_shown(t.by_moves[k] if t.by_moves else None) for k in moves),
            _shown(t.number),
        ]
        for t in tallies
    ]
    total = ["all", *([""] if fewest else [])]
    lacking = [None] * (starts - len(tallies))
    total += [
        _sum([*(t.by_moves[k] if t.by_moves else None for t in tallies), *lacking]) for k in moves
    ]
    rows.append([*total, _sum([*(t.number for t in tallies), *lacking])])
    return table([*head, "solutions"], rows) + "\n"


def _shown(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _sum(numbers: Sequence[int | None]) -> str:
    known = [n for n in numbers if n is not None]
    return _shown(sum(known) if len(known) == len(numbers) else None)
