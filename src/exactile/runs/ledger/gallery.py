"""The catalogue in pictures: a small drawing of each puzzle, and a list that shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from exactile.files.puzzles.catalogue import load
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.check import faults
from exactile.render.thumbnail import thumbnail
from exactile.runs.ledger.export import Export, LedgerLine, Published

FOLDER = "pictures"
"""Where the pictures are, beside the pages."""

UP_TO = {"raw": " raw", "rotation": " up to rotation", "symmetry": ""}


def pictures(document: Export) -> Iterator[tuple[str, str]]:
    """Yield the name of each picture's file and the picture.

    Examples
    --------
    >>> list(pictures(Export(1, [])))
    []
    """
    for line in document.puzzles:
        puzzle = load(line.id)
        yield f"{line.id}.svg", thumbnail(puzzle, example(puzzle, line))


def example(puzzle: Puzzle, line: LedgerLine) -> Solution:
    """Return the known solution of a puzzle; no placements if none is known that is right."""
    points = [tuple(point) for point in puzzle.region.units.tolist()]
    if not line.example or any(u >= len(points) for _, units in line.example for u in units):
        return ()
    solution = tuple(
        Placement(piece, tuple(points[u] for u in units)) for piece, units in line.example
    )
    return () if faults(puzzle, solution) else solution


def gallery(lines: list[LedgerLine]) -> list[str]:
    """Return the lines of Markdown that show puzzles: a picture and the numbers of each.

    They are a list within a ``div``: where its style sheet is missing, it is still a list.
    """
    items = [
        f"- ![]({FOLDER}/{line.id}.svg) **{plain(line.title)}** `{line.id}` {'; '.join(facts)}"
        for line in lines
        if (facts := [count(line), *(verdict(p) for p in line.published)])
    ]
    return ['<div class="gallery">', "", *items, "", "</div>"]


def count(line: LedgerLine) -> str:
    """Return how many solutions there are, in words."""
    if line.numbers is not None:
        number = line.numbers.symmetry
        return f"{number:,} solution{'s' * (number != 1)}" if number else "no solution"
    return f"at least {line.at_least:,} raw" if line.at_least else "open"


def verdict(published: Published) -> str:
    """Return a published number, marked if it is known to be right or wrong."""
    said = f"published: {published.count:,}{UP_TO[published.up_to]}"
    if published.agrees is None:
        return said
    return f"{said} ✓" if published.agrees else f"[{said} ✗](refuted.md)"


def plain(text: str) -> str:
    r"""Return text in which Markdown finds nothing to mark up.

    Examples
    --------
    >>> plain("4*5 [x_1]")
    '4\\*5 \\[x\\_1\\]'
    """
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
