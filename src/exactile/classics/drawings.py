"""Pictures of sudokus, of boards with queens, and of solutions of peg solitaire, move by move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactile.render.paper import (
    EMPTY_FILL,
    FAINT,
    INK,
    PALETTE,
    PAPER,
    TALLEST,
    Paper,
    group,
    mixed,
    number,
    path,
)

if TYPE_CHECKING:
    from exactile.classics.grids.queens import Columns
    from exactile.classics.grids.sudoku import Grid, Sudoku
    from exactile.classics.peg.board import Board
    from exactile.classics.peg.check import Move, Solution

Floats = npt.NDArray[np.float64]

PEG, MOVING, JUMPED = PALETTE[1], PALETTE[2], PALETTE[0]

HOLE, RADIUS = 0.3, 0.4
"""Radii of empty holes and of pegs, as a fraction of the distance between neighboring holes."""

DIGITS = 0.36
"""Height of the digits on a hole, as a fraction of the distance between neighboring holes."""

SEEN_THROUGH = 0.6
"""Opacity of the arrow along a move, so that the holes below it stay visible."""

WIDTH = 960
"""Width of a drawing of peg solitaire, in pixels; its height follows from the boards."""

GAP = 1.1
"""Space between two boards in a drawing; the unit is the distance between neighboring holes."""

CAPTION = 1.0
"""Space above each board for its caption; the unit is the distance between neighboring holes."""

WIDEST = 46.0
"""Largest width of several boards side by side; the unit is the distance between neighboring holes.

It is exceeded if the drawing would otherwise be too high.
"""


def draw_solution(board: Board, start: int, solution: Solution) -> str:
    """Draw a solution of peg solitaire as a standalone SVG document.

    `start`: the position before the first move, as an integer whose bit h is set if hole h has a
    peg. `solution`: the moves, with holes from 0. Each frame shows the position before a move, the
    peg that moves, the pegs that it jumps over, and its path. The last frame shows the pegs that
    are left. Holes are labeled from 1.

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
    """Return the position of the pegs after a move.

    >>> from exactile.classics.peg import load_board
    >>> bin(after(load_board("triangle-3"), 0b011010, (3, 0)))
    '0b10001'
    """
    for begin, end in pairwise(move):
        position ^= 1 << begin | 1 << end | 1 << over(board, begin, end)
    return position


