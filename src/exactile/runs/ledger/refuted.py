"""The published numbers that are wrong, and solutions that were missed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from exactile.files.puzzles.catalogue import load
from exactile.files.solution_files import read_solutions
from exactile.puzzle import Solution
from exactile.puzzle.check import check
from exactile.render.thumbnail import thumbnail
from exactile.runs.ledger.export import Export, LedgerLine, Published
from exactile.runs.ledger.gallery import FOLDER, UP_TO, plain


class Missed(NamedTuple):
    """Solutions that a published count missed, and why it did."""

    note: str
    solutions: list[Solution]


OPENING = """\
# Refuted numbers

Published numbers that differ from ours{sum}. A number is called wrong if the puzzle was counted to
the end and has another number of solutions, or if more solutions are known already. Below each
are the reason, as far as it is known, and a solution that the number missed, if one is known.
"""


def refuted_lines(document: Export) -> list[tuple[LedgerLine, list[Published]]]:
    """Return the puzzles of which wrong numbers were published, and these."""
    found = ((line, [p for p in line.published if p.agrees is False]) for line in document.puzzles)
    return [(line, wrong) for line, wrong in found if wrong]


def refuted_page(document: Export, missed: Mapping[str, Missed]) -> str:
    """Return the page of the wrong numbers.

    Examples
    --------
    >>> print(refuted_page(Export(1, []), {}).splitlines()[0])
    # Refuted numbers
    """
    chosen = refuted_lines(document)
    total = sum(len(wrong) for _, wrong in chosen)
    parts = [OPENING.format(sum=f": {total:,}" if total else "")]
    for line, wrong in chosen:
        parts += [f"## {plain(line.title)}\n", *(_said(line, p) for p in wrong), ""]
        parts += [*_shown(line, wrong, missed.get(line.id)), ""]
    return "\n".join(parts).rstrip("\n") + "\n"


def _said(line: LedgerLine, wrong: Published) -> str:
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
    """Return the lines that show solutions of a puzzle, if they prove a number wrong."""
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
    """Read the missed solutions: solution files, each called after its puzzle, if there are any.

    The ``note`` in the header of a file says why they were missed.
    """
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as stream:
            note = json.loads(stream.readline()).get("note", "")
        found[path.stem] = Missed(note, list(read_solutions(path, load(path.stem))))
    return found


def missed_pictures(document: Export, missed: Mapping[str, Missed]) -> Iterator[tuple[str, str]]:
    """Yield the name of each picture's file and the picture of a missed solution.

    Raise CheckFailedError if it is no solution.
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
