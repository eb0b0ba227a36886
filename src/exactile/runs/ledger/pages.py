"""The ledger for readers: a page for each family, and an index; all is written to a folder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from exactile.atomic import written
from exactile.runs.ledger.export import Export, LedgerLine, Published, as_json
from exactile.runs.ledger.gallery import FOLDER, UP_TO, gallery, pictures
from exactile.runs.ledger.refuted import missed_pictures, read_missed, refuted_page

HEADER = """\
| puzzle | units | raw | up to rotation | up to symmetry | published | how | nodes | seconds |
|---|--:|--:|--:|--:|---|---|--:|--:|"""


HOW_TO_READ = """\
Each family has a page of pictures and tables; [wrong numbers](refuted.md) have one of their own.
A picture shows a solution if one is known, else the region. Solids are seen from the front, with
their layers below, the lowest first.

*Raw* counts all solutions, *up to rotation* those that no proper symmetry of the puzzle carries
into each other, *up to symmetry* the same for all its symmetries. A published number is marked ✗
if it is wrong, ? if we do not know yet. Open puzzles have a lower bound and, where there is one, an
estimate with its standard error. Seconds are processor time on one machine."""


def pages(document: Export) -> dict[str, str]:
    """Return the pages by name: one a family, and ``index``."""
    found = {"index": _index(document)}
    for family, lines in _groups(document.puzzles, "family"):
        parts = [f"# {family.capitalize()}\n", _sentence(lines)]
        for name, rows in _groups(lines, "set"):
            parts += [f"\n## {name}\n", *gallery(rows), "", HEADER, *map(_row, rows)]
            notes = [note for row in rows for note in _notes(row)]
            parts += ["", *notes] if notes else []
        found[family] = "\n".join(parts) + "\n"
    return found


def _groups(lines: list[LedgerLine], key: str) -> list[tuple[str, list[LedgerLine]]]:
    ordered = sorted(lines, key=lambda line: getattr(line, key))
    return [(k, list(g)) for k, g in groupby(ordered, key=lambda line: getattr(line, key))]


def _row(line: LedgerLine) -> str:
    if line.numbers is not None:
        n = line.numbers
        counts = [f"{n.raw:,}", f"{n.rotation:,}", f"{n.symmetry:,}"]
    else:
        counts = [f"at least {line.at_least:,}" if line.at_least else "", _guessed(line), ""]
    published = "; ".join(_said(p) for p in line.published)
    how = line.method or _open(line)
    cells = [line.id, f"{line.units}", *counts, published, how]
    return f"| {' | '.join(cells)} | {line.nodes:,} | {line.seconds:,.1f} |"


def _open(line: LedgerLine) -> str:
    """Return that a puzzle is open, and which search found a solution of it."""
    if not line.found_by:
        return "open"
    return f"open; a solution by {line.found_by} in {line.found_seconds:,.1f} s"


def _guessed(line: LedgerLine) -> str:
    """Return the estimate of an open puzzle, which no number that was counted looks like."""
    if line.sampled is None:
        return ""
    if line.sampled.number is None:
        return "no estimate"
    return f"{line.sampled.words} (estimate)"


def _said(published: Published) -> str:
    verdict = {True: "", False: " ✗", None: " ?"}[published.agrees]
    return f"{published.count:,}{UP_TO[published.up_to]}{verdict}"


def _notes(line: LedgerLine) -> list[str]:
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
    if line.status == "unsolvable" and line.method not in ("list", "memo"):
        notes.append(f"- {line.id}: {line.reason}.")
    return notes


def _sentence(lines: list[LedgerLine]) -> str:
    exact = sum(line.status == "exact" for line in lines)
    none = sum(line.status == "unsolvable" for line in lines)
    return (
        f"{len(lines):,} puzzle{'s' * (len(lines) != 1)}: {exact:,} counted, {none:,} unsolvable, "
        f"{len(lines) - exact - none:,} open."
    )


def _index(document: Export) -> str:
    rows = [
        "# The catalogue\n",
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
        told = (cell if isinstance(cell, str) else f"{cell:,}" for cell in cells)
        rows.append(f"| {' | '.join(told)} |")
    names = [family for family, _ in _groups(document.puzzles, "family")]
    rows.append(f"\n{HOW_TO_READ}\n\n```{{toctree}}\n:hidden:\n")
    rows += [*names, "refuted", "```"]
    return "\n".join(rows) + "\n"


MISSED = "missed"
"""The folder of solutions that published counts missed, beside the pages."""


def publish(document: Export, directory: Path) -> int:
    """Write everything to a folder, each file as a whole; return the number of files.

    Solution files in its subfolder `MISSED` are read and drawn. Files that say the same already are
    not touched, so that a second call changes nothing. Raise CheckFailedError if a missed solution
    is wrong.
    """
    number = 0
    for name, text in _files(document, directory):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            with written(path) as stream:
                stream.write(text)
        number += 1
    return number


def _files(document: Export, directory: Path) -> Iterator[tuple[str, str]]:
    missed = read_missed(directory / MISSED)
    for name, picture in (*pictures(document), *missed_pictures(document, missed)):
        yield f"{FOLDER}/{name}", picture
    for name, page in pages(document).items():
        yield f"{name}.md", page
    yield "refuted.md", refuted_page(document, missed)
    yield "ledger.json", as_json(document)
