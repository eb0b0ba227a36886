"""Solutions in space as SVG: layers side by side, pieces in place or apart from each other.

The visible faces of solid cells are painted from back to front. The face between two cells is
perpendicular to the line through their points. So of two cells on a line of sight, the one whose
point is nearer to the viewer is in front, and cells never have to be cut.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.geometry.lattice import Lattice, Point
from exactile.render.cover import EMPTY, Cover
from exactile.render.paper import (
    EMPTY_FILL,
    INK,
    LARGEST_UNIT,
    LEGIBLE,
    MARGIN,
    TALLEST,
    Drawing,
    Paper,
    assign_colors,
    group,
    number,
    path,
    shade,
)
from exactile.render.svg_plane import tag

Array = npt.NDArray[np.float64]
Faces = list[Array]
"""The corners of each face of a unit."""

Axes = tuple[tuple[float, float], ...]

ISOMETRIC = ((sqrt(0.75), -0.5), (sqrt(0.75), 0.5), (0.0, 1.0))
"""Directions of the axes of space on the sheet: the faces to +x, -y and +z are visible."""

TRIMETRIC = ((0.92, -0.26), (0.6, 0.42), (0.0, 0.62))
"""Directions of the axes of space on the sheet in a view in which no edge hides another."""

FLATTENED = ((0.92, -0.26), (0.6, 0.42), (0.0, 0.4))
"""As `TRIMETRIC`, but with lower walls: none hides the foot of the wall behind it."""

TALL_WITH_WHOLE = 1.3
"""Largest height, relative to the width, of a drawing of the whole solution and of its layers."""

UNEVEN = 0.85
"""Factor on the score of an arrangement of drawings whose last row is not full."""

TOWARD_VIEWER = np.array([1.0, -1.0, 1.0])

GAP = 0.5
CAPTION = 0.55


class Layers:
    """The layers of a region in space, each with its own place on one sheet.

    A layer consists of a floor and the units that stand on it.

    - `cover`: the solution.
    - `width`: width of the sheet in pixels.
    - `axes`: directions of the axes of space on the sheet.
    - `halves`: whether upright units form layers of their own, apart from the floors.
    - `whole`: directions of the axes in a picture of the whole solution, which precedes the layers
      if there are several; None for no such picture.
    - `together`: whether all units of a piece are drawn in its lowest layer.
    """

    def __init__(
        self,
        cover: Cover,
        width: int,
        axes: Axes,
        *,
        halves: bool = False,
        whole: Axes | None = None,
        together: bool = False,
    ) -> None:
        region, lattice = cover.region, cover.lattice
        axis = lattice.art.layer_axis or 0
        parts = lattice.period if halves else 1
        slices, level = np.unique(
            region.places[:, axis] * parts // lattice.period, return_inverse=True
        )
        self.own: list[int] = level.tolist()  # for each unit, the number of the layer where it is
        # For each unit, the number of the layer where it is drawn, from the lowest
        self.level = list(self.own)
        for units in cover.units_of if together else ():
            lowest = min(self.own[unit] for unit in units)
            for unit in units:
                self.level[unit] = lowest
        self.titles = [f"{lattice.axes[axis]} = {Fraction(s, parts)}" for s in slices.tolist()]
        embedding = np.array(lattice.embedding)
        # For each unit, the corners of its faces in space, each of shape `(corners, 3)`
        self.corners: list[Faces] = [
            [(unit + np.array(face)) @ embedding for face in lattice.faces[kind]]
            for unit, kind in zip(region.places, cover.kinds, strict=True)
        ]
        self._axes = np.array(axes)
        # The number of the layer that lies directly on a layer, if there is one
        self.next_level = {int(k): int(k) + 1 for k in np.flatnonzero(np.diff(slices) == 1)}
        self._floors = (slices // parts)[:, None] * lattice.period * embedding[axis]
        flat = np.concatenate(
            [
                (face - self._floors[where]) @ self._axes
                for faces, where in zip(self.corners, self.level, strict=True)
                for face in faces
            ]
        )
        self._low, high = flat.min(axis=0), flat.max(axis=0)
        self._size = high - self._low
        self.has_whole = whole is not None and len(slices) > 1
        self._whole_axes = np.array(whole or axes)
        self._standing = np.zeros((2, 2))
        if self.has_whole:
            ends = np.concatenate([f @ self._whole_axes for faces in self.corners for f in faces])
            self._standing = np.array([ends.min(axis=0), ends.max(axis=0)])
        self._wide, self._high = (float(e) for e in np.ptp(self._standing, axis=0))
        self._columns, self._beside = self._best_order(len(slices), width)
        lows = [self._corner(i) for i in range(len(slices))]
        highs = [low + self._size + (0, CAPTION) for low in lows]
        if self.has_whole:
            lows.append(self._foot())
            highs.append(self._foot() + np.array([self._wide, self._high]))
        self.paper = Paper([*lows, *highs], width, self._tallest)

    @property
    def _tallest(self) -> float:
        return TALL_WITH_WHOLE if self.has_whole else TALLEST

    def _best_order(self, count: int, width: int) -> tuple[int, bool]:
        """Return the number of drawings in a row, and whether one of them is the whole solution.

        The best arrangement has large drawings and full rows.
        """

        def merit(order: tuple[int, bool]) -> tuple[float, int, bool]:
            columns, beside = order
            across = columns * (self._size[0] + GAP) - GAP
            rows = ceil((count + beside) / columns)
            down = rows * (self._size[1] + GAP + CAPTION) - GAP
            if beside:
                across += max(0.0, self._wide - self._size[0])
                down += max(0.0, self._high - self._size[1] - CAPTION)
            else:
                across, down = max(across, self._wide), down + self._high
            across = max(across, GAP)  # a rod seen from its end is not wide
            scale = min((width - 2 * MARGIN) / across, self._tallest * width / down, LARGEST_UNIT)
            full = (count + beside) % columns == 0
            return round(float(scale) * (1.0 if full else UNEVEN), 6), columns, beside

        orders = [(columns, False) for columns in range(1, count + 1)]
        if self.has_whole:
            orders += [(columns, True) for columns in range(2, count + 2)]
        return max(orders, key=merit)

    def _corner(self, level: int) -> Array:
        """Return the lower left corner, on the sheet, of a layer with its caption."""
        row, column = divmod(level + self._beside, self._columns)
        across, down = self._size + np.array([GAP, GAP + CAPTION])
        left = column * across
        if self._beside:
            wider = max(0.0, self._wide - float(self._size[0]))
            left += wider if column else wider / 2
        return np.array([left, -row * down - CAPTION])

    def _foot(self) -> Array:
        """Return the lower left corner, on the sheet, of the picture of the whole solution."""
        if self._beside:
            wide = max(self._wide, float(self._size[0]))
            return np.array([(wide - self._wide) / 2, -CAPTION])
        across = self._columns * (self._size[0] + GAP) - GAP
        return np.array([(across - self._wide) / 2, self._size[1] + GAP])

    def standing(self, points: Array) -> Array:
        """Return the places of points in space in the picture of the whole solution."""
        return np.asarray(points @ self._whole_axes + self._foot() - self._standing[0])

    def flat(self, points: Array, level: int) -> Array:
        """Return the places of points in space in the picture of a layer."""
        shift = self._corner(level) + np.array([0.0, CAPTION]) - self._low
        return np.asarray((points - self._floors[level]) @ self._axes + shift)

    def captions(self) -> list[str]:
        """Return the captions of the layers, such as ``z = 1``, as SVG elements."""
        middle = (float(self._size[0]) / 2, CAPTION / 3)
        scale = self.paper.scale
        size = min(14.0, max(LEGIBLE, min(8.0, 0.6 * scale), 0.3 * scale))  # below a small layer
        return [
            self.paper.text(self._corner(level) + middle, title, size)
            for level, title in enumerate(self.titles)
        ]


def side_key(first: Array, second: Array) -> frozenset[tuple[int, ...]]:
    """Return a key for a side between two points; their order does not matter."""
    return frozenset(tuple(np.rint(12 * end).astype(int).tolist()) for end in (first, second))


LIGHT = ((0.64, 0.82, 1.0), (0.9, 0.6, 0.5))
"""Brightness of faces toward +x, -y and +z, then of faces toward -x, +y and -z."""


class Facet(NamedTuple):
    """A ball, an edge, or a face of a unit, which is drawn in one step."""

    owner: int
    corners: Array
    light: float
    sides: tuple[bool, ...]
    """Whether the piece continues beyond each side of a face, or beyond each end of an edge."""
    depth: float = 0.0
    """Position along the line of sight; greater ones are nearer to the viewer."""
    radius: float = 0.0
    """Radius of a ball's picture, whose center is the only corner; 0 for a face or an edge."""