def over(board: Board, begin: int, end: int) -> int:
    """Return the hole that a jump from `begin` to `end` passes over."""
    (x, y), (v, w) = board.holes[begin], board.holes[end]
    return board.index[(x + v) // 2, (y + w) // 2]


def _scale(columns: int, frames: int, extent: Floats) -> float:
    """Return the distance between neighboring holes, relative to the width of the drawing.

    `columns`: number of boards side by side. `frames`: number of boards. `extent`: width and height
    of a board, in distances between neighboring holes.
    """
    rows = ceil(frames / columns)
    return float(min(1 / (columns * extent[0]), TALLEST / (rows * extent[1])))


def _frame(paper: Paper, places: Floats, position: int, move: Move, jumped: set[int]) -> list[str]:
    """Return the SVG elements of one board: numbered holes and pegs, and the path of a move.

    `jumped` has the holes whose pegs the move jumps over.
    """
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
    """Return the SVG elements of an arrow through the points of a move."""
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


def draw_grid(sudoku: Sudoku, grid: Grid) -> str:
    """Return a grid as text, with lines between its regions.

    >>> from io import StringIO
    >>> from exactile.classics.grids.reader import read_sudokus
    >>> sudoku = next(read_sudokus(StringIO("1..4.4.223.1..2.")))
    >>> print(draw_grid(sudoku, sudoku.givens), end="")
    1 . | . 4
    . 4 | . 2
    ----+----
    2 3 | . 1
    . . | 2 .
    """
    n, regions = sudoku.layout.size, sudoku.layout.regions
    signs = sudoku.text(grid)
    walls = [[regions[n * r + c] != regions[n * r + c + 1] for c in range(n - 1)] for r in range(n)]
    wide = [any(row[c] for row in walls) for c in range(n - 1)]
    lines = []
    for r in range(n):
        line = signs[n * r]
        for c in range(n - 1):
            gap = (" | " if walls[r][c] else "   ") if wide[c] else " "
            line += gap + signs[n * r + c + 1]
        lines.append(line)
        if r + 1 < n:
            floors = [regions[n * r + c] != regions[n * r + n + c] for c in range(n)]
            if any(floors):
                lines.append(_floor(floors, wide, walls[r], walls[r + 1]))
    return "".join(line.rstrip() + "\n" for line in lines)


def _floor(floors: list[bool], wide: list[bool], above: list[bool], below: list[bool]) -> str:
    """Return the text between two rows of a grid, with lines where regions meet.

    `floors`: for each column, whether a line separates the cell above from the cell below. `wide`:
    for each gap between columns, whether it has room for a line. `above`, `below`: for each gap,
    whether it has a line in the row above, and in the row below.
    """
    line = "-" if floors[0] else " "
    for c, is_wide in enumerate(wide):
        before, behind = ("-" if floors[k] else " " for k in (c, c + 1))
        if not is_wide:
            line += "-" if floors[c] and floors[c + 1] else " "
        elif above[c] or below[c]:
            line += before + ("+" if floors[c] or floors[c + 1] else "|") + behind
        else:
            line += before + ("-" if floors[c] and floors[c + 1] else " ") + behind
        line += behind
    return line


def draw_queens(columns: Columns) -> str:
    """Return a board with queens as text; `columns` has the column of the queen in each row.

    >>> print(draw_queens((1, 3, 0, 2)), end="")
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    n = len(columns)
    return "".join(" ".join("Q" if c == q else "." for c in range(n)) + "\n" for q in columns)


GRID_WIDTH = 480
FOUND = "#1f62b0"
"""Color of the digits of a solution that were not given."""

DIFFERENT = "#fbd9a5"
"""Background color of the cells in which two solutions differ."""

SHADED = "#eef0f4"
"""Background color of the windows of a sudoku: additional squares that contain every digit."""

CROWN = (
    (-0.3, 0.24),
    (-0.34, -0.16),
    (-0.14, 0.06),
    (0, -0.3),
    (0.14, 0.06),
    (0.34, -0.16),
    (0.3, 0.24),
)
"""Corners of the symbol of a queen, in a square of side 1 around 0; y grows downward."""


def svg_grid(sudoku: Sudoku, grid: Grid, marked: Iterable[int] = ()) -> str:
    """Return a grid of digits as SVG, with thick lines between regions and givens in bold.

    `grid`: the givens, or a solution. `marked`: cells with a different background. The regions of a
    jigsaw are colored.

    >>> from exactile.classics.grids.sudoku import Sudoku, boxed
    >>> sudoku = Sudoku(boxed(4, (2, 2)), (1,) + (0,) * 15)
    >>> svg_grid(sudoku, sudoku.givens).count("<text")
    1
    """
    n = sudoku.layout.size
    paper = Paper([(0, 0), (n, n)], GRID_WIDTH)
    elements = [
        path([paper.polygon(_square(n, cell)) for cell in cells], fill=color)
        for color, cells in _fills(sudoku, set(marked)).items()
    ]
    thin = [paper.line([(0, k), (n, k)]) for k in range(1, n)]
    thin += [paper.line([(k, 0), (k, n)]) for k in range(1, n)]
    elements.append(path(thin, fill="none", stroke=FAINT, stroke_width=1.0))
    if sudoku.layout.diagonals:
        thin = [paper.line([(0, 0), (n, n)]), paper.line([(0, n), (n, 0)])]
        elements.append(path(thin, fill="none", stroke=FAINT, stroke_width=3.0))
    thick = {"fill": "none", "stroke": INK, "stroke_linecap": "round"}
    elements.append(path(_walls(sudoku, paper), stroke_width=3.0 if n < 17 else 2.0, **thick))
    elements += [_digit(sudoku, paper, cell, digit) for cell, digit in enumerate(grid) if digit]
    return paper.drawing(f"Sudoku of {n} by {n}", elements).svg()


def _square(n: int, cell: int) -> list[tuple[float, float]]:
    """Return the corners of a cell; y grows upward, and the first row is at the top."""
    row, column = divmod(cell, n)
    top, left = n - row, column
    return [(left, top), (left + 1, top), (left + 1, top - 1), (left, top - 1)]


def _fills(sudoku: Sudoku, marked: set[int]) -> dict[str, list[int]]:
    """Return the numbers of the cells of a grid, by background color."""
    layout = sudoku.layout
    shaded = {c for house in layout.houses if house.kind == "w" for c in house.cells}
    tints = _tints(sudoku) if layout.boxes is None else []
    fills: dict[str, list[int]] = {}
    for cell, region in enumerate(layout.regions):
        if cell in marked:
            color = DIFFERENT
        elif tints:
            color = mixed(tints[region], 0.62 if cell in shaded else 0.42)
        else:
            color = SHADED if cell in shaded else PAPER
        fills.setdefault(color, []).append(cell)
    return fills


def _tints(sudoku: Sudoku) -> list[str]:
    """Return a color for each region; if possible, regions that touch have different colors."""
    n, regions = sudoku.layout.size, sudoku.layout.regions
    near: list[set[int]] = [set() for _ in range(n)]
    for cell, region in enumerate(regions):
        for other in ([cell + 1] if (cell + 1) % n else []) + (
            [cell + n] if cell + n < n * n else []
        ):
            if regions[other] != region:
                near[region].add(regions[other])
                near[regions[other]].add(region)
    chosen: list[int] = []
    for region in range(n):
        taken = {chosen[other] for other in near[region] if other < region}
        free = [c for c in range(len(PALETTE)) if c not in taken] or list(range(len(PALETTE)))
        chosen.append(min(free, key=lambda c: (chosen.count(c), c)))
    return [PALETTE[c] for c in chosen]


def _walls(sudoku: Sudoku, paper: Paper) -> list[str]:
    """Return the SVG paths of the thick lines: around the grid, and between regions."""
    n, regions = sudoku.layout.size, sudoku.layout.regions
    lines = [paper.polygon([(0, 0), (n, 0), (n, n), (0, n)])]
    for cell, region in enumerate(regions):
        row, column = divmod(cell, n)
        corners = _square(n, cell)
        if column + 1 < n and regions[cell + 1] != region:
            lines.append(paper.line([corners[1], corners[2]]))
        if row + 1 < n and regions[cell + n] != region:
            lines.append(paper.line([corners[3], corners[2]]))
    return lines


def _digit(sudoku: Sudoku, paper: Paper, cell: int, digit: int) -> str:
    """Return the SVG element of a digit: bold and black if it is given, else in another color."""
    row, column = divmod(cell, sudoku.layout.size)
    place = (column + 0.5, sudoku.layout.size - row - 0.5)
    text = paper.text(place, sudoku.symbols[digit - 1], paper.scale * 0.6)
    if sudoku.givens[cell]:
        return text.replace("<text ", '<text font-weight="bold" ')
    return text.replace(f'fill="{INK}"', f'fill="{FOUND}"')


def svg_queens(columns: Columns) -> str:
    """Return a board with queens as SVG; `columns` has the column of the queen in each row.

    >>> svg_queens((1, 3, 0, 2)).count("M")
    13
    """
    n = len(columns)
    paper = Paper([(0, 0), (n, n)], GRID_WIDTH)
    dark = [paper.polygon(_square(n, n * r + c)) for r in range(n) for c in range(n) if (r + c) % 2]
    queens = [paper.polygon(_crown((c + 0.5, n - r - 0.5))) for r, c in enumerate(columns)]
    elements = [
        path(dark, fill=FAINT),
        path([paper.polygon([(0, 0), (n, 0), (n, n), (0, n)])], fill="none", stroke=INK),
        path(queens, fill=INK, stroke=INK, stroke_linejoin="round", stroke_width=paper.scale / 20),
    ]
    return paper.drawing(f"{n} queens", elements).svg()


def _crown(place: Sequence[float]) -> list[tuple[float, float]]:
    x, y = place
    return [(x + across, y - down) for across, down in CROWN]
