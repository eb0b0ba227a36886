"""The contents of the catalogue's files, without parsing files that have not changed.

The folder has a file ``index.json`` beside its puzzle files. It is used for files that have the
recorded length and checksum; every other file is parsed. Run as a module, this writes it (`make
index`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from exactile.atomic import written as whole
from exactile.errors import NotFoundError

if TYPE_CHECKING:
    from exactile.files.puzzles.structure import PuzzleTable

NAME = "index.json"


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


class Contents(msgspec.Struct, frozen=True):
    """Length and checksum of a file, and its puzzles in their order."""

    digest: str
    puzzles: tuple[Header, ...]


def contents(folder: Path) -> Iterator[tuple[Path, tuple[Header, ...]]]:
    """Yield the puzzle files of a folder's folders, sorted, with their contents.

    Raise FileError if a file that is parsed is wrong.
    """
    known = _read(folder / NAME)
    for path in sorted(folder.glob("*/*.toml")):
        data = path.read_bytes()
        there = known.get(_key(path))
        yield path, there.puzzles if there and there.digest == _digest(data) else parsed(path)


def parsed(path: Path) -> tuple[Header, ...]:
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


def written(folder: Path) -> str:
    """Return the text of the index of a folder, made from its files: one line for each."""
    lines = []
    for path in sorted(folder.glob("*/*.toml")):
        there = Contents(_digest(path.read_bytes()), parsed(path))
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


def main() -> None:
    """Write the index of the catalogue."""
    text = written(root())
    with whole(root() / NAME) as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
