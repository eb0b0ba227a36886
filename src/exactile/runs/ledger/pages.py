"""The ledger as Markdown pages: pictures, tables, estimates, and wrong published numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from exactile.answers import Sampled
from exactile.atomic import written
from exactile.files.puzzles.catalogue import load
from exactile.files.solution_files import read_solutions
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.check import check, faults
from exactile.render.thumbnail import thumbnail
from exactile.runs.ledger.export import Export, LedgerLine, Published, as_json
from exactile.wanted import plural

FOLDER = "pictures"
"""Name of the folder of pictures, within the folder of the pages."""

UP_TO = {"raw": " raw", "rotation": " up to rotation", "symmetry": ""}


def pictures(document: Export) -> Iterator[tuple[str, str]]:
    """Yield, for each puzzle, a file name and an SVG picture, showing a known solution, if any.

    Examples
    --------
    >>> list(pictures(Export(1, [])))
    []
    """
    for line in document.puzzles:
        puzzle = load(line.id)
        yield f"{line.id}.svg", thumbnail(puzzle, example(puzzle, line))


def example(puzzle: Puzzle, line: LedgerLine) -> Solution:
    """Return the solution that a line of the ledger has; ``()`` if it has none, or a wrong one."""
    points = [tuple(point) for point in puzzle.region.units.tolist()]
    if not line.example or any(u >= len(points) for _, units in line.example for u in units):
        return ()
    solution = tuple(
        Placement(piece, tuple(points[u] for u in units)) for piece, units in line.example
    )
    return () if faults(puzzle, solution) else solution


def gallery(lines: list[LedgerLine]) -> list[str]:
    """Return the lines of a Markdown list with a picture and the numbers of each puzzle."""
    items = [
        f"- ![]({FOLDER}/{line.id}.svg) **{plain(line.title)}** `{line.id}` {'; '.join(facts)}"
        for line in lines
        if (facts := [count(line), *(verdict(p) for p in line.published)])
    ]
    return ['<div class="gallery">', "", *items, "", "</div>"]


def count(line: LedgerLine) -> str:
    """Return the number of solutions up to symmetry in words, such as ``2,339 solutions``.

    For an open puzzle, return a lower bound, such as ``at least 12 raw``, or ``open`` if none is
    known. If an estimate was made, it follows, or ``no estimate`` if it failed.
    """
    if line.numbers is not None:
        number = line.numbers.symmetry
        return plural(number, "solution") if number else "no solution"
    known = f"at least {line.at_least:,} raw" if line.at_least else "open"
    return "; ".join(filter(None, (known, guessed(line))))


def verdict(published: Published) -> str:
    """Return a published number in words; ✓ or ✗ follows if it is known to be right or wrong."""
    said = f"published: {published.count:,}{UP_TO[published.up_to]}"
    if published.agrees is None:
        return said
    return f"{said} ✓" if published.agrees else f"[{said} ✗](refuted.md)"


def plain(text: str) -> str:
    r"""Return text with Markdown's special characters escaped.

    Examples
    --------
    >>> plain("4*5 [x_1]")
    '4\\*5 \\[x\\_1\\]'
    """
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)


class Missed(NamedTuple):
    """Solutions that a published count missed, and a note that explains why."""

    note: str
    solutions: list[Solution]


OPENING = """\
# Refuted numbers

