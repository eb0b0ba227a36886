"""Formats that puzzles are written in, by name."""

from __future__ import annotations

import os
from io import TextIOWrapper

from exactile.atomic import written
from exactile.doors import door
from exactile.errors import FileError
from exactile.files.foreign.xmpuzzle_writer import packed, xmpuzzle_text
from exactile.files.puzzles.writer import write_puzzles
from exactile.puzzle import Puzzle

PUZZLE_FORMATS = {
    "toml": "the puzzle itself, as a puzzle file",
    "xmpuzzle": "the puzzle for BurrTools, if it is one of squares or cubes",
}
"""Formats of puzzles, as opposed to models."""


@door
def write_puzzle_as(puzzle: Puzzle, path: str | os.PathLike[str], form: str) -> None:
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
