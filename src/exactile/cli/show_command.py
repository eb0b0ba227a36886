"""`exactile show`: what a puzzle is."""

from __future__ import annotations

from textwrap import fill

import rich_click as click
from msgspec.structs import replace

from exactile.answers import LedgerFacts
from exactile.cli.common import plural, read_puzzle
from exactile.cli.options import json_option, puzzle_argument
from exactile.cli.output import print_json
from exactile.files.puzzles.ledger import LedgerEntry, ledger
from exactile.pieces.piece import Piece
from exactile.puzzle import Known, Puzzle
from exactile.render import draw_text
from exactile.solve.case import Case
from exactile.solve.facts import facts

UP_TO = {"raw": "in all", "rotation": "up to rotation", "symmetry": "up to symmetry"}


@click.command("show")
@puzzle_argument
@json_option
def command(puzzle: str, as_json: bool) -> None:
    """Show what a puzzle is: pieces, region, symmetries, size, published counts."""
    stated = read_puzzle(puzzle)
    case = Case(stated)
    known = next((e for e in ledger().values() if e.digest == case.digest), None)
    told = replace(facts(case), ledger=None if known is None else _facts(known))
    if as_json:
        print_json(told)
        return
    optional = f", {told.optional_units} of them optional" if told.optional_units else ""
    lines = [
        ("id", told.puzzle),
        ("aliases", ", ".join(told.aliases)),
        ("lattice", told.lattice),
        ("pieces", " ".join(_use(p) for p in stated.pieces)),
        ("omitted", _choice(stated)),
        *((rule.kind, rule.text) for rule in stated.color_rules),
        ("paint", told.paint or ""),
        ("units", f"{told.units}{optional}"),
        ("symmetries", f"{told.symmetries.all}, {told.symmetries.proper} of them rotations"),
        ("model", f"{told.items:,} items, {told.options:,} options"),
        *(("published", _published(k)) for k in stated.known),
        ("source", told.source),
        ("unsolvable", told.unsolvable_because or ""),
        ("ledger", _words(known) if known else ""),
    ]
    click.echo(stated.title or stated.name)
    for label, text in lines:
        if text:
            click.echo(fill(text, 79, initial_indent=f"  {label:12}", subsequent_indent=" " * 14))
    click.echo()
    click.echo(draw_text(stated, ()), nl=False)


def _facts(known: LedgerEntry) -> LedgerFacts:
    numbers = known.numbers
    return LedgerFacts(
        id=known.id,
        status=known.status,
        method=known.method,
        reason=known.reason,
        raw=numbers.raw if numbers else None,
        rotation=numbers.rotation if numbers else None,
        symmetry=numbers.symmetry if numbers else None,
        at_least=known.at_least,
    )


def _words(known: LedgerEntry) -> str:
    """Return what the ledger knows of a puzzle, in words."""
    if known.numbers is None:
        return f"open; {plural(known.at_least, 'solution')} known"
    if not known.numbers.raw:
        return f"no solution: {known.reason}"
    how = f" ({known.method})" if known.method else ""
    return f"{known.numbers.raw:,} solutions, {known.numbers.symmetry:,} up to symmetry{how}"


def _use(piece: Piece) -> str:
    if (piece.lower, piece.upper) == (1, 1):
        return piece.name
    if piece.lower == piece.upper:
        return f"{piece.lower}×{piece.name}"
    return f"{piece.lower}..{piece.upper}×{piece.name}"


def _choice(puzzle: Puzzle) -> str:
    omission = puzzle.omission
    return f"{omission.count} of {' '.join(omission.names)}" if omission else ""


def _published(known: Known) -> str:
    """Return a published number with its source, and why it is wrong, if it is."""
    text = f"{known.count:,} {UP_TO[known.up_to]} ({known.source})"
    return f"{text}, wrong: {known.refuted}" if known.refuted else text
