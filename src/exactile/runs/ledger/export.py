"""The ledger as one JSON document, from which the pages of the documentation are made."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import astuple

from exactile.answers import Sampled
from exactile.counting.frontier import FrontRun
from exactile.errors import FileError
from exactile.files.puzzles.catalogue import Entry, entries, load
from exactile.puzzle import Known
from exactile.runs.ledger.record import Guess, Numbers, Record
from exactile.runs.ledger.store import Ledger

FORMAT = 1


class Published(msgspec.Struct, frozen=True):
    """A number of solutions that was published elsewhere.

    `agrees`: whether the ledger has the same number; None if this is not known yet.
    """

    count: int
    up_to: str
    source: str
    refuted: str
    agrees: bool | None


class LedgerLine(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle in the JSON document; for most fields see `exactile.runs.ledger.record.Record`."""

    id: str
    title: str
    family: str
    set: str
    lattice: str
    units: int
    pieces: int
    items: int
    options: int
    symmetries: int
    proper: int
    status: str
    method: str
    reason: str
    numbers: Numbers | None
    shares: dict[str, Numbers]
    at_least: int
    nodes: int
    seconds: float
    checked: int
    guess: Guess | None
    sampled: Sampled | None = None
    sampled_seconds: float = 0.0
    published: list[Published]
    digest: str
    example: list[tuple[str, list[int]]] | None
    tried: list[str] = []
    fronts: list[FrontRun] = []
    bound: float | None = None
    puzzle: str
    found_by: str = ""
    found_seconds: float = 0.0


SHARED = tuple(name for name in Record.__struct_fields__ if name in LedgerLine.__struct_fields__)
"""The names of the fields that `LedgerLine` has in common with `Record`."""


SECONDS = ("seconds", "found_seconds", "sampled_seconds")
"""The names of the fields of `LedgerLine` that are rounded to hundredths of a second."""


class Export(msgspec.Struct, frozen=True):
    """The JSON document: the version of its format, and the puzzles."""

    format: int
    puzzles: list[LedgerLine]


def export(records: Iterable[Record]) -> Export:
    """Return records as a document, in the order of the catalogue.

    A record is left out if its puzzle is not in the catalogue, or has changed since the record was
    written.
    """
    known = {record.id: record for record in records}
    lines = (_line(e, known[e.id]) for e in entries() if e.id in known)
    return Export(FORMAT, [line for line in lines if line is not None])


def catalogued(ledger: Ledger, names: Iterable[str]) -> list[Record]:
    """Return a ledger's records of the puzzles with these names, in the order of the names.

    Puzzles without a record are left out. Raise NotFoundError if there is no puzzle with one of
    the names, and FileError if a record is damaged.
    """
    found = (ledger.read(name, load(name).digest) for name in names)
    return [record for record in found if record is not None]


def read_export(path: str | os.PathLike[str]) -> list[Record]:
    """Return the records in an exported ledger.

    Their field `search` is None, because the states of unfinished searches are not exported. Raise
    FileError if the file is not an exported ledger, or a record contradicts itself.
    """
    document = read_document(path)
    for line in document.puzzles:
        if fault := _fault(line):
            raise FileError(f"{path}: the record of {line.id} cannot be true: {fault}.")
    return [Record(**{name: getattr(line, name) for name in SHARED}) for line in document.puzzles]


def read_document(path: str | os.PathLike[str]) -> Export:
    """Return the document in a file; raise FileError if the file is not an exported ledger."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Export)
    except (OSError, msgspec.MsgspecError) as error:
        raise FileError(f"{path} is not an exported ledger: {error}.") from None


def _fault(line: LedgerLine) -> str:
    """Return the contradiction between numbers of a puzzle, in words; ``""`` if there is none."""
    if not 1 <= line.proper <= line.symmetries:
        return f"it has {line.symmetries} symmetries, {line.proper} of them proper"
    if min(line.at_least, line.nodes, line.checked, line.seconds) < 0:
        return "a number of it is negative"
    if line.numbers is None:
        return "" if line.status == "open" else f"it is called {line.status} and has no numbers"
    status = "exact" if line.numbers.raw else "unsolvable"
    if line.status != status:
        return f"it is called {line.status} and has {line.numbers.raw:,} solutions"
    if line.at_least > line.numbers.raw:
        return f"{line.at_least:,} solutions are known, but it has {line.numbers.raw:,}"
    faults = (_miscounted(part, line) for part in (line.numbers, *line.shares.values()))
    return next(filter(None, faults), "") or _unsummed(line.shares, line.numbers)


def _unsummed(shares: dict[str, Numbers], numbers: Numbers) -> str:
    """Return a message if the numbers in `shares` do not add up to `numbers`; else ``""``.

    `shares`: the numbers of solutions for each set of omitted pieces.
    """
    sums = [sum(parts) for parts in zip(*map(astuple, shares.values()), strict=True)]
    wrong = shares and sums != list(astuple(numbers))
    return "its shares do not add up to its numbers" if wrong else ""


def _miscounted(numbers: Numbers, line: LedgerLine) -> str:
    """Return a message if the raw, rotation and symmetry counts cannot all be right; else ``""``.

    For example, the symmetry count cannot be greater than the rotation count.
    """
    raw, rotation, symmetry = numbers.raw, numbers.rotation, numbers.symmetry
    counts = f"{raw:,} solutions, {rotation:,} up to rotation, {symmetry:,} up to symmetry"
    if not 0 <= symmetry <= rotation <= raw:
        return counts
    if raw > rotation * line.proper or raw > symmetry * line.symmetries:
        return f"{counts}, with {line.symmetries} symmetries, {line.proper} of them proper"
    return ""


def _line(entry: Entry, record: Record) -> LedgerLine | None:
    """Return the entry of a puzzle in the document.

    Return None if the puzzle has changed since its record was written.
    """
    puzzle = load(entry.id)
    if record.puzzle != puzzle.digest:
        return None
    return LedgerLine(
        title=entry.title,
        family=entry.path.parent.name,
        set=entry.path.stem,
        lattice=entry.lattice,
        units=len(puzzle.region),
        pieces=sum(piece.upper for piece in puzzle.pieces),
        published=[_published(known, record) for known in puzzle.known],
        **{name: getattr(record, name) for name in SHARED}
        | {name: round(getattr(record, name), 2) for name in SECONDS},
    )


def _published(known: Known, record: Record) -> Published:
    agrees: bool | None = None
    if record.numbers is not None:
        agrees = getattr(record.numbers, known.up_to) == known.count
    elif known.count * _largest_class(known.up_to, record) < record.at_least:
        agrees = False
    return Published(known.count, known.up_to, known.source, known.refuted, agrees)


def _largest_class(up_to: str, record: Record) -> int:
    """Return the largest number of solutions that may count as one in a published number.

    For example, for a number up to rotation, this is the number of proper symmetries.
    """
    return {"raw": 1, "rotation": record.proper, "symmetry": record.symmetries}[up_to]


def as_json(document: Export) -> str:
    """Return the document as JSON text in which each puzzle has one line."""
    lines = ",\n".join(msgspec.json.encode(line).decode() for line in document.puzzles)
    return f'{{"format": {document.format}, "puzzles": [\n{lines}\n]}}\n'
