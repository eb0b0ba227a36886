"""Puzzles from wherever they are: the catalogue, puzzle files, files of other programs."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from exactile.errors import FileError, NotFoundError, suggestion
from exactile.files.models.names import is_model_file
from exactile.files.puzzles import catalogue

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle


def load(reference: str | os.PathLike[str]) -> Puzzle:
    """Return a puzzle of the catalogue, by identifier or alias, or a puzzle of a file.

    Parameters
    ----------
    reference
        ``"pentominoes-6x10"``, an alias such as ``"Pentominoes6x10"`` (upper and lower case do not
        matter), ``"my.toml"`` for the only puzzle of a file, or ``"my.toml#name"``. The file may be
        one of BurrTools, PolySolver or Busche's solver too; ``"-"`` is standard input. A text of
        several lines is a puzzle file itself.

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
    reference = os.fspath(reference)
    if "\n" in reference:
        return _only(_of_text("the puzzle", reference), "the puzzle", None)
    path, name = catalogue.split(reference)
    if catalogue.has(path) or not _of_others(path):
        return catalogue.load(reference)
    return _only(_puzzles(path), path, name)


def _only(puzzles: dict[str, Puzzle], path: str, name: str | None) -> Puzzle:
    """Return the puzzle that is meant."""
    if name is None and len(puzzles) > 1:
        raise FileError(
            f"{path}: the file has {len(puzzles)} puzzles: name one of them, such as "
            f"{path}#{next(iter(puzzles))}. Its puzzles: {', '.join(puzzles)}."
        )
    if name is not None and name not in puzzles:
        raise NotFoundError(
            f"{path}: there is no puzzle '{name}' in it.{suggestion(name, puzzles)} "
            f"Its puzzles: {', '.join(puzzles)}."
        )
    return puzzles[name or next(iter(puzzles))]


def _of_others(path: str) -> bool:
    """Return whether what is in a file tells what it is."""
    if path == "-":
        return True
    return Path(path).suffix != ".toml" and not is_model_file(path) and Path(path).is_file()


def _puzzles(path: str) -> dict[str, Puzzle]:
    """Return the puzzles of a file of whatever kind."""
    from exactile.files.foreign.imports import PUZZLES, SOLUTIONS, format_of
    from exactile.files.io.contents import decoded, file_bytes
    from exactile.files.io.place import Place

    name, data = file_bytes(path)
    form = format_of(name, data)
    if form in PUZZLES:
        with Place(name).errors():
            return {puzzle.name: puzzle for puzzle in PUZZLES[form](name, data).puzzles}
    if form == SOLUTIONS:
        raise FileError(
            f"{name}: these are solutions: `exactile check {path}` checks them, `exactile render "
            f"PUZZLE {path}` draws one."
        )
    text = decoded(name, data)
    if not re.search(r"[=\[]", text):
        raise FileError(
            f"{name}: this is no puzzle file, as it says nothing of pieces. A drawing of a region: "
            f"write --pieces SET --drawing {path}. A model: `exactile cover {path}` counts its "
            "solutions."
        )
    return _of_text(name, text)


def _of_text(name: str, text: str) -> dict[str, Puzzle]:
    """Return the puzzles of a text in TOML."""
    from exactile.files.puzzles.document import Document

    document = Document(name, text)
    return {identifier: document.puzzle(identifier) for identifier in document.ids}
