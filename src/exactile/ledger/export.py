"""The ledger for readers: one JSON document, and a page of tables for each family."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import msgspec

from exactile.files.catalogue import Entry, entries, load
from exactile.ledger.record import Guess, Numbers, Record
from exactile.puzzle import Known

FORMAT = 1

HEADER = """\
| puzzle | units | raw | up to rotation | up to symmetry | published | how | nodes | seconds |
|---|--:|--:|--:|--:|---|---|--:|--:|"""


class Published(msgspec.Struct, frozen=True):
    """A published number, and whether ours is the same; None while we do not know."""

    count: int
    up_to: str
    source: str
    refuted: str
    agrees: bool | None


class Line(msgspec.Struct, frozen=True):
    """What the JSON document says of a puzzle; see `exactile.ledger.record.Record`."""

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
    published: list[Published]
    digest: str
    example: list[tuple[str, list[int]]] | None


class Export(msgspec.Struct, frozen=True):
    """The JSON document."""

    format: int
    puzzles: list[Line]


def export(records: Iterable[Record]) -> Export:
    """Return the document: the puzzles of the catalogue that have a record, in its order."""
    known = {record.id: record for record in records}
    return Export(FORMAT, [_line(e, known[e.id]) for e in entries() if e.id in known])


def _line(entry: Entry, record: Record) -> Line:
    puzzle = load(entry.id)
    return Line(
        id=entry.id,
        title=entry.title,
        family=entry.path.parent.name,
        set=entry.path.stem,
        lattice=entry.lattice,
        units=len(puzzle.region),
        pieces=sum(piece.upper for piece in puzzle.pieces),
        items=record.items,
        options=record.options,
        symmetries=record.symmetries,
        proper=record.proper,
        status=record.status,
        method=record.method,
        reason=record.reason,
        numbers=record.numbers,
        shares=record.shares,
        at_least=record.at_least,
        nodes=record.nodes,
        seconds=round(record.seconds, 2),
        checked=record.checked,
        guess=record.guess,
        published=[_published(known, record) for known in puzzle.known],
        digest=record.digest,
        example=record.example,
    )


def _published(known: Known, record: Record) -> Published:
    agrees: bool | None = None
    if record.numbers is not None:
        agrees = getattr(record.numbers, known.up_to) == known.count
    return Published(known.count, known.up_to, known.source, known.refuted, agrees)


def as_json(document: Export) -> str:
    """Return the document as text, a puzzle a line."""
    lines = ",\n".join(msgspec.json.encode(line).decode() for line in document.puzzles)
    return f'{{"format": {document.format}, "puzzles": [\n{lines}\n]}}\n'


def pages(document: Export) -> dict[str, str]:
    """Return the pages by name: one a family, and ``index``."""
    found = {"index": _index(document)}
    for family, lines in _groups(document.puzzles, "family"):
        parts = [f"# {family.capitalize()}: counts\n", _sentence(lines)]
        for name, rows in _groups(lines, "set"):
            parts += [f"\n## {name}\n", HEADER, *map(_row, rows)]
            notes = [note for row in rows for note in _notes(row)]
            parts += ["", *notes] if notes else []
        found[family] = "\n".join(parts) + "\n"
    return found


def _groups(lines: list[Line], key: str) -> list[tuple[str, list[Line]]]:
    ordered = sorted(lines, key=lambda line: getattr(line, key))
    return [(k, list(g)) for k, g in groupby(ordered, key=lambda line: getattr(line, key))]


def _row(line: Line) -> str:
    if line.numbers is not None:
        n = line.numbers
        counts = [f"{n.raw:,}", f"{n.rotation:,}", f"{n.symmetry:,}"]
    else:
        counts = [f"at least {line.at_least:,}", _guessed(line), ""]
    published = "; ".join(_said(p) for p in line.published)
    how = line.method or "open"
    cells = [line.id, f"{line.units}", *counts, published, how]
    return f"| {' | '.join(cells)} | {line.nodes:,} | {line.seconds:,.1f} |"


def _guessed(line: Line) -> str:
    if line.guess is None or line.guess.solutions_error is None:
        return ""
    if not line.guess.solutions:
        return "no estimate"
    return f"about {line.guess.solutions:.1e} raw (± {line.guess.solutions_error:.0e})"


def _said(published: Published) -> str:
    kind = {"raw": " raw", "rotation": " up to rotation", "symmetry": ""}[published.up_to]
    verdict = {True: "", False: " ✗", None: " ?"}[published.agrees]
    return f"{published.count:,}{kind}{verdict}"


def _notes(line: Line) -> list[str]:
    """Return what is to be said of a puzzle below its table."""
    notes = []
    for said in line.published:
        if said.agrees is False:
            why = said.refuted or "not explained"
            notes.append(f"- {line.id}: {said.source} has {said.count:,}: {why}.")
    if line.shares:
        parts = ", ".join(
            f"{n.raw:,} ({n.symmetry:,} up to symmetry) without {name}"
            for name, n in sorted(line.shares.items())
        )
        notes.append(f"- {line.id}: {parts}.")
    if line.status == "unsolvable" and line.method not in ("search", "memo"):
        notes.append(f"- {line.id}: {line.reason}.")
    return notes


def _sentence(lines: list[Line]) -> str:
    exact = sum(line.status == "exact" for line in lines)
    none = sum(line.status == "unsolvable" for line in lines)
    return (
        f"{len(lines):,} puzzles: {exact:,} counted, {none:,} unsolvable, "
        f"{len(lines) - exact - none:,} open."
    )


def _index(document: Export) -> str:
    rows = [
        "# The catalogue: counts\n",
        _sentence(document.puzzles) + "\n",
        "| family | puzzles | counted | unsolvable | open | published numbers: right | wrong |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for family, lines in [*_groups(document.puzzles, "family"), ("all", document.puzzles)]:
        numbers = [p for line in lines for p in line.published]
        statuses = [line.status for line in lines]
        cells = [
            family if family == "all" else f"[{family}]({family}.md)",
            len(lines),
            *(statuses.count(s) for s in ("exact", "unsolvable", "open")),
            sum(p.agrees is True for p in numbers),
            sum(p.agrees is False for p in numbers),
        ]
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows) + "\n"
