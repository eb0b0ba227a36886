"""`exactile prove`, `coloring`, `explain`, `pack`: why there is no solution, or what fits."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

import rich_click as click

from exactile.answers import TIME_LIMIT, Explanation, Packing, Status, VerdictTable
from exactile.cli import options
from exactile.cli.common import (
    Settings,
    answer_lines,
    counted,
    exit_code,
    is_given,
    verdict_lines,
)
from exactile.cli.output import Picture, print_answer, print_json
from exactile.cli.several import FORMS, Told, answer_each
from exactile.cli.stored import KeptOptions, KeptSearch
from exactile.cli.table import options_of
from exactile.cli.words import Line, Progress, StatusLine, plural
from exactile.files.reading import NamedPuzzle
from exactile.plugins import RACING_BACKEND
from exactile.puzzle import Puzzle
from exactile.puzzle.coordinates import from_coordinates, units_from_coordinates
from exactile.reasons.certify import ProofFormat
from exactile.reasons.colorings import find_linear
from exactile.reasons.explain import explain, sentence
from exactile.reasons.packing import OBJECTIVES, PACKERS, pack
from exactile.reasons.verdict import prove
from exactile.render import draw_svg, draw_text
from exactile.render.coloring import coloring_answer, draw_coloring_svg, draw_coloring_text
from exactile.render.svg import draw_explained, exhibit
from exactile.search.limits import Limits


@options_of("prove")
@options.certificate
@options.proof_format("drup", "lrat", "pbp")
@options.memory("Memory for the search for a coloring", options.QUARTER)
@options.table_form(*FORMS)
@options.sort("puzzle", "by", "seconds", "outcome")
def prove_command(
    puzzle: Puzzle | list[NamedPuzzle],
    certificate: Path | None,
    proof_format: ProofFormat | None,
    memory: int | None,
    table: str | None,
    sort: str | None,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Decide whether a puzzle has a solution.

    First, `prove` looks for a coloring that rules out all solutions, as `exactile coloring` does,
    but only for some seconds. If it finds none, it searches for a solution. With --backend,
    --store, or --proof-format drup or lrat, only quick colorings are tried; --set use_reasons=no
    tries none.

    For a table of several puzzles, name them one after the other, or write FILE.toml for all
    puzzles of a file, or a pattern such as 'FILE.toml#day-*'. Each puzzle has its own time limit.
    """
    given = settings.options()
    if not is_given("backend"):
        del given["backend"]
        if kept is None:
            settings = settings.changed(backend=RACING_BACKEND)
    if isinstance(puzzle, list):

        def verdict_of(named: NamedPuzzle, progress: Progress) -> Told:
            own = replace(settings)  # with a clock of its own
            stated = named.load()
            given["time_limit"] = own.seconds_left
            verb = partial(prove, stated, memory=memory, watch=progress, **given)
            verdict = counted(verb, progress)
            return verdict, int(verdict.solution is not None)

        return answer_each(
            puzzle, verdict_of, VerdictTable, settings, sort=sort, form=table, as_json=as_json
        )
    given["time_limit"] = settings.seconds_left
    if kept is not None:
        answer = KeptSearch(kept, "prove", puzzle, settings).answer()
        return settings.tell(answer, answer_lines(answer, puzzle), as_json=as_json)
    shown = not settings.quiet
    progress, line = Progress(enabled=shown), Line(enabled=shown)
    verb = partial(
        prove,
        puzzle,
        certificate=certificate,
        proof_format=proof_format,
        memory=memory,
        watch=progress,
        heartbeat=lambda what, number: line.show(f"{number:,} {what}"),
        **given,
    )
    with line:
        verdict = counted(verb, progress)
    lines = verdict_lines(verdict, asked=certificate is not None)
    print_answer(verdict, lines, as_json=as_json)
    settings.report_counters(verdict.stats, default=not as_json)
    uncertified = certificate is not None and verdict.status is Status.UNSOLVABLE
    lacking = TIME_LIMIT if uncertified and verdict.certificate is None else None
    return exit_code(verdict.status, verdict.stopped or lacking)


