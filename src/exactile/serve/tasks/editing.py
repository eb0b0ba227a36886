"""The editor: lattices, sets of pieces, and puzzles made from drawings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from exactile.errors import ExactileError, FileError, PuzzleError
from exactile.files.puzzles.writer import document_text
from exactile.files.reading import load
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.pieces.sets import piece_set
from exactile.render.board import PieceData, lattice_data
from exactile.render.colors import PALETTE
from exactile.serve.tasks.asked import Tell
from exactile.serve.tasks.puzzles import PaintData


class Nothing(msgspec.Struct, frozen=True):
    """An empty request."""


def lattices(asked: Nothing, tell: Tell) -> None:
    """Report all lattices, each as `LatticeData`."""
    tell("lattices", [lattice_data(get_lattice(name)) for name in lattice_names()])


class PiecesWanted(msgspec.Struct, frozen=True):
    """A set of pieces, by its name on a lattice."""

    lattice: str
    set: str


def pieces(asked: PiecesWanted, tell: Tell) -> None:
    """Report the pieces of a set."""
    found = piece_set(asked.set, asked.lattice)
    tell(
        "pieces",
        [
            PieceData(name, as_tuples(units), found.freedom.value, 1, 1, PALETTE[i % len(PALETTE)])
            for i, (name, units) in enumerate(found.pieces.items())
        ],
    )


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle as drawn: units are points of the lattice."""

    name: str
    title: str
    lattice: str
    units: tuple[Point, ...]
    optional: tuple[Point, ...]
    pieces: tuple[PieceData, ...]
    wrap: tuple[Point, ...] = ()
    crossing: bool = True
    paint: PaintData = PaintData()
    like: str = ""  # the text of a puzzle whose rules are taken over, if possible


RULES = {
    "fixed": "pieces in given places",
    "omission": "a choice of pieces that are left out",
    "color_rules": "pieces of one color kept apart or joined",
    "together": "pieces that are used together",
    "open_rules": "numbers of units that stay open",
    "use_rules": "numbers of pieces that are used",
    "labels": "labels of units",
}
"""The rules of a puzzle that are not drawn, by attribute, in words."""


def build(asked: Drawn, tell: Tell) -> None:
    """Report the text of a puzzle file, and the rules that were lost, in words."""
    lattice = get_lattice(asked.lattice)
    if not asked.units and not asked.optional:
        raise PuzzleError("The region is empty: click on units to draw it.")
    optional = [unit in set(asked.optional) for unit in (*asked.units, *asked.optional)]
    puzzle = Puzzle(
        asked.name,
        Region(lattice, [*asked.units, *asked.optional], optional, asked.wrap or None),
        tuple(
            Piece(p.name, lattice, p.units, Freedom(p.freedom), p.lower, p.upper)
            for p in asked.pieces
        ),
        title=asked.title,
        crossing=asked.crossing,
        paint=Paint(
            dict(asked.paint.units),
            {name: dict(own) for name, own in asked.paint.pieces.items()},
            asked.paint.fits,
        ),
    )
    puzzle, lost = _ruled(puzzle, asked.like)
    tell("text", {"text": document_text([puzzle]), "lost": lost})


def _ruled(puzzle: Puzzle, like: str) -> tuple[Puzzle, list[str]]:
    """Return the puzzle with the rules of another text, and those that do not fit, in words."""
    lost = []
    if "\n" in like:  # else `load` would read a file
        model = load(like)
        for rule, words in RULES.items():
            if not getattr(model, rule):
                continue
            try:
                puzzle = replace(puzzle, **{rule: getattr(model, rule)})
            except ExactileError:
                lost.append(words)
    return puzzle, lost


class File(msgspec.Struct, frozen=True):
    """The content of a file, in base64, and its name."""

    name: str
    content: bytes


def read(asked: File, tell: Tell) -> None:
    """Report the text of the puzzle in a file of any format."""
    with TemporaryDirectory() as folder:
        suffix = Path(asked.name).suffix[:12]
        path = Path(folder) / f"file{suffix if suffix.isprintable() else ''}"
        path.write_bytes(asked.content)
        try:
            puzzle = load(path)
        except ExactileError as error:
            raise FileError(str(error).replace(str(path), Path(asked.name).name)) from None
    tell("text", {"text": document_text([puzzle])})
