"""A puzzle for the page, its region and its pieces; its text."""

from __future__ import annotations

from io import StringIO

import msgspec

from exactile.answers import PuzzleFacts
from exactile.errors import PuzzleError
from exactile.files.puzzles.writer import document_text
from exactile.files.solution_files import write_solutions
from exactile.geometry.lattice import Point
from exactile.render.board import (
    LatticeData,
    Numbered,
    PieceData,
    in_numbers,
    lattice_data,
    pieces_data,
)
from exactile.render.svg import draw_svg
from exactile.search.verbs import facts
from exactile.serve.tasks.asked import PuzzleAsked, Tell, from_numbers, offered


class PaintData(msgspec.Struct, frozen=True):
    """The paint of units of the region and of pieces, by their points; see `Paint`."""

    units: tuple[tuple[Point, str], ...] = ()
    pieces: dict[str, tuple[tuple[Point, str], ...]] = {}
    fits: dict[str, tuple[str, ...]] = {}


class PuzzleView(msgspec.Struct, frozen=True):
    """A puzzle as the page draws it."""

    facts: PuzzleFacts  # the puzzle's description
    lattice: LatticeData
    units: list[list[int]]  # the points of the region; the page numbers them from 0
    optional: list[int]  # the numbers of those that may stay empty
    wrap: list[list[int]]  # translations that identify units
    pieces: list[PieceData]
    # choice, choices: number of these pieces that a solution leaves out
    choice: int
    choices: tuple[str, ...]
    fixed: list[Numbered]  # placements that every solution contains
    crossing: bool
    paint: PaintData  # the paint of its units and pieces
    backends: list[str]


def board(asked: PuzzleAsked, tell: Tell) -> None:
    """Report the puzzle as a `PuzzleView`."""
    case = asked.case
    puzzle, region = case.puzzle, case.puzzle.region
    omission = puzzle.omission
    if region.wrap is not None and region.wrap.glide is not None:
        raise PuzzleError(
            "The page does not show regions that are joined with a reflection, such as Moebius "
            "strips: the command line and Python solve them."
        )
    tell(
        "board",
        PuzzleView(
            facts=facts(case),
            lattice=lattice_data(puzzle.lattice),
            units=region.units.tolist(),
            optional=region.optional.nonzero()[0].tolist(),
            wrap=[list(v) for v in region.wrap.vectors] if region.wrap else [],
            pieces=pieces_data(puzzle),
            choice=omission.count if omission else 0,
            choices=omission.names if omission else (),
            fixed=in_numbers(puzzle, puzzle.fixed),
            crossing=puzzle.crossing,
            paint=PaintData(
                tuple(puzzle.paint.units.items()),
                {name: tuple(own.items()) for name, own in puzzle.paint.pieces.items()},
                {name: tuple(goals) for name, goals in puzzle.paint.fits.items()},
            ),
            backends=offered(),
        ),
    )


class TextWanted(PuzzleAsked, frozen=True, kw_only=True):
    """A puzzle and solutions of it, to be written in a format."""

    form: str  # "toml", "svg", "jsonl" or "puzzler"
    solutions: tuple[tuple[Numbered, ...], ...] = ()  # the solutions; a drawing shows the first


def text(asked: TextWanted, tell: Tell) -> None:
    """Report the text of a file with the puzzle or solutions of it."""
    puzzle = asked.case.puzzle
    solutions = [from_numbers(puzzle, s) for s in asked.solutions]
    if asked.form == "toml":
        written = document_text([puzzle])
    elif asked.form == "svg":
        written = draw_svg(puzzle, solutions[0] if solutions else ())
    elif asked.form in ("jsonl", "puzzler"):
        stream = StringIO()
        write_solutions(puzzle, solutions, stream, asked.form)
        written = stream.getvalue()
    else:
        raise PuzzleError(f"There is no format '{asked.form}' here.")
    tell("text", {"text": written})
