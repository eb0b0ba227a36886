"""Tasks that take many searches: classes of similar solutions, and tilings by a piece."""

from __future__ import annotations

import msgspec

from exactile.answers import TilingAnswer
from exactile.clock import CLOCK
from exactile.errors import PuzzleError
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Point
from exactile.model.model import Ints
from exactile.puzzle.pieces.piece import Piece, as_freedom, customary_freedom
from exactile.render.board import Numbered, in_numbers
from exactile.render.tilings import draw_tiling
from exactile.search import Search
from exactile.search.limits import Limits
from exactile.serve.tasks.puzzles import Tell
from exactile.serve.tasks.searching import PACE, Searched, paced
from exactile.surveys.classes.report import classify
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.tiling.prototiles import Prototiles
from exactile.surveys.tiling.verbs import tile as decide

MOST = 20_000
"""Largest number of solutions that are sorted into classes."""


class Way(msgspec.Struct, frozen=True):
    """A transformation of one solution into a similar one."""

    # first, second: the solutions
    first: int
    second: int
    # The symmetry applied to the second solution, after which the other pieces stay in place
    symmetry: int
    kind: str  # "block", "exchange" or "pair"
    moved: list[int]  # indices of the placements of the first solution that move


class Similar(msgspec.Struct, frozen=True):
    """All solutions of a puzzle, and the classes of similar ones, the largest class first."""

    solutions: list[list[Numbered]]
    classes: list[list[int]]
    ways: list[Way]
    # units, pieces: the image of the units, and of the pieces, under each symmetry of the puzzle
    units: list[list[int]]
    pieces: list[list[int]]
    names: list[str]  # the names of the pieces
    remarks: list[str]


def classes(asked: Searched, tell: Tell) -> None:
    """Report all solutions of a puzzle and the classes of similar ones, as `Similar`.

    Raise PuzzleError if not all solutions are found in half of the time limit, or if there are more
    than `MOST`.
    """
    limits = Limits(asked.time_limit).rest()
    search = Search(
        asked.case, backend=asked.backend, time_limit=asked.time_limit / 2, watch=paced(tell)
    )
    found = Solutions.of_search(search)
    if search.stopped is not None:
        raise PuzzleError("Not all solutions were found in time: there are too many to compare.")
    if len(found) > MOST:
        raise PuzzleError(f"There are {len(found):,} solutions: up to {MOST:,} are compared here.")

    def watch(done: float) -> None:
        tell("progress", {"done": done, "doing": "comparing"})

    report = classify(found, watch=watch, limits=limits)
    case, columns = found.case, [{o: k for k, o in enumerate(_placed(row))} for row in found.rows]
    tell(
        "classes",
        Similar(
            solutions=[
                [
                    in_numbers(case.puzzle, (placement,))[0]
                    for option in _placed(row)
                    if (placement := case.decoder.placement(option)) is not None
                ]
                for row in found.rows
            ],
            classes=report.classes,
            ways=[
                Way(
                    c.first,
                    c.second,
                    c.element,
                    c.kind.name.lower(),
                    [columns[c.first][o] for o in c.moved],
                )
                for c in report.found
            ],
            units=[[*map(int, s.units)] for s in case.symmetries],
            pieces=[[*map(int, s.pieces)] for s in case.symmetries],
            names=[piece.name for piece in case.puzzle.pieces],
            remarks=[*report.remarks],
        ),
    )


def _placed(row: Ints) -> list[int]:
    """Return the options of a solution that are placements."""
    return [o for o in row.tolist() if o >= 0]


class TileAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for tilings of the plane or space by one piece."""

    lattice: str
    units: tuple[Point, ...]  # points of the lattice
    name: str = "tile"
    freedom: str | None = None  # as real pieces if left out
    crossing: bool = True  # whether copies must not cross at vertices
    disc: bool = False  # whether to find units around it that cannot all be covered
    time_limit: float = 30.0  # seconds for everything


class TilingPicture(msgspec.Struct, frozen=True):
    """A picture of a tiling, or of units that cannot all be covered."""

    # What tiles of one color have in common, "orientation", "class", "copy" or "corona"; or "disc"
    # for units that cannot all be covered
    shows: str
    svg: str


def tile(asked: TileAsked, tell: Tell) -> None:
    """Report pictures, each a `TilingPicture`, and finally a `TilingAnswer`."""
    lattice = get_lattice(asked.lattice)
    freedom = customary_freedom(lattice) if asked.freedom is None else as_freedom(asked.freedom)
    piece = Piece(asked.name, lattice, asked.units, freedom)
    begun = last = CLOCK.now()

    def watch() -> None:
        nonlocal last
        if CLOCK.now() - last >= PACE:
            last = CLOCK.now()
            tell("progress", {"doing": "searching", "seconds": last - begun})

    answer = decide(
        piece,
        crossing=asked.crossing,
        least=True,
        heesch=Prototiles((piece,), asked.crossing).has_heesch_numbers,
        time_limit=asked.time_limit,
        disc=asked.disc,
        watch=watch,
    )
    for shows in _shown(answer):
        color = None if shows == "disc" else shows
        tell("picture", TilingPicture(shows, draw_tiling(answer, color=color)))
    tell("answer", answer)


def _shown(answer: TilingAnswer) -> list[str]:
    if answer.tiling is None:
        return ["corona", *["disc"] * (answer.uncoverable is not None)]
    shown = ["orientation"]
    if len(answer.tiling.copies) > 1:
        shown += [*["class"] * (answer.tiling.orbits > 1), "copy"]
    return shown
