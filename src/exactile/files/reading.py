"""Puzzles by their names: in the catalogue, in puzzle files, in files of other programs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from exactile.errors import FileError, NotFoundError, PuzzleError
from exactile.files.foreign import identifier, stem
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.document import Document, chosen
from exactile.files.sources import Place, decoded, file_bytes, model_format, source_name
from exactile.wanted import seen

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle


def load(reference: str | os.PathLike[str]) -> Puzzle:
    """Return a puzzle of the catalogue or of a file.

    Parameters
    ----------
    reference
        For the catalogue, an identifier such as ``"pentominoes-6x10"``, or an alias such as
        ``"Pentominoes6x10"``, in upper or lower case. ``"my.toml"`` is the only puzzle of a file,
        ``"my.toml#name"`` one of several. The file may also be one of BurrTools, PolySolver or
        Busche's solver; ``"-"`` is standard input. A text of several lines is read as the contents
        of a puzzle file.

    Raises
    ------
    NotFoundError
        If there is no such puzzle or file.
    PuzzleError
        If the file or the puzzle is wrong, or if the file has several puzzles and none is named.

    Examples
    --------
    >>> load("Pentominoes6x10").name
    'pentominoes-6x10'
    """
    reference = os.fspath(reference) if isinstance(reference, os.PathLike) else reference
    if not isinstance(reference, str):
        raise PuzzleError(f"A name or a path must be a str or a path, not {seen(reference)}.")
    if "\n" in reference:
        text = Document("the puzzle", reference)
        if len(text.ids) > 1:
            raise FileError(
                f"The text has {len(text.ids)} puzzles, but a text is read as one: save it as a "
                f"file, and name one of them, such as FILE.toml#{text.ids[0]}."
            )
        return text.puzzle()
    if not _looks_like_path(reference) or catalogue.has(reference):
        return catalogue.load(reference)  # or an error with suggestions
    path, name = split(reference)
    if _of_others(path):
        return _of_other(path, name)
    if is_model_file(reference):
        raise FileError(
            f"{reference} is the name of a model file, not of a puzzle: `exactile count "
            f"{reference}` counts its solutions, and `exactile solve {reference}` finds one, if no "
            "other file and no option for puzzles is given."
        )
    if not path:
        raise NotFoundError(f"'{reference}' names no file: write FILE.toml#NAME.")
    return Document(path).puzzle(name)


def split(reference: str) -> tuple[str, str | None]:
    """Divide a reference such as ``my.toml#day-1`` into the path and the name of a puzzle.

    The name is None if there is no ``#``, or if a file has the whole reference as its path.
    """
    path, sign, name = reference.rpartition("#")
    if not sign or exists(reference):
        return reference, None
    return path, name


def _looks_like_path(reference: str) -> bool:
    if reference == "-" or any(sign in reference for sign in ("/", os.sep, "#")):
        return True
    return is_puzzle_file(reference) or is_model_file(reference) or exists(reference)


def is_puzzle_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a name has the suffix of puzzle files, ``.toml``, in upper or lower case.

    >>> is_puzzle_file("my.toml"), is_puzzle_file("MY.TOML"), is_puzzle_file("my.psv")
    (True, True, False)
    """
    return Path(path).suffix.lower() == ".toml"


def is_model_file(reference: str | os.PathLike[str]) -> bool:
    """Return whether a name is that of a model file, such as ``queens.dlx.gz``, not of a puzzle.

    ``"xcc:-"`` and ``"json:-"`` are model files on standard input.

    >>> is_model_file("queens.dlx"), is_model_file("pentominoes-6x10"), is_model_file("xcc:-")
    (True, False, True)
    """
    return model_format(os.fspath(reference)) is not None


def exists(reference: str) -> bool:
    """Return whether there is a file or directory with this name."""
    with suppress(OSError, ValueError):  # no file can have such a name
        return bool(reference) and Path(reference).exists()
    return False


def _of_others(path: str) -> bool:
    """Return whether a path is ``-``, or a file that is neither ``.toml`` nor a model file."""
    if path == "-":
        return True
    return (
        not is_puzzle_file(path)
        and not is_model_file(path)
        and exists(path)
        and Path(path).is_file()
    )


def _of_other(path: str, number: str | None) -> Puzzle:
    """Return a puzzle of a file in any format for puzzles, recognized by its name or contents.

    `number`: the name of the puzzle, None for the only one. Raise NotFoundError if there is no such
    puzzle, PuzzleError if the file is wrong or its format is not for puzzles.
    """
    from exactile.files.foreign.conversion import PUZZLES, SOLUTIONS, format_of

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
    return Document(name, text).puzzle(number)