def is_cubic(lattice: Lattice) -> bool:
    """Return whether the units of a lattice are cubes.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> [is_cubic(get_lattice(name)) for name in ("cube", "square-prisms", "cube-faces")]
    [True, True, False]
    """
    return len(lattice.faces[0]) == 6 and np.array_equal(np.array(lattice.embedding), np.eye(3))


@cache
def beyond(lattice: Lattice) -> tuple[tuple[Point | None, ...], ...]:
    """Return the offset to the cell beyond each face, for each type of cell.

    The entry of a face is None if no neighbor shares the whole face.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> beyond(get_lattice("hexagon-prisms"))[0][:2]
    ((0, 0, -1), (0, 0, 1))
    """
    result = []
    for origin, faces, steps in zip(lattice.origins, lattice.faces, lattice.neighbors, strict=True):
        across = {}
        for step in steps:
            kind = int(lattice.types(np.add(origin, step)))
            for face in lattice.faces[kind]:
                across[_key(np.array(face) + step)] = step
        result.append(tuple(across.get(_key(np.array(face))) for face in faces))
    return tuple(result)


def _key(face: Array) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(corner) for corner in np.rint(1000 * face).astype(int).tolist())


def normal(corners: Array) -> Array:
    """Return the outward unit normal of a face of a cell that contains the origin.

    Examples
    --------
    >>> face = np.array([(1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)])
    >>> [(normal(each) + 0).tolist() for each in (face, face[::-1])]
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    middle = corners.mean(axis=0)
    around = zip(corners - middle, np.roll(corners, -1, axis=0) - middle, strict=True)
    vector = np.sum([np.cross(a, b) for a, b in around], axis=0)
    return np.asarray(vector / np.linalg.norm(vector) * (1 if vector @ middle > 0 else -1))


def light(direction: Array) -> float:
    """Return the brightness of a face, at most 1, from its outward unit normal.

    Examples
    --------
    >>> light(np.array([0.0, 0.0, 1.0])), light(np.array([1.0, 0.0, 0.0]))
    (1.0, 0.64)
    """
    front = direction * (1, -1, 1) > 0
    return float(np.square(direction) @ np.where(front, *LIGHT))


def solid_facets(
    cover: Cover, corners: list[Faces], units: Collection[int] | None = None
) -> Iterator[Facet]:
    """Yield the outer faces of pieces on the viewer's side; if cells are balls, yield the balls.

    Without placements, the whole region is drawn like a piece. `corners`: the corners of each
    unit's faces, in the place where it is drawn. `units`: the units to be drawn; None for all.
    """
    lattice = cover.lattice
    normals = [
        [normal(np.array(face) @ np.array(lattice.embedding)) for face in faces]
        for faces in lattice.faces
    ]
    chosen = range(len(cover.region)) if units is None else sorted(units)
    found = []
    for unit in chosen:
        owner, kind = cover.owners[unit], cover.kinds[unit]
        if owner == EMPTY and cover.solution:
            continue
        middle = np.mean([face.mean(axis=0) for face in corners[unit]], axis=0)
        depth = float(middle @ TOWARD_VIEWER)
        if lattice.balls:
            radius = float(np.linalg.norm(corners[unit][0].mean(axis=0) - middle))
            yield Facet(owner, middle[None], 1.0, (), depth, sqrt(1.5) * radius)  # as `ISOMETRIC`
            continue
        for place, across, step in zip(
            corners[unit], normals[kind], beyond(lattice)[kind], strict=True
        ):
            if across @ TOWARD_VIEWER > 1e-6 and not _covered(cover, unit, step, units):
                found.append((owner, across, place, depth))
    planes = [tuple(np.rint(100 * across).astype(int).tolist()) for _, across, _, _ in found]
    uses = Counter(
        (f[0], plane, key) for f, plane in zip(found, planes, strict=True) for key in keys(f[2])
    )
    for (owner, across, place, depth), plane in zip(found, planes, strict=True):
        sides = tuple(uses[owner, plane, key] > 1 for key in keys(place))
        yield Facet(owner, place, light(across), sides, depth)


def _covered(cover: Cover, unit: int, step: Point | None, units: Collection[int] | None) -> bool:
    """Return whether a drawn cell of the same placement lies on the other side of a face.

    `step`: the offset to the cell on that side, None if there is none: see `beyond`. `units`: the
    drawn units, None for all.
    """
    if step is None:
        return False
    other = cover.beside(unit, step)
    if other < 0 or (units is not None and other not in units):
        return False
    return cover.owners[other] == cover.owners[unit]


def keys(place: Array) -> list[frozenset[tuple[int, ...]]]:
    """Return a key for each side of a face, or for each end of an edge: see `side_key`."""
    if len(place) == 2:
        return [side_key(end, end) for end in place]
    return [side_key(a, b) for a, b in zip(place, np.roll(place, -1, axis=0), strict=True)]


APART = 1.2
"""Distance by which a piece moves from the center, relative to its initial distance from it."""

CLEAR, SPREAD = 0.1, 1.01
"""Least distance between pieces on the sheet; factor by which all spread while some overlap."""

ROD = 0.12
"""Width of a rod relative to the length of an edge."""

END = 0.2
"""Gap between a vertex and a piece that ends there, relative to the length of an edge."""

HIGHEST = 1.0
"""Largest height of a drawing relative to its width."""

Spot = Callable[[Array], Array]
"""Maps points in space to the sheet."""

Joints = dict[tuple[int, frozenset[tuple[int, ...]]], list[Array]]
"""For an owner and a vertex, a point near the vertex on each rod that is already drawn there."""


def draw_exploded(cover: Cover, width: int, apart: float = APART) -> Drawing:
    """Return the drawing of a solution in space with its pieces moved away from each other.

    Uncovered units are not drawn, except those of a region of solid cells without placements.

    `width`: in pixels. `apart`: see `APART`; 0 leaves the pieces in place.
    """
    cells = len(cover.lattice.faces[0]) > 1
    axes = np.array(ISOMETRIC if cells else TRIMETRIC)
    corners = moved_apart(cover, apart)
    if apart:
        corners = _side_by_side(cover, corners, axes)
    drawn = [c for c, owner in zip(corners, cover.owners, strict=True) if owner != EMPTY]
    paper = Paper(
        (place for faces in drawn or corners for face in faces for place in face @ axes),
        width,
        HIGHEST,
    )

    def spot(points: Array) -> Array:
        return np.asarray(points @ axes)

    elements = standing(cover, corners, paper, spot)
    tags = _tags(cover, in_order(cover, corners), paper, spot) if any(cover.labels) else ()
    return paper.drawing(cover.title, [*elements, *tags])


def moved_apart(cover: Cover, apart: float) -> list[Faces]:
    """Return the corners of the faces of each unit, after pieces have moved away from the center.

    `apart`: see `APART`. Uncovered units do not move.
    """
    embedding = np.array(cover.lattice.embedding)
    places = cover.region.places
    middle = (places @ embedding).mean(axis=0)
    shifts = [
        apart * ((places[units] @ embedding).mean(axis=0) - middle) for units in cover.units_of
    ]
    return [
        [
            (unit + np.array(face)) @ embedding + (shifts[owner] if owner != EMPTY else 0)
            for face in cover.lattice.faces[kind]
        ]
        for unit, kind, owner in zip(places, cover.kinds, cover.owners, strict=True)
    ]


def _side_by_side(cover: Cover, corners: list[Faces], axes: Array) -> list[Faces]:
    """Return the corners of faces after further moves, until no piece hides a part of another.

    A hexagon on the sheet, with its sides along `axes`, approximates each piece. While hexagons
    overlap, their pieces push each other away, and all pieces move apart a little.
    """
    normals = axes[:, ::-1] * (1, -1) / np.linalg.norm(axes, axis=1)[:, None]
    seen = [
        np.concatenate([c @ axes for u in units for c in corners[u]]) for units in cover.units_of
    ]
    low = np.array([(places @ normals.T).min(axis=0) for places in seen])
    high = np.array([(places @ normals.T).max(axis=0) for places in seen])
    middle = np.array([places.mean(axis=0) for places in seen])
    first = middle.copy()
    while True:
        moved = (middle - first) @ normals.T
        near = np.minimum((high + moved)[:, None], (high + moved)[None])
        far = np.maximum((low + moved)[:, None], (low + moved)[None])
        overlap = near - far + CLEAR
        one, other = np.nonzero(np.triu((overlap > 0).all(axis=2), 1))
        if not len(one):
            break
        axis = overlap[one, other].argmin(axis=1)
        toward = normals[axis]
        side = np.where(((middle[one] - middle[other]) * toward).sum(axis=1) < 0, -1, 1)
        push = toward * (side * overlap[one, other, axis] / 2)[:, None]
        np.add.at(middle, one, push)
        np.add.at(middle, other, -push)
        middle = first.mean(axis=0) + (middle - first.mean(axis=0)) * SPREAD
    shifts = np.vstack([(middle - first) @ np.linalg.pinv(axes), np.zeros(3)])  # EMPTY is -1
    return [
        [face + shifts[owner] for face in faces]
        for faces, owner in zip(corners, cover.owners, strict=True)
    ]


def standing(
    cover: Cover,
    corners: list[Faces],
    paper: Paper,
    spot: Spot,
    units: Collection[int] | None = None,
) -> list[str]:
    """Return the facets of the placements as SVG elements, far ones first.

    `corners`: the corners of each unit's faces in space. `spot`: maps points in space to the sheet.
    `units`: the units to be drawn; None for all. Without placements, a region of solid cells is
    drawn like a piece.
    """
    colors = [*assign_colors(cover), EMPTY_FILL]  # EMPTY is -1 and takes the last
    joints: Joints = {}
    elements = []
    for facet in in_order(cover, corners, units):
        color = colors[facet.owner]
        if facet.radius:
            drawn = _ball(facet, color, paper, spot)
        elif len(facet.corners) == 2:
            drawn = _rod(facet, color, paper, spot, joints)
        else:
            drawn = _face(facet, color, paper, spot)
        named = facet.owner != EMPTY
        elements += [group(cover.solution[facet.owner].piece, drawn)] if named else drawn
    return elements


def in_order(
    cover: Cover, corners: list[Faces], units: Collection[int] | None = None
) -> list[Facet]:
    """Return the facets of the placements, far ones first; `units`: as in `standing`."""
    return sorted(_facets(cover, corners, units), key=lambda facet: round(facet.depth, 6))


def _facets(cover: Cover, corners: list[Faces], units: Collection[int] | None) -> Iterator[Facet]:
    """Yield the facets of the placements in any order; for solid cells, see `solid_facets`."""
    if len(cover.lattice.faces[0]) > 1:
        yield from solid_facets(cover, corners, units)
        return
    found = [
        (owner, place)
        for unit, owner in enumerate(cover.owners)
        if owner != EMPTY and (units is None or unit in units)
        for place in corners[unit]
    ]
    uses = Counter((owner, key) for owner, place in found for key in keys(place))
    for owner, place in found:
        sides = tuple(uses[owner, key] > 1 for key in keys(place))
        depth = float(place.mean(axis=0) @ TOWARD_VIEWER)
        yield Facet(owner, place, _light(place), sides, depth)


def _light(place: Array) -> float:
    """Return the brightness of a face: 1 for floors and edges, less for the two kinds of walls."""
    if len(place) == 2 or not np.ptp(place[:, 2]):
        return 1.0
    return 0.64 if np.ptp(place[:, 0]) < 1e-9 else 0.82


def _face(facet: Facet, color: str, paper: Paper, spot: Spot) -> list[str]:
    fill = shade(color, facet.light)
    flat = spot(facet.corners)
    outer = [
        paper.line(side)
        for side, goes_on in zip(
            zip(flat, np.roll(flat, -1, axis=0), strict=True), facet.sides, strict=True
        )
        if not goes_on
    ]
    thick = min(2.5, max(1.0, paper.scale / 18))
    return [
        path([paper.polygon(flat)], fill=fill, stroke=shade(fill, 0.8), stroke_width=1.0),
        path(outer, stroke=INK, stroke_width=thick, stroke_linecap="round"),
    ]


def _ball(facet: Facet, color: str, paper: Paper, spot: Spot) -> list[str]:
    """Return a ball with a rim and a reflection."""
    x, y = paper.at(spot(facet.corners[0])).split()
    radius = facet.radius * paper.scale
    shine = [number(float(c) + way * 0.35 * radius) for c, way in ((x, -1), (y, -1))]
    thick = number(min(2.5, max(1.0, paper.scale / 18)))
    return [
        f'<circle cx="{x}" cy="{y}" r="{number(radius)}" fill="{color}" '
        f'stroke="{shade(color, 0.45)}" stroke-width="{thick}"/>',
        f'<circle cx="{shine[0]}" cy="{shine[1]}" r="{number(0.22 * radius)}" fill="#ffffff" '
        'fill-opacity="0.55" pointer-events="none"/>',
    ]


def _rod(facet: Facet, color: str, paper: Paper, spot: Spot, joints: Joints) -> list[str]:
    """Return a rod with a dark rim, as SVG elements.

    Its rim would cross earlier rods of the piece at a common vertex, so their ends are drawn again.
    The ends of the rod are added to `joints`.
    """
    first, second = facet.corners
    wide = max(2.0, ROD * paper.scale)
    ends = [first, second]
    mended = []
    for k, (here, there) in enumerate(((first, second), (second, first))):
        ends[k] = here + (there - here) * (0.0 if facet.sides[k] else END)
        before = joints.setdefault((facet.owner, side_key(here, here)), [])
        mended += [np.array([here, place]) for place in before]
        before.append(here + (there - here) * min(0.5, ROD + 2 / paper.scale))
    line = {"fill": "none", "stroke_linecap": "round"}
    whole = [paper.line(spot(np.array(ends)))]
    stubs = [paper.line(spot(pair)) for pair in mended]
    return [
        path(whole, stroke=shade(color, 0.45), stroke_width=wide + 2, **line),
        path([*whole, *stubs], stroke=color, stroke_width=wide, **line),
    ]


def _tags(cover: Cover, facets: list[Facet], paper: Paper, spot: Spot) -> Iterator[str]:
    """Yield the name of each piece on a plate, at a facet that the piece itself does not hide.

    The brightest such facet is chosen. Other pieces may hide the facet, but not the name.
    """
    colors = assign_colors(cover)
    flat = [spot(facet.corners) for facet in facets]
    middles = [corners.mean(axis=0) for corners in flat]
    best: dict[int, tuple[float, int]] = {}
    own: defaultdict[int, list[int]] = defaultdict(list)
    for k in reversed(range(len(facets))):
        owner, corners, light = facets[k][:3]
        if not any(inside(middles[k], flat[j]) for j in own[owner] if len(corners) > 2):
            best[owner] = max(best.get(owner, (0.0, 0)), (light, k))
        own[owner].append(k)
    for owner, (_, k) in sorted(best.items()):
        yield from tag(paper, middles[k], cover.labels[owner], colors[owner])


def inside(place: Array, corners: Array) -> bool:
    """Return whether a place is inside a convex polygon."""
    x, y = (np.roll(corners, -1, axis=0) - corners).T
    u, v = (place - corners).T
    turns = x * v - y * u
    return bool((turns > 0).all() or (turns < 0).all())