Published numbers that differ from ours{sum}. A number is called wrong if the puzzle was counted to
the end and has another number of solutions, or if more solutions are known already. Below each
are the reason, as far as it is known, and a solution that the number missed, if one is known.
"""


def refuted_page(document: Export, missed: Mapping[str, Missed]) -> str:
    """Return the Markdown page of the published numbers that are wrong.

    `missed`: solutions that published numbers missed, by the identifier of the puzzle.

    Examples
    --------
    >>> print(refuted_page(Export(1, []), {}).splitlines()[0])
    # Refuted numbers
    """
    parts, total = [], 0
    for line in document.puzzles:
        if wrong := [p for p in line.published if p.agrees is False]:
            total += len(wrong)
            parts += [f"## {plain(line.title)}\n", *(_refuted(line, p) for p in wrong), ""]
            parts += [*_shown(line, wrong, missed.get(line.id)), ""]
    opening = OPENING.format(sum=f": {total:,}" if total else "")
    return "\n".join([opening, *parts]).rstrip("\n") + "\n"


def _refuted(line: LedgerLine, wrong: Published) -> str:
    why = f": {wrong.refuted}" if wrong.refuted else ""
    return (
        f"- `{line.id}`: {plain(wrong.source)} has **{wrong.count:,}**{UP_TO[wrong.up_to]}{why}. "
        f"We count {_ours(line, wrong.up_to)}."
    )


def _ours(line: LedgerLine, up_to: str) -> str:
    if line.numbers is None:
        return f"**at least {line.at_least:,}** raw"
    number, raw = getattr(line.numbers, up_to), line.numbers.raw
    if up_to == "raw":
        return f"**{number:,}**"
    return f"**{number:,}** ({raw:,} raw, {line.symmetries} symmetries, {line.proper} proper)"


def _shown(line: LedgerLine, wrong: list[Published], missed: Missed | None) -> list[str]:
    """Return Markdown lines with pictures of the missed solutions of a puzzle.

    `wrong`: the published numbers that are wrong. `missed`: the missed solutions; if None, show the
    solution in the ledger, but only if one of the wrong numbers is 0.
    """
    if missed is None:
        if line.example and any(p.count == 0 for p in wrong):
            return ["A solution:\n", f"![]({FOLDER}/{line.id}.svg)"]
        return []
    names = [_file(line.id, index) for index in range(len(missed.solutions))]
    return [
        f"{missed.note}\n",
        " ".join(f"![]({FOLDER}/{name})" for name in names),
        f"\n`exactile check {line.id} docs/catalogue/missed/{line.id}.jsonl` checks it.",
    ]


def read_missed(folder: Path) -> dict[str, Missed]:
    """Return the missed solutions in a folder, by puzzle; each file has the name of its puzzle.

    The ``note`` in the header of a file explains why the published count missed its solutions.
    Raise FileError if a file cannot be read, NotFoundError if the catalogue has no such puzzle.
    """
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        solutions = list(read_solutions(path, load(path.stem)))
        note = ""
        with suppress(ValueError, AttributeError), path.open(encoding="utf-8") as stream:
            note = json.loads(stream.readline()).get("note", "")
        found[path.stem] = Missed(note, solutions)
    return found


def missed_pictures(document: Export, missed: Mapping[str, Missed]) -> Iterator[tuple[str, str]]:
    """Yield a file name and an SVG picture for each missed solution.

    Puzzles that are not in the document are left out. Raise CheckFailedError if a solution is
    wrong.
    """
    for line in document.puzzles:
        if line.id not in missed:
            continue
        puzzle, solutions = load(line.id), missed[line.id].solutions
        zoom = 1.7 if len(solutions) == 1 else 0.6
        for index, solution in enumerate(solutions):
            check(puzzle, solution)
            yield _file(line.id, index), thumbnail(puzzle, solution, zoom=zoom)


def _file(identifier: str, index: int) -> str:
    return f"{identifier}.missed-{index + 1}.svg"


HEADER = """\
| puzzle | units | raw | up to rotation | up to symmetry | estimate | published | how | nodes | s |
|---|--:|--:|--:|--:|---|---|---|--:|--:|"""

ESTIMATES = """\
# Estimates of open puzzles

[Estimates](../estimates.md) of the numbers of all solutions, those that differ by a symmetry
counted apart, of puzzles that have not been counted. The interval should contain the number in 95
of 100 cases. Half of it, *width*, is in parts of the estimate. {found}

`exactile estimate PUZZLE --states STATES --runs RUNS --seed SEED` makes an estimate again.

| puzzle | estimate | from | to | width | states | runs | lived | seed | version | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|"""


HOW_TO_READ = """\
Each family has a page of pictures and tables; [wrong numbers](refuted.md) have one of their own.
A picture shows a solution if one is known, else the region. Solids are seen from the front, with
their layers below, the lowest first.

