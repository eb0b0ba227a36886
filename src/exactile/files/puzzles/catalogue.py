"""The catalogue: puzzle files that come with the package, and loading by name or path."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from exactile.errors import FileError, NotFoundError, suggestion
from exactile.files.models.names import is_model_file
from exactile.files.puzzles.index import contents

if TYPE_CHECKING:
    from exactile.files.puzzles.document import Document
    from exactile.puzzle import Puzzle


@dataclass(frozen=True)
class Entry:
    """What the catalogue tells of a puzzle without building it.

    Attributes
    ----------
    id, title, aliases, lattice
        As in the file.
    path
        The file.
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    lattice: str
    path: Path


@cache
def root() -> Path:
    """Return the folder of the catalogue: ``models`` of a checkout, else package data.

    Raises
    ------
    NotFoundError
        If the package was installed without it.
    """
    source = Path(__file__).parents[3]
    installed = Path(__file__).parents[2] / "models"
    folder = source.parent / "models" if source.name == "src" else installed
    if not folder.is_dir():
        raise NotFoundError(f"The catalogue is missing: there is no folder {folder}. Reinstall.")
    return folder


def _read(path: Path) -> Document:
    from exactile.files.puzzles.document import Document  # which lists of puzzles do not need

    return Document(path)


_document = cache(_read)


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
            found.append(Entry(header.id, header.title, header.aliases, header.lattice, path))
    return tuple(found)


@cache
def _index() -> dict[str, Entry]:
    """Return the entries by lower-case identifier and alias."""
    return {word.casefold(): entry for entry in entries() for word in (entry.id, *entry.aliases)}


def has(name: str) -> bool:
    """Return whether a puzzle of the catalogue is called so.

    Examples
    --------
    >>> has("SomaCube"), has("soma")
    (True, False)
    """
    return name.casefold() in _index()


def load(reference: str | os.PathLike[str]) -> Puzzle:
    """Return a puzzle of the catalogue or of a puzzle file; see `exactile.load`.

    Examples
    --------
    >>> load("Pentominoes6x10").name
    'pentominoes-6x10'
    """
    if isinstance(reference, str):
        entry = _index().get(reference.casefold())
        if entry is not None:
            return _document(entry.path).puzzle(entry.id)
        if is_model_file(reference):
            raise FileError(
                f"{reference} is the name of a model file, which no puzzle belongs to: "
                f"`exactile cover {reference}` counts its solutions, and with --solutions prints "
                "them."
            )
        if not _looks_like_path(reference):
            ids = [e.id for e in entries()]
            known = {word.casefold(): word for e in entries() for word in (e.id, *e.aliases)}
            raise NotFoundError(
                f"There is no puzzle '{reference}' in the catalogue."
                f"{_suggested(reference, known)} It has {len(ids)} puzzles (`exactile list`); "
                "a file of your own is named by its path, FILE.toml or FILE.toml#NAME."
            )
    path, name = split(os.fspath(reference))
    if not path:
        raise NotFoundError(f"'{reference}' names no file: write FILE.toml#NAME.")
    document = _read(Path(path))
    if name is None:
        if len(document.ids) > 1:
            raise FileError(
                f"{path}: the file has {len(document.ids)} puzzles: name one of them, such as "
                f"{path}#{document.ids[0]}. Its puzzles: {', '.join(document.ids)}."
            )
        name = document.ids[0]
    return document.puzzle(name)


def statement_digest(identifier: str) -> str:
    """Return a short digest of what the catalogue says of a puzzle, titles and numbers apart.

    Examples
    --------
    >>> len(statement_digest("soma-cube"))
    16
    """
    entry = _index()[identifier.casefold()]
    table = _document(entry.path).tables[entry.id]
    stated = {k: v for k, v in table.items() if k not in ("title", "aliases", "source", "known")}
    from hashlib import sha256  # slow to load

    return sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:16]


def _suggested(name: str, known: dict[str, str]) -> str:
    begun = (word for word in known if word.startswith(f"{name.casefold()}-"))
    if first := next(begun, None):
        return f" Did you mean '{known[first]}'?"
    hint = suggestion(name.casefold(), known)
    for lower, word in known.items():
        hint = hint.replace(f"'{lower}'", f"'{word}'")
    return hint


def _looks_like_path(reference: str) -> bool:
    if any(sign in reference for sign in ("/", os.sep, "#")):
        return True
    return reference.endswith(".toml") or _exists(reference)


def split(reference: str) -> tuple[str, str | None]:
    """Return path and name; a ``#`` that belongs to an existing file's name is left in it."""
    path, sign, name = reference.rpartition("#")
    if not sign or _exists(reference):
        return reference, None
    return path, name


def _exists(reference: str) -> bool:
    return bool(reference) and "\0" not in reference and Path(reference).exists()
