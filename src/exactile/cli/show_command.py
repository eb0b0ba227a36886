"""`exactile show`: what a puzzle is."""

from __future__ import annotations

from dataclasses import asdict

import rich_click as click

from exactile.cli.common import json_option, print_json, puzzle_argument, read_puzzle
from exactile.model import lower
from exactile.pieces.piece import Piece
from exactile.puzzle import Puzzle
from exactile.puzzle.symmetry import symmetries
from exactile.render import draw_text
from exactile.solve.diagnose import obvious_reason


@click.command("show")
@puzzle_argument
@json_option
def command(puzzle: str, as_json: bool) -> None:
    """Show what a puzzle is: pieces, region, symmetries, size, published counts."""
    stated = read_puzzle(puzzle)
    model = lower(stated)
    group = symmetries(stated)
    proper = sum(s.proper for s in group)
    reason = obvious_reason(stated, model)
    if as_json:
        print_json(
            {
                "puzzle": stated.name,
                "title": stated.title,
                "aliases": list(stated.aliases),
                "lattice": stated.lattice.name,
                "pieces": [
                    {"name": p.name, "order": p.order, "min": p.lower, "max": p.upper}
                    for p in stated.pieces
                ],
                "units": len(stated.region),
                "optional_units": int(stated.region.optional.sum()),
                "symmetries": {"all": len(group), "proper": proper},
                "items": model.items,
                "options": model.options,
                "known": [asdict(k) for k in stated.known],
                "unsolvable_because": reason,
                "source": stated.source,
            }
        )
        return
    lines = [
        stated.title or stated.name,
        f"  id          {stated.name}",
        *([f"  aliases     {', '.join(stated.aliases)}"] if stated.aliases else []),
        f"  lattice     {stated.lattice.name}",
        *_wrapped("pieces", [_use(p) for p in stated.pieces]),
        *_choice(stated),
        f"  units       {len(stated.region)}"
        + (f", {n} of them optional" if (n := int(stated.region.optional.sum())) else ""),
        f"  symmetries  {len(group)}, {proper} of them rotations",
        f"  model       {model.items:,} items, {model.options:,} options",
        *(f"  published   {k.count:,} up to {k.up_to} ({k.source})" for k in stated.known),
        *([f"  source      {stated.source}"] if stated.source else []),
        *([f"  unsolvable  {reason}"] if reason else []),
    ]
    click.echo("\n".join(lines) + "\n")
    click.echo(draw_text(stated, ()), nl=False)


def _use(piece: Piece) -> str:
    if (piece.lower, piece.upper) == (1, 1):
        return piece.name
    if piece.lower == piece.upper:
        return f"{piece.lower}×{piece.name}"
    return f"{piece.lower}..{piece.upper}×{piece.name}"


def _choice(puzzle: Puzzle) -> list[str]:
    if puzzle.omission is None:
        return []
    return [f"  omitted     {puzzle.omission.count} of {' '.join(puzzle.omission.names)}"]


def _wrapped(label: str, words: list[str], width: int = 66) -> list[str]:
    """Return words in lines that fit a terminal of 80 columns, the label before the first."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [f"  {label if i == 0 else '':12}{line}" for i, line in enumerate(lines)]