*Raw* counts all solutions, *up to rotation* those that no proper symmetry of the puzzle carries
into each other, *up to symmetry* the same for all its symmetries. A published number is marked ✗
if it is wrong, ? if we do not know yet. Open puzzles have a lower bound and perhaps an
[estimate](estimates.md) of the raw number, with its interval. Seconds are processor time on one
machine."""


def pages(document: Export) -> dict[str, str]:
    """Return the Markdown pages by name: one for each family of puzzles, and ``index``."""
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
        counts = [f"at least {line.at_least:,}" if line.at_least else "", "", ""]
    published = "; ".join(_said(p) for p in line.published)
    how = line.method or _open(line)
    cells = [line.id, f"{line.units}", *counts, guessed(line), published, how]
    return f"| {' | '.join(cells)} | {line.nodes:,} | {line.seconds:,.1f} |"


def _open(line: LedgerLine) -> str:
    """Return the text for an open puzzle in the column "how".

    It is ``open``; if a solution was found, the backend and the seconds that it took follow.
    """
    if not line.found_by:
        return "open"
    return f"open; a solution by {line.found_by} in {line.found_seconds:,.1f} s"


def guessed(line: LedgerLine) -> str:
    """Return the estimate for an open puzzle in words, marked ``(estimate)``.

    Return ``no estimate`` if it failed, ``""`` if none was made.
    """
    if line.sampled is None:
        return ""
    if line.sampled.number is None:
        return "no estimate"
    return f"{line.sampled.words} (estimate)"


def estimates_page(document: Export) -> str:
    """Return the Markdown page with the estimates of all open puzzles.

    Examples
    --------
    >>> print(estimates_page(Export(1, [])).splitlines()[0])
    # Estimates of open puzzles
    """
    lines = [line for line in document.puzzles if line.status == "open"]
    rows = [(line, line.sampled) for line in lines if line.sampled is not None]
    halves = [found.half_width for _, found in rows if found.half_width is not None]
    good = sum(half <= WIDE for half in halves)
    sentence = (
        f"Of {len(lines):,} open puzzles {len(halves):,} have an estimate, {good:,} of them with a "
        f"width of at most {WIDE:.0%}. {len(rows) - len(halves):,} have none, and it says why; "
        f"{len(lines) - len(rows):,} were not tried."
    )
    return "\n".join([ESTIMATES.format(found=sentence), *(_estimate(*row) for row in rows)]) + "\n"


WIDE = 0.2
"""Largest half-width of the interval for an estimate to be good, as a fraction of the estimate."""


def _estimate(line: LedgerLine, found: Sampled) -> str:
    """Return the table row of an estimate.

    If the estimate failed, the cell for the number says why.
    """
    if found.rounded is None:
        cells = [found.words, "", "", ""]
    else:
        cells = [*found.rounded, f"{found.half_width:.1%}"]
    cells += [f"{n:,}" for n in (found.states, found.runs, found.lived, found.seed)]
    cells += [found.version, f"{line.sampled_seconds:,.1f}"]
    return f"| {line.id} | {' | '.join(cells)} |"


def _said(published: Published) -> str:
    verdict = {True: "", False: " ✗", None: " ?"}[published.agrees]
    return f"{published.count:,}{UP_TO[published.up_to]}{verdict}"


def _notes(line: LedgerLine) -> list[str]:
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
        f"{plural(len(lines), 'puzzle')}: {exact:,} counted, {none:,} unsolvable, "
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
        shown = (cell if isinstance(cell, str) else f"{cell:,}" for cell in cells)
        rows.append(f"| {' | '.join(shown)} |")
    names = [family for family, _ in _groups(document.puzzles, "family")]
    rows.append(f"\n{HOW_TO_READ}\n\n```{{toctree}}\n:hidden:\n")
    rows += [*names, "estimates", "refuted", "```"]
    return "\n".join(rows) + "\n"


MISSED = "missed"
"""Name of the folder of missed solutions, within the folder of the pages: see `read_missed`."""


def publish(document: Export, directory: Path) -> int:
    """Write all pages, pictures and the JSON document to a folder; return the number of files.

    Each file is written completely or not at all. A file that already has the right text counts,
    but is not touched. Solution files in the subfolder `MISSED` are read; those of puzzles in
    the document are checked and drawn. Raise CheckFailedError if one of their solutions is wrong,
    and as `read_missed` does; nothing is written then.
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
    yield "estimates.md", estimates_page(document)
    yield "refuted.md", refuted_page(document, missed)
    yield "ledger.json", as_json(document)