@dataclass(frozen=True)
class NamedPuzzle:
    """A puzzle that is known by its name, and is read only when its method `load` is called.

    - `name`: the identifier of the puzzle. For a file of another program it is made from the name
      of the file, unless the reference contains a name.
    - `reference`: the argument with which the function `load` reads the puzzle; if the puzzle was
      read already (see `of`), its name.
    """

    name: str
    reference: str
    _read: Callable[[], Puzzle] | None = None

    @classmethod
    def of(cls, puzzle: Puzzle) -> Self:
        """Wrap a puzzle that was read already; the method `load` returns it."""
        return cls(puzzle.name, puzzle.name, lambda: puzzle)

    def load(self) -> Puzzle:
        """Read and return the puzzle; raise PuzzleError if its file is wrong."""
        return self._read() if self._read else load(self.reference)

    def then(self, change: Callable[[Puzzle], Puzzle]) -> NamedPuzzle:
        """Return a named puzzle whose method `load` applies `change` to this puzzle."""
        return replace(self, _read=lambda: change(self.load()))


def means_several(reference: str) -> bool:
    """Return whether a reference is a pattern, or a ``.toml`` file with more than one puzzle.

    A file of another program never counts as several. Raise FileError if a ``.toml`` file without
    ``#`` is not a puzzle file.

    >>> means_several("pentominoes-6x10"), means_several("pentominoes-?x*")
    (False, True)
    """
    if catalogue.has(reference):
        return False
    path, name = split(reference)
    if is_puzzle_file(path) and exists(path):
        return _is_pattern(name) if name is not None else len(Document(path).ids) > 1
    return _is_pattern(reference) and not exists(reference)


def expanded(references: Iterable[str]) -> list[NamedPuzzle]:
    """Return the puzzles that references and patterns name, each once.

    They are in the order of the references. The puzzles of a file are in the order of the file.

    Parameters
    ----------
    references
        References as for `load`, but not texts of several lines, and ``"my.toml"`` stands for all
        puzzles of a file; or patterns, in which ``*`` stands for any text, ``?`` for any
        character, and ``[ab]`` for a or b. ``"soma-*"`` matches identifiers of the catalogue,
        ``"my.toml#day-*"`` those of a file. Upper and lower case are equivalent.

    Raises
    ------
    NotFoundError
        If there is no such puzzle or file, or no identifier matches a pattern.
    FileError
        If a ``.toml`` file is not a puzzle file. Errors in other files, and in the table of a
        puzzle, are raised when the puzzle is loaded.

    Examples
    --------
    >>> [named.name for named in expanded(["soma-cube", "calendar-*25"])]
    ['soma-cube', 'calendar-01-25', 'calendar-12-25']
    """
    document = cache(Document)
    found: dict[str, NamedPuzzle] = {}
    for reference in references:
        for named in _expanded(reference, document):
            found.setdefault(named.reference, named)
    return list(found.values())


def _expanded(reference: str, document: Callable[[str], Document]) -> Iterator[NamedPuzzle]:
    """Yield the puzzles that one reference or pattern names.

    `document`: returns the puzzle file at a path.
    """
    path, name = split(reference)
    if catalogue.has(reference):
        own = catalogue.entry(reference).id
        yield NamedPuzzle(own, own)
    elif path and is_puzzle_file(path):
        whole = document(path)
        ids = whole.ids if name is None else [name]
        if name is not None and not _is_pattern(name):
            ids = [whole.identifier(name)]
        elif name is not None and not (ids := _fitting(name, whole.ids)):
            raise NotFoundError(
                f"{path}: no puzzle in it has an id like '{name}'; an id there is {whole.ids[0]}."
            )
        for each in ids:
            yield NamedPuzzle(each, f"{path}#{each}", partial(whole.puzzle, each))
    elif _is_pattern(reference) and not exists(path):
        ids = _fitting(reference, [entry.id for entry in catalogue.entries()])
        if not ids:
            raise NotFoundError(f"No puzzle of the catalogue has an id like '{reference}'.")
        yield from (NamedPuzzle(each, each) for each in ids)
    else:
        if not exists(path) and path != "-":
            load(reference)  # raises an error with suggestions
        yield NamedPuzzle(name or identifier(stem(source_name(path))), reference)


def _is_pattern(name: str) -> bool:
    return any(sign in name for sign in "*?[")


def _fitting(pattern: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if fnmatchcase(name.casefold(), pattern.casefold())]
