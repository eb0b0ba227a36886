"""The colors of placements: a fixed palette, different where placements touch if possible."""

from __future__ import annotations

from collections.abc import Sequence

from exactile.render.cover import Cover

PALETTE = (
    "#c1852b",
    "#9193fb",
    "#fee6ad",
    "#a5f1fd",
    "#6c9c88",
    "#bdc1c6",
    "#d4ebd3",
    "#9ac583",
    "#b481a5",
    "#e2aefc",
    "#9b966a",
    "#cab547",
    "#fb89a5",
    "#1bb1c7",
)
"""Light enough for black letters, dark enough for a white ground. Any two differ by at least 9.4 in
CIEDE2000, also with red, green or blue blindness; the first few differ by much more."""

PAPER = "#ffffff"
INK = "#2b2b2b"
EMPTY_FILL = "#e8e8e8"
BARE = "#d4d4d4"
FAINT = "#c4c4c4"
GHOST = "#f4f4f4"
RIM = "#707070"


GRAYS = ("#f2f2f2", "#bdbdbd", "#dadada", "#9a9a9a", "#cccccc", "#ababab", "#e6e6e6")
"""In place of the palette; also light enough for black letters."""


def assign_colors(cover: Cover, palette: Sequence[str] = PALETTE) -> list[str]:
    """Return a color for each placement.

    Pieces keep their colors from solution to solution as long as there are enough colors.
    Otherwise, a placement gets the least used color that no touching placement has.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> len(set(assign_colors(Cover(puzzle, exactile.solve_one(puzzle)))))
    12
    """
    if cover.colors is not None:
        return list(cover.colors)
    count = len(palette)
    used = [0] * count
    chosen: list[int] = []
    for placement, touching in zip(cover.solution, cover.touching, strict=True):
        near = {chosen[other] for other in touching if other < len(chosen)}
        first = cover.puzzle.piece_index.get(placement.piece, 0)
        rotation = [(first + k) % count for k in range(count)]
        free = [c for c in rotation if c not in near] or rotation
        best = min(free, key=lambda c: used[c])
        used[best] += 1
        chosen.append(best)
    return [palette[c] for c in chosen]


def mixed(color: str, part: float) -> str:
    """Return a color of which a part is left, mixed with white.

    >>> mixed("#000000", 0.38)
    '#9e9e9e'
    """
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - part * (255 - p)):02x}" for p in parts)


def shade(color: str, factor: float) -> str:
    """Return a color made darker by a factor below 1.

    >>> shade("#80ff00", 0.5)
    '#408000'
    """
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(p * factor):02x}" for p in parts)
