"""Names of several puzzles: whole files, and patterns of identifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import TYPE_CHECKING

from exactile.errors import NotFoundError
from exactile.files.foreign.common import identifier, stem
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.document import Document
from exactile.files.reading import exists, load, split
from exactile.files.sources import is_puzzle_file, source_name

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle


@dataclass(frozen=True)
class NamedPuzzle:
    """A puzzle that was found by its name, and is not yet read.

    - `name`: its identifier; for a file of another program, made from the name of the file.
    - `reference`: the argument for `load`.
    """

    name: str
    reference: str
    _read: Callable[[], Puzzle] | None = None

    def load(self) -> Puzzle:
        """Return the puzzle; raise PuzzleError if its statement is wrong."""
        return self._read() if self._read else load(self.reference)


def means_several(reference: str) -> bool:
    """Return whether a word names several puzzles: a pattern, or a file with more than one.

    Among files, only puzzle files that end in ``.toml`` can.

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
    """Return the puzzles that are named, each once, in the order of the words and of the files.

    Parameters
    ----------
    references
        Arguments of `load`; ``"my.toml"`` for all puzzles of a file; or patterns, in which
        ``*`` stands for any text and ``?`` for any character: ``"soma-*"`` for identifiers of the
        catalogue, ``"my.toml#day-*"`` for those of a file. Upper and lower case do not matter.

    Raises
    ------
    NotFoundError
        If there is no such puzzle or file, or nothing fits a pattern.
    FileError
        If a file is wrong; a wrong statement of one puzzle is an error only when that is loaded.

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
    """Yield the puzzles of one reference."""
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
    """Return the names that fit a pattern."""
    return [name for name in names if fnmatchcase(name.casefold(), pattern.casefold())]
