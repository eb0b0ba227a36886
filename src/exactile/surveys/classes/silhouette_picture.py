"""A drawing of the table of silhouettes that are moved."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from exactile.puzzle import Puzzle, Region
from exactile.render.drawing import Drawing
from exactile.render.paper import lettering
from exactile.render.thumbnail import small
from exactile.search.limits import Limits
from exactile.surveys.classes.sheet import INKS, WORDS, sheet
from exactile.surveys.classes.silhouettes import Silhouette
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Kind


def silhouettes_picture(
    solutions: Solutions,
    table: Sequence[Silhouette],
    *,
    most: int = 60,
    limits: Limits | None = None,
) -> str:
    """Draw the most frequent silhouettes of each kind, with their pieces and numbers of moves.

    Raises
    ------
    TimeoutError
        If a limit is reached first.

    Examples
    --------
    >>> import exactile
    >>> from exactile.surveys.classes import silhouette_table
    >>> from exactile.surveys.classes.transformations import transformations
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-3x20")))
    >>> table = silhouette_table(solutions, transformations(solutions))
    >>> silhouettes_picture(solutions, table).count("<svg")
    2
    """
    columns, wide, high = 6, 150, 132
    parts: list[str] = []
    top = 44.0
    for kind in Kind:
        silhouettes = [silhouette for silhouette in table if silhouette.kind == kind]
        if not silhouettes:
            continue
        shown = f", the first {most}" if len(silhouettes) > most else ""
        parts.append(
            lettering(
                16,
                top,
                f"{WORDS[kind]}: {len(silhouettes):,} silhouettes{shown}",
                "start",
                INKS[kind],
                14,
            )
        )
        top += 10
        for k, silhouette in enumerate(silhouettes[:most]):
            if limits is not None:
                limits.require()
            x, y = 16 + wide * (k % columns), top + high * (k // columns)
            parts.append(_silhouette(solutions, silhouette, x, y, wide))
        top += high * -(-len(silhouettes[:most]) // columns) + 30
    title = f"{solutions.puzzle.title or solutions.puzzle.name}: silhouettes that move"
    return sheet(parts, (0, 0, 16 + wide * columns, top), title, legend=False)


def _silhouette(
    solutions: Solutions, silhouette: Silhouette, x: float, y: float, wide: float
) -> str:
    """Return the picture of a silhouette, with the pieces of its example, and its numbers."""
    picture = _part(solutions, silhouette.example)
    w, h = picture.size
    named = ", ".join(f"{pieces} {n}" for pieces, n in silhouette.pieces.most_common())
    room = 24
    words = named if len(named) <= room else named[: room - 3] + "..."
    return (
        picture.placed(x + (wide - w) / 2, y + 6 + (80 - h) / 2)
        + lettering(x + wide / 2, y + 102, f"{silhouette.count:,}", size=12)
        + f"<g><title>{escape(named)}</title>{lettering(x + wide / 2, y + 117, words, size=10)}</g>"
    )


def _part(solutions: Solutions, options: Sequence[int]) -> Drawing:
    """Return a small picture of some placements alone."""
    puzzle = solutions.puzzle
    placements = solutions.case.decoder.solution(list(options))
    points = np.array([unit for placement in placements for unit in placement.units])
    region = Region(puzzle.lattice, points, wrap=puzzle.region.wrap)
    part = Puzzle("part", region, puzzle.pieces)
    w, h = small(part, placements).size
    return small(part, placements, zoom=min(0.6, 124 / w, 80 / h))
