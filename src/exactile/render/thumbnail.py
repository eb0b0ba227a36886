"""Small pictures of solutions: outlines in color without names, in few bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import Corner, Lattice
from exactile.puzzle import Puzzle, Solution
from exactile.render.colors import BARE, EMPTY_FILL, INK, RIM, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.drawing import Drawing
from exactile.render.forms import draw_cover
from exactile.render.outline import Node, Spot, outline, seams, strokes
from exactile.render.paper import Place
from exactile.render.svg_edges import STROKE, Edges, path_data
from exactile.render.svg_pieces import APART, draw_exploded
from exactile.render.tower import Tower

SIZE = 190
"""Largest width and height of a picture, in pixels."""

LARGEST = 17.0
"""Largest width in pixels of a unit with the area of a square."""

FINE = 30
"""Number of grid steps to the unit of length."""

EXACT = 12
"""Corners are integers in points times this, on every lattice."""

WIDER = 1.5
"""Lines are wider than in large drawings."""

MARGIN = 4
"""Margin of the picture, in grid steps."""

Shape = tuple[str, list[list[Node]]]
"""A color, and cells of that color that are drawn as one."""


def thumbnail(puzzle: Puzzle, solution: Solution = (), *, zoom: float = 1.0) -> str:
    """Draw a solution, or an empty region, as a small SVG document: see `small`.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> picture = thumbnail(puzzle, exactile.solve_one(puzzle))
    >>> picture.count("<path"), len(picture) < 2500
    (12, True)
    """
    return small(puzzle, solution, zoom=zoom).svg()


def small(
    puzzle: Puzzle,
    solution: Solution = (),
    *,
    zoom: float = 1.0,
    exploded: bool = False,
    colors: Sequence[str] | None = None,
) -> Drawing:
    """Draw a solution, or an empty region, as a small picture.

    - `puzzle`, `solution`: the puzzle, and placements in its region. Units that they do not cover
      are light grey.
    - `zoom`: the factor by which it is enlarged.
    - `exploded`: whether pieces in space are drawn apart from each other.
    - `colors`: the color of each placement; chosen automatically by default.

    The result: cubes are drawn as a solid, with their layers below, the lowest first. Equal
    arguments give equal documents.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> small(puzzle, exactile.solve_one(puzzle)).size
    (175.0, 107.0)
    """
    cover = Cover(puzzle, solution, colors)
    lattice = puzzle.lattice
    if len(lattice.embedding[0]) == 3:
        nameless = Cover(puzzle, solution, colors, labels=[""] * len(solution))
        if solution and (exploded or len(lattice.faces[0][0]) == 2):
            return draw_exploded(nameless, round(SIZE * zoom), apart=APART if exploded else 0.0)
        if lattice.name == "cube":
            return _solid(cover, zoom)
        return draw_cover(nameless, round(2 * SIZE * zoom))
    if len(lattice.faces[0][0]) == 2:
        return _edges(cover, zoom)
    return _cells(cover, zoom)


class Viewport:
    """A drawing on an integer grid, with y downwards as in SVG."""

    def __init__(self, places: Iterable[Place], unit: float, zoom: float) -> None:
        array = np.array([[float(c) for c in p] for p in places])
        low, high = array.min(axis=0), array.max(axis=0)
        self._left, self._top = float(low[0]), float(high[1])
        # width, height: size in whole numbers
        self.width, self.height = (round(float(e) * FINE) + 2 * MARGIN for e in high - low)
        fitting = min(SIZE / self.width, SIZE / self.height, LARGEST / (unit * FINE))
        self.scale = zoom * fitting  # pixels to the whole number

    def spot(self, place: Place) -> Spot:
        """Return the grid point of a place on the sheet."""
        x, y = (float(c) for c in place)
        return round((x - self._left) * FINE) + MARGIN, round((self._top - y) * FINE) + MARGIN

    def at(self, place: Place) -> str:
        """Return the two numbers of a place."""
        x, y = self.spot(place)
        return f"{x} {y}"

    def line(self, places: Iterable[Place]) -> str:
        """Return the path data of an open line."""
        return strokes([self.spot(place) for place in places])

    def stroke(self, pixels: float) -> int:
        """Return the whole number for a width in pixels."""
        return max(1, round(pixels / self.scale))

    def drawing(self, elements: Iterable[str]) -> Drawing:
        """Return the whole drawing."""
        width, height = round(self.width * self.scale), round(self.height * self.scale)
        box = ("0", "0", str(self.width), str(self.height))
        return Drawing(str(width), str(height), box, tuple(elements))


def unit_size(lattice: Lattice) -> float:
    """Return the side of a square with the area of a unit's share of the plane."""
    area = abs(float(np.linalg.det(np.array(lattice.embedding)[:, :2]))) * lattice.period**2
    return sqrt(area / len(lattice.origins))


