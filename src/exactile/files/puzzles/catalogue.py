"""The catalogue: puzzle files that come with the package, by name.

Its folder has an index, the file ``index.json``: identifier, title, lattice, aliases and sources of
each puzzle. A puzzle file is parsed only if its length or its checksum differs from the index, or
if one of its puzzles is loaded. The ledger, which `exactile catalogue export` writes, has the known
facts about the solutions of each puzzle. ``python -m exactile.files.puzzles.catalogue`` writes the
index (`make index`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from exactile.answers import Sampled
from exactile.atomic import written
from exactile.errors import FileError, NotFoundError, PieceError, suggestion

if TYPE_CHECKING:
    from exactile.files.puzzles.document import Document
    from exactile.files.puzzles.structure import PuzzleTable
    from exactile.puzzle import Puzzle


NAME = "index.json"

_JOINTS = re.compile(r"[\s_-]+")


@cache
def root() -> Path:
    """Return the folder of the catalogue.

    It is ``models`` in a checkout of the repository, or in the installed package. Raise
    NotFoundError if it does not exist.
    """
    source = Path(__file__).parents[3]
    installed = Path(__file__).parents[2] / "models"
    folder = source.parent / "models" if source.name == "src" else installed
    if not folder.is_dir():
        raise NotFoundError(f"The catalogue is missing: there is no folder {folder}. Reinstall.")
    return folder


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts about a puzzle that the index of the catalogue has."""

    id: str
    title: str
    lattice: str
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Entry(Header, frozen=True, kw_only=True):
    """A puzzle of the catalogue: facts that are known without building it.

    Attributes
    ----------
    id, title, lattice, aliases
        As in the puzzle file.
    sources
        The source of the puzzle, and those of published numbers of its solutions.
    path
        The puzzle file.
    """

    path: Path


@cache
def _document(path: Path) -> Document:
    from exactile.files.puzzles.document import Document  # here: lists of puzzles do not need it

    return Document(path)


@cache
def entries() -> tuple[Entry, ...]:
    """Return the entries of all puzzles of the catalogue, sorted by file and place in the file.

    Raises
    ------
    FileError
        If a file that differs from the index is wrong, or if two files use the same name.
    NotFoundError
        If the catalogue is missing.

    Examples
    --------
    >>> [e.title for e in entries() if e.id == "pentominoes-6x10"]
    ['Pentominoes, 6 by 10']
    """
    found: list[Entry] = []
    owner: dict[str, Path] = {}
    for path, headers in _contents(root()):
        for header in headers:
            for word in (header.id, *header.aliases):
                if owner.setdefault(folded(word), path) is not path:
                    raise FileError(
                        f"{path}: the name '{word}' of puzzle '{header.id}' is also used in "
                        f"{owner[folded(word)]}: choose another."
                    )
            found.append(Entry(*msgspec.structs.astuple(header), path=path))
    return tuple(found)


@cache
def _index() -> dict[str, Entry]:
    """Return the entries by identifier and by alias, both in the form that `folded` returns."""
    return {folded(word): entry for entry in entries() for word in (entry.id, *entry.aliases)}


def folded(text: str) -> str:
    """Return a name for comparisons: in lower case, with a hyphen for blanks and underscores.

    >>> folded("Soma cube"), folded("A-Puzzle-A-Day")
    ('soma-cube', 'a-puzzle-a-day')
    """
    return _JOINTS.sub("-", text.casefold())


def has(name: str) -> bool:
    """Return whether the catalogue has a puzzle with this name.

    >>> has("SomaCube"), has("soma")
    (True, False)
    """
    return folded(name) in _index()


def load(name: str) -> Puzzle:
    """Return a puzzle of the catalogue, by identifier or alias.

    Raise NotFoundError if there is no puzzle with this name, PuzzleError if its file is wrong.

    >>> load("Pentominoes6x10").name
    'pentominoes-6x10'
    """
    found = entry(name)
    return _document(found.path).puzzle(found.id)


def entry(name: str) -> Entry:
    """Return the catalogue's entry for a puzzle, by identifier or alias.

    Raise NotFoundError, with suggestions, if there is none.

    >>> entry("SomaCube").id
    'soma-cube'
    """
    found = _index().get(folded(name))
    if found is None:
        _require_no_pieces(name)
        known = {word.casefold(): word for e in entries() for word in (e.id, *e.aliases)}
        raise NotFoundError(
            f"There is no puzzle '{name}' in the catalogue.{_suggested(name, known)} It has "
            f"{len(entries()):,} puzzles (`exactile list`); a file of your own is named by its "
            "path, FILE.toml or FILE.toml#NAME."
        )
    return found


def _require_no_pieces(name: str) -> None:
    """Raise NotFoundError if `name` names pieces, such as ``pentominoes``, not a puzzle."""
    from exactile.files.puzzles.piece_groups import lattice_of
    from exactile.geometry import get_lattice

    if not re.fullmatch(r"(?:\d+x)?[^\W\d][\w-]*", name):
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


