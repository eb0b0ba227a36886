"""Small pictures of solutions in few bytes: colored outlines without names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import Corner, Lattice
from exactile.puzzle import Puzzle, Region, Solution
from exactile.render.cover import EMPTY, Cover
from exactile.render.forms import draw_cover
from exactile.render.paper import (
    BARE,
    EMPTY_FILL,
    INK,
    RIM,
    Drawing,
    Place,
    assign_colors,
    dot,
    painted,
    shade,
)
from exactile.render.svg_plane import STROKE, Edges, path_data, spot_radius
from exactile.render.svg_space import APART, draw_exploded, is_cubic

SIZE = 190
"""Largest width and height of a picture, in pixels."""

LARGEST = 17.0
"""Largest size of a unit in a picture: the side in pixels of a square with the unit's area."""

FINE = 30
"""Number of grid steps in a unit of length; coordinates of a picture are rounded to this grid."""

EXACT = 12_000
"""Factor for the coordinates of corners, which are then integers.

On lattices with irrational corners, such as those of octagons, they are rounded to integers.
"""

WIDER = 1.5
"""Factor by which edges are wider than in large drawings."""

MARGIN = 4
"""Margin of the picture, in grid steps."""

Node = tuple[int, ...]
"""A corner of a cell in exact integer coordinates, so that equal corners are equal."""

