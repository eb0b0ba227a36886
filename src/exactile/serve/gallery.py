"""All puzzles of the catalogue with what is known of them, as one document for the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from exactile.files.puzzles import catalogue


class _Numbers(msgspec.Struct, frozen=True):
    symmetry: int


class _Line(msgspec.Struct, frozen=True):
    """What the page shows of a line of the exported ledger; see `exactile.ledger.export`."""

    id: str
    units: int
    pieces: int
    status: str
    at_least: int
    numbers: _Numbers | None


class _Ledger(msgspec.Struct, frozen=True):
    puzzles: tuple[_Line, ...]


class Exhibit(msgspec.Struct, frozen=True):
    """A puzzle in the gallery.

    Attributes
    ----------
    id, title, lattice, aliases
        As in its file.
    family, set
        The folder and the name of its file: the family of its pieces, and their set.
    units, pieces
        Numbers of units and pieces; None if nothing is known but the file.
    status
        ``"exact"``, ``"unsolvable"``, or ``"open"``.
    count
        Number of solutions up to symmetry, if it is known.
    at_least
        So many solutions are known in all.
    """

    id: str
    title: str
    lattice: str
    aliases: tuple[str, ...]
    family: str
    set: str
    units: int | None = None
    pieces: int | None = None
    status: str = "open"
    count: int | None = None
    at_least: int = 0


def known() -> Path:
    """Return the folder with the ledger and the pictures: of a checkout, else package data."""
    models = catalogue.root()
    source = models.parent / "docs" / "catalogue"
    return source if source.is_dir() else models.parent / "catalogue"


def pictures() -> Path:
    """Return the folder with a small picture of each puzzle."""
    return known() / "pictures"


@cache
def gallery() -> bytes:
    """Return the document, the puzzles in the order of the catalogue.

    Examples
    --------
    >>> exhibits = msgspec.json.decode(gallery(), type=list[Exhibit])
    >>> [e.count for e in exhibits if e.id == "soma-cube"]
    [240]
    """
    try:
        lines = msgspec.json.decode((known() / "ledger.json").read_bytes(), type=_Ledger).puzzles
    except (OSError, msgspec.MsgspecError):  # then the page shows names alone
        lines = ()
    told = {line.id: line for line in lines}
    return msgspec.json.encode([_exhibit(e, told.get(e.id)) for e in catalogue.entries()])


def _exhibit(entry: catalogue.Entry, line: _Line | None) -> Exhibit:
    shown = Exhibit(
        entry.id, entry.title, entry.lattice, entry.aliases, entry.path.parent.name, entry.path.stem
    )
    if line is None:
        return shown
    return msgspec.structs.replace(
        shown,
        units=line.units,
        pieces=line.pieces,
        status=line.status,
        count=line.numbers.symmetry if line.numbers else None,
        at_least=line.at_least,
    )
