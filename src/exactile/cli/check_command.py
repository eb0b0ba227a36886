"""`exactile check`: checks the solutions in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import rich_click as click

from exactile.answers import FileCheck, WrongSolution
from exactile.cli.common import changed, plural, read_puzzle
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.errors import CheckFailedError
from exactile.files.foreign.imports import named_solutions
from exactile.files.io.contents import decoded, file_bytes
from exactile.files.solutions.reader import COMPLETE, UNTOLD, read_solutions
from exactile.puzzle import Solution
from exactile.puzzle.check import faults_of_each

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)

MOST_SHOWN = 10


@options_of("check")
@click.argument("names", nargs=-1, metavar="[PUZZLE] FILE")
@click.option(
    "--reproducer",
    type=click.Path(),
    metavar="FILE",
    help="Check a wrong answer that a search wrote down, and ask the same backend again.",
)
def command(names: tuple[str, ...], reproducer: str | None, as_json: bool) -> int:
    """Check every solution in FILE (formats jsonl and puzzler; `-` is standard input).

    A file that was cut is refused. What a search wrote that was stopped says so.

    With --reproducer, FILE is what a search wrote when a solver's answer was wrong. Exits with 1 if
    the wrong answer is reproduced.

    PUZZLE may be left out if the first line of FILE names a puzzle of the catalogue.
    """
    if reproducer is not None:
        if names or as_json:
            raise click.UsageError("--reproducer FILE stands alone.")
        return _repeated(reproducer)
    if not names:
        raise click.UsageError("Missing argument '[PUZZLE] FILE'.")
    if len(names) > 2:
        raise click.UsageError(f"Got unexpected extra argument ({names[2]})")
    return _checked(names, as_json)


def _checked(names: tuple[str, ...], as_json: bool) -> int:
    """Check every solution in a file; return 1 if one is wrong."""
    file = str(FILE.convert(names[-1], None, None))
    if len(names) == 2:
        stated = read_puzzle(names[0])
        solutions = read_solutions(file, stated)
    else:
        name, data = file_bytes(file)
        named, solutions = named_solutions(name, decoded(name, data))
        stated = changed(named)
    repeated: list[bool] = []
    wrong: list[tuple[int, list[str]]] = []
    for number, faults in enumerate(faults_of_each(stated, _noted(solutions, repeated))):
        if repeated[number]:
            faults = [*faults, "it repeats an earlier solution"]
        if faults:
            wrong.append((number + 1, faults))
    total = len(repeated)
    if as_json:
        listed = (WrongSolution(solution=n, faults=tuple(faults)) for n, faults in wrong)
        answer = FileCheck(
            puzzle=stated.name, solutions=total, wrong=tuple(listed), end=solutions.end
        )
        print_json(answer)
        return 1 if wrong else 0
    if wrong:
        raise _refused(file, stated.name, total, wrong)
    if not total:
        click.echo(f"{file} has no solutions: nothing to check")
        return 0
    praise = "right" if total == 1 else "all right and all different"
    click.echo(f"{plural(total, 'solution')} of {stated.name}, {praise}")
    if solutions.end != COMPLETE:
        click.echo(_doubt(solutions.end))
    return 0


def _noted(solutions: Iterable[Solution], repeated: list[bool]) -> Iterator[Solution]:
    """Yield solutions, and mark those that are repeated."""
    seen = set()
    for solution in solutions:
        repeated.append(solution in seen)
        seen.add(solution)
        yield solution


def _repeated(file: str) -> int:
    """Report whether a wrong answer is reproduced; return 1 if it is."""
    from exactile.search.reproducer import repeat

    found = repeat(file)
    words = f"no solution: {'; '.join(found.faults)}" if found.faults else "a solution after all"
    click.echo(f"{file}: what was returned is {words}")
    if found.skipped:
        click.echo(f"Not searched again: {found.skipped}")
    elif found.again:
        which = "the same wrong answer" if found.same else "another wrong answer"
        click.echo(f"Searched again: {which} comes: {'; '.join(found.again)}")
    else:
        click.echo(f"Searched again: no wrong answer among {found.answers:,}")
    return 1 if found.again else 0


def _doubt(end: str | None) -> str:
    """Return why a file need not have all solutions."""
    if end in (None, UNTOLD):
        return "The file does not say whether there are more."
    return f"There may be more: the search was {end}."


def _refused(
    file: str, puzzle: str, total: int, wrong: list[tuple[int, list[str]]]
) -> CheckFailedError:
    """Return the error that names the wrong solutions, with their faults."""
    lines = [f"  solution {number}: {'; '.join(faults)}" for number, faults in wrong[:MOST_SHOWN]]
    more = [f"  and {len(wrong) - MOST_SHOWN} more"] if len(wrong) > MOST_SHOWN else []
    return CheckFailedError(
        f"{file}: {len(wrong)} of {total} solutions of {puzzle} are wrong:\n"
        + "\n".join([*lines, *more])
    )
