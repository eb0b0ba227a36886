"""`exactile explain`: units and pieces of a puzzle that cannot all be satisfied at once."""

from __future__ import annotations

import rich_click as click

from exactile.answers import Explanation, Status
from exactile.cli.common import exit_code, plural, read_puzzle
from exactile.cli.lines import StatusLine
from exactile.cli.options import (
    exit_code_option,
    quiet_option,
    time_limit_option,
    verbose_option,
)
from exactile.cli.output import print_json
from exactile.cli.pictures import Picture, picture_option
from exactile.cli.table import options_of
from exactile.puzzle.coordinates import units_from_coordinates
from exactile.reasons.explain import explain, sentence
from exactile.render import draw_text
from exactile.render.exhibit import draw_explained, exhibit
from exactile.search.limits import Limits

MOST_NAMED = 12
"""Largest number of units named in a sentence; for more, the drawing must suffice."""


@options_of("explain")
@click.option("--smallest", is_flag=True, help="Look for an explanation with the fewest demands.")
@time_limit_option("Stop after this time, with what was found until then.")
@picture_option()
@exit_code_option
@quiet_option()
@verbose_option()
def command(
    puzzle: str,
    smallest: bool,
    time_limit: float | None,
    picture: Picture | None,
    quiet: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Explain why there is no solution: units and pieces that cannot all be satisfied at once."""
    stated = read_puzzle(puzzle)
    line = StatusLine(enabled=not quiet, verbose=verbose)
    try:
        found = explain(stated, smallest=smallest, limits=Limits(time_limit), watch=line)
    finally:
        line.clear()
    units = units_from_coordinates(stated, found.units)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(_lines(found)))
        if found.method in ("core", "minimal", "smallest"):
            click.echo()
            click.echo(draw_text(*exhibit(stated, units, tuple(found.pieces))), nl=False)
    if picture is not None and found.status is Status.UNSOLVABLE:
        mark = found.sentence or sentence(found)
        drawing = draw_explained(stated, units, tuple(found.pieces), _words(found), mark=mark)
        picture.write(drawing.svg())
    if not quiet and not as_json:
        click.echo(_summary(found), err=True)
    return exit_code(found.status, found.stopped)


def _words(found: Explanation) -> str:
    """Return the sentence above the drawing."""
    if found.method in ("area", "whole"):
        return _lines(found)[0]
    return found.sentence or sentence(found)


def _lines(found: Explanation) -> list[str]:
    """Return the answer in words."""
    if found.status is Status.SOLVABLE:
        return [f"{found.puzzle} has a solution: there is nothing to explain."]
    if found.status is Status.UNKNOWN:
        return [f"{found.puzzle}: unknown ({found.stopped})."]
    if found.method == "area":
        return [f"{found.puzzle} has no solution: {found.reason}."]
    if found.method == "whole":
        why = found.reason or f"{found.refuted_by[0]} searched everything"
        return [
            f"{found.puzzle} has no solution: {why}.",
            f"No part of it was found impossible by itself ({found.stopped}).",
        ]
    lines = [f"{found.puzzle} has no solution.", found.sentence or ""]
    if 1 <= len(found.units) <= MOST_NAMED:
        names = " ".join(",".join(map(str, u)) for u in found.units)
        lines.append(f"The {'units' if len(found.units) > 1 else 'unit'}: {names}.")
    return [*lines, *_claims(found)]


def _claims(found: Explanation) -> list[str]:
    """Return how the demands were established, and by which solvers."""
    lines = []
    if found.minimal and (found.size or 0) > 1:
        lines.append("Drop any one of them and the rest can be met.")
    if found.method == "smallest":
        lines.append("No explanation has fewer of them.")
    elif (found.at_least or 0) > 1:
        lines.append(f"Every explanation has at least {found.at_least} of them.")
    if not found.minimal:
        lines.append(f"Perhaps fewer would do; not minimal: {found.stopped}.")
    if found.reason is not None:
        lines.append(f"Also: {found.reason}.")
    if len(found.refuted_by) < 2:
        lines.append(f"Only {found.refuted_by[0]} has refuted this: no second solver had the time.")
    return lines


def _summary(found: Explanation) -> str:
    words = {
        Status.SOLVABLE: "a solution",
        Status.UNKNOWN: "unknown",
        Status.UNSOLVABLE: f"{plural(found.size or 0, 'demand')} ({found.method})",
    }
    checked = f", refuted by {', '.join(found.refuted_by)}" if found.refuted_by else ""
    stopped = f", stopped: {found.stopped}" if found.stopped else ""
    solves = "" if found.stats.solves is None else f", {found.stats.solves:,} solves"
    seconds = f", {found.stats['seconds']:.2f} s"
    return f"{found.puzzle}: {words[found.status]}{checked}{stopped}{solves}{seconds}"
