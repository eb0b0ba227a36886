"""The catalogue: puzzle files that come with the package, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from exactile.errors import FileError, NotFoundError, PieceError, suggestion
from exactile.files.puzzles.index import contents, root

if TYPE_CHECKING:
    from exactile.files.puzzles.document import Document
    from exactile.puzzle import Puzzle


@dataclass(frozen=True)
class Entry:
    """What the catalogue knows of a puzzle without building it.

    Attributes
    ----------
    id, title, aliases, lattice
        As in the file.
    sources
        The source of the puzzle, and of published numbers of solutions.
    path
        The file.
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    lattice: str
    sources: tuple[str, ...]
    path: Path


@cache
def _document(path: Path) -> Document:
    from exactile.files.puzzles.document import Document  # which lists of puzzles do not need

    return Document(path)


@cache
def entries() -> tuple[Entry, ...]:
    """Return all puzzles of the catalogue, by file and then in the order of the file.

    Raises
    ------
    FileError
        If a file is wrong or a name is used twice.

    Examples
    --------
    >>> [e.title for e in entries() if e.id == "pentominoes-6x10"]
    ['Pentominoes, 6 by 10']
    """
    found: list[Entry] = []
    owner: dict[str, Path] = {}
    for path, headers in contents(root()):
        for header in headers:
            for word in (header.id, *header.aliases):
                if owner.setdefault(word.casefold(), path) != path:
                    raise FileError(
                        f"{path}: the name '{word}' of puzzle '{header.id}' is also used in "
                        f"{owner[word.casefold()]}: choose another."
                    )
            told = header.id, header.title, header.aliases, header.lattice, header.sources
            found.append(Entry(*told, path))
    return tuple(found)


@cache
def _index() -> dict[str, Entry]:
    """Return the entries by identifier and alias, see `folded`."""
    return {folded(word): entry for entry in entries() for word in (entry.id, *entry.aliases)}


def folded(text: str) -> str:
    """Return the form in which names are compared: lower case, blanks and hyphens alike.

    >>> folded("Soma cube"), folded("A-Puzzle-A-Day")
    ('soma-cube', 'a-puzzle-a-day')
    """
    return re.sub(r"[\s_-]+", "-", text.casefold())


def has(name: str) -> bool:
    """Return whether the catalogue has a puzzle with this name.

    >>> has("SomaCube"), has("soma")
    (True, False)
    """
    return folded(name) in _index()


def load(name: str) -> Puzzle:
    """Return a puzzle of the catalogue, by identifier or alias.

    Raise NotFoundError if there is no puzzle of this name.

    >>> load("Pentominoes6x10").name
    'pentominoes-6x10'
    """
    entry = _index().get(folded(name))
    if entry is None:
        _require_no_pieces(name)
        known = {word.casefold(): word for e in entries() for word in (e.id, *e.aliases)}
        raise NotFoundError(
            f"There is no puzzle '{name}' in the catalogue.{_suggested(name, known)} It has "
            f"{len(entries()):,} puzzles (`exactile list`); a file of your own is named by its "
            "path, FILE.toml or FILE.toml#NAME."
        )
    return _document(entry.path).puzzle(entry.id)


def _require_no_pieces(name: str) -> None:
    """Raise if a name stands for pieces: a puzzle has a region too."""
    from exactile.files.puzzles.piece_text import lattice_of
    from exactile.geometry import get_lattice

    if not re.fullmatch(r"[\w-]+", name):
        return
    box = "AxB"
    try:
        box = "AxBxC"[: 2 * get_lattice(lattice_of(name)).dimension - 1]
    except NotFoundError:
        return
    except PieceError:  # on several lattices
        pass
    begun = any(entry.id.startswith(f"{name.casefold()}-") for entry in entries())
    listed = f" Puzzles with them: `exactile list {name}`." if begun else ""
    raise NotFoundError(
        f"There is no puzzle '{name}': these are pieces. Give them a region: --pieces {name} "
        f"--box {box}.{listed}"
    )


def _suggested(name: str, known: dict[str, str]) -> str:
    begun = (word for word in known if word.startswith(f"{name.casefold()}-"))
    if first := next(begun, None):
        return f" Did you mean '{known[first]}'?"
    hint = suggestion(name.casefold(), known)
    for lower, word in known.items():
        hint = hint.replace(f"'{lower}'", f"'{word}'")
    return hint
