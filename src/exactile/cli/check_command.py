"""`exactile check`: checks the solutions in a file."""

from __future__ import annotations

import rich_click as click

from exactile.cli.common import json_option, plural, print_json, puzzle_argument, read_puzzle
from exactile.errors import CheckFailedError
from exactile.files.solutions import read_solutions
from exactile.puzzle.check import Checker

MOST_SHOWN = 10


@click.command("check")
@puzzle_argument
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@json_option
def command(puzzle: str, file: str, as_json: bool) -> int:
    """Check every solution in FILE (formats jsonl and puzzler; `-` is standard input)."""
    stated = read_puzzle(puzzle)
    checker = Checker(stated)
    seen = set()
    wrong: list[tuple[int, list[str]]] = []
    total = 0
    for solution in read_solutions(file, stated):
        total += 1
        faults = checker.faults(solution)
        if solution in seen:
            faults = [*faults, "it repeats an earlier solution"]
        seen.add(solution)
        if faults:
            wrong.append((total, faults))
    if as_json:
        listed = [{"solution": number, "faults": faults} for number, faults in wrong]
        print_json({"puzzle": stated.name, "solutions": total, "wrong": listed})
        return 1 if wrong else 0
    if wrong:
        lines = [
            f"  solution {number}: {'; '.join(faults)}" for number, faults in wrong[:MOST_SHOWN]
        ]
        more = [f"  and {len(wrong) - MOST_SHOWN} more"] if len(wrong) > MOST_SHOWN else []
        raise CheckFailedError(
            f"{len(wrong)} of {total} solutions of {stated.name} are wrong:\n"
            + "\n".join([*lines, *more])
        )
    if not total:
        click.echo(f"{file} has no solutions: nothing to check")
        return 0
    praise = "right" if total == 1 else "all right and all different"
    click.echo(f"{plural(total, 'solution')} of {stated.name}, {praise}")
    return 0
