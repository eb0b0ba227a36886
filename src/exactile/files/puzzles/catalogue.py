"""The catalogue: puzzle files that come with the package, by name.

Its folder has a file ``index.json`` with the headers of the puzzles. Only files whose length or
checksum differs from the index are parsed. The ledger, which `exactile catalogue export` writes,
has the known facts about the solutions of each puzzle. Run as a module, this writes the index
(`make index`).
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
    """Return the folder of the catalogue: ``models`` of a checkout, else package data.

    Raise NotFoundError if the package was installed without it.
    """
    source = Path(__file__).parents[3]
    installed = Path(__file__).parents[2] / "models"
    folder = source.parent / "models" if source.name == "src" else installed
    if not folder.is_dir():
        raise NotFoundError(f"The catalogue is missing: there is no folder {folder}. Reinstall.")
    return folder


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """The entry of a puzzle in the index."""

    id: str
    title: str
    lattice: str
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Entry(Header, frozen=True, kw_only=True):
    """The facts about a puzzle that the catalogue has without building it.

    Attributes
    ----------
    id, title, lattice, aliases
        As in the file.
    sources
        The source of the puzzle, and of published numbers of solutions.
    path
        The file.
    """

    path: Path


@cache
def _document(path: Path) -> Document:
    from exactile.files.puzzles.document import Document  # here: lists of puzzles do not need it

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
    for path, headers in _contents(root()):
        for header in headers:
            for word in (header.id, *header.aliases):
                if owner.setdefault(word.casefold(), path) is not path:
                    raise FileError(
                        f"{path}: the name '{word}' of puzzle '{header.id}' is also used in "
                        f"{owner[word.casefold()]}: choose another."
                    )
            found.append(Entry(*msgspec.structs.astuple(header), path=path))
    return tuple(found)


@cache
def _index() -> dict[str, Entry]:
    """Return the entries by identifier and alias, see `folded`."""
    return {folded(word): entry for entry in entries() for word in (entry.id, *entry.aliases)}


def folded(text: str) -> str:
    """Return a name in the form for comparisons: lower case, hyphens in place of blanks.

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

    Raise NotFoundError if there is no puzzle with this name.

    >>> load("Pentominoes6x10").name
    'pentominoes-6x10'
    """
    found = entry(name)
    return _document(found.path).puzzle(found.id)


def entry(name: str) -> Entry:
    """Return an entry of the catalogue, by identifier or alias; else raise NotFoundError.

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
    """Raise NotFoundError, with advice, if a name is that of pieces, which need a region."""
    from exactile.files.puzzles.piece_groups import lattice_of
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


class Contents(msgspec.Struct, frozen=True):
    """Length and checksum of a file, and its puzzles in their order."""

    digest: str
    puzzles: tuple[Header, ...]


def _contents(folder: Path) -> Iterator[tuple[Path, tuple[Header, ...]]]:
    """Yield the puzzle files in the subfolders of a folder, sorted, with their contents.

    Raise FileError if a file that is parsed is wrong.
    """
    known = _read(folder / NAME)
    for path in sorted(folder.glob("*/*.toml")):
        data = path.read_bytes()
        there = known.get(_key(path))
        yield path, there.puzzles if there and there.digest == _digest(data) else _headers(path)


def _headers(path: Path) -> tuple[Header, ...]:
    """Return the contents of a puzzle file by parsing it."""
    from exactile.files.puzzles.document import Document  # slow, and seldom needed

    document = Document(path)
    headers = [document.header(name) for name in document.ids]
    return tuple(
        Header(name, header.title or name, header.lattice, tuple(header.aliases), _sources(header))
        for name, header in zip(document.ids, headers, strict=True)
    )


def _sources(table: PuzzleTable) -> tuple[str, ...]:
    """Return the sources of a puzzle and of numbers of its solutions, each once."""
    return tuple(dict.fromkeys(filter(None, [table.source, *(k.source for k in table.known)])))


def index_text(folder: Path) -> str:
    """Return the text of the index of a folder, made from its files: one line for each."""
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


class LedgerNumbers(msgspec.Struct, frozen=True):
    """Numbers of solutions: all of them, and up to rotation and symmetry."""

    raw: int
    rotation: int
    symmetry: int


class LedgerEntry(msgspec.Struct, frozen=True):
    """The record of a puzzle in the ledger."""

    id: str  # identifier of the puzzle
    digest: str  # digest of its model
    pieces: int  # sum of the largest numbers of uses of the pieces
    units: int  # number of units of the region
    status: str  # `exact`, `unsolvable` or `open`
    method: str  # how the numbers were found
    reason: str  # why there is no solution
    numbers: LedgerNumbers | None  # numbers of solutions; None while the puzzle is open
    at_least: int  # raw number of solutions known to exist
    bound: float | None  # an upper bound, if there is one
    # An estimate of the raw number, while the puzzle is open
    sampled: Sampled | None = None

    @property
    def solutions(self) -> str:
        """The number of solutions up to symmetry if it is known, else a bound of the raw number."""
        if self.numbers is not None:
            return f"{self.numbers.symmetry:,}"
        return f"≥ {self.at_least:,}" if self.at_least else "?"


class _Document(msgspec.Struct, frozen=True):
    puzzles: list[LedgerEntry]


def ledger_folder() -> Path:
    """Return the folder with the ledger: of a checkout, else package data."""
    models = root()
    source = models.parent / "docs" / "catalogue"
    return source if source.is_dir() else models.parent / "catalogue"


@cache
def ledger() -> dict[str, LedgerEntry]:
    """Return the record of each puzzle by its id; empty if there is no ledger.

    >>> ledger()["soma-cube"].solutions
    '240'
    """
    try:
        read = msgspec.json.decode((ledger_folder() / "ledger.json").read_bytes(), type=_Document)
    except (OSError, msgspec.MsgspecError):
        return {}
    return {entry.id: entry for entry in read.puzzles}


def main() -> None:
    """Write the index of the catalogue."""
    text = index_text(root())
    with written(root() / NAME) as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