def filled(
    shapes: Iterable[Shape], spot: Callable[[Node], Spot], frame: Viewport, thick: float = 1.2
) -> list[str]:
    """Return shapes as elements: all of one color in one path."""
    by_color: dict[str, list[str]] = {}
    for color, cells in shapes:
        by_color.setdefault(color, []).append(outline(cells, spot))
    wide = frame.stroke(min(thick, 2.4 * frame.scale * FINE / 17))
    return [
        f'<g stroke="{INK}" stroke-width="{wide}" stroke-linejoin="round">',
        *(f'<path fill="{color}" d="{"".join(data)}"/>' for color, data in by_color.items()),
        "</g>",
    ]


def grid(cells: list[list[Node]], spot: Callable[[Node], Spot], frame: Viewport) -> list[str]:
    """Return thin lines between cells, if there are any, as elements."""
    data = "".join(strokes([spot(first), spot(second)]) for first, second in seams(cells))
    return [f'<path stroke="#b4b4b4" stroke-width="{frame.stroke(0.6)}" d="{data}"/>'] * bool(data)


def by_owner(cover: Cover, corners: list[list[Node]]) -> dict[int, list[list[Node]]]:
    """Return the cells of each placement, uncovered ones first."""
    found: defaultdict[int, list[list[Node]]] = defaultdict(list)
    for owner, polygon in zip(cover.owners, corners, strict=True):
        found[owner].append(polygon)
    return dict(sorted(found.items()))


def _cells(cover: Cover, zoom: float) -> Drawing:
    """Return the picture of cells in the plane."""
    region, lattice = cover.region, cover.lattice
    embedding = np.array(lattice.embedding) / EXACT
    offsets = [_turning_left(faces[0]) for faces in lattice.faces]
    corners: list[list[Node]] = [
        [tuple(c) for c in (unit * EXACT + offsets[kind]).tolist()]
        for unit, kind in zip(region.places, region.types.tolist(), strict=True)
    ]
    places = {c: np.array(c) @ embedding for polygon in corners for c in polygon}
    frame = Viewport(places.values(), unit_size(lattice), zoom)
    colors = [*assign_colors(cover), EMPTY_FILL]  # EMPTY is -1 and takes the last
    groups = by_owner(cover, corners)

    def spot(node: Node) -> Spot:
        return frame.spot(places[node])

    shapes = [(colors[owner], cells) for owner, cells in groups.items()]
    return frame.drawing([*filled(shapes, spot, frame), *grid(groups.get(EMPTY, []), spot, frame)])


def _turning_left(corners: Sequence[Corner]) -> npt.NDArray[np.int64]:
    """Return the corners of a cell as exact numbers, all cells in the same sense of rotation."""
    exact = np.rint(np.array(corners) * EXACT).astype(np.int64)
    x, y = exact.T
    left = bool((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0)
    return exact if left else np.flip(exact, axis=0)


def _solid(cover: Cover, zoom: float) -> Drawing:
    """Return the picture of a solid, with its layers below."""
    tower = Tower(cover)
    colors = [*assign_colors(cover), EMPTY_FILL]
    frame = Viewport(tower.extent(), 1.0, zoom)
    shapes = [(shade(colors[owner], light), cells) for owner, light, cells in tower.shapes()]
    elements = filled(shapes, lambda node: frame.spot(tower.standing(node)), frame)
    flat = [(colors[owner], cells) for owner, cells in tower.layers()]
    elements += filled(flat, lambda node: frame.spot(tower.lying(node)), frame, 0.9)
    return frame.drawing(elements)


def _edges(cover: Cover, zoom: float) -> Drawing:
    """Return the picture of edges in the plane."""
    edges = Edges(cover)
    frame = Viewport((p for pair in edges.places for p in pair), unit_size(cover.lattice), zoom)
    colors = assign_colors(cover)
    lines: dict[str, list[str]] = {}
    forks: dict[str, list[str]] = {}
    for pair, owner in zip(edges.places, cover.owners, strict=True):
        if owner == EMPTY:
            lines.setdefault(BARE, []).append(frame.line(pair))
    for color, units in zip(colors, cover.units_of, strict=True):
        data, webs = path_data(edges, units, frame)
        lines.setdefault(color, []).extend(data)
        forks.setdefault(color, []).extend(webs)
    wide = round(WIDER * STROKE * FINE * max(1.0, sqrt(2) * unit_size(cover.lattice)))
    rim = f'stroke="{RIM}" stroke-width="{wide + 2 * frame.stroke(0.7)}" stroke-linecap="round"'
    all_of_them = "".join("".join(lines[color] + forks[color]) for color in dict.fromkeys(colors))
    return frame.drawing(
        [
            f'<path fill="none" {rim} d="{all_of_them}"/>' * bool(colors),
            f'<g fill="none" stroke-width="{wide}" stroke-linecap="round">',
            *(f'<path stroke="{color}" d="{"".join(data)}"/>' for color, data in lines.items()),
            "</g>",
            *(f'<path fill="{c}" d="{"".join(data)}"/>' for c, data in forks.items() if data),
        ]
    )
