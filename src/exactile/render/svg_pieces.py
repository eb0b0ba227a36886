"""Pieces in space, each whole, in place or apart from each other: cells, faces, or edges."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator

import numpy as np

from exactile.render.colors import EMPTY_FILL, INK, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.paper import Drawing, Paper, group, number, path
from exactile.render.svg_plane import tag
from exactile.render.svg_space import (
    ISOMETRIC,
    TOWARD_VIEWER,
    TRIMETRIC,
    Array,
    Faces,
    Facet,
    keys,
    side_key,
    solid_facets,
)

APART = 1.2
"""Distance by which pieces move apart, relative to their distance from the center."""

CLEAR, SPREAD = 0.1, 1.01
"""Room between pieces on the sheet, and factor by which all move apart while some overlap."""

ROD = 0.12
"""Width of a rod relative to the length of an edge."""

END = 0.2
"""Distance from the vertex at which a piece ends there."""

HIGHEST = 1.0
"""Largest height of a drawing relative to its width."""

Spot = Callable[[Array], Array]
"""Maps points in space to the sheet."""

Joints = dict[tuple[int, frozenset[tuple[int, ...]]], list[Array]]
"""For an owner and a vertex, places on its rods drawn so far, a little away from the vertex."""


def draw_exploded(cover: Cover, width: int, apart: float = APART) -> Drawing:
    """Return the drawing of a solution in space with its pieces moved away from each other.

    `cover`, `width`: as in `exactile.render.draw_svg`. `apart`: the distance of a move, relative to
    the piece's distance from the center; 0 leaves pieces in place.
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
    """Return the corners of the faces of each unit, the pieces moved apart."""
    embedding = np.array(cover.lattice.embedding)
    middle = (cover.region.units @ embedding).mean(axis=0)
    shifts = [
        apart * ((cover.region.units[units] @ embedding).mean(axis=0) - middle)
        for units in cover.units_of
    ]
    return [
        [
            (unit + np.array(face)) @ embedding + (shifts[owner] if owner != EMPTY else 0)
            for face in cover.lattice.faces[kind]
        ]
        for unit, kind, owner in zip(
            cover.region.units, cover.region.types.tolist(), cover.owners, strict=True
        )
    ]


def _side_by_side(cover: Cover, corners: list[Faces], axes: Array) -> list[Faces]:
    """Return the corners moved farther, until no piece hides a part of another.

    On the sheet each piece is approximated by a hexagon, with sides in the directions of the edges
    of cells. Pieces that overlap push each other away, and all move apart a little, repeatedly.
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
    """Return the placements as elements, far ones first.

    With `units`, only these are drawn.
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
    """Return the visible parts of the placements, far ones first."""
    return sorted(_facets(cover, corners, units), key=lambda facet: round(facet.depth, 6))


def _facets(cover: Cover, corners: list[Faces], units: Collection[int] | None) -> Iterator[Facet]:
    """Yield the visible parts of the placements: of solid cells the faces toward the viewer."""
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
    """Return the brightness of a face; floors are the brightest, the two kinds of walls differ."""
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
    """Return a rod with a dark rim that does not cut earlier rods of the same piece."""
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
    """Yield the name of each piece on a visible part, preferably a floor.

    Only a piece itself hides parts of it.
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
