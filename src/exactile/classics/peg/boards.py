"""Boards by name: those of the package, those of any size, and files.

A file of boards is TOML::

    format = 1

    [board.cross]
    grid = "square"        # or "triangle"
    drawing = '''
     #
    #o#
     #
    '''
    goal = '''
     o
    o#o
     o
    '''

In a drawing ``#`` is a peg, ``o`` an empty hole, a dot or a space nothing. On the triangle grid
holes of a row are two columns apart, and each row is shifted by one column. A drawing without empty
holes leaves the choice of the first empty hole to the player. The goal is optional.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from exactile.classics.peg.board import MOST_HOLES, Board
from exactile.classics.peg.grid import get_grid
from exactile.errors import FileError, NotFoundError, PuzzleError, RegionError, suggestion
from exactile.files.puzzles.drawing import parse_signs
from exactile.files.sources import Place, contents, parsed
from exactile.geometry.lattice import Point

FORMAT = 1

PEG, EMPTY = "#", "o"

BUILDERS = {
    "triangle": ("triangle", "triangle", 1),
    "hexagon": ("triangle", "hexagon", 1),
    "rhombus": ("triangle", "box", 2),
    "diamond": ("square", "diamond", 1),
    "square": ("square", "box", 2),
}
"""Boards of any size: the grid, a builder of its lattice, and the number of sizes it takes."""

SIZED = re.compile(r"([a-z]+)-(\d{1,3})")


class BoardTable(msgspec.Struct, forbid_unknown_fields=True):
    """A board in a file."""

    grid: Literal["square", "triangle"]
    drawing: str
    goal: str | None = None
    title: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of boards."""

    board: dict[str, BoardTable]
    format: int = FORMAT


def load_board(reference: str) -> Board:
    """Return a board by its name, or from ``FILE.toml`` or ``FILE.toml#NAME``.

    Raise NotFoundError if there is no such board or file, FileError, RegionError if the file is
    damaged, or the board too large.

    >>> [load_board(name).size for name in ("english", "triangle-5", "diamond-5", "hexagon-3")]
    [33, 15, 41, 19]
    """
    path, _, name = reference.partition("#")
    if path.lower().endswith(".toml") or path == "-":
        file, text = contents(path)
        return _of_file(file, _boards(file, text), name)
    if sized := SIZED.fullmatch(reference):
        return _sized(reference, sized[1], int(sized[2]))
    known = named_boards()
    if reference not in known:
        raise _unknown(reference)
    return known[reference]


def named_boards() -> dict[str, Board]:
    """Return the boards that come with the package by name."""
    text = Path(__file__).with_name("boards.toml").read_text("utf-8")
    return {
        name: board(Place("boards.toml") / name, name, table)
        for name, table in _boards("boards.toml", text).items()
    }


def _unknown(name: str) -> NotFoundError:
    known = [*named_boards(), *(f"{builder}-N" for builder in BUILDERS)]
    return NotFoundError(
        f"There is no board '{name}'.{suggestion(name, known)} Known: {', '.join(known)}; "
        "or name a file, BOARDS.toml or BOARDS.toml#NAME."
    )


def _sized(name: str, builder: str, size: int) -> Board:
    """Return a board of any size."""
    if builder not in BUILDERS:
        raise _unknown(name)
    grid, build, sizes = BUILDERS[builder]
    if not 1 <= size <= MOST_HOLES:  # too many holes are refused before they are made
        raise RegionError(
            f"The board {name} is too large or empty: it has 1 to {MOST_HOLES} holes."
        )
    cells = get_grid(grid).lattice.builders[build](*[size] * sizes)
    return Board.of(name, grid, cells, title=f"{builder.capitalize()} of side {size}")


def _boards(file: str, text: str) -> dict[str, BoardTable]:
    """Read a file of boards."""
    place = Place(file)
    found = place.convert(parsed(text, place), BoardFile)
    if found.format != FORMAT:
        raise (place / "format").error(f"this version reads format {FORMAT}, not {found.format}.")
    return found.board


def _of_file(file: str, tables: dict[str, BoardTable], name: str) -> Board:
    """Return the board with a name in a file; without a name the only one."""
    if not tables:
        raise FileError(f"{file}: it has no board: write a table [board.NAME].")
    if not name and len(tables) > 1:
        raise FileError(
            f"{file}: it has {len(tables)} boards: write {file}#NAME with one of "
            f"{', '.join(tables)}."
        )
    name = name or next(iter(tables))
    if name not in tables:
        raise NotFoundError(
            f"{file}: there is no board '{name}'.{suggestion(name, tables)} "
            f"Known: {', '.join(tables)}."
        )
    return board(Place(file, "board") / name, name, tables[name])


def board(place: Place, name: str, table: BoardTable) -> Board:
    r"""Return the board of a table.

    Raise PuzzleError if a drawing is damaged; `place` stands in front of the message.

    >>> table = BoardTable("square", "###\n#o#", goal="ooo\no#o")
    >>> found = board(Place("my.toml"), "tiny", table)
    >>> found.size, bin(found.start), bin(found.goal)
    (6, '0b101111', '0b10000')
    """
    drawing, goal = place / "drawing", place / "goal"
    with drawing.errors():
        signs = _signs(table.drawing, table.grid)
        made = Board.of(name, table.grid, signs, table.title)
    start = _position(made, signs)
    if start == made.full:
        made = replace(made, start=None)
    elif start == 0:
        raise drawing.error("there is no peg in it: # is a peg, o an empty hole.")
    else:
        made = replace(made, start=start)
    if table.goal is None:
        return made
    with goal.errors():
        aim = _signs(table.goal, table.grid)
    shift = [min(p[k] for p in signs) - min(p[k] for p in aim) for k in (0, 1)]
    moved: dict[Point, str] = {(p[0] + shift[0], p[1] + shift[1]): sign for p, sign in aim.items()}
    if moved.keys() != signs.keys() or not (position := _position(made, moved)):
        raise goal.error(
            "it must have the holes of the drawing, and a peg in one of them at least."
        )
    return replace(made, goal=position)


def _signs(text: str, grid: str) -> dict[Point, str]:
    """Return the sign of each hole in a drawing."""
    text = text.strip("\n")
    strange = set(text) - set(PEG + EMPTY + ". \n")
    if strange:
        raise PuzzleError(
            f"{min(strange)!r} has no meaning in a drawing of a board: write # for a peg, o for an "
            "empty hole, . or a space for nothing."
        )
    signs = parse_signs(text, get_grid(grid).lattice, letters=EMPTY)
    if not signs:
        raise RegionError("There is no hole in the drawing: # is a peg, o an empty hole.")
    return signs


def _position(made: Board, signs: Mapping[Point, str]) -> int:
    return sum(1 << h for h, p in enumerate(made.holes) if signs[p] == PEG)
