"""Tasks about puzzles themselves: region and pieces, the text of a file, the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from exactile.answers import PuzzleFacts
from exactile.backends.registry import usable
from exactile.errors import ExactileError, FileError, NotFoundError, PuzzleError
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.writer import document_text
from exactile.files.reading import load
from exactile.files.solution_files import COMPLETE, write_solutions
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Point
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.puzzle import Omission, sorted_solution, with_pieces
from exactile.render.board import (
    LatticeData,
    Numbered,
    PaintData,
    PieceData,
    in_numbers,
    labels_data,
    lattice_data,
    paint_data,
    pieces_data,
)
from exactile.render.paper import PALETTE
from exactile.render.svg import draw_svg
from exactile.search import Search
from exactile.search.case import Case
from exactile.search.search import facts

Tell = Callable[[str, object], None]
"""Sends an event to the page; called with the kind of the event and its content."""


class PuzzleAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request about a puzzle, perhaps without some of its pieces, or with some already placed."""

    # Name or alias of a puzzle of the catalogue, or the text of a puzzle file of several lines
    puzzle: str
    omit: tuple[str, ...] = ()  # pieces that are left out
    placed: tuple[Numbered, ...] = ()  # placements that every solution should contain

    @property
    def case(self) -> Case:
        """The requested puzzle as a `Case`; recent requests for the same puzzle share it.

        Raise PuzzleError if the puzzle, a piece or a placement is invalid.
        """
        return _case(self.puzzle, self.omit, self.placed)


def offered() -> list[str]:
    """Return the names of the backends that the page offers.

    They are installed, and can do nothing but search: `external` would run any command, and a name
    with a colon might do so as well. `first` is left out because it may miss solutions.

    >>> "dlx" in offered(), "external" in offered()
    (True, False)
    """
    names = (backend.name.partition(":")[0] for backend in usable())
    return [name for name in names if name not in ("external", "first")]


def require_offered(backend: str) -> None:
    """Raise PuzzleError if the page does not offer a backend."""
    if backend not in offered():
        raise PuzzleError(f"The page has no backend '{backend}': it offers {', '.join(offered())}.")


class SearchAsked(PuzzleAsked, frozen=True, kw_only=True):
    """A request for a search by a backend, which must be one of those that the page offers."""

    backend: str = DEFAULT_BACKEND

    def __post_init__(self) -> None:
        """Raise PuzzleError if the backend is not offered."""
        require_offered(self.backend)


@lru_cache(maxsize=4)
def _case(name: str, omit: tuple[str, ...], placed: tuple[Numbered, ...]) -> Case:
    if not omit and not placed:
        if "\n" not in name and not catalogue.has(name):  # `load` would read files, too
            raise NotFoundError(f"There is no puzzle '{name}' in the catalogue.")
        return Case(load(name))
    if not placed:
        return Case(without(_case(name, (), ()).puzzle, omit))
    puzzle = _case(name, omit, ()).puzzle
    return Case(replace(puzzle, fixed=(*puzzle.fixed, *from_numbers(puzzle, placed))))


def without(puzzle: Puzzle, omit: Iterable[str]) -> Puzzle:
    """Return a puzzle without some of its pieces, given by name.

    If the puzzle has an omission, these pieces count among the pieces that it leaves out. Raise
    PuzzleError if a name is unknown, if no piece is left, or if a fixed placement or a rule needs
    an omitted piece.

    >>> import exactile
    >>> exactile.count(without(exactile.load("tetrasticks-5x5"), ["H"])).symmetry
    72
    """
    names = {puzzle.piece(name).name for name in omit}
    omission = puzzle.omission
    if omission is not None:
        chosen = tuple(n for n in omission.names if n not in names)
        count = omission.count - (len(omission.names) - len(chosen))
        omission = Omission(chosen, min(count, len(chosen))) if count > 0 and chosen else None
    pieces = tuple(p for p in puzzle.pieces if p.name not in names)
    return with_pieces(puzzle, pieces, omission, puzzle.use_rules)


def from_numbers(puzzle: Puzzle, placed: Iterable[Numbered]) -> Solution:
    """Return as a `Solution` the placements that the page sends; points replace indices.

    Raise PuzzleError if an index does not belong to a unit of the region.
    """
    points = puzzle.region.units
    found = []
    for piece, units in placed:
        if any(not 0 <= u < len(points) for u in units):
            raise PuzzleError(f"The region has {len(points)} units, and {piece} refers to others.")
        found.append(Placement(piece, tuple(sorted(map(tuple, points[list(units)].tolist())))))
    return sorted_solution(found, puzzle.piece_index)


def news(search: Search) -> dict[str, Any]:
    """Return the content of an event about the progress of a search."""
    stats = search.stats
    return {
        "found": search.found,
        "done": search.done,
        "left": search.seconds_left,
        "nodes": stats["nodes"],
        "seconds": stats["seconds"],
        "doing": search.doing,
        "counters": {k: v for k, v in search.counters.items() if isinstance(v, (int, float))},
    }


