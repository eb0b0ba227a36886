"""A puzzle for the page, its region and its pieces; its text."""

from __future__ import annotations

from io import StringIO
from typing import Any

import msgspec

from exactile.answers import PuzzleFacts
from exactile.errors import PuzzleError
from exactile.files.puzzles.writer import document_text
from exactile.files.solution_files import write_solutions
from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle
from exactile.render.board import (
    LatticeData,
    Numbered,
    PieceData,
    in_numbers,
    lattice_data,
    pieces_data,
)
from exactile.render.svg import draw_svg
from exactile.search.search import facts
from exactile.serve.tasks.asked import PuzzleAsked, Tell, from_numbers, offered


class PaintData(msgspec.Struct, frozen=True):
    """The paint of units of the region and of pieces, by their points; see `Paint`."""

    units: tuple[tuple[Point, str], ...] = ()
    pieces: dict[str, tuple[tuple[Point, str], ...]] = {}
    fits: dict[str, tuple[str, ...]] = {}


def _paint_data(puzzle: Puzzle) -> PaintData:
    """Return the paint of a puzzle."""
    paint = puzzle.paint
    return PaintData(
        tuple(paint.units.items()),
        {name: tuple(own.items()) for name, own in paint.pieces.items()},
        {name: tuple(goals) for name, goals in paint.fits.items()},
    )


class BoardData(msgspec.Struct, frozen=True, kw_only=True):
    """The region and the pieces of a puzzle."""

    units: list[list[int]]  # the points of the region; the page numbers them from 0
    optional: list[int]  # the numbers of those that may stay empty
    wrap: list[list[int]]  # translations that identify units
    pieces: list[PieceData]
    # choice: number of the pieces `choices` that a solution leaves out
    choice: int
    choices: tuple[str, ...]
    fixed: list[Numbered]  # placements that every solution contains
    crossing: bool
    paint: PaintData  # the paint of its units and pieces
    labels: list[str]  # the label of each unit, "" for none; an empty list if no unit has one


def board_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the fields of `BoardData` by name."""
    region, omission = puzzle.region, puzzle.omission
    units = region.units.tolist()
    return {
        "units": units,
        "optional": region.optional.nonzero()[0].tolist(),
        "wrap": [list(v) for v in region.wrap.vectors] if region.wrap else [],
        "pieces": pieces_data(puzzle),
        "choice": omission.count if omission else 0,
        "choices": omission.names if omission else (),
        "fixed": in_numbers(puzzle, puzzle.fixed),
        "crossing": puzzle.crossing,
        "paint": _paint_data(puzzle),
        "labels": [puzzle.labels.get(tuple(u), "") for u in units] if puzzle.labels else [],
    }


class PuzzleView(BoardData, frozen=True, kw_only=True):
    """A puzzle as the page draws it."""

    facts: PuzzleFacts  # the puzzle's description
    lattice: LatticeData
    backends: list[str]


def is_shown(puzzle: Puzzle) -> bool:
    """Return whether the page can draw the region: it is not joined with a reflection."""
    wrap = puzzle.region.wrap
    return wrap is None or wrap.glide is None


def board(asked: PuzzleAsked, tell: Tell) -> None:
    """Report the puzzle as a `PuzzleView`."""
    case = asked.case
    puzzle = case.puzzle
    if not is_shown(puzzle):
        raise PuzzleError(
            "The page does not show regions that are joined with a reflection, such as Moebius "
            "strips: the command line and Python solve them."
        )
    tell(
        "board",
        PuzzleView(
            facts=facts(case),
            lattice=lattice_data(puzzle.lattice),
            backends=offered(),
            **board_data(puzzle),
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
