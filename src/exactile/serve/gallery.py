"""All puzzles of the catalogue with their records, as one document for the page."""

from __future__ import annotations

from functools import cache

import msgspec

from exactile.files.puzzles import catalogue
from exactile.files.puzzles.ledger import LedgerEntry, folder, ledger
from exactile.render.thumbnail import thumbnail
from exactile.runs.ledger.export import LedgerLine, read_document
from exactile.runs.ledger.gallery import example


class Exhibit(msgspec.Struct, frozen=True):
    """A puzzle in the gallery.

    Attributes
    ----------
    id, title, lattice, aliases
        As in its file.
    family, set
        The folder and the name of its file: the family of its pieces, and their set.
    units, pieces
        Numbers of units and pieces; None if only the file is known.
    status
        ``"exact"``, ``"unsolvable"``, or ``"open"``.
    count
        Number of solutions up to symmetry, if it is known.
    at_least
        Number of known solutions.
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


@cache
def _lines() -> dict[str, LedgerLine]:
    return {line.id: line for line in read_document(folder() / "ledger.json").puzzles}


@cache
def picture(name: str) -> str:
    """Return a small picture of a puzzle of the catalogue, of a solution if the ledger has one.

    Raises
    ------
    KeyError
        If the ledger has no such puzzle.

    Examples
    --------
    >>> picture("soma-cube").startswith("<svg ")
    True
    """
    puzzle = catalogue.load(_lines()[name].id)
    return thumbnail(puzzle, example(puzzle, _lines()[name]))


@cache
def gallery() -> bytes:
    """Return the document, the puzzles in the order of the catalogue.

    Examples
    --------
    >>> exhibits = msgspec.json.decode(gallery(), type=list[Exhibit])
    >>> [e.count for e in exhibits if e.id == "soma-cube"]
    [240]
    """
    return msgspec.json.encode([_exhibit(e, ledger().get(e.id)) for e in catalogue.entries()])


def _exhibit(entry: catalogue.Entry, line: LedgerEntry | None) -> Exhibit:
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