class BoardData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a puzzle that the page needs to draw it, such as the region and the pieces."""

    units: list[list[int]]  # the points of the region; the page numbers them from 0
    optional: list[int]  # the numbers of those that may stay empty
    wrap: list[list[int]]  # translations that identify units
    pieces: list[PieceData]
    # choice: how many of the pieces `choices` each solution leaves out
    choice: int
    choices: tuple[str, ...]
    fixed: list[Numbered]  # placements that every solution contains
    crossing: bool
    paint: PaintData  # the paint of its units and pieces
    labels: list[str]  # the label of each unit, "" for none; an empty list if no unit has one


def board_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the fields of `BoardData` by name."""
    region, omission = puzzle.region, puzzle.omission
    return {
        "units": region.units.tolist(),
        "optional": region.optional.nonzero()[0].tolist(),
        "wrap": [list(v) for v in region.wrap.vectors] if region.wrap else [],
        "pieces": pieces_data(puzzle),
        "choice": omission.count if omission else 0,
        "choices": omission.names if omission else (),
        "fixed": in_numbers(puzzle, puzzle.fixed),
        "crossing": puzzle.crossing,
        "paint": paint_data(puzzle),
        "labels": labels_data(puzzle),
    }


class PuzzleView(BoardData, frozen=True, kw_only=True):
    """All data of a puzzle that the page needs to show it."""

    facts: PuzzleFacts  # the puzzle's description
    lattice: LatticeData
    backends: list[str]


def is_shown(puzzle: Puzzle) -> bool:
    """Return whether the page can draw the region of a puzzle.

    It cannot draw a region whose sides are joined with a reflection, such as a Moebius strip.
    """
    wrap = puzzle.region.wrap
    return wrap is None or wrap.glide is None


def board(asked: PuzzleAsked, tell: Tell) -> None:
    """Report the puzzle as a `PuzzleView`.

    Raise PuzzleError if the page cannot draw its region, ModelError if its model would be too
    large; other errors are those of `PuzzleAsked.case`.
    """
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
    """A request for the text of a file with a puzzle, or with solutions of it."""

    form: str  # "toml", "svg", "jsonl" or "puzzler"
    solutions: tuple[tuple[Numbered, ...], ...] = ()  # the solutions; a drawing shows the first
    complete: bool = False  # whether these are all that the search was for


def text(asked: TextWanted, tell: Tell) -> None:
    """Report a puzzle, a drawing of it, or solutions of it, as the text of a file.

    Raise PuzzleError if the requested format is unknown, or a solution has an invalid index.
    """
    puzzle = asked.case.puzzle
    solutions = [from_numbers(puzzle, s) for s in asked.solutions]
    if asked.form == "toml":
        written = document_text([puzzle])
    elif asked.form == "svg":
        written = draw_svg(puzzle, solutions[0] if solutions else ())
    elif asked.form in ("jsonl", "puzzler"):
        stream = StringIO()
        end = COMPLETE if asked.complete else "unknown"
        write_solutions(puzzle, solutions, stream, asked.form, lambda: end)
        written = stream.getvalue()
    else:
        raise PuzzleError(f"There is no format '{asked.form}' here.")
    tell("text", {"text": written})


class Nothing(msgspec.Struct, frozen=True):
    """An empty request."""


def lattices(asked: Nothing, tell: Tell) -> None:
    """Report all lattices, each as `LatticeData`."""
    tell("lattices", [lattice_data(get_lattice(name)) for name in lattice_names()])


class PiecesWanted(msgspec.Struct, frozen=True):
    """A request for a set of pieces, by its name and its lattice."""

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
    """A puzzle as drawn in the editor; units are points of the lattice."""

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
    "together": "pieces that need not be separated",
    "open_rules": "numbers of units that stay open",
    "use_rules": "numbers of pieces that are used",
    "labels": "labels of units",
}
"""Attributes of a puzzle that the editor cannot change, with their descriptions."""


def build(asked: Drawn, tell: Tell) -> None:
    """Report the text of a puzzle file for a drawn puzzle.

    The drawn puzzle gets the rules of the puzzle that was edited, `Drawn.like`. In the event,
    `lost` describes the rules that no longer fit. Raise PuzzleError if the drawing is not a puzzle,
    for example because the region is empty.
    """
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
    """Return a puzzle with the rules of another, and descriptions of the rules that do not fit.

    `like`: the other puzzle as the text of a puzzle file; if it has only one line, no rules are
    added. Raise PuzzleError if this text is not a puzzle.
    """
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
    """The content of a file (in base64 in the request) and its name."""

    name: str
    content: bytes


def read(asked: File, tell: Tell) -> None:
    """Report the text of a puzzle file for the puzzle in a file of any known format.

    Raise FileError if the file cannot be read as a puzzle.
    """
    with TemporaryDirectory() as folder:
        suffix = Path(asked.name).suffix[:12]
        path = Path(folder) / f"file{suffix if suffix.isprintable() else ''}"
        path.write_bytes(asked.content)
        try:
            puzzle = load(path)
        except ExactileError as error:
            raise FileError(str(error).replace(str(path), Path(asked.name).name)) from None
    tell("text", {"text": document_text([puzzle])})
