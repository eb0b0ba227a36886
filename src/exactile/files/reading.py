"""Puzzles from any source: the catalogue, puzzle files, files of other programs."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from exactile.errors import FileError, NotFoundError, PuzzleError
from exactile.files.puzzles import catalogue
from exactile.files.sources import is_model_file, is_puzzle_file
from exactile.wanted import seen

if TYPE_CHECKING:
    from exactile.files.puzzles.document import Document
    from exactile.puzzle import Puzzle


def load(reference: str | os.PathLike[str]) -> Puzzle:
    """Return a puzzle of the catalogue, by identifier or alias, or a puzzle of a file.

    Parameters
    ----------
    reference
        ``"pentominoes-6x10"``, an alias such as ``"Pentominoes6x10"`` (upper and lower case do not
        matter), ``"my.toml"`` for the only puzzle of a file, or ``"my.toml#name"``. The file may
        also be one of BurrTools, PolySolver or Busche's solver; ``"-"`` is standard input. A text
        of several lines is read as a puzzle file.

    Raises
    ------
    NotFoundError
        If there is no such puzzle or file.
    PuzzleError
        If the file or the puzzle is wrong; the message names the place.

    Examples
    --------
    >>> load("Pentominoes6x10").name
    'pentominoes-6x10'
    """
    reference = os.fspath(reference) if isinstance(reference, os.PathLike) else reference
    if not isinstance(reference, str):
        raise PuzzleError(f"A name or a path must be a str or a path, not {seen(reference)}.")
    if "\n" in reference:
        return _document("the puzzle", reference).puzzle()
    if catalogue.has(reference):
        return catalogue.load(reference)
    path, name = split(reference)
    if _of_others(path):
        return _of_other(path, name)
    if is_model_file(reference):
        raise FileError(
            f"{reference} is the name of a model file, not of a puzzle: `exactile count "
            f"{reference}` counts its solutions, and `exactile solve {reference}` finds one."
        )
    if not _looks_like_path(reference):
        return catalogue.load(reference)  # raises an error with suggestions
    if not path:
        raise NotFoundError(f"'{reference}' names no file: write FILE.toml#NAME.")
    return _document(path).puzzle(name)


def split(reference: str) -> tuple[str, str | None]:
    """Return path and name; a ``#`` in the name of an existing file stays in the path."""
    path, sign, name = reference.rpartition("#")
    if not sign or exists(reference):
        return reference, None
    return path, name


def _looks_like_path(reference: str) -> bool:
    if any(sign in reference for sign in ("/", os.sep, "#")):
        return True
    return is_puzzle_file(reference) or exists(reference)


def exists(reference: str) -> bool:
    """Return whether there is a file or directory with this name."""
    with suppress(OSError, ValueError):  # no file can have such a name
        return bool(reference) and Path(reference).exists()
    return False


def _of_others(path: str) -> bool:
    """Return whether only the contents of a file show its format."""
    if path == "-":
        return True
    return (
        not is_puzzle_file(path)
        and not is_model_file(path)
        and exists(path)
        and Path(path).is_file()
    )


def _of_other(path: str, number: str | None) -> Puzzle:
    """Return a puzzle of a file whose contents show its format."""
    from exactile.files.foreign.conversion import PUZZLES, SOLUTIONS, format_of
    from exactile.files.puzzles.document import chosen
    from exactile.files.sources import Place, decoded, file_bytes

    name, data = file_bytes(path)
    form = format_of(name, data)
    if form in PUZZLES:
        with Place(name).errors():
            puzzles = {puzzle.name: puzzle for puzzle in PUZZLES[form](name, data).puzzles}
        return puzzles[chosen(list(puzzles), number, Place(name))]
    if form == SOLUTIONS:
        raise FileError(
            f"{name}: these are solutions: `exactile check {path}` checks them, `exactile render "
            f"PUZZLE {path}` draws one."
        )
    text = decoded(name, data)
    if not re.search(r"[=\[]", text):
        source = "" if path == "-" else f" < {path}"
        raise FileError(
            f"{name}: this is not a puzzle file: it names no pieces. A drawing of a region: "
            f"write --pieces SET --drawing {path}. A model: `exactile count xcc:-{source}` "
            "counts its solutions."
        )
    return _document(name, text).puzzle(number)


def _document(path: str, text: str | None = None) -> Document:
    from exactile.files.puzzles.document import Document  # here: lists of puzzles do not need it

    return Document(path, text)
