"""A solution as SVG: a strip of boards, a frame for each move with its arrow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

import numpy as np
import numpy.typing as npt

from exactile.classics.peg.board import Board
from exactile.classics.peg.check import Move, Solution
from exactile.render.paper import (
    EMPTY_FILL,
    FAINT,
    INK,
    PALETTE,
    TALLEST,
    Paper,
    group,
    number,
    path,
)

Floats = npt.NDArray[np.float64]

PEG, MOVING, JUMPED = PALETTE[1], PALETTE[2], PALETTE[0]

HOLE, RADIUS = 0.3, 0.4
"""Radii of empty holes and of pegs; neighbors are at the distance 1."""

DIGITS = 0.36
"""Height of the number of a hole."""

SEEN_THROUGH = 0.6
"""Opacity of the path of a peg."""

WIDTH = 960
"""Width of a drawing, in pixels; the height follows from it."""

GAP = 1.1
"""Space between two boards."""

CAPTION = 1.0
"""Space above each board."""

WIDEST = 46.0
"""Largest width of a row of boards, unless the picture would become too high."""


def draw_solution(board: Board, start: int, solution: Solution) -> str:
    """Draw a solution as a standalone SVG document.

    `start`: the position at the start. `solution`: the moves. Each frame shows the position before
    a move: the peg that moves, the pegs that it jumps, and its path. The last frame shows the pegs
    that are left. Holes are numbered from 1.

    >>> from exactile.classics.peg import load_board
    >>> picture = draw_solution(load_board("triangle-4"), 0b1111111101, ((6, 1),))
    >>> picture.count("<g>"), picture.count("<circle")
    (2, 20)
    """
    places = np.array(board.holes, dtype=float) @ np.array(board.grid.embedding)
    places -= places.min(axis=0)
    extent = places.max(axis=0) + np.array([1 + GAP, 1 + GAP + CAPTION])
    frames = len(solution) + 1
    most = max(1, int(WIDEST / extent[0]))
    even = ceil(frames / ceil(frames / most))
    columns = max(range(even, frames + 1), key=lambda c: _scale(c, frames, extent))
    corners = [
        np.array([k % columns * extent[0], -(k // columns) * extent[1]]) for k in range(frames)
    ]
    high = places[:, 1].max()
    edge = [c + d for c in corners for d in ([-0.5, -0.5], [places[:, 0].max() + 0.5, high + 1.4])]
    paper = Paper(edge, WIDTH)
    position, elements = start, []
    for corner, move, count in zip(corners, [*solution, ()], range(1, frames + 1), strict=True):
        title = "-".join(str(h + 1) for h in move) if move else "end"
        middle = corner + np.array([places[:, 0].max() / 2, high + 0.5 + CAPTION / 2])
        caption = paper.text(middle, f"{count}.  {title}" if move else title, paper.scale * 0.5)
        jumped = {over(board, begin, end) for begin, end in pairwise(move)}
        frame = _frame(paper, places + corner, position, move, jumped)
        elements.append(group(title, [caption, *frame]))
        position = after(board, position, move)
    return paper.drawing(f"{board.title or board.name}: {len(solution)} moves", elements).svg()


def after(board: Board, position: int, move: Move) -> int:
    """Return the position after a move.

    >>> from exactile.classics.peg import load_board
    >>> bin(after(load_board("triangle-3"), 0b011010, (3, 0)))
    '0b10001'
    """
    for begin, end in pairwise(move):
        position ^= 1 << begin | 1 << end | 1 << over(board, begin, end)
    return position


def over(board: Board, begin: int, end: int) -> int:
    """Return the hole between two holes."""
    (x, y), (v, w) = board.holes[begin], board.holes[end]
    return board.index[(x + v) // 2, (y + w) // 2]


def _scale(columns: int, frames: int, extent: Floats) -> float:
    """Return the size of frames in a number of columns, as a fraction of the sheet's width."""
    rows = ceil(frames / columns)
    return float(min(1 / (columns * extent[0]), TALLEST / (rows * extent[1])))


def _frame(paper: Paper, places: Floats, position: int, move: Move, jumped: set[int]) -> list[str]:
    """Return the elements of one board: holes and pegs with their numbers, the path of a move."""
    elements = []
    for hole, place in enumerate(places):
        if position >> hole & 1:
            color = MOVING if hole in move[:1] else JUMPED if hole in jumped else PEG
            elements.append(_circle(paper, place, RADIUS, color, INK))
        else:
            elements.append(_circle(paper, place, HOLE, EMPTY_FILL, FAINT))
    way = _arrow(paper, [places[h] for h in move]) if move else []
    numbers = [
        paper.text(place, str(hole), paper.scale * DIGITS) for hole, place in enumerate(places, 1)
    ]
    return [*elements, *way, *numbers]


def _circle(paper: Paper, place: Floats, radius: float, fill: str, stroke: str) -> str:
    x, y = paper.at(place).split()
    line = number(max(0.6, paper.scale / 30))
    return (
        f'<circle cx="{x}" cy="{y}" r="{number(radius * paper.scale)}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{line}"/>'
    )


def _arrow(paper: Paper, way: Sequence[Floats]) -> list[str]:
    """Return a line along places, with an arrow head and rounded corners."""
    direction = (way[-1] - way[-2]) / np.linalg.norm(way[-1] - way[-2])
    across = np.array([-direction[1], direction[0]])
    back = way[-1] - 0.42 * direction
    head = [way[-1], back + 0.2 * across, back - 0.2 * across]
    line = paper.line([*way[:-1], back])
    width = max(1.0, paper.scale / 8)
    shape = (
        path([line], fill="none", stroke=INK, stroke_width=width, stroke_linejoin="round"),
        path([paper.polygon(head)], fill=INK),
    )
    return [f'<g opacity="{SEEN_THROUGH}">', *shape, "</g>"]  # numbers below it stay legible