class Contents(msgspec.Struct, frozen=True):
    """The entry of a puzzle file in the index: facts about its puzzles.

    `digest`: the length and the checksum of the file, such as ``812-9f3a01bc``.
    """

    digest: str
    puzzles: tuple[Header, ...]


def _contents(folder: Path) -> Iterator[tuple[Path, tuple[Header, ...]]]:
    """Yield each puzzle file in the subfolders of a folder, sorted, with facts about its puzzles.

    The facts come from the index, or from the file itself if it differs from the index. Raise
    FileError if such a file is wrong.
    """
    known = _read(folder / NAME)
    for path in sorted(folder.glob("*/*.toml")):
        data = path.read_bytes()
        there = known.get(_key(path))
        yield path, there.puzzles if there and there.digest == _digest(data) else _headers(path)


def _headers(path: Path) -> tuple[Header, ...]:
    """Parse a puzzle file and return the facts about its puzzles."""
    from exactile.files.puzzles.document import Document  # slow, and seldom needed

    document = Document(path)
    headers = [document.header(name) for name in document.ids]
    return tuple(
        Header(name, header.title or name, header.lattice, tuple(header.aliases), _sources(header))
        for name, header in zip(document.ids, headers, strict=True)
    )


def _sources(table: PuzzleTable) -> tuple[str, ...]:
    """Return the source of a puzzle, then those of published numbers of solutions, each once."""
    return tuple(dict.fromkeys(filter(None, [table.source, *(k.source for k in table.known)])))


def index_text(folder: Path) -> str:
    """Parse all puzzle files of a folder and return the text of its index, a line for each file."""
    lines = []
    for path in sorted(folder.glob("*/*.toml")):
        there = Contents(_digest(path.read_bytes()), _headers(path))
        lines.append(f'"{_key(path)}": {msgspec.json.encode(there).decode()}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _read(path: Path) -> dict[str, Contents]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Contents])
    except (OSError, msgspec.MsgspecError):  # then every file is parsed
        return {}


def _key(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _digest(data: bytes) -> str:
    return (
        f"{len(data)}-{crc32(data):08x}"  # against edits, not against malice; hashlib loads slowly
    )


class Numbers(msgspec.Struct, frozen=True):
    """The three numbers of solutions: raw, up to rotation, and up to all symmetries."""

    raw: int
    rotation: int
    symmetry: int


class LedgerEntry(msgspec.Struct, frozen=True):
    """The known facts about the solutions of a puzzle, as in the ledger of the catalogue.

    `numbers` is None while the puzzle is open; `at_least` is the raw number of solutions that are
    known to exist. `bound` is an upper bound on the number of entries of a frontier's lists, or
    None. `sampled` is an estimate of the raw number of an open puzzle, or None.
    """

    id: str  # identifier of the puzzle
    digest: str  # digest of its model
    pieces: int  # sum of the largest numbers of uses of the pieces
    units: int  # number of units of the region
    status: str  # `exact`, `unsolvable` or `open`
    method: str  # how the numbers were found
    reason: str  # why there is no solution
    numbers: Numbers | None  # numbers of solutions; None while the puzzle is open
    at_least: int  # raw number of solutions known to exist
    bound: float | None  # upper bound on the number of entries of a frontier's lists, if known
    # An estimate of the raw number, while the puzzle is open
    sampled: Sampled | None = None

    @property
    def solutions(self) -> str:
        """Text for tables: the number of solutions up to symmetry, such as ``240``.

        If it is unknown, a lower bound on the raw number, such as ``≥ 1,000``; if that is 0, ``?``.
        """
        if self.numbers is not None:
            return f"{self.numbers.symmetry:,}"
        return f"≥ {self.at_least:,}" if self.at_least else "?"


class _Document(msgspec.Struct, frozen=True):
    puzzles: list[LedgerEntry]


def ledger_folder() -> Path:
    """Return the folder of the ledger of known results, in a checkout or in the package."""
    models = root()
    source = models.parent / "docs" / "catalogue"
    return source if source.is_dir() else models.parent / "catalogue"


@cache
def ledger() -> dict[str, LedgerEntry]:
    """Return the entries of the ledger by the puzzle's identifier; empty if it cannot be read.

    >>> ledger()["soma-cube"].solutions
    '240'
    """
    try:
        read = msgspec.json.decode((ledger_folder() / "ledger.json").read_bytes(), type=_Document)
    except (OSError, msgspec.MsgspecError):
        return {}
    return {entry.id: entry for entry in read.puzzles}


def main() -> None:
    """Parse all puzzle files of the catalogue and write its index, ``index.json``."""
    text = index_text(root())
    with written(root() / NAME) as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