@options_of("coloring")
@options.picture()
@options.time_limit("Stop looking after this time.")
@options.memory("Memory for the search", options.QUARTER)
@options.exit_code
def coloring_command(
    puzzle: Puzzle,
    picture: Picture | None,
    time_limit: float | None,
    memory: int | None,
    as_json: bool,
) -> int:
    """Look for a coloring that shows that a puzzle has no solution.

    For example, dominoes cannot cover a chessboard from which two opposite corners are cut off:
    these corners have the same color, but each domino covers one cell of each color.

    If no coloring is found, the puzzle may still have no solution. Every coloring found is verified
    by separate code, placement by placement.
    """
    limits = Limits(time_limit, memory_limit=memory).rest()
    found = find_linear(puzzle, limits=limits)
    answer = coloring_answer(puzzle, found)
    if as_json:
        print_json(answer)
    elif found.certificate is not None:
        drawn = draw_coloring_text(puzzle, found.certificate)
        click.echo(f"{drawn}\n{fill(answer.argument or '', 80)}")
    elif found.finished:
        tried = fill(f"Tried: {found.tried}.", 80)
        click.echo(f"{puzzle.name}: no coloring rules out a solution.\n{tried}")
    else:
        click.echo(f"{puzzle.name}: no coloring found ({found.stopped}). Not all was tried.")
    if found.certificate is not None and picture is not None:
        picture.write(draw_coloring_svg(puzzle, found.certificate))
    if found.certificate is None and found.finished:
        return 0
    return exit_code(Status.UNKNOWN if found.certificate is None else Status.UNSOLVABLE)


MOST_NAMED = 12
"""Largest number of units whose coordinates are printed; more units are only drawn."""


