"""The pieces that a transformation moves, as a row of small labels in their colors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from exactile.render.colors import INK, PALETTE, PAPER, assign_colors
from exactile.render.cover import Cover
from exactile.render.drawing import number
from exactile.render.paper import lettering
from exactile.surveys.classes.sheet import INKS
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Transformation

HIGH, LETTER, EDGE = 13.0, 5.2, 6.0
"""Height of a label; its width is that of its letters and an edge."""

BETWEEN = 14.0
"""Space between two sets that are exchanged."""

LEAST, MOST = 46.0, 110.0
"""Space for rows between pictures."""


class Chips:
    """Rows of labels for the transformations of a class.

    Parameters
    ----------
    solutions
        The solutions.
    options
        The options of one solution of the class: its pieces have the same colors in all of them,
        unless there are more pieces than colors.
    """

    def __init__(self, solutions: Solutions, options: Sequence[int]) -> None:
        self._solutions = solutions
        puzzle = solutions.puzzle
        placements = solutions.case.decoder.solution(list(options))
        several = len(placements) > len(PALETTE) or len({p.piece for p in placements}) < len(
            placements
        )
        colors = assign_colors(Cover(puzzle, placements))
        self._colors = {
            placement.piece: PAPER if several else color
            for placement, color in zip(placements, colors, strict=True)
        }
        names = [piece.name for piece in puzzle.pieces]
        endings = {re.sub(r"^.*?(\d*)$", r"\1", name) for name in names}
        common = endings.pop() if len(endings) == 1 else ""
        self._short = {name: name.removesuffix(common) or name for name in names}

    def _sets(self, change: Transformation) -> list[list[str]]:
        """Return the names of the pieces that move, in one set or two."""
        pieces = self._solutions.puzzle.pieces
        return [
            sorted(pieces[k].name for option in part for k in self._solutions.pieces_of(option))
            for part in change.halves or (change.moved,)
        ]

    def _wide(self, name: str) -> float:
        return LETTER * len(self._short[name]) + EDGE

    def size(self, change: Transformation) -> tuple[float, float]:
        """Return width and height of a row."""
        sets = self._sets(change)
        wide = sum(self._wide(name) for names in sets for name in names)
        return wide + BETWEEN * (len(sets) - 1) + 2, HIGH + 2

    def room(self, changes: Sequence[Transformation]) -> float:
        """Return the distance between pictures at which most rows fit between them."""
        wide = sorted(self.size(change)[0] for change in changes)
        return min(MOST, max(LEAST, wide[3 * len(wide) // 4] + 16)) if wide else LEAST

    def drawn(self, change: Transformation, x: float, y: float) -> str:
        """Return a row as an element, centred at a place."""
        ink = INKS[change.kind]
        wide, high = self.size(change)
        left, top = x - wide / 2, y - high / 2
        parts = [_field(left, top, wide, high, PAPER, ink)]
        left, top = left + 1, top + 1
        for k, names in enumerate(self._sets(change)):
            if k:
                parts.append(lettering(left + BETWEEN / 2, y + 4, "\u2194", color=ink, size=11))
                left += BETWEEN
            for name in names:
                wide = self._wide(name)
                parts.append(_field(left, top, wide, HIGH, self._colors.get(name, PAPER), ""))
                words = lettering(left + wide / 2, y + 3.2, self._short[name], color=INK, size=9)
                parts.append(words)
                left += wide
        return "".join(parts)


def _field(x: float, y: float, wide: float, high: float, color: str, ink: str) -> str:
    """Return a label, with a border if it has an ink."""
    border = f' stroke="{ink}" stroke-width="1.4"' if ink else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" '
        f'rx="1.5" fill="{color}"{border}/>'
    )
