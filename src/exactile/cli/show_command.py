"""`exactile show`: what a puzzle is."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import fill

import rich_click as click

from exactile.answers import (
    KnownCount,
    PieceColors,
    PieceUse,
    PuzzleFacts,
    SymmetryNumbers,
)
from exactile.cli.common import read_puzzle
from exactile.cli.options import json_option, puzzle_argument
from exactile.pieces.piece import Piece
from exactile.puzzle import Known, Puzzle
from exactile.render import draw_text
from exactile.solve.case import Case

UP_TO = {"raw": "in all", "rotation": "up to rotation", "symmetry": "up to symmetry"}


@click.command("show")
@puzzle_argument
@json_option
def command(puzzle: str, as_json: bool) -> None:
    """Show what a puzzle is: pieces, region, symmetries, size, published counts."""
    stated = read_puzzle(puzzle)
    case = Case(stated)
    model, group = case.model, case.symmetries
    proper = sum(s.proper for s in group)
    reason = case.reason
    if as_json:
        answer = PuzzleFacts(
            puzzle=stated.name,
            title=stated.title,
            aliases=tuple(stated.aliases),
            lattice=stated.lattice.name,
            pieces=tuple(
                PieceUse(name=p.name, order=p.order, min=p.lower, max=p.upper)
                for p in stated.pieces
            ),
            color_rules=tuple(PieceColors(**asdict(rule)) for rule in stated.color_rules),
            paint=_paint(stated) or None,
            units=len(stated.region),
            optional_units=int(stated.region.optional.sum()),
            symmetries=SymmetryNumbers(all=len(group), proper=proper),
            items=model.items,
            options=model.options,
            known=tuple(KnownCount(**asdict(k)) for k in stated.known),
            unsolvable_because=reason,
            source=stated.source,
        )
        click.echo(answer.to_json())
        return
    optional = int(stated.region.optional.sum())
    facts = [
        ("id", stated.name),
        ("aliases", ", ".join(stated.aliases)),
        ("lattice", stated.lattice.name),
        ("pieces", " ".join(_use(p) for p in stated.pieces)),
        ("omitted", _choice(stated)),
        *((rule.kind, rule.text) for rule in stated.color_rules),
        ("paint", _paint(stated)),
        ("units", f"{len(stated.region)}" + (f", {optional} of them optional" if optional else "")),
        ("symmetries", f"{len(group)}, {proper} of them rotations"),
        ("model", f"{model.items:,} items, {model.options:,} options"),
        *(("published", _published(k)) for k in stated.known),
        ("source", stated.source),
        ("unsolvable", reason or ""),
    ]
    click.echo(stated.title or stated.name)
    for label, text in facts:
        if text:
            click.echo(fill(text, 79, initial_indent=f"  {label:12}", subsequent_indent=" " * 14))
    click.echo()
    click.echo(draw_text(stated, ()), nl=False)


def _use(piece: Piece) -> str:
    if (piece.lower, piece.upper) == (1, 1):
        return piece.name
    if piece.lower == piece.upper:
        return f"{piece.lower}×{piece.name}"
    return f"{piece.lower}..{piece.upper}×{piece.name}"


def _choice(puzzle: Puzzle) -> str:
    omission = puzzle.omission
    return f"{omission.count} of {' '.join(omission.names)}" if omission else ""


def _paint(puzzle: Puzzle) -> str:
    paint = puzzle.paint
    painted = sorted({p for own in paint.pieces.values() for p in own.values()})
    fits = [f"{p} on {' '.join(sorted(paint.fits.get(p, [p])))}" for p in painted]
    return f"{len(paint.units)} units of the region; {', '.join(fits)}" if paint else ""


def _published(known: Known) -> str:
    """Return a published number with its source, and why it is wrong, if it is."""
    text = f"{known.count:,} {UP_TO[known.up_to]} ({known.source})"
    return f"{text}, wrong: {known.refuted}" if known.refuted else text