@options_of("explain")
@click.option(
    "--smallest",
    is_flag=True,
    help="Look for an explanation with the fewest demands. By default, look for one "
    "from which no demand can be left out.",
)
@options.time_limit("Stop after this time, and report what was found.")
@options.picture()
@options.exit_code
@options.quiet()
@options.verbose()
def explain_command(
    puzzle: Puzzle,
    smallest: bool,
    time_limit: float | None,
    picture: Picture | None,
    quiet: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Explain why there is no solution: find a few demands that cannot all be met.

    A demand is a unit that must be covered, a piece that must be used, or a rule such as a fixed
    placement.
    """
    limits = Limits(time_limit).rest()
    line = StatusLine(enabled=not quiet, verbose=verbose)
    found = counted(partial(explain, puzzle, smallest=smallest, limits=limits, watch=line), line)
    units = units_from_coordinates(puzzle, found.units)
    print_answer(found, _lines(found), as_json=as_json)
    if found.method in ("core", "minimal", "smallest") and not as_json:
        shown = exhibit(puzzle, units, tuple(found.pieces))
        click.echo(f"\n{draw_text(*shown)}", nl=False)
    if picture is not None and found.status is Status.UNSOLVABLE:
        mark = found.sentence or sentence(found)
        drawing = draw_explained(puzzle, units, tuple(found.pieces), _words(found), mark=mark)
        picture.write(drawing.svg())
    if not quiet and not as_json:
        click.echo(_summary(found), err=True)
    return exit_code(found.status, found.stopped)


def _words(found: Explanation) -> str:
    """Return the sentence that is printed above the drawing of an explanation."""
    if found.method in ("area", "whole"):
        return _lines(found)[0]
    return found.sentence or sentence(found)


def _lines(found: Explanation) -> list[str]:
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
    """Return sentences: whether fewer demands suffice, and any other reason for no solution.

    If only one solver refuted the demands, the last sentence names it.
    """
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
        by = _solvers(found, "this reason")
        lines.append(f"Only {by} has refuted this: no second solver had the time.")
    return lines


def _solvers(found: Explanation, reason: str) -> str:
    """Return the names of the solvers that refuted the demands, separated by commas.

    `reason`: words in place of a solver's name if a theoretical reason refuted the demands.
    """
    return ", ".join(reason if name == "reason" else name for name in found.refuted_by)


def _summary(found: Explanation) -> str:
    words = {
        Status.SOLVABLE: "a solution",
        Status.UNKNOWN: "unknown",
        Status.UNSOLVABLE: f"{plural(found.size or 0, 'demand')} ({found.method})",
    }
    checked = f", refuted by {_solvers(found, 'a reason')}" if found.refuted_by else ""
    stopped = f", stopped: {found.stopped}" if found.stopped else ""
    solves = "" if found.stats.solves is None else f", {found.stats.solves:,} solves"
    seconds = f", {found.stats['seconds']:.2f} s"
    return f"{found.puzzle}: {words[found.status]}{checked}{stopped}{solves}{seconds}"


@options_of("pack")
@options.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="units",
    help="What to maximize: the number of units covered, or of pieces used.",
)
@options.backend("Solver: cpsat, or rc2 for MaxSAT.", default="cpsat", choices=PACKERS)
@options.time_limit("Stop after this time, and report the best packing so far.")
@options.seed
@options.workers("Number of threads of cpsat; by default, one for each processor.")
@options.picture()
@options.quiet()
@options.verbose()
def pack_command(
    puzzle: Puzzle,
    picture: Picture | None,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    time_limit: float | None,
    **settings: Any,
) -> int:
    """Pack as much as possible into the region of a puzzle, and prove that no more fits.

    The puzzle need not have a solution: units may stay uncovered, and pieces may be left over.
    """
    limits = Limits(time_limit).rest()
    line = StatusLine(enabled=not quiet, verbose=verbose)
    verb = partial(
        pack,
        puzzle,
        limits=limits,
        watch=lambda news: line("" if news is None else _standing(news)),
        **settings,
    )
    packing = counted(verb, line)
    best = packing.placements
    placements = None if best is None else from_coordinates(puzzle, best)
    print_answer(packing, [f"{packing.puzzle}: {packing_sentence(packing)}"], as_json=as_json)
    if placements and not as_json:
        click.echo(f"\n{draw_text(puzzle, placements)}", nl=False)
    if picture is not None and placements is not None:
        picture.write(draw_svg(puzzle, placements))
    if not quiet and not as_json:
        options = packing.stats["options"]
        size = "" if options is None else f"{options:,} options, "
        click.echo(f"{packing.backend}, {size}{packing.stats['seconds']:.2f} s", err=True)
    return exit_code(Status.SOLVABLE, None if packing.optimal else packing.stopped)


def packing_sentence(packing: Packing) -> str:
    """Return a packing in words: how much it covers or uses, and the bound for all packings.

    >>> best = {"puzzle": "p", "backend": "cpsat", "placements": (), "solution": False}
    >>> some = {"objective": "units", "value": 59, "bound": 59, "total": 60, "optimal": True}
    >>> packing_sentence(Packing(**best, **some))
    '59 of 60 units; no packing covers more.'
    >>> some = {"objective": "pieces", "value": 8, "bound": 9, "total": 12, "optimal": False}
    >>> packing_sentence(Packing(**best, **some, stopped="time limit"))
    'at least 8 of 12 pieces, at most 9 (time limit).'
    """
    of = f"of {packing.total:,} {packing.objective}"
    if packing.placements is None:
        return "the fixed placements break the rules: nothing can be packed around them."
    if not packing.optimal:
        return (
            f"at least {packing.value:,} {of}, at most {packing.bound:,} "
            f"({packing.stopped or 'searching'})."
        )
    if packing.solution:
        return f"a solution, with {packing.value:,} {of}."
    verb = "covers" if packing.objective == "units" else "has"
    if packing.value == packing.total:
        return f"{packing.value:,} {of}, and yet no solution."
    return f"{packing.value:,} {of}; no packing {verb} more."


def _standing(packing: Packing) -> str:
    """Return the best packing so far in words, such as ``58 of 60 units, at most 59``."""
    return f"{packing.value:,} of {packing.total:,} {packing.objective}, at most {packing.bound:,}"
