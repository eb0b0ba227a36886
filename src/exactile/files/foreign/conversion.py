"""Files of other programs converted to the formats of this package, and puzzles to theirs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import TextIOWrapper
from os import PathLike

from exactile.atomic import written
from exactile.doors import door
from exactile.errors import FileError
from exactile.files.foreign.common import Foreign
from exactile.files.foreign.imports import PUZZLES, SOLUTIONS, format_of, named_solutions
from exactile.files.foreign.xmpuzzle_writer import packed, xmpuzzle_text
from exactile.files.io.contents import decoded, file_bytes
from exactile.files.io.place import Place
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import READERS, write_model
from exactile.files.puzzles.writer import write_puzzles
from exactile.files.solutions.reader import UNTOLD, Reading
from exactile.files.solutions.writer import write_solutions
from exactile.puzzle import Puzzle

PUZZLE_FORMATS = {
    "toml": "the puzzle itself, as a puzzle file",
    "xmpuzzle": "the puzzle for BurrTools, if it is one of squares or cubes",
}
"""Formats of puzzles, as opposed to models."""


@dataclass(frozen=True)
class ForeignPuzzles:
    """Puzzles of another program, which are written as a puzzle file."""

    name: str
    foreign: Foreign
    written_as = "toml"

    def write(self, path: str | PathLike[str]) -> None:
        """Write them."""
        write_puzzles(path, self.foreign.puzzles, self.foreign.comment)


@dataclass
class ForeignSolutions:
    """Solutions of a puzzle named by their file; they are checked as they are written."""

    name: str
    puzzle: Puzzle
    solutions: Reading
    number: int | None = None
    written_as = "jsonl"

    def write(self, path: str | PathLike[str]) -> None:
        """Write them and count them."""
        with Place(self.name).errors(), written(path) as target:
            self.number = write_solutions(
                self.puzzle, self.solutions, target, told=lambda: self.solutions.end or UNTOLD
            )


@dataclass(frozen=True)
class ForeignModel:
    """A model, which is written as JSON."""

    name: str
    problem: ExactCover
    written_as = "json"

    def write(self, path: str | PathLike[str]) -> None:
        """Write it."""
        with written(path) as stream:
            write_model(self.problem, stream, "json")


@door
def import_file(
    path: str | PathLike[str], form: str | None = None
) -> ForeignPuzzles | ForeignSolutions | ForeignModel:
    """Read a file of another program, to be written in a format of this package.

    Parameters
    ----------
    path
        The file; ``"-"`` is standard input.
    form
        Its format: see `format_of`. By default the file's name or its first characters decide.

    Raises
    ------
    FileError
        If the file cannot be read.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = folder + "/soma.xmpuzzle"
    ...     exactile.write_puzzle_as(exactile.load("soma-cube"), path, "xmpuzzle")
    ...     import_file(path).written_as
    'toml'
    """
    name, data = file_bytes(path)
    found = form or format_of(name, data)
    if found == SOLUTIONS:
        return ForeignSolutions(name, *named_solutions(name, decoded(name, data)))
    with Place(name).errors():
        if found not in PUZZLES and found not in READERS:
            known = ", ".join([*PUZZLES, SOLUTIONS, *READERS])
            raise FileError(f"nothing is read as '{found}': write {known}.")
        if found in PUZZLES:
            return ForeignPuzzles(name, PUZZLES[found](name, data))
        return ForeignModel(name, READERS[found](name, decoded(name, data)))


@door
def import_puzzles(path: str | PathLike[str], form: str | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file of another program.

    Parameters
    ----------
    path, form
        See `import_file`.

    Raises
    ------
    FileError
        If the file cannot be read, or contains no puzzles.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = folder + "/soma.xmpuzzle"
    ...     exactile.write_puzzle_as(exactile.load("soma-cube"), path, "xmpuzzle")
    ...     import_puzzles(path) == (exactile.load("soma-cube"),)
    True
    """
    found = import_file(path, form)
    if not isinstance(found, ForeignPuzzles):
        raise FileError(f"{found.name}: it is not a file of puzzles of another program.")
    return tuple(found.foreign.puzzles)


@door
def write_puzzle_as(puzzle: Puzzle, path: str | PathLike[str], form: str) -> None:
    """Write a puzzle in one of `PUZZLE_FORMATS`; ``"-"`` is standard output.

    Files of BurrTools are compressed, but not on standard output.

    Raises
    ------
    FileError
        If there is no such format, or it cannot express the puzzle.

    Examples
    --------
    >>> import exactile
    >>> write_puzzle_as(exactile.load("tetrahexes-4x7"), "-", "toml")
    format = 1
    <BLANKLINE>
    [puzzle.tetrahexes-4x7]
    title = "Tetrahexes, 4 by 7"
    ...
    """
    if form == "toml":
        write_puzzles(path, [puzzle])
    elif form == "xmpuzzle":
        text = xmpuzzle_text(puzzle)
        with written(path) as stream:
            if os.fspath(path) == "-" or not isinstance(stream, TextIOWrapper):
                stream.write(text)
            else:
                stream.buffer.write(packed(text))
    else:
        raise FileError(f"There is no format '{form}': there are {', '.join(PUZZLE_FORMATS)}.")