Shape = tuple[str, list[list[Node]]]
"""A color, and the corners of each cell drawn in it; one outline surrounds all these cells."""


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

    - `puzzle`, `solution`: the puzzle, and placements in its region. In the plane, units that they
      do not cover are light gray.
    - `zoom`: the factor by which the picture is enlarged.
    - `exploded`: whether pieces in space are drawn apart from each other.
    - `colors`: the color of each placement; chosen automatically by default.

    Unless `exploded` is True, cubes are drawn as a solid, with its layers below, the lowest first.
    If there are placements, uncovered units are left out in space, except in layers of cubes and,
    unless `exploded` is True, on lattices of faces. Equal arguments give equal documents.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> small(puzzle, exactile.solve_one(puzzle)).size
    (175.0, 107.0)
    """
    cover = Cover(puzzle, solution, colors)
    lattice = puzzle.lattice
    if len(lattice.embedding[0]) == 3:
        nameless = Cover(puzzle, solution, colors, labels=[""] * len(solution))
        if is_cubic(lattice) and not exploded:
            return _solid(cover, zoom)
        if solution and (exploded or len(lattice.faces[0]) != 1 or len(lattice.faces[0][0]) == 2):
            return draw_exploded(nameless, round(SIZE * zoom), apart=APART if exploded else 0.0)
        return draw_cover(nameless, round(2 * SIZE * zoom))
    return _edges(cover, zoom) if len(lattice.faces[0][0]) == 2 else _cells(cover, zoom)


def small_piece(cover: Cover, zoom: float) -> Drawing:
    """Return a small picture of a piece that is made of cubes or lies in the plane.

    `cover`: a region that is covered by the piece; only in the plane, its paint is drawn. `zoom`:
    see `small`.
    """
    if len(cover.lattice.embedding[0]) == 3:
        return _solid(cover, zoom)
    edges = len(cover.lattice.faces[0][0]) == 2
    return _edges(cover, zoom, paint=True) if edges else _cells(cover, zoom, paint=True)


class Viewport:
    """A picture on a grid of integers, with y downwards as in SVG.

    `places`: the places that it must show. `unit`: see `unit_size`. `zoom`: the factor by which the
    picture is enlarged.
    """

    def __init__(self, places: Iterable[Place], unit: float, zoom: float) -> None:
        array = np.array([[float(c) for c in p] for p in places])
        low, high = array.min(axis=0), array.max(axis=0)
        self._left, self._top = float(low[0]), float(high[1])
        # width, height: size in grid steps
        self.width, self.height = (round(float(e) * FINE) + 2 * MARGIN for e in high - low)
        fitting = min(SIZE / self.width, SIZE / self.height, LARGEST / (unit * FINE))
        self.scale = zoom * fitting  # pixels in a grid step

    def spot(self, place: Place) -> Spot:
        """Return the grid point of a place."""
        x, y = (float(c) for c in place)
        return round((x - self._left) * FINE) + MARGIN, round((self._top - y) * FINE) + MARGIN

    def at(self, place: Place) -> str:
        """Return the grid point of a place as text, such as ``30 64``."""
        x, y = self.spot(place)
        return f"{x} {y}"

    def line(self, places: Iterable[Place]) -> str:
        """Return the path data of an open line."""
        return strokes([self.spot(place) for place in places])

    def stroke(self, pixels: float) -> int:
        """Return a width in pixels as a number of grid steps, at least 1."""
        return max(1, round(pixels / self.scale))

    def drawing(self, elements: Iterable[str]) -> Drawing:
        """Return a drawing of the whole picture with these elements."""
        width, height = round(self.width * self.scale), round(self.height * self.scale)
        box = ("0", "0", str(self.width), str(self.height))
        return Drawing(str(width), str(height), box, tuple(elements))


def unit_size(lattice: Lattice) -> float:
    """Return the side of a square with the average area of a unit."""
    area = abs(float(np.linalg.det(np.array(lattice.embedding)[:, :2]))) * lattice.period**2
    return sqrt(area / len(lattice.origins))


def filled(
    shapes: Iterable[Shape], spot: Callable[[Node], Spot], frame: Viewport, thick: float = 1.2
) -> list[str]:
    """Return shapes with their outlines as SVG elements, with one path for each color.

    `spot`: returns the grid point of a corner. `thick`: largest width of the outlines, in pixels.
    """
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
    """Return a list with an SVG element of thin lines between cells; empty if there are none."""
    data = "".join(strokes([spot(first), spot(second)]) for first, second in seams(cells))
    return [f'<path stroke="#b4b4b4" stroke-width="{frame.stroke(0.6)}" d="{data}"/>'] * bool(data)


def by_owner(cover: Cover, corners: list[list[Node]]) -> dict[int, list[list[Node]]]:
    """Return the cells of each owner; uncovered cells come first, under the key `EMPTY`."""
    found: defaultdict[int, list[list[Node]]] = defaultdict(list)
    for owner, polygon in zip(cover.owners, corners, strict=True):
        found[owner].append(polygon)
    return dict(sorted(found.items()))


def _cells(cover: Cover, zoom: float, *, paint: bool = False) -> Drawing:
    """Return the picture of cells in the plane; `paint`: whether spots show their paint."""
    lattice = cover.lattice
    embedding = np.array(lattice.embedding) / EXACT
    corners = cell_corners(cover.region)
    places = {c: np.array(c) @ embedding for polygon in corners for c in polygon}
    frame = Viewport(places.values(), unit_size(lattice), zoom)
    colors = [*assign_colors(cover), EMPTY_FILL]  # EMPTY is -1 and takes the last
    groups = by_owner(cover, corners)

    def spot(node: Node) -> Spot:
        return frame.spot(places[node])

    shapes = [(colors[owner], cells) for owner, cells in groups.items()]
    elements = [*filled(shapes, spot, frame), *grid(groups.get(EMPTY, []), spot, frame)]
    for unit, name, fill in painted(cover, range(len(corners)) if paint else ()):
        center = cover.region.places[unit] @ np.array(lattice.embedding)
        radius = spot_radius(cover, unit) * FINE
        elements.append(dot(frame.at(center), radius, name, fill, thick=frame.stroke(0.6)))
    return frame.drawing(elements)


def cell_corners(region: Region) -> list[list[Node]]:
    """Return the corners of each cell of a region in the plane, in coordinates times `EXACT`."""
    offsets = [_turning_left(faces[0]) for faces in region.lattice.faces]
    return [
        [tuple(c) for c in (unit * EXACT + offsets[kind]).tolist()]
        for unit, kind in zip(
            region.places, region.lattice.types(region.places).tolist(), strict=True
        )
    ]


def _turning_left(corners: Sequence[Corner]) -> npt.NDArray[np.int64]:
    """Return the corners of a cell times `EXACT`, counter-clockwise in lattice coordinates."""
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


def _edges(cover: Cover, zoom: float, *, paint: bool = False) -> Drawing:
    """Return the picture of edges in the plane; `paint`: whether spots show their paint."""
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
            *(
                dot(
                    frame.at(edges.places[u].mean(axis=0)), MARGIN, name, c, thick=frame.stroke(0.6)
                )
                for u, name, c in painted(cover, range(len(edges.places)) if paint else ())
            ),
        ]
    )


Side = tuple[Node, Node]
"""A side of a cell from one corner to the next."""

Spot = tuple[int, int]
"""A point of the grid: x and y, with y downwards."""


def boundary(cells: Iterable[Sequence[Node]]) -> list[list[Node]]:
    """Return the closed loops around cells; around holes, they turn the other way.

    Corners at which a loop goes straight on are left out. `cells`: the corners of each cell, all in
    the same sense of rotation. Cells that touch along a side must share the whole side.

    >>> boundary([[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]])
    [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    """
    left = _once(cells)
    follow: defaultdict[Node, list[Node]] = defaultdict(list)
    for first, second in sorted(left, reverse=True):
        follow[first].append(second)
    loops = []
    for first, _ in sorted(left):
        loop = []
        node = first
        while follow[node]:
            loop.append(node)
            node = follow[node].pop()
        if loop:
            loops.append(_bends(loop))
    return loops


def _once(cells: Iterable[Sequence[Node]]) -> set[Side]:
    """Return the sides that belong to only one cell, in the direction of that cell."""
    left: set[Side] = set()
    for corners in cells:
        for first, second in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (second, first) in left:
                left.remove((second, first))
            else:
                left.add((first, second))
    return left


def _bends(loop: list[Node]) -> list[Node]:
    """Return a loop without the corners that lie straight between their neighbors."""
    around = zip([loop[-1], *loop[:-1]], loop, [*loop[1:], loop[0]], strict=True)
    return [here for before, here, after in around if not _straight(before, here, after)]


def _straight(before: Node, here: Node, after: Node) -> bool:
    ax, ay = here[0] - before[0], here[1] - before[1]
    bx, by = after[0] - here[0], after[1] - here[1]
    return ax * by == ay * bx and ax * bx + ay * by > 0


def seams(cells: Iterable[Sequence[Node]]) -> list[Side]:
    """Return the lines between cells; consecutive collinear ones are joined.

    >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    >>> seams([[(x + i, y + j) for x, y in square] for i in (0, 1) for j in (0, 1)])
    [((0, 1), (2, 1)), ((1, 0), (1, 2))]
    """
    sides: set[Side] = set()
    shared: set[Side] = set()
    for corners in cells:
        for first, second in zip(corners, [*corners[1:], corners[0]], strict=True):
            side = (min(first, second), max(first, second))
            (shared if side in sides else sides).add(side)
    starts = dict.fromkeys(sorted(shared))
    result = []
    while starts:
        first, second = next(iter(starts))
        del starts[first, second]
        step = tuple(b - a for a, b in zip(first, second, strict=True))
        while (second, _moved(second, step)) in starts:
            beyond = _moved(second, step)
            del starts[second, beyond]
            second = beyond
        result.append((first, second))
    return result


def _moved(node: Node, step: Sequence[int]) -> Node:
    return tuple(a + b for a, b in zip(node, step, strict=True))


def outline(cells: Iterable[Sequence[Node]], spot: Callable[[Node], Spot]) -> str:
    """Return the common outlines of cells, each given by its corners, as the data of an SVG path.

    >>> outline([[(0, 0), (1, 0), (1, 1), (0, 1)]], lambda node: (node[0] * 30, node[1] * 30))
    'M0 0h30v30h-30z'
    """
    return "".join(strokes([spot(node) for node in loop]) + "z" for loop in boundary(cells))


def strokes(spots: Sequence[Spot]) -> str:
    """Return path data of a line through places: an absolute start, then relative steps.

    >>> strokes([(5, 5), (5, 9), (8, 5), (10, 5), (9, 4)])
    'M5 5v4l3-4h2l-1-1'
    """
    parts = [f"M{spots[0][0]} {spots[0][1]}"]
    last = ""
    for (x, y), (u, v) in pairwise(spots):
        dx, dy = u - x, v - y
        if dx and dy:
            joint = "l" if last != "l" else "" if dx < 0 else " "
            parts.append(f"{joint}{dx}{'' if dy < 0 else ' '}{dy}")
            last = "l"
        elif dx or dy:
            last = "h" if dx else "v"
            parts.append(f"{last}{dx or dy}")
    return "".join(parts)


STEPS = ((0, 0, 1), (1, 0, 0), (0, -1, 0))
"""Offsets to the cells beyond the three faces that the viewer sees."""

LIGHT = (1.0, 0.66, 0.83)

HALVES = (
    (((0, 0, 1), (1, 0, 1), (0, 1, 1)), ((1, 0, 1), (1, 1, 1), (0, 1, 1))),
    (((1, 0, 0), (1, 1, 0), (1, 0, 1)), ((1, 1, 0), (1, 1, 1), (1, 0, 1))),
    (((0, 0, 0), (1, 0, 0), (1, 0, 1)), ((0, 0, 0), (1, 0, 1), (0, 0, 1))),
)
"""For each visible face of a cube, the two triangles that form it.

In the picture, the diagonal between them is parallel to the edges that are perpendicular to the
face.
"""

GAP = 0.8
"""Space between the picture of the solid and its layers, in edges of a cube."""

SMALL = 0.62
"""Size of a cell in a layer relative to its size in the solid."""

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))

Label = tuple[int, int, int]
"""Key of a visible area that is drawn as one: its owner, the index of its face, and its plane."""


class Tower:
    """A solution in a region of cubes, to be drawn as a solid and as layers.

    A corner of the solid is drawn at ``(x + y, z - x)`` in oblique axes, so that all points on a
    line of sight coincide. Each visible face is two triangles of one triangular grid; for each
    triangle, the nearest face is visible.
    """

    def __init__(self, cover: Cover) -> None:
        units = cover.region.places
        self._low, self._high = units.min(axis=0), units.max(axis=0) + 1
        self._cells = [
            (tuple(unit), owner) for unit, owner in zip(units.tolist(), cover.owners, strict=True)
        ]
        self._seen = self._visible([c for c in self._cells if not cover.solution or c[1] != EMPTY])
        corners = np.array([_place(n) for cells in self._seen.values() for c in cells for n in c])
        self._corner = corners.min(axis=0)
        self._width, self._height = (float(e) for e in np.ptp(corners, axis=0))
        levels = int(self._high[2] - self._low[2])
        self._columns = min(range(1, levels + 1), key=lambda c: (max(self._whole(c)), c))

    def _visible(self, cells: list[tuple[Node, int]]) -> dict[Label, list[list[Node]]]:
        """Return the visible triangles, by owner, face and plane."""
        nearest: dict[tuple[Node, ...], tuple[int, Label, list[Node]]] = {}
        for cell, owner in cells:
            depth = cell[0] - cell[1] + cell[2]
            for face, halves in enumerate(HALVES):
                plane = sum(c * s for c, s in zip(cell, STEPS[face], strict=True))
                for half in halves:
                    corners = [_projected(cell, corner) for corner in half]
                    key = tuple(sorted(corners))
                    if key not in nearest or nearest[key][0] < depth:
                        nearest[key] = (depth, (owner, face, plane), corners)
        found: defaultdict[Label, list[list[Node]]] = defaultdict(list)
        for _, label, corners in nearest.values():
            found[label].append(corners)
        return dict(sorted(found.items()))

    def _flat_size(self, columns: int) -> tuple[int, int]:
        """Return width and height of the layers in cells, with `columns` layers in a row."""
        wide, deep, levels = (int(e) for e in self._high - self._low)
        return columns * (wide + 1) - 1, ceil(levels / columns) * (deep + 1) - 1

    def _whole(self, columns: int) -> tuple[float, float]:
        """Return width and height of the whole picture, with `columns` layers in a row."""
        wide, high = self._flat_size(columns)
        return max(self._width, wide * SMALL), self._height + GAP + high * SMALL

    def extent(self) -> list[tuple[float, float]]:
        """Return two opposite corners of a rectangle around the whole picture."""
        width, height = self._whole(self._columns)
        return [(0.0, 0.0), (width, height)]

    def shapes(self) -> Iterator[tuple[int, float, list[list[Node]]]]:
        """Yield the visible areas of the solid: owner, brightness, and triangles.

        The corners are nodes; the method `standing` converts one to its place in the picture.
        """
        for (owner, face, _), cells in self._seen.items():
            yield owner, LIGHT[face], cells

    def layers(self) -> Iterator[tuple[int, list[list[Node]]]]:
        """Yield each owner with its cells in all layers, each cell as its corners.

        The corners are nodes; the method `lying` converts one to its place in the picture.
        """
        found: defaultdict[int, list[list[Node]]] = defaultdict(list)
        wide, deep, _ = (int(e) + 1 for e in self._high - self._low)
        for (x, y, z), owner in self._cells:
            row, column = divmod(z - int(self._low[2]), self._columns)
            left, front = x - int(self._low[0]) + column * wide, y - int(self._low[1]) - row * deep
            found[owner].append([(left + i, front + j) for i, j in SQUARE])
        yield from sorted(found.items())

    def standing(self, node: Node) -> tuple[float, float]:
        """Return the place of a corner in the picture of the solid."""
        (left, bottom), (whole, high) = self._corner, self._whole(self._columns)
        x, y = _place(node)
        return x - left + (whole - self._width) / 2, y - bottom + high - self._height

    def lying(self, node: Node) -> tuple[float, float]:
        """Return the place of a corner in the pictures of the layers."""
        wide, high = self._flat_size(self._columns)
        deep = int(self._high[1] - self._low[1])
        left = (self._whole(self._columns)[0] - wide * SMALL) / 2
        return node[0] * SMALL + left, (node[1] + high - deep) * SMALL


def _projected(cell: Node, corner: Node) -> Node:
    """Return oblique coordinates of a cube's corner, equal for all points on a line of sight."""
    x, y, z = (a + b for a, b in zip(cell, corner, strict=True))
    return x + y, z - x


def _place(node: Node) -> tuple[float, float]:
    """Return the place of a projected point on the sheet; edges of cubes have length 1."""
    return sqrt(0.75) * node[0], node[1] + node[0] / 2
